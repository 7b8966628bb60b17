/**
 * @file driver_lookup.c
 * Finding Driver API functions by name: cudaGetDriverEntryPoint, cuGetProcAddress.
 */
#include <string.h>

#include "runtime/driver/driver.h"

static const struct {
    const char *name;
    void *function;
} entries[] = {
#define ENTRY(name) {#name, (void *)name}
    ENTRY(cuInit), ENTRY(cuDriverGetVersion), ENTRY(cuGetErrorString), ENTRY(cuGetErrorName),
    ENTRY(cuDeviceGet), ENTRY(cuDeviceGetCount), ENTRY(cuDeviceGetName), ENTRY(cuDeviceGetUuid),
    ENTRY(cuDeviceTotalMem), ENTRY(cuDeviceGetAttribute), ENTRY(cuDevicePrimaryCtxRetain),
    ENTRY(cuDevicePrimaryCtxRelease), ENTRY(cuDevicePrimaryCtxGetState), ENTRY(cuCtxGetCurrent),
    ENTRY(cuCtxSetCurrent), ENTRY(cuCtxPushCurrent), ENTRY(cuCtxPopCurrent),
    ENTRY(cuCtxGetDevice), ENTRY(cuCtxSynchronize), ENTRY(cuCtxGetStreamPriorityRange),
    ENTRY(cuCtxGetLimit), ENTRY(cuCtxSetLimit), ENTRY(cuStreamCreate),
    ENTRY(cuStreamCreateWithPriority), ENTRY(cuStreamDestroy), ENTRY(cuStreamSynchronize),
    ENTRY(cuStreamQuery), ENTRY(cuStreamWaitEvent), ENTRY(cuStreamGetFlags),
    ENTRY(cuStreamGetPriority), ENTRY(cuStreamGetId), ENTRY(cuStreamGetCtx),
    ENTRY(cuStreamIsCapturing), ENTRY(cuLaunchHostFunc), ENTRY(cuEventCreate),
    ENTRY(cuEventDestroy), ENTRY(cuEventRecord), ENTRY(cuEventQuery), ENTRY(cuEventSynchronize),
    ENTRY(cuEventElapsedTime), ENTRY(cuMemAlloc), ENTRY(cuMemAllocPitch), ENTRY(cuMemFree),
    ENTRY(cuMemAllocAsync), ENTRY(cuMemFreeAsync), ENTRY(cuMemAllocHost), ENTRY(cuMemHostAlloc),
    ENTRY(cuMemFreeHost), ENTRY(cuMemAllocManaged), ENTRY(cuMemHostRegister),
    ENTRY(cuMemHostUnregister), ENTRY(cuMemHostGetDevicePointer), ENTRY(cuMemGetInfo),
    ENTRY(cuMemGetAddressRange), ENTRY(cuPointerGetAttribute), ENTRY(cuMemcpy),
    ENTRY(cuMemcpyAsync), ENTRY(cuMemcpyHtoD), ENTRY(cuMemcpyDtoH), ENTRY(cuMemcpyDtoD),
    ENTRY(cuMemcpyHtoDAsync), ENTRY(cuMemcpyDtoHAsync), ENTRY(cuMemcpyDtoDAsync),
    ENTRY(cuMemsetD8), ENTRY(cuMemsetD16), ENTRY(cuMemsetD32), ENTRY(cuMemsetD8Async),
    ENTRY(cuMemsetD16Async), ENTRY(cuMemsetD32Async), ENTRY(cuLibraryLoadData),
    ENTRY(cuLibraryLoadFromFile), ENTRY(cuLibraryUnload), ENTRY(cuLibraryGetKernel),
    ENTRY(cuLibraryGetGlobal), ENTRY(cuLibraryGetManaged), ENTRY(cuLibraryGetKernelCount),
    ENTRY(cuLibraryEnumerateKernels), ENTRY(cuLibraryGetModule), ENTRY(cuModuleLoad),
    ENTRY(cuModuleLoadData), ENTRY(cuModuleLoadDataEx), ENTRY(cuModuleLoadFatBinary),
    ENTRY(cuModuleUnload), ENTRY(cuModuleGetFunction), ENTRY(cuModuleGetGlobal),
    ENTRY(cuKernelGetFunction), ENTRY(cuFuncGetAttribute), ENTRY(cuKernelGetAttribute),
    ENTRY(cuFuncSetAttribute), ENTRY(cuKernelSetAttribute), ENTRY(cuFuncGetName),
    ENTRY(cuOccupancyMaxActiveBlocksPerMultiprocessor), ENTRY(cuLaunchKernel),
    ENTRY(cuLaunchCooperativeKernel), ENTRY(cuLaunchKernelEx), ENTRY(cuGetProcAddress),
    ENTRY(cuTensorMapEncodeTiled), ENTRY(cuTensorMapReplaceAddress),
#undef ENTRY
};

void *driver_lookup(const char *name)
{
    for (unsigned i = 0; i < sizeof entries / sizeof entries[0]; i++)
        if (!strcmp(entries[i].name, name))
            return entries[i].function;
    return NULL;
}

/* A name that is not there is answered as a driver without it would. */
static bool find(const char *name, void **out)
{
    *out = driver_lookup(name);
    if (!*out)
        runtime_say("the Driver API's %s is not there", name);
    return *out;
}

CUresult cuGetProcAddress(const char *name, void **out, int version, cuuint64_t flags,
                          CUdriverProcAddressQueryResult *status)
{
    (void)flags;
    if (!name || !out || version <= 0)
        return CUDA_ERROR_INVALID_VALUE;
    bool found = find(name, out);
    if (status)
        *status = found ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    return found || status ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

static cudaError_t entry_point(const char *name, void **out, unsigned long long flags,
                               enum cudaDriverEntryPointQueryResult *status)
{
    if (!name || !*name || !out || flags > cudaEnablePerThreadDefaultStream)
        return cudaErrorInvalidValue;
    bool found = find(name, out);
    if (status)
        *status = found ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
    return found || status ? cudaSuccess : cudaErrorSymbolNotFound;
}

cudaError_t cudaGetDriverEntryPoint(const char *name, void **out, unsigned long long flags,
                                    enum cudaDriverEntryPointQueryResult *status)
{
    runtime_enter_light();
    API_RETURN(entry_point(name, out, flags, status));
}

cudaError_t cudaGetDriverEntryPointByVersion(const char *name, void **out, unsigned version,
                                             unsigned long long flags,
                                             enum cudaDriverEntryPointQueryResult *status)
{
    runtime_enter_light();
    if (!version)
        API_RETURN(cudaErrorInvalidValue);
    API_RETURN(entry_point(name, out, flags, status));
}
