/**
 * @file happens_before.h
 * What is right to say of random kernels, by definition: every access of every thread byte by byte, each pair of one byte, and which bytes hold something.
 */
#ifndef TESTS_HAPPENS_BEFORE_H
#define TESTS_HAPPENS_BEFORE_H

#include "random_kernel.h"

/** Ordered by severity. */
enum race_verdict { RACE_NONE, RACE_SAME_VALUE, RACE_EITHER, RACE_MAYBE, RACE_ERROR }; /* EITHER: what a copy brings, or a maximum leaves, may be the same;
                                                                                           MAYBE: but for a strong write that a thread may have observed there */

/** A copy or a memset that reads or writes a range of an array while kernels run. */
struct range_access {
    bool stores;
    int array;
    uint32_t from, bytes;
    uint8_t value;
};

/** Do accesses conflict that nothing orders? Threads of a block are ordered by its barriers, lanes of a warp by its own, too; kernels, and kernels
 *  and the range (may be NULL), by nothing, unless `ordered`. */
enum race_verdict races_of(const struct random_kernel *const *kernels, int count, const struct range_access *range, bool ordered);

/** The same of one kernel of random_signals(), whose threads are ordered by all that orders. */
enum race_verdict races_of_signals(const struct random_kernel *k);

/** Of a kernel whose accesses do not conflict: does a thread put out a sum with bytes that nothing has written? `cleared`: of each array of
 *  global memory, what was written before. */
bool sums_undefined(const struct random_kernel *k, const struct range_access *cleared);

#endif
