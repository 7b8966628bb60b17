/**
 * @file order.h
 * Is an earlier event ordered before the acting thread, and if not, what is missing?
 */
#ifndef SOFTGPU_CHECK_RACE_ORDER_H
#define SOFTGPU_CHECK_RACE_ORDER_H

#include "check/race/race.h"

struct reader;

/** Did the thread leave before the barrier whose uniform time would cover `time`? */
bool left_before(const struct race *race, uint32_t agent, uint32_t thread, uint32_t time);
/** Does a vector clock of causality cover an event? */
bool clock_covers(const struct race *race, const struct vector_clock *v, uint32_t agent, uint32_t thread,
                 uint32_t time);
/** Of an event on the device, seen from the host: the signal (its site) by which the host has learned of
 *  it although nothing released it at system scope; 0 if there is none. */
uint32_t host_signal_for(const struct race *race, const struct epoch *e, uint64_t place);
enum verdict { ORDERED, MISSING_ACQUIRE, MISSING_RELEASE, UNORDERED };
/** Is anything that the agent did ordered before `me`? */
bool actor_knows_of(const struct actor *me, uint32_t agent);
/** Is the event ordered before `me` by base causality? */
bool epoch_ordered(const struct actor *me, const struct epoch *e);
/** Is it ordered before every thread of `me`'s block, by a barrier of all? */
bool epoch_passed_by_all(const struct actor *me, const struct epoch *e);
/** Is all that the agent does, by where the host puts its launch? */
bool agent_passed_by_launch(const struct actor *me, uint32_t agent);
/** An element stands for several threads: are all of them ordered before `me`? */
bool reader_ordered(const struct actor *me, const struct reader *r);
/** Is one of them? It stands for reads of one write, so that any of them has observed that. */
bool reader_known(const struct actor *me, const struct reader *r);
/** May reader_known() be true, or with `value` reader_must_be_seen(), of one by agents from `first` to `last`, or by one agent's warp (else EVERY_WARP)? None of the
 *  actor's own block is asked about. */
bool readers_may_be_known(const struct actor *me, uint32_t first, uint32_t last, uint32_t warp, bool value);
/** Must a read by `me` in this run see the event (or something newer)? Causality, and the order in
 *  which the fence.sc of this run were executed. */
bool epoch_must_be_seen(const struct actor *me, const struct epoch *e);
bool reader_must_be_seen(const struct actor *me, const struct reader *r);
/** How the event has come to be known without being ordered. Sites; 0 = none. */
struct hearsay {
    uint32_t via;        /**< of the actor's read that observed a signal */
    uint32_t signal;     /**< of the event's thread's strong write */
    bool neither;        /**< MISSING_RELEASE: the actor's thread has observed the signal and not acquired, either */
    bool acquired;       /**< MISSING_RELEASE: it has observed the signal by itself, and acquired */
    uint32_t seen, passed; /**< MISSING_RELEASE, by a thread between the two, which has seen what was released, and then signalled; 0: by the first */
    bool narrow;         /**< there is a release, or an acquire, whose scope does not reach the other device */
    uint32_t not_acquired; /**< MISSING_ACQUIRE: of the read behind which an acquire is missing: `via`, or that of a thread
                              between, which passed on what it had not acquired */
};
/** Why not. Writes to `place`, the location in question, are no signals about it. */
enum verdict epoch_judge(const struct actor *me, const struct epoch *e, uint64_t place, struct hearsay *how);
/** The locations in question: `first` to `last`. */
struct places {
    uint64_t first, last;
};
/** Has `me` seen a signal of the event's thread that came after the event? Writes to `places` are none. The event has not happened before
 *  race->moment `since` (chain_moment(); 0: not known). */
bool epoch_signalled(const struct actor *me, const struct epoch *e, uint64_t since, struct places places);
/** … by reads whose result its program uses? By an atomic whose result it drops it has been told nothing. */
bool epoch_heard(const struct actor *me, const struct epoch *e, uint64_t since, struct places places);
#define MAX_TARGETS 5
/** The same of up to MAX_TARGETS events in one go, a bit each. *all: nothing is left to find out; false where the
 *  first one's bit is 1, with which the search ends. */
uint32_t epochs_signalled(const struct actor *me, const struct epoch *const *e, int count, uint64_t since, struct places places, bool *all);
/** Tells a location: the `place` of its chains. */
static inline uint64_t place_in_shared(const struct block_state *home, uint64_t address)
{
    return ~(address | (uint64_t)home->agent << 32);
}
static inline uint64_t place_of(const struct actor *me, enum ptx_space space, uint64_t address)
{
    return space == SPACE_SHARED ? place_in_shared(me->home, address) : address;
}

#endif
