/**
 * @file launch.c
 * Kernel launches: checking the shape against the device's limits, packing the arguments.
 */
#include <string.h>

#include "analyse/effects.h"
#include "report/launch_limit.h"
#include "report/reporter.h"
#include "report/words/words.h"
#include "runtime/forms/launch_attributes.h"
#include "runtime/state/capture.h"
#include "runtime/code/function.h"
#include "runtime/state/entry.h"
#include "runtime/state/failure.h"
#include "runtime/state/operation.h"
#include "runtime/stream/last.h"
#include "runtime/stream/node_launch.h"
#include "runtime/stream/programmatic.h"

/** cudaDeviceProp.maxGridSize and friends: the same on every device since sm_30. */
#define MAX_GRID_X 0x7fffffffu
#define MAX_GRID_YZ 65535u
#define MAX_BLOCK_XY 1024u
#define MAX_BLOCK_Z 64u
#define MAX_BLOCK 1024u

static bool dimensions_fit(const struct launch_shape *s)
{
    return s->grid.x && s->grid.y && s->grid.z && s->block.x && s->block.y && s->block.z &&
           s->grid.x <= MAX_GRID_X && s->grid.y <= MAX_GRID_YZ && s->grid.z <= MAX_GRID_YZ &&
           s->block.x <= MAX_BLOCK_XY && s->block.y <= MAX_BLOCK_XY && s->block.z <= MAX_BLOCK_Z &&
           (uint64_t)s->block.x * s->block.y * s->block.z <= MAX_BLOCK;
}

static cudaError_t beyond(struct launch_limit *limit, enum launch_limit_kind kind, uint64_t most, cudaError_t e)
{
    *limit = (struct launch_limit){kind, most};
    return e;
}

/** Whether it may be launched so; if not, `limit` gets what it is beyond. */
static cudaError_t check_shape(const struct kernel *k, const struct launch_shape *s, struct launch_limit *limit)
{
    if (!dimensions_fit(s)) /* CUDA 13 on an H200 calls both of these an invalid value */
        return beyond(limit, LIMIT_DIMENSIONS, 0, cudaErrorInvalidValue);
    const struct function *f = k->function;
    uint64_t threads = (uint64_t)s->block.x * s->block.y * s->block.z;
    if (threads > (uint64_t)function_max_threads(f))
        return beyond(limit, LIMIT_THREADS, (uint64_t)function_max_threads(f), cudaErrorInvalidValue);
    if (f->req_threads[0] &&
        (s->block.x != f->req_threads[0] ||
         s->block.y != (f->req_threads[1] ? f->req_threads[1] : 1) ||
         s->block.z != (f->req_threads[2] ? f->req_threads[2] : 1)))
        return beyond(limit, LIMIT_REQUIRED, 0, cudaErrorInvalidValue);
    if (s->shared > (uint64_t)function_max_dynamic_shared(k))
        return beyond(limit, LIMIT_SHARED, (uint64_t)function_max_dynamic_shared(k), cudaErrorInvalidValue);
    int fit = machine_occupancy(runtime.machine, f, (int)threads, s->shared);
    if (fit < 1)
        return beyond(limit, LIMIT_SM, 0, cudaErrorLaunchOutOfResources);
    uint64_t blocks = (uint64_t)s->grid.x * s->grid.y * s->grid.z;
    uint64_t together = (uint64_t)fit * (unsigned)sm_part_count(s->part, runtime.device->sms);
    if (s->cooperative && blocks > together)
        return beyond(limit, LIMIT_COOPERATIVE, together, cudaErrorCooperativeLaunchTooLarge);
    return cudaSuccess;
}

/* Says what is refused, and why, to whoever reads stderr, and to the finding if nobody looks at the error. */
static void refuse(const struct kernel *k, const struct launch_shape *s, dim3 grid, const uint32_t *cluster, const struct launch_limit *limit)
{
    char kernel[160], most[240];
    put_plain(kernel, sizeof kernel, k->name);
    launch_limit_words(limit, most, sizeof most);
    if (limit->kind == LIMIT_CLUSTER)
        runtime_say("a launch of %s has no clusters of %u x %u x %u in a grid of %u x %u x %u blocks: %s", kernel, cluster[0], cluster[1],
                    cluster[2], grid.x, grid.y, grid.z, most);
    else
        runtime_say("a launch of %s is beyond its limits: %u x %u x %u blocks of %u x %u x %u threads, %zu bytes of dynamic shared memory; %s",
                    kernel, s->grid.x, s->grid.y, s->grid.z, s->block.x, s->block.y, s->block.z, s->shared, most);
    struct call_facts facts = {.kernel = k->name, .bytes = s->shared, .limit = *limit,
                               .shape = {s->grid.x, s->grid.y, s->grid.z, s->block.x, s->block.y, s->block.z}};
    failure_because(CAUSE_LAUNCH_SHAPE, &facts, 0);
}

/* Arguments come as pointers without sizes: the kernel's parameters tell them. */
static cudaError_t pack(const struct function *f, void **args, void **out)
{
    uint8_t *params = calloc(1, f->param_bytes ? f->param_bytes : 1);
    if (!params)
        abort();
    for (int i = 0; i < f->param_count; i++) {
        if (!args || !args[i]) {
            free(params);
            return cudaErrorInvalidValue;
        }
        memcpy(params + f->params[i].offset, args[i], f->params[i].bytes);
    }
    *out = params;
    return cudaSuccess;
}

cudaError_t launch_make(const char *name, const void *func, const struct launch_shape *shape,
                        void **args, void *packed, struct operation **out)
{
    struct kernel *k;
    uint32_t cluster[3];
    cudaError_t e = kernel_resolve(func, &k);
    if (e)
        return e;
    dim3 grid = cluster_grid(k, shape->grid);
    struct launch_limit limit = {.kind = LIMIT_CLUSTER};
    if ((e = check_shape(k, shape, &limit)) || (e = cluster_shape(k, grid, shape->cluster, cluster))) {
        refuse(k, shape, grid, cluster, &limit);
        return e;
    }
    if (!packed && (e = pack(k->function, args, &packed)))
        return e;
    struct operation *op = *out = operation_new(OP_KERNEL, name);
    op->kernel = k;
    op->params = packed;
    op->programmatic = shape->programmatic;
    op->config = (struct grid_config){
        .kernel = k->function,
        .cluster = {cluster[0], cluster[1], cluster[2]},
        .grid = {grid.x, grid.y, grid.z},
        .block = {shape->block.x, shape->block.y, shape->block.z},
        .dynamic_shared = (uint32_t)shape->shared,
        .cooperative = shape->cooperative,
        .part = shape->part,
    };
    return cudaSuccess;
}

static uint64_t start_clock(const struct operation *op)
{
    /* As far as it is known yet: others on the SMs may still hold it up. */
    uint64_t ns = op->time.ready_ns > runtime.host_ns ? op->time.ready_ns : op->time.issued_ns;
    return ns * (uint64_t)runtime.device->sm_clock_khz / 1000000 + 1;
}

void launch_configure(struct operation *op)
{
    op->config.op = op->number;
    op->config.device = op->device;
    op->config.before = &op->before;
    op->config.settled = operations_settled();
    op->config.params = op->params;
    op->config.by = op->by;
    op->config.start_clock = start_clock(op);
    programmatic_begin(op);
    node_launch(op);
}

/* An event of other processes, one with times or one of another device is none for a launch; what is said of each is an H200's. */
static cudaError_t check_events(const struct launch_shape *shape, const struct stream *s)
{
    for (int i = 0; i < shape->event_count; i++) {
        const struct launch_event *given = &shape->events[i];
        const struct event *e = event_find(given->event);
        bool completion = given->begun && !given->awaited;
        if (!e || e->device != s->device)
            return cudaErrorInvalidResourceHandle;
        if (given->flags)
            return given->flags == cudaEventRecordExternal ? cudaErrorIllegalState : cudaErrorInvalidValue;
        if (e->outside || (e->flags & cudaEventInterprocess) || !(e->flags & cudaEventDisableTiming) ||
            (completion && (e->flags & cudaEventBlockingSync)))
            return cudaErrorNotSupported;
    }
    return cudaSuccess;
}

static cudaError_t take(struct operation *op, struct stream *s, const struct launch_shape *shape)
{
    cudaLaunchAttribute *given = (cudaLaunchAttribute *)(uintptr_t)shape->updatable; /* it gets the handle */
    if (given && !given->val.deviceUpdatableKernelNode.deviceUpdatable)
        given = NULL;
    op->device = s->device;
    cudaError_t e = given ? node_make_updatable(op) : cudaSuccess;
    if (e) {
        free(op->params);
        operation_unref(op);
        return capture_failed(e, s);
    }
    if (given)
        given->val.deviceUpdatableKernelNode.devNode = (cudaGraphDeviceNode_t)(uintptr_t)op->config.node;
    e = capture_take(op, s);
    for (int i = 0; !e && i < shape->event_count; i++)
        capture_record_early(event_find(shape->events[i].event), s, shape->events[i].begun, shape->events[i].awaited);
    return e;
}

static cudaError_t launch(const char *name, const void *func, const struct launch_shape *of,
                          void **args, cudaStream_t handle)
{
    struct launch_shape shape = *of;
    struct operation *op;
    struct stream *s;
    const void *call = runtime_thread()->launch_call;
    runtime_thread()->launch_call = NULL;
    runtime_thread()->is_launch = call != NULL;
    if (call)
        runtime_thread()->call = call_site_past_library(call);
    cudaError_t e = stream_for_work(handle, true, &s);
    if (e)
        return e;
    if ((e = check_events(&shape, s)))
        return e;
    if (shape.updatable && !s->capture) /* only a graph has nodes */
        return cudaErrorNotSupported;
    int before = device_work_for(s->device); /* a launch is its stream's device's (so is an H200's, since CUDA 13) */
    shape.part = s->group ? &s->group->part : NULL;
    e = launch_make(name, func, &shape, args, NULL, &op);
    device_work_for(before);
    if (e)
        return capture_failed(e, s);
    if (!s->capture && kernel_launches_graphs(op->config.kernel, false)) {
        char kernel[160];
        put_plain(kernel, sizeof kernel, op->kernel->name);
        runtime_say("kernel %s launches a graph, which only a kernel in a graph may do: cudaErrorNotSupported", kernel);
        free(op->params);
        operation_unref(op);
        return cudaErrorNotSupported;
    }
    if (s->capture)
        return take(op, s, &shape);
    operation_ref(op);
    operation_issue(op, s, NULL);
    for (int i = 0; i < shape.event_count; i++)
        event_record_early(event_find(shape.events[i].event), op, s, shape.events[i].begun, shape.events[i].awaited);
    operation_unref(op);
    return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void *func, dim3 grid, dim3 block, void **args, size_t shared,
                             cudaStream_t stream)
{
    API_ENTER();
    struct launch_shape shape = {.grid = grid, .block = block, .shared = shared, .cluster = {0, 0, 0}};
    API_RETURN(launch("cudaLaunchKernel", func, &shape, args, stream));
}

cudaError_t cudaLaunchCooperativeKernel(const void *func, dim3 grid, dim3 block, void **args,
                                        size_t shared, cudaStream_t stream)
{
    API_ENTER();
    struct launch_shape shape = {.grid = grid, .block = block, .shared = shared, .cooperative = true, .cluster = {0, 0, 0}};
    API_RETURN(launch("cudaLaunchCooperativeKernel", func, &shape, args, stream));
}

/* The same kind twice: the later one holds, as with other attributes. */
static cudaError_t add_event(struct launch_shape *shape, struct launch_event event)
{
    for (int i = 0; i < shape->event_count; i++)
        if (shape->events[i].awaited == event.awaited) {
            shape->events[i] = event;
            return cudaSuccess;
        }
    shape->events[shape->event_count++] = event;
    return cudaSuccess;
}

/* Attributes that only tune speed are taken without effect; one that changes what a kernel may do
 * and is not there is an error. */
static cudaError_t read_attribute(const cudaLaunchAttribute *a, struct launch_shape *shape, bool *rather)
{
    if (!attribute_value_fits_launch(a))
        return cudaErrorInvalidValue;
    if (attribute_only_tunes(a->id))
        return cudaSuccess;
    switch (a->id) {
    case cudaLaunchAttributeCooperative:
        shape->cooperative = a->val.cooperative;
        return cudaSuccess;
    case cudaLaunchAttributeClusterDimension:
        shape->cluster = (dim3){a->val.clusterDim.x, a->val.clusterDim.y, a->val.clusterDim.z};
        return cudaSuccess;
    case cudaLaunchAttributeClusterSchedulingPolicyPreference:
        return a->val.clusterSchedulingPolicyPreference > cudaClusterSchedulingPolicyLoadBalancing ? cudaErrorInvalidValue
                                                                                                   : cudaSuccess;
    case cudaLaunchAttributePreferredClusterDimension: /* the smaller clusters are always allowed, but must be said */
        *rather = true;
        return cudaSuccess;
    case cudaLaunchAttributeProgrammaticStreamSerialization:
        shape->programmatic = a->val.programmaticStreamSerializationAllowed != 0;
        return cudaSuccess;
    case cudaLaunchAttributeProgrammaticEvent:
        return add_event(shape, (struct launch_event){a->val.programmaticEvent.event, a->val.programmaticEvent.flags,
                                                      .begun = a->val.programmaticEvent.triggerAtBlockStart != 0, .awaited = true});
    case cudaLaunchAttributeLaunchCompletionEvent:
        return add_event(shape, (struct launch_event){a->val.launchCompletionEvent.event, a->val.launchCompletionEvent.flags,
                                                      .begun = true, .awaited = false});
    case cudaLaunchAttributeDeviceUpdatableKernelNode:
        if (a->val.deviceUpdatableKernelNode.deviceUpdatable & ~1)
            return cudaErrorInvalidValue;
        shape->updatable = a;
        return cudaSuccess;
    default:
        return runtime_unsupported("a launch attribute of this kind");
    }
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *func, void **args)
{
    API_ENTER();
    API_THROUGH(2); /* cudaLaunchKernelEx<…>() and a function object of its own */
    if (!config || (config->numAttrs && !config->attrs))
        API_RETURN(cudaErrorInvalidValue);
    struct launch_shape shape = {.grid = config->gridDim, .block = config->blockDim, .shared = config->dynamicSmemBytes, .cluster = {0, 0, 0}};
    bool rather = false;
    for (unsigned i = 0; i < config->numAttrs; i++) {
        cudaError_t e = read_attribute(&config->attrs[i], &shape, &rather);
        if (e)
            API_RETURN(e);
    }
    if (rather && !shape.cluster.x)
        API_RETURN(cudaErrorInvalidClusterSize);
    API_RETURN(launch("cudaLaunchKernelExC", func, &shape, args, config->stream));
}
