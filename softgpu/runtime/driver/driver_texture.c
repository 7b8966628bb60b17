/**
 * @file driver_texture.c
 * Driver API: texture and surface objects, mipmapped arrays. Descriptions become the Runtime API's.
 */
#include <string.h>

#include "runtime/driver/driver_copy.h"

/* ---- what it reads ---- */

static CUresult resource_of(const CUDA_RESOURCE_DESC *p, struct cudaResourceDesc *out)
{
    memset(out, 0, sizeof *out);
    if (!p || p->flags)
        return CUDA_ERROR_INVALID_VALUE;
    switch (p->resType) {
    case CU_RESOURCE_TYPE_ARRAY:
        out->resType = cudaResourceTypeArray;
        out->res.array.array = (cudaArray_t)p->res.array.hArray;
        return CUDA_SUCCESS;
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
        out->resType = cudaResourceTypeMipmappedArray;
        out->res.mipmap.mipmap = (cudaMipmappedArray_t)p->res.mipmap.hMipmappedArray;
        return CUDA_SUCCESS;
    case CU_RESOURCE_TYPE_LINEAR:
        out->resType = cudaResourceTypeLinear;
        out->res.linear.devPtr = POINTER(p->res.linear.devPtr);
        out->res.linear.sizeInBytes = p->res.linear.sizeInBytes;
        return driver_format(p->res.linear.format, p->res.linear.numChannels, &out->res.linear.desc)
                   ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    case CU_RESOURCE_TYPE_PITCH2D:
        out->resType = cudaResourceTypePitch2D;
        out->res.pitch2D.devPtr = POINTER(p->res.pitch2D.devPtr);
        out->res.pitch2D.width = p->res.pitch2D.width;
        out->res.pitch2D.height = p->res.pitch2D.height;
        out->res.pitch2D.pitchInBytes = p->res.pitch2D.pitchInBytes;
        return driver_format(p->res.pitch2D.format, p->res.pitch2D.numChannels, &out->res.pitch2D.desc)
                   ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

static cudaError_t element_of(const struct cudaResourceDesc *r, struct cudaChannelFormatDesc *out)
{
    cudaArray_t level = r->res.array.array;
    cudaError_t e = cudaSuccess;
    if (r->resType == cudaResourceTypeLinear || r->resType == cudaResourceTypePitch2D) {
        *out = r->resType == cudaResourceTypeLinear ? r->res.linear.desc : r->res.pitch2D.desc;
        return e;
    }
    if (r->resType == cudaResourceTypeMipmappedArray)
        e = cudaGetMipmappedArrayLevel(&level, r->res.mipmap.mipmap, 0);
    return e ? e : cudaArrayGetInfo(out, NULL, NULL, level);
}

/* ---- how it reads ---- */

/* Integers of 8 and 16 bits are read as fractions unless the program says otherwise (cuda.h,
 * CU_TRSF_READ_AS_INTEGER). */
static CUresult texture_of(const CUDA_TEXTURE_DESC *p, const struct cudaResourceDesc *r, struct cudaTextureDesc *out)
{
    struct cudaChannelFormatDesc element;
    cudaError_t e = p ? element_of(r, &element) : cudaErrorInvalidValue;
    if (e)
        return driver_result(e);
    bool fraction = element.f != cudaChannelFormatKindFloat && element.x < 32 && !(p->flags & CU_TRSF_READ_AS_INTEGER);
    *out = (struct cudaTextureDesc){
        .filterMode = (enum cudaTextureFilterMode)p->filterMode,
        .readMode = fraction ? cudaReadModeNormalizedFloat : cudaReadModeElementType,
        .sRGB = (p->flags & CU_TRSF_SRGB) != 0,
        .normalizedCoords = (p->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0,
        .maxAnisotropy = p->maxAnisotropy,
        .mipmapFilterMode = (enum cudaTextureFilterMode)p->mipmapFilterMode,
        .mipmapLevelBias = p->mipmapLevelBias,
        .minMipmapLevelClamp = p->minMipmapLevelClamp,
        .maxMipmapLevelClamp = p->maxMipmapLevelClamp,
        .disableTrilinearOptimization = (p->flags & CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION) != 0,
        .seamlessCubemap = (p->flags & CU_TRSF_SEAMLESS_CUBEMAP) != 0,
    };
    for (int i = 0; i < 3; i++)
        out->addressMode[i] = (enum cudaTextureAddressMode)p->addressMode[i];
    memcpy(out->borderColor, p->borderColor, sizeof out->borderColor);
    return CUDA_SUCCESS;
}

/* ---- objects ---- */

static CUresult create_texture(CUtexObject *out, const CUDA_RESOURCE_DESC *resource, const CUDA_TEXTURE_DESC *texture,
                               const CUDA_RESOURCE_VIEW_DESC *view)
{
    struct cudaResourceDesc r;
    struct cudaTextureDesc t;
    CUresult result = out ? resource_of(resource, &r) : CUDA_ERROR_INVALID_VALUE;
    if (!result)
        result = texture_of(texture, &r, &t);
    /* Views are laid out alike, but for what is reserved at their end. */
    return result ? result
                  : driver_result(cudaCreateTextureObject(out, &r, &t, (const struct cudaResourceViewDesc *)view));
}

CUresult cuTexObjectCreate(CUtexObject *out, const CUDA_RESOURCE_DESC *resource, const CUDA_TEXTURE_DESC *texture,
                           const CUDA_RESOURCE_VIEW_DESC *view)
{
    DRIVER(create_texture(out, resource, texture, view));
}

CUresult cuTexObjectDestroy(CUtexObject texture)
{
    RUNTIME(cudaDestroyTextureObject(texture));
}

static CUresult create_surface(CUsurfObject *out, const CUDA_RESOURCE_DESC *resource)
{
    struct cudaResourceDesc r;
    CUresult result = out ? resource_of(resource, &r) : CUDA_ERROR_INVALID_VALUE;
    return result ? result : driver_result(cudaCreateSurfaceObject(out, &r));
}

CUresult cuSurfObjectCreate(CUsurfObject *out, const CUDA_RESOURCE_DESC *resource)
{
    DRIVER(create_surface(out, resource));
}

CUresult cuSurfObjectDestroy(CUsurfObject surface)
{
    RUNTIME(cudaDestroySurfaceObject(surface));
}

/* ---- what objects were made of ---- */

static CUresult resource_back(CUDA_RESOURCE_DESC *out, cudaError_t e, const struct cudaResourceDesc *r)
{
    if (e)
        return driver_result(e);
    memset(out, 0, sizeof *out);
    switch (r->resType) {
    case cudaResourceTypeArray:
        out->resType = CU_RESOURCE_TYPE_ARRAY;
        out->res.array.hArray = (CUarray)r->res.array.array;
        break;
    case cudaResourceTypeMipmappedArray:
        out->resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
        out->res.mipmap.hMipmappedArray = (CUmipmappedArray)r->res.mipmap.mipmap;
        break;
    case cudaResourceTypeLinear:
        out->resType = CU_RESOURCE_TYPE_LINEAR;
        out->res.linear.devPtr = (CUdeviceptr)(uintptr_t)r->res.linear.devPtr;
        out->res.linear.format = driver_format_name(&r->res.linear.desc);
        out->res.linear.numChannels = driver_format_channels(&r->res.linear.desc);
        out->res.linear.sizeInBytes = r->res.linear.sizeInBytes;
        break;
    case cudaResourceTypePitch2D:
        out->resType = CU_RESOURCE_TYPE_PITCH2D;
        out->res.pitch2D.devPtr = (CUdeviceptr)(uintptr_t)r->res.pitch2D.devPtr;
        out->res.pitch2D.format = driver_format_name(&r->res.pitch2D.desc);
        out->res.pitch2D.numChannels = driver_format_channels(&r->res.pitch2D.desc);
        out->res.pitch2D.width = r->res.pitch2D.width;
        out->res.pitch2D.height = r->res.pitch2D.height;
        out->res.pitch2D.pitchInBytes = r->res.pitch2D.pitchInBytes;
    }
    return CUDA_SUCCESS;
}

static CUresult texture_resource(CUDA_RESOURCE_DESC *out, CUtexObject texture)
{
    struct cudaResourceDesc r;
    return resource_back(out, out ? cudaGetTextureObjectResourceDesc(&r, texture) : cudaErrorInvalidValue, &r);
}

CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *out, CUtexObject texture)
{
    DRIVER(texture_resource(out, texture));
}

static CUresult surface_resource(CUDA_RESOURCE_DESC *out, CUsurfObject surface)
{
    struct cudaResourceDesc r;
    return resource_back(out, out ? cudaGetSurfaceObjectResourceDesc(&r, surface) : cudaErrorInvalidValue, &r);
}

CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *out, CUsurfObject surface)
{
    DRIVER(surface_resource(out, surface));
}

/* The reverse of texture_of(): an H200 says CU_TRSF_READ_AS_INTEGER only where it makes a difference. */
static CUresult texture_back(CUDA_TEXTURE_DESC *out, CUtexObject texture)
{
    struct cudaTextureDesc t;
    struct cudaResourceDesc r;
    struct cudaChannelFormatDesc element;
    cudaError_t e = out ? cudaGetTextureObjectTextureDesc(&t, texture) : cudaErrorInvalidValue;
    if (!e)
        e = cudaGetTextureObjectResourceDesc(&r, texture);
    if (!e)
        e = element_of(&r, &element);
    if (e)
        return driver_result(e);
    bool whole = t.readMode == cudaReadModeElementType && element.f != cudaChannelFormatKindFloat && element.x < 32;
    *out = (CUDA_TEXTURE_DESC){
        .filterMode = (CUfilter_mode)t.filterMode,
        .flags = (whole ? CU_TRSF_READ_AS_INTEGER : 0u) | (t.sRGB ? CU_TRSF_SRGB : 0u) |
                 (t.normalizedCoords ? CU_TRSF_NORMALIZED_COORDINATES : 0u) |
                 (t.disableTrilinearOptimization ? CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION : 0u) |
                 (t.seamlessCubemap ? CU_TRSF_SEAMLESS_CUBEMAP : 0u),
        .maxAnisotropy = t.maxAnisotropy,
        .mipmapFilterMode = (CUfilter_mode)t.mipmapFilterMode,
        .mipmapLevelBias = t.mipmapLevelBias,
        .minMipmapLevelClamp = t.minMipmapLevelClamp,
        .maxMipmapLevelClamp = t.maxMipmapLevelClamp,
    };
    for (int i = 0; i < 3; i++)
        out->addressMode[i] = (CUaddress_mode)t.addressMode[i];
    memcpy(out->borderColor, t.borderColor, sizeof out->borderColor);
    return CUDA_SUCCESS;
}

CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC *out, CUtexObject texture)
{
    DRIVER(texture_back(out, texture));
}

static CUresult view_back(CUDA_RESOURCE_VIEW_DESC *out, CUtexObject texture)
{
    struct cudaResourceViewDesc view;
    cudaError_t e = out ? cudaGetTextureObjectResourceViewDesc(&view, texture) : cudaErrorInvalidValue;
    if (e)
        return driver_result(e);
    memset(out, 0, sizeof *out);
    memcpy(out, &view, sizeof view < sizeof *out ? sizeof view : sizeof *out); /* laid out alike */
    return CUDA_SUCCESS;
}

CUresult cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC *out, CUtexObject texture)
{
    DRIVER(view_back(out, texture));
}

static CUresult linear_width(size_t *width, CUarray_format format, unsigned channels, CUdevice device)
{
    struct cudaChannelFormatDesc d;
    return driver_format(format, channels, &d) ? driver_result(cudaDeviceGetTexture1DLinearMaxWidth(width, &d, device))
                                               : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuDeviceGetTexture1DLinearMaxWidth(size_t *width, CUarray_format format, unsigned channels, CUdevice device)
{
    DRIVER(linear_width(width, format, channels, device));
}

/* ---- mipmapped arrays ---- */

static CUresult create_mipmapped(CUmipmappedArray *out, const CUDA_ARRAY3D_DESCRIPTOR *d, unsigned levels)
{
    struct cudaChannelFormatDesc format;
    if (!out || !d || !driver_format(d->Format, d->NumChannels, &format))
        return CUDA_ERROR_INVALID_VALUE;
    return driver_result(cudaMallocMipmappedArray((cudaMipmappedArray_t *)out, &format,
                                                  (struct cudaExtent){d->Width, d->Height, d->Depth}, levels,
                                                  d->Flags));
}

CUresult cuMipmappedArrayCreate(CUmipmappedArray *out, const CUDA_ARRAY3D_DESCRIPTOR *d, unsigned levels)
{
    DRIVER(create_mipmapped(out, d, levels));
}

CUresult cuMipmappedArrayDestroy(CUmipmappedArray array)
{
    RUNTIME(cudaFreeMipmappedArray((cudaMipmappedArray_t)array));
}

CUresult cuMipmappedArrayGetLevel(CUarray *out, CUmipmappedArray array, unsigned level)
{
    RUNTIME(cudaGetMipmappedArrayLevel((cudaArray_t *)out, (cudaMipmappedArray_t)array, level));
}
