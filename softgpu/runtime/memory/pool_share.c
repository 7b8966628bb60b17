/**
 * @file pool_share.c
 * Memory pools of one process in another: the pool by a file descriptor, each allocation by 64 bytes. Errors are an H200's
 * (tests/runtime/pool_share_facts.cu).
 */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "runtime/memory/pool.h"
#include "runtime/memory/pool_book.h"
#include "runtime/state/capture.h"
#include "runtime/state/entry.h"
#include "runtime/state/stream.h"

/** What cudaMemPoolPtrExportData holds. */
struct ticket {
    struct outside_name name;
    uint8_t pool_key[16];
};
_Static_assert(sizeof(struct ticket) <= sizeof(struct cudaMemPoolPtrExportData), "the data has room for it");

static int shared; /* pools, exported or imported, until all end: their memory may outlive them */

static struct memory *memory(void)
{
    return machine_memory(runtime.machine);
}

static void one_more(void)
{
    shared++;
    outside_more();
}

void pool_unshare(struct pool *p)
{
    if (p->name.magic && !p->imported)
        close(p->fd);
}

void pool_share_reset(void)
{
    for (; shared; shared--)
        outside_less();
}

/* ---- ours ---- */

static cudaError_t export_pool(int *out, struct pool *p, enum cudaMemAllocationHandleType type, unsigned flags)
{
    if (!out || !p || !p->shareable || type != cudaMemHandleTypePosixFileDescriptor || flags)
        return cudaErrorInvalidValue;
    if (!p->name.magic) {
        struct outside_name name = {.bytes = 1, .kind = OUTSIDE_POOL, .device = p->device};
        int fd = outside_create(&name);
        if (fd < 0)
            return cudaErrorNotSupported;
        p->fd = fd;
        p->name = name;
        one_more();
    }
    int fd = fcntl(p->fd, F_DUPFD_CLOEXEC, 0);
    if (fd < 0)
        return cudaErrorOperatingSystem;
    *out = fd;
    return cudaSuccess;
}

cudaError_t cudaMemPoolExportToShareableHandle(void *out, cudaMemPool_t pool, enum cudaMemAllocationHandleType type, unsigned flags)
{
    API_ENTER();
    API_RETURN(export_pool(out, pool_find(pool), type, flags));
}

static cudaError_t export_pointer(struct cudaMemPoolPtrExportData *out, const void *p)
{
    struct pool_block *b = pool_block_at(p);
    if (!out || !b || b->pool->imported || !b->pool->name.magic)
        return cudaErrorInvalidValue;
    struct allocation *a = memory_find(memory(), (uintptr_t)b->pointer);
    cudaError_t e = b->name.magic ? cudaSuccess : ipc_memory_move(a, OUTSIDE_POOL_MEMORY, "cudaMemPoolExportPointer", &b->name);
    if (e)
        return e;
    struct ticket t = {.name = b->name};
    memcpy(t.pool_key, b->pool->name.key, sizeof t.pool_key);
    memset(out, 0, sizeof *out);
    memcpy(out, &t, sizeof t);
    return cudaSuccess;
}

cudaError_t cudaMemPoolExportPointer(struct cudaMemPoolPtrExportData *out, void *p)
{
    API_ENTER_UNCAPTURED();
    API_RETURN(export_pointer(out, p));
}

/* ---- of others ---- */

static cudaError_t import_pool(cudaMemPool_t *out, int fd, enum cudaMemAllocationHandleType type, unsigned flags)
{
    struct outside_name name;
    if (!out || type != cudaMemHandleTypePosixFileDescriptor || flags)
        return cudaErrorInvalidValue;
    if (fcntl(fd, F_GETFD) < 0)
        return cudaErrorUnknown;
    if (!outside_name_of(fd, &name) || name.kind != OUTSIDE_POOL || !device_exists(name.device))
        return cudaErrorInvalidValue;
    if (name.process == getpid())
        return runtime_unsupported("a memory pool that its own process imports");
    struct pool *known = pool_imported_as(&name);
    if (known) {
        known->handles++;
        *out = (cudaMemPool_t)known;
        return cudaSuccess;
    }
    *out = pool_add(&(struct pool){.device = name.device, .imported = true, .name = name});
    one_more();
    return cudaSuccess;
}

cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t *out, void *handle, enum cudaMemAllocationHandleType type, unsigned flags)
{
    API_ENTER();
    API_RETURN(import_pool(out, (int)(intptr_t)handle, type, flags));
}

/* An allocation like others, which cudaFree() and cudaFreeAsync() end, but with those bytes. */
static cudaError_t map_new(void **out, struct pool *pool, const struct outside_name *name)
{
    int fd = outside_open(name, OUTSIDE_POOL_MEMORY);
    cudaError_t e = fd < 0 ? cudaErrorInvalidValue : pool_alloc(pool, out, name->bytes);
    struct allocation *a = e ? NULL : memory_find(memory(), (uintptr_t)*out);
    if (a && memory_take_file(memory(), a, fd)) {
        pool_block_add(*out, 0, pool)->name = *name;
        ipc_memory_written(a, "cudaMemPoolImportPointer");
        return cudaSuccess;
    }
    if (a)
        memory_free(memory(), a->base);
    if (fd >= 0)
        close(fd);
    return e ? e : cudaErrorMemoryAllocation;
}

static cudaError_t import_pointer(void **out, struct pool *pool, const struct cudaMemPoolPtrExportData *data)
{
    struct ticket t;
    if (!out || !pool || !pool->imported || !data)
        return cudaErrorInvalidValue;
    memcpy(&t, data, sizeof t);
    if (memcmp(t.pool_key, pool->name.key, sizeof t.pool_key))
        return cudaErrorInvalidValue;
    struct pool_block *b = pool_block_named(pool, &t.name);
    if (!b)
        return map_new(out, pool, &t.name);
    b->handles++;
    *out = b->pointer;
    return cudaSuccess;
}

cudaError_t cudaMemPoolImportPointer(void **out, cudaMemPool_t pool, struct cudaMemPoolPtrExportData *data)
{
    API_ENTER_UNCAPTURED();
    API_RETURN(import_pointer(out, pool_find(pool), data));
}
