/**
 * @file no_way_out.h
 * Threads that change memory again and again, and get nowhere: a lock that two of them take from each other for ever, a count of readers that
 * has been wiped so that no writer finds it at 0. Nobody stands still, so nothing else tells it before the step limit.
 *
 * Where a small launch has run for long without a thread's end, and what it writes leaves memory as it was before, again and again, it goes on a
 * lane at a time, and each state (memory, registers, where each thread stands) is left by each thread that can run, in turn. States that lead only
 * to each other, whoever goes first, are no schedule's fault: a deadlock. If a thread ends, the launch was only unlucky, and goes on as before.
 */
#ifndef SOFTGPU_RERUN_NO_WAY_OUT_H
#define SOFTGPU_RERUN_NO_WAY_OUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash_set.h"
#include "rerun/replay.h"

/** Of one run; begins as all zero. */
struct no_way_out {
    uint64_t left, since;     /**< threads that have not ended, and the machine's clock when they became so many */
    uint64_t patience;        /**< warp instructions from then on until it is looked at what is written; 0: as at first */
    bool looks;               /**< at what is written: */
    uint64_t contents;        /**< memory's, as a sum of what each write has changed, */
    struct hash_set met;      /**< as they were behind each write */
    uint64_t writes;
};

/** After each slice of the run. @return true where it has been told that no thread ever ends, or where none can run */
bool no_way_out_met(struct no_way_out *n, struct replay *r);
/** The run has ended. */
void no_way_out_end(struct no_way_out *n, struct replay *r);

#endif
