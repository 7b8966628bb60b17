/**
 * @file driver_context.c
 * Driver API: contexts. Each device has its primary one, which the Runtime API uses, and a program may make more.
 *
 * They are handles: all contexts of a device share its memory, streams and modules, so what a context's end would
 * take with it lives on until the last one ends, and is then reported as never freed.
 */
#include "runtime/driver/driver.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* old calls exist here, too */

#define MAX_DEPTH 64
/** What cuCtxGetApiVersion() of CUDA 13 gives. */
#define CONTEXT_VERSION 3020

/** What CUcontext points to. Never freed: an old handle must not come to mean another context. */
struct context {
    struct context *next;
    CUdevice device;
    bool primary, alive;
    unsigned flags, users;         /**< users: cuDevicePrimaryCtxRetain() without a release */
    unsigned long long id;
};

static struct context *contexts;
static unsigned long long last_id;
static bool initialised;

static __thread struct context *stack[MAX_DEPTH];
static __thread int depth;

static struct context *find(CUcontext handle)
{
    struct context *c = contexts;
    while (c && (CUcontext)c != handle)
        c = c->next;
    return c;
}

static struct context *new_context(CUdevice device, bool primary)
{
    struct context *c = calloc(1, sizeof *c);
    if (!c)
        abort();
    *c = (struct context){.next = contexts, .device = device, .primary = primary, .id = ++last_id};
    return contexts = c;
}

static struct context *primary_of(CUdevice device)
{
    for (struct context *c = contexts; c; c = c->next)
        if (c->primary && c->device == device)
            return c;
    return new_context(device, true);
}

static bool is_device(CUdevice device)
{
    int count = 0;
    return cudaGetDeviceCount(&count) == cudaSuccess && device >= 0 && device < count;
}

bool driver_ready(void)
{
    return initialised || runtime.machine;
}

/* What the Runtime API uses in this thread counts as the lowest context of its stack. */
static struct context *current(void)
{
    int device = 0;
    if (depth)
        return stack[depth - 1];
    if (!runtime_thread()->primary_current || cudaGetDevice(&device) != cudaSuccess)
        return NULL;
    struct context *c = primary_of(device);
    c->alive = true;
    return c;
}

CUcontext driver_current(void)
{
    return (CUcontext)current();
}

CUresult driver_has_context(void)
{
    struct context *c = current();
    return !c ? CUDA_ERROR_INVALID_CONTEXT : c->alive ? CUDA_SUCCESS : CUDA_ERROR_CONTEXT_IS_DESTROYED;
}

bool driver_context_lives(CUcontext handle)
{
    struct context *c = find(handle);
    return c && c->alive;
}

CUresult cuInit(unsigned flags)
{
    struct driver_frame frame;
    CUresult r = driver_enter(&frame, __func__, __builtin_return_address(0), NEEDS_NOTHING);
    int count;
    r = r ? r : flags ? CUDA_ERROR_INVALID_VALUE : driver_result(cudaGetDeviceCount(&count));
    initialised |= r == CUDA_SUCCESS;
    return driver_leave(&frame, r);
}

/* ---- what is current ---- */

static CUresult set_device(struct context *c)
{
    return c ? driver_result(cudaSetDevice(c->device)) : CUDA_SUCCESS;
}

static CUresult push(CUcontext handle)
{
    struct context *c = find(handle);
    if (!c)
        return CUDA_ERROR_INVALID_CONTEXT;
    if (!c->alive)
        return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    if (depth == MAX_DEPTH)
        return CUDA_ERROR_OUT_OF_MEMORY;
    if (!depth && current())
        stack[depth++] = current();
    stack[depth++] = c;
    return set_device(c);
}

static CUresult pop(CUcontext *out)
{
    struct context *c = current();
    if (!c)
        return CUDA_ERROR_INVALID_CONTEXT;
    if (out)
        *out = (CUcontext)c;
    depth -= depth > 0;
    runtime_thread()->primary_current = false;
    return set_device(current());
}

static CUresult set_current(CUcontext handle)
{
    struct context *c = find(handle);
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
    DRIVER_NEEDING(NEEDS_INIT, push(context));
}

CUresult cuCtxPopCurrent(CUcontext *context)
{
    DRIVER_NEEDING(NEEDS_INIT, pop(context));
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

/* ---- life ---- */

#define CONTEXT_FLAGS 0x1ffu

static CUresult create(CUcontext *out, unsigned flags, CUdevice device)
{
    if (!out || (flags & ~CONTEXT_FLAGS) || (flags & CU_CTX_SCHED_MASK) > CU_CTX_SCHED_BLOCKING_SYNC)
        return CUDA_ERROR_INVALID_VALUE;
    if (!is_device(device))
        return CUDA_ERROR_INVALID_DEVICE;
    struct context *c = new_context(device, false);
    c->alive = true;
    c->flags = flags;
    *out = (CUcontext)c;
    return push(*out);
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
    struct context *c = find(handle);
    if (!c || c->primary)
        return CUDA_ERROR_INVALID_CONTEXT;
    if (!c->alive)
        return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    if (current() == c)
        pop(NULL);
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
    return CUDA_SUCCESS;
}

CUresult cuCtxAttach(CUcontext *context, unsigned flags)
{
    DRIVER(attach(context, flags));
}

CUresult cuCtxDetach(CUcontext context)
{
    DRIVER_NEEDING(NEEDS_INIT, destroy(context));
}

/* ---- the primary context ---- */

static CUresult retain(CUcontext *out, CUdevice device)
{
    if (!out)
        return CUDA_ERROR_INVALID_VALUE;
    if (!is_device(device))
        return CUDA_ERROR_INVALID_DEVICE;
    struct context *c = primary_of(device);
    c->alive = true;
    c->users++;
    *out = (CUcontext)c;
    return CUDA_SUCCESS;
}

static CUresult release(CUdevice device)
{
    if (!is_device(device))
        return CUDA_ERROR_INVALID_DEVICE;
    struct context *c = primary_of(device);
    if (!c->users)
        return CUDA_ERROR_INVALID_CONTEXT;
    if (--c->users || runtime.primary_used)
        return CUDA_SUCCESS;
    c->alive = false;
    return ended();
}

static CUresult reset(CUdevice device)
{
    if (!is_device(device))
        return CUDA_ERROR_INVALID_DEVICE;
    primary_of(device)->alive = false;
    runtime.primary_used = false;
    return ended();
}

static CUresult primary_state(CUdevice device, unsigned *flags, int *active)
{
    if (!is_device(device))
        return CUDA_ERROR_INVALID_DEVICE;
    if (!flags || !active)
        return CUDA_ERROR_INVALID_VALUE;
    *flags = primary_of(device)->flags;
    *active = primary_of(device)->alive || runtime.primary_used;
    return CUDA_SUCCESS;
}

static CUresult set_primary_flags(CUdevice device, unsigned flags)
{
    if (!is_device(device))
        return CUDA_ERROR_INVALID_DEVICE;
    if (flags & ~CONTEXT_FLAGS)
        return CUDA_ERROR_INVALID_VALUE;
    primary_of(device)->flags = flags;
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

/* ---- questions ---- */

/** The context that a handle means, NULL: the current one. */
static struct context *meant(CUcontext handle)
{
    return handle ? find(handle) : current();
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
    *out = current()->flags | CU_CTX_MAP_HOST;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetFlags(unsigned *flags)
{
    DRIVER(flags_of(flags));
}

CUresult cuCtxSetFlags(unsigned flags)
{
    DRIVER(flags & ~CONTEXT_FLAGS ? CUDA_ERROR_INVALID_VALUE : (current()->flags = flags, CUDA_SUCCESS));
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

CUresult cuCtxSynchronize(void)
{
    RUNTIME(cudaDeviceSynchronize());
}

CUresult cuCtxSynchronize_v2(CUcontext context)
{
    DRIVER_NEEDING(NEEDS_INIT, context && !driver_context_lives(context) ? CUDA_ERROR_INVALID_CONTEXT
                   : !context && driver_has_context() ? driver_has_context()
                                                      : driver_result(cudaDeviceSynchronize()));
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
    struct context *c = find(handle);
    if (!c || !c->alive)
        return CUDA_ERROR_INVALID_CONTEXT;
    return driver_result(enable ? cudaDeviceEnablePeerAccess(c->device, flags)
                                : cudaDeviceDisablePeerAccess(c->device));
}

CUresult cuCtxEnablePeerAccess(CUcontext context, unsigned flags)
{
    DRIVER(peer(context, true, flags));
}

CUresult cuCtxDisablePeerAccess(CUcontext context)
{
    DRIVER(peer(context, false, 0));
}
