/**
 * @file driver_device.c
 * Driver API: set-up, errors, the device, its one context, streams and events.
 */
#include <stdio.h>
#include <string.h>

#include "runtime/driver/driver.h"

/** The primary context's handle: there is one, and it is always current. */
static char primary;

CUresult cuInit(unsigned flags)
{
    return flags ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult cuDriverGetVersion(int *version)
{
    return driver_result(cudaDriverGetVersion(version));
}

CUresult cuGetErrorString(CUresult error, const char **text)
{
    *text = cudaGetErrorString((cudaError_t)error);
    if (strcmp(*text, "unrecognized error code"))
        return CUDA_SUCCESS;
    *text = NULL;
    return CUDA_ERROR_INVALID_VALUE;
}

/* The Driver API names its codes itself; these are the ones that its calls here can return. */
CUresult cuGetErrorName(CUresult error, const char **text)
{
    static const struct {
        CUresult code;
        const char *name;
    } names[] = {
#define NAME(code) {code, #code}
        NAME(CUDA_SUCCESS), NAME(CUDA_ERROR_INVALID_VALUE), NAME(CUDA_ERROR_OUT_OF_MEMORY),
        NAME(CUDA_ERROR_NOT_INITIALIZED), NAME(CUDA_ERROR_DEINITIALIZED),
        NAME(CUDA_ERROR_NO_DEVICE), NAME(CUDA_ERROR_INVALID_DEVICE),
        NAME(CUDA_ERROR_INVALID_IMAGE), NAME(CUDA_ERROR_INVALID_CONTEXT),
        NAME(CUDA_ERROR_NO_BINARY_FOR_GPU), NAME(CUDA_ERROR_INVALID_PTX),
        NAME(CUDA_ERROR_UNSUPPORTED_PTX_VERSION), NAME(CUDA_ERROR_FILE_NOT_FOUND),
        NAME(CUDA_ERROR_INVALID_HANDLE), NAME(CUDA_ERROR_NOT_FOUND), NAME(CUDA_ERROR_NOT_READY),
        NAME(CUDA_ERROR_ILLEGAL_ADDRESS), NAME(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES),
        NAME(CUDA_ERROR_LAUNCH_TIMEOUT), NAME(CUDA_ERROR_ASSERT),
        NAME(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED),
        NAME(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED), NAME(CUDA_ERROR_ILLEGAL_INSTRUCTION),
        NAME(CUDA_ERROR_MISALIGNED_ADDRESS), NAME(CUDA_ERROR_LAUNCH_FAILED),
        NAME(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE), NAME(CUDA_ERROR_NOT_PERMITTED),
        NAME(CUDA_ERROR_NOT_SUPPORTED), NAME(CUDA_ERROR_UNKNOWN),
#undef NAME
    };
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
        if (names[i].code == error) {
            *text = names[i].name;
            return CUDA_SUCCESS;
        }
    *text = NULL;
    return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
    if (!device)
        return CUDA_ERROR_INVALID_VALUE;
    *device = 0;
    return ordinal ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *count)
{
    return driver_result(cudaGetDeviceCount(count));
}

CUresult cuDeviceGetName(char *name, int len, CUdevice device)
{
    struct cudaDeviceProp p;
    if (!name || len <= 0)
        return CUDA_ERROR_INVALID_VALUE;
    cudaError_t e = cudaGetDeviceProperties(&p, device);
    if (!e)
        snprintf(name, (size_t)len, "%s", p.name);
    return driver_result(e);
}

CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device)
{
    struct cudaDeviceProp p;
    cudaError_t e = uuid ? cudaGetDeviceProperties(&p, device) : cudaErrorInvalidValue;
    if (!e)
        memcpy(uuid, &p.uuid, sizeof *uuid);
    return driver_result(e);
}

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device)
{
    struct cudaDeviceProp p;
    cudaError_t e = bytes ? cudaGetDeviceProperties(&p, device) : cudaErrorInvalidValue;
    if (!e)
        *bytes = p.totalGlobalMem;
    return driver_result(e);
}

/* The two APIs number attributes alike. */
CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attr, CUdevice device)
{
    return driver_result(cudaDeviceGetAttribute(value, (enum cudaDeviceAttr)attr, device));
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
    if (!context)
        return CUDA_ERROR_INVALID_VALUE;
    *context = (CUcontext)&primary;
    return device ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device)
{
    return device ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags, int *active)
{
    if (flags)
        *flags = 0;
    if (active)
        *active = 1;
    return device ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *context)
{
    return cuDevicePrimaryCtxRetain(context, 0);
}

CUresult cuCtxSetCurrent(CUcontext context)
{
    return !context || context == (CUcontext)&primary ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuCtxPushCurrent(CUcontext context)
{
    return cuCtxSetCurrent(context);
}

CUresult cuCtxPopCurrent(CUcontext *context)
{
    if (context)
        *context = (CUcontext)&primary;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice *device)
{
    return cuDeviceGet(device, 0);
}

CUresult cuCtxSynchronize(void)
{
    return driver_result(cudaDeviceSynchronize());
}

CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest)
{
    return driver_result(cudaDeviceGetStreamPriorityRange(least, greatest));
}

CUresult cuCtxGetLimit(size_t *value, CUlimit limit)
{
    return driver_result(cudaDeviceGetLimit(value, (enum cudaLimit)limit));
}

CUresult cuCtxSetLimit(CUlimit limit, size_t value)
{
    return driver_result(cudaDeviceSetLimit((enum cudaLimit)limit, value));
}

/* ---- streams and events: the handles are the runtime's ---- */

CUresult cuStreamCreate(CUstream *stream, unsigned flags)
{
    return driver_result(cudaStreamCreateWithFlags(stream, flags));
}

CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned flags, int priority)
{
    return driver_result(cudaStreamCreateWithPriority(stream, flags, priority));
}

CUresult cuStreamDestroy(CUstream stream)
{
    return driver_result(cudaStreamDestroy(stream));
}

CUresult cuStreamSynchronize(CUstream stream)
{
    return driver_result(cudaStreamSynchronize(stream));
}

CUresult cuStreamQuery(CUstream stream)
{
    return driver_result(cudaStreamQuery(stream));
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags)
{
    return driver_result(cudaStreamWaitEvent(stream, event, flags));
}

CUresult cuStreamGetFlags(CUstream stream, unsigned *flags)
{
    return driver_result(cudaStreamGetFlags(stream, flags));
}

CUresult cuStreamGetPriority(CUstream stream, int *priority)
{
    return driver_result(cudaStreamGetPriority(stream, priority));
}

CUresult cuStreamGetId(CUstream stream, unsigned long long *id)
{
    return driver_result(cudaStreamGetId(stream, id));
}

CUresult cuStreamGetCtx(CUstream stream, CUcontext *context)
{
    unsigned flags;
    CUresult r = cuStreamGetFlags(stream, &flags);
    return r ? r : cuCtxGetCurrent(context);
}

CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status)
{
    return driver_result(cudaStreamIsCapturing(stream, (enum cudaStreamCaptureStatus *)status));
}

CUresult cuLaunchHostFunc(CUstream stream, CUhostFn fn, void *data)
{
    return driver_result(cudaLaunchHostFunc(stream, fn, data));
}

CUresult cuEventCreate(CUevent *event, unsigned flags)
{
    return driver_result(cudaEventCreateWithFlags(event, flags));
}

CUresult cuEventDestroy(CUevent event)
{
    return driver_result(cudaEventDestroy(event));
}

CUresult cuEventRecord(CUevent event, CUstream stream)
{
    return driver_result(cudaEventRecord(event, stream));
}

CUresult cuEventQuery(CUevent event)
{
    return driver_result(cudaEventQuery(event));
}

CUresult cuEventSynchronize(CUevent event)
{
    return driver_result(cudaEventSynchronize(event));
}

CUresult cuEventElapsedTime(float *ms, CUevent start, CUevent end)
{
    return driver_result(cudaEventElapsedTime(ms, start, end));
}
