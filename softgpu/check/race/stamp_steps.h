/**
 * @file stamp_steps.h
 * Private to stamped_accesses.c and stamped_words.c: the number of an access, and what lies before it. Inlined, for some functions are made for processors
 * with vectors.
 */
#ifndef SOFTGPU_CHECK_RACE_STAMP_STEPS_H
#define SOFTGPU_CHECK_RACE_STAMP_STEPS_H

#include "check/race/stamps.h"

#define FEWEST_ACCESSES (1 << 16)   /* that are numbered before numbers of no use are taken back */
#define INLINE static inline __attribute__((always_inline))

/** Has a barrier come? @return false: look closer */
INLINE bool stamps_begin_time(struct block_state *bs)
{
    struct stamps *st = bs->stamps;
    if (!st || bs->any_left)
        return false;
    if (st->uniform != bs->uniform) {
        st->uniform = bs->uniform;
        st->before = (uint32_t)st->accesses.count << STAMP_LANES;
        st->earlier.count = st->earlier.count ? 1 : 0;
    }
    return true;
}

/** Something is about to access the block's shared memory. @return false: look closer */
INLINE bool stamps_begin_access(struct block_state *bs)
{
    if (bs->stamps && bs->stamps->unwritten)
        stamps_write(bs->stamps);
    if (!stamps_begin_time(bs))
        return false;
    bs->stamps->looked = bs->stamps->before;
    return true;
}

/** The number of an access that is about to be made; 0: look closer. `one_time`: all lanes are at one. */
INLINE uint32_t number_of(const struct actor *me, uint32_t mask, bool one_time)
{
    struct stamps *st = me->bs->stamps;
    if (!one_time || !stamps_begin_access(me->bs))
        return 0;
    uint32_t most = 8 * me->bs->shared_words;
    if ((uint32_t)st->accesses.count > (most > FEWEST_ACCESSES ? most : FEWEST_ACCESSES))
        stamps_renumber(me->bs);
    *LIST_PUSH(&st->accesses) = (struct stamped){.time = me->ws->time[__builtin_ctz(mask)], .site = me->insn->site,
                                                 .warp = (uint16_t)me->warp->index};
    return (uint32_t)st->accesses.count - 1;
}

/** The stamp that a read keeps of the word's earlier readers; 0: nobody's. `stamp`: the word's, not below `before`. */
INLINE uint32_t kept_by(const struct stamps *st, uint32_t stamp)
{
    const struct stamped *s = &st->accesses.data[stamp >> STAMP_LANES];
    return s->earlier ? st->earlier.data[s->earlier].stamp[stamp % WARP_LANES] : 0;
}

/** Does the access, and do those that it keeps, lie plainly before that lane's? */
INLINE bool is_before(const struct actor *me, uint32_t stamp, uint32_t lane)
{
    const struct stamps *st = me->bs->stamps;
    if (stamp < st->before)
        return true;
    if (stamp == STAMP_OPENED)
        return false;
    const struct stamped *s = &st->accesses.data[stamp >> STAMP_LANES];
    return !s->together && !s->strong && s->warp == me->warp->index && (stamp % WARP_LANES == lane || s->time <= me->ws->warp_uniform) &&
           !kept_by(st, stamp);
}

/** Is the access the lane's own, and no atomic? */
INLINE bool is_by_lane(const struct actor *me, uint32_t stamp, uint32_t lane)
{
    const struct stamped *s = &me->bs->stamps->accesses.data[stamp == STAMP_OPENED ? 0 : stamp >> STAMP_LANES];
    return stamp != STAMP_OPENED && stamp % WARP_LANES == lane && s->warp == me->warp->index && !s->together && !is_of_atomic(s);
}

/** Is it a strong access, and no atomic, that comes before the lane's since the last barrier of the block? */
INLINE bool is_strong_before(const struct actor *me, uint32_t stamp, uint32_t lane)
{
    const struct stamped *s = &me->bs->stamps->accesses.data[stamp == STAMP_OPENED ? 0 : stamp >> STAMP_LANES];
    return s->strong && !is_of_atomic(s) && s->warp == me->warp->index && (stamp % WARP_LANES == lane || s->time <= me->ws->warp_uniform);
}

/** Does the write of that stamp come before the lane's access? */
INLINE bool is_write_before(const struct actor *me, uint32_t stamp, uint32_t lane)
{
    return stamp < me->bs->stamps->before || is_by_lane(me, stamp, lane) || is_strong_before(me, stamp, lane);
}

/** Has the word a stamp that says so? Blocks whose words have some are of no cluster: they are the lane's own block's. */
INLINE bool stamp_is_behind(const struct actor *me, uint64_t word, uint32_t lane)
{
    return stamps_begin_access(me->home) && is_write_before(me, me->home->stamps->write[word], lane);
}

/** What a read by the lane has to keep of a word's readers so far: the stamp as it is, or without what the lane itself has read last; 0: nothing. */
INLINE uint32_t readers_to_keep(const struct actor *me, uint32_t stamp, uint32_t lane)
{
    const struct stamps *st = me->bs->stamps;
    while (stamp >= st->before && stamp % WARP_LANES == lane) {
        const struct stamped *s = &st->accesses.data[stamp >> STAMP_LANES];
        if (!s->earlier || s->warp != me->warp->index)
            break;
        stamp = st->earlier.data[s->earlier].stamp[lane];
    }
    return is_before(me, stamp, lane) ? 0 : stamp;
}

/** Do all accesses to the word lie plainly before that lane's? */
INLINE bool is_behind_all(const struct actor *me, uint32_t word, uint32_t lane)
{
    const struct stamps *st = me->bs->stamps;
    return is_before(me, st->write[word], lane) && is_before(me, st->read[word], lane);
}

/** Has the lane not written there at this time before, so that what the word holds is an older value? */
INLINE bool is_first_write(const struct stamps *st, uint32_t stamp, uint32_t lane, uint32_t number)
{
    return stamp < st->before || stamp % WARP_LANES != lane ||
           st->accesses.data[stamp >> STAMP_LANES].time != st->accesses.data[number].time;
}

#endif
