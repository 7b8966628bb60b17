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

/* Rows of stamps are there as a whole, whatever lanes run (stamps.h). */

/** How far behind the beginning of an array with a word for each of shared memory's the row begins, in bytes (plain_row_in()). */
VECTORS INLINE int64_t row_offset(const struct plain_access *p)
{
    return (int32_t)plain_row_at(p);
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

VECTORS INLINE uint32_t load_row(const struct actor *me, const struct plain_access *p, uint32_t number)
{
    struct stamps *st = me->bs->stamps;
    const uint32_t mask = p->mask;
    const int64_t at = row_offset(p);
    if (!are_before(me, at, st->write, late_in_row(st, mask, at, st->write)) || !are_before(me, at, st->read, late_in_row(st, mask, at, st->read)))
        return mask;
    put_stamps(at, st->read, row_lanes_of(mask), number);
    return 0;
}

/** What the words hold before the first write at its time. */
VECTORS INLINE void keep_old(const struct stamps *st, const struct plain_access *p, int64_t at, struct row_lanes lanes)
{
    const uint32_t *host = row_in(p->host, at);
    put_row(at, st->old, lanes, sixteen_load_some(lanes.mask, host), sixteen_load_some(lanes.mask >> HALF, host + HALF));
}

VECTORS INLINE uint32_t store_row(const struct actor *me, const struct plain_access *p, uint32_t number)
{
    struct stamps *st = me->bs->stamps;
    const uint32_t mask = p->mask;
    const int64_t at = row_offset(p);
    uint32_t late = late_in_row(st, mask, at, st->write), first = mask;
    if (!are_before(me, at, st->write, late) || !are_before(me, at, st->read, late_in_row(st, mask, at, st->read)))
        return mask;
    for (; late; late &= late - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(late);
        if (!is_first_write(st, row_in(st->write, at)[lane], lane, number))
            first &= ~(1u << lane);
    }
    const struct row_lanes lanes = row_lanes_of(mask);
    keep_old(st, p, at, first == mask ? lanes : row_lanes_of(first));
    put_stamps(at, st->write, lanes, number);
    put_row(at, st->read, lanes, sixteen_all(0), sixteen_all(0));
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

/* ---- Whole warps that go through two rows, or by steps, where all that has been there lies before the last barrier: what lane by lane they would do ---- */

/** Do all lanes go to words of their own, each half by one step, as through a column? */
VECTORS INLINE bool goes_by_step(const struct plain_access *p)
{
    const uint32_t one = p->at[0], other = p->at[HALF], step = p->at[1] - one, apart = other > one ? other - one : one - other;
    const sixteen ramp = sixteen_ramp(step);
    return p->mask == UINT32_MAX && step >= 4 && step < 1u << 24 && (apart >= HALF * step || apart % step) &&
           sixteen_alike(sixteen_load(p->at), sixteen_add(ramp, sixteen_all(one)), sixteen_load(p->at + HALF), sixteen_add(ramp, sixteen_all(other)));
}

/** Do the halves have nothing in common? */
VECTORS INLINE bool lie_apart(const struct plain_access *p)
{
    return p->at[HALF] - p->at[0] + 4 * (HALF - 1) > 8 * (HALF - 1);
}

VECTORS INLINE sixteen stamps_at(const struct plain_access *p, const uint32_t *stamps, unsigned half)
{
    if (p->shape == PLAIN_ROWS)
        return sixteen_load(row_in(stamps, p->at[half]));
    return sixteen_gather(UINT32_MAX, stamps, sixteen_load(p->at + half));
}

/** Does it go so, and does all lie before the barrier? */
VECTORS INLINE bool takes_all(const struct stamps *st, const struct plain_access *p)
{
    const sixteen before = sixteen_all(st->before);
    if (!(p->shape == PLAIN_ROWS ? lie_apart(p) : p->shape == PLAIN_ANY && goes_by_step(p)))
        return false;
    uint32_t late = 0;
    for (unsigned half = 0; half < WARP_LANES; half += HALF)
        late |= sixteen_reach(stamps_at(p, st->write, half), before) | sixteen_reach(stamps_at(p, st->read, half), before);
    return !late;
}

VECTORS INLINE void put_all(const struct plain_access *p, uint32_t *array, struct row_stamps v)
{
    if (p->shape == PLAIN_ROWS) {
        sixteen_store(row_in(array, p->at[0]), v.low);
        sixteen_store(row_in(array, p->at[HALF]), v.high);
        return;
    }
    uint32_t each[WARP_LANES];
    sixteen_store(each, v.low);
    sixteen_store(each + HALF, v.high);
    for (unsigned l = 0; l < WARP_LANES; l++)
        *row_in(array, p->at[l]) = each[l];
}

VECTORS INLINE bool load_all(const struct actor *me, const struct plain_access *p, uint32_t number)
{
    struct stamps *st = me->bs->stamps;
    if (!takes_all(st, p))
        return false;
    put_all(p, st->read, stamps_of(number));
    return true;
}

VECTORS INLINE bool store_all(const struct actor *me, const struct plain_access *p, uint32_t number)
{
    struct stamps *st = me->bs->stamps;
    if (!takes_all(st, p))
        return false;
    put_all(p, st->old, (struct row_stamps){stamps_at(p, (const uint32_t *)p->host, 0), stamps_at(p, (const uint32_t *)p->host, HALF)});
    put_all(p, st->write, stamps_of(number));
    put_all(p, st->read, (struct row_stamps){sixteen_all(0), sixteen_all(0)});
    return true;
}

/** lanes_at_one_time() */
VECTORS INLINE bool one_time(const struct actor *me, const struct plain_access *p)
{
    const uint32_t *time = me->ws->time;
    if (me->ws->one_time)
        return true;
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
    return p->shape == PLAIN_ONE ? join_ones(me, p, one_time(me, p)) : join_halves(me, p, one_time(me, p));
}

VECTORS static uint32_t load_at_once(const struct actor *me, const struct plain_access *p)
{
    uint32_t number = number_of(me, p->mask, one_time(me, p));
    if (!number)
        return p->mask;
    if (p->shape == PLAIN_ROW ? !load_row(me, p, number) : load_all(me, p, number))
        return 0;
    return load_lanes(me, p, number);
}

VECTORS static uint32_t store_at_once(const struct actor *me, const struct plain_access *p)
{
    uint32_t number = number_of(me, p->mask, one_time(me, p));
    if (!number)
        return p->mask;
    if (p->shape == PLAIN_ROW)
        return store_row(me, p, number);
    return store_all(me, p, number) ? 0 : store_lanes(me, p, number);
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

VECTORS static bool take_load(struct race *race, const struct warp *w, const struct plain_access *p)
{
    struct actor me;
    bool joins = p->shape == PLAIN_PAIRS || p->shape == PLAIN_HALVES || p->shape == PLAIN_ONE;
    if (joins && w->index >= WARP_LANES)
        return false;
    actor_begin_plain(&me, race, w, p->insn);
    if (joins)
        return join_any(&me, p);
    uint32_t number = number_of(&me, p->mask, one_time(&me, p));
    return number && taken(me.bs->stamps, p->shape == PLAIN_ROW ? load_row(&me, p, number) : !load_all(&me, p, number));
}

VECTORS static bool take_store(struct race *race, const struct warp *w, const struct plain_access *p)
{
    struct actor me;
    if (p->shape != PLAIN_ROW && p->shape != PLAIN_ROWS && p->shape != PLAIN_ANY)
        return false;
    actor_begin_plain(&me, race, w, p->insn);
    uint32_t number = number_of(&me, p->mask, one_time(&me, p));
    if (number)
        me.home->shared_written = true;
    return number && taken(me.bs->stamps, p->shape == PLAIN_ROW ? store_row(&me, p, number) : !store_all(&me, p, number));
}

const struct stamped_vectors STAMPED_TABLE = {
    .load = load_at_once, .store = store_at_once, .join = join_at_once, .take_load = take_load, .take_store = take_store,
};
