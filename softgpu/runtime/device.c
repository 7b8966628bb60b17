/**
 * @file device.c
 * The devices: count, choice, limits, flags, peers, versions.
 */
#include <stdio.h>
#include <string.h>

#include "runtime/state/entry.h"
#include "runtime/state/runtime.h"
#include "runtime/state/stream.h"

/** CUDA 13.0, as cudaRuntimeGetVersion() tells it. */
#define VERSION 13000

int device_now(void)
{
    return runtime_thread()->device;
}

struct device_state *device_state_now(void)
{
    return &runtime.devices[device_now()];
}

bool device_exists(int device)
{
    return device >= 0 && device < runtime.options.devices;
}

int device_work_for(int device)
{
    int before = device_now();
    runtime_thread()->device = device;
    if (runtime.machine)
        memory_choose(machine_memory(runtime.machine), device);
    return before;
}

cudaError_t cudaGetDeviceCount(int *count)
{
    runtime_enter_device();
    if (!count)
        API_RETURN(cudaErrorInvalidValue);
    *count = runtime.options.devices;
    API_RETURN(runtime.start_error);
}

cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *p)
{
    runtime_enter_device();
    if (!device || !p)
        API_RETURN(cudaErrorInvalidValue);
    *device = 0;
    API_RETURN(cudaSuccess);
}

cudaError_t cudaSetDevice(int device)
{
    API_NOTE();
    runtime_enter_device();
    if (!device_exists(device)) {
        runtime_say("cudaSetDevice(%d): the program has %d device%s, numbered from 0; softgpu --devices N (SOFTGPU_DEVICES) "
                    "gives it more", device, runtime.options.devices, runtime.options.devices > 1 ? "s" : "");
        API_RETURN(cudaErrorInvalidDevice);
    }
    runtime_thread()->device = device;
    if (!runtime_thread()->driver_call) /* since CUDA 12 this call makes the device's own context, and makes it current */
        runtime_thread()->primary_current = runtime.primary_used = true;
    API_RETURN(runtime_failed_to_start());
}

cudaError_t cudaInitDevice(int device, unsigned device_flags, unsigned flags)
{
    API_ENTER();
    if (!device_exists(device))
        API_RETURN(cudaErrorInvalidDevice);
    if (flags & ~(unsigned)cudaInitDeviceFlagsAreValid)
        API_RETURN(cudaErrorInvalidValue);
    if (flags)
        runtime.devices[device].flags = device_flags;
    API_RETURN(cudaSuccess);
}

cudaError_t cudaGetDevice(int *device)
{
    runtime_enter_device();
    if (runtime_thread()->in_host_function)
        API_RETURN(cudaErrorNotPermitted);
    if (!device)
        API_RETURN(cudaErrorInvalidValue);
    *device = device_now();
    API_RETURN(cudaSuccess);
}

cudaError_t cudaSetValidDevices(int *list, int count)
{
    runtime_enter_light();
    if (count < 0 || (count && !list))
        API_RETURN(cudaErrorInvalidValue);
    for (int i = 0; i < count; i++)
        if (!device_exists(list[i]))
            API_RETURN(cudaErrorInvalidDevice);
    API_RETURN(cudaSuccess);
}

cudaError_t cudaSetDeviceFlags(unsigned flags)
{
    runtime_enter_light();
    if (flags & ~(unsigned)cudaDeviceMask)
        API_RETURN(cudaErrorInvalidValue);
    device_state_now()->flags = flags;
    API_RETURN(cudaSuccess);
}

cudaError_t cudaGetDeviceFlags(unsigned *flags)
{
    API_ENTER();
    if (!flags)
        API_RETURN(cudaErrorInvalidValue);
    *flags = device_state_now()->flags | cudaDeviceMapHost;
    API_RETURN(cudaSuccess);
}

/* A reset also clears a fault: work starts anew. */
cudaError_t cudaDeviceReset(void)
{
    cudaError_t e = runtime_enter_faulty();
    if (e)
        API_RETURN(e);
    device_wait("cudaDeviceReset");
    if (runtime.options.devices == 1 || runtime.sticky)
        runtime_reset();
    else
        device_reset(device_now());
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
    *value = device_state_now()->limits[limit];
    API_RETURN(cudaSuccess);
}

/** Bytes that printf's buffer has at least; it has whole quarters of a kilobyte (an H200's). */
#define LEAST_PRINTED 524288u

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    API_ENTER();
    if ((unsigned)limit > cudaLimitPersistingL2CacheSize)
        API_RETURN(cudaErrorInvalidValue);
    if (limit == cudaLimitDevRuntimeSyncDepth)
        API_RETURN(cudaErrorUnsupportedLimit);
    if (limit == cudaLimitPrintfFifoSize) {
        if (machine_has_printed(runtime.machine))
            API_RETURN(cudaErrorInvalidValue);
        value = value < LEAST_PRINTED ? LEAST_PRINTED : value > SIZE_MAX - 255 ? value : (value + 255) / 256 * 256;
    }
    device_state_now()->limits[limit] = value;
    if (limit == cudaLimitStackSize)
        machine_set_stack_limit(runtime.machine, value);
    if (limit == cudaLimitMallocHeapSize)
        machine_set_heap_limit(runtime.machine, value);
    API_RETURN(cudaSuccess);
}

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config)
{
    API_ENTER();
    if (!config)
        API_RETURN(cudaErrorInvalidValue);
    *config = device_state_now()->cache_config;
    API_RETURN(cudaSuccess);
}

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config)
{
    API_ENTER();
    if ((unsigned)config > cudaFuncCachePreferEqual)
        API_RETURN(cudaErrorInvalidValue);
    device_state_now()->cache_config = config;
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
    runtime_enter_device();
    if (!text || len < 13)
        API_RETURN(cudaErrorInvalidValue);
    if (!device_exists(device))
        API_RETURN(cudaErrorInvalidDevice);
    snprintf(text, (size_t)len, "0000:%02x:00.0", 1 + device);
    API_RETURN(cudaSuccess);
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *text)
{
    runtime_enter_device();
    unsigned domain = 0, bus, slot, function = 0;
    if (!device || !text)
        API_RETURN(cudaErrorInvalidValue);
    if (sscanf(text, "%x:%x:%x.%x", &domain, &bus, &slot, &function) < 3) {
        domain = 0;
        if (sscanf(text, "%x:%x.%x", &bus, &slot, &function) < 2)
            API_RETURN(cudaErrorInvalidValue);
    }
    if (domain || !device_exists((int)bus - 1) || slot || function)
        API_RETURN(cudaErrorInvalidDevice);
    *device = (int)bus - 1;
    API_RETURN(cudaSuccess);
}

/* ---- peers: each device can access each other (as two H200 do, by NVLink) ---- */

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    runtime_enter_device();
    if (!can)
        API_RETURN(cudaErrorInvalidValue);
    if (!device_exists(device) || !device_exists(peer))
        API_RETURN(cudaErrorInvalidDevice);
    *can = device != peer;
    API_RETURN(cudaSuccess);
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags)
{
    API_ENTER();
    struct device_state *d = device_state_now();
    if (flags)
        API_RETURN(cudaErrorInvalidValue);
    if (!device_exists(peer))
        API_RETURN(cudaErrorInvalidDevice);
    if (peer == device_now())
        API_RETURN(cudaErrorPeerAccessUnsupported);
    if (d->peers >> peer & 1)
        API_RETURN(cudaErrorPeerAccessAlreadyEnabled);
    d->peers |= 1u << peer;
    memory_let(machine_memory(runtime.machine), device_now(), peer, true);
    API_RETURN(cudaSuccess);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
    API_ENTER();
    struct device_state *d = device_state_now();
    if (!device_exists(peer))
        API_RETURN(cudaErrorInvalidDevice);
    if (!(d->peers >> peer & 1))
        API_RETURN(cudaErrorPeerAccessNotEnabled);
    device_wait("cudaDeviceDisablePeerAccess"); /* what is under way has it still */
    d->peers &= ~(1u << peer);
    memory_let(machine_memory(runtime.machine), device_now(), peer, false);
    API_RETURN(cudaSuccess);
}

cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attr, int from, int to)
{
    runtime_enter_device();
    if (!value)
        API_RETURN(cudaErrorInvalidValue);
    if (!device_exists(from) || !device_exists(to) || from == to)
        API_RETURN(cudaErrorInvalidDevice);
    switch (attr) {
    case cudaDevP2PAttrPerformanceRank:
    case cudaDevP2PAttrCudaArrayAccessSupported:
        *value = 0;
        break;
    case cudaDevP2PAttrAccessSupported:
    case cudaDevP2PAttrNativeAtomicSupported:
        *value = 1;
        break;
    default:
        API_RETURN(cudaErrorInvalidValue);
    }
    API_RETURN(cudaSuccess);
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
