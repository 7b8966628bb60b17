/**
 * @file graph_updatable.h
 * Kernel nodes that kernels update, as graphs have them. What the host says of such a node counts from the next upload or launch
 * on, and only if it has said something since the last one: otherwise what kernels have made of it stays.
 */
#ifndef SOFTGPU_RUNTIME_GRAPH_UPDATABLE_H
#define SOFTGPU_RUNTIME_GRAPH_UPDATABLE_H

#include "runtime/graph/graph_exec.h"
#include "runtime/stream/node_launch.h"

static inline uint64_t updatable_of(const struct operation *op)
{
    return op->kind == OP_KERNEL ? op->config.node : 0;
}
/** Whether a graph, or what has become of one, has such nodes, at any level. */
bool graph_has_updatable(const struct graph *g);
bool steps_have_updatable(const struct steps *steps);
/** The attribute's value is set, or asked for. */
cudaError_t updatable_set(struct node *n, cudaLaunchAttributeValue *value);
void updatable_get(const struct node *n, cudaLaunchAttributeValue *value);
/** What the host has said since the last time; NULL: nothing. */
struct node_writes *updatable_take(struct exec *x);

#endif
