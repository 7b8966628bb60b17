/**
 * @file nested_host.h
 * What kernels that launch kernels are told by the runtime.
 */
#ifndef SOFTGPU_RUNTIME_CODE_NESTED_HOST_H
#define SOFTGPU_RUNTIME_CODE_NESTED_HOST_H

#include <stdint.h>

/** Tells the machine whom to ask. */
void nested_host_attach(void);
/** And who finds the graphs that they launch (struct nested_host's `graph`). */
struct device_graph;
void nested_host_graphs(struct device_graph *(*find)(uint64_t handle, int *error));

#endif
