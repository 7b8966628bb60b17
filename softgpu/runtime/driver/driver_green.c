/**
 * @file driver_green.c
 * Driver API: green contexts. Each has part of a device's SMs and streams of its own, also a default stream; memory and modules are the
 * device's. What the calls give back is an H200's (tests/runtime/green_facts.cu).
 *
 * A resource holds in its private bytes which SMs it means: a run of them. A descriptor is the set of some resources' SMs.
 */
#include "runtime/driver/driver_green.h"
#include "runtime/driver/driver_context.h"
#include "runtime/state/host_thread.h"
#include "runtime/state/stream.h"

#include <string.h>

/** Groups come in multiples of so many SMs, and of so many where SMs need not stand together. */
#define TOGETHER 8
#define ALONE 2
/** What CU_CTX_MAP_HOST says of every green context. */
#define GREEN_FLAGS 8

/** In CUdevResource::_internal_padding. */
struct meaning {
    uint32_t first, divisible;
};

static CUdevResource resource(unsigned first, unsigned count, bool divisible)
{
    CUdevResource r;
    struct meaning m = {first, divisible};
    memset(&r, 0, sizeof r);
    if (!count)
        return r; /* CU_DEV_RESOURCE_TYPE_INVALID */
    r.type = CU_DEV_RESOURCE_TYPE_SM;
    r.sm.smCount = count;
    r.sm.minSmPartitionSize = r.sm.smCoscheduledAlignment = TOGETHER;
    memcpy(r._internal_padding, &m, sizeof m);
    return r;
}

static struct meaning meaning_of(const CUdevResource *r)
{
    struct meaning m;
    memcpy(&m, r->_internal_padding, sizeof m);
    return m;
}

static unsigned all_sms(void)
{
    return (unsigned)runtime.device->sms;
}

/* ---- resources ---- */

static CUresult give(CUdevResource *out, CUdevResourceType type, unsigned count, bool divisible)
{
    if (!out)
        return CUDA_ERROR_INVALID_VALUE;
    if (type != CU_DEV_RESOURCE_TYPE_SM)
        return CUDA_ERROR_INVALID_RESOURCE_TYPE;
    *out = resource(0, count, divisible);
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetDevResource(CUdevice device, CUdevResource *out, CUdevResourceType type)
{
    DRIVER_NEEDING(NEEDS_INIT, out && !context_is_device(device) ? CUDA_ERROR_INVALID_DEVICE : give(out, type, all_sms(), true));
}

static CUresult of_context(struct context *c, CUdevResource *out, CUdevResourceType type)
{
    if (!c || !c->alive)
        return CUDA_ERROR_INVALID_CONTEXT;
    if (!c->green)
        return give(out, type, all_sms(), true);
    CUresult r = give(out, type, (unsigned)c->green->part.count, false);
    if (!r)
        *out = resource(c->green->part.sms[0], (unsigned)c->green->part.count, false);
    return r;
}

CUresult cuCtxGetDevResource(CUcontext context, CUdevResource *out, CUdevResourceType type)
{
    DRIVER_NEEDING(NEEDS_INIT, of_context(context_find(context), out, type));
}

/** The living green context that a handle means, or NULL. */
static struct context *find(CUgreenCtx handle)
{
    struct context *c = context_find((CUcontext)handle);
    return c && c->green && c->alive ? c : NULL;
}

CUresult cuGreenCtxGetDevResource(CUgreenCtx green, CUdevResource *out, CUdevResourceType type)
{
    DRIVER_NEEDING(NEEDS_INIT, of_context(find(green), out, type));
}

/** SMs of a group of at least `least`, 0 if there can be none. */
static unsigned group_size(unsigned least, unsigned all, unsigned flags)
{
    unsigned unit = flags == CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING ? ALONE : TOGETHER;
    unsigned size = least ? (least + unit - 1) / unit * unit : unit;
    return least > all ? 0 : size < all ? size : all;
}

static CUresult split(CUdevResource *groups, unsigned *count, const CUdevResource *from, CUdevResource *rest, unsigned flags,
                      unsigned least)
{
    if (!count || !from || (groups && !*count))
        return CUDA_ERROR_INVALID_VALUE;
    if (from->type != CU_DEV_RESOURCE_TYPE_SM)
        return CUDA_ERROR_INVALID_RESOURCE_TYPE;
    if ((flags & 3) == 3)
        return CUDA_ERROR_INVALID_VALUE;
    unsigned all = from->sm.smCount, size = group_size(least, all, flags);
    if (!meaning_of(from).divisible || !size)
        return CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION;
    unsigned n = all / size;
    if (size == TOGETHER && all % size && n > 1)
        n--; /* the SMs stand in clusters of several sizes: an H200's 132 have 15 times 8 */
    if (groups && *count < n)
        n = *count;
    for (unsigned i = 0; groups && i < n; i++)
        groups[i] = resource(i * size, size, false);
    if (rest)
        *rest = resource(n * size, all - n * size, false);
    *count = n;
    return CUDA_SUCCESS;
}

CUresult cuDevSmResourceSplitByCount(CUdevResource *groups, unsigned *count, const CUdevResource *from, CUdevResource *rest,
                                     unsigned flags, unsigned least)
{
    DRIVER_NEEDING(NEEDS_INIT, split(groups, count, from, rest, flags, least));
}

static void add_sms(struct sm_part *p, unsigned first, unsigned count)
{
    for (unsigned sm = first; sm < first + count && sm < MAX_SMS; sm++)
        p->has[sm] = true;
    p->count = 0;
    for (int sm = 0; sm < MAX_SMS; sm++)
        if (p->has[sm])
            p->sms[p->count++] = (uint16_t)sm;
}

static CUresult describe(CUdevResourceDesc *out, const CUdevResource *list, unsigned count)
{
    if (!out || !list || !count)
        return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < count; i++)
        if (list[i].type != CU_DEV_RESOURCE_TYPE_SM)
            return CUDA_ERROR_INVALID_RESOURCE_TYPE;
    struct sm_part *p = calloc(1, sizeof *p); /* nothing frees a descriptor */
    if (!p)
        return CUDA_ERROR_OUT_OF_MEMORY;
    for (unsigned i = 0; i < count; i++)
        add_sms(p, meaning_of(&list[i]).first, list[i].sm.smCount);
    *out = (CUdevResourceDesc)p;
    return CUDA_SUCCESS;
}

CUresult cuDevResourceGenerateDesc(CUdevResourceDesc *out, CUdevResource *list, unsigned count)
{
    DRIVER_NEEDING(NEEDS_INIT, describe(out, list, count));
}

/* ---- contexts ---- */

static CUresult create(CUgreenCtx *out, CUdevResourceDesc of, CUdevice device, unsigned flags)
{
    if (!out || flags != CU_GREEN_CTX_DEFAULT_STREAM)
        return CUDA_ERROR_INVALID_VALUE;
    if (!context_is_device(device))
        return CUDA_ERROR_INVALID_DEVICE;
    context_primary(device)->alive = true;
    struct stream_group *g = calloc(1, sizeof *g);
    CUresult r = g ? driver_lock() : CUDA_ERROR_OUT_OF_MEMORY;
    if (r)
        return r;
    if (of)
        g->part = *(const struct sm_part *)of;
    else
        add_sms(&g->part, 0, all_sms());
    g->own = stream_new(device, 0, 0, false);
    g->own->group = g;
    stream_awaits(g->own);
    struct context *c = context_new(device, false);
    c->alive = true;
    c->flags = GREEN_FLAGS;
    c->green = g;
    *out = (CUgreenCtx)c;
    return driver_result(runtime_leave(cudaSuccess));
}

CUresult cuGreenCtxCreate(CUgreenCtx *green, CUdevResourceDesc of, CUdevice device, unsigned flags)
{
    DRIVER_NEEDING(NEEDS_INIT, create(green, of, device, flags));
}

static CUresult destroy(struct context *c)
{
    if (!c)
        return CUDA_ERROR_INVALID_CONTEXT;
    if (context_current() == c)
        context_pop(NULL);
    c->alive = false;
    return CUDA_SUCCESS;
}

CUresult cuGreenCtxDestroy(CUgreenCtx green)
{
    DRIVER_NEEDING(NEEDS_INIT, destroy(find(green)));
}

static CUresult as_context(CUcontext *out, struct context *c)
{
    if (!out)
        return CUDA_ERROR_INVALID_VALUE;
    if (!c)
        return CUDA_ERROR_INVALID_CONTEXT;
    *out = (CUcontext)c;
    return CUDA_SUCCESS;
}

CUresult cuCtxFromGreenCtx(CUcontext *context, CUgreenCtx green)
{
    DRIVER_NEEDING(NEEDS_INIT, as_context(context, find(green)));
}

CUresult cuGreenCtxGetId(CUgreenCtx green, unsigned long long *id)
{
    DRIVER_NEEDING(NEEDS_INIT, find(green) ? cuCtxGetId((CUcontext)green, id) : CUDA_ERROR_INVALID_CONTEXT);
}

/* ---- streams and events ---- */

CUgreenCtx green_of(CUstream stream)
{
    const struct stream *s = stream_resolve(stream);
    struct context *c = contexts;
    while (s && s->group && c && c->green != s->group)
        c = c->next;
    return s && s->group ? (CUgreenCtx)c : NULL;
}

static CUresult green_of_stream(CUstream stream, CUgreenCtx *out)
{
    unsigned flags;
    cudaError_t e = out ? cudaStreamGetFlags(stream, &flags) : cudaErrorInvalidValue;
    if (!e)
        *out = green_of(stream);
    return driver_result(e);
}

CUresult cuStreamGetGreenCtx(CUstream stream, CUgreenCtx *green)
{
    DRIVER(green_of_stream(stream, green));
}

/** Until it is called with what it gives back, the calling thread's work is that context's. */
static struct stream_group *work_in(struct stream_group *g)
{
    struct stream_group *before = runtime_thread()->group;
    runtime_thread()->group = g;
    return before;
}

static CUresult stream_create(CUstream *out, struct context *c, unsigned flags, int priority)
{
    if (!out || (c && flags != CU_STREAM_NON_BLOCKING))
        return CUDA_ERROR_INVALID_VALUE;
    if (!c)
        return CUDA_ERROR_INVALID_CONTEXT;
    struct stream_group *before = work_in(c->green);
    int device = device_work_for(c->device);
    CUresult r = driver_result(cudaStreamCreateWithPriority(out, flags, priority));
    device_work_for(device);
    work_in(before);
    return r;
}

CUresult cuGreenCtxStreamCreate(CUstream *stream, CUgreenCtx green, unsigned flags, int priority)
{
    DRIVER_NEEDING(NEEDS_INIT, stream_create(stream, find(green), flags, priority));
}

/** The streams of a living context that events of a context can be for, else an error. */
static CUresult choose(const struct context *c, struct stream_choice *out)
{
    if (!c)
        return CUDA_ERROR_INVALID_CONTEXT;
    if (!c->alive)
        return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    if (!c->green && !c->primary) /* streams do not know which of these has made them */
        return driver_result(runtime_unsupported("an event of all that a context of cuCtxCreate() has been given"));
    *out = (struct stream_choice){.device = c->device, .group = c->green};
    return CUDA_SUCCESS;
}

static CUresult with_event(const struct context *c, CUevent e, cudaError_t (*call)(const struct stream_choice *, cudaEvent_t))
{
    struct stream_choice of;
    CUresult r = choose(c, &of);
    if (!r)
        r = driver_lock();
    return r ? r : driver_result(runtime_leave(call(&of, e)));
}

CUresult cuGreenCtxRecordEvent(CUgreenCtx green, CUevent event)
{
    DRIVER_NEEDING(NEEDS_INIT, with_event(find(green), event, streams_record));
}

CUresult cuGreenCtxWaitEvent(CUgreenCtx green, CUevent event)
{
    DRIVER_NEEDING(NEEDS_INIT, with_event(find(green), event, streams_wait));
}

CUresult cuCtxRecordEvent(CUcontext context, CUevent event)
{
    DRIVER_NEEDING(NEEDS_INIT, with_event(context_find(context), event, streams_record));
}

CUresult cuCtxWaitEvent(CUcontext context, CUevent event)
{
    DRIVER_NEEDING(NEEDS_INIT, with_event(context_find(context), event, streams_wait));
}

void driver_green_reset(int device)
{
    for (struct context *c = contexts; c; c = c->next)
        if (c->green && c->device == device) {
            c->green->own = NULL;
            streams_await_nothing(&(struct stream_choice){.device = device, .group = c->green});
        }
}

CUresult green_synchronize(CUcontext handle)
{
    struct context *c = context_find(handle);
    struct stream_group *before = work_in(c->green);
    int device = device_work_for(c->device);
    CUresult r = driver_result(cudaDeviceSynchronize());
    device_work_for(device);
    work_in(before);
    return r;
}
