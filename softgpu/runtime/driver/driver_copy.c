/**
 * @file driver_copy.c
 * Driver API: copies, linear ones and boxes of memory and arrays.
 */
#include "runtime/driver/driver_copy.h"

CUresult cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t bytes)
{
    RUNTIME(cudaMemcpy(POINTER(dst), POINTER(src), bytes, cudaMemcpyDefault));
}

CUresult cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream s)
{
    RUNTIME(cudaMemcpyAsync(POINTER(dst), POINTER(src), bytes, cudaMemcpyDefault, s));
}

CUresult cuMemcpyHtoD(CUdeviceptr dst, const void *src, size_t bytes)
{
    RUNTIME(cudaMemcpy(POINTER(dst), src, bytes, cudaMemcpyHostToDevice));
}

CUresult cuMemcpyDtoH(void *dst, CUdeviceptr src, size_t bytes)
{
    RUNTIME(cudaMemcpy(dst, POINTER(src), bytes, cudaMemcpyDeviceToHost));
}

CUresult cuMemcpyDtoD(CUdeviceptr dst, CUdeviceptr src, size_t bytes)
{
    RUNTIME(cudaMemcpy(POINTER(dst), POINTER(src), bytes, cudaMemcpyDeviceToDevice));
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr dst, const void *src, size_t bytes, CUstream s)
{
    RUNTIME(cudaMemcpyAsync(POINTER(dst), src, bytes, cudaMemcpyHostToDevice, s));
}

CUresult cuMemcpyDtoHAsync(void *dst, CUdeviceptr src, size_t bytes, CUstream s)
{
    RUNTIME(cudaMemcpyAsync(dst, POINTER(src), bytes, cudaMemcpyDeviceToHost, s));
}

CUresult cuMemcpyDtoDAsync(CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream s)
{
    RUNTIME(cudaMemcpyAsync(POINTER(dst), POINTER(src), bytes, cudaMemcpyDeviceToDevice, s));
}

/* ---- between contexts, which share their device's memory ---- */

/** No context at all stands for the current one. */
static bool peer_lives(CUcontext c)
{
    return !c || driver_context_lives(c);
}

static CUresult peer(CUdeviceptr dst, CUcontext to, CUdeviceptr src, CUcontext from, size_t bytes, CUstream s,
                     bool async)
{
    CUdevice to_device, from_device;
    if (!peer_lives(to) || !peer_lives(from))
        return CUDA_ERROR_INVALID_CONTEXT;
    CUresult r = cuCtxGetDevice_v2(&to_device, to);
    if (!r)
        r = cuCtxGetDevice_v2(&from_device, from);
    if (r)
        return r;
    return driver_result(async ? cudaMemcpyPeerAsync(POINTER(dst), to_device, POINTER(src), from_device, bytes, s)
                               : cudaMemcpyPeer(POINTER(dst), to_device, POINTER(src), from_device, bytes));
}

CUresult cuMemcpyPeer(CUdeviceptr dst, CUcontext to, CUdeviceptr src, CUcontext from, size_t bytes)
{
    DRIVER(peer(dst, to, src, from, bytes, NULL, false));
}

CUresult cuMemcpyPeerAsync(CUdeviceptr dst, CUcontext to, CUdeviceptr src, CUcontext from, size_t bytes, CUstream s)
{
    DRIVER(peer(dst, to, src, from, bytes, s, true));
}

CUresult cuMemcpyBatchAsync(CUdeviceptr *dsts, CUdeviceptr *srcs, size_t *sizes, size_t count,
                            CUmemcpyAttributes *attrs, size_t *first, size_t attr_count, CUstream s)
{
    RUNTIME(cudaMemcpyBatchAsync((void *const *)dsts, (const void *const *)srcs, sizes, count,
                                 (struct cudaMemcpyAttributes *)attrs, first, attr_count, s));
}

/* ---- boxes ---- */

/** One side of a box. */
struct side {
    CUmemorytype type;
    uint64_t address;              /**< where there is no array */
    CUarray array;
    size_t x, y, z, pitch, height; /**< x in bytes */
};

static size_t element_bytes(CUarray array)
{
    struct cudaChannelFormatDesc d;
    return cudaArrayGetInfo(&d, NULL, NULL, (cudaArray_t)array) ? 0 : (size_t)(d.x + d.y + d.z + d.w) / 8;
}

/* The Runtime API counts along rows of arrays in elements, of memory in bytes, and the extent in elements where an
 * array takes part: so memory's position goes into its address. */
static bool set_side(const struct side *s, size_t width, size_t element, cudaArray_t *array,
                     struct cudaPitchedPtr *memory, struct cudaPos *pos)
{
    if (s->type == CU_MEMORYTYPE_ARRAY) {
        *array = (cudaArray_t)s->array;
        *pos = (struct cudaPos){s->x / element, s->y, s->z};
        return s->x % element == 0;
    }
    size_t pitch = s->pitch ? s->pitch : width + s->x, rows = s->height ? s->height : 1;
    *memory = (struct cudaPitchedPtr){POINTER(s->address + s->z * pitch * rows + s->y * pitch + s->x), pitch, pitch,
                                      rows};
    return pitch >= width + s->x;
}

/** A plane in memory has as many rows as the box reaches to, where it says how many. */
static bool planes_hold(const struct side *s, const CUDA_MEMCPY3D *p)
{
    return s->type == CU_MEMORYTYPE_ARRAY || !s->height || s->height >= s->y + p->Height;
}

static bool is_host(CUmemorytype t)
{
    return t == CU_MEMORYTYPE_HOST;
}

CUresult driver_box(const CUDA_MEMCPY3D *p, struct cudaMemcpy3DParms *out)
{
    if (!p || (p->srcLOD && p->srcMemoryType == CU_MEMORYTYPE_ARRAY) || (p->dstLOD && p->dstMemoryType == CU_MEMORYTYPE_ARRAY))
        return CUDA_ERROR_INVALID_VALUE;
    struct side src = {p->srcMemoryType, is_host(p->srcMemoryType) ? (uintptr_t)p->srcHost : p->srcDevice,
                       p->srcArray, p->srcXInBytes, p->srcY, p->srcZ, p->srcPitch, p->srcHeight};
    struct side dst = {p->dstMemoryType, is_host(p->dstMemoryType) ? (uintptr_t)p->dstHost : p->dstDevice,
                       p->dstArray, p->dstXInBytes, p->dstY, p->dstZ, p->dstPitch, p->dstHeight};
    size_t element = 1;
    if (src.type == CU_MEMORYTYPE_ARRAY || dst.type == CU_MEMORYTYPE_ARRAY)
        element = element_bytes(dst.type == CU_MEMORYTYPE_ARRAY ? dst.array : src.array);
    *out = (struct cudaMemcpy3DParms){.extent = {element ? p->WidthInBytes / element : 0, p->Height, p->Depth},
                                      .kind = cudaMemcpyDefault};
    if (!element || p->WidthInBytes % element || !planes_hold(&src, p) || !planes_hold(&dst, p) ||
        !set_side(&src, p->WidthInBytes, element, &out->srcArray, &out->srcPtr, &out->srcPos) ||
        !set_side(&dst, p->WidthInBytes, element, &out->dstArray, &out->dstPtr, &out->dstPos))
        return CUDA_ERROR_INVALID_VALUE;
    if (src.type != CU_MEMORYTYPE_UNIFIED && dst.type != CU_MEMORYTYPE_UNIFIED)
        out->kind = is_host(src.type) ? is_host(dst.type) ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice
                    : is_host(dst.type) ? cudaMemcpyDeviceToHost : cudaMemcpyDeviceToDevice;
    return CUDA_SUCCESS;
}

static CUresult copy_3d(const CUDA_MEMCPY3D *p, CUstream s, bool async)
{
    struct cudaMemcpy3DParms box;
    CUresult r = driver_box(p, &box);
    if (r || !p->WidthInBytes || !p->Height || !p->Depth)
        return r;
    return driver_result(async ? cudaMemcpy3DAsync(&box, s) : cudaMemcpy3D(&box));
}

/* Memory's side comes back as the address where the box begins. */
CUDA_MEMCPY3D driver_box_back(const struct cudaMemcpy3DParms *p)
{
    bool from_host = p->kind == cudaMemcpyHostToDevice || p->kind == cudaMemcpyHostToHost;
    bool to_host = p->kind == cudaMemcpyDeviceToHost || p->kind == cudaMemcpyHostToHost;
    CUmemorytype plain = p->kind == cudaMemcpyDefault ? CU_MEMORYTYPE_UNIFIED : CU_MEMORYTYPE_DEVICE;
    CUarray from = (CUarray)p->srcArray, to = (CUarray)p->dstArray;
    size_t element = from || to ? element_bytes(to ? to : from) : 1;
    return (CUDA_MEMCPY3D){
        .srcXInBytes = p->srcPos.x * element, .srcY = p->srcPos.y, .srcZ = p->srcPos.z,
        .srcMemoryType = from ? CU_MEMORYTYPE_ARRAY : from_host ? CU_MEMORYTYPE_HOST : plain, .srcArray = from,
        .srcHost = from_host ? p->srcPtr.ptr : NULL, .srcDevice = from_host ? 0 : (CUdeviceptr)p->srcPtr.ptr,
        .srcPitch = p->srcPtr.pitch, .srcHeight = p->srcPtr.ysize,
        .dstXInBytes = p->dstPos.x * element, .dstY = p->dstPos.y, .dstZ = p->dstPos.z,
        .dstMemoryType = to ? CU_MEMORYTYPE_ARRAY : to_host ? CU_MEMORYTYPE_HOST : plain, .dstArray = to,
        .dstHost = to_host ? p->dstPtr.ptr : NULL, .dstDevice = to_host ? 0 : (CUdeviceptr)p->dstPtr.ptr,
        .dstPitch = p->dstPtr.pitch, .dstHeight = p->dstPtr.ysize,
        .WidthInBytes = p->extent.width * element, .Height = p->extent.height, .Depth = p->extent.depth};
}

/* The two APIs' operations have the same layout. */
CUresult cuMemcpy3DBatchAsync(size_t count, CUDA_MEMCPY3D_BATCH_OP *list, unsigned long long flags, CUstream s)
{
    _Static_assert(sizeof(CUDA_MEMCPY3D_BATCH_OP) == sizeof(struct cudaMemcpy3DBatchOp), "one operation is the other");
    RUNTIME(cudaMemcpy3DBatchAsync(count, (struct cudaMemcpy3DBatchOp *)list, flags, s));
}

static CUresult copy_2d(const CUDA_MEMCPY2D *p, CUstream s, bool async)
{
    if (!p)
        return CUDA_ERROR_INVALID_VALUE;
    CUDA_MEMCPY3D box = {
        .srcXInBytes = p->srcXInBytes, .srcY = p->srcY, .srcMemoryType = p->srcMemoryType, .srcHost = p->srcHost,
        .srcDevice = p->srcDevice, .srcArray = p->srcArray, .srcPitch = p->srcPitch,
        .dstXInBytes = p->dstXInBytes, .dstY = p->dstY, .dstMemoryType = p->dstMemoryType, .dstHost = p->dstHost,
        .dstDevice = p->dstDevice, .dstArray = p->dstArray, .dstPitch = p->dstPitch,
        .WidthInBytes = p->WidthInBytes, .Height = p->Height, .Depth = 1,
    };
    return copy_3d(&box, s, async);
}

CUresult cuMemcpy2D(const CUDA_MEMCPY2D *p)
{
    DRIVER(copy_2d(p, NULL, false));
}

CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *p)
{
    DRIVER(copy_2d(p, NULL, false));
}

CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D *p, CUstream s)
{
    DRIVER(copy_2d(p, s, true));
}

CUresult cuMemcpy3D(const CUDA_MEMCPY3D *p)
{
    DRIVER(copy_3d(p, NULL, false));
}

CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D *p, CUstream s)
{
    DRIVER(copy_3d(p, s, true));
}

static CUresult peer_3d(const CUDA_MEMCPY3D_PEER *p, CUstream s, bool async)
{
    if (!p || !peer_lives(p->srcContext) || !peer_lives(p->dstContext))
        return p ? CUDA_ERROR_INVALID_CONTEXT : CUDA_ERROR_INVALID_VALUE;
    CUDA_MEMCPY3D box = {
        .srcXInBytes = p->srcXInBytes, .srcY = p->srcY, .srcZ = p->srcZ, .srcLOD = p->srcLOD,
        .srcMemoryType = p->srcMemoryType, .srcHost = p->srcHost, .srcDevice = p->srcDevice, .srcArray = p->srcArray,
        .srcPitch = p->srcPitch, .srcHeight = p->srcHeight,
        .dstXInBytes = p->dstXInBytes, .dstY = p->dstY, .dstZ = p->dstZ, .dstLOD = p->dstLOD,
        .dstMemoryType = p->dstMemoryType, .dstHost = p->dstHost, .dstDevice = p->dstDevice, .dstArray = p->dstArray,
        .dstPitch = p->dstPitch, .dstHeight = p->dstHeight,
        .WidthInBytes = p->WidthInBytes, .Height = p->Height, .Depth = p->Depth,
    };
    return copy_3d(&box, s, async);
}

CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER *p)
{
    DRIVER(peer_3d(p, NULL, false));
}

CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER *p, CUstream s)
{
    DRIVER(peer_3d(p, s, true));
}
