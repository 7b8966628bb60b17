/**
 * @file device_link.c
 * What goes over a device's links: atomics, writes of other devices, and notices about its memory, of which here there never is one.
 */
#include <stdlib.h>

#include "runtime/state/entry.h"
#include "runtime/state/runtime.h"

/* ---- atomics ---- */

static cudaError_t asked(const unsigned *out, const enum cudaAtomicOperation *list, unsigned count)
{
    if (!out || !list || !count)
        return cudaErrorInvalidValue;
    for (unsigned i = 0; i < count; i++)
        if ((unsigned)list[i] > cudaAtomicOperationFloatMax)
            return cudaErrorInvalidValue;
    return cudaSuccess;
}

/* Over PCIe an H200 has none, nor an attribute that says so (cudaDevAttrHostNativeAtomicSupported). */
cudaError_t cudaDeviceGetHostAtomicCapabilities(unsigned *out, const enum cudaAtomicOperation *list, unsigned count, int device)
{
    runtime_enter_device();
    cudaError_t e = asked(out, list, count);
    if (!e && !device_exists(device))
        e = cudaErrorInvalidDevice;
    for (unsigned i = 0; i < count && !e; i++)
        out[i] = 0;
    API_RETURN(e);
}

/* What NVLink has natively of each operation is not recorded. */
cudaError_t cudaDeviceGetP2PAtomicCapabilities(unsigned *out, const enum cudaAtomicOperation *list, unsigned count, int from, int to)
{
    runtime_enter_device();
    cudaError_t e = asked(out, list, count);
    if (!e && (!device_exists(from) || !device_exists(to) || from == to))
        e = cudaErrorInvalidDevice;
    API_RETURN(e ? e : runtime_unsupported("cudaDeviceGetP2PAtomicCapabilities for two devices"));
}

/* ---- writes of network cards and the like: there are none ---- */

cudaError_t cudaDeviceFlushGPUDirectRDMAWrites(enum cudaFlushGPUDirectRDMAWritesTarget target,
                                               enum cudaFlushGPUDirectRDMAWritesScope scope)
{
    API_ENTER();
    API_RETURN(target == cudaFlushGPUDirectRDMAWritesTargetCurrentDevice &&
                       (scope == cudaFlushGPUDirectRDMAWritesToOwner || scope == cudaFlushGPUDirectRDMAWritesToAllDevices)
                   ? cudaSuccess
                   : cudaErrorInvalidValue);
}

/* ---- notices that a process uses more memory than it may: nobody bounds it here, so none comes ---- */

struct cudaAsyncCallbackEntry {
    struct cudaAsyncCallbackEntry *next;
    int device;
};
static struct cudaAsyncCallbackEntry *callbacks;

cudaError_t cudaDeviceRegisterAsyncNotification(int device, cudaAsyncCallback function, void *data, cudaAsyncCallbackHandle_t *out)
{
    (void)data;
    API_ENTER();
    if (!device_exists(device))
        API_RETURN(cudaErrorInvalidDevice);
    if (!function || !out) /* without a place for the handle the process ends there */
        API_RETURN(cudaErrorInvalidValue);
    struct cudaAsyncCallbackEntry *c = malloc(sizeof *c);
    if (!c)
        abort();
    *c = (struct cudaAsyncCallbackEntry){callbacks, device};
    *out = callbacks = c;
    API_RETURN(cudaSuccess);
}

/* What is no handle is an error here, where there the process ends. */
cudaError_t cudaDeviceUnregisterAsyncNotification(int device, cudaAsyncCallbackHandle_t handle)
{
    API_ENTER();
    for (struct cudaAsyncCallbackEntry **at = &callbacks; *at; at = &(*at)->next)
        if (*at == handle && handle->device == device) {
            *at = handle->next;
            free(handle);
            API_RETURN(cudaSuccess);
        }
    API_RETURN(cudaErrorInvalidValue);
}
