/**
 * @file making.h
 * Between the files that make plays: what is being made, and the steps that it is made of.
 */
#ifndef TESTS_ORDERS_MAKING_H
#define TESTS_ORDERS_MAKING_H

#include "play.h"

enum { NO_FLAG, STORED, ADDED, TOKEN }; /* what is done to a flag */

struct making {
    struct play *p;
    enum family family;
    uint64_t r;
    int meetings, fences;
    uint32_t strong;               /**< of a hundred accesses to data */
    struct { int kind, value, actor; bool shared; uint32_t block; } flag[2 * MAX_FLAGS];
    int flags[2];                  /* taken of global memory, of shared */
    int names[MAX_ACTORS + 4];     /* of barriers, of each block */
    struct { int phase, left, count; uint32_t arrivers[4], waiters, block; } met[MAX_MET];
    int came[MAX_ACTORS];          /* of each cluster: the meeting of those that have arrived, and not waited yet */
};

uint32_t below(struct making *m, uint32_t n);
int any_actor(struct making *m);
/** An event at the end of the play. */
struct event *add(struct making *m, enum op op, int actor);
void remove_event(struct play *p, int at);
/** Is there room for so many more? Of the host's events each is two to the model. */
bool has_room(const struct making *m, int events);

/** Any access of the actor. */
void add_access(struct making *m, int actor);
/** One that races with nothing so far, if one is found. */
void add_right_access(struct making *m);

enum scope any_scope(struct making *m);
/** May it be about the shared memory of the cluster's other block? */
bool goes_away(const struct making *m);
/** If there is room. */
void add_fence(struct making *m, int actor);

/** Any access of anybody, at any place of the play. */
void add_anywhere(struct making *m);

/** A play whose turns go through phases of mbarriers. */
void make_phases(struct making *m);

/* What orders: each adds one or a few events, or nothing. */
void add_signal(struct making *m);
void add_wait(struct making *m);
void add_token(struct making *m);
void add_barrier(struct making *m);
void meet_lanes(struct making *m);
void meet_by_mbarrier(struct making *m);
/** At the mbarrier `n`, in its present phase. */
struct event *add_arrival(struct making *m, int n, int actor, enum order order);
void meet_in_cluster(struct making *m);
/** Who has arrived at the barrier of cluster `c` waits. */
void leave_cluster(struct making *m, uint32_t c);
void add_trigger(struct making *m);
void add_grid_wait(struct making *m);
void tend_copies(struct making *m);
/** Bulk copies, their groups and mbarriers, and proxy fences. */
void tend_bulk(struct making *m);
/** All wait for what reads their block's memory. */
void end_bulk(struct making *m);
/** May a block end before a bulk copy has read its memory? */
bool bulk_is_left(const struct play *p);

#endif
