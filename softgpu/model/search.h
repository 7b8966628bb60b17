/**
 * @file search.h
 * Private to model/: a point of the search of enumerate.c, and what its files share.
 */
#ifndef SOFTGPU_MODEL_SEARCH_H
#define SOFTGPU_MODEL_SEARCH_H

#include <time.h>

#include "base/byte_set.h"
#include "model/domain.h"
#include "model/enumerate.h"
#include "model/loop_waits.h"

#define THREAD_VALUES 64

enum thread_state { THREAD_RUNS, THREAD_READS, THREAD_AT_BARRIER, THREAD_ENDED, THREAD_NEEDS };

struct search_thread {
    enum thread_state state;
    int values;                          /**< returned so far, by reads and barriers */
    uint64_t value[THREAD_VALUES];
    int event_of[THREAD_VALUES];         /**< the read or barrier that returned each */
    event_set unknown;                   /**< values of reads whose writes are to come */
    event_set considered;                /**< writes that its pending read has been offered */
    event_set idle;                      /**< those that only make it come back */
    bool arrived_before;                 /**< its arrival was counted, and it goes on or waits */
    struct model_step step;              /**< the latest: what it waits for; its events have been added */
};

/** A read whose write was not there when its thread went on. */
struct late {
    int read, thread, value;             /**< the event, whose it is, and which of its values */
    event_set there;                     /**< writes that it has been offered and does not see */
    enum { LATE_ANY, LATE_EQUAL, LATE_OTHER } takes;  /**< values: any, `expects`, or any but that */
    uint64_t expects;
};
#define MAX_LATE 32

/** Threads that have come to a barrier since it last let go. */
struct gathering {
    int barrier, block, device, warp, arrived[MODEL_THREADS * 4], thread_of[MODEL_THREADS * 4], count;
    int threads, ones, reduces;          /**< that came; that gave something else than 0 */
    int warps, expected;                 /**< that came, at a barrier with a count; and the count that the latest named; 0: it counts threads */
    uint32_t members;
    uint32_t waits;                      /**< threads that it lets go, one bit each */
    bool exchanges, of_cluster;
    int cluster;
    uint32_t came, left;                 /**< threads at a cluster's barrier, */
    event_set relaxed;                   /**< and arrivals that order no memory */
};
#define MAX_GATHERINGS 16

struct point {
    struct execution x;
    struct search_thread thread[MODEL_THREADS];
    struct gathering gathering[MAX_GATHERINGS];
    int gatherings;
    struct late late[MAX_LATE];
    int lates;
    event_set open;                      /**< writes whose value is not known */
};

/** Points that were met (covered.h). */
struct covered {
    struct byte_set names;
    uint32_t *latest;                    /**< of each name the latest way, plus one */
    uint64_t latest_room;
    struct covered_way *ways;
    uint64_t way_count, way_room;
    event_set *passed;
    uint64_t passed_used, passed_room;
};

struct search {
    const struct model_program *program;
    const struct model_limits *limits;
    void (*found)(void *self, const struct model_outcome *o);
    void *self;
    struct domain domain;
    bool late;                           /**< threads go on while reads wait */
    uint64_t serial, points, work;       /**< points by then, and weighed: model_limits.work */
    uint64_t round_began;                /**< points by then */
    bool again;                          /**< a round has learnt that it is in vain, or of a circle when it had only begun: it begins again */
    struct byte_set seen;                /**< the executions met so far, or by value the outcomes */
    struct covered covered;              /**< by value: the points of this round */
    struct point **spare;                /**< points that are not in use */
    int spares, spare_room;
    clock_t began;
    enum incomplete_cause incomplete;
    enum incomplete_cause left_out;      /**< why executions have been left out, while others were tried, */
    uint64_t tried_until;                /**< up to so many points */
    uint32_t hanging;                    /**< of the execution at hand */
    struct loop_wait loop[MODEL_THREADS]; /**< of those of them that read */
};

/** A copy of a point, of what is in use; search_drop() takes it back. */
struct point *search_copy(struct search *s, const struct point *p);
void search_drop(struct search *s, struct point *p);

/** Will a thread other than `but`, or an open write before its event `read`, write there, as far as is known? Else notes that a way is
 *  left for that. */
bool search_may_be_written(struct search *s, const struct point *p, int but, int read, int location);

/** A pending read that takes none of the writes that are there may be late. */
bool late_may_be(struct search *s, const struct point *p, int thread);
/** Its thread goes on without it; leaves the point in no state to be used again. */
void late_go_on(struct search *s, struct point *p, int thread);
/** Gives late reads the writes that have come since, each in a branch of its own, and leaves the point to where none of these is it.
 *  @return false if some late read has no write any more */
bool late_offers(struct search *s, struct point *p);
/** Nothing can go on: some read guesses its value, if that may help. */
void late_guess(struct search *s, const struct point *p);
/** Does what is there fit the axioms, by some choice of writes for the reads of known value? Keeps that.
 *  @param read  one that has just got its write, -1 = none */
bool search_fits(struct search *s, struct point *p, int read);
/** Those of the writes that have the value of one. */
event_set by_value_like(const struct execution *x, int write, event_set writes);
/** Notes an outcome. @return true if it is new */
bool by_value_is_new(struct search *s, const struct point *p, const uint64_t *final);
/** Judges choices of writes for the reads of an execution that is complete, until all is told that it may leave. */
void by_value_finish(struct search *s, const struct point *p);

/** Finds the writes that rest on late reads. */
void late_find_open(struct point *p);
/** Those whose write is to come. */
event_set late_reads(const struct execution *x);

/** Turns numbers of a thread's returned values into events. */
event_set search_events_of(const struct search_thread *t, event_set values);
/** Adds the thread's pending read, which gets `value` from `source`. @return its event; -1 where there is no room, and the search has ended */
int search_add_read(struct search *s, struct point *p, int thread, uint64_t value, int source);
/** Goes on from a point in every way, and leaves it in no state to be used again. */
void search_explore(struct search *s, struct point *p);
/** The search ends: not all was tried. @return false */
bool search_give_up(struct search *s, enum incomplete_cause why);
/** A thread has come to where its step ends, of whose events those before `from` have been added. @return as search_return_value() */
bool search_enter(struct search *s, struct point *p, int thread, int from);
/** A value comes back to a thread, which goes on to where it needs something. @return false where the walk ends: no
 *  such execution, or given up */
bool search_return_value(struct search *s, struct point *p, int thread, int event, uint64_t value);
/** Takes one step at barriers, an arrival or a release, and goes on from there. Where more come than a barrier waits
 *  for, every order of arrivals is tried. @return false if there is nothing to do */
bool search_barriers(struct search *s, struct point *p);

/** The write that a pending reduction takes in one execution for all that differ in the order of reductions; -1: try each. */
int reductions_take(struct search *s, const struct point *p, int thread);
/** Are those of the location taken so, as far as is known? */
bool reductions_are_straight(const struct domain *d, int location);
/** Notes how an access that has been added stands to reductions of its location; the round begins again where these were taken in one order. */
void reductions_learn(struct search *s, const struct execution *x, int event);
/** Do all executions that follow from a point leave what others leave, in which two reductions have changed places? */
bool search_is_redundant(struct search *s, const struct point *p);

/** All threads have ended or wait for ever: judges the execution. */
void search_finish(struct search *s, const struct point *p);
/** Judges one choice of writes for its reads, and one of loops. @return false if the search ends */
bool search_judge(struct search *s, const struct point *p, const struct execution *x);

#endif
