/**
 * @file stamped_lanes.h
 * Private to those who make accesses to words that have stamps (stamps.h): lane by lane, and words that lanes read together. All of it is
 * inlined, for some functions are made for processors with vectors.
 */
#ifndef SOFTGPU_CHECK_RACE_STAMPED_LANES_H
#define SOFTGPU_CHECK_RACE_STAMPED_LANES_H

#include <string.h>

#include "check/race/actor.h"
#include "check/race/joining.h"
#include "check/race/stamp_steps.h"
#include "execute/plain_access.h"

/* ---- Lane by lane ---- */

/** The store by lanes, as far as they lie plainly behind all. @return the lanes that are left */
INLINE uint32_t store_lanes(const struct actor *me, const struct plain_access *p, uint32_t number)
{
    struct stamps *st = me->bs->stamps;
    uint32_t left = p->mask;
    for (; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left), word = p->at[lane] / 4;
        if (!is_behind_all(me, word, lane))
            break;
        if (is_first_write(st, st->write[word], lane, number))
            memcpy(&st->old[word], p->host + p->at[lane], 4);
        st->write[word] = number << STAMP_LANES | lane;
    }
    return left;
}

/** The load by lanes, as far as the writes lie plainly before them. Words that others have read keep those. @return the lanes that are left */
INLINE uint32_t load_lanes(const struct actor *me, const struct plain_access *p, uint32_t number)
{
    struct stamps *st = me->bs->stamps;
    uint32_t left = p->mask, kept = 0;
    for (; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left), word = p->at[lane] / 4;
        if (!is_before(me, st->write[word], lane))
            break;
        uint32_t readers = readers_to_keep(me, st->read[word], lane);
        if (readers && !kept && !(kept = stamps_keep_earlier(st, number)))
            break;
        if (readers)
            st->earlier.data[kept].stamp[lane] = readers;
        st->read[word] = number << STAMP_LANES | lane;
    }
    return left;
}

/* ---- Words that lanes read together ---- */

/** As pairs_so_far() of stamped_at_once.h, of two words that half a warp reads each. */
INLINE uint32_t halves_so_far(const struct stamps *st, const struct plain_access *p)
{
    uint32_t low = p->at[0] / 4, high = p->at[HALF] / 4, first = st->read[low], second = st->read[high];
    for (int i = 0; i < 2; i++) {
        uint32_t write = st->write[i ? high : low];
        if (!write || write >= st->before)
            return STAMP_OPENED;
    }
    if (first < st->before && second < st->before)
        return 0;
    return first % WARP_LANES == 0 && second == first + HALF ? first : STAMP_OPENED;
}

/** The access `number` reads words together, which have been read so far as `last` says: is it one more of their readers? */
INLINE bool goes_on_with(struct stamps *st, const struct actor *me, const struct plain_access *p, uint32_t number, uint32_t last)
{
    struct stamped *now = &st->accesses.data[number];
    const struct stamped *s = last && last != STAMP_OPENED ? &st->accesses.data[last >> STAMP_LANES] : NULL;
    uint32_t warps = 1u << me->warp->index;
    if (last == STAMP_OPENED || (s && (s->together != p->shape || s->time != now->time || s->site != now->site))) {
        st->accesses.count--;
        return false;
    }
    now->together = p->shape;
    now->warps = s ? s->warps | warps : warps;
    return true;
}

INLINE bool join_halves(const struct actor *me, const struct plain_access *p, bool one_time)
{
    struct stamps *st = me->bs->stamps;
    uint32_t number = number_of(me, p->mask, one_time);
    if (!number || !goes_on_with(st, me, p, number, halves_so_far(st, p)))
        return false;
    st->read[p->at[0] / 4] = number << STAMP_LANES;
    st->read[p->at[HALF] / 4] = number << STAMP_LANES | HALF;
    return true;
}

/** As pairs_so_far(), of words that all lanes read. */
INLINE uint32_t ones_so_far(const struct stamps *st, const struct plain_access *p)
{
    uint32_t first = p->at[0] / 4, last = st->read[first];
    for (uint32_t i = first; i <= first + p->more; i++)
        if (!st->write[i] || st->write[i] >= st->before || (st->read[i] != last && (st->read[i] >= st->before || last >= st->before)))
            return STAMP_OPENED;
    return last < st->before ? 0 : last;
}

INLINE bool join_ones(const struct actor *me, const struct plain_access *p, bool one_time)
{
    struct stamps *st = me->bs->stamps;
    uint32_t number = p->mask == UINT32_MAX ? number_of(me, p->mask, one_time) : 0;
    if (!number || !goes_on_with(st, me, p, number, ones_so_far(st, p)))
        return false;
    for (uint32_t i = p->at[0] / 4; i <= p->at[0] / 4 + p->more; i++)
        st->read[i] = number << STAMP_LANES;
    return true;
}

#endif
