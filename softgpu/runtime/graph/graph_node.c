/**
 * @file graph_node.c
 * From a node's parameters to the operation that it stands for, and back.
 */
#include <string.h>

#include "runtime/memory/array.h"
#include "runtime/memory/copy.h"
#include "runtime/code/function.h"
#include "runtime/graph/graph.h"
#include "runtime/graph/graph_condition.h"
#include "runtime/graph/graph_memory.h"
#include "runtime/forms/graph_forms.h"
#include "runtime/state/entry.h"
#include "runtime/state/value_op.h"

#define ADDRESS(p) ((uint64_t)(uintptr_t)(p))
/* Names of values among arguments that the program has packed (cuda.h, CU_LAUNCH_PARAM_…). */
#define PACKED_AT ((void *)1)
#define PACKED_BYTES ((void *)2)

/* ---- to an operation ---- */

/* Arguments packed by the program: pairs of a name and a value (Driver API, cuLaunchKernel). */
static cudaError_t packed_of(const struct cudaKernelNodeParamsV2 *p, void **out)
{
    struct kernel *k;
    const void *buffer = NULL;
    size_t bytes = 0;
    *out = NULL;
    if (!p->extra)
        return cudaSuccess;
    if (p->kernelParams)
        return cudaErrorInvalidValue;
    for (int i = 0; ADDRESS(p->extra[i]); i += 2) {
        if (p->extra[i] == PACKED_AT)
            buffer = p->extra[i + 1];
        else if (p->extra[i] == PACKED_BYTES)
            bytes = *(const size_t *)p->extra[i + 1];
        else
            return cudaErrorInvalidValue;
    }
    cudaError_t e = kernel_resolve(p->func, &k);
    if (e || !buffer)
        return e ? e : cudaErrorInvalidValue;
    *out = calloc(1, k->function->param_bytes + 1);
    if (!*out)
        abort();
    memcpy(*out, buffer, bytes < k->function->param_bytes ? bytes : k->function->param_bytes);
    return cudaSuccess;
}

static cudaError_t make_kernel(const struct cudaKernelNodeParamsV2 *p, struct node *out,
                               struct operation **op)
{
    struct launch_shape shape = {.grid = {p->gridDim.x, p->gridDim.y, p->gridDim.z},
                                 .block = {p->blockDim.x, p->blockDim.y, p->blockDim.z},
                                 .shared = p->sharedMemBytes,
                                 .cooperative = out->op && out->op->kind == OP_KERNEL &&
                                     out->op->config.cooperative};
    if (out->op && out->op->kind == OP_KERNEL) {
        shape.cluster = (dim3){out->op->config.cluster[0], out->op->config.cluster[1], out->op->config.cluster[2]};
        shape.part = out->op->config.part;
    }
    void *packed;
    cudaError_t e = p->func ? packed_of(p, &packed) : cudaErrorInvalidDeviceFunction;
    if (e)
        return e;
    e = launch_make("kernel node", p->func, &shape, p->kernelParams, packed, op);
    if (e)
        free(packed);
    out->func = p->func;
    out->packed = packed != NULL;
    return e;
}

/* Where there is nothing to do, the node is there all the same. */
static struct operation *or_nothing(struct operation *op, const char *name)
{
    return op ? op : operation_new(OP_MARK, name);
}

static cudaError_t make_copy(const struct cudaMemcpy3DParms *p, struct node *out,
                             struct operation **op)
{
    struct box_copy box;
    if (!copy_box_of(p, &box) || !box.width || !box.height || !box.depth)
        return cudaErrorInvalidValue;
    cudaError_t e = copy_make("memcpy node", box, p->kind, op);
    out->copy = *p;
    out->copy.srcPtr.xsize = out->copy.dstPtr.xsize = 0; /* not kept */
    return e;
}

static cudaError_t make_set(const struct cudaMemsetParamsV2 *p, struct node *out,
                            struct operation **op)
{
    unsigned element = p->elementSize;
    if ((element != 1 && element != 2 && element != 4) || !p->width || !p->height ||
        ADDRESS(p->dst) % element)
        return cudaErrorInvalidValue;
    struct box_set box = {.dst = ADDRESS(p->dst),
                          .pitch = p->pitch,
                          .width = p->width * element,
                          .height = p->height,
                          .depth = 1,
                          .value = p->value,
                          .element = element};
    cudaError_t e = set_make("memset node", box, op);
    out->set = (struct cudaMemsetParams){p->dst, p->pitch, p->value, element, p->width, p->height};
    return e;
}

static cudaError_t make_event(cudaEvent_t event, double us, const char *name, struct node *out,
                              struct operation **op)
{
    if (!event_find(event))
        return cudaErrorInvalidValue;
    *op = operation_new(OP_MARK, name);
    (*op)->time.mark_us = us;
    out->event = event;
    return cudaSuccess;
}

static cudaError_t make_child(cudaGraph_t handle, struct node *out, struct operation **op)
{
    struct graph *child = (struct graph *)handle;
    if (!handle_is(HANDLE_GRAPH, child) || child == out->graph)
        return cudaErrorInvalidValue;
    if (graph_is_single(child))
        return cudaErrorNotSupported;
    int levels = child->depth + 1;
    for (const struct graph *g = out->graph; g->parent; g = g->parent->graph, levels++)
        if (g->parent->graph == child)
            return cudaErrorInvalidValue;
    if (levels > MAX_GRAPH_DEPTH || graph_nodes + graph_count(child) > MAX_GRAPH_NODES)
        return cudaErrorMemoryAllocation;
    out->child = graph_copy(child);
    *op = operation_new(OP_MARK, "child graph node");
    return cudaSuccess;
}

/** What the parameters keep for versions to come is 0. */
static bool is_reserved_zero(const struct cudaGraphNodeParams *p)
{
    return !p->reserved0[0] && !p->reserved0[1] && !p->reserved0[2] && !p->reserved2;
}

cudaError_t node_make(struct cudaGraphNodeParams *p, struct node *out, struct operation **op)
{
    const struct device_timing *t = runtime.device->timing;
    *op = NULL;
    out->type = p->type;
    if (!is_reserved_zero(p))
        return cudaErrorInvalidValue;
    switch ((int)p->type) {
    case cudaGraphNodeTypeKernel:
        return make_kernel(&p->kernel, out, op);
    case cudaGraphNodeTypeMemcpy:
        return p->memcpy.flags ? cudaErrorInvalidValue : make_copy(&p->memcpy.copyParams, out, op);
    case cudaGraphNodeTypeMemset:
        return make_set(&p->memset, out, op);
    case cudaGraphNodeTypeHost:
        if (!p->host.fn)
            return cudaErrorInvalidValue;
        *op = operation_new(OP_HOST, "cudaGraphLaunch");
        (*op)->host = (struct host_call){.fn = p->host.fn, .data = p->host.userData};
        return cudaSuccess;
    case cudaGraphNodeTypeEmpty:
        *op = or_nothing(NULL, "empty node");
        return cudaSuccess;
    case cudaGraphNodeTypeEventRecord:
        return make_event(p->eventRecord.event, t->record_us, "event record node", out, op);
    case cudaGraphNodeTypeWaitEvent:
        return make_event(p->eventWait.event, t->wait_us, "event wait node", out, op);
    case cudaGraphNodeTypeGraph:
        if (p->graph.ownership != cudaGraphChildGraphOwnershipClone)
            return runtime_unsupported("a child graph that is moved into its node");
        return make_child(p->graph.graph, out, op);
    case cudaGraphNodeTypeMemAlloc:
        return out->op ? cudaErrorInvalidValue : alloc_node_make(&p->alloc, op); /* it cannot be changed */
    case cudaGraphNodeTypeMemFree:
        return out->op ? cudaErrorInvalidValue : free_node_make(&p->free, out->graph, op);
    case cudaGraphNodeTypeConditional:
        return out->op ? cudaErrorInvalidValue : condition_node_make(&p->conditional, out, op);
    case NODE_TYPE_BATCH_MEM_OP:
        return value_node_make(&p->kernel, op);
    case cudaGraphNodeTypeExtSemaphoreSignal:
    case cudaGraphNodeTypeExtSemaphoreWait:
        return runtime_unsupported("an external semaphore in a graph");
    default:
        return cudaErrorInvalidValue;
    }
}

/* ---- from an operation that was captured ---- */

static struct cudaMemcpy3DParms copy_params(const struct operation *op)
{
    static const enum cudaMemcpyKind kinds[] = {[COPY_H2D] = cudaMemcpyHostToDevice,
                                                [COPY_D2H] = cudaMemcpyDeviceToHost,
                                                [COPY_D2D] = cudaMemcpyDeviceToDevice,
                                                [COPY_PEER] = cudaMemcpyDeviceToDevice,
                                                [COPY_H2H] = cudaMemcpyHostToHost};
    const struct box_copy *c = &op->copy;
    struct cudaMemcpy3DParms p = {.dstPtr = {.ptr = (void *)(uintptr_t)c->dst},
                                  .srcPtr = {.ptr = (void *)(uintptr_t)c->src},
                                  .extent = {c->width, c->height, c->depth},
                                  .kind = kinds[c->path]};
    if (c->height > 1 || c->depth > 1) {
        size_t dst_rows = c->dst_slice && c->dst_pitch ? c->dst_slice / c->dst_pitch : c->height;
        size_t src_rows = c->src_slice && c->src_pitch ? c->src_slice / c->src_pitch : c->height;
        p.dstPtr = (struct cudaPitchedPtr){p.dstPtr.ptr, c->dst_pitch, c->width, dst_rows};
        p.srcPtr = (struct cudaPitchedPtr){p.srcPtr.ptr, c->src_pitch, c->width, src_rows};
    }
    return p;
}

struct node *node_of_operation(struct graph *g, struct operation *op)
{
    static const enum cudaGraphNodeType types[] = {
        [OP_KERNEL] = cudaGraphNodeTypeKernel, [OP_COPY] = cudaGraphNodeTypeMemcpy,
        [OP_SET] = cudaGraphNodeTypeMemset,    [OP_HOST] = cudaGraphNodeTypeHost,
        [OP_MARK] = cudaGraphNodeTypeEmpty,    [OP_FREE] = cudaGraphNodeTypeMemFree,
        [OP_ALLOC] = cudaGraphNodeTypeMemAlloc, [OP_VALUE] = NODE_TYPE_BATCH_MEM_OP};
    struct node *n = node_new(g, types[op->kind], op);
    if (op->kind == OP_KERNEL) {
        n->func = op->kernel->host_function ? op->kernel->host_function : op->kernel;
    } else if (op->kind == OP_COPY) {
        n->copy = copy_params(op);
    } else if (op->kind == OP_SET) {
        const struct box_set *s = &op->set;
        n->set = (struct cudaMemsetParams){
            (void *)(uintptr_t)s->dst, s->height > 1 ? s->pitch : 0, s->value, s->element,
            s->width / s->element,     s->height * s->depth};
    }
    return n;
}

/* ---- back to parameters ---- */

#define PACKED_WORDS 6 /* a name and a value each for where they lie and how many bytes, the end, and behind it that number */

static void make_args(struct node *n)
{
    const struct operation *op = n->op;
    const struct function *f = op->kernel->function;
    n->args = calloc(n->packed ? PACKED_WORDS : (size_t)f->param_count + 1, sizeof *n->args);
    if (!n->args)
        abort();
    for (int i = 0; i < f->param_count && !n->packed; i++)
        n->args[i] = (uint8_t *)op->params + f->params[i].offset;
    if (!n->packed)
        return;
    n->args[5] = (void *)(uintptr_t)f->param_bytes;
    n->args[0] = PACKED_AT;
    n->args[1] = op->params;
    n->args[2] = PACKED_BYTES;
    n->args[3] = &n->args[5];
}

static void give_kernel(struct node *n, struct cudaKernelNodeParamsV2 *out)
{
    const struct operation *op = n->op;
    if (!n->args)
        make_args(n);
    out->func = (void *)(uintptr_t)n->func;
    out->gridDim = (dim3){op->config.grid[0], op->config.grid[1], op->config.grid[2]};
    out->blockDim = (dim3){op->config.block[0], op->config.block[1], op->config.block[2]};
    out->sharedMemBytes = op->config.dynamic_shared;
    *(n->packed ? &out->extra : &out->kernelParams) = n->args;
}

/** The parameters of a node of that type. @return cudaErrorInvalidValue where it has another type */
static cudaError_t node_params(cudaGraphNode_t handle, enum cudaGraphNodeType type,
                               struct cudaGraphNodeParams *out)
{
    struct node *n = (struct node *)handle;
    if (!handle_is(HANDLE_NODE, n) || n->type != type)
        return cudaErrorInvalidValue;
    memset(out, 0, sizeof *out);
    out->type = type;
    switch (type) {
    case cudaGraphNodeTypeKernel:
        give_kernel(n, &out->kernel);
        break;
    case cudaGraphNodeTypeMemcpy:
        out->memcpy.copyParams = n->copy;
        break;
    case cudaGraphNodeTypeMemset:
        out->memset = (struct cudaMemsetParamsV2){n->set.dst,         n->set.pitch, n->set.value,
                                                  n->set.elementSize, n->set.width, n->set.height};
        break;
    case cudaGraphNodeTypeHost:
        out->host = (struct cudaHostNodeParamsV2){n->op->host.fn, n->op->host.data};
        break;
    case cudaGraphNodeTypeEventRecord:
    case cudaGraphNodeTypeWaitEvent:
        out->eventRecord.event = n->event;
        break;
    case cudaGraphNodeTypeGraph:
        out->graph.graph = (cudaGraph_t)n->child;
        break;
    case cudaGraphNodeTypeMemAlloc:
        alloc_node_params(n, &out->alloc);
        break;
    case cudaGraphNodeTypeMemFree:
        out->free.dptr = (void *)(uintptr_t)n->op->address;
        break;
    case cudaGraphNodeTypeConditional:
        out->conditional = (struct cudaConditionalNodeParams){.handle = n->condition, .type = n->condition_type,
                                                              .size = n->body_count,
                                                              .phGraph_out = (cudaGraph_t *)n->bodies};
        break;
    default:
        break;
    }
    return cudaSuccess;
}

/* ---- for graph_forms.c ---- */

const void *forms_enter(const void *site)
{
    struct host_thread *t = runtime_thread();
    const void *was = t->outer_call;
    t->outer_call = was ? was : site;
    return was;
}

void forms_leave(const void *was)
{
    runtime_thread()->outer_call = was;
}

cudaError_t forms_params(cudaGraphNode_t node, enum cudaGraphNodeType type,
                         struct cudaGraphNodeParams *out)
{
    API_ENTER();
    API_RETURN(node_params(node, type, out));
}
