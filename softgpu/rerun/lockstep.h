/**
 * @file lockstep.h
 * Threads that go in step, or the opposite: each alone.
 */
#ifndef SOFTGPU_RERUN_LOCKSTEP_H
#define SOFTGPU_RERUN_LOCKSTEP_H

#include "rerun/replay.h"

/** Which lane goes on to its next strong access. */
enum step_order {
    STEP_BY_COUNT,   /**< one that has made the fewest */
    STEP_BY_PLACE,   /**< one whose next access stands first in the code: lanes that part at a branch meet again behind it, as a warp's on an early GPU */
    STEP_ALONE,      /**< the same one until it waits, or has ended */
};

enum step_blocks { STEP_ALL_BLOCKS, STEP_EACH_BLOCK };

/**
 * Runs the launch in such an order, a lane at a time, every read returning the newest value.
 * @param blocks    by which blocks: all at once, or each by itself as far as it comes without the others
 * @param backward  of those that are equal in that, the last goes first; and of the blocks, where each is by itself
 * @param left  set to the memory_digest() of what it leaves
 * @return false: it did not come to its end; where it took too long for that replay->given_up is set
 */
bool lockstep_leaves(struct replay *replay, enum step_order order, enum step_blocks blocks, bool backward, uint64_t *left);

#endif
