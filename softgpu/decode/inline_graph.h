/**
 * @file inline_graph.h
 * The blocks of a function as parsed, and which of them every way to another one passes.
 */
#ifndef SOFTGPU_DECODE_INLINE_GRAPH_H
#define SOFTGPU_DECODE_INLINE_GRAPH_H

#include "parse/module.h"

/** By block, but `of` and `target`. */
struct way_graph {
    int count;
    int *of;       /**< by instruction: its block */
    int *target;   /**< by instruction: branch_targets_of() */
    int *first;    /**< its first instruction; of one more: the end */
    int *turn;     /**< its number in an order in which what a way passes first comes first; -1: no way leads there */
    int *above;    /**< the last block that every way to it passes before; its own for the first */
    int *piece, *size; /**< `size` blocks, numbered from `piece` on, have ways that all pass it */
};

/** @return false: it branches by lists, and is not looked at */
bool way_graph_find(struct way_graph *g, const struct ptx_function *f);
void way_graph_free(struct way_graph *g);
/** Does every way to block `b` pass block `a`? A block passes itself. */
bool way_passes(const struct way_graph *g, int a, int b);
/** Does every way to instruction `b` pass instruction `a`, which is another one? */
bool instr_passed(const struct way_graph *g, int a, int b);
/** By register: the one instruction that writes it, which every way to those who read it passes; negative: there is none. The caller frees it. */
int *only_writers_of(const struct way_graph *g, const struct ptx_function *f);

#endif
