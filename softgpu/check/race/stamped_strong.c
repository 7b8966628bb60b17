/**
 * @file stamped_strong.c
 * See stamps.h: strong accesses (`volatile`, relaxed) to words that have stamps, as in a scan between barriers. Who has fenced, or heard of what others have, passes on more than
 * that it was here; and who comes to what another thread has written since the barrier observes that: both look closer.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "check/race/actor.h"
#include "check/race/joining.h"
#include "check/race/stamp_steps.h"

static bool pass_nothing(const struct warp_state *ws, uint32_t lanes)
{
    bool nothing = true;
    for (uint32_t m = ws->lanes ? lanes : 0; m && nothing; m &= m - 1)
        nothing = lane_passes_nothing(&ws->lanes[__builtin_ctz(m)]);
    return nothing;
}

/** Is it such an access, and do its lanes seem to go to words of their own? */
static bool may_be_stamped(const struct actor *me, const struct mem_access *a)
{
    const struct mem_desc *d = &a->insn->mem;
    const int first = __builtin_ctz(a->mask), last = 31 - __builtin_clz(a->mask);
    return (d->order == ORDER_RELAXED || d->order == ORDER_VOLATILE) && d->bytes == 4 && d->count == 1 && me->home == me->bs && !me->as_agent && !me->race->several &&
           !knowledge_has_fences(me->bs->base) && pass_nothing(me->ws, a->mask) && (first == last || a->address[first] != a->address[last]);
}

/** The number of an access that is about to be made; 0: look closer. */
static uint32_t number_of_strong(const struct actor *me, const struct mem_access *a)
{
    uint32_t number = may_be_stamped(me, a) ? number_of(me, a->mask, lanes_at_one_time(me->ws, a->mask)) : 0;
    if (number)
        me->bs->stamps->accesses.data[number].strong = flags_of(&a->insn->mem, false);
    return number;
}

/** What the lane's read has to keep of the word's readers so far. Those of this kind that come before it say no more than this one does, and those before a strong write nothing. */
static uint32_t strong_readers_to_keep(const struct actor *me, uint32_t word, uint32_t lane, uint8_t strong)
{
    const struct stamps *st = me->bs->stamps;
    const uint32_t stamp = st->read[word], write = st->write[word];
    if (stamp < st->before || (write >= st->before && stamp < write))
        return 0;
    return is_strong_before(me, stamp, lane) && st->accesses.data[stamp >> STAMP_LANES].strong == strong ? kept_by(st, stamp) : stamp;
}

/** A lane's load. @return false: look closer */
static bool load_lane(const struct actor *me, uint32_t word, uint32_t lane, uint32_t number, uint32_t *kept)
{
    struct stamps *st = me->bs->stamps;
    if (!is_write_before(me, st->write[word], lane))
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

/** The word's last write, a strong store, is about to be the one before. */
static void push_store(struct stamps *st, uint32_t word, size_t words)
{
    if (!st->pasts)
        st->pasts = calloc(words, sizeof *st->pasts);
    assert(st->pasts);
    struct strong_pasts *p = &st->pasts[word];
    for (int i = MAX_PAST - 1; i > 0; i--) {
        p->stamp[i] = p->stamp[i - 1];
        p->value[i] = p->value[i - 1];
    }
    p->stamp[0] = st->past[word];
    p->value[0] = st->old[word];
    p->count = (uint8_t)(p->count + (p->count < MAX_PAST));
    p->was_read = (uint8_t)(p->was_read << 1 | (st->read[word] > st->write[word]));
}

/** Has nobody been there since the block's last barrier but by strong accesses that come before the lane's? Reads that came before the last write do not count any more. */
static bool comes_behind_all(const struct actor *me, uint32_t word, uint32_t lane)
{
    const struct stamps *st = me->bs->stamps;
    const uint32_t write = st->write[word], read = st->read[word];
    if (write >= st->before && !is_strong_before(me, write, lane))
        return false;
    return read < st->before || read < write || (is_strong_before(me, read, lane) && !kept_by(st, read));
}

/** A lane's store. @return false: look closer */
static bool store_lane(const struct actor *me, const struct mem_access *a, uint32_t lane, uint32_t number)
{
    struct stamps *st = me->bs->stamps;
    uint32_t word = (uint32_t)a->address[lane] / 4;
    if (!comes_behind_all(me, word, lane))
        return false;
    if (st->write[word] >= st->before)
        push_store(st, word, me->bs->shared_words);
    else if (st->pasts)
        st->pasts[word].count = st->pasts[word].was_read = 0;
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
