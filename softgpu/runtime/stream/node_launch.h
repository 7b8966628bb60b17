/**
 * @file node_launch.h
 * Launches of kernel nodes that kernels update (execute/node_update.h): the state of such a node, what the host fills it with
 * in stream order, and that a launch reads it when it begins.
 */
#ifndef SOFTGPU_RUNTIME_STREAM_NODE_LAUNCH_H
#define SOFTGPU_RUNTIME_STREAM_NODE_LAUNCH_H

#include "runtime/state/operation.h"

/** What nodes are from now on, once the mark that has it is executed. */
struct node_write {
    uint64_t node;
    void *state;      /**< a struct node_state and its parameters; owned */
};
struct node_writes {
    LIST(struct node_write) list;
};

/** Makes the node of a kernel's template one that kernels update; again: nothing. Clear errors for what is not there. */
cudaError_t node_make_updatable(struct operation *op);
/** Whether the template's kernel has no more parameters than the node has room for. */
bool node_has_room(uint64_t node, const struct operation *op);
/** Adds what `op`, such a template, says. */
void node_writes_add(struct node_writes **all, const struct operation *op, bool enabled);
void node_writes_free(struct node_writes *all);
/** The mark `op` is executed; or, with NULL, now. */
void node_writes_do(const struct node_writes *all, const struct operation *op);
/** A kernel begins. */
void node_launch(struct operation *op);

#endif
