/**
 * @file plain_access.c
 * See plain_access.h. Where vectors help much, a step stands here lane by lane, and in plain_at_once.h.
 */
#include "execute/plain_access.h"

#include "execute/access.h"
#include "execute/grid.h"
#include "execute/plain_steps.h"
#include "execute/plain_vectors.h"
#include "memory/memory.h"

/** A weak word a lane? */
static bool is_weak_word(const struct insn *in)
{
    const struct mem_desc *d = &in->mem;
    bool load = insn_class(in) == INSN_LOAD;
    return !insn_is_named(in) && d->count == 1 && d->bytes == 4 && d->reg_bytes == 4 && (load ? in->dst : in->src[1]) != REG_NONE &&
           (d->order == ORDER_WEAK || (load && d->order == ORDER_NC));
}

bool plain_fits_absolute(const struct insn *in)
{
    return is_weak_word(in) && in->mem.space == SPACE_SHARED && in->mem.address_bytes == 0 && in->offset >= 0;
}

bool plain_fits(const struct insn *in)
{
    const struct mem_desc *d = &in->mem;
    return is_weak_word(in) &&
           ((d->space == SPACE_GLOBAL && d->address_bytes == 8) || (d->space == SPACE_SHARED && d->address_bytes == 4));
}

bool plain_fits_broadcast(const struct insn *in)
{
    const struct mem_desc *d = &in->mem;
    bool fits = insn_class(in) == INSN_LOAD && (d->count == 2 || d->count == 4) && d->bytes == 4 && d->reg_bytes == 4 &&
                d->order == ORDER_WEAK && d->space == SPACE_SHARED && d->address_bytes == 4 && !insn_is_named(in);
    for (unsigned i = 0; fits && i < d->count; i++)
        fits = element_target(in, i) != REG_NONE;
    return fits;
}

bool plain_fits_atomic(const struct insn *in)
{
    const struct mem_desc *d = &in->mem;
    bool word = d->count == 1 && d->bytes == 4 && d->reg_bytes == 4 && d->order == ORDER_RELAXED && d->atom != ATOM_CAS && !insn_is_named(in);
    return word && ((d->space == SPACE_GLOBAL && d->address_bytes == 8) || (d->space == SPACE_SHARED && d->address_bytes == 4));
}

/* ---- Lane by lane ---- */

static bool place_wide_by_lanes(struct plain_access *p, const uint64_t *reg, uint64_t offset, uint64_t last)
{
    uint64_t bad = 0;
    FOR_LANES(lane, p->mask)
    {
        uint64_t at = reg[lane] + offset - p->base;
        bad |= (at > last) | (at & 3);
        p->at[lane] = (uint32_t)at;
    }
    return !bad;
}

static bool place_narrow_by_lanes(struct plain_access *p, const uint32_t *reg, uint32_t offset, struct shared_room room)
{
    uint32_t bad = 0;
    FOR_LANES(lane, p->mask)
    {
        uint32_t at = reg[lane] + offset;
        bad |= (at - room.first > room.span) | (at & 3);
        p->at[lane] = at;
    }
    return !bad;
}

enum plain_shape plain_shape_by_lanes(const struct plain_access *p)
{
    uint32_t from = plain_row_at(p), one = p->at[__builtin_ctz(p->mask)], row = 0, same = 0, rows = 0, halves = 0;
    for (unsigned l = 0; l < WARP_LANES; l++) {
        uint32_t on = -(p->mask >> l & 1), half = p->at[l / HALF * HALF];
        row |= on & (p->at[l] ^ (from + 4 * l));
        same |= on & (p->at[l] ^ one);
        rows |= p->at[l] ^ (half + 4 * (l % HALF));
        halves |= p->at[l] ^ half;
    }
    if (!row)
        return PLAIN_ROW;
    if (!same)
        return PLAIN_ONE;
    if (p->mask != UINT32_MAX)
        return PLAIN_ANY;
    if (!rows)
        return p->at[HALF] == p->at[0] ? PLAIN_PAIRS : PLAIN_ROWS;
    return halves ? PLAIN_ANY : PLAIN_HALVES;
}

static void put_by_lanes(uint32_t *to, uint32_t mask, const uint32_t *from)
{
    FOR_LANES(lane, mask)
    {
        to[lane] = from[lane];
    }
}

static void read_row_by_lanes(struct plain_access *p)
{
    FOR_LANES(lane, p->mask)
    {
        memcpy(&p->value[lane], p->host + p->at[lane], 4);
    }
}

static void write_row_by_lanes(const struct plain_access *p)
{
    FOR_LANES(lane, p->mask)
    {
        memcpy(p->host + p->at[lane], &p->value[lane], 4);
    }
}

unsigned plain_sectors_by_lanes(const struct plain_access *p)
{
    uintptr_t last = 0, host = (uintptr_t)p->host;
    unsigned sectors = 0;
    FOR_LANES(lane, p->mask)
    {
        uintptr_t here = (host + p->at[lane]) >> SECTOR_BITS;
        sectors += here != last;
        last = here;
    }
    return sectors;
}

static void fill_by_lanes(struct mem_access *a, const struct plain_access *p)
{
    plain_fill(a, p);
}

/** Where there are no vectors. */
static const struct plain_vectors by_lanes = {
    .place_wide = place_wide_by_lanes, .place_narrow = place_narrow_by_lanes, .shape = plain_shape_by_lanes, .put = put_by_lanes,
    .read_row = read_row_by_lanes, .write_row = write_row_by_lanes, .sectors = plain_sectors_by_lanes, .fill = fill_by_lanes,
};

/* ---- Either way ---- */

static const struct plain_vectors *steps(void)
{
    const struct plain_vectors *v = plain_vectors();
    return v ? v : &by_lanes;
}

static bool place_global(const struct warp *w, const uint64_t *reg, uint64_t offset, struct plain_access *p)
{
    struct worker *k = w->worker;
    return is_in_global(k, reg[__builtin_ctz(w->mask)] + offset, p) &&
           steps()->place_wide(p, reg, offset, k->cache_bytes - 4);
}

static bool place_shared(const struct warp *w, const uint32_t *reg, uint32_t offset, struct plain_access *p)
{
    struct shared_room room;
    return is_in_shared(w->block, p, &room) && steps()->place_narrow(p, reg, offset, room);
}

bool plain_place(const struct warp *w, const struct insn *in, const void *reg, uint64_t offset, struct plain_access *p)
{
    p->insn = in;
    p->mask = w->mask;
    p->full = false;
    p->more = 0;
    if (!(in->mem.space == SPACE_GLOBAL ? place_global(w, reg, offset, p) : place_shared(w, reg, (uint32_t)offset, p)))
        return false;
    p->shape = (uint8_t)plain_shape_of(p);
    return true;
}

enum plain_shape plain_shape_of(const struct plain_access *p)
{
    return steps()->shape(p);
}

unsigned plain_sectors(const struct plain_access *p)
{
    return p->mask == UINT32_MAX ? steps()->sectors(p) : plain_sectors_by_lanes(p);
}

/** A half warp reads one word. */
static void fill_half(struct plain_access *p, unsigned half)
{
    uint32_t v;
    memcpy(&v, p->host + p->at[half], 4);
    for (unsigned l = half; l < half + HALF; l++)
        p->value[l] = v;
}

void plain_fetch(struct plain_access *p)
{
    switch (p->shape) {
    case PLAIN_ROW:
        steps()->read_row(p);
        break;
    case PLAIN_ROWS:
    case PLAIN_PAIRS:
        memcpy(p->value, p->host + p->at[0], 4 * HALF);
        memcpy(p->value + HALF, p->host + p->at[HALF], 4 * HALF);
        break;
    case PLAIN_HALVES:
        fill_half(p, 0);
        fill_half(p, HALF);
        break;
    default:
        ALL_LANES(p->mask, memcpy(&p->value[lane], p->host + p->at[lane], 4);)
    }
}

void plain_write(const struct plain_access *p)
{
    if (p->shape == PLAIN_ROW)
        steps()->write_row(p);
    else
        ALL_LANES(p->mask, memcpy(p->host + p->at[lane], &p->value[lane], 4);)
}

void plain_to_register(const struct plain_access *p, uint32_t *reg)
{
    steps()->put(reg, p->mask, p->value);
}

void plain_from_register(struct plain_access *p, const uint32_t *reg)
{
    memcpy(p->value, reg, sizeof p->value);
}

static void fill_atomic(struct mem_access *a, const struct plain_access *p)
{
    for (unsigned l = 0; l < WARP_LANES; l++)
        a->old[0][l] = p->old[l];
    a->wrote = p->mask;
    a->older[0] = 0;
}

const struct mem_access *plain_full(const struct warp *w, struct plain_access *p)
{
    struct mem_access *a = &w->worker->access;
    if (p->full)
        return a;
    p->full = true;
    worker_access(w->worker, p->insn);
    a->mask = p->mask;
    a->row = a->even = plain_is_row(p);
    a->space = p->space;
    a->owner = w->block;
    steps()->fill(a, p);
    for (unsigned i = 0; p->more && i <= p->more; i++)
        for (unsigned l = 0; l < WARP_LANES; l++)
            a->value[i][l] = p->value[i];
    if (insn_class(p->insn) == INSN_ATOMIC)
        fill_atomic(a, p);
    return a;
}
