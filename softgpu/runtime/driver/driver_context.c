/**
 * @file driver_context.c
 * Driver API: contexts. Each device has its primary one, which the Runtime API uses, and a program may make more.
 *
 * They are handles: all contexts of a device share its memory, streams and modules, so what a context's end would
 * take with it lives on until the last one ends, and is then reported as never freed.
 */
#include "runtime/driver/driver_context.h"
#include "runtime/state/host_thread.h"

#define MAX_DEPTH 64
/** What cuCtxGetApiVersion() of CUDA 13 gives. */
#define CONTEXT_VERSION 3020

struct context *contexts;
static unsigned long long last_id;
static bool initialised;

static __thread struct context *stack[MAX_DEPTH];
static __thread int depth;

struct context *context_find(CUcontext handle)
{
    struct context *c = contexts;
    while (c && (CUcontext)c != handle)
        c = c->next;
    return c;
}

struct context *context_new(CUdevice device, bool primary)
{
    struct context *c = calloc(1, sizeof *c);
    if (!c)
        abort();
    *c = (struct context){.next = contexts, .device = device, .primary = primary, .id = ++last_id};
    return contexts = c;
}

struct context *context_primary(CUdevice device)
{
    for (struct context *c = contexts; c; c = c->next)
        if (c->primary && c->device == device)
            return c;
    return context_new(device, true);
}

bool context_is_device(CUdevice device)
{
    int count = 0;
    return cudaGetDeviceCount(&count) == cudaSuccess && device >= 0 && device < count;
}

bool driver_ready(void)
{
    return initialised || runtime.driver_ready || runtime.machine;
}

struct context *context_current(void)
{
    int device = 0;
    if (depth)
        return stack[depth - 1];
    if (!runtime_thread()->primary_current || cudaGetDevice(&device) != cudaSuccess)
        return NULL;
    struct context *c = context_primary(device);
    c->alive = true;
    return c;
}

CUcontext driver_current(void)
{
    return (CUcontext)context_current();
}

CUresult driver_has_context(void)
{
    struct context *c = context_current();
    return !c ? CUDA_ERROR_INVALID_CONTEXT : c->alive ? CUDA_SUCCESS : CUDA_ERROR_CONTEXT_IS_DESTROYED;
}

bool driver_context_lives(CUcontext handle)
{
    struct context *c = context_find(handle);
    return c && c->alive;
}

static CUresult init(unsigned flags)
{
    int count;
    CUresult r = flags ? CUDA_ERROR_INVALID_VALUE : driver_result(cudaGetDeviceCount(&count));
    initialised |= r == CUDA_SUCCESS;
    return r;
}

CUresult cuInit(unsigned flags)
{
    DRIVER_NEEDING(NEEDS_NOTHING, init(flags));
}

/* ---- what is current ---- */

static CUresult set_device(struct context *c)
{
    runtime_thread()->group = c ? c->green : NULL;
    return c ? driver_result(cudaSetDevice(c->device)) : CUDA_SUCCESS;
}

CUresult context_push(CUcontext handle)
{
    struct context *c = context_find(handle);
    if (!c)
        return CUDA_ERROR_INVALID_CONTEXT;
    if (!c->alive)
        return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    if (depth == MAX_DEPTH)
        return CUDA_ERROR_OUT_OF_MEMORY;
    if (!depth && context_current())
        stack[depth++] = context_current();
    stack[depth++] = c;
    return set_device(c);
}

CUresult context_pop(CUcontext *out)
{
    struct context *c = context_current();
    if (!c)
        return CUDA_ERROR_INVALID_CONTEXT;
    if (out)
        *out = (CUcontext)c;
    depth -= depth > 0;
    runtime_thread()->primary_current = false;
    return set_device(context_current());
}

static CUresult set_current(CUcontext handle)
{
    struct context *c = context_find(handle);
    if (handle && !c)
        return CUDA_ERROR_INVALID_CONTEXT;
    if (c && !c->alive)
        return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    depth -= depth > 0;
    runtime_thread()->primary_current = false;
    if (c)
        stack[depth++] = c;
    return set_device(c);
}

CUresult cuCtxPushCurrent(CUcontext context)
{
    DRIVER_NEEDING(NEEDS_INIT, context_push(context));
}

CUresult cuCtxPopCurrent(CUcontext *context)
{
    DRIVER_NEEDING(NEEDS_INIT, context_pop(context));
}

CUresult cuCtxSetCurrent(CUcontext context)
{
    DRIVER_NEEDING(NEEDS_INIT, set_current(context));
}

static CUresult get_current(CUcontext *out)
{
    if (!out)
        return CUDA_ERROR_INVALID_VALUE;
    *out = driver_current();
    return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *context)
{
    DRIVER_NEEDING(NEEDS_INIT, get_current(context));
}

/* ---- questions ---- */

/** The context that a handle means, NULL: the current one. */
static struct context *meant(CUcontext handle)
{
    return handle ? context_find(handle) : context_current();
}

static CUresult device_of(CUdevice *out, CUcontext handle)
{
    struct context *c = meant(handle);
    if (!out)
        return CUDA_ERROR_INVALID_VALUE;
    if (!c || !c->alive)
        return CUDA_ERROR_INVALID_CONTEXT;
    *out = c->device;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice *device)
{
    DRIVER(device_of(device, NULL));
}

CUresult cuCtxGetDevice_v2(CUdevice *device, CUcontext context)
{
    DRIVER_NEEDING(NEEDS_INIT, device_of(device, context));
}

static CUresult flags_of(unsigned *out)
{
    if (!out)
        return CUDA_ERROR_INVALID_VALUE;
    const struct context *c = context_current();
    *out = c->primary ? runtime.devices[c->device].flags | CU_CTX_MAP_HOST : c->flags;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetFlags(unsigned *flags)
{
    DRIVER(flags_of(flags));
}

/* The primary context has those of its device, which the Runtime API sets, too; what cuDevicePrimaryCtxGetState() tells stays as it is. */
static CUresult set_flags(unsigned flags)
{
    struct context *c = context_current();
    if (flags & ~CONTEXT_FLAGS)
        return CUDA_ERROR_INVALID_VALUE;
    *(c->primary ? &runtime.devices[c->device].flags : &c->flags) = flags & ~(unsigned)CU_CTX_MAP_HOST;
    return CUDA_SUCCESS;
}

CUresult cuCtxSetFlags(unsigned flags)
{
    DRIVER(set_flags(flags));
}

static CUresult id_of(CUcontext handle, unsigned long long *out)
{
    struct context *c = meant(handle);
    if (!out)
        return CUDA_ERROR_INVALID_VALUE;
    if (!c || !c->alive)
        return CUDA_ERROR_INVALID_CONTEXT;
    *out = c->id;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetId(CUcontext context, unsigned long long *id)
{
    DRIVER_NEEDING(NEEDS_INIT, id_of(context, id));
}

static CUresult version_of(CUcontext handle, unsigned *out)
{
    struct context *c = meant(handle);
    if (!c || !c->alive)
        return CUDA_ERROR_INVALID_CONTEXT;
    if (!out)
        return CUDA_ERROR_INVALID_VALUE;
    *out = CONTEXT_VERSION;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetApiVersion(CUcontext context, unsigned *version)
{
    DRIVER_NEEDING(NEEDS_INIT, version_of(context, version));
}
