/**
 * @file explore.h
 * `--exhaustive`: every execution of a tiny launch that the memory model allows (without promises).
 *
 * The launch is run again and again from the same memory. A run makes decisions: which lane makes the
 * next access to memory that several threads use, which write a read returns, where in coherence order
 * a write stands. The decisions form a tree that is walked depth first; a state (the graph of events
 * so far) that has been seen is not walked again.
 */
#ifndef SOFTGPU_RERUN_EXPLORE_EXPLORE_H
#define SOFTGPU_RERUN_EXPLORE_EXPLORE_H

#include <time.h>

#include "base/hash_set.h"
#include "base/list.h"
#include "execute/observer.h"
#include "rerun/explore/event_graph.h"
#include "execute/machine.h"
#include "rerun/explore/outcomes.h"

struct decision {
    int count, chosen;
};

struct known_location {
    uint64_t key;
    uint64_t block;           /**< the first thread that touched it */
    uint32_t thread;
    bool shared;              /**< another one has */
};

struct explorer {
    struct machine *machine;
    struct graph graph;
    LIST(struct decision) path;
    int depth;
    bool pruned;              /**< this run reached a state seen before, or one that cannot be */
    bool restart;             /**< more memory is shared than was known: begin again */
    enum incomplete_cause incomplete; /**< why not everything was tried */
    uint64_t runs;
    uint64_t turns;           /**< lanes asked in this run */
    uint64_t standing, beside; /**< of the state: where lanes stand, and what they have done that is not in the graph */
    clock_t began;
    struct hash_set seen;     /**< states */
    LIST(struct known_location) known;
    struct outcomes outcomes;
    LIST(struct barrier_party) parties;
    /** The read-modify-write under way. */
    struct {
        bool planned;
        struct event_plan plan;
        int position;         /**< the write that it reads; its own comes right behind */
    } rmw;
};

/** Threads that have arrived at a barrier of a block and not been released yet. */
struct barrier_party {
    uint64_t block;
    int barrier;
    int thread;
    bool waits;
};

/** Begins exploring launches on this machine; it runs grids under SCHEDULE_CHOSEN meanwhile. */
struct explorer *explore_begin(struct machine *m);
/** After a run has ended: @return true if another run is to be made from the same memory. */
bool explore_next(struct explorer *x);
/** Writes the outcomes to the findings file and a table to `out`, and forgets everything. `why`: why the launch is
 *  explored by runs, which leave out executions that need a read to see a later write; told beside why there were no more. */
void explore_end(struct explorer *x, const char *kernel, enum incomplete_cause why, FILE *out);

/* ---- Between explore.c and events.c ---- */

/** A decision among `count` > 0 possibilities. */
int explore_choose(struct explorer *x, int count);
/** Which of `count` groups at visible instructions goes on; prunes the run where the state is known.
 *  @return -1 if the run is pruned */
int explore_schedule(struct explorer *x, int count);
/** Decides what is read and which write stays, and watches what orders them. */
extern const struct chooser explore_chooser;
extern const struct observer explore_observer;

#endif
