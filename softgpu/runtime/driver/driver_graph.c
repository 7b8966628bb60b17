/**
 * @file driver_graph.c
 * Driver API: graphs as such. Nodes of each kind are in driver_graph_nodes.c.
 */
#include "runtime/driver/driver.h"

#define EDGES(data) ((const cudaGraphEdgeData *)(data))

CUresult cuGraphCreate(CUgraph *graph, unsigned flags)
{
    RUNTIME(cudaGraphCreate(graph, flags));
}

CUresult cuGraphDestroy(CUgraph graph)
{
    RUNTIME(cudaGraphDestroy(graph));
}

CUresult cuGraphClone(CUgraph *clone, CUgraph graph)
{
    RUNTIME(cudaGraphClone(clone, graph));
}

CUresult cuGraphNodeFindInClone(CUgraphNode *found, CUgraphNode node, CUgraph clone)
{
    RUNTIME(cudaGraphNodeFindInClone(found, node, clone));
}

CUresult cuGraphDebugDotPrint(CUgraph graph, const char *path, unsigned flags)
{
    RUNTIME(cudaGraphDebugDotPrint(graph, path, flags));
}

/* ---- shape ---- */

CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                const CUgraphEdgeData *data, size_t count)
{
    RUNTIME(cudaGraphAddDependencies(graph, from, to, EDGES(data), count));
}

CUresult cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                   const CUgraphEdgeData *data, size_t count)
{
    RUNTIME(cudaGraphRemoveDependencies(graph, from, to, EDGES(data), count));
}

CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode *nodes, size_t *count)
{
    RUNTIME(cudaGraphGetNodes(graph, nodes, count));
}

CUresult cuGraphGetRootNodes(CUgraph graph, CUgraphNode *nodes, size_t *count)
{
    RUNTIME(cudaGraphGetRootNodes(graph, nodes, count));
}

CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode *from, CUgraphNode *to, CUgraphEdgeData *data, size_t *count)
{
    RUNTIME(cudaGraphGetEdges(graph, from, to, (cudaGraphEdgeData *)data, count));
}

CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *nodes, CUgraphEdgeData *data, size_t *count)
{
    RUNTIME(cudaGraphNodeGetDependencies(node, nodes, (cudaGraphEdgeData *)data, count));
}

CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode *nodes, CUgraphEdgeData *data, size_t *count)
{
    RUNTIME(cudaGraphNodeGetDependentNodes(node, nodes, (cudaGraphEdgeData *)data, count));
}

CUresult cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType *type)
{
    RUNTIME(cudaGraphNodeGetType(node, (enum cudaGraphNodeType *)type)); /* numbered alike */
}

CUresult cuGraphDestroyNode(CUgraphNode node)
{
    RUNTIME(cudaGraphDestroyNode(node));
}

/* ---- what has been instantiated ---- */

CUresult cuGraphInstantiateWithFlags(CUgraphExec *exec, CUgraph graph, unsigned long long flags)
{
    RUNTIME(cudaGraphInstantiateWithFlags(exec, graph, flags));
}

CUresult cuGraphInstantiateWithParams(CUgraphExec *exec, CUgraph graph, CUDA_GRAPH_INSTANTIATE_PARAMS *params)
{
    RUNTIME(cudaGraphInstantiateWithParams(exec, graph, (cudaGraphInstantiateParams *)params)); /* laid out alike */
}

CUresult cuGraphExecGetFlags(CUgraphExec exec, cuuint64_t *flags)
{
    RUNTIME(cudaGraphExecGetFlags(exec, (unsigned long long *)flags));
}

CUresult cuGraphExecDestroy(CUgraphExec exec)
{
    RUNTIME(cudaGraphExecDestroy(exec));
}

CUresult cuGraphUpload(CUgraphExec exec, CUstream stream)
{
    RUNTIME(cudaGraphUpload(exec, stream));
}

CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream)
{
    RUNTIME(cudaGraphLaunch(exec, stream));
}

CUresult cuGraphExecUpdate(CUgraphExec exec, CUgraph graph, CUgraphExecUpdateResultInfo *info)
{
    RUNTIME(cudaGraphExecUpdate(exec, graph, (cudaGraphExecUpdateResultInfo *)info)); /* laid out alike */
}

CUresult cuGraphNodeGetEnabled(CUgraphExec exec, CUgraphNode node, unsigned *enabled)
{
    RUNTIME(cudaGraphNodeGetEnabled(exec, node, enabled));
}

CUresult cuGraphNodeSetEnabled(CUgraphExec exec, CUgraphNode node, unsigned enabled)
{
    RUNTIME(cudaGraphNodeSetEnabled(exec, node, enabled));
}

/* ---- attributes: laid out alike ---- */

CUresult cuGraphKernelNodeGetAttribute(CUgraphNode node, CUkernelNodeAttrID attr, CUkernelNodeAttrValue *value)
{
    RUNTIME(cudaGraphKernelNodeGetAttribute(node, (cudaLaunchAttributeID)attr, (cudaLaunchAttributeValue *)value));
}

CUresult cuGraphKernelNodeSetAttribute(CUgraphNode node, CUkernelNodeAttrID attr, const CUkernelNodeAttrValue *value)
{
    RUNTIME(cudaGraphKernelNodeSetAttribute(node, (cudaLaunchAttributeID)attr,
                                            (const cudaLaunchAttributeValue *)value));
}

CUresult cuGraphKernelNodeCopyAttributes(CUgraphNode dst, CUgraphNode src)
{
    RUNTIME(cudaGraphKernelNodeCopyAttributes(dst, src));
}
