/**
 * @file graph_lists.c
 * Graphs and captures: the calls that ask for lists of nodes, and those that begin and steer a capture.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "remote/client/client.h"

#define ADDRESS(p) ((uint64_t)(uintptr_t)(p))

static cudaError_t ask(uint32_t what, const void *handle, cudaGraphNode_t *first,
                       cudaGraphNode_t *second, cudaGraphEdgeData *data, size_t *count,
                       const void *site)
{
    if (!count || (what == GRAPH_EDGES && !first != !second))
        return cudaErrorInvalidValue;
    size_t room = first ? *count : 0;
    struct wire_graph_list w = {ADDRESS(handle), room < WIRE_NODES ? room : WIRE_NODES, what,
                                first != NULL};
    struct call c;
    uint64_t found = 0;
    uint64_t *nodes = calloc(2 * w.room + 1, sizeof *nodes);
    if (!nodes)
        return cudaErrorMemoryAllocation;
    call_begin(&c, WIRE_GRAPH_LIST, site);
    call_put(&c, &w, sizeof w);
    c.bulk_to = nodes;
    c.bulk_room = 2 * w.room * sizeof *nodes;
    cudaError_t e = call_do(&c);
    call_get(&c, &found, sizeof found);
    for (size_t i = 0; !e && i < w.room; i++) {
        memcpy(&first[i], &nodes[i], sizeof *nodes);
        if (second)
            memcpy(&second[i], &nodes[w.room + i], sizeof *nodes);
        if (data && i < found)
            memset(&data[i], 0, sizeof data[i]);
    }
    if (!e)
        *count = found;
    free(nodes);
    return e;
}

EXPORT cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count)
{
    return ask(GRAPH_NODES, graph, nodes, NULL, NULL, count, __builtin_return_address(0));
}

EXPORT cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count)
{
    return ask(GRAPH_ROOTS, graph, nodes, NULL, NULL, count, __builtin_return_address(0));
}

EXPORT cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                                     cudaGraphEdgeData *data, size_t *count)
{
    return ask(GRAPH_EDGES, graph, from, to, data, count, __builtin_return_address(0));
}

EXPORT cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *nodes,
                                                cudaGraphEdgeData *data, size_t *count)
{
    return ask(GRAPH_BEFORE, node, nodes, NULL, data, count, __builtin_return_address(0));
}

EXPORT cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *nodes,
                                                  cudaGraphEdgeData *data, size_t *count)
{
    return ask(GRAPH_AFTER, node, nodes, NULL, data, count, __builtin_return_address(0));
}

EXPORT cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path, unsigned flags)
{
    struct call c;
    uint64_t handle = ADDRESS(graph);
    char *text = malloc(GRAPH_DOT_BYTES);
    (void)flags;
    call_begin(&c, WIRE_GRAPH_DOT, __builtin_return_address(0));
    call_put(&c, &handle, sizeof handle);
    c.bulk_to = text;
    c.bulk_room = text ? GRAPH_DOT_BYTES : 0;
    cudaError_t e = path ? call_do(&c) : cudaErrorInvalidValue;
    FILE *f = e ? NULL : fopen(path, "w");
    if (!e)
        e = f && fwrite(text, 1, c.answer.bulk_bytes, f) == c.answer.bulk_bytes
                ? cudaSuccess
                : cudaErrorOperatingSystem;
    if (f && fclose(f) != 0)
        e = cudaErrorOperatingSystem;
    free(text);
    return e;
}

/* ---- captures ---- */

EXPORT cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
    memory_start(); /* copies of pageable memory may be captured */
    return forward_cudaStreamBeginCapture(__builtin_return_address(0), stream, mode);
}

static cudaError_t send_nodes(struct wire_capture_nodes w, const cudaGraphNode_t *list,
                              const void *site)
{
    struct call c;
    if (w.count > WIRE_NODES || (w.count && !list))
        return cudaErrorInvalidValue;
    call_begin(&c, WIRE_CAPTURE_NODES, site);
    call_put(&c, &w, sizeof w);
    c.bulk = list;
    c.head.bulk_bytes = w.count * sizeof *list;
    return call_do(&c);
}

EXPORT cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                                 const cudaGraphNode_t *list,
                                                 const cudaGraphEdgeData *data, size_t count,
                                                 enum cudaStreamCaptureMode mode)
{
    (void)data;
    memory_start();
    return send_nodes((struct wire_capture_nodes){ADDRESS(stream), ADDRESS(graph), count, 1, mode},
                      list, __builtin_return_address(0));
}

EXPORT cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *list,
                                                       const cudaGraphEdgeData *data, size_t count,
                                                       unsigned flags)
{
    (void)data;
    return send_nodes((struct wire_capture_nodes){ADDRESS(stream), 0, count, 0, flags}, list,
                      __builtin_return_address(0));
}

EXPORT cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream,
                                            enum cudaStreamCaptureStatus *status,
                                            unsigned long long *id, cudaGraph_t *graph,
                                            const cudaGraphNode_t **nodes,
                                            const cudaGraphEdgeData **edges, size_t *count)
{
    static __thread cudaGraphNode_t tail[CAPTURE_TAIL_NODES];
    static const cudaGraphEdgeData no_data[CAPTURE_TAIL_NODES];
    struct wire_capture_info info = {0};
    struct call c;
    uint64_t handle = ADDRESS(stream);
    uint32_t wanted = nodes != NULL;
    if (!status || (edges && !nodes))
        return cudaErrorInvalidValue;
    call_begin(&c, WIRE_CAPTURE_INFO, __builtin_return_address(0));
    call_put(&c, &handle, sizeof handle);
    call_put(&c, &wanted, sizeof wanted);
    c.bulk_to = tail;
    c.bulk_room = sizeof tail;
    cudaError_t e = call_do(&c);
    call_get(&c, &info, sizeof info);
    if (e)
        return e;
    *status = (enum cudaStreamCaptureStatus)info.status;
    if (id)
        *id = info.id;
    if (graph)
        *graph = (cudaGraph_t)(uintptr_t)info.graph;
    if (nodes)
        *nodes = info.count ? tail : NULL;
    if (edges)
        *edges = info.count ? no_data : NULL;
    if (count)
        *count = info.count;
    return cudaSuccess;
}
