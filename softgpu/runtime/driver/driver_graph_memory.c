/**
 * @file driver_graph_memory.c
 * Driver API: graphs' memory nodes, conditions, and the objects that graphs keep alive.
 */
#include "runtime/driver/driver.h"

_Static_assert(sizeof(CUDA_MEM_ALLOC_NODE_PARAMS) == sizeof(struct cudaMemAllocNodeParams), "laid out alike");

CUresult cuGraphAddMemAllocNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *before, size_t count,
                                CUDA_MEM_ALLOC_NODE_PARAMS *of)
{
    RUNTIME(cudaGraphAddMemAllocNode(out, graph, before, count, (struct cudaMemAllocNodeParams *)of));
}

CUresult cuGraphMemAllocNodeGetParams(CUgraphNode node, CUDA_MEM_ALLOC_NODE_PARAMS *out)
{
    RUNTIME(cudaGraphMemAllocNodeGetParams(node, (struct cudaMemAllocNodeParams *)out));
}

CUresult cuGraphAddMemFreeNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *before, size_t count,
                               CUdeviceptr address)
{
    RUNTIME(cudaGraphAddMemFreeNode(out, graph, before, count, (void *)(uintptr_t)address));
}

CUresult cuGraphMemFreeNodeGetParams(CUgraphNode node, CUdeviceptr *address)
{
    RUNTIME(cudaGraphMemFreeNodeGetParams(node, address));
}

CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle *out, CUgraph graph, CUcontext context, unsigned value,
                                        unsigned flags)
{
    (void)context; /* there is one a device, and a condition is of no device */
    RUNTIME(cudaGraphConditionalHandleCreate((cudaGraphConditionalHandle *)out, graph, value, flags));
}

CUresult cuUserObjectCreate(CUuserObject *out, void *data, CUhostFn destructor, unsigned count, unsigned flags)
{
    RUNTIME(cudaUserObjectCreate(out, data, destructor, count, flags));
}

CUresult cuUserObjectRetain(CUuserObject object, unsigned count)
{
    RUNTIME(cudaUserObjectRetain(object, count));
}

CUresult cuUserObjectRelease(CUuserObject object, unsigned count)
{
    RUNTIME(cudaUserObjectRelease(object, count));
}

CUresult cuGraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned count, unsigned flags)
{
    RUNTIME(cudaGraphRetainUserObject(graph, object, count, flags));
}

CUresult cuGraphReleaseUserObject(CUgraph graph, CUuserObject object, unsigned count)
{
    RUNTIME(cudaGraphReleaseUserObject(graph, object, count));
}
