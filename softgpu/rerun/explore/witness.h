/**
 * @file witness.h
 * An execution kept because two of its accesses deserve a finding, or a thread that waits for ever, and that finding.
 */
#ifndef SOFTGPU_RERUN_EXPLORE_WITNESS_H
#define SOFTGPU_RERUN_EXPLORE_WITNESS_H

#include "model/verdict.h"
#include "report/kinds.h"
#include "analyse/acts.h"
#include "rerun/explore/lone.h"

struct witness {
    struct execution execution;
    struct model_pair pair;
    bool circles;              /**< in every execution of this kind strong accesses come before each other in a circle */
    const struct act *act;     /**< by which one thread's `pair` updates a location too late, the second a read-modify-write's read; NULL: it does not */
    int thread;                /**< of the model: one that never ends, */
    struct model_step waits;   /**< and where it stands */
};

/** A copy; the caller frees it. */
struct witness *witness_new(const struct execution *x, struct model_pair pair);

/**
 * Reports the pair, with the execution as its interleaving.
 * @param threads  the thread (lone.h) of each thread of the model
 * @param grids    a run of each launch, for names
 */
void witness_report(const struct witness *w, const struct lone *l, const uint64_t *threads, struct grid *const *grids,
                    enum finding_kind kind);
/** Is what the second of the pair reads, an older value, for an update that the thread tells of? Then the next round makes up for it (check/race/late.c). */
bool witness_is_made_again(const struct witness *w, const struct lone *l, const uint64_t *threads, struct grid *const *grids);
/** What `op`'s data races, found by its runs, lack: a run knows one order of the accesses only. `from`: reporter_advise(). */
void witness_advise(const struct witness *w, const struct lone *l, const uint64_t *threads, struct grid *const *grids, uint64_t op, int from);
/** Reports the thread that waits, likewise. */
void witness_report_wait(const struct witness *w, const struct lone *l, const uint64_t *threads, struct grid *const *grids);

#endif
