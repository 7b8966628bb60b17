/**
 * @file device_memory.c
 * Allocation: device, pitched, page-locked, registered and managed memory, and questions about it.
 */
#include <string.h>

#include "runtime/state/capture.h"
#include "runtime/memory/at_rest.h"
#include "runtime/memory/copy.h"
#include "runtime/memory/graph_block.h"
#include "runtime/memory/pool.h"
#include "runtime/state/entry.h"
#include "runtime/state/failure.h"
#include "runtime/state/unwaited.h"

/** As cudaMalloc: at least 256, whole pages for what is larger than half of one, as an H100's (Taichi's runtime counts on
 * that); rows of pitched memory start at multiples of 512. */
#define ALIGNMENT 256
#define PAGE (2u << 20)
#define PITCH 512
#define ADDRESS(p) ((uint64_t)(uintptr_t)(p))

/** Page-locked or managed memory, with the flags that the host gave. */
struct host_block {
    uint64_t base, bytes;
    unsigned flags;
    enum alloc_kind kind;
};
static LIST(struct host_block) blocks;

static struct memory *memory(void)
{
    return machine_memory(runtime.machine);
}

cudaError_t device_alloc(void **out, size_t bytes)
{
    if (!out)
        return cudaErrorInvalidValue;
    *out = NULL;
    if (!bytes)
        return cudaSuccess;
    struct allocation *a = memory_alloc(memory(), bytes, bytes > PAGE / 2 ? PAGE : ALIGNMENT, ALLOC_DEVICE, NULL);
    if (!a) {
        runtime_say("%llu bytes of device memory were asked for and %llu are free: ask for less, or "
                    "play a larger device with --device",
                    (unsigned long long)bytes,
                    (unsigned long long)(memory_limit(memory()) - memory_used_of(memory(), device_now())));
        return cudaErrorMemoryAllocation;
    }
    a->made_by = runtime_thread()->call;
    *out = (void *)(uintptr_t)a->base;
    return cudaSuccess;
}

/* The live allocation of this kind that starts at `p`. */
static struct allocation *starts_at(const void *p, enum alloc_kind kind)
{
    struct allocation *a = memory_find(memory(), ADDRESS(p));
    return a && !a->freed && a->base == ADDRESS(p) && a->kind == kind ? a : NULL;
}

static struct host_block *block_at(const void *p)
{
    for (int i = 0; i < blocks.count; i++)
        if (ADDRESS(p) - blocks.data[i].base < blocks.data[i].bytes)
            return &blocks.data[i];
    return NULL;
}

static void add_block(uint64_t base, uint64_t bytes, unsigned flags, enum alloc_kind kind)
{
    *LIST_PUSH(&blocks) = (struct host_block){base, bytes, flags, kind};
    runtime.host_visible++;
}

static void drop_block(struct host_block *b)
{
    *b = blocks.data[--blocks.count];
    runtime.host_visible--;
}

static void release(struct allocation *a)
{
    a->freed_by = runtime.next_op++;
    memory_free(memory(), a->base);
}

void device_memory_reset(void)
{
    blocks.count = 0;
}

cudaError_t cudaMalloc(void **out, size_t bytes)
{
    API_ENTER_ALLOC(1);
    API_RETURN(device_alloc(out, bytes));
}

/* What cudaFree() frees there: device or managed memory that is no variable, or a host pool's; NULL: nothing. */
static struct allocation *freeable_at(const void *p)
{
    struct allocation *a = memory_find(memory(), ADDRESS(p));
    bool is = a && !a->freed && a->base == ADDRESS(p) && !a->name &&
              (a->kind == ALLOC_DEVICE || a->kind == ALLOC_MANAGED || is_of_host_pool(a));
    return is ? a : NULL;
}

/* Freeing waits for all work on the memory's device, for it may still use the memory; but not where the memory is a pool's. */
cudaError_t cudaFree(void *p)
{
    API_ENTER_UNCAPTURED();
    if (!p)
        API_RETURN(cudaSuccess);
    const struct allocation *pooled = freeable_at(p);
    if (pooled && pool_frees(pooled))
        API_RETURN(pool_free_by_host(pooled, "cudaFree"));
    const struct allocation *of = memory_find(memory(), ADDRESS(p));
    int before = device_work_for(of ? of->device : device_now());
    cudaError_t e = unwaited_free("cudaFree");
    device_work_for(before);
    if (e)
        API_RETURN(e);
    struct allocation *a = freeable_at(p);
    struct graph_block *b = graph_block_at(ADDRESS(p));
    if (!a || (b ? !b->live : a->mapped))
        API_RETURN(failure_to_free(p));
    if (alloc_kind_is_shared(a->kind))
        host_freed(a->base);
    if (!pool_give_back(p))
        API_RETURN(cudaSuccess);
    ipc_memory_freed(a->base);
    release(a);
    if (b) {
        b->live = false;
        graph_block_end(b);
    }
    API_RETURN(cudaSuccess);
}

static bool pitched_size(size_t width, size_t rows, size_t slices, size_t *pitch, size_t *total)
{
    if (width > SIZE_MAX - PITCH)
        return false;
    *pitch = (width + PITCH - 1) / PITCH * PITCH;
    size_t n;
    return !__builtin_mul_overflow(*pitch, rows, &n) && !__builtin_mul_overflow(n, slices, total);
}

cudaError_t cudaMallocPitch(void **out, size_t *pitch, size_t width, size_t height)
{
    API_ENTER_UNCAPTURED();
    size_t total;
    if (!out || !pitch)
        API_RETURN(cudaErrorInvalidValue);
    if (!pitched_size(width, height, 1, pitch, &total))
        API_RETURN(cudaErrorMemoryAllocation);
    API_RETURN(device_alloc(out, total));
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *out, struct cudaExtent e)
{
    API_ENTER_UNCAPTURED();
    size_t total;
    if (!out)
        API_RETURN(cudaErrorInvalidValue);
    if (!pitched_size(e.width, e.height, e.depth, &out->pitch, &total))
        API_RETURN(cudaErrorMemoryAllocation);
    out->xsize = e.width;
    out->ysize = e.height;
    API_RETURN(device_alloc(&out->ptr, total));
}

/* ---- memory that the host shares ---- */

static cudaError_t shared_alloc(void **out, size_t bytes, unsigned flags, enum alloc_kind kind)
{
    if (!out)
        return cudaErrorInvalidValue;
    *out = NULL;
    if (!bytes)
        return kind == ALLOC_MANAGED ? cudaErrorInvalidValue : cudaSuccess;
    struct allocation *a = memory_alloc(memory(), bytes, ALIGNMENT, kind, NULL);
    if (!a)
        return cudaErrorMemoryAllocation;
    a->made_by = runtime_thread()->call;
    *out = (void *)(uintptr_t)a->base;
    add_block(a->base, bytes, flags, kind);
    at_rest_begin(a);
    return cudaSuccess;
}

cudaError_t cudaHostAlloc(void **out, size_t bytes, unsigned flags)
{
    API_ENTER_ALLOC(2); /* cudaMallocHost<T>() comes by here, too */
    if (flags & ~(unsigned)(cudaHostAllocPortable | cudaHostAllocMapped |
                            cudaHostAllocWriteCombined))
        API_RETURN(cudaErrorInvalidValue);
    API_RETURN(shared_alloc(out, bytes, flags | cudaHostAllocMapped, ALLOC_HOST));
}

cudaError_t host_alloc(void **out, size_t bytes)
{
    return shared_alloc(out, bytes, cudaHostAllocMapped | cudaHostAllocPortable, ALLOC_HOST);
}

cudaError_t cudaMallocHost(void **out, size_t bytes)
{
    API_ENTER_ALLOC(1);
    API_RETURN(host_alloc(out, bytes));
}

void host_freed(uint64_t base)
{
    struct host_block *b = block_at((void *)(uintptr_t)base);
    if (b)
        drop_block(b);
}

cudaError_t cudaMallocManaged(void **out, size_t bytes, unsigned flags)
{
    API_ENTER_ALLOC(1);
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)
        API_RETURN(cudaErrorInvalidValue);
    if (out && !bytes) {
        *out = NULL;
        API_RETURN(cudaSuccess);
    }
    API_RETURN(shared_alloc(out, bytes, flags, ALLOC_MANAGED));
}

cudaError_t cudaFreeHost(void *p)
{
    API_ENTER_UNCAPTURED();
    if (!p)
        API_RETURN(cudaSuccess);
    cudaError_t e = unwaited_free("cudaFreeHost");
    if (e)
        API_RETURN(e);
    struct allocation *a = starts_at(p, ALLOC_HOST);
    struct host_block *b = block_at(p);
    if (!a || !b)
        API_RETURN(failure_to_free(p));
    drop_block(b);
    release(a);
    API_RETURN(cudaSuccess);
}

cudaError_t cudaHostRegister(void *p, size_t bytes, unsigned flags)
{
    API_ENTER_UNCAPTURED();
    const unsigned known = cudaHostRegisterPortable | cudaHostRegisterMapped |
                           cudaHostRegisterIoMemory | cudaHostRegisterReadOnly;
    if (!p || !bytes || (flags & ~known))
        API_RETURN(cudaErrorInvalidValue);
    if (block_at(p) && block_at(p)->kind != ALLOC_REGISTERED)
        API_RETURN(cudaErrorInvalidValue);
    if (block_at(p) || block_at((char *)p + bytes - 1))
        API_RETURN(cudaErrorHostMemoryAlreadyRegistered);
    if (!memory_map_host(memory(), p, bytes, ALLOC_REGISTERED))
        API_RETURN(cudaErrorInvalidValue);
    add_block(ADDRESS(p), bytes, flags | cudaHostRegisterMapped, ALLOC_REGISTERED);
    API_RETURN(cudaSuccess);
}

cudaError_t cudaHostUnregister(void *p)
{
    API_ENTER_UNCAPTURED();
    if (!p)
        API_RETURN(cudaErrorInvalidValue);
    struct host_block *b = block_at(p);
    if (b && b->kind != ALLOC_REGISTERED)
        API_RETURN(cudaErrorInvalidValue);
    if (!b || b->base != ADDRESS(p))
        API_RETURN(cudaErrorHostMemoryNotRegistered);
    cudaError_t e = device_wait("cudaHostUnregister");
    struct allocation *a = starts_at(p, ALLOC_REGISTERED);
    drop_block(b);
    if (a)
        release(a);
    API_RETURN(e);
}

cudaError_t cudaHostGetDevicePointer(void **out, void *host, unsigned flags)
{
    API_ENTER();
    struct host_block *b = block_at(host);
    if (!out || flags || !b || b->kind == ALLOC_MANAGED)
        API_RETURN(cudaErrorInvalidValue);
    *out = host; /* one address on both sides */
    API_RETURN(cudaSuccess);
}

cudaError_t cudaHostGetFlags(unsigned *flags, void *host)
{
    API_ENTER();
    struct host_block *b = block_at(host);
    if (!flags || !b || b->kind == ALLOC_MANAGED)
        API_RETURN(cudaErrorInvalidValue);
    *flags = b->flags;
    API_RETURN(cudaSuccess);
}

/* ---- questions ---- */

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total)
{
    API_ENTER();
    size_t all = memory_limit(memory());
    if (total)
        *total = all;
    if (free_bytes)
        *free_bytes = all - memory_used_of(memory(), device_now());
    API_RETURN(cudaSuccess);
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *out, const void *p)
{
    API_ENTER_FAULTY();
    if (!out)
        API_RETURN(cudaErrorInvalidValue);
    memset(out, 0, sizeof *out);
    out->type = cudaMemoryTypeUnregistered;
    out->device = -2; /* cudaInvalidDeviceId */
    switch (place_of(ADDRESS(p), 1)) {
    case PLACE_INVALID:
        break;
    case PLACE_PAGEABLE:
        out->hostPointer = (void *)(uintptr_t)p;
        break;
    case PLACE_PINNED:
        out->type = cudaMemoryTypeHost;
        out->devicePointer = out->hostPointer = (void *)(uintptr_t)p;
        break;
    case PLACE_MANAGED:
        out->type = cudaMemoryTypeManaged;
        out->devicePointer = out->hostPointer = (void *)(uintptr_t)p;
        break;
    case PLACE_DEVICE:
        out->type = cudaMemoryTypeDevice;
        out->devicePointer = (void *)(uintptr_t)p;
    }
    const struct allocation *a = out->devicePointer ? memory_find(memory(), ADDRESS(p)) : NULL;
    if (a)
        out->device = a->device;
    if (a && is_of_host_pool(a) && !(a->reach >> device_now() & 1))
        out->devicePointer = NULL;
    API_RETURN(cudaSuccess);
}
