/**
 * @file driver_settings.c
 * Driver API: what holds for a context: waiting for it, its limits, configurations and peers.
 */
#include "runtime/driver/driver_green.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* old calls exist here, too */

CUresult cuCtxSynchronize(void)
{
    RUNTIME(cudaDeviceSynchronize());
}

CUresult cuCtxSynchronize_v2(CUcontext context)
{
    if (!context)
        RUNTIME(cudaDeviceSynchronize());
    DRIVER_NEEDING(NEEDS_INIT, driver_context_lives(context) ? green_synchronize(context) : CUDA_ERROR_INVALID_CONTEXT);
}

CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest)
{
    RUNTIME(cudaDeviceGetStreamPriorityRange(least, greatest));
}

/* Both APIs number limits alike. */
CUresult cuCtxGetLimit(size_t *value, CUlimit limit)
{
    RUNTIME(cudaDeviceGetLimit(value, (enum cudaLimit)limit));
}

CUresult cuCtxSetLimit(CUlimit limit, size_t value)
{
    RUNTIME(cudaDeviceSetLimit((enum cudaLimit)limit, value));
}

CUresult cuCtxGetCacheConfig(CUfunc_cache *config)
{
    RUNTIME(cudaDeviceGetCacheConfig((enum cudaFuncCache *)config));
}

CUresult cuCtxSetCacheConfig(CUfunc_cache config)
{
    RUNTIME(cudaDeviceSetCacheConfig((enum cudaFuncCache)config));
}

CUresult cuCtxGetSharedMemConfig(CUsharedconfig *config)
{
    RUNTIME(cudaDeviceGetSharedMemConfig((enum cudaSharedMemConfig *)config));
}

CUresult cuCtxSetSharedMemConfig(CUsharedconfig config)
{
    RUNTIME(cudaDeviceSetSharedMemConfig((enum cudaSharedMemConfig)config));
}

CUresult cuCtxResetPersistingL2Cache(void)
{
    RUNTIME(cudaCtxResetPersistingL2Cache());
}

/* ---- peers: by context here, by device in the Runtime API ---- */

static CUresult peer(CUcontext handle, bool enable, unsigned flags)
{
    CUdevice device;
    CUresult r = handle ? cuCtxGetDevice_v2(&device, handle) : CUDA_ERROR_INVALID_CONTEXT;
    if (r)
        return r;
    return driver_result(enable ? cudaDeviceEnablePeerAccess(device, flags) : cudaDeviceDisablePeerAccess(device));
}

CUresult cuCtxEnablePeerAccess(CUcontext context, unsigned flags)
{
    DRIVER(peer(context, true, flags));
}

CUresult cuCtxDisablePeerAccess(CUcontext context)
{
    DRIVER(peer(context, false, 0));
}
