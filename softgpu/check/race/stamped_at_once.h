/*
 * Accesses to words that have stamps (stamps.h) by vectors, a row at once; included once by each stamped_LEVEL.c, which defines AT_LEVEL
 * (base/sixteen.h) and STAMPED_TABLE, the name of the table of what is made here.
 */
#include "check/race/stamped_lanes.h"
#include "check/race/stamped_rows.h"
#include "check/race/stamped_vectors.h"

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

/** Words that these lanes, each its own, have read last since the barrier, and nobody else; as load_lanes() takes them. */
VECTORS INLINE bool load_again(const struct actor *me, const struct plain_access *p, uint32_t number)
{
    struct stamps *st = me->bs->stamps;
    if (p->shape != PLAIN_ANY || p->mask != UINT32_MAX)
        return false;
    const uint32_t last = st->read[p->at[0] / 4] >> STAMP_LANES;
    if (last << STAMP_LANES < st->before || last >= number)
        return false;
    const struct stamped *s = &st->accesses.data[last];
    if (s->together || s->strong || s->earlier || s->warp != me->warp->index)
        return false;
    const struct row_stamps so_far = stamps_of(last);
    const sixteen before = sixteen_all(st->before);
    if (sixteen_differ(stamps_at(p, st->read, 0), so_far.low) | sixteen_differ(stamps_at(p, st->read, HALF), so_far.high) |
        sixteen_reach(stamps_at(p, st->write, 0), before) | sixteen_reach(stamps_at(p, st->write, HALF), before))
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
    return true;
}

VECTORS INLINE bool join_pairs(const struct actor *me, const struct plain_access *p)
{
    struct stamps *st = me->bs->stamps;
    uint32_t number = number_of(me, p->mask, one_time(me, p->mask));
    if (!number || !goes_on_with(st, me, p, number, pairs_so_far(st, p)))
        return false;
    put_pairs(st, p, number);
    return true;
}

VECTORS INLINE bool join_any(const struct actor *me, const struct plain_access *p)
{
    if (p->shape == PLAIN_PAIRS)
        return join_pairs(me, p);
    return p->shape == PLAIN_ONE ? join_ones(me, p, one_time(me, p->mask)) : join_halves(me, p, one_time(me, p->mask));
}

VECTORS static uint32_t load_at_once(const struct actor *me, const struct plain_access *p)
{
    uint32_t number = number_of(me, p->mask, one_time(me, p->mask));
    if (!number)
        return p->mask;
    if (p->shape == PLAIN_ROW ? !load_row(me, row_of_plain(p), number) : load_all(me, p, number))
        return 0;
    return load_again(me, p, number) ? 0 : load_lanes(me, p, number);
}

VECTORS static uint32_t store_at_once(const struct actor *me, const struct plain_access *p)
{
    uint32_t number = number_of(me, p->mask, one_time(me, p->mask));
    if (!number)
        return p->mask;
    if (p->shape == PLAIN_ROW)
        return store_row(me, row_of_plain(p), number);
    return store_all(me, p, number) ? 0 : store_lanes(me, p, number);
}

VECTORS static bool join_at_once(const struct actor *me, const struct plain_access *p)
{
    return join_any(me, p);
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
    uint32_t number = number_of(&me, p->mask, one_time(&me, p->mask));
    return number && taken(me.bs->stamps, p->shape == PLAIN_ROW ? load_row(&me, row_of_plain(p), number) : !load_all(&me, p, number));
}

VECTORS static bool take_store(struct race *race, const struct warp *w, const struct plain_access *p)
{
    struct actor me;
    if (p->shape != PLAIN_ROW && p->shape != PLAIN_ROWS && p->shape != PLAIN_ANY)
        return false;
    actor_begin_plain(&me, race, w, p->insn);
    uint32_t number = number_of(&me, p->mask, one_time(&me, p->mask));
    if (number)
        me.home->shared_written = true;
    return number && taken(me.bs->stamps, p->shape == PLAIN_ROW ? store_row(&me, row_of_plain(p), number) : !store_all(&me, p, number));
}

const struct stamped_vectors STAMPED_TABLE = {
    .load = load_at_once, .store = store_at_once, .join = join_at_once, .take_load = take_load, .take_store = take_store,
};
