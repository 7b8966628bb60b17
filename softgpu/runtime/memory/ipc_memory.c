/**
 * @file ipc_memory.c
 * Device memory of one process in another (cudaIpcGetMemHandle and its like). Errors are an H200's
 * (tests/runtime/ipc_facts.cu).
 */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/list.h"
#include "execute/observer.h"
#include "runtime/state/capture.h"
#include "runtime/state/stream.h"
#include "runtime/memory/pool.h"
#include "runtime/state/entry.h"

#define ALIGNMENT (2ull << 20)

_Static_assert(sizeof(struct outside_name) <= sizeof(cudaIpcMemHandle_t), "a handle has room for it");

/** An allocation of ours that others may open. */
struct exported {
    uint64_t base;
    struct outside_name name;
};
static LIST(struct exported) exports;

/** One of another process's. */
struct opened {
    struct outside_name name;
    uint64_t base;
    void *host;
    int count;               /**< of openings that have not been closed */
};
static LIST(struct opened) openings;

static struct memory *memory(void)
{
    return machine_memory(runtime.machine);
}

/* ---- ours ---- */

static struct exported *exported_at(uint64_t base)
{
    for (int i = exports.count - 1; i >= 0; i--)
        if (exports.data[i].base == base)
            return &exports.data[i];
    return NULL;
}

void ipc_memory_written(const struct allocation *a, const char *call)
{
    struct host_op h = {.op = runtime.next_op++, .name = call, .before = &runtime.host_done, .waited = &runtime.host_done,
                        .write_base = a->base, .write_bytes = a->bytes, .defines = true, .by.call = runtime_thread()->call};
    if (!runtime.options.check)
        return;
    op_set_add(&runtime.host_done, h.op);
    OBSERVE(machine_observers(runtime.machine), host_op, &h);
}

cudaError_t ipc_memory_move(struct allocation *a, enum outside_kind kind, const char *call, struct outside_name *out)
{
    cudaError_t e = devices_wait(call);
    struct outside_name name = {.bytes = a->bytes, .kind = kind, .device = a->device};
    int fd = e ? -1 : outside_create(&name);
    if (fd < 0)
        return e ? e : cudaErrorNotSupported;
    if (!memory_move_to_file(memory(), a, fd)) {
        close(fd);
        return cudaErrorMemoryAllocation;
    }
    *out = name;
    ipc_memory_written(a, call);
    return cudaSuccess;
}

static cudaError_t export_memory(cudaIpcMemHandle_t *out, uint64_t address)
{
    struct allocation *a = memory_find(memory(), address);
    struct exported *x = a && !a->freed ? exported_at(a->base) : NULL;
    if (!out || !a || a->freed || a->kind != ALLOC_DEVICE || a->mapped || a->name || a->own_reach)
        return cudaErrorInvalidValue;
    if (!x) {
        struct outside_name name;
        cudaError_t e = ipc_memory_move(a, OUTSIDE_MEMORY, "cudaIpcGetMemHandle", &name);
        if (e)
            return e;
        x = LIST_PUSH(&exports);
        *x = (struct exported){a->base, name};
        outside_more();
    }
    memset(out, 0, sizeof *out);
    memcpy(out, &x->name, sizeof x->name);
    return cudaSuccess;
}

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *p)
{
    API_ENTER_UNCAPTURED();
    API_RETURN(export_memory(handle, (uintptr_t)p));
}

void ipc_memory_freed(uint64_t base)
{
    struct exported *x = exported_at(base);
    if (!x)
        return;
    *x = exports.data[--exports.count];
    outside_less();
}

/* ---- of others ---- */

static struct opened *opened_named(const struct outside_name *name)
{
    for (int i = 0; i < openings.count; i++)
        if (!memcmp(&openings.data[i].name, name, sizeof *name))
            return &openings.data[i];
    return NULL;
}

static cudaError_t map_new(const struct outside_name *name, struct opened **out)
{
    int fd = outside_open(name, OUTSIDE_MEMORY);
    if (fd < 0 || !device_exists(name->device)) {
        if (fd >= 0)
            close(fd);
        return cudaErrorInvalidValue;
    }
    void *host = outside_map(fd, name->bytes);
    uint64_t base = host ? memory_reserve(memory(), name->bytes, ALIGNMENT) : 0;
    close(fd);
    if (!base) {
        if (host)
            munmap(host, name->bytes);
        return cudaErrorMemoryAllocation;
    }
    uint8_t reach = (uint8_t)(1u << name->device | 1u << device_now());
    memory_map_at(memory(), base, host, name->bytes, false, name->device, reach)->made_by = runtime_thread()->call;
    *out = LIST_PUSH(&openings);
    **out = (struct opened){.name = *name, .base = base, .host = host};
    outside_more();
    return cudaSuccess;
}

static cudaError_t open_memory(void **out, const cudaIpcMemHandle_t *handle, unsigned flags)
{
    struct outside_name name;
    memcpy(&name, handle, sizeof name);
    if (!out || flags != cudaIpcMemLazyEnablePeerAccess)
        return cudaErrorInvalidValue;
    if (name.kind == OUTSIDE_MEMORY && name.process == getpid())
        return cudaErrorDeviceUninitialized;
    struct opened *o = opened_named(&name);
    cudaError_t e = o ? cudaSuccess : map_new(&name, &o);
    if (e)
        return e;
    o->count++;
    *out = (void *)(uintptr_t)o->base;
    return cudaSuccess;
}

cudaError_t cudaIpcOpenMemHandle(void **p, cudaIpcMemHandle_t handle, unsigned flags)
{
    API_ENTER_UNCAPTURED();
    API_RETURN(open_memory(p, &handle, flags));
}

static cudaError_t close_memory(uint64_t base)
{
    for (int i = 0; i < openings.count; i++) {
        struct opened *o = &openings.data[i];
        if (o->base != base)
            continue;
        if (--o->count)
            return cudaSuccess;
        cudaError_t e = devices_wait("cudaIpcCloseMemHandle");
        o = &openings.data[i];
        memory_find(memory(), base)->freed_by = runtime.next_op++;
        memory_free(memory(), base);
        munmap(o->host, o->name.bytes);
        *o = openings.data[--openings.count];
        outside_less();
        return e;
    }
    return cudaErrorInvalidValue;
}

cudaError_t cudaIpcCloseMemHandle(void *p)
{
    API_ENTER_UNCAPTURED();
    API_RETURN(close_memory((uintptr_t)p));
}

void ipc_memory_reset(void)
{
    for (int i = 0; i < openings.count; i++) {
        munmap(openings.data[i].host, openings.data[i].name.bytes);
        outside_less();
    }
    for (int i = 0; i < exports.count; i++)
        outside_less();
    openings.count = exports.count = 0;
}
