/**
 * @file schedule.h
 * Private to execute/: whose turn it is, and the turns themselves.
 */
#ifndef SOFTGPU_EXECUTE_SCHEDULE_H
#define SOFTGPU_EXECUTE_SCHEDULE_H

#include "execute/grid_run.h"
#include "execute/warp_run.h"

/* schedule.c */

/** What runs next: a whole block, or one warp of it for about `quantum` instructions. */
struct turn {
    int resident;          /**< index in machine->residents */
    int warp;              /**< -1: every warp of the block in turn */
    int64_t quantum;       /**< 0: until it blocks or yields */
};
/** @return false when nothing that is resident can run */
bool schedule_pick(struct machine *m, struct turn *t);
/** Tells the schedule how the turn went: `spun` if the warp or block ran out of fuel. */
void schedule_done(struct machine *m, const struct turn *t, bool spun);
/** A turn begins: of many warps each polls less often in it, in natural order (vain_turns.c). */
void schedule_begins_turn(struct machine *m, const struct grid *g);
/** Tells it what the turn came to; `b` is NULL where the block has ended (vain_turns.c). */
void schedule_went(struct machine *m, const struct block *b, const struct turn *t);
/** Do others wait for what stands at `address` now, which has let `w` go on? Some of those who do are asked. */
bool schedule_lets_go(const struct machine *m, const struct warp *w, uint64_t address);
/** Would the turn come to nothing, as many have before? @return true if it is not to be taken, and is done with */
bool schedule_passes_over(struct machine *m, const struct turn *t);
uint64_t schedule_random(struct machine *m);
/** Which of several ready groups runs: an index below `count`. */
int schedule_group(struct machine *m, int count);
/** Asked before each atomic, `in`: whether the warp's turn ends in front of it. */
bool schedule_preempts(struct warp *w, const struct insn *in);
/** Asked before each strong store. */
bool schedule_preempts_store(struct warp *w, const struct insn *in);
/** Asked before each strong load, and each fence. */
bool schedule_preempts_finely(struct warp *w);
/** Told of each strong load and atomic. @param left_it  it has left what it found */
void schedule_looked(struct warp *w, const struct insn *in, bool left_it);
/** Told when the warp has come to a barrier as the last: whether its turn ends there. */
void schedule_barrier_open(struct warp *w);
/** Asked after each atomic on global memory that returns something: whether the warp's turn ends behind it. */
bool schedule_parks(struct warp *w);

/* chosen_turn.c */
bool chosen_pick(struct machine *m, struct turn *t);

/* parallel.c */

/** Runs blocks of `run` on all workers until it ends or `budget` is used up. */
void parallel_run(struct machine *m, struct grid_run *run, uint64_t budget);

/* step.c */

/** Takes over a block that another worker has begun. */
void step_add_resident(struct machine *m, struct resident r);
/** Adds what the worker has issued since the turn began to the grid and the machine's clock. */
void step_account(struct machine *m, struct worker *k, struct grid *g);
/** Runs a block until it is done, blocked, out of fuel or its grid ends. */
enum warp_result block_run(struct block *b, int64_t fuel);

#endif
