/**
 * @file block_signals.h
 * Up to which times a block's strong writes can tell what its threads have done. Mostly a thread's last write is asked for, which no signal of its own
 * follows, while other threads of its block have signalled since: so times are kept for each thread, where several make such writes, once somebody has asked.
 */
#ifndef SOFTGPU_CHECK_RACE_BLOCK_SIGNALS_H
#define SOFTGPU_CHECK_RACE_BLOCK_SIGNALS_H

#include <stdbool.h>
#include <stdint.h>

#include "check/race/clock/release_chain.h"

/** Strong writes are no signals of writes to where they are. */
struct signal_times {
    uint64_t at;              /**< where the last of them was, */
    uint32_t there, elsewhere; /**< what any there, and any at another place, can tell has been done by this time; 0: there was none */
};

/** All zero: there were none. */
struct block_signals {
    struct signal_times any;  /**< of any of its threads */
    uint32_t of_all;          /**< what one can tell of other threads, too, by this time: what they knew by barriers, and what lanes wrote as a row */
    uint32_t one;             /**< 1 + the one thread that has made them, but for rows; 0: none; SIGNALS_OF_SEVERAL */
    uint32_t outside;         /**< of those elsewhere than in the block's shared memory: 1 + what the first knew by full barriers; 0: there were none */
    struct signal_times **warps; /**< of several: by warp, of each lane; NULL: not kept, or not any more */
};

#define SIGNALS_OF_SEVERAL UINT32_MAX

/** One is being made; who makes it is not `one`. `keep`: times of threads are worth their room, for somebody asks for signals. */
void signals_of_another(struct block_signals *s, uint64_t place, const struct contribution *c, bool keep);
/** Times of threads are not kept any more: then any may be a signal of any. */
void signals_forget(struct block_signals *s);
/** May one, but at places from `first` to `last`, tell of what the thread did at that time? */
bool signals_may_tell(const struct block_signals *s, uint32_t thread, uint32_t time, uint64_t first, uint64_t last);

static inline uint32_t later_of(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/** Addresses leave the uppermost bit clear; places in a block's shared memory do not (order.h). */
static inline bool place_is_shared(uint64_t place)
{
    return place >> 63;
}

/** A strong write is there, by who knows by full barriers what came up to `uniform`. */
static inline void signal_outside(struct block_signals *s, uint64_t place, uint32_t uniform)
{
    if (!place_is_shared(place) && (!s->outside || uniform < s->outside - 1))
        s->outside = uniform + 1;
}

static inline void signal_made(struct signal_times *t, uint64_t place, uint32_t time)
{
    if (t->at != place) {
        t->elsewhere = later_of(t->elsewhere, t->there);
        t->at = place;
        t->there = 0;
    }
    t->there = later_of(t->there, time);
}

/** A thread has made a strong write there, of which this is remembered; `keep` as above. */
static inline void signals_note(struct block_signals *s, uint64_t place, const struct contribution *c, bool keep)
{
    uint32_t of_all = later_of(c->uniform, c->warp_uniform);
    if (s->one != c->thread + 1u && (s->one != SIGNALS_OF_SEVERAL || s->warps))
        signals_of_another(s, place, c, keep);
    s->of_all = later_of(s->of_all, of_all);
    signal_outside(s, place, c->uniform);
    signal_made(&s->any, place, later_of(of_all, c->time));
}

/** Lanes side by side have, as one row. */
static inline void signals_note_row(struct block_signals *s, uint64_t place, uint64_t last, const struct contribution *c)
{
    const uint32_t time = later_of(c->time, later_of(c->uniform, c->warp_uniform));
    s->of_all = later_of(s->of_all, time);
    signal_outside(s, place, c->uniform);
    signal_made(&s->any, place, time);
    signal_made(&s->any, place + 4, time); /* what the lanes between the second and the last would leave is the same */
    signal_made(&s->any, last, time);
}

#endif
