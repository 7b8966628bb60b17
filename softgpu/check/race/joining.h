/**
 * @file joining.h
 * Warps that read what other warps of their block read by the same instruction: each word has a group of readers already
 * (shadow/reader_group.h), which one more warp joins. Whole rows of such words are taken at once.
 */
#ifndef SOFTGPU_CHECK_RACE_JOINING_H
#define SOFTGPU_CHECK_RACE_JOINING_H

#include "check/race/element.h"

#define HALF (WARP_LANES / 2)
#define HALF_LANES ((1u << HALF) - 1)   /* the first of a warp's halves */

/** How a whole warp's lanes go through memory, as far as it matters to who reads with whom. */
enum shape {
    SHAPE_UNKNOWN, SHAPE_ANY, SHAPE_ONE_WORD, SHAPE_APART,
    SHAPE_PAIRS,  /**< lanes i and i + 16, and no others */
    SHAPE_HALVES, /**< lanes 0 to 15, and the others */
};

/** Are those lanes at one time? */
bool lanes_are_alike(const struct warp_state *ws, uint32_t mask);
static inline bool lanes_at_one_time(const struct warp_state *ws, uint32_t mask)
{
    return ws->one_time || lanes_are_alike(ws, mask);
}
enum shape shape_of(const struct actor *me, const struct mem_access *a);
/** By the addresses alone, as any processor finds it; shape_of() looks at eight at once where it can. */
enum shape shape_one_by_one(const uint64_t *at);

/** Is the word's group of readers, which is all that there is to look at, to have these lanes of one more warp? */
static inline bool joins_group(const struct actor *me, const struct shadow_word *c, uint32_t lanes, uint8_t flags, uint8_t unit)
{
    const struct epoch *r = &c->read;
    return r->agent == me->agent && r->flags == (flags | EPOCH_WARPS) && r->time == me->time && r->site == me->insn->site &&
           r->unit == unit && c->group.lanes == lanes && !(c->flags & (WORD_SPLIT | WORD_LANES | WORD_SYNC)) &&
           me->warp->index < WARP_LANES;
}

static inline void join_group(const struct actor *me, struct shadow_word *c)
{
    c->group.warps |= 1u << me->warp->index;
    c->read.thread = (uint16_t)me->warp->index;
}

/** A whole warp's weak reads of 4-byte words in global memory: lanes whose words lie in rows and have a group that they join,
 *  do. @return those lanes; nobody looks at them any further */
uint32_t rows_join(struct actor *me, const struct mem_access *a, enum shape shape, uint32_t floor);
/** The same of 4-byte words in shared memory that were last written before the block's last barrier, each read by lanes i and i + 16, or
 *  by half a warp; they may be the first to read it, too. */
uint32_t shared_join(struct actor *me, const struct mem_access *a, enum shape shape, uint32_t floor);
/** shared_join() of a plain load from shared memory. */
uint32_t plain_join(struct actor *me, const struct plain_access *p, uint32_t floor);

#endif
