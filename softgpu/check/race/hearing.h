/**
 * @file hearing.h
 * What a thread has heard of others without its being ordered: what it has observed, what those had observed who wrote that, and
 * so on, from the nearest to the furthest. missing.c asks it what is missing, and whether there is a signal.
 */
#ifndef SOFTGPU_CHECK_RACE_HEARING_H
#define SOFTGPU_CHECK_RACE_HEARING_H

#include "check/race/order.h"
#include "check/race/race.h"

/** Which of the events looked for a vector clock covers, a bit each. Many snapshots share one. */
struct known_clock {
    const struct vector_clock *clock;
    uint32_t covers;
};
#define KNOWN_CLOCKS 32u

/** Events that are looked for. */
struct sought {
    const struct actor *me;
    const struct epoch *target[MAX_TARGETS];
    int targets;
    struct places places;        /**< in question: writes to them are no signals */
    uint64_t since;              /**< no event has happened before this race->moment (chain_moments.h), and so nothing older tells of any */
    struct known_clock known[KNOWN_CLOCKS]; /**< by a hash of the clock */
};

/** What is on the way from the actor: its own read; the first read behind which nothing has been acquired; the first signal that passed on
 *  nothing of what its thread had seen, and where that had seen it. */
struct reads {
    uint32_t first, not_acquired, passed, seen;
};

/** A contribution that has been come to. */
struct heard {
    const struct observed *by;   /**< that was observed here, */
    int at;                      /**< as far as this place, or beyond, */
    uint32_t reader;             /**< by a thread of that agent, */
    struct reads reads;          /**< on this way; `by` is not counted in */
    bool released;               /**< all on the way have passed on what they got */
};

struct hearing {
    struct sought sought;        /**< begins with `known` all zero */
    /** Looks at a contribution that passes something on, or is by an event's block. @return true: all is known */
    bool (*hear)(struct hearing *h, const struct heard *what, const struct contribution *c);
    bool only_seen;              /**< only writes that a reader can tell from what was there before, */
    bool only_heard;             /**< and only by reads whose result the reader's program uses */
    bool only_released;          /**< only what has been passed on all the way: what was not is not followed */
    bool again;                  /**< the same may be asked again: where nothing has been heard that is kept (unheard.h), and nothing followed next time */
    bool heard;                  /**< set by `hear`: something of some event */
};

/** Follows what the actor has observed, or what stands in `only`, which nothing has released. Where there is too much of it the run is incomplete. */
void hearing_follow(struct hearing *h, const struct observed_list *only);

/** Is the contribution's write another device's than that of `reader`? */
bool hearing_is_apart(const struct race *race, const struct contribution *c, uint32_t reader);
/** Of the events, a bit each: those that the contribution's write comes behind in its own thread, so that it is a signal of them; */
uint32_t sought_signalled(const struct sought *s, const struct contribution *c);
/** that are in what is passed on, */
uint32_t sought_in(struct sought *s, const struct snapshot *shot);
/** and in what the contribution passes on to the actor. */
uint32_t sought_released(struct sought *s, const struct heard *what, const struct contribution *c);

#endif
