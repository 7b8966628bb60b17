/**
 * @file graph_condition.h
 * Nodes that choose or repeat what they hold, by a value that kernels set.
 */
#ifndef SOFTGPU_RUNTIME_GRAPH_CONDITION_H
#define SOFTGPU_RUNTIME_GRAPH_CONDITION_H

#include "runtime/graph/graph.h"

cudaError_t condition_node_make(const struct cudaConditionalNodeParams *p, struct node *out, struct operation **op);
/** The node is there: its bodies know it. */
void condition_node_own(struct node *n);
/** What the conditions of a graph begin with, for each of its launches. */
void conditions_of(const struct graph *g, struct exec *x);
void conditions_begin(const struct exec *x);
/** Which of the step's bodies runs next, -1: none. `turn`: how many have run. */
int condition_choose(const struct step *s, int turn);
/** Whether all bodies hold only what they may. */
bool conditions_allowed(const struct graph *g);
void conditions_drop(const struct graph *g);
void conditions_reset(void);

#endif
