/**
 * @file driver_memory.c
 * Driver API: allocation, copies, fills.
 */
#include "runtime/state/capture.h"
#include "runtime/memory/copy.h"
#include "runtime/driver/driver.h"

#define POINTER(p) ((void *)(uintptr_t)(p))

CUresult cuMemAlloc(CUdeviceptr *out, size_t bytes)
{
    if (!out || !bytes)
        return CUDA_ERROR_INVALID_VALUE;
    return driver_result(cudaMalloc((void **)out, bytes));
}

CUresult cuMemAllocPitch(CUdeviceptr *out, size_t *pitch, size_t width, size_t height, unsigned n)
{
    (void)n;
    return driver_result(cudaMallocPitch((void **)out, pitch, width, height));
}

CUresult cuMemFree(CUdeviceptr p)
{
    return driver_result(cudaFree(POINTER(p)));
}

CUresult cuMemAllocAsync(CUdeviceptr *out, size_t bytes, CUstream stream)
{
    return driver_result(cudaMallocAsync((void **)out, bytes, stream));
}

CUresult cuMemFreeAsync(CUdeviceptr p, CUstream stream)
{
    return driver_result(cudaFreeAsync(POINTER(p), stream));
}

CUresult cuMemAllocHost(void **out, size_t bytes)
{
    return driver_result(cudaMallocHost(out, bytes));
}

CUresult cuMemHostAlloc(void **out, size_t bytes, unsigned flags)
{
    return driver_result(cudaHostAlloc(out, bytes, flags));
}

CUresult cuMemFreeHost(void *p)
{
    return driver_result(cudaFreeHost(p));
}

CUresult cuMemAllocManaged(CUdeviceptr *out, size_t bytes, unsigned flags)
{
    return driver_result(cudaMallocManaged((void **)out, bytes, flags));
}

CUresult cuMemHostRegister(void *p, size_t bytes, unsigned flags)
{
    return driver_result(cudaHostRegister(p, bytes, flags));
}

CUresult cuMemHostUnregister(void *p)
{
    return driver_result(cudaHostUnregister(p));
}

CUresult cuMemHostGetDevicePointer(CUdeviceptr *out, void *p, unsigned flags)
{
    return driver_result(cudaHostGetDevicePointer((void **)out, p, flags));
}

CUresult cuMemGetInfo(size_t *free_bytes, size_t *total)
{
    return driver_result(cudaMemGetInfo(free_bytes, total));
}

CUresult cuMemGetAddressRange(CUdeviceptr *base, size_t *bytes, CUdeviceptr p)
{
    cudaError_t e = runtime_enter();
    if (e)
        return driver_result(runtime_leave(e));
    struct allocation *a = memory_find(machine_memory(runtime.machine), p);
    if (!a || a->freed)
        return driver_result(runtime_leave(cudaErrorInvalidValue));
    if (base)
        *base = a->base;
    if (bytes)
        *bytes = a->bytes;
    return driver_result(runtime_leave(cudaSuccess));
}

CUresult cuPointerGetAttribute(void *data, CUpointer_attribute attr, CUdeviceptr p)
{
    struct cudaPointerAttributes a;
    cudaError_t e = cudaPointerGetAttributes(&a, POINTER(p));
    if (e || !data || a.type == cudaMemoryTypeUnregistered)
        return CUDA_ERROR_INVALID_VALUE;
    switch (attr) {
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        *(unsigned *)data = a.type == cudaMemoryTypeHost ? CU_MEMORYTYPE_HOST
                                                         : CU_MEMORYTYPE_DEVICE;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
        *(void **)data = a.devicePointer;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        *(void **)data = a.hostPointer;
        return a.hostPointer ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
        *(unsigned *)data = a.type == cudaMemoryTypeManaged;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
        *(int *)data = 0;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
        return cuMemGetAddressRange(data, NULL, p);
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
        return cuMemGetAddressRange(NULL, data, p);
    default:
        return driver_result(runtime_unsupported("a pointer attribute of this kind"));
    }
}

/* ---- copies ---- */

CUresult cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t bytes)
{
    return driver_result(cudaMemcpy(POINTER(dst), POINTER(src), bytes, cudaMemcpyDefault));
}

CUresult cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream s)
{
    return driver_result(cudaMemcpyAsync(POINTER(dst), POINTER(src), bytes, cudaMemcpyDefault, s));
}

CUresult cuMemcpyHtoD(CUdeviceptr dst, const void *src, size_t bytes)
{
    return driver_result(cudaMemcpy(POINTER(dst), src, bytes, cudaMemcpyHostToDevice));
}

CUresult cuMemcpyDtoH(void *dst, CUdeviceptr src, size_t bytes)
{
    return driver_result(cudaMemcpy(dst, POINTER(src), bytes, cudaMemcpyDeviceToHost));
}

CUresult cuMemcpyDtoD(CUdeviceptr dst, CUdeviceptr src, size_t bytes)
{
    return driver_result(cudaMemcpy(POINTER(dst), POINTER(src), bytes, cudaMemcpyDeviceToDevice));
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr dst, const void *src, size_t bytes, CUstream s)
{
    return driver_result(cudaMemcpyAsync(POINTER(dst), src, bytes, cudaMemcpyHostToDevice, s));
}

CUresult cuMemcpyDtoHAsync(void *dst, CUdeviceptr src, size_t bytes, CUstream s)
{
    return driver_result(cudaMemcpyAsync(dst, POINTER(src), bytes, cudaMemcpyDeviceToHost, s));
}

CUresult cuMemcpyDtoDAsync(CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream s)
{
    return driver_result(cudaMemcpyAsync(POINTER(dst), POINTER(src), bytes,
                                         cudaMemcpyDeviceToDevice, s));
}

/* ---- fills: of 1, 2 or 4 bytes each; the count is in elements ---- */

static CUresult fill(const char *name, CUdeviceptr dst, uint32_t value, unsigned element, size_t n,
                     CUstream stream, bool async)
{
    cudaError_t e = runtime_enter();
    struct stream *s = NULL;
    if (!e)
        e = stream_for_work(stream, async, &s);
    if (!e && (dst % element || n > SIZE_MAX / element))
        e = cudaErrorInvalidValue;
    if (!e)
        e = set_box(name, (struct box_set){.dst = dst, .width = n * element, .height = 1,
                                           .depth = 1, .value = value, .element = element},
                    s, async);
    return driver_result(runtime_leave(e));
}

CUresult cuMemsetD8(CUdeviceptr dst, unsigned char value, size_t n)
{
    return fill("cuMemsetD8", dst, value, 1, n, NULL, false);
}

CUresult cuMemsetD16(CUdeviceptr dst, unsigned short value, size_t n)
{
    return fill("cuMemsetD16", dst, value, 2, n, NULL, false);
}

CUresult cuMemsetD32(CUdeviceptr dst, unsigned value, size_t n)
{
    return fill("cuMemsetD32", dst, value, 4, n, NULL, false);
}

CUresult cuMemsetD8Async(CUdeviceptr dst, unsigned char value, size_t n, CUstream s)
{
    return fill("cuMemsetD8Async", dst, value, 1, n, s, true);
}

CUresult cuMemsetD16Async(CUdeviceptr dst, unsigned short value, size_t n, CUstream s)
{
    return fill("cuMemsetD16Async", dst, value, 2, n, s, true);
}

CUresult cuMemsetD32Async(CUdeviceptr dst, unsigned value, size_t n, CUstream s)
{
    return fill("cuMemsetD32Async", dst, value, 4, n, s, true);
}
