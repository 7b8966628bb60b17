/**
 * @file builtins.h
 * What builtins.def's functions and others have to agree on.
 */
#ifndef SOFTGPU_CODE_BUILTINS_H
#define SOFTGPU_CODE_BUILTINS_H

/** The name of the variables that hold the value of a graph's condition. */
#define CONDITION_NAME "cudaGraphConditionalHandle"

/** What the kernel calls with which a graph begins that a kernel may launch (execute/nested_graph.c). */
#define GRAPH_NODES_NAME "softgpu_graph_nodes"

#endif
