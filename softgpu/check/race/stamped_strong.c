/**
 * @file stamped_strong.c
 * See stamps.h: strong accesses (`volatile`, relaxed) to words that have stamps, as in a scan between barriers. Who has fenced, or heard of what others have, passes on more than
 * that it was here; and who comes to what another thread has written since the barrier observes that: both look closer.
 */
#include <string.h>

#include "check/race/actor.h"
#include "check/race/joining.h"
#include "check/race/stamp_steps.h"

/** Is it such an access, and do its lanes seem to go to words of their own? */
static bool may_be_stamped(const struct actor *me, const struct mem_access *a)
{
    const struct mem_desc *d = &a->insn->mem;
    const int first = __builtin_ctz(a->mask), last = 31 - __builtin_clz(a->mask);
    return (d->order == ORDER_RELAXED || d->order == ORDER_VOLATILE) && d->bytes == 4 && d->count == 1 && me->home == me->bs && !me->as_agent && !me->race->several &&
           !me->ws->lanes && !knowledge_has_fences(me->bs->base) && (first == last || a->address[first] != a->address[last]);
}

/** The number of an access that is about to be made; 0: look closer. */
static uint32_t number_of_strong(const struct actor *me, const struct mem_access *a)
{
    uint32_t number = may_be_stamped(me, a) ? number_of(me, a->mask, lanes_at_one_time(me->ws, a->mask)) : 0;
    if (number)
        me->bs->stamps->accesses.data[number].strong = flags_of(&a->insn->mem, false);
    return number;
}

/** What the lane's read has to keep of the word's readers so far. Its own of this kind say no more than this one does, and those before a strong write by itself nothing. */
static uint32_t strong_readers_to_keep(const struct actor *me, uint32_t word, uint32_t lane, uint8_t strong)
{
    const struct stamps *st = me->bs->stamps;
    const uint32_t stamp = st->read[word], write = st->write[word];
    if (stamp < st->before || (write >= st->before && stamp < write))
        return 0;
    return is_by_lane(me, stamp, lane) && st->accesses.data[stamp >> STAMP_LANES].strong == strong ? kept_by(st, stamp) : stamp;
}

/** A lane's load. @return false: look closer */
static bool load_lane(const struct actor *me, uint32_t word, uint32_t lane, uint32_t number, uint32_t *kept)
{
    struct stamps *st = me->bs->stamps;
    if (st->write[word] >= st->before && !is_by_lane(me, st->write[word], lane))
        return false;
    uint32_t readers = strong_readers_to_keep(me, word, lane, st->accesses.data[number].strong);
    if (readers && !*kept && !(*kept = stamps_keep_earlier(st, number)))
        return false;
    if (readers)
        st->earlier.data[*kept].stamp[lane] = readers;
    st->read[word] = number << STAMP_LANES | lane;
    return true;
}

uint32_t stamps_load_strong(const struct actor *me, const struct mem_access *a)
{
    uint32_t number = number_of_strong(me, a), left = a->mask, kept = 0;
    while (number && left && load_lane(me, (uint32_t)a->address[__builtin_ctz(left)] / 4, (uint32_t)__builtin_ctz(left), number, &kept))
        left &= left - 1;
    return left;
}

/** A lane's store, over what was written before the block's last barrier and has been read by nobody else since. @return false: look closer */
static bool store_lane(const struct actor *me, const struct mem_access *a, uint32_t lane, uint32_t number)
{
    struct stamps *st = me->bs->stamps;
    uint32_t word = (uint32_t)a->address[lane] / 4, read = st->read[word];
    if (st->write[word] >= st->before ||
        (read >= st->before && !(is_by_lane(me, read, lane) && st->accesses.data[read >> STAMP_LANES].strong && !kept_by(st, read))))
        return false;
    memcpy(&st->old[word], a->host[lane], 4);
    st->value[word] = (uint32_t)a->value[0][lane];
    st->past[word] = st->write[word];
    st->write[word] = number << STAMP_LANES | lane;
    return true;
}

/** Time of the lanes that have stored goes on. */
static void go_on(const struct actor *me, const struct mem_access *a, uint32_t lanes)
{
    struct warp_state *ws = me->ws;
    if (lanes == UINT32_MAX && ws->one_time)
        warp_set_time(ws, ws->time[0] + 1);
    else
        for (uint32_t m = lanes; m; m &= m - 1)
            lane_goes_on(ws, __builtin_ctz(m));
    for (uint32_t m = lanes; m; m &= m - 1)
        lane_has_stored(ws, __builtin_ctz(m), a);
    me->race->moment += (unsigned)__builtin_popcount(lanes);
}

uint32_t stamps_store_strong(const struct actor *me, const struct mem_access *a)
{
    uint32_t number = number_of_strong(me, a), left = a->mask;
    if (!number)
        return left;
    me->bs->stamps->accesses.data[number].warp_uniform = me->ws->warp_uniform;
    while (left && store_lane(me, a, (uint32_t)__builtin_ctz(left), number))
        left &= left - 1;
    go_on(me, a, a->mask & ~left);
    return left;
}
