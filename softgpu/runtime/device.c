/**
 * @file device.c
 * The one device: count, choice, limits, flags, peers, versions.
 */
#include <stdio.h>
#include <string.h>

#include "runtime/state/runtime.h"
#include "runtime/state/stream.h"

/** CUDA 13.0, as cudaRuntimeGetVersion() tells it. */
#define VERSION 13000

cudaError_t cudaGetDeviceCount(int *count)
{
    runtime_enter_light();
    if (!count)
        API_RETURN(cudaErrorInvalidValue);
    *count = 1;
    API_RETURN(runtime.start_error);
}

cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *p)
{
    runtime_enter_light();
    if (!device || !p)
        API_RETURN(cudaErrorInvalidValue);
    *device = 0;
    API_RETURN(cudaSuccess);
}

cudaError_t cudaSetDevice(int device)
{
    runtime_enter_light();
    if (device)
        API_RETURN(cudaErrorInvalidDevice);
    API_RETURN(runtime.sticky);
}

cudaError_t cudaInitDevice(int device, unsigned device_flags, unsigned flags)
{
    API_ENTER();
    if (device)
        API_RETURN(cudaErrorInvalidDevice);
    if (flags & ~(unsigned)cudaInitDeviceFlagsAreValid)
        API_RETURN(cudaErrorInvalidValue);
    if (flags)
        runtime.device_flags = device_flags;
    API_RETURN(cudaSuccess);
}

cudaError_t cudaGetDevice(int *device)
{
    runtime_enter_light();
    if (runtime_thread()->in_host_function)
        API_RETURN(cudaErrorNotPermitted);
    if (!device)
        API_RETURN(cudaErrorInvalidValue);
    *device = 0;
    API_RETURN(cudaSuccess);
}

cudaError_t cudaSetValidDevices(int *list, int count)
{
    runtime_enter_light();
    if (count < 0 || (count && !list))
        API_RETURN(cudaErrorInvalidValue);
    for (int i = 0; i < count; i++)
        if (list[i])
            API_RETURN(cudaErrorInvalidDevice);
    API_RETURN(cudaSuccess);
}

cudaError_t cudaSetDeviceFlags(unsigned flags)
{
    runtime_enter_light();
    if (flags & ~(unsigned)cudaDeviceMask)
        API_RETURN(cudaErrorInvalidValue);
    runtime.device_flags = flags;
    API_RETURN(cudaSuccess);
}

cudaError_t cudaGetDeviceFlags(unsigned *flags)
{
    API_ENTER();
    if (!flags)
        API_RETURN(cudaErrorInvalidValue);
    *flags = runtime.device_flags | cudaDeviceMapHost;
    API_RETURN(cudaSuccess);
}

/* A reset also clears a fault: work starts anew. */
cudaError_t cudaDeviceReset(void)
{
    cudaError_t e = runtime_enter();
    if (e == cudaErrorCudartUnloading || e == cudaErrorNotPermitted)
        API_RETURN(e);
    device_wait("cudaDeviceReset");
    runtime_reset();
    runtime_thread()->last_error = cudaSuccess;
    API_RETURN(cudaSuccess);
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
    API_ENTER();
    if (!value)
        API_RETURN(cudaErrorInvalidValue);
    if ((unsigned)limit > cudaLimitPersistingL2CacheSize)
        API_RETURN(cudaErrorInvalidValue);
    if (limit == cudaLimitDevRuntimeSyncDepth)
        API_RETURN(cudaErrorUnsupportedLimit);
    *value = runtime.limits[limit];
    API_RETURN(cudaSuccess);
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    API_ENTER();
    if ((unsigned)limit > cudaLimitPersistingL2CacheSize)
        API_RETURN(cudaErrorInvalidValue);
    if (limit == cudaLimitDevRuntimeSyncDepth)
        API_RETURN(cudaErrorUnsupportedLimit);
    runtime.limits[limit] = value;
    if (limit == cudaLimitMallocHeapSize)
        machine_set_heap_limit(runtime.machine, value);
    API_RETURN(cudaSuccess);
}

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config)
{
    API_ENTER();
    if (!config)
        API_RETURN(cudaErrorInvalidValue);
    *config = runtime.cache_config;
    API_RETURN(cudaSuccess);
}

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config)
{
    API_ENTER();
    if ((unsigned)config > cudaFuncCachePreferEqual)
        API_RETURN(cudaErrorInvalidValue);
    runtime.cache_config = config;
    API_RETURN(cudaSuccess);
}

cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config)
{
    API_ENTER();
    if (!config)
        API_RETURN(cudaErrorInvalidValue);
    *config = cudaSharedMemBankSizeFourByte;
    API_RETURN(cudaSuccess);
}

cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config)
{
    (void)config; /* banks have been four bytes wide since sm_50 */
    API_ENTER();
    API_RETURN(cudaSuccess);
}

cudaError_t cudaDeviceGetPCIBusId(char *text, int len, int device)
{
    runtime_enter_light();
    if (!text || len < 13)
        API_RETURN(cudaErrorInvalidValue);
    if (device)
        API_RETURN(cudaErrorInvalidDevice);
    snprintf(text, (size_t)len, "0000:01:00.0");
    API_RETURN(cudaSuccess);
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *text)
{
    runtime_enter_light();
    unsigned domain = 0, bus, slot, function = 0;
    if (!device || !text)
        API_RETURN(cudaErrorInvalidValue);
    if (sscanf(text, "%x:%x:%x.%x", &domain, &bus, &slot, &function) < 3) {
        domain = 0;
        if (sscanf(text, "%x:%x.%x", &bus, &slot, &function) < 2)
            API_RETURN(cudaErrorInvalidValue);
    }
    if (domain || bus != 1 || slot || function)
        API_RETURN(cudaErrorInvalidDevice);
    *device = 0;
    API_RETURN(cudaSuccess);
}

/* ---- peers: there is none ---- */

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    runtime_enter_light();
    if (!can)
        API_RETURN(cudaErrorInvalidValue);
    if (device || peer)
        API_RETURN(cudaErrorInvalidDevice);
    *can = 0;
    API_RETURN(cudaSuccess);
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags)
{
    API_ENTER();
    if (flags)
        API_RETURN(cudaErrorInvalidValue);
    API_RETURN(peer ? cudaErrorInvalidDevice : cudaErrorPeerAccessUnsupported);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
    API_ENTER();
    API_RETURN(peer ? cudaErrorInvalidDevice : cudaErrorPeerAccessNotEnabled);
}

cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attr, int from, int to)
{
    (void)value, (void)attr, (void)from, (void)to;
    runtime_enter_light();
    API_RETURN(cudaErrorInvalidDevice);
}

cudaError_t cudaCtxResetPersistingL2Cache(void)
{
    API_ENTER();
    API_RETURN(cudaSuccess);
}

/* ---- versions, profiler ---- */

cudaError_t cudaDriverGetVersion(int *version)
{
    runtime_enter_light();
    if (!version)
        API_RETURN(cudaErrorInvalidValue);
    *version = VERSION;
    API_RETURN(cudaSuccess);
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    runtime_enter_light();
    if (!version)
        API_RETURN(cudaErrorInvalidValue);
    *version = VERSION;
    API_RETURN(cudaSuccess);
}

/* As in cuda_profiler_api.h, which is not among the packages that make up the kit's own compiler. */
#pragma GCC visibility push(default)
cudaError_t CUDARTAPI cudaProfilerStart(void);
cudaError_t CUDARTAPI cudaProfilerStop(void);
#pragma GCC visibility pop

cudaError_t cudaProfilerStart(void)
{
    API_ENTER();
    API_RETURN(cudaSuccess);
}

cudaError_t cudaProfilerStop(void)
{
    API_ENTER();
    API_RETURN(cudaSuccess);
}
