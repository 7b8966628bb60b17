/**
 * @file plain_words.h
 * The common case of plain loads and stores beside whole rows: one weak 4-byte word a lane, everything in sight of it plainly
 * ordered, that is, by a barrier of the block or the warp, or by being the thread's own.
 */
#ifndef SOFTGPU_CHECK_RACE_PLAIN_WORDS_H
#define SOFTGPU_CHECK_RACE_PLAIN_WORDS_H

#include "check/race/element.h"

/** What is plainly ordered before the lanes of a warp, as numbers at hand. */
struct sight {
    uint32_t agent;            /**< 0: of nobody is anything */
    uint32_t uniform;          /**< this block's up to that time, */
    uint32_t warp_uniform;     /**< this warp's up to that time, */
    uint32_t warp;
};

static inline struct sight sight_of(const struct actor *me)
{
    return (struct sight){.agent = me->bs->any_left ? 0 : me->agent, .uniform = me->bs->uniform,
                          .warp_uniform = me->ws->warp_uniform, .warp = (uint32_t)me->warp->index};
}

/** Does an epoch lie plainly before that thread? False means: look closer. */
static inline bool is_in_sight(const struct sight *s, const struct epoch *e, uint32_t thread)
{
    return e->agent == s->agent && (e->thread == thread || e->time <= s->uniform ||
                                    (e->thread / WARP_LANES == s->warp && e->time <= s->warp_uniform));
}

/** The same of all readers of a word, which are one or a group. */
static inline bool are_readers_in_sight(const struct sight *s, const struct epoch *r, uint32_t thread)
{
    if (r->flags & EPOCH_WARPS)
        return !(r->flags & EPOCH_BLOCKS) && r->agent == s->agent && r->time <= s->uniform;
    return !(r->flags & EPOCH_LIST) && is_in_sight(s, r, thread);
}

/** Is the word a whole one with no strong accesses, whose last write is ordered before the thread? What lies before
 *  this launch (or block) is forgotten, but for a write from `settled` on. */
static inline bool is_written_in_sight(const struct sight *s, struct shadow_word *c, uint32_t thread, uint32_t floor, uint32_t settled)
{
    if (c->flags & (WORD_SPLIT | WORD_SYNC))
        return false;
    if (c->read.agent < floor)
        c->read.agent = 0;
    if (c->write.agent >= floor)
        return is_in_sight(s, &c->write, thread) || (c->write.flags & EPOCH_PASSED);
    if (c->write.agent < settled)
        c->write.agent = 0;
    c->flags &= WORD_LANES | WORD_LOGGED;
    return true;
}

/** The same of weak elements of less than a word, in words that are split: takes the first elements of the actor's lane. @return how many; the others need a closer look */
int bytes_load(const struct actor *me, const struct mem_access *a, uint32_t floor);
int bytes_store(const struct actor *me, const struct mem_access *a, uint32_t floor);

/** Takes the lanes `left` of an access of plain words one after another, up to the first that needs a closer look.
 *  @return that one and those behind it */
uint32_t plain_loads(const struct actor *me, const struct mem_access *a, uint32_t left, uint32_t floor);
uint32_t plain_stores(const struct actor *me, const struct mem_access *a, uint32_t left, uint32_t floor);
/** The same of lanes of a plain access to shared memory. */
uint32_t shared_loads(const struct actor *me, const struct plain_access *p, uint32_t left, uint32_t floor);
uint32_t shared_stores(const struct actor *me, const struct plain_access *p, uint32_t left, uint32_t floor);

#endif
