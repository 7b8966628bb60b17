/**
 * @file wait.c
 * The host waits for all that a device has been given.
 */
#include "runtime/state/execution.h"
#include "runtime/state/host_thread.h"
#include "runtime/state/runtime.h"
#include "runtime/state/stream.h"
#include "runtime/state/unwaited.h"
#include "runtime/time/record.h"

/* `device`: of this one, and of its part whose green context is current; -1 = of all. */
static cudaError_t wait_for_all(const char *call, int device)
{
    LIST(struct operation *) all = {0};
    const struct stream_group *group = device < 0 ? NULL : runtime_thread()->group;
    for (struct stream *s = runtime.streams; s; s = s->next)
        if (s->last && (device < 0 || s->device == device) && (!group || s->group == group)) {
            operation_ref(s->last);
            *LIST_PUSH(&all) = s->last;
        }
    uint64_t from = runtime.host_ns;
    struct operation *last = NULL;
    for (int i = 0; i < all.count; i++)
        engine_need(all.data[i]);
    for (int i = 0; i < all.count; i++) {
        engine_join(all.data[i]);
        if (!last || all.data[i]->time.end_ns > last->time.end_ns)
            last = all.data[i];
    }
    if (last)
        timeline_call(call, from, last);
    for (int i = 0; i < all.count; i++)
        operation_unref(all.data[i]);
    LIST_FREE(&all);
    if (!group && (device < 0 || runtime.options.devices == 1))
        unwaited_joined(NULL);
    streams_sweep();
    return runtime.sticky;
}

cudaError_t device_wait(const char *call)
{
    return wait_for_all(call, device_now());
}

cudaError_t devices_wait(const char *call)
{
    return wait_for_all(call, -1);
}
