/**
 * @file graph_query.c
 * The API that asks about graphs: nodes, edges, types.
 */
#include <errno.h>
#include <string.h>

#include "runtime/graph/graph.h"
#include "runtime/state/entry.h"

/* An answer of unknown length. Without a place for it, its length is told; entries past its end become
 * NULL. */
struct answer {
    cudaGraphNode_t *list, *second;
    cudaGraphEdgeData *edges;
    size_t room, count;
    bool lossy; /**< an edge's data had no place */
};

static void give(struct answer *a, const struct node *n, const struct node *second, unsigned char kind)
{
    if (a->list && a->count < a->room) {
        a->list[a->count] = (cudaGraphNode_t)n;
        if (a->second)
            a->second[a->count] = (cudaGraphNode_t)second;
        if (a->edges)
            edge_data_of((enum edge_kind)kind, &a->edges[a->count]);
        a->lossy |= !a->edges && kind != EDGE_END;
    }
    a->count++;
}

static cudaError_t end(struct answer *a, size_t *count)
{
    for (size_t i = a->count; a->list && i < a->room; i++) {
        a->list[i] = NULL;
        if (a->second)
            a->second[i] = NULL;
    }
    *count = a->list && a->count > a->room ? a->room : a->count;
    return a->lossy ? cudaErrorLossyQuery : cudaSuccess;
}

cudaError_t cudaGraphGetNodes(cudaGraph_t handle, cudaGraphNode_t *nodes, size_t *count)
{
    API_ENTER();
    const struct graph *g = graph_find(handle);
    if (!g || !count)
        API_RETURN(cudaErrorInvalidValue);
    struct answer a = {.list = nodes, .room = *count};
    for (int i = 0; i < g->nodes.count; i++)
        give(&a, g->nodes.data[i], NULL, EDGE_END);
    API_RETURN(end(&a, count));
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t handle, cudaGraphNode_t *nodes, size_t *count)
{
    API_ENTER();
    const struct graph *g = graph_find(handle);
    if (!g || !count)
        API_RETURN(cudaErrorInvalidValue);
    struct answer a = {.list = nodes, .room = *count};
    for (int i = 0; i < g->nodes.count; i++)
        if (!g->nodes.data[i]->before.count)
            give(&a, g->nodes.data[i], NULL, EDGE_END);
    API_RETURN(end(&a, count));
}

cudaError_t cudaGraphGetEdges(cudaGraph_t handle, cudaGraphNode_t *from, cudaGraphNode_t *to,
                              cudaGraphEdgeData *edges, size_t *count)
{
    API_ENTER();
    const struct graph *g = graph_find(handle);
    if (!g || !count || !from != !to)
        API_RETURN(cudaErrorInvalidValue);
    struct answer a = {.list = from, .second = to, .edges = edges, .room = *count};
    for (int i = 0; i < g->nodes.count; i++)
        for (int k = 0; k < g->nodes.data[i]->before.count; k++)
            give(&a, g->nodes.data[i]->before.data[k], g->nodes.data[i], g->nodes.data[i]->kinds.data[k]);
    API_RETURN(end(&a, count));
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t handle, cudaGraphNode_t *nodes,
                                         cudaGraphEdgeData *edges, size_t *count)
{
    API_ENTER();
    const struct node *n = node_find(handle);
    if (!n || !count)
        API_RETURN(cudaErrorInvalidValue);
    struct answer a = {.list = nodes, .edges = edges, .room = *count};
    for (int i = 0; i < n->before.count; i++)
        give(&a, n->before.data[i], NULL, n->kinds.data[i]);
    API_RETURN(end(&a, count));
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t handle, cudaGraphNode_t *nodes,
                                           cudaGraphEdgeData *edges, size_t *count)
{
    API_ENTER();
    const struct node *n = node_find(handle);
    if (!n || !count)
        API_RETURN(cudaErrorInvalidValue);
    struct answer a = {.list = nodes, .edges = edges, .room = *count};
    for (int i = 0; i < n->graph->nodes.count; i++) {
        const struct node *after = n->graph->nodes.data[i];
        int edge = node_edge(after, n);
        if (edge >= 0)
            give(&a, after, NULL, after->kinds.data[edge]);
    }
    API_RETURN(end(&a, count));
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t handle, enum cudaGraphNodeType *type)
{
    API_ENTER();
    const struct node *n = node_find(handle);
    if (!n || !type)
        API_RETURN(cudaErrorInvalidValue);
    *type = n->type;
    API_RETURN(cudaSuccess);
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t handle, const char *path, unsigned flags)
{
    (void)flags;
    API_ENTER();
    struct graph *g = graph_find(handle);
    FILE *f = g && path ? fopen(path, "w") : NULL;
    if (!f)
        API_RETURN(g && path ? cudaErrorOperatingSystem : cudaErrorInvalidValue);
    bool written = graph_dot(g, f);
    written = fclose(f) == 0 && written;
    API_RETURN(written ? cudaSuccess : cudaErrorOperatingSystem);
}
