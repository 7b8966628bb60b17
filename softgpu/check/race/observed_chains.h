/**
 * @file observed_chains.h
 * The release chains that a thread has read from. A list holds one entry a chain and reader: the furthest
 * contribution read, and how far it has been acquired.
 *
 * Noting, renewing and forgetting cost the same in a list of three and of a million: entries are found by a
 * hash of their chain, and hang in rings by age, by what has been acquired, and by whether they changed since
 * the last barrier. So a fence looks only at what it takes in, and a barrier only at what is new.
 */
#ifndef SOFTGPU_CHECK_RACE_OBSERVED_CHAINS_H
#define SOFTGPU_CHECK_RACE_OBSERVED_CHAINS_H

#include <stdbool.h>
#include <stdint.h>

#include "check/race/clock/release_chain.h"

#define EVERY_THREAD UINT32_MAX

/** Counted apart: a block's traffic in its shared memory makes no list forget what other blocks have signalled to it. */
enum observed_where { IN_GLOBAL, IN_SHARED, OBSERVED_WHERES };

enum observed_ring { BY_AGE, BY_LEVEL, BY_CHANGE, OBSERVED_RINGS };

/** A chain that a thread has read from, and how far. */
struct observed {
    struct release_chain *chain;
    int upto;
    int heard;                /**< 1 + how far by reads whose result is used, 0 if by none */
    uint32_t site;            /**< of the read */
    uint32_t time;            /**< the reader's when it read; passed on: its block's */
    uint32_t thread;          /**< the reader; EVERY_THREAD once a barrier has passed it on */
    uint64_t moment;          /**< race->moment when it read: all that it has read from the chain is as old */
    uint8_t reach;            /**< of the read's scope: enum reach */
    uint8_t acquired;         /**< 0 no, else with which reach */
    /* Kept by observed.c. */
    bool changed;
    bool left;                /**< a barrier has passed it on before its thread had acquired it: `acquired` is said, and was not */
    uint8_t level;
    uint8_t where;            /**< enum observed_where of its place */
    uint32_t number;          /**< they count up in a list */
    int same_hash;
    struct {
        int older, newer;
    } link[OBSERVED_RINGS];
};

struct observed_ends {
    int oldest, newest;
};

/** All zero is empty. Entries are told by their place in `at`; 0 is none. */
struct observed_list {
    struct observed *at;
    int count, used, cap, unused;
    int counts[OBSERVED_WHERES];
    uint32_t noted;
    uint32_t changes;         /**< so often has it come to hold more than it did */
    uint64_t latest;          /**< of its entries' moments, and of those forgotten */
    struct observed_ends age, change;
    struct observed_ends level[OBSERVED_WHERES][REACH_SYSTEM + 1]; /**< [k]: acquired with reach k, and there is more to
                                                       acquire; the last: nothing is left to acquire */
    int *heads;               /**< of the hash; NULL while the list is short */
    uint32_t head_mask;
};

void observed_drop(struct observed_list *l);
/** … and of its room, if there is any. */
void observed_free(struct observed_list **l);
/** Leaves out what lies in shared memory and was passed on by time `passed`, and then room that is not used. */
void observed_leave_shared(struct observed_list *l, uint32_t passed);
/** Notes or renews a chain; the list takes a reference of its own. Past 64 in shared memory, or elsewhere, the
 *  oldest there that has been acquired is forgotten: it only serves to tell what is missing. */
void observed_note(struct observed_list *l, const struct observed *o);
/** @return NULL if the thread has not read from the chain */
const struct observed *observed_find(const struct observed_list *l, const struct release_chain *chain,
                                     uint32_t thread);
/** From the newest to the oldest; 0 at the end. */
static inline int observed_newest(const struct observed_list *l)
{
    return l->age.newest;
}
static inline int observed_older(const struct observed_list *l, int i)
{
    return l->at[i].link[BY_AGE].older;
}
/** Acquires with `reach`, for that thread, whatever has not been acquired so far: all chains, as a fence does. */
void observed_acquire(struct observed_list *l, struct acquirer who, enum reach reach, struct knowledge **into);
/** The same of the chains at the place of `read`, as an acquire there does. What `read` itself has got of its chain, with
 *  `reach`, is in *into already and not looked for again: a thread that polls where it has written has read less of it before. */
void observed_acquire_place(struct observed_list *l, const struct observed *read, struct acquirer who, enum reach reach,
                            struct knowledge **into);
/** Copies what has changed in `from` since it was last passed on, as known to every thread from `time` on; `*to` is made where there is any. */
void observed_pass_on(struct observed_list **to, struct observed_list *from, uint32_t time);

#endif
