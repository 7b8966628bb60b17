/**
 * @file stamped_words.c
 * See stamps.h: loads and stores of several words a lane, vectors or elements of eight bytes.
 */
#include <string.h>

#include "check/race/stamped_lanes.h"

/** The number of an access by such elements, or 0. */
static uint32_t number_of_words(const struct actor *me, const struct mem_access *a)
{
    uint32_t number = number_of(me, a->mask, true);
    if (number)
        me->bs->stamps->accesses.data[number].wide = a->insn->mem.bytes == 8;
    return number;
}

/** Words side by side of one lane. @return false: look closer */
static bool store_beside(const struct actor *me, const struct mem_access *a, uint32_t lane, uint32_t number)
{
    struct stamps *st = me->bs->stamps;
    uint32_t first = (uint32_t)a->address[lane] / 4, end = first + words_a_lane(&a->insn->mem);
    for (uint32_t i = first; i < end; i++)
        if (!is_behind_all(me, i, lane))
            return false;
    for (uint32_t i = first; i < end; i++) {
        if (is_first_write(st, st->write[i], lane, number))
            memcpy(&st->old[i], a->host[lane] + 4 * (i - first), 4);
        st->write[i] = number << STAMP_LANES | lane;
    }
    return true;
}

static bool fits(const struct actor *me, const struct mem_access *a)
{
    const struct mem_desc *d = &a->insn->mem;
    return (d->bytes == 4 || d->bytes == 8) && d->order == ORDER_WEAK && me->home == me->bs && lanes_at_one_time(me->ws, a->mask);
}

uint32_t stamps_load_words(const struct actor *me, const struct mem_access *a)
{
    struct plain_access p = {.mask = a->mask};
    uint32_t left = 0;
    bool one_place = a->address[__builtin_ctz(a->mask)] == a->address[31 - __builtin_clz(a->mask)]; /* a group of readers costs less */
    if (one_place || !fits(me, a))
        return a->mask;
    for (unsigned e = 0; e < words_a_lane(&a->insn->mem); e++) { /* an access for each, as a stamp tells of one word a lane */
        uint32_t number = number_of_words(me, a);
        if (!number)
            return a->mask;
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            p.at[lane] = (uint32_t)a->address[lane] + 4 * e;
        left |= load_lanes(me, &p, number);
    }
    return left;
}

uint32_t stamps_store_words(const struct actor *me, const struct mem_access *a)
{
    uint32_t number = fits(me, a) ? number_of_words(me, a) : 0, left = a->mask;
    while (number && left && store_beside(me, a, (uint32_t)__builtin_ctz(left), number))
        left &= left - 1;
    return left;
}
