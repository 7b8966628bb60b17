/**
 * @file graph_forms_get.c
 * The API's calls that ask for one kind of node's parameters.
 */
#include "runtime/forms/graph_forms.h"

typedef struct cudaGraphNodeParams params;

static cudaError_t get_kernel(cudaGraphNode_t node, struct cudaKernelNodeParams *out)
{
    params p;
    cudaError_t e = out ? forms_params(node, cudaGraphNodeTypeKernel, &p) : cudaErrorInvalidValue;
    if (!e)
        *out = (struct cudaKernelNodeParams){p.kernel.func,         p.kernel.gridDim,
                                             p.kernel.blockDim,     p.kernel.sharedMemBytes,
                                             p.kernel.kernelParams, p.kernel.extra};
    return e;
}

static cudaError_t get_copy(cudaGraphNode_t node, struct cudaMemcpy3DParms *out)
{
    params p;
    cudaError_t e = out ? forms_params(node, cudaGraphNodeTypeMemcpy, &p) : cudaErrorInvalidValue;
    if (!e)
        *out = p.memcpy.copyParams;
    return e;
}

static cudaError_t get_set(cudaGraphNode_t node, struct cudaMemsetParams *out)
{
    params p;
    cudaError_t e = out ? forms_params(node, cudaGraphNodeTypeMemset, &p) : cudaErrorInvalidValue;
    if (!e)
        *out = (struct cudaMemsetParams){p.memset.dst,         p.memset.pitch, p.memset.value,
                                         p.memset.elementSize, p.memset.width, p.memset.height};
    return e;
}

static cudaError_t get_host(cudaGraphNode_t node, struct cudaHostNodeParams *out)
{
    params p;
    cudaError_t e = out ? forms_params(node, cudaGraphNodeTypeHost, &p) : cudaErrorInvalidValue;
    if (!e)
        *out = (struct cudaHostNodeParams){p.host.fn, p.host.userData};
    return e;
}

static cudaError_t get_graph(cudaGraphNode_t node, cudaGraph_t *out)
{
    params p;
    cudaError_t e = out ? forms_params(node, cudaGraphNodeTypeGraph, &p) : cudaErrorInvalidValue;
    if (!e)
        *out = p.graph.graph;
    return e;
}

static cudaError_t get_event(cudaGraphNode_t node, enum cudaGraphNodeType type, cudaEvent_t *out)
{
    params p;
    cudaError_t e = out ? forms_params(node, type, &p) : cudaErrorInvalidValue;
    if (!e)
        *out = p.eventRecord.event;
    return e;
}

EXPORT cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node,
                                                struct cudaKernelNodeParams *out)
{
    FORM(get_kernel(node, out));
}

EXPORT cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, struct cudaMemcpy3DParms *out)
{
    FORM(get_copy(node, out));
}

EXPORT cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, struct cudaMemsetParams *out)
{
    FORM(get_set(node, out));
}

EXPORT cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, struct cudaHostNodeParams *out)
{
    FORM(get_host(node, out));
}

EXPORT cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t *out)
{
    FORM(get_graph(node, out));
}

EXPORT cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *out)
{
    FORM(get_event(node, cudaGraphNodeTypeEventRecord, out));
}

EXPORT cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *out)
{
    FORM(get_event(node, cudaGraphNodeTypeWaitEvent, out));
}
