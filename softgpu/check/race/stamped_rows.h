/*
 * Accesses by lanes that go through a row of words which have stamps (stamps.h), by vectors; for files that define AT_LEVEL (base/sixteen.h).
 */
#ifndef SOFTGPU_CHECK_RACE_STAMPED_ROWS_H
#define SOFTGPU_CHECK_RACE_STAMPED_ROWS_H

#include "base/sixteen.h"
#include "check/race/actor.h"
#include "check/race/stamp_steps.h"
#include "execute/plain_access.h"

/** The stamps of one access by all lanes. */
struct row_stamps {
    sixteen low, high;
};

VECTORS INLINE struct row_stamps stamps_of(uint32_t number)
{
    const sixteen low = sixteen_ramp(1), all = sixteen_all(number << STAMP_LANES);
    return (struct row_stamps){sixteen_or(low, all), sixteen_or(sixteen_add(low, sixteen_all(HALF)), all)};
}

/** Lanes that go through a row of the block's shared memory. Rows of stamps are there as a whole, whatever lanes run (stamps.h). */
struct row {
    uint32_t mask;
    int64_t at;                /**< how far behind the first word lane 0's lies, in bytes, had it been there; it may lie before it */
    uint8_t *host;             /**< where the first word lies */
};

VECTORS INLINE struct row row_of_plain(const struct plain_access *p)
{
    return (struct row){p->mask, (int32_t)plain_row_at(p), p->host};
}

VECTORS INLINE uint32_t *row_in(const void *array, int64_t offset)
{
    return (uint32_t *)((uintptr_t)array + (uint64_t)offset);
}

/** The lanes whose stamps do not lie before the block's last barrier. */
VECTORS INLINE uint32_t late_in_row(const struct stamps *st, uint32_t mask, int64_t at, const uint32_t *stamps)
{
    const sixteen before = sixteen_all(st->before); /* not 0 */
    const uint32_t *row = row_in(stamps, at);
    return mask & (sixteen_reach(sixteen_load(row), before) | sixteen_reach(sixteen_load(row + HALF), before) << HALF);
}

/** The lanes of `late` that do not have the stamp of one access. */
VECTORS INLINE uint32_t others_in_row(int64_t at, const uint32_t *stamps, uint32_t late, uint32_t number)
{
    const uint32_t *row = row_in(stamps, at);
    const struct row_stamps own = stamps_of(number);
    return late & (sixteen_differ(sixteen_load(row), own.low) | sixteen_differ(sixteen_load(row + HALF), own.high) << HALF);
}

/** Do those lie before their lanes all the same? Mostly they are of one access of their own. */
VECTORS INLINE bool are_before(const struct actor *me, int64_t at, const uint32_t *stamps, uint32_t late)
{
    const uint32_t *row = row_in(stamps, at);
    if (late) {
        uint32_t lane = (uint32_t)__builtin_ctz(late), stamp = row[lane];
        if (!is_before(me, stamp, lane))
            return false;
        late &= late - 1;
        if (late && stamp % WARP_LANES == lane && !me->bs->stamps->accesses.data[stamp >> STAMP_LANES].earlier)
            late = others_in_row(at, stamps, late, stamp >> STAMP_LANES);
    }
    for (; late; late &= late - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(late);
        if (!is_before(me, row[lane], lane))
            return false;
    }
    return true;
}

/** Some lanes of a row, for several stores. */
struct row_lanes {
    uint32_t mask;
    sixteen_lanes low, high;
};

VECTORS INLINE struct row_lanes row_lanes_of(uint32_t mask)
{
    return (struct row_lanes){mask, sixteen_lanes_of(mask), sixteen_lanes_of(mask >> HALF)};
}

VECTORS INLINE void put_row(int64_t at, uint32_t *array, struct row_lanes lanes, sixteen low, sixteen high)
{
    uint32_t *row = row_in(array, at);
    if (lanes.mask == UINT32_MAX) {
        sixteen_store(row, low);
        sixteen_store(row + HALF, high);
        return;
    }
    sixteen_put_lanes(row, lanes.low, low);
    sixteen_put_lanes(row + HALF, lanes.high, high);
}

VECTORS INLINE void put_stamps(int64_t at, uint32_t *array, struct row_lanes lanes, uint32_t number)
{
    const struct row_stamps own = stamps_of(number);
    put_row(at, array, lanes, own.low, own.high);
}

/** @return the lanes that are left */
VECTORS INLINE uint32_t load_row(const struct actor *me, struct row r, uint32_t number)
{
    struct stamps *st = me->bs->stamps;
    const uint32_t mask = r.mask;
    const int64_t at = r.at;
    if (!are_before(me, at, st->write, late_in_row(st, mask, at, st->write)) || !are_before(me, at, st->read, late_in_row(st, mask, at, st->read)))
        return mask;
    put_stamps(at, st->read, row_lanes_of(mask), number);
    return 0;
}

/** What the words hold before the first write at its time. */
VECTORS INLINE void keep_old(const struct stamps *st, struct row r, struct row_lanes lanes)
{
    const uint32_t *host = row_in(r.host, r.at);
    put_row(r.at, st->old, lanes, sixteen_load_some(lanes.mask, host), sixteen_load_some(lanes.mask >> HALF, host + HALF));
}

/** The same of a store, whose values are not there yet. */
VECTORS INLINE uint32_t store_row(const struct actor *me, struct row r, uint32_t number)
{
    struct stamps *st = me->bs->stamps;
    const uint32_t mask = r.mask;
    const int64_t at = r.at;
    uint32_t late = late_in_row(st, mask, at, st->write), first = mask;
    if (!are_before(me, at, st->write, late) || !are_before(me, at, st->read, late_in_row(st, mask, at, st->read)))
        return mask;
    for (; late; late &= late - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(late);
        if (!is_first_write(st, row_in(st->write, at)[lane], lane, number))
            first &= ~(1u << lane);
    }
    const struct row_lanes lanes = row_lanes_of(mask);
    keep_old(st, r, first == mask ? lanes : row_lanes_of(first));
    put_stamps(at, st->write, lanes, number);
    return 0;
}

/** Do the halves of a warp, each of which goes through a row, have nothing in common? */
VECTORS INLINE bool lie_apart(const struct plain_access *p)
{
    return p->at[HALF] - p->at[0] + 4 * (HALF - 1) > 8 * (HALF - 1);
}

/** lanes_at_one_time() */
VECTORS INLINE bool one_time(const struct actor *me, uint32_t mask)
{
    const uint32_t *time = me->ws->time;
    if (me->ws->one_time)
        return true;
    const sixteen first = sixteen_all(time[__builtin_ctz(mask)]);
    return !(mask & (sixteen_differ(sixteen_load(time), first) | sixteen_differ(sixteen_load(time + HALF), first) << HALF));
}

/** The access's number is not needed: nothing refers to it. */
VECTORS INLINE bool taken(struct stamps *st, uint32_t left)
{
    st->accesses.count -= left != 0;
    return !left;
}

#endif
