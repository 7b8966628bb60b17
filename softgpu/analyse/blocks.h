/**
 * @file blocks.h
 * A function's text cut into basic blocks, and how control goes from one to another.
 *
 * A function exists in two forms: as parsed, when it has no register slots yet, and as decoded. Both
 * describe themselves as a `struct flow_source`, in which instructions and registers are numbers, so
 * that the graph and what is computed on it (liveness.h, flow.h) exist once.
 */
#ifndef SOFTGPU_ANALYSE_BLOCKS_H
#define SOFTGPU_ANALYSE_BLOCKS_H

#include <stdbool.h>

#include "base/arena.h"

/** How an instruction touches a register. */
enum register_use {
    USE_READ,
    USE_READ_LATE,   /**< also after it has begun to write results */
    USE_KEEP,        /**< the write that follows leaves some lanes' old value */
    USE_KEEP_LATE,   /**< … and the old value counts as read late */
    USE_WRITE
};

typedef void register_fn(void *context, int i, int reg, enum register_use use);

#define FLOW_NO_MORE -1   /**< no further target */
#define FLOW_NOWHERE -2   /**< a target that is not in this function */

struct flow_source {
    const void *self;
    int count;       /**< instructions, numbered from 0 */
    int registers;   /**< numbered from 0 */
    /** May control go on from instruction `i` to `i + 1`? */
    bool (*falls)(const void *self, int i);
    /** The `k`-th place to which `i` may jump: an instruction, FLOW_NOWHERE or FLOW_NO_MORE. */
    int (*target)(const void *self, int i, int k);
    /** Calls `note` for each register that `i` reads, then for each that it writes. */
    void (*uses)(const void *self, int i, register_fn *note, void *context);
};

/** The graph. Lists of block b lie in `next[next_from[b]]` up to `next[next_from[b + 1]]`; a block
 *  to which several targets of one branch lead stands there several times. */
struct blocks {
    int count;
    int *of;                     /**< the block of each instruction */
    int *first;                  /**< the first instruction of each block; [count]: of the source */
    int *next_from, *next;       /**< successors */
    int *before_from, *before;   /**< predecessors */
};

/** Fills `b`, from the arena. */
void blocks_build(struct blocks *b, const struct flow_source *s, struct arena *a);

#endif
