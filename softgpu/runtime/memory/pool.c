/**
 * @file pool.c
 * cudaMallocAsync and memory pools.
 *
 * An allocation gets its address at the call; freeing takes place in stream order. A pool is a
 * book of what was taken from it: it never holds memory back, so "reserved" equals "used".
 */
#include "runtime/memory/pool.h"

#include <string.h>

#include "runtime/memory/graph_block.h"
#include "runtime/memory/pool_book.h"
#include "runtime/state/failure.h"
#include "runtime/state/capture.h"
#include "runtime/state/entry.h"

static struct pool first_pools[MAX_DEVICES], *pools, *current[MAX_DEVICES];
static LIST(struct pool_block) taken;

static struct pool *default_pool(int device)
{
    struct pool *p = &first_pools[device];
    if (!p->reuse[3])
        *p = (struct pool){.device = device, .reach = (uint8_t)(1u << device), .reuse = {1, 1, 1, 1}};
    return p;
}

static struct pool *current_pool(int device)
{
    return current[device] ? current[device] : default_pool(device);
}

static bool is_default(const struct pool *p)
{
    return p >= first_pools && p < first_pools + MAX_DEVICES;
}

struct pool *pool_find(cudaMemPool_t handle)
{
    if (is_default((struct pool *)handle))
        return (struct pool *)handle;
    for (struct pool *p = pools; p; p = p->next)
        if ((cudaMemPool_t)p == handle)
            return p;
    return NULL;
}

struct pool *pool_imported_as(const struct outside_name *name)
{
    for (struct pool *p = pools; p; p = p->next)
        if (p->imported && !memcmp(&p->name, name, sizeof *name))
            return p;
    return NULL;
}

cudaMemPool_t pool_add(const struct pool *as)
{
    struct pool *p = calloc(1, sizeof *p);
    if (!p)
        abort();
    *p = *as;
    p->next = pools;
    p->reach = (uint8_t)(1u << p->device);
    p->handles = 1;
    memcpy(p->reuse, (int[]){1, 1, 1, 1}, sizeof p->reuse);
    return (cudaMemPool_t)(pools = p);
}

struct pool_block *pool_block_at(const void *pointer)
{
    for (int i = 0; i < taken.count; i++)
        if (taken.data[i].pointer == pointer)
            return &taken.data[i];
    return NULL;
}

struct pool_block *pool_block_named(const struct pool *pool, const struct outside_name *name)
{
    for (int i = 0; i < taken.count; i++)
        if (taken.data[i].pool == pool && !memcmp(&taken.data[i].name, name, sizeof *name))
            return &taken.data[i];
    return NULL;
}

struct pool_block *pool_block_add(void *pointer, size_t bytes, struct pool *pool)
{
    struct pool_block *b = LIST_PUSH(&taken);
    *b = (struct pool_block){.pointer = pointer, .bytes = bytes, .pool = pool, .handles = 1};
    pool->used += bytes;
    if (pool->used > pool->used_high)
        pool->used_high = pool->used;
    return b;
}

void pool_reach_changed(const struct pool *pool)
{
    for (int i = 0; i < taken.count; i++)
        if (taken.data[i].pool == pool)
            memory_find(machine_memory(runtime.machine), (uintptr_t)taken.data[i].pointer)->reach = pool->reach;
}

void pools_reset_on(int device)
{
    int kept = 0;
    for (int i = 0; i < taken.count; i++)
        if (taken.data[i].pool->device != device)
            taken.data[kept++] = taken.data[i];
    taken.count = kept;
    for (struct pool **at = &pools; *at;) {
        struct pool *p = *at;
        if (p->device == device) {
            *at = p->next;
            pool_unshare(p);
            free(p);
        } else {
            at = &p->next;
        }
    }
    first_pools[device] = (struct pool){0};
    current[device] = NULL;
}

void pools_reset(void)
{
    for (int d = 0; d < MAX_DEVICES; d++)
        pools_reset_on(d);
    pool_share_reset();
}

/* Memory of the pool's own device, which has the pool's access. */
cudaError_t pool_alloc(const struct pool *pool, void **out, size_t bytes)
{
    int before = device_work_for(pool->device);
    cudaError_t e = device_alloc(out, bytes);
    device_work_for(before);
    struct allocation *a = e || !bytes ? NULL : memory_find(machine_memory(runtime.machine), (uintptr_t)*out);
    if (a) {
        a->own_reach = true;
        a->reach = pool->reach;
    }
    return e;
}

static cudaError_t take(void **out, size_t bytes, struct pool *pool, cudaStream_t stream)
{
    struct stream *s;
    cudaError_t e = stream_for_work(stream, true, &s);
    if (e)
        return e;
    if (!out)
        return cudaErrorInvalidValue;
    if (!pool)
        pool = current_pool(s->device);
    if (pool->imported)
        return cudaErrorInvalidValue;
    if (s->capture)
        return graph_block_capture(out, bytes, pool->device, pool->reach, s);
    if ((e = capture_allows_unsafe()))
        return e;
    if (pool->max_bytes && pool->used + bytes > pool->max_bytes)
        return cudaErrorMemoryAllocation;
    e = pool_alloc(pool, out, bytes);
    if (e == cudaErrorMemoryAllocation && runtime.queued) {
        devices_wait("cudaMallocAsync"); /* queued frees give memory back */
        e = pool_alloc(pool, out, bytes);
    }
    if (e || !bytes)
        return e;
    pool_block_add(*out, bytes, pool);
    struct operation *op = operation_new(OP_MARK, "cudaMallocAsync");
    op->address = (uint64_t)(uintptr_t)*out;
    operation_issue(op, s, NULL);
    return cudaSuccess;
}

cudaError_t cudaMallocAsync(void **out, size_t bytes, cudaStream_t stream)
{
    API_ENTER();
    API_THROUGH(1);
    API_RETURN(take(out, bytes, NULL, stream)); /* the current one of the stream's device */
}

cudaError_t cudaMallocFromPoolAsync(void **out, size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream)
{
    API_ENTER();
    API_THROUGH(1);
    API_RETURN(pool_find(pool) ? take(out, bytes, pool_find(pool), stream) : cudaErrorInvalidValue);
}

bool pool_give_back(const void *p)
{
    struct pool_block *b = pool_block_at(p);
    if (!b)
        return true;
    if (--b->handles)
        return false;
    b->pool->used -= b->bytes;
    *b = taken.data[--taken.count];
    return true;
}

cudaError_t cudaFreeAsync(void *p, cudaStream_t stream)
{
    API_ENTER();
    struct stream *s;
    cudaError_t e = stream_for_work(stream, true, &s);
    if (e || !p)
        API_RETURN(e);
    if (s->capture || graph_block_at((uintptr_t)p))
        API_RETURN(graph_block_free(graph_block_at((uintptr_t)p), s));
    if ((e = capture_allows_unsafe()))
        API_RETURN(e);
    struct allocation *a = memory_find(machine_memory(runtime.machine), (uintptr_t)p);
    if (a && !a->freed && a->base == (uintptr_t)p && a->kind == ALLOC_MANAGED)
        API_RETURN(cudaErrorNotSupported);
    if (!a || a->freed || a->freed_by || a->base != (uintptr_t)p || a->kind != ALLOC_DEVICE)
        API_RETURN(failure_to_free(p));
    if (!pool_give_back(p))
        API_RETURN(cudaSuccess);
    struct operation *op = operation_new(OP_FREE, "cudaFreeAsync");
    op->address = a->base;
    operation_issue(op, s, NULL);
    a->freed_by = op->number;
    API_RETURN(cudaSuccess);
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *out, const struct cudaMemPoolProps *props)
{
    API_ENTER();
    if (!out || !props || props->allocType != cudaMemAllocationTypePinned)
        API_RETURN(cudaErrorInvalidValue);
    if (props->location.type == cudaMemLocationTypeInvalid ||
        (props->location.type == cudaMemLocationTypeDevice && !device_exists(props->location.id)))
        API_RETURN(cudaErrorInvalidValue);
    if (props->location.type != cudaMemLocationTypeDevice)
        API_RETURN(runtime_unsupported("a memory pool on the host"));
    if (props->handleTypes >= 2u * cudaMemHandleTypeFabric)
        API_RETURN(cudaErrorInvalidValue);
    if (props->handleTypes & ~(unsigned)cudaMemHandleTypePosixFileDescriptor)
        API_RETURN(runtime_unsupported("a memory pool that is shared but by file descriptors"));
    *out = pool_add(&(struct pool){.device = props->location.id, .max_bytes = props->maxSize, .shareable = props->handleTypes != 0});
    API_RETURN(cudaSuccess);
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t handle)
{
    API_ENTER();
    struct pool *p = pool_find(handle);
    if (!p || is_default(p))
        API_RETURN(cudaErrorInvalidValue);
    if (--p->handles)
        API_RETURN(cudaSuccess);
    for (struct pool **at = &pools; *at; at = &(*at)->next)
        if (*at == p) {
            *at = p->next;
            break;
        }
    for (int i = 0; i < taken.count; i++)
        if (taken.data[i].pool == p) { /* memory outlives its pool */
            taken.data[i].pool = default_pool(p->device);
            default_pool(p->device)->used += taken.data[i].bytes;
        }
    if (current[p->device] == p)
        current[p->device] = NULL;
    pool_unshare(p);
    free(p);
    API_RETURN(cudaSuccess);
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t handle, size_t keep)
{
    (void)keep;
    API_ENTER();
    API_RETURN(pool_find(handle) ? cudaSuccess : cudaErrorInvalidValue);
}

static cudaError_t answer(cudaMemPool_t *out, int device, struct pool *(*of)(int device))
{
    if (!out)
        return cudaErrorInvalidValue;
    if (!device_exists(device))
        return cudaErrorInvalidDevice;
    *out = (cudaMemPool_t)of(device);
    return cudaSuccess;
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *out, int device)
{
    API_ENTER();
    API_RETURN(answer(out, device, default_pool));
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *out, int device)
{
    API_ENTER();
    API_RETURN(device_exists(device) ? answer(out, device, current_pool) : cudaErrorInvalidValue);
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t handle)
{
    API_ENTER();
    struct pool *p = pool_find(handle);
    if (!device_exists(device))
        API_RETURN(cudaErrorInvalidDevice);
    if (!p || p->imported || p->device != device)
        API_RETURN(cudaErrorInvalidValue);
    current[device] = p;
    API_RETURN(cudaSuccess);
}

/* ---- CUDA 13's forms, by location ---- */

static cudaError_t by_location(cudaMemPool_t *out, const struct cudaMemLocation *location,
                               enum cudaMemAllocationType type, struct pool *(*of)(int device))
{
    if (!location || type != cudaMemAllocationTypePinned)
        return cudaErrorInvalidValue;
    if (location->type != cudaMemLocationTypeDevice)
        return runtime_unsupported("a memory pool on the host");
    return answer(out, location->id, of);
}

cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t *out, struct cudaMemLocation *location,
                                     enum cudaMemAllocationType type)
{
    API_ENTER();
    API_RETURN(by_location(out, location, type, default_pool));
}

cudaError_t cudaMemGetMemPool(cudaMemPool_t *out, struct cudaMemLocation *location,
                              enum cudaMemAllocationType type)
{
    API_ENTER();
    API_RETURN(by_location(out, location, type, current_pool));
}

cudaError_t cudaMemSetMemPool(struct cudaMemLocation *location, enum cudaMemAllocationType type,
                              cudaMemPool_t handle)
{
    API_ENTER();
    struct pool *p = pool_find(handle);
    cudaMemPool_t unused;
    cudaError_t e = p ? by_location(&unused, location, type, current_pool) : cudaErrorInvalidValue;
    if (!e && (p->imported || p->device != location->id))
        e = cudaErrorInvalidValue;
    if (!e)
        current[p->device] = p;
    API_RETURN(e);
}
