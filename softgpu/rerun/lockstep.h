/**
 * @file lockstep.h
 * Threads that go in step: each does its n-th strong access when the others have done as many.
 */
#ifndef SOFTGPU_RERUN_LOCKSTEP_H
#define SOFTGPU_RERUN_LOCKSTEP_H

#include "rerun/replay.h"

/**
 * Runs the launch in step, a lane at a time, every read returning the newest value.
 * @param backward  of those that have done as many, the last goes first
 * @param left  set to the memory_digest() of what it leaves
 * @return false: it did not come to its end
 */
bool lockstep_leaves(struct replay *replay, bool backward, uint64_t *left);

#endif
