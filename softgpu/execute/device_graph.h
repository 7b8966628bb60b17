/**
 * @file device_graph.h
 * A graph that kernels can launch, as the runtime hands it over (CUDA C++ Programming Guide, "Device Graph Launch"): its
 * nodes, each a kernel's launch, since copies and fills are kernels here. It does not change; grids that run it and the
 * runtime hold it by references.
 */
#ifndef SOFTGPU_EXECUTE_DEVICE_GRAPH_H
#define SOFTGPU_EXECUTE_DEVICE_GRAPH_H

#include "execute/grid.h"

struct device_node {
    struct grid_config config;  /**< its kernel, shape and parameters, which are owned */
    LIST(int) before;           /**< earlier nodes that it comes after */
};

struct device_graph {
    uint64_t handle;            /**< the program's */
    bool for_device;            /**< instantiated for launches by kernels */
    int refs;
    LIST(struct device_node) nodes; /**< each behind those that it comes after */
};

/** A box of bytes that a node copies or fills: `width` bytes x `height` rows x `depth` slices. */
struct device_box {
    uint64_t to, from;          /**< addresses; to fill: a value of `element` bytes */
    uint64_t to_pitch, from_pitch, to_slice, from_slice;
    uint64_t width, height, depth, element;
};

/** An empty graph, with a reference. */
struct device_graph *device_graph_new(uint64_t handle, bool for_device);
/** Another reference. @return it */
struct device_graph *device_graph_ref(struct device_graph *g);
/** Gives a reference up; NULL is none. */
void device_graph_drop(struct device_graph *g);

enum device_work { DEVICE_COPY, DEVICE_SET, DEVICE_NOTHING };
/** The launch that does such work; its parameters are the caller's to free. A box of NULL is for nothing. */
void device_work_config(struct machine *m, enum device_work what, const struct device_box *box, struct grid_config *out);
/** The launch that begins a graph's nodes, and is over when they are; the graph's reference is the caller's. */
void device_graph_config(struct machine *m, struct device_graph *g, struct grid_config *out);

#endif
