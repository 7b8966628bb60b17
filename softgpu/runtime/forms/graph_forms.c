/**
 * @file graph_forms.c
 * The API's calls for one kind of node each, said in terms of those for any kind.
 */
#include "runtime/forms/graph_forms.h"

#include <string.h>

typedef struct cudaGraphNodeParams params;

/* ---- parameters of each kind ---- */

static cudaError_t of_kernel(const struct cudaKernelNodeParams *p, params *out)
{
    *out = (params){.type = cudaGraphNodeTypeKernel};
    if (!p)
        return cudaErrorInvalidValue;
    out->kernel = (struct cudaKernelNodeParamsV2){p->func,           p->gridDim,      p->blockDim,
                                                  p->sharedMemBytes, p->kernelParams, p->extra};
    return cudaSuccess;
}

static cudaError_t of_copy(const struct cudaMemcpy3DParms *p, params *out)
{
    *out = (params){.type = cudaGraphNodeTypeMemcpy};
    if (!p)
        return cudaErrorInvalidValue;
    out->memcpy.copyParams = *p;
    return cudaSuccess;
}

static cudaError_t of_line(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind,
                           params *out)
{
    const struct cudaMemcpy3DParms p = {.srcPtr = {.ptr = (void *)src},
                                        .dstPtr = {.ptr = dst},
                                        .extent = {count, 1, 1},
                                        .kind = kind};
    return of_copy(&p, out);
}

/* The part of a variable that is copied. */
static cudaError_t part_of(const void *symbol, size_t count, size_t offset, void **out)
{
    size_t bytes;
    cudaError_t e = cudaGetSymbolAddress(out, symbol);
    if (!e)
        e = cudaGetSymbolSize(&bytes, symbol);
    if (!e && (offset > bytes || count > bytes - offset))
        e = cudaErrorInvalidValue;
    if (!e)
        *out = (char *)*out + offset;
    return e;
}

static cudaError_t of_to_symbol(const void *symbol, const void *src, size_t count, size_t offset,
                                enum cudaMemcpyKind kind, params *out)
{
    void *dst;
    cudaError_t e = part_of(symbol, count, offset, &dst);
    return e ? e : of_line(dst, src, count, kind, out);
}

static cudaError_t of_from_symbol(void *dst, const void *symbol, size_t count, size_t offset,
                                  enum cudaMemcpyKind kind, params *out)
{
    void *src;
    cudaError_t e = part_of(symbol, count, offset, &src);
    return e ? e : of_line(dst, src, count, kind, out);
}

static cudaError_t of_set(const struct cudaMemsetParams *p, params *out)
{
    *out = (params){.type = cudaGraphNodeTypeMemset};
    if (!p)
        return cudaErrorInvalidValue;
    out->memset = (struct cudaMemsetParamsV2){p->dst,         p->pitch, p->value,
                                              p->elementSize, p->width, p->height};
    return cudaSuccess;
}

static cudaError_t of_host(const struct cudaHostNodeParams *p, params *out)
{
    *out = (params){.type = cudaGraphNodeTypeHost};
    if (!p)
        return cudaErrorInvalidValue;
    out->host = (struct cudaHostNodeParamsV2){p->fn, p->userData};
    return cudaSuccess;
}

static cudaError_t of_graph(cudaGraph_t graph, params *out)
{
    *out = (params){.type = cudaGraphNodeTypeGraph, .graph = {.graph = graph}};
    return cudaSuccess;
}

static cudaError_t of_event(enum cudaGraphNodeType type, cudaEvent_t event, params *out)
{
    *out = (params){.type = type, .eventRecord = {event}};
    return cudaSuccess;
}

static cudaError_t add(cudaError_t e, cudaGraphNode_t *out, cudaGraph_t graph,
                       const cudaGraphNode_t *before, size_t count, params *p)
{
    return cudaGraphAddNode(out, graph, before, NULL, count, e ? NULL : p); /* which says what is wrong with no parameters */
}

/* What is no symbol has been told so by the call that looked it up. */
static cudaError_t set(cudaError_t e, cudaGraphNode_t node, params *p)
{
    return e == cudaErrorInvalidSymbol ? e : cudaGraphNodeSetParams(node, e ? NULL : p);
}

static cudaError_t change(cudaError_t e, cudaGraphExec_t exec, cudaGraphNode_t node, params *p)
{
    return e == cudaErrorInvalidSymbol ? e : cudaGraphExecNodeSetParams(exec, node, e ? NULL : p);
}

/* ---- adding nodes ---- */

EXPORT cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *out, cudaGraph_t graph,
                                          const cudaGraphNode_t *before, size_t count,
                                          const struct cudaKernelNodeParams *of)
{
    params p;
    FORM(add(of_kernel(of, &p), out, graph, before, count, &p));
}

EXPORT cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *out, cudaGraph_t graph,
                                          const cudaGraphNode_t *before, size_t count,
                                          const struct cudaMemcpy3DParms *of)
{
    params p;
    FORM(add(of_copy(of, &p), out, graph, before, count, &p));
}

EXPORT cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *out, cudaGraph_t graph,
                                            const cudaGraphNode_t *before, size_t count, void *dst,
                                            const void *src, size_t bytes, enum cudaMemcpyKind kind)
{
    params p;
    FORM(add(of_line(dst, src, bytes, kind, &p), out, graph, before, count, &p));
}

EXPORT cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *out, cudaGraph_t graph,
                                                  const cudaGraphNode_t *before, size_t count,
                                                  const void *symbol, const void *src, size_t bytes,
                                                  size_t offset, enum cudaMemcpyKind kind)
{
    params p;
    FORM(add(of_to_symbol(symbol, src, bytes, offset, kind, &p), out, graph, before, count, &p));
}

EXPORT cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *out, cudaGraph_t graph,
                                                    const cudaGraphNode_t *before, size_t count,
                                                    void *dst, const void *symbol, size_t bytes,
                                                    size_t offset, enum cudaMemcpyKind kind)
{
    params p;
    FORM(add(of_from_symbol(dst, symbol, bytes, offset, kind, &p), out, graph, before, count, &p));
}

EXPORT cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *out, cudaGraph_t graph,
                                          const cudaGraphNode_t *before, size_t count,
                                          const struct cudaMemsetParams *of)
{
    params p;
    FORM(add(of_set(of, &p), out, graph, before, count, &p));
}

EXPORT cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *out, cudaGraph_t graph,
                                        const cudaGraphNode_t *before, size_t count,
                                        const struct cudaHostNodeParams *of)
{
    params p;
    FORM(add(of_host(of, &p), out, graph, before, count, &p));
}

EXPORT cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *out, cudaGraph_t graph,
                                              const cudaGraphNode_t *before, size_t count,
                                              cudaGraph_t child)
{
    params p;
    FORM(add(of_graph(child, &p), out, graph, before, count, &p));
}

EXPORT cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *out, cudaGraph_t graph,
                                         const cudaGraphNode_t *before, size_t count)
{
    params p = {.type = cudaGraphNodeTypeEmpty};
    FORM(add(cudaSuccess, out, graph, before, count, &p));
}

EXPORT cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *out, cudaGraph_t graph,
                                               const cudaGraphNode_t *before, size_t count,
                                               cudaEvent_t event)
{
    params p;
    FORM(add(of_event(cudaGraphNodeTypeEventRecord, event, &p), out, graph, before, count, &p));
}

EXPORT cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *out, cudaGraph_t graph,
                                             const cudaGraphNode_t *before, size_t count,
                                             cudaEvent_t event)
{
    params p;
    FORM(add(of_event(cudaGraphNodeTypeWaitEvent, event, &p), out, graph, before, count, &p));
}

/* ---- changing nodes ---- */

EXPORT cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                                const struct cudaKernelNodeParams *of)
{
    params p;
    FORM(set(of_kernel(of, &p), node, &p));
}

EXPORT cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node,
                                                const struct cudaMemcpy3DParms *of)
{
    params p;
    FORM(set(of_copy(of, &p), node, &p));
}

EXPORT cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *dst, const void *src,
                                                  size_t bytes, enum cudaMemcpyKind kind)
{
    params p;
    FORM(set(of_line(dst, src, bytes, kind, &p), node, &p));
}

EXPORT cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void *symbol,
                                                        const void *src, size_t bytes,
                                                        size_t offset, enum cudaMemcpyKind kind)
{
    params p;
    FORM(set(of_to_symbol(symbol, src, bytes, offset, kind, &p), node, &p));
}

EXPORT cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void *dst,
                                                          const void *symbol, size_t bytes,
                                                          size_t offset, enum cudaMemcpyKind kind)
{
    params p;
    FORM(set(of_from_symbol(dst, symbol, bytes, offset, kind, &p), node, &p));
}

EXPORT cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node,
                                                const struct cudaMemsetParams *of)
{
    params p;
    FORM(set(of_set(of, &p), node, &p));
}

EXPORT cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node,
                                              const struct cudaHostNodeParams *of)
{
    params p;
    FORM(set(of_host(of, &p), node, &p));
}

EXPORT cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event)
{
    params p;
    FORM(set(of_event(cudaGraphNodeTypeEventRecord, event, &p), node, &p));
}

EXPORT cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event)
{
    params p;
    FORM(set(of_event(cudaGraphNodeTypeWaitEvent, event, &p), node, &p));
}

/* ---- changing what has been instantiated ---- */

EXPORT cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                    const struct cudaKernelNodeParams *of)
{
    params p;
    FORM(change(of_kernel(of, &p), exec, node, &p));
}

EXPORT cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                    const struct cudaMemcpy3DParms *of)
{
    params p;
    FORM(change(of_copy(of, &p), exec, node, &p));
}

EXPORT cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                      void *dst, const void *src, size_t bytes,
                                                      enum cudaMemcpyKind kind)
{
    params p;
    FORM(change(of_line(dst, src, bytes, kind, &p), exec, node, &p));
}

EXPORT cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec,
                                                            cudaGraphNode_t node,
                                                            const void *symbol, const void *src,
                                                            size_t bytes, size_t offset,
                                                            enum cudaMemcpyKind kind)
{
    params p;
    FORM(change(of_to_symbol(symbol, src, bytes, offset, kind, &p), exec, node, &p));
}

EXPORT cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec,
                                                              cudaGraphNode_t node, void *dst,
                                                              const void *symbol, size_t bytes,
                                                              size_t offset,
                                                              enum cudaMemcpyKind kind)
{
    params p;
    FORM(change(of_from_symbol(dst, symbol, bytes, offset, kind, &p), exec, node, &p));
}

EXPORT cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                    const struct cudaMemsetParams *of)
{
    params p;
    FORM(change(of_set(of, &p), exec, node, &p));
}

EXPORT cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                  const struct cudaHostNodeParams *of)
{
    params p;
    FORM(change(of_host(of, &p), exec, node, &p));
}

EXPORT cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                        cudaGraph_t child)
{
    params p;
    FORM(change(of_graph(child, &p), exec, node, &p));
}

EXPORT cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                        cudaEvent_t event)
{
    params p;
    FORM(change(of_event(cudaGraphNodeTypeEventRecord, event, &p), exec, node, &p));
}

EXPORT cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                      cudaEvent_t event)
{
    params p;
    FORM(change(of_event(cudaGraphNodeTypeWaitEvent, event, &p), exec, node, &p));
}
