/**
 * @file graph_memory_nodes.c
 * The API's calls for memory nodes, said in terms of those for any kind.
 */
#include "runtime/forms/graph_forms.h"

static cudaError_t add_alloc(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *before, size_t count,
                             struct cudaMemAllocNodeParams *of)
{
    if (!of)
        return cudaErrorInvalidValue;
    struct cudaGraphNodeParams p = {.type = cudaGraphNodeTypeMemAlloc,
                                    .alloc = {.poolProps = of->poolProps,
                                              .accessDescs = of->accessDescs,
                                              .accessDescCount = of->accessDescCount,
                                              .bytesize = of->bytesize}};
    cudaError_t e = cudaGraphAddNode(out, graph, before, NULL, count, &p);
    if (!e)
        of->dptr = p.alloc.dptr;
    return e;
}

EXPORT cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *before,
                                            size_t count, struct cudaMemAllocNodeParams *of)
{
    FORM(add_alloc(out, graph, before, count, of));
}

EXPORT cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *before,
                                           size_t count, void *p)
{
    struct cudaGraphNodeParams of = {.type = cudaGraphNodeTypeMemFree, .free = {.dptr = p}};
    FORM(cudaGraphAddNode(out, graph, before, NULL, count, &of));
}

static cudaError_t get_alloc(cudaGraphNode_t node, struct cudaMemAllocNodeParams *out)
{
    struct cudaGraphNodeParams p;
    cudaError_t e = out ? forms_params(node, cudaGraphNodeTypeMemAlloc, &p) : cudaErrorInvalidValue;
    if (!e)
        *out = (struct cudaMemAllocNodeParams){.poolProps = p.alloc.poolProps, .bytesize = p.alloc.bytesize,
                                               .dptr = p.alloc.dptr};
    return e;
}

EXPORT cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, struct cudaMemAllocNodeParams *out)
{
    FORM(get_alloc(node, out));
}

static cudaError_t get_free(cudaGraphNode_t node, void *out)
{
    struct cudaGraphNodeParams p;
    cudaError_t e = out ? forms_params(node, cudaGraphNodeTypeMemFree, &p) : cudaErrorInvalidValue;
    if (!e)
        *(void **)out = p.free.dptr;
    return e;
}

EXPORT cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void *out)
{
    FORM(get_free(node, out));
}
