/*
 * Accesses to words that have stamps (stamps.h) by vectors, a row at once; included once by each stamped_LEVEL.c, which defines AT_LEVEL
 * (base/sixteen.h) and STAMPED_TABLE, the name of the table of what is made here.
 */
#include "base/sixteen.h"
#include "check/race/stamped_lanes.h"
#include "check/race/stamped_vectors.h"

/** The stamps of one access by all lanes. */
struct row_stamps {
    sixteen low, high;
};

VECTORS INLINE struct row_stamps stamps_of(uint32_t number)
{
    const sixteen low = sixteen_ramp(1), all = sixteen_all(number << STAMP_LANES);
    return (struct row_stamps){sixteen_or(low, all), sixteen_or(sixteen_add(low, sixteen_all(HALF)), all)};
}

/** The lanes whose stamps do not lie before the block's last barrier. */
VECTORS INLINE uint32_t late_in_row(const struct stamps *st, const struct plain_access *p, const uint32_t *stamps)
{
    const sixteen before = sixteen_all(st->before); /* not 0 */
    const uint32_t *row = plain_row_in(p, stamps);
    return sixteen_reach(sixteen_load_some(p->mask, row), before) | sixteen_reach(sixteen_load_some(p->mask >> HALF, row + HALF), before) << HALF;
}

/** The lanes of `late` that do not have the stamp of one access. */
VECTORS INLINE uint32_t others_in_row(const struct plain_access *p, const uint32_t *stamps, uint32_t late, uint32_t number)
{
    const uint32_t *row = plain_row_in(p, stamps);
    const struct row_stamps own = stamps_of(number);
    uint32_t low = sixteen_differ(sixteen_load_some(late, row), own.low);
    return late & (low | sixteen_differ(sixteen_load_some(late >> HALF, row + HALF), own.high) << HALF);
}

/** Do those lie before their lanes all the same? Mostly they are of one access of their own. */
VECTORS INLINE bool are_before(const struct actor *me, const struct plain_access *p, const uint32_t *stamps, uint32_t late)
{
    if (late) {
        uint32_t lane = (uint32_t)__builtin_ctz(late), stamp = stamps[p->at[lane] / 4];
        if (!is_before(me, stamp, lane))
            return false;
        late &= late - 1;
        if (late && stamp % WARP_LANES == lane)
            late = others_in_row(p, stamps, late, stamp >> STAMP_LANES);
    }
    for (; late; late &= late - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(late);
        if (!is_before(me, stamps[p->at[lane] / 4], lane))
            return false;
    }
    return true;
}

VECTORS INLINE void put_row(const struct plain_access *p, uint32_t *array, uint32_t lanes, sixteen low, sixteen high)
{
    uint32_t *row = plain_row_in(p, array);
    sixteen_put(row, lanes, low);
    sixteen_put(row + HALF, lanes >> HALF, high);
}

VECTORS INLINE void put_stamps(const struct plain_access *p, uint32_t *array, uint32_t number)
{
    const struct row_stamps own = stamps_of(number);
    put_row(p, array, p->mask, own.low, own.high);
}

VECTORS INLINE uint32_t load_row(const struct actor *me, const struct plain_access *p, uint32_t number)
{
    struct stamps *st = me->bs->stamps;
    if (!are_before(me, p, st->write, late_in_row(st, p, st->write)) || !are_before(me, p, st->read, late_in_row(st, p, st->read)))
        return p->mask;
    put_stamps(p, st->read, number);
    return 0;
}

VECTORS INLINE uint32_t store_row(const struct actor *me, const struct plain_access *p, uint32_t number)
{
    struct stamps *st = me->bs->stamps;
    uint32_t late = late_in_row(st, p, st->write), first = p->mask;
    if (!are_before(me, p, st->write, late) || !are_before(me, p, st->read, late_in_row(st, p, st->read)))
        return p->mask;
    for (; late; late &= late - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(late);
        if (!is_first_write(st, st->write[p->at[lane] / 4], lane, number))
            first &= ~(1u << lane);
    }
    const uint32_t *host = plain_row_in(p, p->host);
    put_row(p, st->old, first, sixteen_load_some(first, host), sixteen_load_some(first >> HALF, host + HALF));
    put_stamps(p, st->write, number);
    put_row(p, st->read, p->mask, sixteen_all(0), sixteen_all(0));
    return 0;
}

/** The stamps of the words that lanes i and i + 16 have just read together, if all have been read so by the same warps, else STAMP_OPENED;
 *  0: nobody has since the last barrier. All are written, before that. */
VECTORS INLINE uint32_t pairs_so_far(const struct stamps *st, const struct plain_access *p)
{
    const sixteen before = sixteen_all(st->before);
    sixteen write = sixteen_load(plain_row_in(p, st->write)), read = sixteen_load(plain_row_in(p, st->read));
    uint32_t late = sixteen_reach(read, before), first = st->read[p->at[0] / 4];
    if (sixteen_reach(write, before) | sixteen_equal(write, sixteen_all(0)))
        return STAMP_OPENED;
    if (!late)
        return 0;
    return sixteen_differ(read, stamps_of(first >> STAMP_LANES).low) ? STAMP_OPENED : first;
}

VECTORS INLINE void put_pairs(struct stamps *st, const struct plain_access *p, uint32_t number)
{
    sixteen_store(plain_row_in(p, st->read), stamps_of(number).low);
}

/** lanes_at_one_time() */
VECTORS INLINE bool one_time(const struct actor *me, const struct plain_access *p)
{
    const uint32_t *time = me->ws->time;
    const sixteen first = sixteen_all(time[__builtin_ctz(p->mask)]);
    return !(p->mask & (sixteen_differ(sixteen_load(time), first) | sixteen_differ(sixteen_load(time + HALF), first) << HALF));
}

VECTORS INLINE bool join_pairs(const struct actor *me, const struct plain_access *p)
{
    struct stamps *st = me->bs->stamps;
    uint32_t number = number_of(me, p->mask, one_time(me, p));
    if (!number || !goes_on_with(st, me, p, number, pairs_so_far(st, p)))
        return false;
    put_pairs(st, p, number);
    return true;
}

VECTORS INLINE bool join_any(const struct actor *me, const struct plain_access *p)
{
    if (p->shape == PLAIN_PAIRS)
        return join_pairs(me, p);
    return (p->shape == PLAIN_ONE ? join_ones : join_halves)(me, p, one_time(me, p));
}

VECTORS static uint32_t load_at_once(const struct actor *me, const struct plain_access *p)
{
    uint32_t number = number_of(me, p->mask, one_time(me, p));
    if (!number)
        return p->mask;
    return p->shape == PLAIN_ROW && !load_row(me, p, number) ? 0 : load_lanes(me, p, number);
}

VECTORS static uint32_t store_at_once(const struct actor *me, const struct plain_access *p)
{
    uint32_t number = number_of(me, p->mask, one_time(me, p));
    if (!number)
        return p->mask;
    return p->shape == PLAIN_ROW ? store_row(me, p, number) : store_lanes(me, p, number);
}

VECTORS static bool join_at_once(const struct actor *me, const struct plain_access *p)
{
    return join_any(me, p);
}

/** The access's number is not needed: nothing refers to it. */
VECTORS INLINE bool taken(struct stamps *st, uint32_t left)
{
    st->accesses.count -= left != 0;
    return !left;
}

VECTORS static bool take_load(const struct actor *me, const struct plain_access *p)
{
    bool joins = p->shape == PLAIN_PAIRS || p->shape == PLAIN_HALVES || p->shape == PLAIN_ONE;
    if (!(p->shape == PLAIN_ROW || (joins && me->warp->index < WARP_LANES)))
        return false;
    if (joins)
        return join_any(me, p);
    uint32_t number = number_of(me, p->mask, one_time(me, p));
    return number && taken(me->bs->stamps, load_row(me, p, number));
}

VECTORS static bool take_store(const struct actor *me, const struct plain_access *p)
{
    uint32_t number = p->shape == PLAIN_ROW ? number_of(me, p->mask, one_time(me, p)) : 0;
    if (number)
        me->home->shared_written = true;
    return number && taken(me->bs->stamps, store_row(me, p, number));
}

const struct stamped_vectors STAMPED_TABLE = {
    .load = load_at_once, .store = store_at_once, .join = join_at_once, .take_load = take_load, .take_store = take_store,
};
