/**
 * @file driver_array.c
 * Driver API: arrays, and linear copies from and to them.
 */
#include "runtime/driver/driver_copy.h"

bool driver_format(CUarray_format format, unsigned channels, struct cudaChannelFormatDesc *out)
{
    static const struct {
        CUarray_format format;
        int bits;
        enum cudaChannelFormatKind kind;
    } formats[] = {
        {CU_AD_FORMAT_UNSIGNED_INT8, 8, cudaChannelFormatKindUnsigned},
        {CU_AD_FORMAT_UNSIGNED_INT16, 16, cudaChannelFormatKindUnsigned},
        {CU_AD_FORMAT_UNSIGNED_INT32, 32, cudaChannelFormatKindUnsigned},
        {CU_AD_FORMAT_SIGNED_INT8, 8, cudaChannelFormatKindSigned},
        {CU_AD_FORMAT_SIGNED_INT16, 16, cudaChannelFormatKindSigned},
        {CU_AD_FORMAT_SIGNED_INT32, 32, cudaChannelFormatKindSigned},
        {CU_AD_FORMAT_HALF, 16, cudaChannelFormatKindFloat},
        {CU_AD_FORMAT_FLOAT, 32, cudaChannelFormatKindFloat},
    };
    if (channels != 1 && channels != 2 && channels != 4)
        return false;
    for (unsigned i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (formats[i].format == format) {
            int bits = formats[i].bits;
            *out = (struct cudaChannelFormatDesc){bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0,
                                                  channels > 2 ? bits : 0, formats[i].kind};
            return true;
        }
    return false;
}

CUarray_format driver_format_name(const struct cudaChannelFormatDesc *d)
{
    bool wide = d->x == 32, half = d->x == 16;
    if (d->f == cudaChannelFormatKindFloat)
        return wide ? CU_AD_FORMAT_FLOAT : CU_AD_FORMAT_HALF;
    if (d->f == cudaChannelFormatKindSigned)
        return wide ? CU_AD_FORMAT_SIGNED_INT32 : half ? CU_AD_FORMAT_SIGNED_INT16 : CU_AD_FORMAT_SIGNED_INT8;
    return wide ? CU_AD_FORMAT_UNSIGNED_INT32 : half ? CU_AD_FORMAT_UNSIGNED_INT16 : CU_AD_FORMAT_UNSIGNED_INT8;
}

unsigned driver_format_channels(const struct cudaChannelFormatDesc *d)
{
    return d->w ? 4 : d->y ? 2 : 1;
}

static CUresult create(CUarray *out, const CUDA_ARRAY3D_DESCRIPTOR *d)
{
    struct cudaChannelFormatDesc format;
    if (!out || !d || !driver_format(d->Format, d->NumChannels, &format))
        return CUDA_ERROR_INVALID_VALUE;
    return driver_result(cudaMalloc3DArray((cudaArray_t *)out, &format, (struct cudaExtent){d->Width, d->Height, d->Depth}, d->Flags));
}

CUresult cuArray3DCreate(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *d)
{
    DRIVER(create(array, d));
}

CUresult cuArrayCreate(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *d)
{
    CUDA_ARRAY3D_DESCRIPTOR whole = {0};
    if (d)
        whole = (CUDA_ARRAY3D_DESCRIPTOR){.Width = d->Width, .Height = d->Height, .Format = d->Format,
                                          .NumChannels = d->NumChannels};
    DRIVER(create(array, d ? &whole : NULL));
}

CUresult cuArrayDestroy(CUarray array)
{
    DRIVER(array ? driver_result(cudaFreeArray((cudaArray_t)array)) : CUDA_ERROR_INVALID_HANDLE);
}

static CUresult describe(CUDA_ARRAY3D_DESCRIPTOR *out, CUarray array)
{
    struct cudaChannelFormatDesc d;
    struct cudaExtent e;
    unsigned flags;
    cudaError_t error = cudaArrayGetInfo(&d, &e, &flags, (cudaArray_t)array);
    if (!error)
        *out = (CUDA_ARRAY3D_DESCRIPTOR){e.width, e.height, e.depth, driver_format_name(&d), driver_format_channels(&d), flags};
    return driver_result(error);
}

CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR *d, CUarray array)
{
    DRIVER(d ? describe(d, array) : CUDA_ERROR_INVALID_VALUE);
}

static CUresult describe_plane(CUDA_ARRAY_DESCRIPTOR *out, CUarray array)
{
    CUDA_ARRAY3D_DESCRIPTOR d;
    CUresult r = out ? describe(&d, array) : CUDA_ERROR_INVALID_VALUE;
    if (!r)
        *out = (CUDA_ARRAY_DESCRIPTOR){d.Width, d.Height, d.Format, d.NumChannels};
    return r;
}

CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR *d, CUarray array)
{
    DRIVER(describe_plane(d, array));
}

/* ---- one row's copies: offsets are in bytes ---- */

static CUresult row(CUDA_MEMCPY2D p, size_t bytes, CUstream s, bool async)
{
    p.WidthInBytes = bytes;
    p.Height = 1;
    return async ? cuMemcpy2DAsync(&p, s) : cuMemcpy2D(&p);
}

#define FROM_ARRAY(a, at) .srcMemoryType = CU_MEMORYTYPE_ARRAY, .srcArray = (a), .srcXInBytes = (at)
#define TO_ARRAY(a, at) .dstMemoryType = CU_MEMORYTYPE_ARRAY, .dstArray = (a), .dstXInBytes = (at)

CUresult cuMemcpyHtoA(CUarray dst, size_t at, const void *src, size_t bytes)
{
    DRIVER(row((CUDA_MEMCPY2D){TO_ARRAY(dst, at), .srcMemoryType = CU_MEMORYTYPE_HOST, .srcHost = src}, bytes, NULL,
               false));
}

CUresult cuMemcpyHtoAAsync(CUarray dst, size_t at, const void *src, size_t bytes, CUstream s)
{
    DRIVER(row((CUDA_MEMCPY2D){TO_ARRAY(dst, at), .srcMemoryType = CU_MEMORYTYPE_HOST, .srcHost = src}, bytes, s,
               true));
}

CUresult cuMemcpyAtoH(void *dst, CUarray src, size_t at, size_t bytes)
{
    DRIVER(row((CUDA_MEMCPY2D){FROM_ARRAY(src, at), .dstMemoryType = CU_MEMORYTYPE_HOST, .dstHost = dst}, bytes, NULL,
               false));
}

CUresult cuMemcpyAtoHAsync(void *dst, CUarray src, size_t at, size_t bytes, CUstream s)
{
    DRIVER(row((CUDA_MEMCPY2D){FROM_ARRAY(src, at), .dstMemoryType = CU_MEMORYTYPE_HOST, .dstHost = dst}, bytes, s,
               true));
}

CUresult cuMemcpyDtoA(CUarray dst, size_t at, CUdeviceptr src, size_t bytes)
{
    DRIVER(row((CUDA_MEMCPY2D){TO_ARRAY(dst, at), .srcMemoryType = CU_MEMORYTYPE_DEVICE, .srcDevice = src}, bytes,
               NULL, false));
}

CUresult cuMemcpyAtoD(CUdeviceptr dst, CUarray src, size_t at, size_t bytes)
{
    DRIVER(row((CUDA_MEMCPY2D){FROM_ARRAY(src, at), .dstMemoryType = CU_MEMORYTYPE_DEVICE, .dstDevice = dst}, bytes,
               NULL, false));
}

CUresult cuMemcpyAtoA(CUarray dst, size_t to, CUarray src, size_t from, size_t bytes)
{
    DRIVER(row((CUDA_MEMCPY2D){TO_ARRAY(dst, to), FROM_ARRAY(src, from)}, bytes, NULL, false));
}

/* ---- what only sparse arrays, those mapped later, and pictures of several planes have: here there are none ---- */

CUresult cuArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS *out, CUarray array, CUdevice device)
{
    RUNTIME(cudaArrayGetMemoryRequirements((struct cudaArrayMemoryRequirements *)out, (cudaArray_t)array, device));
}

CUresult cuMipmappedArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS *out, CUmipmappedArray array, CUdevice device)
{
    RUNTIME(cudaMipmappedArrayGetMemoryRequirements((struct cudaArrayMemoryRequirements *)out, (cudaMipmappedArray_t)array, device));
}

CUresult cuArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES *out, CUarray array)
{
    RUNTIME(cudaArrayGetSparseProperties((struct cudaArraySparseProperties *)out, (cudaArray_t)array));
}

CUresult cuMipmappedArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES *out, CUmipmappedArray array)
{
    RUNTIME(cudaMipmappedArrayGetSparseProperties((struct cudaArraySparseProperties *)out, (cudaMipmappedArray_t)array));
}

CUresult cuArrayGetPlane(CUarray *out, CUarray array, unsigned plane)
{
    RUNTIME(cudaArrayGetPlane((cudaArray_t *)out, (cudaArray_t)array, plane));
}
