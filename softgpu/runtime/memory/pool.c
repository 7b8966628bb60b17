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
#include "runtime/state/capture.h"
#include "runtime/state/entry.h"

/** What cudaMemPool_t points to. */
struct pool {
    struct pool *next;
    int device;
    uint8_t reach;                /**< devices that may access its memory, a bit each */
    uint64_t release_threshold;
    uint64_t used, used_high;
    int reuse[4];                 /**< by enum cudaMemPoolAttr; no effect */
    size_t max_bytes;             /**< 0 = none */
};
struct pool_block {
    void *pointer;
    size_t bytes;
    struct pool *pool;
};

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

static struct pool *find(cudaMemPool_t handle)
{
    if (is_default((struct pool *)handle))
        return (struct pool *)handle;
    for (struct pool *p = pools; p; p = p->next)
        if ((cudaMemPool_t)p == handle)
            return p;
    return NULL;
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
}

/* Memory of the pool's own device, which has the pool's access. */
static cudaError_t alloc_from(const struct pool *pool, void **out, size_t bytes)
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
    if (s->capture)
        return graph_block_capture(out, bytes, pool->device, pool->reach, s);
    if ((e = capture_allows_unsafe()))
        return e;
    if (pool->max_bytes && pool->used + bytes > pool->max_bytes)
        return cudaErrorMemoryAllocation;
    e = alloc_from(pool, out, bytes);
    if (e == cudaErrorMemoryAllocation && runtime.queued) {
        devices_wait("cudaMallocAsync"); /* queued frees give memory back */
        e = alloc_from(pool, out, bytes);
    }
    if (e || !bytes)
        return e;
    *LIST_PUSH(&taken) = (struct pool_block){*out, bytes, pool};
    pool->used += bytes;
    if (pool->used > pool->used_high)
        pool->used_high = pool->used;
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
    API_RETURN(find(pool) ? take(out, bytes, find(pool), stream) : cudaErrorInvalidValue);
}

static void give_back(void *p)
{
    for (int i = 0; i < taken.count; i++)
        if (taken.data[i].pointer == p) {
            taken.data[i].pool->used -= taken.data[i].bytes;
            taken.data[i] = taken.data[--taken.count];
            return;
        }
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
    if (!a || a->freed || a->freed_by || a->base != (uintptr_t)p || a->kind != ALLOC_DEVICE)
        API_RETURN(cudaErrorInvalidValue);
    give_back(p);
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
    if (props->location.type != cudaMemLocationTypeDevice)
        API_RETURN(runtime_unsupported("a memory pool on the host"));
    if (!device_exists(props->location.id))
        API_RETURN(cudaErrorInvalidDevice);
    if (props->handleTypes != cudaMemHandleTypeNone)
        API_RETURN(runtime_unsupported("a memory pool shared with other processes"));
    struct pool *p = calloc(1, sizeof *p);
    if (!p)
        abort();
    *p = (struct pool){.next = pools, .device = props->location.id,
                       .reach = (uint8_t)(1u << props->location.id), .reuse = {1, 1, 1, 1}, .max_bytes = props->maxSize};
    pools = p;
    *out = (cudaMemPool_t)p;
    API_RETURN(cudaSuccess);
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t handle)
{
    API_ENTER();
    struct pool *p = find(handle);
    if (!p || is_default(p))
        API_RETURN(cudaErrorInvalidValue);
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
    free(p);
    API_RETURN(cudaSuccess);
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t handle, size_t keep)
{
    (void)keep;
    API_ENTER();
    API_RETURN(find(handle) ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t handle, enum cudaMemPoolAttr attr, void *value)
{
    API_ENTER();
    struct pool *p = find(handle);
    if (!p || !value)
        API_RETURN(cudaErrorInvalidValue);
    switch (attr) {
    case cudaMemPoolReuseFollowEventDependencies:
    case cudaMemPoolReuseAllowOpportunistic:
    case cudaMemPoolReuseAllowInternalDependencies:
        *(int *)value = p->reuse[attr];
        break;
    case cudaMemPoolAttrReleaseThreshold:
        *(uint64_t *)value = p->release_threshold;
        break;
    case cudaMemPoolAttrReservedMemCurrent:
    case cudaMemPoolAttrUsedMemCurrent:
        *(uint64_t *)value = p->used;
        break;
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh:
        *(uint64_t *)value = p->used_high;
        break;
    default:
        API_RETURN(cudaErrorInvalidValue);
    }
    API_RETURN(cudaSuccess);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t handle, enum cudaMemPoolAttr attr, void *value)
{
    API_ENTER();
    struct pool *p = find(handle);
    if (!p || !value)
        API_RETURN(cudaErrorInvalidValue);
    switch (attr) {
    case cudaMemPoolReuseFollowEventDependencies:
    case cudaMemPoolReuseAllowOpportunistic:
    case cudaMemPoolReuseAllowInternalDependencies:
        p->reuse[attr] = *(int *)value;
        break;
    case cudaMemPoolAttrReleaseThreshold:
        p->release_threshold = *(uint64_t *)value;
        break;
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh:
        if (*(uint64_t *)value)
            API_RETURN(cudaErrorInvalidValue);
        p->used_high = p->used;
        break;
    default:
        API_RETURN(cudaErrorInvalidValue);
    }
    API_RETURN(cudaSuccess);
}

/* A device cannot be denied its own pool (cudaErrorInvalidDevice on an H200). */
static bool may_set(const struct pool *p, const struct cudaMemAccessDesc *a)
{
    bool none = a->flags == cudaMemAccessFlagsProtNone;
    return a->location.type == cudaMemLocationTypeDevice && device_exists(a->location.id) &&
           !(none && a->location.id == p->device);
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t handle, const struct cudaMemAccessDesc *list,
                                 size_t count)
{
    API_ENTER();
    struct pool *p = find(handle);
    if (!p || (count && !list))
        API_RETURN(cudaErrorInvalidValue);
    for (size_t i = 0; i < count; i++)
        if (!may_set(p, &list[i]))
            API_RETURN(cudaErrorInvalidDevice);
    for (size_t i = 0; i < count; i++) {
        uint8_t bit = (uint8_t)(1u << list[i].location.id);
        p->reach = (uint8_t)(list[i].flags ? p->reach | bit : p->reach & ~bit);
    }
    for (int i = 0; i < taken.count; i++)
        if (taken.data[i].pool == p)
            memory_find(machine_memory(runtime.machine), (uintptr_t)taken.data[i].pointer)->reach = p->reach;
    API_RETURN(cudaSuccess);
}

cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t handle,
                                 struct cudaMemLocation *location)
{
    API_ENTER();
    struct pool *p = find(handle);
    if (!flags || !location || !p || location->type != cudaMemLocationTypeDevice || !device_exists(location->id))
        API_RETURN(cudaErrorInvalidValue);
    *flags = p->reach >> location->id & 1 ? cudaMemAccessFlagsProtReadWrite : cudaMemAccessFlagsProtNone;
    API_RETURN(cudaSuccess);
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
    API_RETURN(answer(out, device, current_pool));
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t handle)
{
    API_ENTER();
    struct pool *p = find(handle);
    if (!device_exists(device))
        API_RETURN(cudaErrorInvalidDevice);
    if (!p || p->device != device)
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
    struct pool *p = find(handle);
    cudaMemPool_t unused;
    cudaError_t e = p ? by_location(&unused, location, type, current_pool) : cudaErrorInvalidValue;
    if (!e && p->device != location->id)
        e = cudaErrorInvalidValue;
    if (!e)
        current[p->device] = p;
    API_RETURN(e);
}
