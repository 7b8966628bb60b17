/**
 * @file driver_graph_nodes.c
 * Driver API: nodes of graphs. Parameters become the Runtime API's, and back.
 */
#include <string.h>

#include "runtime/code/kernel.h"
#include "runtime/driver/driver_copy.h"
#include "runtime/state/entry.h"

typedef struct cudaGraphNodeParams params;

/* ---- parameters of each kind ---- */

static CUresult of_kernel(const CUDA_KERNEL_NODE_PARAMS *p, params *out)
{
    *out = (params){.type = cudaGraphNodeTypeKernel};
    if (!p)
        return CUDA_ERROR_INVALID_VALUE;
    out->kernel = (struct cudaKernelNodeParamsV2){
        .func = p->func ? (void *)p->func : (void *)p->kern, .gridDim = {p->gridDimX, p->gridDimY, p->gridDimZ},
        .blockDim = {p->blockDimX, p->blockDimY, p->blockDimZ}, .sharedMemBytes = p->sharedMemBytes,
        .kernelParams = p->kernelParams, .extra = p->extra};
    return CUDA_SUCCESS;
}

static CUresult of_copy(const CUDA_MEMCPY3D *p, params *out)
{
    *out = (params){.type = cudaGraphNodeTypeMemcpy};
    return driver_box(p, &out->memcpy.copyParams);
}

static CUresult of_set(const CUDA_MEMSET_NODE_PARAMS *p, params *out)
{
    *out = (params){.type = cudaGraphNodeTypeMemset};
    if (!p)
        return CUDA_ERROR_INVALID_VALUE;
    out->memset = (struct cudaMemsetParamsV2){.dst = POINTER(p->dst), .pitch = p->pitch, .value = p->value,
                                              .elementSize = p->elementSize, .width = p->width, .height = p->height};
    return CUDA_SUCCESS;
}

static CUresult of_host(const CUDA_HOST_NODE_PARAMS *p, params *out)
{
    *out = (params){.type = cudaGraphNodeTypeHost};
    if (!p)
        return CUDA_ERROR_INVALID_VALUE;
    out->host.fn = p->fn;
    out->host.userData = p->userData;
    return CUDA_SUCCESS;
}

static CUresult of_event(enum cudaGraphNodeType type, CUevent event, params *out)
{
    *out = (params){.type = type, .eventRecord = {event}};
    return CUDA_SUCCESS;
}

static CUresult of_graph(CUgraph graph, params *out)
{
    *out = (params){.type = cudaGraphNodeTypeGraph, .graph = {.graph = graph}};
    return CUDA_SUCCESS;
}

/* Any kind. Those without a case have no handles or addresses that the two APIs tell apart. */
static CUresult of_any(const CUgraphNodeParams *p, params *out)
{
    if (!p)
        return CUDA_ERROR_INVALID_VALUE;
    switch (p->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
        return of_kernel((const CUDA_KERNEL_NODE_PARAMS *)&p->kernel, out); /* as long as that, and laid out alike */
    case CU_GRAPH_NODE_TYPE_MEMCPY:
        return p->memcpy.flags ? CUDA_ERROR_INVALID_VALUE : of_copy(&p->memcpy.copyParams, out);
    case CU_GRAPH_NODE_TYPE_MEMSET:
        return of_set((const CUDA_MEMSET_NODE_PARAMS *)&p->memset, out);
    case CU_GRAPH_NODE_TYPE_HOST:
        return of_host((const CUDA_HOST_NODE_PARAMS *)&p->host, out);
    default:
        _Static_assert(sizeof *p == sizeof *out, "the two APIs' node parameters");
        memcpy(out, p, sizeof *out);
        return CUDA_SUCCESS;
    }
}

static CUresult add(CUresult r, CUgraphNode *out, CUgraph graph, const CUgraphNode *before, size_t count, params *p)
{
    return r ? r : driver_result(cudaGraphAddNode(out, graph, before, NULL, count, p));
}

static CUresult set(CUresult r, CUgraphNode node, params *p)
{
    return r ? r : driver_result(cudaGraphNodeSetParams(node, p));
}

static CUresult change(CUresult r, CUgraphExec exec, CUgraphNode node, params *p)
{
    return r ? r : driver_result(cudaGraphExecNodeSetParams(exec, node, p));
}

/* ---- any node ---- */

static CUresult add_any(CUgraphNode *out, CUgraph graph, const CUgraphNode *before, const CUgraphEdgeData *data,
                        size_t count, CUgraphNodeParams *of)
{
    params p;
    CUresult r = of_any(of, &p);
    if (!r)
        r = driver_result(cudaGraphAddNode(out, graph, before, (const cudaGraphEdgeData *)data, count, &p));
    if (!r && of->type != CU_GRAPH_NODE_TYPE_KERNEL && of->type != CU_GRAPH_NODE_TYPE_MEMCPY &&
        of->type != CU_GRAPH_NODE_TYPE_MEMSET && of->type != CU_GRAPH_NODE_TYPE_HOST)
        memcpy(of, &p, sizeof p); /* what the node gives: a child graph, memory's address */
    return r;
}

CUresult cuGraphAddNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *before, const CUgraphEdgeData *data,
                        size_t count, CUgraphNodeParams *of)
{
    DRIVER(add_any(out, graph, before, data, count, of));
}

CUresult cuGraphNodeSetParams(CUgraphNode node, CUgraphNodeParams *of)
{
    params p;
    DRIVER(set(of_any(of, &p), node, &p));
}

CUresult cuGraphExecNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraphNodeParams *of)
{
    params p;
    DRIVER(change(of_any(of, &p), exec, node, &p));
}

/* ---- one kind each: add it, change it, change it where it has been instantiated ---- */

#define THREE(add_name, set_name, exec_name, of_type, from, making, ...)                                               \
    CUresult add_name(CUgraphNode *out, CUgraph graph, const CUgraphNode *before, size_t count,                        \
                      of_type from __VA_ARGS__)                                                                        \
    {                                                                                                                  \
        params p;                                                                                                      \
        DRIVER(add(making, out, graph, before, count, &p));                                                            \
    }                                                                                                                  \
    CUresult set_name(CUgraphNode node, of_type from)                                                                  \
    {                                                                                                                  \
        params p;                                                                                                      \
        DRIVER(set(making, node, &p));                                                                                 \
    }                                                                                                                  \
    CUresult exec_name(CUgraphExec exec, CUgraphNode node, of_type from __VA_ARGS__)                                   \
    {                                                                                                                  \
        params p;                                                                                                      \
        DRIVER(change(making, exec, node, &p));                                                                        \
    }
#define WITH_PARAMS(kind, type, make, context)                                                                         \
    THREE(cuGraphAdd##kind##Node, cuGraph##kind##NodeSetParams, cuGraphExec##kind##NodeSetParams, const type *, of,    \
          make(of, &p), context)
#define WITH_EVENT(kind, type)                                                                                         \
    THREE(cuGraphAdd##kind##Node, cuGraph##kind##NodeSetEvent, cuGraphExec##kind##NodeSetEvent, CUevent, event,        \
          of_event(type, event, &p), )
#define CONTEXT , __attribute__((unused)) CUcontext context

WITH_PARAMS(Kernel, CUDA_KERNEL_NODE_PARAMS, of_kernel, )
WITH_PARAMS(Memcpy, CUDA_MEMCPY3D, of_copy, CONTEXT)
WITH_PARAMS(Memset, CUDA_MEMSET_NODE_PARAMS, of_set, CONTEXT)
WITH_PARAMS(Host, CUDA_HOST_NODE_PARAMS, of_host, )
WITH_EVENT(EventRecord, cudaGraphNodeTypeEventRecord)
WITH_EVENT(EventWait, cudaGraphNodeTypeWaitEvent)

CUresult cuGraphAddChildGraphNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *before, size_t count,
                                  CUgraph child)
{
    params p;
    DRIVER(add(of_graph(child, &p), out, graph, before, count, &p));
}

CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraph child)
{
    params p;
    DRIVER(change(of_graph(child, &p), exec, node, &p));
}

CUresult cuGraphAddEmptyNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *before, size_t count)
{
    params p = {.type = cudaGraphNodeTypeEmpty};
    DRIVER(add(CUDA_SUCCESS, out, graph, before, count, &p));
}

/* ---- and ask for it ---- */

static CUresult get_kernel(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS *out)
{
    struct cudaKernelNodeParams p;
    struct kernel *k = NULL;
    cudaError_t e = out ? cudaGraphKernelNodeGetParams(node, &p) : cudaErrorInvalidValue;
    if (e)
        return driver_result(e);
    CUresult r = driver_lock() ?: driver_result(runtime_leave(kernel_find(p.func, &k)));
    if (!r)
        *out = (CUDA_KERNEL_NODE_PARAMS){
            .func = (CUfunction)k, .gridDimX = p.gridDim.x, .gridDimY = p.gridDim.y, .gridDimZ = p.gridDim.z,
            .blockDimX = p.blockDim.x, .blockDimY = p.blockDim.y, .blockDimZ = p.blockDim.z,
            .sharedMemBytes = p.sharedMemBytes, .kernelParams = p.kernelParams, .extra = p.extra};
    return r;
}

CUresult cuGraphKernelNodeGetParams(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS *of)
{
    DRIVER(get_kernel(node, of));
}

static CUresult get_copy(CUgraphNode node, CUDA_MEMCPY3D *out)
{
    struct cudaMemcpy3DParms p;
    cudaError_t e = out ? cudaGraphMemcpyNodeGetParams(node, &p) : cudaErrorInvalidValue;
    if (!e)
        *out = driver_box_back(&p);
    return driver_result(e);
}

CUresult cuGraphMemcpyNodeGetParams(CUgraphNode node, CUDA_MEMCPY3D *of)
{
    DRIVER(get_copy(node, of));
}

static CUresult get_set(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS *out)
{
    struct cudaMemsetParams p;
    cudaError_t e = out ? cudaGraphMemsetNodeGetParams(node, &p) : cudaErrorInvalidValue;
    if (!e)
        *out = (CUDA_MEMSET_NODE_PARAMS){(CUdeviceptr)p.dst, p.pitch, p.value, p.elementSize, p.width, p.height};
    return driver_result(e);
}

CUresult cuGraphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS *of)
{
    DRIVER(get_set(node, of));
}

CUresult cuGraphHostNodeGetParams(CUgraphNode node, CUDA_HOST_NODE_PARAMS *of)
{
    RUNTIME(cudaGraphHostNodeGetParams(node, (struct cudaHostNodeParams *)of)); /* laid out alike */
}

CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph *graph)
{
    RUNTIME(cudaGraphChildGraphNodeGetGraph(node, graph));
}

CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode node, CUevent *event)
{
    RUNTIME(cudaGraphEventRecordNodeGetEvent(node, event));
}

CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode node, CUevent *event)
{
    RUNTIME(cudaGraphEventWaitNodeGetEvent(node, event));
}
