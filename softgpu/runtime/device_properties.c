/**
 * @file device_properties.c
 * The device's properties and attributes. cudaDeviceProp is filled from the device model;
 * cudaDeviceGetAttribute answers from it, so that the two agree.
 */
#include <stdio.h>
#include <string.h>

#include "runtime/state/entry.h"
#include "runtime/state/runtime.h"

static void fill_textures(struct cudaDeviceProp *p)
{
    p->textureAlignment = 512;
    p->texturePitchAlignment = 32;
    p->maxTexture1D = 131072;
    p->maxTexture1DMipmap = 32768;
    p->maxTexture2D[0] = 131072;
    p->maxTexture2D[1] = 65536;
    p->maxTexture2DMipmap[0] = p->maxTexture2DMipmap[1] = 32768;
    p->maxTexture2DLinear[0] = 131072;
    p->maxTexture2DLinear[1] = 65000;
    p->maxTexture2DLinear[2] = 2097120;
    p->maxTexture2DGather[0] = p->maxTexture2DGather[1] = 32768;
    p->maxTextureCubemap = 32768;
    p->maxTexture1DLayered[0] = 32768;
    p->maxTexture1DLayered[1] = 2048;
    p->maxTextureCubemapLayered[0] = 32768;
    p->maxTextureCubemapLayered[1] = 2046;
    p->maxSurface1D = 32768;
    p->maxSurface2D[0] = 131072;
    p->maxSurface2D[1] = 65536;
    p->maxSurface1DLayered[0] = 32768;
    p->maxSurface1DLayered[1] = 2048;
    p->maxSurfaceCubemap = 32768;
    p->maxSurfaceCubemapLayered[0] = 32768;
    p->maxSurfaceCubemapLayered[1] = 2046;
    p->surfaceAlignment = 512;
    for (int i = 0; i < 3; i++) {
        p->maxTexture3D[i] = p->maxSurface3D[i] = 16384;
        p->maxTexture3DAlt[i] = i < 2 ? 8192 : 32768;
        p->maxTexture2DLayered[i] = p->maxSurface2DLayered[i] = i < 2 ? 32768 : 2048;
    }
}

static void fill_abilities(struct cudaDeviceProp *p)
{
    p->canMapHostMemory = 1;
    p->concurrentKernels = 1;
    p->unifiedAddressing = 1;
    p->streamPrioritiesSupported = 1;
    p->globalL1CacheSupported = 1;
    p->localL1CacheSupported = 1;
    p->managedMemory = 1;
    p->concurrentManagedAccess = 1;
    p->computePreemptionSupported = 1;
    p->canUseHostPointerForRegisteredMem = 1;
    p->cooperativeLaunch = 1;
    p->hostRegisterSupported = 1;
    p->hostRegisterReadOnlySupported = 1;
    p->memoryPoolsSupported = 1;
    p->memoryPoolSupportedHandleTypes = cudaMemHandleTypePosixFileDescriptor;
    p->unifiedFunctionPointers = 1;
    p->ECCEnabled = 1;
    p->hostNumaId = -1;
}

/** "softgpu-h200---0": no byte is 0, as in a GPU's, for CuPy takes what stands before the first one for all of it. */
static void fill_uuid(char uuid[16], int device)
{
    size_t bytes = strlen(runtime.device->key);
    memset(uuid, '-', 16);
    memcpy(uuid, "softgpu", 7);
    memcpy(uuid + 8, runtime.device->key, bytes < 7 ? bytes : 7);
    uuid[15] = (char)('0' + device);
}

static void fill(struct cudaDeviceProp *p, int device)
{
    const struct device_model *d = runtime.device;
    memset(p, 0, sizeof *p);
    snprintf(p->name, sizeof p->name, "%s", d->name);
    fill_uuid(p->uuid.bytes, device);
    p->totalGlobalMem = d->memory_bytes;
    p->sharedMemPerBlock = (size_t)d->shared_per_block;
    p->regsPerBlock = d->registers_per_block;
    p->warpSize = 32;
    p->memPitch = 0x7fffffff;
    p->maxThreadsPerBlock = 1024;
    p->maxThreadsDim[0] = p->maxThreadsDim[1] = 1024;
    p->maxThreadsDim[2] = 64;
    p->maxGridSize[0] = 0x7fffffff;
    p->maxGridSize[1] = p->maxGridSize[2] = 65535;
    p->totalConstMem = 65536;
    p->major = d->major;
    p->clusterLaunch = d->major >= 9;
    p->minor = d->minor;
    p->multiProcessorCount = d->sms;
    p->asyncEngineCount = d->copy_engines;
    p->memoryBusWidth = d->memory_bus_bits;
    p->l2CacheSize = d->l2_bytes;
    p->maxThreadsPerMultiProcessor = d->max_threads_per_sm;
    p->sharedMemPerMultiprocessor = (size_t)d->shared_per_sm;
    p->regsPerMultiprocessor = d->registers_per_sm;
    p->sharedMemPerBlockOptin = (size_t)d->shared_per_block_optin;
    p->reservedSharedMemPerBlock = (size_t)d->shared_reserved;
    p->maxBlocksPerMultiProcessor = d->max_blocks_per_sm;
    fill_abilities(p);
    fill_textures(p);
    p->pciBusID = 1 + device; /* no real place: made up, stable */
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p, int device)
{
    runtime_enter_device();
    if (!p)
        API_RETURN(cudaErrorInvalidValue);
    if (!device_exists(device))
        API_RETURN(cudaErrorInvalidDevice);
    fill(p, device);
    API_RETURN(cudaSuccess);
}

struct attribute {
    enum cudaDeviceAttr attr;
    size_t offset;
    unsigned bytes;          /**< 4, or 8 for a size_t */
};
#define MEMBER(attr, member)                                                                       \
    {cudaDevAttr##attr, offsetof(struct cudaDeviceProp, member),                                   \
     sizeof(((struct cudaDeviceProp *)0)->member)}

static const struct attribute attributes[] = {
    MEMBER(MaxThreadsPerBlock, maxThreadsPerBlock),
    MEMBER(MaxBlockDimX, maxThreadsDim[0]), MEMBER(MaxBlockDimY, maxThreadsDim[1]),
    MEMBER(MaxBlockDimZ, maxThreadsDim[2]), MEMBER(MaxGridDimX, maxGridSize[0]),
    MEMBER(MaxGridDimY, maxGridSize[1]), MEMBER(MaxGridDimZ, maxGridSize[2]),
    MEMBER(MaxSharedMemoryPerBlock, sharedMemPerBlock), MEMBER(TotalConstantMemory, totalConstMem),
    MEMBER(WarpSize, warpSize), MEMBER(MaxPitch, memPitch),
    MEMBER(MaxRegistersPerBlock, regsPerBlock), MEMBER(TextureAlignment, textureAlignment),
    MEMBER(MultiProcessorCount, multiProcessorCount), MEMBER(Integrated, integrated),
    MEMBER(CanMapHostMemory, canMapHostMemory), MEMBER(MaxTexture1DWidth, maxTexture1D),
    MEMBER(MaxTexture2DWidth, maxTexture2D[0]), MEMBER(MaxTexture2DHeight, maxTexture2D[1]),
    MEMBER(MaxTexture3DWidth, maxTexture3D[0]), MEMBER(MaxTexture3DHeight, maxTexture3D[1]),
    MEMBER(MaxTexture3DDepth, maxTexture3D[2]),
    MEMBER(MaxTexture2DLayeredWidth, maxTexture2DLayered[0]),
    MEMBER(MaxTexture2DLayeredHeight, maxTexture2DLayered[1]),
    MEMBER(MaxTexture2DLayeredLayers, maxTexture2DLayered[2]),
    MEMBER(SurfaceAlignment, surfaceAlignment), MEMBER(ConcurrentKernels, concurrentKernels),
    MEMBER(EccEnabled, ECCEnabled), MEMBER(PciBusId, pciBusID), MEMBER(PciDeviceId, pciDeviceID),
    MEMBER(TccDriver, tccDriver), MEMBER(GlobalMemoryBusWidth, memoryBusWidth),
    MEMBER(L2CacheSize, l2CacheSize),
    MEMBER(MaxThreadsPerMultiProcessor, maxThreadsPerMultiProcessor),
    MEMBER(AsyncEngineCount, asyncEngineCount), MEMBER(UnifiedAddressing, unifiedAddressing),
    MEMBER(MaxTexture1DLayeredWidth, maxTexture1DLayered[0]),
    MEMBER(MaxTexture1DLayeredLayers, maxTexture1DLayered[1]),
    MEMBER(MaxTexture2DGatherWidth, maxTexture2DGather[0]),
    MEMBER(MaxTexture2DGatherHeight, maxTexture2DGather[1]),
    MEMBER(MaxTexture3DWidthAlt, maxTexture3DAlt[0]),
    MEMBER(MaxTexture3DHeightAlt, maxTexture3DAlt[1]),
    MEMBER(MaxTexture3DDepthAlt, maxTexture3DAlt[2]), MEMBER(PciDomainId, pciDomainID),
    MEMBER(TexturePitchAlignment, texturePitchAlignment),
    MEMBER(MaxTextureCubemapWidth, maxTextureCubemap),
    MEMBER(MaxTextureCubemapLayeredWidth, maxTextureCubemapLayered[0]),
    MEMBER(MaxTextureCubemapLayeredLayers, maxTextureCubemapLayered[1]),
    MEMBER(MaxSurface1DWidth, maxSurface1D), MEMBER(MaxSurface2DWidth, maxSurface2D[0]),
    MEMBER(MaxSurface2DHeight, maxSurface2D[1]), MEMBER(MaxSurface3DWidth, maxSurface3D[0]),
    MEMBER(MaxSurface3DHeight, maxSurface3D[1]), MEMBER(MaxSurface3DDepth, maxSurface3D[2]),
    MEMBER(MaxSurface1DLayeredWidth, maxSurface1DLayered[0]),
    MEMBER(MaxSurface1DLayeredLayers, maxSurface1DLayered[1]),
    MEMBER(MaxSurface2DLayeredWidth, maxSurface2DLayered[0]),
    MEMBER(MaxSurface2DLayeredHeight, maxSurface2DLayered[1]),
    MEMBER(MaxSurface2DLayeredLayers, maxSurface2DLayered[2]),
    MEMBER(MaxSurfaceCubemapWidth, maxSurfaceCubemap),
    MEMBER(MaxSurfaceCubemapLayeredWidth, maxSurfaceCubemapLayered[0]),
    MEMBER(MaxSurfaceCubemapLayeredLayers, maxSurfaceCubemapLayered[1]),
    MEMBER(MaxTexture2DLinearWidth, maxTexture2DLinear[0]),
    MEMBER(MaxTexture2DLinearHeight, maxTexture2DLinear[1]),
    MEMBER(MaxTexture2DLinearPitch, maxTexture2DLinear[2]),
    MEMBER(MaxTexture2DMipmappedWidth, maxTexture2DMipmap[0]),
    MEMBER(MaxTexture2DMipmappedHeight, maxTexture2DMipmap[1]),
    MEMBER(ComputeCapabilityMajor, major), MEMBER(ComputeCapabilityMinor, minor),
    MEMBER(MaxTexture1DMipmappedWidth, maxTexture1DMipmap),
    MEMBER(StreamPrioritiesSupported, streamPrioritiesSupported),
    MEMBER(GlobalL1CacheSupported, globalL1CacheSupported),
    MEMBER(LocalL1CacheSupported, localL1CacheSupported),
    MEMBER(MaxSharedMemoryPerMultiprocessor, sharedMemPerMultiprocessor),
    MEMBER(MaxRegistersPerMultiprocessor, regsPerMultiprocessor),
    MEMBER(ManagedMemory, managedMemory), MEMBER(IsMultiGpuBoard, isMultiGpuBoard),
    MEMBER(MultiGpuBoardGroupID, multiGpuBoardGroupID),
    MEMBER(HostNativeAtomicSupported, hostNativeAtomicSupported),
    MEMBER(PageableMemoryAccess, pageableMemoryAccess),
    MEMBER(ConcurrentManagedAccess, concurrentManagedAccess),
    MEMBER(ComputePreemptionSupported, computePreemptionSupported),
    MEMBER(CanUseHostPointerForRegisteredMem, canUseHostPointerForRegisteredMem),
    MEMBER(CooperativeLaunch, cooperativeLaunch),
    MEMBER(MaxSharedMemoryPerBlockOptin, sharedMemPerBlockOptin),
    MEMBER(HostRegisterSupported, hostRegisterSupported),
    MEMBER(PageableMemoryAccessUsesHostPageTables, pageableMemoryAccessUsesHostPageTables),
    MEMBER(DirectManagedMemAccessFromHost, directManagedMemAccessFromHost),
    MEMBER(MaxBlocksPerMultiprocessor, maxBlocksPerMultiProcessor),
    MEMBER(MaxPersistingL2CacheSize, persistingL2CacheMaxSize),
    MEMBER(MaxAccessPolicyWindowSize, accessPolicyMaxWindowSize),
    MEMBER(ReservedSharedMemoryPerBlock, reservedSharedMemPerBlock),
    MEMBER(SparseCudaArraySupported, sparseCudaArraySupported),
    MEMBER(HostRegisterReadOnlySupported, hostRegisterReadOnlySupported),
    MEMBER(TimelineSemaphoreInteropSupported, timelineSemaphoreInteropSupported),
    MEMBER(MemoryPoolsSupported, memoryPoolsSupported),
    MEMBER(GPUDirectRDMASupported, gpuDirectRDMASupported),
    MEMBER(GPUDirectRDMAFlushWritesOptions, gpuDirectRDMAFlushWritesOptions),
    MEMBER(GPUDirectRDMAWritesOrdering, gpuDirectRDMAWritesOrdering),
    MEMBER(MemoryPoolSupportedHandleTypes, memoryPoolSupportedHandleTypes),
    MEMBER(ClusterLaunch, clusterLaunch),
    MEMBER(DeferredMappingCudaArraySupported, deferredMappingCudaArraySupported),
    MEMBER(IpcEventSupport, ipcEventSupported), MEMBER(NumaConfig, deviceNumaConfig),
    MEMBER(NumaId, deviceNumaId), MEMBER(MpsEnabled, mpsEnabled),
    MEMBER(HostNumaId, hostNumaId), MEMBER(GpuPciDeviceId, gpuPciDeviceID),
    MEMBER(GpuPciSubsystemId, gpuPciSubsystemID),
    MEMBER(HostNumaMultinodeIpcSupported, hostNumaMultinodeIpcSupported),
};

/* Attributes that cudaDeviceProp does not hold. */
static bool other_attribute(int *value, enum cudaDeviceAttr attr)
{
    switch (attr) {
    case cudaDevAttrClockRate:
        *value = runtime.device->sm_clock_khz;
        return true;
    case cudaDevAttrMemoryClockRate:
        *value = runtime.device->memory_clock_khz;
        return true;
    case cudaDevAttrGpuOverlap:
        *value = 1;
        return true;
    case cudaDevAttrMaxTexture1DLinearWidth:
        *value = 1 << 28;
        return true;
    case cudaDevAttrSingleToDoublePrecisionPerfRatio:
        *value = runtime.device->minor == 0 ? 2 : 32;
        return true;
    case cudaDevAttrMemSyncDomainCount:
        *value = 1;
        return true;
    case cudaDevAttrKernelExecTimeout:
    case cudaDevAttrComputeMode:
    case cudaDevAttrCanFlushRemoteWrites:
    case cudaDevAttrD3D12CigSupported:
    case cudaDevAttrVulkanCigSupported:
    case cudaDevAttrHostNumaMemoryPoolsSupported:
    case cudaDevAttrHostMemoryPoolsSupported:
    case cudaDevAttrOnlyPartialHostNativeAtomicSupported:
        *value = 0;
        return true;
    default:
        return false;
    }
}

cudaError_t device_attribute(int *value, enum cudaDeviceAttr attr, int device)
{
    struct cudaDeviceProp p;
    fill(&p, device);
    for (unsigned i = 0; i < sizeof attributes / sizeof attributes[0]; i++) {
        const struct attribute *a = &attributes[i];
        if (a->attr != attr)
            continue;
        size_t wide = 0;
        memcpy(&wide, (char *)&p + a->offset, a->bytes);
        *value = (int)wide;
        return cudaSuccess;
    }
    return other_attribute(value, attr) ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device)
{
    runtime_enter_device();
    if (!value)
        API_RETURN(cudaErrorInvalidValue);
    if (!device_exists(device))
        API_RETURN(cudaErrorInvalidDevice);
    API_RETURN(device_attribute(value, attr, device));
}
