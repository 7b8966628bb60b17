/*
 * Plain accesses (plain_access.h) by vectors; included once by each plain_LEVEL.c, which defines AT_LEVEL (base/sixteen.h) and PLAIN_TABLE, the
 * name of the table of what is made here.
 */
#include <string.h>

#include "base/sixteen.h"
#include "execute/access.h"
#include "execute/plain_called.h"
#include "execute/plain_steps.h"
#include "execute/plain_vectors.h"
#include "execute/reserved.h"
#include "memory/memory.h"

#define INLINE static inline __attribute__((always_inline))

/** What the lanes of each half have: where they go, or what they read there. */
struct halves {
    sixteen low, high;
};

/* ---- Where lanes go, and how they lie ---- */

/* Places are stored as they will be read: a processor waits long for what was stored in smaller pieces. */

VECTORS INLINE bool put_places(struct plain_access *p, struct halves at, uint32_t bad, uint32_t first, uint32_t span)
{
    const sixteen end = sixteen_all(span), three = sixteen_all(3), from = sixteen_all(0u - first);
    bad |= sixteen_exceed(sixteen_add(at.low, from), end) | sixteen_have(at.low, three) |
           (sixteen_exceed(sixteen_add(at.high, from), end) | sixteen_have(at.high, three)) << HALF;
    sixteen_store(p->at, at.low);
    sixteen_store(p->at + HALF, at.high);
    return !(bad & p->mask);
}

VECTORS INLINE bool place_wide(struct plain_access *p, const uint64_t *reg, uint64_t offset, uint64_t last)
{
    uint32_t low, high;
    struct halves at = {sixteen_lower(reg, offset - p->base, &low), sixteen_lower(reg + HALF, offset - p->base, &high)};
    return put_places(p, at, low | high << HALF, 0, (uint32_t)last);
}

VECTORS INLINE bool place_narrow(struct plain_access *p, const uint32_t *reg, uint32_t offset, struct shared_room room)
{
    const sixteen from = sixteen_all(offset);
    struct halves at = {sixteen_add(sixteen_load(reg), from), sixteen_add(sixteen_load(reg + HALF), from)};
    return put_places(p, at, 0, room.first, room.span);
}

VECTORS INLINE struct halves places_of(const struct plain_access *p)
{
    return (struct halves){sixteen_load(p->at), sixteen_load(p->at + HALF)};
}

VECTORS INLINE uint32_t equal(struct halves a, sixteen low, sixteen high)
{
    return sixteen_equal(a.low, low) | sixteen_equal(a.high, high) << HALF;
}

/** plain_shape_of(): `at` are the places, which are in registers mostly. */
VECTORS INLINE enum plain_shape shape_in(const struct plain_access *p, struct halves at)
{
    uint32_t first = (uint32_t)__builtin_ctz(p->mask), one = p->at[first];
    const sixteen ramp = sixteen_ramp(4), row = sixteen_add(ramp, sixteen_all(one - 4 * first)), same = sixteen_all(one);
    uint32_t in_row = equal(at, row, sixteen_add(row, sixteen_all(4 * HALF)));
    if (!(p->mask & ~in_row))
        return PLAIN_ROW;
    uint32_t at_one = equal(at, same, same);
    if (!(p->mask & ~at_one))
        return PLAIN_ONE;
    if (p->mask != UINT32_MAX)
        return PLAIN_ANY;
    const sixteen second = sixteen_all(p->at[HALF]);
    if ((uint16_t)in_row == 0xffff && sixteen_equal(at.high, sixteen_add(ramp, second)) == 0xffff)
        return p->at[HALF] == one ? PLAIN_PAIRS : PLAIN_ROWS;
    return (uint16_t)at_one == 0xffff && sixteen_equal(at.high, second) == 0xffff ? PLAIN_HALVES : PLAIN_ANY;
}

/* ---- Values ---- */

VECTORS INLINE void put_at_once(uint32_t *to, uint32_t mask, const uint32_t *from)
{
    sixteen_store_some(to, mask, sixteen_load(from));
    sixteen_store_some(to + HALF, mask >> HALF, sixteen_load(from + HALF));
}

VECTORS INLINE struct halves row_of(const struct plain_access *p)
{
    const uint8_t *host = plain_row_in(p, p->host);
    return (struct halves){sixteen_load_some(p->mask, host), sixteen_load_some(p->mask >> HALF, host + 4 * HALF)};
}

VECTORS INLINE void write_row_at_once(const struct plain_access *p)
{
    put_at_once(plain_row_in(p, p->host), p->mask, p->value);
}

/** The same in shared memory: a store of some words takes many times as long as one of all, and no other thread of the program's touches those beside them. */
VECTORS INLINE void write_shared_row(const struct warp *w, const struct plain_access *p)
{
    const uint32_t first = (uint32_t)__builtin_ctz(p->mask), from = p->at[first] - 4 * first;
    uint8_t *row = p->host + from;
    if (p->mask == UINT32_MAX || p->at[first] < 4 * first || from + 4 * WARP_LANES > reserved_end(w->block->shared_bytes)) {
        write_row_at_once(p);
        return;
    }
    sixteen_put_lanes(row, sixteen_lanes_of(p->mask), sixteen_load(p->value));
    sixteen_put_lanes(row + 4 * HALF, sixteen_lanes_of(p->mask >> HALF), sixteen_load(p->value + HALF));
}

VECTORS INLINE void put_values(struct plain_access *p, struct halves v)
{
    sixteen_store(p->value, v.low);
    sixteen_store(p->value + HALF, v.high);
}

VECTORS INLINE sixteen word_at(const struct plain_access *p, uint32_t at)
{
    uint32_t v;
    memcpy(&v, p->host + at, sizeof v);
    return sixteen_all(v);
}

/** plain_fetch() */
VECTORS INLINE struct halves values_at(const struct plain_access *p, struct halves at)
{
    sixteen one;
    switch (p->shape) {
    case PLAIN_ROW:
        return row_of(p);
    case PLAIN_PAIRS:
        one = sixteen_load(p->host + p->at[0]);
        return (struct halves){one, one};
    case PLAIN_ROWS:
        return (struct halves){sixteen_load(p->host + p->at[0]), sixteen_load(p->host + p->at[HALF])};
    case PLAIN_HALVES:
        return (struct halves){word_at(p, p->at[0]), word_at(p, p->at[HALF])};
    case PLAIN_ONE:
        one = word_at(p, p->at[__builtin_ctz(p->mask)]);
        return (struct halves){one, one};
    default:
        return (struct halves){sixteen_gather(p->mask, p->host, at.low), sixteen_gather(p->mask >> HALF, p->host, at.high)};
    }
}

/* ---- Called from compiled code ---- */

/** Do two halves of a whole warp, which begin so far behind the first place that is allowed, end before the last one, `last` behind it? */
VECTORS INLINE bool ends_fit(uint64_t low, uint64_t high, uint32_t step, uint64_t last)
{
    const uint64_t span = (HALF - 1) * (uint64_t)step;
    return low <= last && high <= last && low + span <= last && high + span <= last;
}

VECTORS INLINE enum plain_shape shape_of_halves(uint32_t low, uint32_t high, uint32_t step)
{
    if (!step)
        return high == low ? PLAIN_ONE : PLAIN_HALVES;
    return high == low ? PLAIN_PAIRS : high == low + HALF * 4 ? PLAIN_ROW : PLAIN_ROWS;
}

enum found { FOUND, FOUND_NOT, FOUND_ODD };

/** A whole warp each of whose halves goes through a row, or to one word, as the second lane's place tells. @return FOUND_NOT: that is no plain access;
 *  FOUND_ODD: the lanes lie otherwise */
VECTORS INLINE enum found find_global_halves(const struct worker *k, struct plain_access *p, struct halves *at)
{
    const uint64_t *places = k->places, low = places[0] - p->base, high = places[HALF] - p->base, step = places[1] - places[0];
    if (p->mask != UINT32_MAX || (step != 4 && step))
        return FOUND_ODD;
    if (!(step ? sixteen_run(places, places[0], 4) && sixteen_run(places + HALF, places[HALF], 4)
               : sixteen_run(places, places[0], 0) && sixteen_run(places + HALF, places[HALF], 0)))
        return FOUND_ODD;
    if (!ends_fit(low, high, (uint32_t)step, k->cache_bytes - 4) || (low | high) % 4)
        return FOUND_NOT;
    p->shape = (uint8_t)shape_of_halves((uint32_t)low, (uint32_t)high, (uint32_t)step);
    const sixteen ramp = step ? sixteen_ramp(4) : sixteen_all(0);
    *at = (struct halves){sixteen_add(ramp, sixteen_all((uint32_t)low)), sixteen_add(ramp, sixteen_all((uint32_t)high))};
    return FOUND;
}

VECTORS INLINE enum found find_shared_halves(const uint32_t *places, struct plain_access *p, struct shared_room room, struct halves at)
{
    const uint32_t low = places[0], high = places[HALF], step = places[1] - low;
    if (step != 4 && step)
        return FOUND_ODD;
    const sixteen ramp = step ? sixteen_ramp(4) : sixteen_all(0);
    if (!sixteen_alike(at.low, sixteen_add(ramp, sixteen_all(low)), at.high, sixteen_add(ramp, sixteen_all(high))))
        return FOUND_ODD;
    if (!ends_fit(low - room.first, high - room.first, step, room.span) || (low | high) % 4)
        return FOUND_NOT;
    p->shape = (uint8_t)shape_of_halves(low, high, step);
    return FOUND;
}

/** The same of part of a warp that goes through a row. */
VECTORS INLINE enum found find_shared_row(struct plain_access *p, struct shared_room room, struct halves at, const uint32_t *places)
{
    const uint32_t first = (uint32_t)__builtin_ctz(p->mask), end = WARP_LANES - 1 - (uint32_t)__builtin_clz(p->mask), from = places[first];
    const sixteen row = sixteen_add(sixteen_ramp(4), sixteen_all(from - 4 * first));
    if (p->mask & ~equal(at, row, sixteen_add(row, sixteen_all(4 * HALF))))
        return FOUND_ODD;
    if (!ends_fit(from - room.first, (uint64_t)(from - room.first) + 4 * (end - first), 0, room.span) || from % 4)
        return FOUND_NOT;
    p->shape = PLAIN_ROW;
    return FOUND;
}

/** Finds the places of lanes that lie otherwise, in global memory; and in shared memory. */
VECTORS static __attribute__((noinline)) bool find_odd_global(struct worker *k, struct plain_access *p)
{
    if (!place_wide(p, k->places, 0, k->cache_bytes - 4))
        return false;
    p->shape = (uint8_t)shape_in(p, places_of(p));
    return true;
}

VECTORS static __attribute__((noinline)) bool find_odd_shared(const struct warp *w, struct plain_access *p, struct shared_room room)
{
    if (!place_narrow(p, (const uint32_t *)w->worker->places, 0, room))
        return false;
    p->shape = (uint8_t)shape_in(p, places_of(p));
    return true;
}

VECTORS INLINE bool find(struct warp *w, const struct insn *in, struct plain_access *p, bool shared)
{
    struct worker *k = w->worker;
    const uint32_t *narrow = (const uint32_t *)k->places;
    struct halves at = {0};
    struct shared_room room = {0};
    enum found found;
    p->insn = in;
    p->mask = w->mask;
    p->full = false;
    p->more = 0;
    if (!(shared ? is_in_shared(w->block, p, &room) : is_in_global(k, k->places[__builtin_ctz(p->mask)], p)))
        return false;
    if (shared) {
        at = (struct halves){sixteen_load(narrow), sixteen_load(narrow + HALF)};
        found = p->mask == UINT32_MAX ? find_shared_halves(narrow, p, room, at) : find_shared_row(p, room, at, narrow);
    } else {
        found = find_global_halves(k, p, &at);
    }
    if (found == FOUND) {
        sixteen_store(p->at, at.low);
        sixteen_store(p->at + HALF, at.high);
        return true;
    }
    return found == FOUND_ODD && (shared ? find_odd_shared(w, p, room) : find_odd_global(k, p));
}

/** Do the first lanes neither follow one another nor go to one word? */
INLINE bool lie_anyhow(const uint32_t *places)
{
    return (places[1] - places[0]) & ~4u;
}

VECTORS INLINE bool load(struct warp *w, const struct insn *in, bool shared, uint32_t recent)
{
    struct machine *m = warp_machine(w);
    struct plain_access *p = &w->worker->plain;
    if (shared && w->block->calm && lie_anyhow((const uint32_t *)w->worker->places) && is_usual(m) && m->observers.rows.load_calm(w, in))
        return true;
    if (!is_usual(m) || !find(w, in, p, shared) || !are_ready(&m->observers.plain_loads, w, p))
        return false;
    p->ahead = 0;
    if (!shared) {
        keep_quiet(w->worker, p, recent);
        fetch_ahead(w, p);
    }
    put_values(p, values_at(p, places_of(p)));
    if (!shared)
        note_plain(w, p, true);
    tell_load(&m->observers.plain_loads, w, p);
    return true;
}

/** Of a tile whose rows are stored two by two the next warp's, and the one's behind it, follow. */
VECTORS INLINE void fetch_tile_ahead(struct plain_access *p)
{
    if (p->shape != PLAIN_ROWS)
        return;
    p->ahead = 4 * ((int64_t)p->at[HALF] - (int64_t)p->at[0]);
    for (unsigned half = 0; half < WARP_LANES; half += HALF)
        __builtin_prefetch((const void *)((uintptr_t)p->host + p->at[half] + (uint64_t)p->ahead), 1);
}

VECTORS INLINE bool store(struct warp *w, const struct insn *in, bool shared)
{
    struct machine *m = warp_machine(w);
    struct plain_access *p = &w->worker->plain;
    if (!is_usual(m) || !find(w, in, p, shared) || (!shared && goes_to_quiet(p)) || !are_ready(&m->observers.plain_stores, w, p))
        return false;
    p->ahead = 0;
    if (!shared) {
        note_plain(w, p, false);
        fetch_tile_ahead(p);
    }
    if ((!shared || p->shape == PLAIN_ROWS) && m->observers.rows.store_halves(w, p))
        return true;
    tell(&m->observers.plain_stores, w, p);
    if (p->shape == PLAIN_ROW) {
        if (shared)
            write_shared_row(w, p);
        else
            write_row_at_once(p);
    } else if (p->shape == PLAIN_ROWS) { /* where they overlap, the upper half's stay */
        sixteen_store(p->host + p->at[0], sixteen_load(p->value));
        sixteen_store(p->host + p->at[HALF], sixteen_load(p->value + HALF));
    } else {
        plain_write(p);
    }
    return true;
}

/** All lanes read the same words, side by side. */
VECTORS static bool load_broadcast(struct warp *w, const struct insn *in, uint32_t recent, uint32_t mask)
{
    (void)recent;
    run_lanes(w, mask);
    struct machine *m = warp_machine(w);
    struct plain_access *p = &w->worker->plain;
    const struct plain_list *list = &m->observers.plain_loads;
    const uint32_t *places = (const uint32_t *)w->worker->places;
    unsigned bytes = 4u * in->mem.count;
    p->mask = w->mask;
    struct halves at = {sixteen_load(places), sixteen_load(places + HALF)};
    uint32_t one = places[__builtin_ctz(p->mask)];
    const sixteen same = sixteen_all(one);
    struct shared_room room;
    if (!is_usual(m) || p->mask & ~equal(at, same, same) || one % bytes || !shared_room(w->block, in, bytes, &room) || one - room.first > room.span)
        return false;
    p->insn = in;
    p->space = SPACE_SHARED;
    p->shape = PLAIN_ONE;
    p->full = false;
    p->more = (uint8_t)(in->mem.count - 1);
    p->host = w->block->shared;
    p->base = 0;
    p->allocation = NULL;
    p->ahead = 0;
    sixteen_store(p->at, at.low);
    sixteen_store(p->at + HALF, at.high);
    if (!are_ready(list, w, p))
        return false;
    memcpy(p->value, p->host + one, bytes);
    tell_load(list, w, p);
    return true;
}

VECTORS static bool load_shared(struct warp *w, const struct insn *in, uint32_t recent, uint32_t mask) { return run_lanes(w, mask), load(w, in, true, recent); }
VECTORS static bool load_global(struct warp *w, const struct insn *in, uint32_t recent, uint32_t mask) { return run_lanes(w, mask), load(w, in, false, recent); }
VECTORS static bool store_shared(struct warp *w, const struct insn *in, uint32_t recent, uint32_t mask) { return (void)recent, run_lanes(w, mask), store(w, in, true); }
VECTORS static bool store_global(struct warp *w, const struct insn *in, uint32_t recent, uint32_t mask) { return (void)recent, run_lanes(w, mask), store(w, in, false); }

/* ---- Called from observed_plain.c ---- */

VECTORS static bool find_wide(struct plain_access *p, const uint64_t *reg, uint64_t offset, uint64_t last)
{
    return place_wide(p, reg, offset, last);
}

VECTORS static bool find_narrow(struct plain_access *p, const uint32_t *reg, uint32_t offset, struct shared_room room)
{
    return place_narrow(p, reg, offset, room);
}

VECTORS static enum plain_shape shape_at_once(const struct plain_access *p)
{
    return shape_in(p, places_of(p));
}

/** A lane begins a sector where it does not go to that of the lane before. */
VECTORS static unsigned sectors_at_once(const struct plain_access *p)
{
    const sixteen within = sixteen_all((uint32_t)((uintptr_t)p->host & ((1u << SECTOR_BITS) - 1)));
    const sixteen none = sixteen_all(UINT32_MAX); /* no place's */
    struct halves at = places_of(p);
    at = (struct halves){sixteen_down(sixteen_add(at.low, within), SECTOR_BITS), sixteen_down(sixteen_add(at.high, within), SECTOR_BITS)};
    uint32_t begun = sixteen_differ(at.low, sixteen_behind(at.low, none)) | sixteen_differ(at.high, sixteen_behind(at.high, at.low)) << HALF;
    return (unsigned)__builtin_popcount(begun);
}

VECTORS static void put(uint32_t *to, uint32_t mask, const uint32_t *from) { put_at_once(to, mask, from); }
VECTORS static void read_row(struct plain_access *p) { put_values(p, row_of(p)); }
VECTORS static void write_row(const struct plain_access *p) { write_row_at_once(p); }
VECTORS static void fill(struct mem_access *a, const struct plain_access *p) { plain_fill(a, p); }

const struct plain_vectors PLAIN_TABLE = {
    .place_wide = find_wide, .place_narrow = find_narrow, .shape = shape_at_once, .put = put, .read_row = read_row, .write_row = write_row,
    .sectors = sectors_at_once, .fill = fill, .load = {load_global, load_shared}, .store = {store_global, store_shared},
    .load_broadcast = load_broadcast,
};
