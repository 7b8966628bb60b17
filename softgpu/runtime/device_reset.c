/**
 * @file device_reset.c
 * cudaDeviceReset() of one device where there are others: those go on (seen on two H200: tests/runtime/peer_facts.cu).
 */
#include "runtime/code/library.h"
#include "runtime/driver/driver.h"
#include "runtime/memory/graph_block.h"
#include "runtime/memory/pool.h"
#include "runtime/state/capture.h"
#include "runtime/state/operation.h"

/* Streams of the device die, but for its default stream; its events forget what they have recorded. */
static void drop_streams(int device)
{
    streams_await_nothing(&(struct stream_choice){.device = device});
    driver_green_reset(device);
    for (struct stream *s = runtime.streams; s; s = s->next)
        if (s->device == device && !s->legacy) {
            capture_stream_destroyed(s);
            s->destroyed = true;
        }
    streams_sweep();
    for (struct event *e = runtime.events; e; e = e->next)
        if (e->device == device && e->record) {
            operation_unref(e->record);
            e->record = NULL;
        }
}

static void drop_allocation(void *device, struct allocation *a)
{
    bool shared = a->kind == ALLOC_HOST || a->kind == ALLOC_REGISTERED || a->kind == ALLOC_MANAGED;
    if (!a->freed && a->device == *(const int *)device && !shared && !a->name && !driver_virtual_at(a->base)) {
        a->freed_by = runtime.next_op++;
        memory_free(machine_memory(runtime.machine), a->base);
    }
}

void device_reset(int device)
{
    struct memory *memory = machine_memory(runtime.machine);
    struct device_state *d = &runtime.devices[device];
    drop_streams(device);
    libraries_reset_on(device);
    pools_reset_on(device);
    memory_each(memory, drop_allocation, &device);
    graph_blocks_reset(device);
    for (int other = 0; other < runtime.options.devices; other++) {
        if (d->peers >> other & 1)
            memory_let(memory, device, other, false);
        if (runtime.devices[other].peers >> device & 1)
            memory_let(memory, other, device, false);
        runtime.devices[other].peers &= ~(1u << device);
    }
    d->peers = 0;
    d->flags = 0;
    d->generation++;
}
