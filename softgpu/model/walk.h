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

#include "base/byte_set.h"
#include "base/list.h"
#include "model/delayed.h"
#include "model/enumerate.h"
#include "model/interleavings.h"

/** Values of one thread, and entries of its buffer. */
#define WALK_VALUES 120
#define MOST_DELAYED 12

/** A thread after some values. */
struct walk_node {
    struct model_step *step;
    int parent, depth;               /**< -1: it has been given none; how many it has */
    uint64_t value;                  /**< the latest */
};

/** In a buffer; `location` -1: what stands behind waits for what stands before. */
struct delayed_write {
    int location, event;             /**< `event`: of the trail */
    uint64_t value;
    bool release;                    /**< it waits for all that stands before it */
};

/** A thread between two of its accesses. */
struct walk_thread {
    int node, done;                  /**< events of the node's step that have happened */
    uint32_t wrote, at_once;         /**< locations, one bit each: that it has written on this way; by updates, with no fence.sc since. No part of the state */
    int came;                        /**< the latest phase of its cluster's barrier at which it has arrived */
    int delayed;
    struct delayed_write write[MOST_DELAYED];
};

/** What was there before a change: a thread, or where `thread` is -1 a location. */
struct walk_undo {
    int thread, location, writer;
    uint64_t value;
    struct walk_thread was;
};

/** What was issued, and what each read saw; or, where `forgets` is not 0: the thread is where it was before its latest so many reads; or,
 *  where `left` is not 0: that write, its number plus one, leaves its buffer. */
struct walk_trace {
    struct model_event event;
    int source, forgets, left;
    bool delayed;                    /**< a write that goes into its buffer */
    uint32_t meets;                  /**< of a barrier or an exchange: the threads, one bit each; 0: of a cluster's barrier, */
    int phase;                       /**< and its phase, of an arrival; of a wait, the same less than 0 */
    bool relaxed;
};

/** From a state to a later one, by their numbers plus one; 0: the end. */
struct walk_edge {
    uint32_t from, to;
};

/** Locations, one bit each, that a thread has read behind its write of another. */
struct bare {
    uint32_t past_delayed;           /**< while that write was delayed; or it was an update, which is made at once, and no fence.sc stood between */
    uint32_t past_update;
    uint32_t stale, any;             /**< of those: while another thread's write there was delayed; all */
};

/** A read behind writes of its thread's own: of which locations, one bit each, as in `bare`; and while another thread's write there was delayed. */
struct stale_look {
    int thread, node;
    uint32_t past_delayed, past_update, others;
    bool stale;
    int states, latest;              /**< kept of what memory held then; the latest of them, plus one */
};

/** What memory held at a look. */
struct look_state {
    int before;                      /**< the look's one before it, plus one */
    uint64_t memory[MODEL_LOCATIONS];
};

/** A location has come to hold what it does in `memory`, and held `before`. */
struct walk_turn {
    int location;
    uint32_t writers;                /**< threads, one bit each */
    uint64_t before, memory[MODEL_LOCATIONS];
};

struct walk {
    const struct model_program *program;
    struct delayed_walk *how;        /**< NULL: there are no buffers, */
    const struct interleavings *plain; /**< and this says what is asked */
    void (*found)(void *self, const struct model_outcome *o);
    void *self;
    uint64_t points, most, spent;    /**< states of this try; so many it may have; those of tries before it */
    int room;                        /**< writes that a buffer holds, and others wait; the walk is complete without that */
    bool failed, full;               /**< it has ended early; a buffer was */
    bool again;                      /**< it has relied on what is not so */

    struct walk_thread thread[MODEL_THREADS];
    uint64_t memory[MODEL_LOCATIONS];
    int writer[MODEL_LOCATIONS];     /**< event of the trail; -1: the initial write */
    LIST(struct walk_undo) undo;
    LIST(struct walk_trace) trail;   /**< kept as walk_is_traced() says */
    struct byte_set seen;

    LIST(struct walk_node) nodes;
    struct byte_set names, alike;    /**< of nodes: where they come from; what they go on with */
    LIST(int) named, first_alike;    /**< the node of each */
    uint32_t users[MODEL_LOCATIONS], writers[MODEL_LOCATIONS];          /**< threads, one bit each */
    uint32_t for_users[MODEL_LOCATIONS], for_writers[MODEL_LOCATIONS];  /**< those that have relied on there being no others, */
    uint32_t quiet, for_quiet;       /**< on these using nothing; threads that use something */
    uint32_t reach[MODEL_LOCATIONS][MODEL_THREADS]; /**< other threads to whose accesses all of a thread's are strong, one bit each */
    bool meets;                      /**< threads meet somewhere */
    uint64_t state;                  /**< the one that the walk goes on from, plus one, */
    LIST(struct walk_edge) edges;    /**< and which lead where, if it is asked whether all end; from an end to 0 */
    struct bare bare[MODEL_THREADS][MODEL_LOCATIONS]; /**< beside a thread's write of a location, */
    LIST(struct stale_look) looks;   /**< in these, one a node; */
    LIST(int) look_at;               /**< by node: its number plus one */
    LIST(struct look_state) look_states;
    struct byte_set looked;          /**< these, by look and memory */
    LIST(struct walk_turn) turns;    /**< what was there to be missed, the first few of each location, */
    struct byte_set turned;          /**< by location and values */
    int turns_of[MODEL_LOCATIONS];
};

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
