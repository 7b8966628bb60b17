/**
 * @file plain_access.c
 * See plain_access.h. Each step stands here twice where vectors help much: for processors with AVX-512, and lane by lane.
 */
#include "execute/plain_access.h"

#include "execute/access.h"
#include "execute/grid.h"
#include "execute/plain_steps.h"
#include "execute/plain_vectors.h"
#include "memory/memory.h"

bool plain_fits(const struct insn *in)
{
    const struct mem_desc *d = &in->mem;
    bool load = insn_class(in) == INSN_LOAD;
    bool word = d->count == 1 && d->bytes == 4 && d->reg_bytes == 4 && (load ? in->dst : in->src[1]) != REG_NONE;
    return word && d->order == ORDER_WEAK &&
           ((d->space == SPACE_GLOBAL && d->address_bytes == 8) || (d->space == SPACE_SHARED && d->address_bytes == 4));
}

bool plain_fits_broadcast(const struct insn *in)
{
    const struct mem_desc *d = &in->mem;
    bool fits = insn_class(in) == INSN_LOAD && (d->count == 2 || d->count == 4) && d->bytes == 4 && d->reg_bytes == 4 &&
                d->order == ORDER_WEAK && d->space == SPACE_SHARED && d->address_bytes == 4;
    for (unsigned i = 0; fits && i < d->count; i++)
        fits = element_target(in, i) != REG_NONE;
    return fits;
}

bool plain_fits_atomic(const struct insn *in)
{
    const struct mem_desc *d = &in->mem;
    bool word = d->count == 1 && d->bytes == 4 && d->reg_bytes == 4 && d->order == ORDER_RELAXED && d->atom != ATOM_CAS;
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

static bool place_narrow_by_lanes(struct plain_access *p, const uint32_t *reg, uint32_t offset, uint32_t last)
{
    uint32_t bad = 0;
    FOR_LANES(lane, p->mask)
    {
        uint32_t at = reg[lane] + offset;
        bad |= (at > last) | (at & 3);
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

/** What plain_full() has to say of each lane. */
static inline __attribute__((always_inline)) void fill(struct mem_access *a, const struct plain_access *p)
{
    for (unsigned l = 0; l < WARP_LANES; l++)
        a->address[l] = p->base + p->at[l];
    for (unsigned l = 0; l < WARP_LANES; l++)
        a->host[l] = p->host + p->at[l];
    for (unsigned l = 0; l < WARP_LANES; l++)
        a->allocation[l] = p->allocation;
    for (unsigned l = 0; l < WARP_LANES; l++)
        a->value[0][l] = p->value[l];
}

static void fill_by_lanes(struct mem_access *a, const struct plain_access *p)
{
    fill(a, p);
}

/* ---- By vectors ---- */

#ifdef __x86_64__
/** Of the whole warp: a lane begins a sector where it does not go to that of the lane before. */
AVX512 static unsigned sectors_at_once(const struct plain_access *p)
{
    const __m512i within = _mm512_set1_epi32((int)((uintptr_t)p->host & ((1u << SECTOR_BITS) - 1)));
    __m512i low = _mm512_srli_epi32(_mm512_add_epi32(_mm512_loadu_si512(p->at), within), SECTOR_BITS);
    __m512i high = _mm512_srli_epi32(_mm512_add_epi32(_mm512_loadu_si512(p->at + HALF), within), SECTOR_BITS);
    uint32_t a = _mm512_cmpneq_epi32_mask(low, _mm512_alignr_epi32(high, low, 1));
    uint32_t b = _mm512_cmpneq_epi32_mask(high, _mm512_alignr_epi32(high, high, 1)) & 0x7fff; /* behind the last lane comes none */
    return 1 + (unsigned)__builtin_popcount(a | b << HALF);
}

AVX512 static enum plain_shape shape_at_once(const struct plain_access *p)
{
    return shape_in(p, places_of(p));
}

AVX512 static void fill_at_once(struct mem_access *a, const struct plain_access *p)
{
    fill(a, p);
}
#else
#define sectors_at_once plain_sectors_by_lanes
#define fill_at_once fill_by_lanes
#define HAS_AVX512 0
#define place_wide place_wide_by_lanes
#define place_narrow place_narrow_by_lanes
#define shape_at_once plain_shape_by_lanes
#define put_at_once put_by_lanes
#define read_row_at_once read_row_by_lanes
#define write_row_at_once write_row_by_lanes
#endif

/* ---- Either way ---- */

static bool place_global(const struct warp *w, const uint64_t *reg, uint64_t offset, struct plain_access *p)
{
    struct worker *k = w->worker;
    return is_in_global(k, reg[__builtin_ctz(w->mask)] + offset, p) &&
           (HAS_AVX512 ? place_wide : place_wide_by_lanes)(p, reg, offset, k->cache_bytes - 4);
}

static bool place_shared(const struct warp *w, const uint32_t *reg, uint32_t offset, struct plain_access *p)
{
    return is_in_shared(w->block, p) && (HAS_AVX512 ? place_narrow : place_narrow_by_lanes)(p, reg, offset, w->block->shared_bytes - 4);
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
    return HAS_AVX512 ? shape_at_once(p) : plain_shape_by_lanes(p);
}

unsigned plain_sectors(const struct plain_access *p)
{
    return p->mask == UINT32_MAX && HAS_AVX512 ? sectors_at_once(p) : plain_sectors_by_lanes(p);
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
        (HAS_AVX512 ? read_row_at_once : read_row_by_lanes)(p);
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
        (HAS_AVX512 ? write_row_at_once : write_row_by_lanes)(p);
    else
        ALL_LANES(p->mask, memcpy(p->host + p->at[lane], &p->value[lane], 4);)
}

void plain_to_register(const struct plain_access *p, uint32_t *reg)
{
    (HAS_AVX512 ? put_at_once : put_by_lanes)(reg, p->mask, p->value);
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
    a->row = plain_is_row(p);
    a->space = p->space;
    a->owner = w->block;
    (HAS_AVX512 ? fill_at_once : fill_by_lanes)(a, p);
    for (unsigned i = 0; p->more && i <= p->more; i++)
        for (unsigned l = 0; l < WARP_LANES; l++)
            a->value[i][l] = p->value[i];
    if (insn_class(p->insn) == INSN_ATOMIC)
        fill_atomic(a, p);
    return a;
}
