/**
 * @file graph_device.h
 * Graphs that kernels launch, and graphs whose kernels launch graphs: the machine runs all of such a graph as one launch
 * (execute/device_graph.h).
 */
#ifndef SOFTGPU_RUNTIME_GRAPH_DEVICE_H
#define SOFTGPU_RUNTIME_GRAPH_DEVICE_H

#include "runtime/graph/graph_exec.h"

/** Whether a graph may be instantiated for launches by kernels (CUDA C++ Programming Guide, "Device Graph Requirements");
 *  `*bad`: the first node that keeps it from that, NULL: the graph is empty. */
bool graph_fits_device(const struct graph *g, struct node **bad);
/** What `x` is from now on when a kernel launches it; nothing if it was not instantiated for that. */
void graph_device_upload(struct exec *x);
/** Is a launch of it one launch for the machine? `*e`: it should be, and cannot. */
bool graph_device_wanted(const struct exec *x, cudaError_t *e);
/** That launch, to be issued. */
struct operation *graph_device_operation(struct exec *x);

#endif
