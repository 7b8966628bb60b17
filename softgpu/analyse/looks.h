/**
 * @file looks.h
 * Loads that only look: what they return decides whether the thread looks again.
 */
#ifndef SOFTGPU_ANALYSE_LOOKS_H
#define SOFTGPU_ANALYSE_LOOKS_H

#include "code/image.h"

/**
 * May a stale value that one element of the load returns lead to no more than another look at its location? So it is if the
 * value
 *   - decides whether the loop that the load is in reads the same location again (polls.h);
 *   - decides a branch, nothing else is touched before it, and on one of its ways the thread reads the same
 *     location before it touches anything else: a loop that polls, with its first turns unrolled;
 *   - is what a compare-and-swap of the same location expects to find there, or goes into that, on every way (swaps.h): then the swap
 *     fails, or what it found has been checked. So it is with what a swap has found that is tried again.
 * False where that cannot be told, and where the value is held against an earlier one of the same location, as a sequence
 * lock's second look is: there a stale value ends the wait.
 */
bool element_only_looks(const struct function *f, const struct insn *load, unsigned element);
/** … of any of its elements: the others of a vector are read beside it. */
bool load_only_looks(const struct function *f, const struct insn *load);

/** Is the value that a load in a loop returns used behind the loop only, so that one more turn drops it? So it is with what a
 *  sequence lock guards: what was read is forgotten where the second look differs from the first. */
bool load_is_retried(const struct function *f, const struct insn *load);

#endif
