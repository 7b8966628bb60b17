/**
 * @file driver_context_life.c
 * Driver API: contexts come and go.
 */
#include "runtime/driver/driver_context.h"

static CUresult create(CUcontext *out, unsigned flags, CUdevice device)
{
    if (!out || (flags & ~CONTEXT_FLAGS) || (flags & CU_CTX_SCHED_MASK) > CU_CTX_SCHED_BLOCKING_SYNC)
        return CUDA_ERROR_INVALID_VALUE;
    if (!context_is_device(device))
        return CUDA_ERROR_INVALID_DEVICE;
    struct context *c = context_new(device, false);
    c->alive = true;
    c->flags = flags;
    *out = (CUcontext)c;
    return context_push(*out);
}

/* The last context has ended: all that is on the device goes. */
static CUresult ended(void)
{
    for (struct context *c = contexts; c; c = c->next)
        if (c->alive)
            return CUDA_SUCCESS;
    return runtime.primary_used || !runtime.machine ? CUDA_SUCCESS : driver_result(cudaDeviceReset());
}

static CUresult destroy(CUcontext handle)
{
    struct context *c = context_find(handle);
    if (!handle)
        return CUDA_ERROR_INVALID_VALUE;
    if (!c || c->primary || c->green)
        return CUDA_ERROR_INVALID_CONTEXT;
    if (!c->alive)
        return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    if (context_current() == c)
        context_pop(NULL);
    c->alive = false;
    return ended();
}

static CUresult create_v4(CUcontext *out, CUctxCreateParams *params, unsigned flags, CUdevice device)
{
    if (params && (params->execAffinityParams || params->cigParams))
        return driver_result(runtime_unsupported("a context for a part of the device"));
    return create(out, flags, device);
}

static CUresult create_v3(CUcontext *out, const CUexecAffinityParam *params, int count, unsigned flags,
                          CUdevice device)
{
    if (params && count)
        return driver_result(runtime_unsupported("a context for a part of the device"));
    return create(out, flags, device);
}

CUresult cuCtxCreate(CUcontext *context, CUctxCreateParams *params, unsigned flags, CUdevice device)
{
    DRIVER_NEEDING(NEEDS_INIT, create_v4(context, params, flags, device));
}

/* The forms of CUDA 11.4 and 3.2. */
CUresult cuCtxCreate_v3(CUcontext *context, CUexecAffinityParam *params, int count, unsigned flags, CUdevice device);
CUresult cuCtxCreate_v2(CUcontext *context, unsigned flags, CUdevice device);

CUresult cuCtxCreate_v3(CUcontext *context, CUexecAffinityParam *params, int count, unsigned flags, CUdevice device)
{
    DRIVER_NEEDING(NEEDS_INIT, create_v3(context, params, count, flags, device));
}

CUresult cuCtxCreate_v2(CUcontext *context, unsigned flags, CUdevice device)
{
    DRIVER_NEEDING(NEEDS_INIT, create(context, flags, device));
}

CUresult cuCtxDestroy(CUcontext context)
{
    DRIVER_NEEDING(NEEDS_INIT, destroy(context));
}

static CUresult attach(CUcontext *out, unsigned flags)
{
    if (!out || flags)
        return CUDA_ERROR_INVALID_VALUE;
    *out = driver_current();
    context_current()->attached++;
    return CUDA_SUCCESS;
}

CUresult cuCtxAttach(CUcontext *context, unsigned flags)
{
    DRIVER(attach(context, flags));
}

static CUresult detach(CUcontext handle)
{
    struct context *c = context_find(handle);
    if (!c || !c->attached)
        return destroy(handle);
    c->attached--;
    return CUDA_SUCCESS;
}

CUresult cuCtxDetach(CUcontext context)
{
    DRIVER_NEEDING(NEEDS_INIT, detach(context));
}

/* ---- the primary context ---- */

static CUresult retain(CUcontext *out, CUdevice device)
{
    if (!out)
        return CUDA_ERROR_INVALID_VALUE;
    if (!context_is_device(device))
        return CUDA_ERROR_INVALID_DEVICE;
    struct context *c = context_primary(device);
    c->alive = true;
    c->users++;
    *out = (CUcontext)c;
    return CUDA_SUCCESS;
}

static CUresult release(CUdevice device)
{
    if (!context_is_device(device))
        return CUDA_ERROR_INVALID_DEVICE;
    struct context *c = context_primary(device);
    if (!c->users)
        return CUDA_ERROR_INVALID_CONTEXT;
    if (--c->users || runtime.primary_used)
        return CUDA_SUCCESS;
    c->alive = false;
    return ended();
}

static CUresult reset(CUdevice device)
{
    if (!context_is_device(device))
        return CUDA_ERROR_INVALID_DEVICE;
    context_primary(device)->alive = false;
    runtime.primary_used = false;
    return ended();
}

static CUresult primary_state(CUdevice device, unsigned *flags, int *active)
{
    if (!context_is_device(device))
        return CUDA_ERROR_INVALID_DEVICE;
    if (!flags || !active)
        return CUDA_ERROR_INVALID_VALUE;
    *flags = context_primary(device)->flags;
    *active = context_primary(device)->alive || runtime.primary_used;
    return CUDA_SUCCESS;
}

static CUresult set_primary_flags(CUdevice device, unsigned flags)
{
    if (!context_is_device(device))
        return CUDA_ERROR_INVALID_DEVICE;
    if (flags & ~CONTEXT_FLAGS)
        return CUDA_ERROR_INVALID_VALUE;
    context_primary(device)->flags = runtime.devices[device].flags = flags;
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
    DRIVER_NEEDING(NEEDS_INIT, retain(context, device));
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device)
{
    DRIVER_NEEDING(NEEDS_INIT, release(device));
}

CUresult cuDevicePrimaryCtxReset(CUdevice device)
{
    DRIVER_NEEDING(NEEDS_INIT, reset(device));
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags, int *active)
{
    DRIVER_NEEDING(NEEDS_INIT, primary_state(device, flags, active));
}

CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned flags)
{
    DRIVER_NEEDING(NEEDS_INIT, set_primary_flags(device, flags));
}
