/**
 * @file walk.h
 * Private to model/: a walk over the states of a small program, one access after another, each state entered once.
 *
 * Writes reach memory at once (interleavings.h), or threads have buffers (delayed.h, which has the rules). What no other thread can tell, now or
 * later, is done before anything else and no state of its own: a write into the own buffer, accesses of memory that nobody else uses,
 * reads of what nobody else writes. Who uses what shows as the walk goes; where it has relied on less, it begins again.
 */
#ifndef SOFTGPU_MODEL_WALK_H
#define SOFTGPU_MODEL_WALK_H

#include "model/walk_state.h"

/** Is the trail kept? */
static inline bool walk_is_traced(const struct walk *w)
{
    return w->how || w->plain->raced || w->plain->waits || w->plain->shows;
}

/** From the beginning, until all has been tried. @return false if it was not */
bool walk_all(struct walk *w);
void walk_free(struct walk *w);

/* walk.c */

/** Goes on from here in every way. */
void walk_explore(struct walk *w);
/** Before a thread changes, and to change memory; walk_back() undoes what was changed since. */
struct walk_thread *walk_change(struct walk *w, int thread);
void walk_write(struct walk *w, int location, uint64_t value, int event);
void walk_back(struct walk *w, int changes);
/** What the thread does next. */
const struct model_step *walk_step(const struct walk *w, int thread);
/** Has it nothing left to do, but for what stands in its buffer? */
bool walk_has_ended(const struct walk *w, int thread);

/* walk_nodes.c */

/** The node after one more value, `parent` -1: at the beginning; -1 where it cannot be had, and the walk ends. */
int walk_node_after(struct walk *w, int thread, int parent, uint64_t value);
/** The values that have led to it. @return how many */
int walk_values(const struct walk *w, int node, uint64_t *values);
/** Does nobody else use, or write, the location? If so, the thread relies on it from now on. */
bool walk_is_alone(struct walk *w, int thread, int location);
bool walk_writes_alone(struct walk *w, int thread, int location);

/** Without buffers, where a thread's next event is an access: does it write? */
bool walk_writes(struct walk *w, int thread);
/** Without buffers: a thread does its next access. @return false if that cannot be had */
bool walk_access(struct walk *w, int thread);

/** The write that belongs to the read that has led to a node; NULL: there is none. */
const struct model_event *walk_update(const struct walk *w, int node);

/* walk_waits.c */

/** Threads that have not ended, one bit each. */
uint32_t walk_left(const struct walk *w);
/** Without buffers: does none of them ever end, or change what another one can tell? */
bool walk_is_stuck(struct walk *w);

/* walk_only.c */

/** Notes how strong an access is, where the walk learns of it. */
void walk_learn_reach(struct walk *w, int thread, const struct model_event *e);
/** Do the axioms allow nothing but interleavings, as far as is known? */
bool walk_is_only(const struct walk *w);
/** Is there a way from each state to some end? */
bool walk_always_ends(const struct walk *w);

/* walk_races.c */

/** Do the next accesses of two threads race? Tells it. @return true if no more races are looked for: the walk ends */
bool walk_find_race(struct walk *w);

/* walk_apart.c */

/** Where all threads that have not ended keep out of each other's way until they meet, or end: one of them that is not yet there,
 *  and need alone go on; -1: they do not. */
int walk_apart(struct walk *w);

/* walk_meet.c */

/** Without buffers: may the thread, at a barrier, pass it? True also where that is not followed. */
bool walk_may_meet(const struct walk *w, int thread);
/** The thread stands at a barrier: where it is passed, the walk goes on from there. */
void walk_meet(struct walk *w, int thread);

/* delayed.c */

/** Adds to the trail. @return its number */
int walk_note(struct walk *w, int thread, const struct model_event *e, uint64_t value, int source);
/** Adds where threads meet: all of a barrier or an exchange; or an arrival at a cluster's barrier, or the wait for it. */
void walk_note_meeting(struct walk *w, const struct model_step *step, uint32_t threads);
/** The thread's latest write there that is delayed; -1: there is none. */
int walk_latest_delayed(const struct walk_thread *at, int location);
/** Does its next event, which is no part of a read-modify-write, go into its buffer, or past it? Then it does. */
bool walk_delay(struct walk *w, int thread, const struct model_event *e);
/** May its read-modify-write be done at once? */
bool walk_may_update(const struct walk *w, int thread, const struct model_event *write);
/** Each of its writes that may leaves its buffer, and the walk goes on from there. */
void walk_leave(struct walk *w, int thread);
/** A read that leads on: behind which writes of the reader's own? */
void walk_note_bare(struct walk *w, int thread, const struct model_event *read);
/** The trail as an execution. @return false if it has more events than one may have */
bool walk_execution(const struct walk *w, struct execution *x);

/* stale_looks.c */

/** With buffers: a thread has changed a location, which held `before`. */
void walk_note_turn(struct walk *w, int location, uint64_t before, int thread);
/** Notes a read that may come before what its thread has written. */
void walk_note_stale(struct walk *w, struct stale_look look);
/** The walk is over: fills in `bare`. @param asks  leaves out reads of which an older value leads nowhere else */
void walk_sum_stale(struct walk *w, bool asks);

#endif
