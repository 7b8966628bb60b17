/**
 * @file stragglers.h
 * Runs in which threads come late with what they write.
 */
#ifndef SOFTGPU_RERUN_STRAGGLERS_H
#define SOFTGPU_RERUN_STRAGGLERS_H

#include "rerun/replay.h"

/** Threads beyond which no such run is made. */
#define MOST_STRAGGLERS 256

/**
 * Runs the launch a lane at a time, every read returning the newest value. Some lanes, drawn from `seed`, are held before what they write
 * next, as long as others have anything to do: what they had looked at before may have changed since.
 * @param fails  may a swap whose result nobody uses fail, where another thread has written that place, too?
 * @param left  set to the memory_digest() of what it leaves
 * @return false: it did not come to its end
 */
bool stragglers_leave(struct replay *replay, uint64_t seed, bool fails, uint64_t *left);

/** Has a kernel of the launch such swaps? */
bool stragglers_may_fail(const struct replay *replay);

#endif
