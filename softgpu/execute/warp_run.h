/**
 * @file warp_run.h
 * Private to execute/: groups of lanes, how they run, stop, split and meet.
 */
#ifndef SOFTGPU_EXECUTE_WARP_RUN_H
#define SOFTGPU_EXECUTE_WARP_RUN_H

#include "execute/warp.h"

enum warp_result { WARP_DONE, WARP_BLOCKED, WARP_YIELDED, WARP_ABORTED };

/** What a warp burns in one turn, unless it waits before. For tests: SOFTGPU_FUEL says how much. */
int64_t warp_fuel(void);
/**
 * Runs groups of the warp until none can run, its fuel is gone, or — with `quantum` other than 0 —
 * about that many instructions have been issued.
 */
enum warp_result warp_run(struct warp *w, int64_t fuel, int64_t quantum);
/**
 * The same for a warp that compiled code has left, and nobody has run since, where may_go_on(): the
 * code is called, and called again behind each barrier that lets the warp go on at once (go_on.c).
 */
bool may_go_on(const struct warp *w);
enum warp_result warp_go_on(struct warp *w, int64_t fuel);
/** Do warps that begin in compiled code do so where nobody looks at single instructions? */
bool begin_unwatched(const struct grid *g);
/**
 * Where all warps of the block stand at one place at which compiled code goes on, but for those that have come to the next barrier already: their turns, barrier
 * after barrier, until one does anything else or the worker has issued `end` instructions (rounds.c).
 * @param warp in: who begins; out: who ran last, as whose turn ends what `*result` is  @return false where they do not: nothing has happened
 */
bool block_go_round(struct block *b, int *warp, int64_t fuel, uint64_t end, enum warp_result *result);
/** What a turn begins with but its fuel. */
static inline void warp_forget_turn(struct warp *w)
{
    w->turn_atomics = 0;
    w->preempted = false;
    w->look.last = w->look.again = NULL;
}
/** What a turn begins with. */
static inline void warp_begin_turn(struct warp *w, int64_t fuel)
{
    warp_forget_turn(w);
    w->reserve = fuel - w->polled_away;
    w->fuel = 0;
}
/** The rest of warp_run() without a quantum, for a loaded group that goes on at `in`; NULL: it has stopped. */
enum warp_result warp_run_from(struct warp *w, const struct insn *in);
/** True if some group can run now (sleepers count when their time has come). */
bool warp_ready(const struct warp *w);
void warp_set_mask(struct warp *w, uint32_t mask);
/** Adds a READY group; the caller keeps masks disjoint. */
struct group *warp_add_group(struct warp *w, const struct insn *pc, uint32_t frame, uint32_t mask);
/** Counts the instructions up to `in` and makes it the start of the next stretch. */
static inline void warp_count(struct warp *w, const struct insn *in, const struct insn *next)
{
    uint64_t n = (uint64_t)(in + 1 - w->run_start);
    w->instructions += n;
    w->lane_instructions += n * w->active;
    w->run_start = next;
}
/** Instructions that the warp has issued before the running group came to `in`. */
static inline uint64_t warp_count_before(const struct warp *w, const struct insn *in)
{
    return w->instructions + (uint64_t)(in - w->run_start);
}
/** Ends the running group's turn at `pc` in state `state`; returns NULL for the handler. */
const struct insn *warp_stop(struct warp *w, const struct insn *in, const struct insn *pc,
                             enum group_state state);
/** Removes the running group: its lanes have all exited or moved to other groups. */
const struct insn *warp_stop_removed(struct warp *w, const struct insn *in);
/** Splits `lanes` off the running group: they continue at `pc` as a group of their own. */
void warp_split(struct warp *w, const struct insn *in, uint32_t lanes, const struct insn *pc);
/** Makes group `g` the running one: frame and mask. */
void warp_load_group(struct warp *w, int g);
/** Rule 1 (warp_run.c) as an order: true if `a` runs before `b`. */
static inline bool group_before(const struct group *a, const struct group *b)
{
    return a->frame != b->frame ? a->frame > b->frame : a->pc < b->pc;
}
/** The first group in the order of rule 1, beginning with the running one, takes in those that stand where it does; w->limit becomes where
 *  the next one stands. @return its index; it is not loaded */
int warp_merge_first(struct warp *w);
/** At branch `in` the lanes `waiting`, which stand further on in the text, part from those that run on: groups, fuel and limit. */
void warp_part(struct warp *w, const struct insn *in, uint32_t running, uint32_t waiting);

/* partings.c: the same in compiled code, whose warp's groups are as its worker's partings say until somebody looks at them */

/** warp_part(), later. */
void parting_part(struct warp *w, const struct insn *in, uint32_t running, uint32_t waiting);
/** The running group stands at `pc`, later. */
void parting_stand(struct warp *w, const struct insn *pc);
/** The same, unless `running` is 0; then the group that stands first in the text runs, with all that stand there. */
void parting_meet(struct warp *w, const struct insn *pc, uint32_t running);
/** The same where all lanes of the warp come together. */
void parting_meet_all(struct warp *w, const struct insn *pc, uint32_t running);
/** Groups become what they are. */
void parting_end(struct warp *w);

/** A warp alone on an SM issues a dependent instruction every few clocks (device_model.c). */
#define CLOCKS_PER_INSTRUCTION 4

/* barrier.c */

/** Counts partial groups at aligned barriers once nothing else in the warp can run.
 *  @return true if that made a group ready */
bool barrier_settle(struct warp *w);
/** The whole warp arrives at `in`, a barrier of all threads by a number that stands in the text, from compiled code.
 *  @return true if that completes it: the warp may go on */
bool barrier_meet(struct warp *w, const struct insn *in);
/** All the block's threads have arrived at `in`, number `barrier`, as the observers' barrier_met says: they hear of it, and all warps may go on. */
void barrier_met(struct block *b, const struct insn *in, int barrier);
/** The same where the observers have heard of each arrival, and each warp's group stands there: all who wait at `barrier` may go on. */
void barrier_complete(struct block *b, int barrier);
/** Lanes of the warp have exited: barriers that waited for them only complete. */
void barrier_exited(struct warp *w);

/* control.c */

/** Do all lanes that come to `in`, which may be NULL, end there? */
bool exits_whole(const struct insn *in);
/** What op_exit() does, in few steps, where all of the warp's lanes leave at `in` together, which exits_whole(), nobody watches and nobody in the
 *  block waits. @return false where that is not so: nothing has happened then */
bool exit_whole(struct warp *w, const struct insn *in);
/** Whether it would do so. */
bool may_exit_whole(const struct warp *w);

/* cluster_barrier.c */

/** Lanes that wait for the rest of their warp at an aligned barrier of the cluster, once nothing else in the warp can run.
 *  @return true if that made a group ready */
bool cluster_settle(struct warp *w);

/* warp_sync.c */

/** Completes the warp-level meetings that no longer wait for anybody. @return true if any */
bool warp_sync_settle(struct warp *w);

#endif
