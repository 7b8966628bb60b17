/**
 * @file interleavings.h
 * Every interleaving of a small program: one access after another, each read returning the last write. There are far fewer states
 * of memory and threads than executions under the model, so that this may come to an end where model_enumerate() does not.
 */
#ifndef SOFTGPU_MODEL_INTERLEAVINGS_H
#define SOFTGPU_MODEL_INTERLEAVINGS_H

#include "model/enumerate.h"
#include "model/verdict.h"

/** An execution up to two accesses that race, the last ones of their threads. @return true if no more are looked for: the walk ends */
typedef bool race_fn(void *self, const struct execution *x, struct model_pair which);

struct interleavings {
    uint64_t points;     /**< states that are tried at most */
    race_fn *raced;      /**< called where two conflicting accesses that are not morally strong may each be the next one: nothing can order them. Not
                              for each pair, and for none that needs a read of an older value. NULL: races are not looked for */
    bool waits;          /**< ends in which nobody goes on are told, too: who has not ended polls, or waits at barriers. They have an execution, */
    bool shows;          /**< and so have others; but for those with more events than one may have */
    bool only;           /**< the walk ends where not all outcomes are those of interleavings (walk_only.c), or some state leads to no end */
};

/**
 * Calls `found` for each way in which all threads may end, without an execution but as `shows` and `waits` say, and without its relations.
 * @return false if not all were tried: there are more, or something is not followed (barriers that count fewer warps than the block has, or at
 *         which threads only arrive)
 */
bool model_interleavings(const struct model_program *p, const struct interleavings *how, void (*found)(void *self, const struct model_outcome *o),
                         void *self);

#endif
