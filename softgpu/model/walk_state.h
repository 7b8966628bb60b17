/**
 * @file walk_state.h
 * Private to model/: what a walk over the states of a small program (walk.h) holds.
 */
#ifndef SOFTGPU_MODEL_WALK_STATE_H
#define SOFTGPU_MODEL_WALK_STATE_H

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

#endif
