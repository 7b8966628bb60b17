/**
 * @file driver_memory.c
 * Driver API: allocation, page-locked and managed memory, pools, and questions about addresses.
 */
#include "memory/memory.h"
#include "runtime/driver/driver.h"
#include "runtime/state/entry.h"

/* A size of device memory of 0 is an error here, not in the Runtime API. */
#define SIZED(bytes, call) DRIVER(!(bytes) ? CUDA_ERROR_INVALID_VALUE : driver_result(call))

CUresult cuMemAlloc(CUdeviceptr *out, size_t bytes)
{
    SIZED(out && bytes, cudaMalloc((void **)out, bytes));
}

CUresult cuMemAllocPitch(CUdeviceptr *out, size_t *pitch, size_t width, size_t height, unsigned element)
{
    SIZED(width && height && (element == 4 || element == 8 || element == 16),
          cudaMallocPitch((void **)out, pitch, width, height));
}

CUresult cuMemFree(CUdeviceptr p)
{
    RUNTIME(cudaFree(POINTER(p)));
}

CUresult cuMemAllocHost(void **out, size_t bytes)
{
    RUNTIME(cudaMallocHost(out, bytes));
}

CUresult cuMemHostAlloc(void **out, size_t bytes, unsigned flags)
{
    RUNTIME(cudaHostAlloc(out, bytes, flags));
}

CUresult cuMemFreeHost(void *p)
{
    RUNTIME(cudaFreeHost(p));
}

CUresult cuMemAllocManaged(CUdeviceptr *out, size_t bytes, unsigned flags)
{
    SIZED(bytes, cudaMallocManaged((void **)out, bytes, flags));
}

CUresult cuMemHostRegister(void *p, size_t bytes, unsigned flags)
{
    RUNTIME(cudaHostRegister(p, bytes, flags));
}

CUresult cuMemHostUnregister(void *p)
{
    RUNTIME(cudaHostUnregister(p));
}

CUresult cuMemHostGetDevicePointer(CUdeviceptr *out, void *p, unsigned flags)
{
    RUNTIME(cudaHostGetDevicePointer((void **)out, p, flags));
}

CUresult cuMemHostGetFlags(unsigned *flags, void *p)
{
    RUNTIME(cudaHostGetFlags(flags, p));
}

CUresult cuMemGetInfo(size_t *free_bytes, size_t *total)
{
    DRIVER(free_bytes && total ? driver_result(cudaMemGetInfo(free_bytes, total)) : CUDA_ERROR_INVALID_VALUE);
}

/* ---- managed memory: the two APIs' locations have the same layout ---- */

CUresult cuMemAdvise(CUdeviceptr p, size_t bytes, CUmem_advise advice, CUmemLocation where)
{
    RUNTIME(cudaMemAdvise(POINTER(p), bytes, (enum cudaMemoryAdvise)advice,
                          (struct cudaMemLocation){(enum cudaMemLocationType)where.type, where.id}));
}

CUresult cuMemRangeGetAttribute(void *value, size_t bytes, CUmem_range_attribute attribute, CUdeviceptr p, size_t range)
{
    RUNTIME(cudaMemRangeGetAttribute(value, bytes, (enum cudaMemRangeAttribute)attribute, POINTER(p), range));
}

CUresult cuMemRangeGetAttributes(void **values, size_t *bytes, CUmem_range_attribute *attributes, size_t count,
                                 CUdeviceptr p, size_t range)
{
    RUNTIME(cudaMemRangeGetAttributes(values, bytes, (enum cudaMemRangeAttribute *)attributes, count, POINTER(p), range));
}

CUresult cuMemPrefetchAsync(CUdeviceptr p, size_t bytes, CUmemLocation where, unsigned flags, CUstream stream)
{
    RUNTIME(cudaMemPrefetchAsync(POINTER(p), bytes,
                                 (struct cudaMemLocation){(enum cudaMemLocationType)where.type, where.id}, flags,
                                 stream));
}

CUresult cuMemPrefetchBatchAsync(CUdeviceptr *list, size_t *sizes, size_t count, CUmemLocation *where, size_t *first,
                                 size_t where_count, unsigned long long flags, CUstream stream)
{
    RUNTIME(cudaMemPrefetchBatchAsync((void **)list, sizes, count, (struct cudaMemLocation *)where, first, where_count,
                                      flags, stream));
}

CUresult cuMemDiscardBatchAsync(CUdeviceptr *list, size_t *sizes, size_t count, unsigned long long flags,
                                CUstream stream)
{
    RUNTIME(cudaMemDiscardBatchAsync((void **)list, sizes, count, flags, stream));
}

CUresult cuMemDiscardAndPrefetchBatchAsync(CUdeviceptr *list, size_t *sizes, size_t count, CUmemLocation *where,
                                           size_t *first, size_t where_count, unsigned long long flags,
                                           CUstream stream)
{
    RUNTIME(cudaMemDiscardAndPrefetchBatchAsync((void **)list, sizes, count, (struct cudaMemLocation *)where, first,
                                                where_count, flags, stream));
}

/* ---- in stream order ---- */

CUresult cuMemAllocAsync(CUdeviceptr *out, size_t bytes, CUstream stream)
{
    RUNTIME(cudaMallocAsync((void **)out, bytes, stream));
}

CUresult cuMemAllocFromPoolAsync(CUdeviceptr *out, size_t bytes, CUmemoryPool pool, CUstream stream)
{
    RUNTIME(cudaMallocFromPoolAsync((void **)out, bytes, pool, stream));
}

CUresult cuMemFreeAsync(CUdeviceptr p, CUstream stream)
{
    RUNTIME(cudaFreeAsync(POINTER(p), stream));
}

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device)
{
    DRIVER_NEEDING(NEEDS_INIT, driver_result(cudaDeviceGetDefaultMemPool(pool, device)));
}

CUresult cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice device)
{
    DRIVER_NEEDING(NEEDS_INIT, driver_result(cudaDeviceGetMemPool(pool, device)));
}

CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool)
{
    DRIVER_NEEDING(NEEDS_INIT, driver_result(cudaDeviceSetMemPool(device, pool)));
}

CUresult cuMemGetDefaultMemPool(CUmemoryPool *pool, CUmemLocation *where, CUmemAllocationType type)
{
    DRIVER_NEEDING(NEEDS_INIT, driver_result(cudaMemGetDefaultMemPool(pool, (struct cudaMemLocation *)where,
                                                                      (enum cudaMemAllocationType)type)));
}

CUresult cuMemGetMemPool(CUmemoryPool *pool, CUmemLocation *where, CUmemAllocationType type)
{
    DRIVER_NEEDING(NEEDS_INIT, driver_result(cudaMemGetMemPool(pool, (struct cudaMemLocation *)where,
                                                               (enum cudaMemAllocationType)type)));
}

CUresult cuMemSetMemPool(CUmemLocation *where, CUmemAllocationType type, CUmemoryPool pool)
{
    DRIVER_NEEDING(NEEDS_INIT, driver_result(cudaMemSetMemPool((struct cudaMemLocation *)where,
                                                               (enum cudaMemAllocationType)type, pool)));
}

CUresult cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *p)
{
    const struct cudaMemPoolProps props = {
        .allocType = p ? (enum cudaMemAllocationType)p->allocType : cudaMemAllocationTypeInvalid,
        .handleTypes = p ? (enum cudaMemAllocationHandleType)p->handleTypes : 0,
        .location = p ? (struct cudaMemLocation){(enum cudaMemLocationType)p->location.type, p->location.id}
                      : (struct cudaMemLocation){0},
        .maxSize = p ? p->maxSize : 0, .usage = p ? p->usage : 0,
    };
    DRIVER_NEEDING(NEEDS_INIT, driver_result(cudaMemPoolCreate(pool, p ? &props : NULL)));
}

CUresult cuMemPoolDestroy(CUmemoryPool pool)
{
    DRIVER_NEEDING(NEEDS_INIT, driver_result(cudaMemPoolDestroy(pool)));
}

CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t keep)
{
    DRIVER_NEEDING(NEEDS_INIT, driver_result(cudaMemPoolTrimTo(pool, keep)));
}

CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void *value)
{
    DRIVER_NEEDING(NEEDS_INIT, driver_result(cudaMemPoolGetAttribute(pool, (enum cudaMemPoolAttr)attr, value)));
}

CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void *value)
{
    DRIVER_NEEDING(NEEDS_INIT, driver_result(cudaMemPoolSetAttribute(pool, (enum cudaMemPoolAttr)attr, value)));
}

CUresult cuMemPoolGetAccess(CUmemAccess_flags *flags, CUmemoryPool pool, CUmemLocation *where)
{
    DRIVER_NEEDING(NEEDS_INIT, driver_result(cudaMemPoolGetAccess((enum cudaMemAccessFlags *)flags, pool, (struct cudaMemLocation *)where)));
}

CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc *list, size_t count)
{
    DRIVER_NEEDING(NEEDS_INIT, !list || !count ? CUDA_ERROR_INVALID_VALUE /* not so in the Runtime API */
                                               : driver_result(cudaMemPoolSetAccess(pool, (const struct cudaMemAccessDesc *)list, count)));
}

/* ---- questions ---- */

static cudaError_t range_at(CUdeviceptr *base, size_t *bytes, CUdeviceptr p)
{
    const struct allocation *a = memory_find(machine_memory(runtime.machine), p);
    if (!a || a->freed)
        return cudaErrorSymbolNotFound;
    if (base)
        *base = a->base;
    if (bytes)
        *bytes = a->bytes;
    return cudaSuccess;
}

static CUresult range_of(CUdeviceptr *base, size_t *bytes, CUdeviceptr p)
{
    return driver_lock() ?: driver_result(runtime_leave(range_at(base, bytes, p)));
}

CUresult cuMemGetAddressRange(CUdeviceptr *base, size_t *bytes, CUdeviceptr p)
{
    DRIVER(range_of(base, bytes, p));
}

static CUresult pointer_attribute(void *data, CUpointer_attribute attr, CUdeviceptr p)
{
    struct cudaPointerAttributes a;
    size_t range;
    cudaError_t e = data ? cudaPointerGetAttributes(&a, POINTER(p)) : cudaErrorInvalidValue;
    if (e || (a.type == cudaMemoryTypeUnregistered && attr != CU_POINTER_ATTRIBUTE_MAPPED))
        return CUDA_ERROR_INVALID_VALUE;
    switch (attr) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
        *(CUcontext *)data = driver_current();
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        *(unsigned *)data = a.type == cudaMemoryTypeHost ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
        *(void **)data = a.devicePointer;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        *(void **)data = a.hostPointer;
        return a.hostPointer ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
        return range_of((CUdeviceptr *)data, &range, p); /* no other has that address */
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
        *(unsigned *)data = a.type == cudaMemoryTypeManaged;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
        *(int *)data = a.device;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
        return range_of(data, NULL, p);
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
        return range_of(NULL, data, p);
    case CU_POINTER_ATTRIBUTE_MAPPED:
        *(unsigned char *)data = a.type != cudaMemoryTypeUnregistered;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
    case CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE:
        *(unsigned char *)data = 0;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
        *(unsigned *)data = CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
    case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR:
    case CU_POINTER_ATTRIBUTE_MAPPING_SIZE:
        *(uint64_t *)data = 0;
        return CUDA_SUCCESS;
    default:
        return driver_result(runtime_unsupported("a pointer attribute of this kind"));
    }
}

CUresult cuPointerGetAttribute(void *data, CUpointer_attribute attr, CUdeviceptr p)
{
    DRIVER(pointer_attribute(data, attr, p));
}

/* What an address does not have is 0 here, and no error. */
static CUresult pointer_attributes(unsigned count, const CUpointer_attribute *attrs, void **data, CUdeviceptr p)
{
    if (!count || !attrs || !data)
        return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < count; i++) {
        CUresult r = pointer_attribute(data[i], attrs[i], p);
        if (r == CUDA_ERROR_INVALID_VALUE && data[i])
            switch (attrs[i]) {
            case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
            case CU_POINTER_ATTRIBUTE_IS_MANAGED:
                *(unsigned *)data[i] = 0;
                break;
            case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
                *(int *)data[i] = -2; /* cudaInvalidDeviceId */
                break;
            case CU_POINTER_ATTRIBUTE_CONTEXT:
            case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
            case CU_POINTER_ATTRIBUTE_HOST_POINTER:
            case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
            case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
            case CU_POINTER_ATTRIBUTE_BUFFER_ID:
                *(uint64_t *)data[i] = 0;
                break;
            default:
                return r;
            }
        else if (r)
            return r;
    }
    return CUDA_SUCCESS;
}

CUresult cuPointerGetAttributes(unsigned count, CUpointer_attribute *attrs, void **data, CUdeviceptr p)
{
    DRIVER(pointer_attributes(count, attrs, data, p));
}

/* Whether copies of it wait for themselves: they do so here already where it matters. */
CUresult cuPointerSetAttribute(const void *value, CUpointer_attribute attr, CUdeviceptr p)
{
    const struct allocation *a = runtime.machine ? memory_find(machine_memory(runtime.machine), p) : NULL;
    DRIVER(value && attr == CU_POINTER_ATTRIBUTE_SYNC_MEMOPS && a && !a->freed ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}
