/**
 * @file graph_edit.c
 * The API that makes graphs, nodes and edges, and changes them.
 */
#include <string.h>

#include "runtime/code/function.h"
#include "runtime/forms/launch_attributes.h"
#include "runtime/graph/graph.h"
#include "runtime/graph/graph_condition.h"
#include "runtime/graph/graph_memory.h"
#include "runtime/graph/graph_updatable.h"
#include "runtime/state/entry.h"

cudaError_t cudaGraphCreate(cudaGraph_t *out, unsigned flags)
{
    API_ENTER_FAULTY();
    if (!out || flags)
        API_RETURN(cudaErrorInvalidValue);
    *out = (cudaGraph_t)graph_new();
    API_RETURN(cudaSuccess);
}

cudaError_t cudaGraphDestroy(cudaGraph_t handle)
{
    API_ENTER();
    struct graph *g = graph_find(handle);
    if (!g || g->parent || g->captures)
        API_RETURN(cudaErrorInvalidValue);
    graph_free(g);
    API_RETURN(cudaSuccess);
}

cudaError_t cudaGraphClone(cudaGraph_t *out, cudaGraph_t handle)
{
    API_ENTER();
    struct graph *g = graph_find(handle);
    if (!out || !g)
        API_RETURN(cudaErrorInvalidValue);
    if (graph_is_single(g))
        API_RETURN(cudaErrorNotSupported);
    if (graph_nodes + graph_count(g) > MAX_GRAPH_NODES)
        API_RETURN(cudaErrorMemoryAllocation);
    *out = (cudaGraph_t)graph_copy(g);
    API_RETURN(cudaSuccess);
}

static struct node *find_origin(const struct graph *g, uint64_t id)
{
    for (int i = 0; i < g->nodes.count; i++) {
        struct node *n = g->nodes.data[i];
        struct node *inside = n->child ? find_origin(n->child, id) : NULL;
        if (n->origin == id || inside)
            return n->origin == id ? n : inside;
    }
    return NULL;
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *out, cudaGraphNode_t handle,
                                     cudaGraph_t clone)
{
    API_ENTER();
    struct node *n = node_find(handle);
    struct graph *g = graph_find(clone);
    struct node *found = n && g ? find_origin(g, n->id) : NULL;
    if (!out || !found)
        API_RETURN(cudaErrorInvalidValue);
    *out = (cudaGraphNode_t)found;
    API_RETURN(cudaSuccess);
}

/* ---- nodes ---- */

/* Whether all of these are nodes of `g`, each there once. */
static bool dependencies_fit(const struct graph *g, const cudaGraphNode_t *list, size_t count)
{
    if (count > (size_t)g->nodes.count || (count && !list))
        return false;
    for (size_t i = 0; i < count; i++) {
        struct node *n = node_find(list[i]);
        if (!n || n->graph != g)
            return false;
        for (size_t k = 0; k < i; k++)
            if (list[k] == list[i])
                return false;
    }
    return true;
}

static const cudaGraphEdgeData *data_at(const cudaGraphEdgeData *data, size_t i)
{
    return data ? &data[i] : NULL;
}

static bool is_edge(const struct node *from, enum cudaGraphNodeType to, const cudaGraphEdgeData *d, enum edge_kind *kind)
{
    return edge_kind_of(d, kind) && edge_may_be(from->type, to, *kind);
}

static bool are_edges(const cudaGraphNode_t *from, enum cudaGraphNodeType to, const cudaGraphEdgeData *data, size_t count)
{
    enum edge_kind kind;
    for (size_t i = 0; i < count; i++)
        if (!is_edge((const struct node *)from[i], to, data_at(data, i), &kind))
            return false;
    return true;
}

/* Levels are counted up to the graph that no node owns. */
static void own_child(struct node *n)
{
    n->child->parent = n;
    for (struct graph *g = n->child; g->parent && g->parent->graph->depth <= g->depth; g = g->parent->graph)
        g->parent->graph->depth = g->depth + 1;
}

cudaError_t cudaGraphAddNode(cudaGraphNode_t *out, cudaGraph_t handle, const cudaGraphNode_t *list,
                             const cudaGraphEdgeData *data, size_t count,
                             struct cudaGraphNodeParams *params)
{
    API_ENTER();
    struct graph *g = graph_find(handle);
    struct operation *op;
    if (!out || !g || !params || !dependencies_fit(g, list, count) || !are_edges(list, params->type, data, count))
        API_RETURN(cudaErrorInvalidValue);
    struct node made = {.graph = g};
    cudaError_t e = node_make(params, &made, &op);
    if (!e && graph_nodes >= MAX_GRAPH_NODES)
        e = cudaErrorMemoryAllocation;
    if (e) {
        if (made.child)
            graph_free(made.child);
        for (unsigned i = 0; i < made.body_count; i++)
            graph_free(made.bodies[i]);
        free(made.bodies);
        if (op)
            template_free(op);
        API_RETURN(e);
    }
    struct node *n = node_new(g, params->type, op);
    n->func = made.func;
    n->packed = made.packed;
    n->copy = made.copy;
    n->set = made.set;
    n->event = made.event;
    n->child = made.child;
    n->bodies = made.bodies;
    n->body_count = made.body_count;
    n->condition_type = made.condition_type;
    n->condition = made.condition;
    if (n->child)
        own_child(n);
    condition_node_own(n);
    if (n->bodies)
        params->conditional.phGraph_out = (cudaGraph_t *)n->bodies;
    enum edge_kind kind;
    for (size_t i = 0; i < count; i++)
        if (edge_kind_of(data_at(data, i), &kind))
            node_add_edge(n, (struct node *)list[i], kind);
    *out = (cudaGraphNode_t)n;
    API_RETURN(cudaSuccess);
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t handle, struct cudaGraphNodeParams *params)
{
    API_ENTER();
    struct node *n = node_find(handle);
    struct operation *op;
    if (!n || !params || params->type != n->type || n->type == cudaGraphNodeTypeGraph)
        API_RETURN(cudaErrorInvalidValue);
    struct node made = {.graph = n->graph, .op = n->op};
    cudaError_t e = node_make(params, &made, &op);
    if (e)
        API_RETURN(e);
    op->by.captured = n->op->by.captured;
    op->priority = n->op->priority;
    if (updatable_of(n->op) && !node_has_room(n->op->config.node, op)) {
        template_free(op);
        API_RETURN(runtime_unsupported("for a node that kernels update, a kernel with more parameters than it has room for"));
    }
    if (updatable_of(n->op))
        op->config.node = n->op->config.node;
    template_free(n->op);
    free(n->args);
    n->op = op;
    n->args = NULL;
    n->func = made.func;
    n->packed = made.packed;
    n->copy = made.copy;
    n->set = made.set;
    n->event = made.event;
    API_RETURN(cudaSuccess);
}

static void remove_edge(struct node *n, int at)
{
    for (int i = at + 1; i < n->before.count; i++) {
        n->before.data[i - 1] = n->before.data[i];
        n->kinds.data[i - 1] = n->kinds.data[i];
    }
    n->before.count--;
    n->kinds.count--;
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t handle)
{
    API_ENTER();
    struct node *n = node_find(handle);
    if (!n || n->graph->captures)
        API_RETURN(cudaErrorInvalidValue);
    struct graph *g = n->graph;
    if (graph_has_memory(g) || updatable_of(n->op))
        API_RETURN(cudaErrorNotSupported);
    int at = 0;
    for (int i = 0; i < g->nodes.count; i++) {
        int edge = node_edge(g->nodes.data[i], n);
        if (edge >= 0)
            remove_edge(g->nodes.data[i], edge);
        if (g->nodes.data[i] != n)
            g->nodes.data[at++] = g->nodes.data[i];
    }
    g->nodes.count = at;
    node_free(n);
    API_RETURN(cudaSuccess);
}

/* ---- edges ---- */

static bool edges_fit(const struct graph *g, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                      size_t count)
{
    if (!g || (count && (!from || !to)))
        return false;
    for (size_t i = 0; i < count; i++) {
        struct node *a = node_find(from[i]), *b = node_find(to[i]);
        if (!a || !b || a == b || a->graph != g || b->graph != g)
            return false;
    }
    return true;
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t handle, const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, const cudaGraphEdgeData *data,
                                     size_t count)
{
    API_ENTER();
    struct graph *g = graph_find(handle);
    enum edge_kind kind;
    if (!edges_fit(g, from, to, count))
        API_RETURN(cudaErrorInvalidValue);
    for (size_t i = 0; i < count; i++)
        if (node_edge((struct node *)to[i], (struct node *)from[i]) >= 0 ||
            !is_edge((const struct node *)from[i], ((const struct node *)to[i])->type, data_at(data, i), &kind))
            API_RETURN(cudaErrorInvalidValue);
    for (size_t i = 0; i < count; i++)
        if (node_edge((struct node *)to[i], (struct node *)from[i]) < 0 && edge_kind_of(data_at(data, i), &kind))
            node_add_edge((struct node *)to[i], (struct node *)from[i], kind);
    API_RETURN(cudaSuccess);
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t handle, const cudaGraphNode_t *from,
                                        const cudaGraphNode_t *to, const cudaGraphEdgeData *data,
                                        size_t count)
{
    API_ENTER();
    struct graph *g = graph_find(handle);
    (void)data; /* there is one edge between two nodes: an H200 removes it whatever data are named */
    if (!edges_fit(g, from, to, count))
        API_RETURN(cudaErrorInvalidValue);
    if (graph_has_memory(g))
        API_RETURN(cudaErrorNotSupported);
    for (size_t i = 0; i < count; i++)
        if (node_edge((struct node *)to[i], (struct node *)from[i]) < 0)
            API_RETURN(cudaErrorInvalidValue);
    for (size_t i = 0; i < count; i++) {
        int at = node_edge((struct node *)to[i], (struct node *)from[i]);
        if (at >= 0)
            remove_edge((struct node *)to[i], at);
    }
    API_RETURN(cudaSuccess);
}

/* ---- attributes of kernel nodes ---- */

static struct node *kernel_node(cudaGraphNode_t handle)
{
    struct node *n = node_find(handle);
    return n && n->type == cudaGraphNodeTypeKernel ? n : NULL;
}

static bool node_has(cudaLaunchAttributeID attr)
{
    return attribute_of_nodes(attr) && (attr != cudaLaunchAttributePreferredClusterDimension || runtime.device->major >= 10);
}

cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t handle, cudaLaunchAttributeID attr,
                                            cudaLaunchAttributeValue *value)
{
    API_ENTER();
    struct node *n = kernel_node(handle);
    if (!n || !value || !node_has(attr) || attr == cudaLaunchAttributeNvlinkUtilCentricScheduling)
        API_RETURN(cudaErrorInvalidValue);
    memset(value, 0, sizeof *value);
    if (attr == cudaLaunchAttributePriority)
        value->priority = n->op->priority;
    else if (attr == cudaLaunchAttributeCooperative)
        value->cooperative = n->op->config.cooperative;
    else if (attr == cudaLaunchAttributeDeviceUpdatableKernelNode)
        updatable_get(n, value);
    else if (attr == cudaLaunchAttributeClusterDimension && n->op->config.cluster[0]) {
        value->clusterDim.x = n->op->config.cluster[0];
        value->clusterDim.y = n->op->config.cluster[1];
        value->clusterDim.z = n->op->config.cluster[2];
    }
    API_RETURN(cudaSuccess);
}

static cudaError_t node_set_cluster(struct node *n, dim3 cluster)
{
    const struct grid_config *c = &n->op->config;
    uint32_t of[3];
    cudaError_t e = cluster_shape(n->op->kernel, (dim3){c->grid[0], c->grid[1], c->grid[2]}, cluster, of);
    if (e)
        return e;
    memcpy(n->op->config.cluster, of, sizeof of);
    return cudaSuccess;
}

/* What only tunes speed is taken without effect. */
cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t handle, cudaLaunchAttributeID attr,
                                            const cudaLaunchAttributeValue *value)
{
    API_ENTER();
    struct node *n = kernel_node(handle);
    if (!n || !value || !node_has(attr) || !attribute_value_fits(attr, value))
        API_RETURN(cudaErrorInvalidValue);
    if (attr == cudaLaunchAttributePriority)
        n->op->priority = value->priority;
    else if (attr == cudaLaunchAttributeCooperative)
        n->op->config.cooperative = value->cooperative;
    else if (attr == cudaLaunchAttributeClusterDimension)
        API_RETURN(node_set_cluster(n, (dim3){value->clusterDim.x, value->clusterDim.y, value->clusterDim.z}));
    else if (attr == cudaLaunchAttributeDeviceUpdatableKernelNode)
        API_RETURN(updatable_set(n, (cudaLaunchAttributeValue *)(uintptr_t)value)); /* it gets the handle, const or not */
    API_RETURN(cudaSuccess);
}

cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t dst, cudaGraphNode_t src)
{
    API_ENTER();
    struct node *to = kernel_node(dst), *from = kernel_node(src);
    if (!to || !from)
        API_RETURN(cudaErrorInvalidValue);
    if (updatable_of(to->op) || updatable_of(from->op))
        API_RETURN(cudaErrorNotSupported);
    to->op->priority = from->op->priority;
    to->op->config.cooperative = from->op->config.cooperative;
    const uint32_t *c = from->op->config.cluster;
    if (c[0])
        API_RETURN(node_set_cluster(to, (dim3){c[0], c[1], c[2]}));
    API_RETURN(cudaSuccess);
}
