/**
 * @file graphs.c
 * Graphs and captures: the calls that carry a node's parameters, a description, a capture's tail.
 *
 * Handles are values that the runtime looks up. Host functions become records of ours, which run them in the
 * client; a copy's pageable addresses are the client's (pageable.c).
 */
#include <string.h>

#include "remote/server/server.h"
#include "runtime/graph/graph.h"
#include "runtime/forms/graph_forms.h"
#include "runtime/state/entry.h"

/** Whether a request's bulk has room for `count` entries of `each` bytes and `more`. */
static bool holds(const struct request *r, uint64_t count, uint64_t each, uint64_t more)
{
    return count <= WIRE_ELEMENTS && more <= WIRE_BULK && r->head.bulk_bytes == count * each + more;
}

/* ---- nodes ---- */

/** Points `args` into packed parameters as the kernel wants them. */
static cudaError_t unpack(struct cudaKernelNodeParamsV2 *k, uint8_t *packed, uint64_t bytes,
                          bool whole, void **args)
{
    static __thread struct wire_parameter list[WIRE_PARAMETERS_MAX];
    uint32_t count;
    k->extra = NULL;
    k->kernelParams = NULL;
    if (!k->func)
        return cudaSuccess;
    cudaError_t e = kernel_layout((uint64_t)(uintptr_t)k->func, list, &count);
    for (uint32_t i = 0; !e && i < count; i++) {
        if ((uint64_t)list[i].offset + list[i].bytes > bytes)
            whole = false;
        args[i] = whole ? packed + list[i].offset : NULL;
    }
    k->kernelParams = whole ? args : NULL;
    return e;
}

/** Whether all that such a node's parameters point to has come with the message. */
static bool travels(enum cudaGraphNodeType type, uint32_t what)
{
    switch (type) {
    case cudaGraphNodeTypeConditional:
    case cudaGraphNodeTypeMemAlloc:
    case cudaGraphNodeTypeMemFree:
        return what == GRAPH_NODE_ADD;
    case cudaGraphNodeTypeKernel:
    case cudaGraphNodeTypeMemcpy:
    case cudaGraphNodeTypeMemset:
    case cudaGraphNodeTypeHost:
    case cudaGraphNodeTypeGraph:
    case cudaGraphNodeTypeEmpty:
    case cudaGraphNodeTypeWaitEvent:
    case cudaGraphNodeTypeEventRecord:
        return true;
    default:
        return false;
    }
}

/** The graphs that a conditional node holds go back as handles. */
static void give_bodies(const struct cudaConditionalNodeParams *p, struct reply *o)
{
    size_t bytes = p->size * sizeof *p->phGraph_out;
    o->bulk = malloc(bytes + 1);
    if (!o->bulk)
        abort();
    memcpy(o->bulk, p->phGraph_out, bytes);
    o->answer.bulk_bytes = bytes;
}

/** So does the address of what a memory node allocates, as it is. */
static void give_address(void *address, struct reply *o)
{
    o->bulk = malloc(sizeof address);
    if (!o->bulk)
        abort();
    memcpy(o->bulk, &address, sizeof address);
    o->answer.bulk_bytes = sizeof address;
}

/** Devices that may use that memory have come with the message. */
static cudaError_t take_access(struct cudaMemAllocNodeParamsV2 *m, uint8_t *packed, uint64_t bytes)
{
    if (m->accessDescCount > WIRE_ELEMENTS || m->accessDescCount * sizeof *m->accessDescs != bytes)
        return cudaErrorInvalidValue;
    m->accessDescs = bytes ? (struct cudaMemAccessDesc *)packed : NULL;
    return cudaSuccess;
}

static cudaError_t make_call(const struct wire_graph_node *w, const uint64_t *list,
                             struct cudaGraphNodeParams *p, struct reply *o)
{
    cudaGraphNode_t node = (cudaGraphNode_t)(uintptr_t)w->node;
    if (w->what == GRAPH_NODE_SET)
        return cudaGraphNodeSetParams(node, p);
    if (w->what == GRAPH_NODE_CHANGE)
        return cudaGraphExecNodeSetParams((cudaGraphExec_t)(uintptr_t)w->graph, node, p);
    cudaError_t e = cudaGraphAddNode(&node, (cudaGraph_t)(uintptr_t)w->graph,
                                     (const cudaGraphNode_t *)list, NULL, w->count, p);
    reply_give(o, &node, sizeof node);
    if (!e && p->type == cudaGraphNodeTypeConditional)
        give_bodies(&p->conditional, o);
    if (!e && p->type == cudaGraphNodeTypeMemAlloc)
        give_address(p->alloc.dptr, o);
    return e;
}

cudaError_t serve_graph_node(struct request *r, struct reply *o)
{
    static __thread void *args[WIRE_PARAMETERS_MAX];
    struct wire_graph_node w;
    struct cudaGraphNodeParams p;
    request_take(r, &w, sizeof w);
    r->bad |= !holds(r, w.count, 8, w.packed) || w.what > GRAPH_NODE_CHANGE;
    if (!request_whole(r))
        return cudaErrorInvalidValue;
    memcpy(&p, w.params, sizeof p);
    if (!travels(p.type, w.what))
        return cudaErrorNotSupported;
    cudaError_t e = cudaSuccess;
    if (p.type == cudaGraphNodeTypeKernel)
        e = unpack(&p.kernel, r->bulk + w.count * 8, w.packed, w.whole, args);
    else if (p.type == cudaGraphNodeTypeHost)
        e = host_node_record(&p.host.fn, &p.host.userData);
    else if (p.type == cudaGraphNodeTypeMemAlloc)
        e = take_access(&p.alloc, r->bulk + w.count * 8, w.packed);
    else if (p.type == cudaGraphNodeTypeConditional)
        p.conditional.phGraph_out = NULL; /* the runtime's to give */
    runtime_thread()->client_memory = p.type == cudaGraphNodeTypeMemcpy;
    if (!e)
        e = make_call(&w, (const uint64_t *)r->bulk, &p, o);
    runtime_thread()->client_memory = false;
    return e;
}

/** A copy of a kernel node's packed parameters. The runtime gives pointers into them. */
static void pack(const struct cudaKernelNodeParamsV2 *k, struct reply *o)
{
    static __thread struct wire_parameter list[WIRE_PARAMETERS_MAX];
    uint32_t count;
    uint64_t bytes = 0;
    if (!k->kernelParams || kernel_layout((uint64_t)(uintptr_t)k->func, list, &count))
        return;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t end = (uint64_t)list[i].offset + list[i].bytes;
        bytes = end > bytes ? end : bytes;
    }
    uint8_t *packed = calloc(1, bytes + 1);
    for (uint32_t i = 0; packed && i < count; i++)
        memcpy(packed + list[i].offset, k->kernelParams[i], list[i].bytes);
    o->bulk = packed;
    o->answer.bulk_bytes = packed ? bytes : 0;
}

cudaError_t serve_graph_params(struct request *r, struct reply *o)
{
    uint64_t node;
    uint32_t type;
    struct cudaGraphNodeParams p;
    request_take(r, &node, sizeof node);
    request_take(r, &type, sizeof type);
    memset(&p, 0, sizeof p);
    if (!request_whole(r))
        return cudaErrorInvalidValue;
    cudaError_t e =
        forms_params((cudaGraphNode_t)(uintptr_t)node, (enum cudaGraphNodeType)type, &p);
    if (!e && type == cudaGraphNodeTypeKernel) {
        pack(&p.kernel, o);
        p.kernel.kernelParams = NULL;
    } else if (!e && type == cudaGraphNodeTypeHost) {
        host_node_given(&p.host.fn, &p.host.userData);
    } else if (!e && type == cudaGraphNodeTypeMemAlloc) {
        p.alloc.accessDescs = NULL; /* not told */
        p.alloc.accessDescCount = 0;
    }
    reply_give(o, &p, sizeof p);
    return e;
}

/* ---- descriptions ---- */

cudaError_t serve_graph_dot(struct request *r, struct reply *o)
{
    uint64_t handle;
    char *text = NULL;
    size_t bytes = 0;
    request_take(r, &handle, sizeof handle);
    if (!request_whole(r))
        return cudaErrorInvalidValue;
    cudaError_t e = runtime_enter();
    struct graph *g = e ? NULL : graph_find((cudaGraph_t)(uintptr_t)handle);
    FILE *f = g ? open_memstream(&text, &bytes) : NULL;
    if (!e && !f)
        e = cudaErrorInvalidValue;
    if (f) {
        graph_dot(g, f);
        fclose(f);
    }
    o->bulk = text;
    o->answer.bulk_bytes = text && bytes <= GRAPH_DOT_BYTES ? bytes : 0;
    return runtime_leave(e);
}

/* ---- captures ---- */

cudaError_t serve_capture_info(struct request *r, struct reply *o)
{
    uint64_t stream;
    uint32_t wanted;
    request_take(r, &stream, sizeof stream);
    request_take(r, &wanted, sizeof wanted);
    if (!request_whole(r))
        return cudaErrorInvalidValue;
    enum cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    unsigned long long id = 0;
    cudaGraph_t graph = NULL;
    const cudaGraphNode_t *nodes = NULL;
    size_t count = 0;
    cudaError_t e = cudaStreamGetCaptureInfo((cudaStream_t)(uintptr_t)stream, &status, &id, &graph,
                                             NULL, NULL, &count);
    if (!e && wanted && count) { /* once more, where nobody can change the list meanwhile */
        runtime_lock();
        struct stream *s = stream_resolve((cudaStream_t)(uintptr_t)stream);
        nodes = s ? (const cudaGraphNode_t *)s->tail.nodes.data : NULL;
        count = s ? (size_t)s->tail.nodes.count : 0;
        count = count > CAPTURE_TAIL_NODES ? CAPTURE_TAIL_NODES : count;
        struct capture_tail { cudaGraphNode_t node; cudaGraphEdgeData data; } *tail = calloc(count + 1, sizeof *tail);
        for (size_t i = 0; tail && i < count; i++) {
            tail[i].node = nodes[i];
            edge_data_of((enum edge_kind)s->tail.kinds.data[i], &tail[i].data);
        }
        o->bulk = tail;
        o->answer.bulk_bytes = tail ? count * sizeof *tail : 0;
        runtime_unlock();
    }
    const struct wire_capture_info info = {id, (uint64_t)(uintptr_t)graph, count, status, 0};
    reply_give(o, &info, sizeof info);
    return e;
}
