/**
 * @file driver_device.c
 * Driver API: versions, devices, their attributes and peers; the profiler.
 */
#include <stdio.h>
#include <string.h>

#include "runtime/driver/driver.h"

CUresult cuDriverGetVersion(int *version)
{
    DRIVER_NEEDING(NEEDS_NOTHING, driver_result(cudaDriverGetVersion(version)));
}

static CUresult device_at(CUdevice *out, int ordinal)
{
    int count = 0;
    cudaError_t e = out ? cudaGetDeviceCount(&count) : cudaErrorInvalidValue;
    if (e)
        return driver_result(e);
    if (ordinal < 0 || ordinal >= count)
        return CUDA_ERROR_INVALID_DEVICE; /* an H100's driver leaves *out alone then */
    *out = ordinal;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
    DRIVER_NEEDING(NEEDS_INIT, device_at(device, ordinal));
}

CUresult cuDeviceGetCount(int *count)
{
    DRIVER_NEEDING(NEEDS_INIT, driver_result(cudaGetDeviceCount(count)));
}

/* All that can be asked of the properties at once. */
static CUresult properties(struct cudaDeviceProp *p, bool wanted, CUdevice device)
{
    return wanted ? driver_result(cudaGetDeviceProperties(p, device)) : CUDA_ERROR_INVALID_VALUE;
}

static CUresult name_of(char *name, int len, CUdevice device)
{
    struct cudaDeviceProp p;
    CUresult r = properties(&p, name && len > 0, device);
    if (!r)
        snprintf(name, (size_t)len, "%s", p.name);
    return r;
}

CUresult cuDeviceGetName(char *name, int len, CUdevice device)
{
    DRIVER_NEEDING(NEEDS_INIT, name_of(name, len, device));
}

static CUresult uuid_of(CUuuid *uuid, CUdevice device)
{
    struct cudaDeviceProp p;
    CUresult r = properties(&p, uuid, device);
    if (!r)
        memcpy(uuid, &p.uuid, sizeof *uuid);
    return r;
}

CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device)
{
    DRIVER_NEEDING(NEEDS_INIT, uuid_of(uuid, device));
}

static CUresult total_of(size_t *bytes, CUdevice device)
{
    struct cudaDeviceProp p;
    CUresult r = properties(&p, bytes, device);
    if (!r)
        *bytes = p.totalGlobalMem;
    return r;
}

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device)
{
    DRIVER_NEEDING(NEEDS_INIT, total_of(bytes, device));
}

static CUresult capability_of(int *major, int *minor, CUdevice device)
{
    struct cudaDeviceProp p;
    CUresult r = properties(&p, major && minor, device);
    if (!r) {
        *major = p.major;
        *minor = p.minor;
    }
    return r;
}

CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device)
{
    DRIVER_NEEDING(NEEDS_INIT, capability_of(major, minor, device));
}

static CUresult old_properties_of(CUdevprop *out, CUdevice device)
{
    struct cudaDeviceProp p;
    CUresult r = properties(&p, out, device);
    if (r)
        return r;
    *out = (CUdevprop){.maxThreadsPerBlock = p.maxThreadsPerBlock, .sharedMemPerBlock = (int)p.sharedMemPerBlock,
                       .totalConstantMemory = (int)p.totalConstMem, .SIMDWidth = p.warpSize,
                       .memPitch = (int)p.memPitch, .regsPerBlock = p.regsPerBlock,
                       .textureAlign = (int)p.textureAlignment};
    memcpy(out->maxThreadsDim, p.maxThreadsDim, sizeof out->maxThreadsDim);
    memcpy(out->maxGridSize, p.maxGridSize, sizeof out->maxGridSize);
    return cudaDeviceGetAttribute(&out->clockRate, cudaDevAttrClockRate, device) ? CUDA_ERROR_INVALID_VALUE
                                                                                 : CUDA_SUCCESS;
}

CUresult cuDeviceGetProperties(CUdevprop *properties_out, CUdevice device)
{
    DRIVER_NEEDING(NEEDS_INIT, old_properties_of(properties_out, device));
}

/* The two APIs number attributes alike; the Runtime API has no names for these. */
static CUresult attribute_of(int *value, CUdevice_attribute attr, CUdevice device)
{
    CUdevice unused;
    CUresult r = device_at(&unused, device);
    if (r || !value)
        return r ? r : CUDA_ERROR_INVALID_VALUE;
    switch (attr) {
    case CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED:
        *value = attr == CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED || runtime.device->major >= 9;
        return CUDA_SUCCESS;
    case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS:
    case CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR:
    case CU_DEVICE_ATTRIBUTE_CAN_TEX2D_GATHER:
    case CU_DEVICE_ATTRIBUTE_COOPERATIVE_MULTI_DEVICE_LAUNCH:
        *value = 1;
        return CUDA_SUCCESS;
    case CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_MEM_OPS_V1:
    case CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS_V1:
    case CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR_V1:
    case CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES:
    case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_HANDLE_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_HOST_ALLOC_DMA_BUF_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_UNIFIED_FUNCTION_POINTERS:
    case CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_ALGORITHM_MASK:
    case CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_MAXIMUM_LENGTH:
    case CU_DEVICE_ATTRIBUTE_HOST_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED:
        *value = 0;
        return CUDA_SUCCESS;
    default:
        return driver_result(cudaDeviceGetAttribute(value, (enum cudaDeviceAttr)attr, device));
    }
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attr, CUdevice device)
{
    DRIVER_NEEDING(NEEDS_INIT, attribute_of(value, attr, device));
}

CUresult cuDeviceGetPCIBusId(char *id, int len, CUdevice device)
{
    DRIVER_NEEDING(NEEDS_INIT, driver_result(cudaDeviceGetPCIBusId(id, len, device)));
}

CUresult cuDeviceGetByPCIBusId(CUdevice *device, const char *id)
{
    DRIVER_NEEDING(NEEDS_INIT, driver_result(cudaDeviceGetByPCIBusId(device, id)));
}

CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer)
{
    DRIVER_NEEDING(NEEDS_INIT, driver_result(cudaDeviceCanAccessPeer(can, device, peer)));
}

CUresult cuDeviceGetP2PAttribute(int *value, CUdevice_P2PAttribute attr, CUdevice from, CUdevice to)
{
    DRIVER_NEEDING(NEEDS_INIT,
                   driver_result(cudaDeviceGetP2PAttribute(value, (enum cudaDeviceP2PAttr)attr, from, to)));
}

CUresult cuDeviceGetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attr, void *value)
{
    DRIVER_NEEDING(NEEDS_INIT, driver_result(cudaDeviceGetGraphMemAttribute(
                                   device, (enum cudaGraphMemAttributeType)attr, value)));
}

CUresult cuDeviceSetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attr, void *value)
{
    DRIVER_NEEDING(NEEDS_INIT, driver_result(cudaDeviceSetGraphMemAttribute(
                                   device, (enum cudaGraphMemAttributeType)attr, value)));
}

CUresult cuDeviceGraphMemTrim(CUdevice device)
{
    DRIVER_NEEDING(NEEDS_INIT, driver_result(cudaDeviceGraphMemTrim(device)));
}

/* ---- links, affinity, notices ---- */

CUresult cuDeviceGetHostAtomicCapabilities(unsigned *out, const CUatomicOperation *list, unsigned count, CUdevice device)
{
    DRIVER_NEEDING(NEEDS_INIT, driver_result(cudaDeviceGetHostAtomicCapabilities(out, (const enum cudaAtomicOperation *)list,
                                                                                 count, device)));
}

CUresult cuDeviceGetP2PAtomicCapabilities(unsigned *out, const CUatomicOperation *list, unsigned count, CUdevice from, CUdevice to)
{
    DRIVER_NEEDING(NEEDS_INIT, driver_result(cudaDeviceGetP2PAtomicCapabilities(out, (const enum cudaAtomicOperation *)list,
                                                                                count, from, to)));
}

/* Contexts with a part of the SMs by cuCtxCreate_v3() are Volta's, and of its multi-process service. */
static CUresult affinity_of(int *has, CUdevice device)
{
    CUdevice unused;
    CUresult r = has ? device_at(&unused, device) : CUDA_ERROR_INVALID_VALUE;
    if (!r)
        *has = 0;
    return r;
}

CUresult cuDeviceGetExecAffinitySupport(int *has, CUexecAffinityType type, CUdevice device)
{
    (void)type;
    DRIVER_NEEDING(NEEDS_INIT, affinity_of(has, device));
}

static CUresult sms_of_context(CUexecAffinityParam *out, CUexecAffinityType type)
{
    CUdevResource sms;
    if (!out)
        return CUDA_ERROR_INVALID_VALUE;
    if (type != CU_EXEC_AFFINITY_TYPE_SM_COUNT)
        return CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY;
    CUresult r = cuCtxGetDevResource(driver_current(), &sms, CU_DEV_RESOURCE_TYPE_SM);
    if (!r) {
        out->type = type;
        out->param.smCount.val = sms.sm.smCount;
    }
    return r;
}

CUresult cuCtxGetExecAffinity(CUexecAffinityParam *out, CUexecAffinityType type)
{
    DRIVER(sms_of_context(out, type));
}

CUresult cuFlushGPUDirectRDMAWrites(CUflushGPUDirectRDMAWritesTarget target, CUflushGPUDirectRDMAWritesScope scope)
{
    RUNTIME(cudaDeviceFlushGPUDirectRDMAWrites((enum cudaFlushGPUDirectRDMAWritesTarget)target,
                                               (enum cudaFlushGPUDirectRDMAWritesScope)scope));
}

CUresult cuDeviceRegisterAsyncNotification(CUdevice device, CUasyncCallback function, void *data, CUasyncCallbackHandle *out)
{
    RUNTIME(cudaDeviceRegisterAsyncNotification(device, (cudaAsyncCallback)(void *)function, data, (cudaAsyncCallbackHandle_t *)out));
}

CUresult cuDeviceUnregisterAsyncNotification(CUdevice device, CUasyncCallbackHandle handle)
{
    RUNTIME(cudaDeviceUnregisterAsyncNotification(device, (cudaAsyncCallbackHandle_t)handle));
}

/* As in cudaProfiler.h and cuda_profiler_api.h, which are not among the packages that make up the kit's own compiler. */
CUresult cuProfilerStart(void);
CUresult cuProfilerStop(void);

CUresult cuProfilerStart(void)
{
    DRIVER(CUDA_SUCCESS);
}

CUresult cuProfilerStop(void)
{
    DRIVER(CUDA_SUCCESS);
}
