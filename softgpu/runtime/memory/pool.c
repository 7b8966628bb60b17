/**
 * @file pool.c
 * cudaMallocAsync and memory pools.
 *
 * An allocation gets its address at the call; freeing takes place in stream order. A pool is a
 * book of what was taken from it; what it holds back is a number (pool_reserve.c).
 */
#include "runtime/memory/pool.h"

#include <string.h>

#include "runtime/memory/graph_block.h"
#include "runtime/memory/pool_book.h"
#include "runtime/state/failure.h"
#include "runtime/state/capture.h"
#include "runtime/state/entry.h"
#include "runtime/state/execution.h"
#include "runtime/state/stream.h"

static struct pool *pools;
static LIST(struct pool_block) taken;

struct pool *pool_find(cudaMemPool_t handle)
{
    if (pool_is_default((struct pool *)handle))
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
    p->reach = p->on_host ? 0 : (uint8_t)(1u << p->device);
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
    pool_reserve(pool, bytes);
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
        if (taken.data[i].pool->device != device || taken.data[i].pool->on_host)
            taken.data[kept++] = taken.data[i];
    taken.count = kept;
    for (struct pool **at = &pools; *at;) {
        struct pool *p = *at;
        if (p->device == device && !p->on_host) {
            *at = p->next;
            pool_unshare(p);
            free(p);
        } else {
            at = &p->next;
        }
    }
    pool_choice_reset(device);
}

void pools_reset(void)
{
    for (int d = 0; d < MAX_DEVICES; d++)
        pools_reset_on(d);
    pool_share_reset();
}

void pools_each(void (*each)(struct pool *p))
{
    for (struct pool *p = pools; p; p = p->next)
        each(p);
    pool_choice_each(each);
}

/* Memory of the pool's own device, or of the host, which has the pool's access. */
cudaError_t pool_alloc(const struct pool *pool, void **out, size_t bytes)
{
    int before = device_work_for(pool->device);
    cudaError_t e = pool->on_host ? host_alloc(out, bytes) : device_alloc(out, bytes);
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
        pool = pool_current(s->device);
    if (pool->imported)
        return cudaErrorInvalidValue;
    if (s->capture && pool->on_host)
        return runtime_unsupported("a node that allocates from a memory pool on the host");
    if (s->capture)
        return graph_block_capture(out, bytes, pool->device, pool->reach, s);
    if ((e = capture_allows_unsafe()))
        return e;
    if (!pool_has_room(pool, bytes))
        return cudaErrorMemoryAllocation;
    e = pool_alloc(pool, out, bytes);
    if (e == cudaErrorMemoryAllocation && runtime.queued) {
        devices_wait("cudaMallocAsync"); /* queued frees give memory back */
        e = pool_alloc(pool, out, bytes);
    }
    if (e || !bytes)
        return e;
    struct operation *op = operation_new(OP_MARK, "cudaMallocAsync");
    op->address = (uint64_t)(uintptr_t)*out;
    pool_block_add(*out, bytes, pool)->made = runtime.next_op;
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

bool pool_frees(const struct allocation *a)
{
    const struct pool_block *b = pool_block_at((void *)(uintptr_t)a->base);
    return !a->freed_by && b && b->made && !graph_block_at(a->base);
}

/* In a stream of its own that the host is, behind what the host has waited for and, since allocating is no access, where the memory
 * came from. It runs after all that uses the memory. */
static struct operation *free_unwaited(const struct allocation *a, uint64_t made, const char *call)
{
    struct stream *apart = stream_new(a->device, cudaStreamNonBlocking, 0, false);
    runtime.next_stream_id[a->device]--;
    apart->id = 0;
    struct operation *op = operation_new(OP_FREE, call);
    op->address = a->base;
    operation_ref(op);
    operation_issue(op, apart, NULL);
    op_set_add(&op->before, made);
    apart->destroyed = true;
    return op;
}

cudaError_t pool_free_by_host(const struct allocation *a, const char *call)
{
    void *p = (void *)(uintptr_t)a->base;
    uint64_t made = pool_block_at(p)->made;
    if (!pool_give_back(p))
        return cudaSuccess;
    struct operation *op = free_unwaited(a, made, call);
    cudaError_t e = engine_drain(op);
    host_joins(op);
    operation_unref(op);
    return e;
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
    if (!a || a->freed || a->freed_by || a->base != (uintptr_t)p || (a->kind != ALLOC_DEVICE && !is_of_host_pool(a)))
        API_RETURN(failure_to_free(p));
    if (!pool_give_back(p))
        API_RETURN(cudaSuccess);
    struct operation *op = operation_new(OP_FREE, "cudaFreeAsync");
    op->address = a->base;
    operation_issue(op, s, NULL);
    a->freed_by = op->number;
    API_RETURN(cudaSuccess);
}

/* Where a pool's memory lies, as the call that makes it says. @return cudaErrorInvalidValue if that is nowhere */
static cudaError_t place_pool(struct pool *p, const struct cudaMemLocation *where)
{
    switch (where->type) {
    case cudaMemLocationTypeDevice:
        p->device = where->id;
        return device_exists(where->id) ? cudaSuccess : cudaErrorInvalidValue;
    case cudaMemLocationTypeHostNuma: /* this machine is one node */
        p->on_host = true;
        return where->id ? cudaErrorInvalidValue : cudaSuccess;
    case cudaMemLocationTypeHost:
        p->on_host = true;
        return cudaSuccess;
    default:
        return cudaErrorInvalidValue;
    }
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *out, const struct cudaMemPoolProps *props)
{
    API_ENTER();
    struct pool p = {.device = device_now()};
    if (!out || !props || props->allocType != cudaMemAllocationTypePinned || place_pool(&p, &props->location))
        API_RETURN(cudaErrorInvalidValue);
    if (props->handleTypes >= 2u * cudaMemHandleTypeFabric)
        API_RETURN(cudaErrorInvalidValue);
    if (props->handleTypes & ~(unsigned)cudaMemHandleTypePosixFileDescriptor)
        API_RETURN(runtime_unsupported("a memory pool that is shared but by file descriptors"));
    if (p.on_host && memory_has_client())
        API_RETURN(runtime_unsupported("a memory pool on the host, in the sandbox,"));
    if (props->handleTypes && p.on_host)
        API_RETURN(runtime_unsupported("a memory pool on the host that is shared"));
    p.max_bytes = props->maxSize;
    p.shareable = props->handleTypes != 0;
    *out = pool_add(&p);
    API_RETURN(cudaSuccess);
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t handle)
{
    API_ENTER();
    struct pool *p = pool_find(handle);
    if (!p || pool_is_default(p))
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
            taken.data[i].pool = pool_default(p);
            pool_reserve(pool_default(p), taken.data[i].bytes);
        }
    pool_choice_forget(p);
    pool_unshare(p);
    free(p);
    API_RETURN(cudaSuccess);
}
