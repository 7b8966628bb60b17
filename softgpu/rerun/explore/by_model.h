/**
 * @file by_model.h
 * Every execution of a small launch that the axioms of the memory model allow: told by `--exhaustive`, and judged in an
 * ordinary run. Threads are run one by one (lone.h), model/ puts what they do together.
 */
#ifndef SOFTGPU_RERUN_EXPLORE_BY_MODEL_H
#define SOFTGPU_RERUN_EXPLORE_BY_MODEL_H

#include <stdio.h>

#include "execute/grid.h"
#include "rerun/explore/outcomes.h"

/** points_worth(), without loops and with them. */
#define LAUNCH_POINTS 120000
#define LOOP_POINTS 30000

struct grid;

/**
 * Tells all outcomes of the launch; memory stays as it is.
 * @return INCOMPLETE_NOT when they have been told, or why a launch like this cannot be enumerated so: then
 *         nothing was
 */
enum incomplete_cause explore_by_model(struct machine *m, const struct grid_config *config,
                                       const struct outcomes_out *out);

/** How far a launch has been judged. */
struct by_model_reach {
    bool complete;   /**< every execution */
    bool walked;     /**< or else every interleaving, and what comes of writes that reach memory late: nothing that no interleaving leaves */
};

/**
 * Reports, as one finding each, two accesses that race in some execution, and an outcome that no interleaving of the
 * threads has. Memory stays as it is.
 * @param configs  of the launch, or of `count` that run at once
 * @param grids  a run of each that has ended: their shapes and images are named in the findings
 * @param points  of the search, at most: a launch that cannot be enumerated so is left alone
 * @param small  a launch of few instructions: else those of threads that are run alone are bounded, too
 * @return how many it took
 */
uint64_t judge_by_model(struct machine *m, const struct grid_config *const *configs, int count, struct grid *const *grids,
                        uint64_t points, bool small, struct by_model_reach *reach);

/**
 * Runs of the launch have found races, those with the newest values none. If no execution has one but those in which strong accesses were done
 * out of order, the findings, from the `from`-th on, get the fences that rule these out as their advice.
 * @return points of the search that it took, at most `points`
 */
uint64_t advise_by_model(struct machine *m, const struct grid_config *const *configs, int count, struct grid *const *grids, uint64_t points, int from);

/** Points of the search that asking the model about the kernel is worth: none where it has weak accesses alone, which race in
 *  any run or not at all, or strong vectors, which runs read whole (adversary.c); few where it has loops, whose executions
 *  are many. Functions that it calls count; of those that are built in, only assert() and printf() are known not to matter. */
uint64_t points_worth(const struct function *f);

/** Is the kernel worth drawn runs where the model is not asked, or not to the end? It, or what it calls, has strong accesses. */
bool draws_worth(const struct function *f);

#endif
