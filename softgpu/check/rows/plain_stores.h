/*
 * What the hooks of all checkers do with a plain store (plain_access.h) by a whole warp each of whose halves goes through a row, where none has to look closer, as with
 * one row of shared memory (rows_at_once.h, which includes this): to told_plain_store(), deadlock_plain_store() and uninit_plain_store(), in few steps. And with a load of
 * calm shared memory, by lanes that lie anyhow.
 */
#ifndef SOFTGPU_CHECK_ROWS_PLAIN_STORES_H
#define SOFTGPU_CHECK_ROWS_PLAIN_STORES_H

#include "check/deadlock.h"
#include "check/half_lacks.h"
#include "check/race/forgotten_rows.h"
#include "check/race/joining.h"
#include "check/race/shadow/read_ranges.h"
#include "check/race/stamped_rows.h"
#include "check/rows/rows_vectors.h"
#include "check/uninit/shared_bits.h"
#include "execute/access.h"
#include "execute/engine.h"
#include "execute/plain_steps.h"

/** Is all of the block's shared memory known to hold something? Whoever comes otherwise finds out (is_whole() of uninit/whole_words.c). */
INLINE bool is_whole(const struct plain_rows *rows, const struct block *b)
{
    int slot = rows->slot[ROWS_UNINIT];
    return b->check[slot] && *shared_whole(b, slot) == WHOLE;
}

/** May it have a number without any step on the way there? Else whoever looks closer finds one. */
INLINE bool has_number(const struct stamps *st)
{
    return st->accesses.count < st->accesses.cap && st->accesses.count <= FEWEST_ACCESSES;
}

/** What the halves' words hold, and what they become. */
struct halves_words {
    uint8_t *low_host, *high_host;
    sixteen low_old, high_old, low, high;
};

VECTORS INLINE struct halves_words halves_words(const struct plain_access *p)
{
    uint8_t *low = p->host + p->at[0], *high = p->host + p->at[HALF];
    return (struct halves_words){low, high, sixteen_load(low), sixteen_load(high), sixteen_load(p->value), sixteen_load(p->value + HALF)};
}

/** It is in order: deadlock_plain_store(), and the write. */
VECTORS INLINE void put_halves(const struct plain_rows *rows, const struct halves_words *v)
{
    sixteen_store(v->low_host, v->low);
    sixteen_store(v->high_host, v->high);
    if (!sixteen_alike(v->low_old, v->low, v->high_old, v->high))
        deadlock_goes_on(rows->self[ROWS_DEADLOCK]);
}

/* ---- Global memory: rows of which nothing is remembered since the launch began, as its first store mostly finds them ---- */

/** Of such a row, note_store() of race/whole_rows.c */
VECTORS INLINE void note_first_store(struct shadow_row *row, const struct epoch *now, uint32_t thread, sixteen old)
{
    sixteen_store(shadow_row_old(row), old);
    row->has_old = true;
    row->read.agent = 0;
    row->write = *now;
    row->write.thread = (uint16_t)thread;
}

/** What is known of an allocation: which of it holds something. `undefined`: into which undefined values have been stored */
struct bits_of {
    uint8_t *bits, *undefined, *widest;
};

/** May the halves' bits be set without a look at each? @return false: look closer */
INLINE bool may_set_bits(const struct allocation *al, const struct plain_access *p, struct bits_of *b)
{
    uint64_t low, high;
    b->bits = al->initialised;
    if (!b->bits)
        return true;
    b->undefined = b->bits + cells_half(al);
    b->widest = b->undefined + cells_half(al);
    memcpy(&low, b->undefined + p->at[0] / 8, sizeof low);
    memcpy(&high, b->undefined + p->at[HALF] / 8, sizeof high);
    return !(low | high);
}

VECTORS INLINE bool store_global_halves(const struct plain_rows *rows, struct warp *w, struct plain_access *p)
{
    struct block_state *bs = w->block->check[rows->slot[ROWS_RACE]];
    const struct warp_state *ws = &bs->warps[w->index];
    struct allocation *al = p->allocation;
    struct bits_of bits = {0};
    if (!al->shadow || !ws->one_time || bs->race->any_unordered_range)
        return false;
    if (p->shape == PLAIN_ROWS) {
        fetch_rows_ahead(p, 0, 1);
        fetch_rows_ahead(p, HALF, 1);
    }
    struct shadow_row *first = row_known(al, p->at[0]), *second = row_known(al, p->at[HALF]);
    if (!first || !second || !row_is_forgotten(first, bs->floor) || !row_is_forgotten(second, bs->floor) || !may_set_bits(al, p, &bits))
        return false;
    const struct epoch now = {.agent = bs->agent, .time = ws->time[0], .site = p->insn->site, .unit = PLAIN_WORD};
    const uint32_t thread = (uint32_t)(w->index * WARP_LANES);
    const struct halves_words v = halves_words(p);
    read_ranges_settle(al->shadow, bs->floor, bs->race->readers); /* note_written_to() of race/accesses.c */
    shadow_wrote(al->shadow, bs->agent);
    note_first_store(first, &now, thread, v.low_old);
    note_first_store(second, &now, thread + HALF, v.high_old);
    if (bits.bits) {
        widen(bits.widest, 4);
        bits_set_row(bits.bits, p->at[0]);
        bits_set_row(bits.bits, p->at[HALF]);
    }
    put_halves(rows, &v);
    return true;
}

/* ---- Shared memory: two rows, all that has been there lies before the block's last barrier ---- */

VECTORS INLINE uint32_t late_at(const uint32_t *stamps, const struct plain_access *p, sixteen before)
{
    return sixteen_reach(sixteen_load(row_in(stamps, p->at[0])), before) | sixteen_reach(sixteen_load(row_in(stamps, p->at[HALF])), before);
}

VECTORS INLINE void put_both(uint32_t *array, const struct plain_access *p, sixteen low, sixteen high)
{
    sixteen_store(row_in(array, p->at[0]), low);
    sixteen_store(row_in(array, p->at[HALF]), high);
}

VECTORS INLINE bool store_shared_halves(const struct plain_rows *rows, struct warp *w, struct plain_access *p)
{
    struct block_state *bs = w->block->check[rows->slot[ROWS_RACE]];
    const struct warp_state *ws = &bs->warps[w->index];
    const int slot = rows->slot[ROWS_UNINIT];
    uint8_t *bits = w->block->check[slot];
    struct stamps *st = bs->stamps;
    if (!bits || !ws->one_time || !lie_apart(p) || !stamps_begin_access(bs) || !has_number(st))
        return false;
    const sixteen before = sixteen_all(st->before);
    if (late_at(st->write, p, before) | late_at(st->read, p, before))
        return false;
    const struct row_stamps own = stamps_of((uint32_t)st->accesses.count);
    const struct halves_words v = halves_words(p);
    st->accesses.data[st->accesses.count++] = (struct stamped){.time = ws->time[0], .site = p->insn->site, .warp = (uint16_t)w->index};
    put_both(st->old, p, v.low_old, v.high_old);
    put_both(st->write, p, own.low, own.high);
    bs->shared_written = true;
    widen(shared_widest(w->block, slot), 4);
    if (*shared_whole(w->block, slot) != WHOLE) {
        bits_set_row(bits, p->at[0]);
        bits_set_row(bits, p->at[HALF]);
    }
    put_halves(rows, &v);
    return true;
}

VECTORS static bool store_halves(struct warp *w, struct plain_access *p)
{
    const struct plain_rows *rows = &warp_machine(w)->observers.rows;
    if (p->mask != UINT32_MAX || *w->closely) /* a register may hold something undefined */
        return false;
    if (p->space == SPACE_GLOBAL)
        return (p->shape == PLAIN_ROW || p->shape == PLAIN_ROWS) && store_global_halves(rows, w, p);
    return p->shape == PLAIN_ROWS && store_shared_halves(rows, w, p);
}

/* ---- Loads of a block's calm shared memory (quiet_shared.h) ---- */

/** Those of `mask` that do not go to a word of the room */
VECTORS INLINE uint32_t half_outside(uint32_t mask, sixteen at, struct shared_room room)
{
    return mask & (sixteen_exceed(sixteen_add(at, sixteen_all(0u - room.first)), sixteen_all(room.span)) | sixteen_have(at, sixteen_all(3)));
}

VECTORS static bool load_calm(struct warp *w, const struct insn *in)
{
    struct worker *k = w->worker;
    const struct plain_rows *rows = &k->machine->observers.rows;
    const uint32_t *places = (const uint32_t *)k->places, low = w->mask & HALF_LANES, high = w->mask >> HALF;
    uint64_t *untold = k->machine->observers.plain_loads.untold;
    const uint8_t *bits = w->block->check[rows->slot[ROWS_UNINIT]];
    struct shared_room room;
    const sixteen at = sixteen_load(places), high_at = sixteen_load(places + HALF);
    if (!bits || *w->closely || !*untold || !shared_room(w->block, in, 4, &room) || half_outside(low, at, room) || half_outside(high, high_at, room))
        return false;
    if (!is_whole(rows, w->block) && ((low & half_lacks(bits, low, at)) || (high & half_lacks(bits, high, high_at))))
        return false;
    sixteen_store(k->plain.value, sixteen_gather(low, w->block->shared, at));
    sixteen_store(k->plain.value + HALF, sixteen_gather(high, w->block->shared, high_at));
    --*untold;
    return true;
}

#endif
