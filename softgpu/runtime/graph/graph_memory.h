/**
 * @file graph_memory.h
 * Memory that nodes allocate and free.
 */
#ifndef SOFTGPU_RUNTIME_GRAPH_MEMORY_H
#define SOFTGPU_RUNTIME_GRAPH_MEMORY_H

#include "runtime/graph/graph.h"

/** Whether a node of `g` itself frees the memory that begins there. */
bool graph_frees(const struct graph *g, uint64_t address);
/** Nodes and edges of a graph with memory nodes stay. */
bool graph_has_memory(const struct graph *g);
/** Whether it can neither be copied nor instantiated twice at a time: with memory or conditional nodes. */
bool graph_is_single(const struct graph *g);
/** Nodes that allocate and free; the first fills in the address. */
cudaError_t alloc_node_make(struct cudaMemAllocNodeParamsV2 *p, struct operation **op);
cudaError_t free_node_make(const struct cudaMemFreeNodeParams *p, const struct graph *g, struct operation **op);
void alloc_node_params(const struct node *n, struct cudaMemAllocNodeParamsV2 *out);
/** A launch takes its memory, and gives back what it frees; with `x`'s flag what is left of the launch before
 *  is freed first. @return cudaErrorInvalidValue where memory is still in use, or freed already */
cudaError_t graph_memory_launch(struct exec *x, struct stream *s);

#endif
