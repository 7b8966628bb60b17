/**
 * @file graph_exec.h
 * What has been instantiated of a graph.
 */
#ifndef SOFTGPU_RUNTIME_GRAPH_EXEC_H
#define SOFTGPU_RUNTIME_GRAPH_EXEC_H

#include "runtime/graph/graph.h"

/** What cudaGraphExec_t points to. */
struct exec {
    struct steps steps;
    unsigned long long flags;
    struct operation *last; /**< the end of the latest launch; referenced; NULL: none */
    struct graph *source;   /**< that has it as its `exec`; NULL */
    LIST(uint64_t) defaults; /**< conditions that get their default at each launch */
    LIST(struct held_object) objects;
    struct device_graph *uploaded; /**< for launches by kernels (graph_device.h); NULL: not uploaded */
};

/** NULL where the handle is none. */
struct exec *exec_find(cudaGraphExec_t handle);
void exec_free(struct exec *x);

#endif
