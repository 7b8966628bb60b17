/**
 * @file whole_words.c
 * The common case: each lane loads or stores a few bytes of shared or global memory, mostly a word, or the whole warp a row of them; and nothing is
 * undefined in the warp's registers.
 */
#include "check/uninit/uninit.h"

#include "check/word_vectors.h"
#include "execute/plain_access.h"

#define HALF (WARP_LANES / 2)

/** The bitmap of the memory that a lane accesses. */
struct cells {
    const struct allocation *allocation;
    uint64_t base;            /**< address of its first byte */
    uint8_t *bits, *widest;   /**< NULL: all of it is defined */
    uint8_t *undefined;       /**< into which undefined values have been stored; NULL: there are none such */
};

static struct cells cells_of(const struct uninit *u, const struct warp *w, const struct mem_access *a, int lane)
{
    const struct allocation *from = a->allocation[lane];
    struct cells c = {.allocation = from};
    if (a->space == SPACE_SHARED) {
        const struct block *b = a->owner ? a->owner : w->block;
        c.bits = b->check[u->slot];
        c.widest = shared_widest(b, u->slot);
    } else if (from && from->initialised) {
        c.base = from->base;
        c.bits = from->initialised;
        c.undefined = c.bits + cells_half(from);
        c.widest = c.bits + 2 * cells_half(from);
    }
    return c;
}

/** An aligned word a lane in shared memory, which has one bitmap. */
static bool shared_words_are_defined(const uint8_t *bits, const struct mem_access *a)
{
    unsigned all = 0xf;
    for (int l = 0; a->mask == UINT32_MAX && l < WARP_LANES; l++)
        all &= (unsigned)bits[a->address[l] / 8] >> (a->address[l] & 4);
    for (uint32_t m = a->mask == UINT32_MAX ? 0 : a->mask; m; m &= m - 1) {
        uint64_t at = a->address[__builtin_ctz(m)];
        all &= (unsigned)bits[at / 8] >> (at & 4);
    }
    return all == 0xf;
}

/** The same of 8 bytes, or of 16. */
static bool shared_pairs_are_defined(const uint8_t *bits, const struct mem_access *a, unsigned bytes)
{
    uint8_t all = 0xff;
    for (uint32_t m = a->mask; m; m &= m - 1) {
        uint64_t at = a->address[__builtin_ctz(m)] / 8;
        all &= bits[at] & bits[at + bytes / 16];
    }
    return all == 0xff;
}

bool words_are_defined(const struct uninit *u, const struct warp *w, const struct mem_access *a)
{
    struct cells c = cells_of(u, w, a, __builtin_ctz(a->mask));
    unsigned bytes = (unsigned)a->insn->mem.bytes * a->insn->mem.count;
    if (a->even)
        return !c.bits || bits_all(c.bits, a->address[0] - c.base, (uint64_t)bytes * WARP_LANES);
    if (a->space == SPACE_SHARED)
        return !c.bits || (bytes == 4 ? shared_words_are_defined(c.bits, a) : shared_pairs_are_defined(c.bits, a, bytes));
    for (uint32_t m = a->mask; m; m &= m - 1) {
        int l = __builtin_ctz(m);
        if (a->allocation[l] != c.allocation)
            c = cells_of(u, w, a, l);
        if (c.bits && !bits_all(c.bits, a->address[l] - c.base, 4))
            return false;
    }
    return true;
}

static void store(const struct cells *c, uint64_t address, unsigned bytes)
{
    if (!c->bits)
        return;
    bits_set(c->bits, address - c->base, bytes);
    for (unsigned b = 0; c->undefined && bits_any(c->undefined, address - c->base, bytes) && b < bytes; b++)
        bit_put(c->undefined, address - c->base + b, false);
}

/** The same of 16 words from byte `at` of the allocation on. */
static inline void store_half(const struct cells *c, uint32_t at)
{
    uint64_t undefined = 0;
    if (at % 8 == 0 && c->undefined)
        memcpy(&undefined, c->undefined + at / 8, sizeof undefined);
    if (at % 8 == 0 ? !undefined : at % 8 == 4 && !c->undefined)
        bits_set_row(c->bits, at);
    else
        store(c, at, 4 * HALF);
}

bool words_store(const struct uninit *u, const struct warp *w, const struct mem_access *a)
{
    if (taint_of(u, w)->any || !access_is_shared(a))
        return false;
    unsigned bytes = (unsigned)a->insn->mem.bytes * a->insn->mem.count;
    struct cells c = cells_of(u, w, a, __builtin_ctz(a->mask));
    if (c.bits)
        widen(c.widest, bytes);
    if (a->even) {
        store(&c, a->address[0], bytes * WARP_LANES);
        return true;
    }
    for (uint32_t m = a->mask; m; m &= m - 1) {
        int l = __builtin_ctz(m);
        if (a->allocation[l] != c.allocation) {
            c = cells_of(u, w, a, l);
            if (c.bits)
                widen(c.widest, bytes);
        }
        store(&c, a->address[l], bytes);
    }
    return true;
}

/* ---- Plain accesses ---- */

static struct cells plain_cells(const struct uninit *u, const struct warp *w, const struct plain_access *p)
{
    const struct allocation *from = p->allocation;
    struct cells c = {.allocation = from};
    if (!from) {
        c.bits = w->block->check[u->slot];
        c.widest = shared_widest(w->block, u->slot);
    } else if (from->initialised) {
        c.bits = from->initialised;
        c.undefined = c.bits + cells_half(from);
        c.widest = c.bits + 2 * cells_half(from);
    }
    return c;
}

/** An aligned word of each lane. */
static bool lanes_are_defined(const uint8_t *bits, const struct plain_access *p)
{
    const struct word_vectors *v = word_vectors();
    unsigned all = 0xf;
    if (v)
        return v->are_set(bits, p);
    for (int l = 0; p->mask == UINT32_MAX && l < WARP_LANES; l++)
        all &= (unsigned)bits[p->at[l] / 8] >> (p->at[l] & 4);
    for (uint32_t m = p->mask == UINT32_MAX ? 0 : p->mask; m; m &= m - 1) {
        uint32_t at = p->at[__builtin_ctz(m)];
        all &= (unsigned)bits[at / 8] >> (at & 4);
    }
    return all == 0xf;
}

static bool plain_is_defined(const uint8_t *bits, const struct plain_access *p)
{
    switch (p->shape) {
    case PLAIN_ROW:
        return p->mask == UINT32_MAX ? bits_all(bits, p->at[0], 4 * WARP_LANES) : lanes_are_defined(bits, p);
    case PLAIN_ROWS:
        return bits_all(bits, p->at[0], 4 * HALF) && bits_all(bits, p->at[HALF], 4 * HALF);
    case PLAIN_PAIRS:
        return bits_all(bits, p->at[0], 4 * HALF);
    case PLAIN_HALVES:
        return bits_all(bits, p->at[0], 4) && bits_all(bits, p->at[HALF], 4);
    case PLAIN_ONE:
        return bits_all(bits, p->at[__builtin_ctz(p->mask)], 4 * (1u + p->more));
    default:
        return lanes_are_defined(bits, p);
    }
}

/** Is all of the block's shared memory known to hold something? Tiles mostly do, behind their first barrier. */
static bool is_whole(const struct uninit *u, const struct block *b)
{
    uint8_t *whole = shared_whole(b, u->slot);
    if (*whole < WHOLE && ++*whole == WHOLE && !bits_all(b->check[u->slot], 0, b->shared_bytes))
        *whole = 0;
    return *whole == WHOLE;
}

/** Does an access to such memory leave nothing to look at? */
static inline bool goes_to_whole(const struct uninit *u, const struct warp *w, const struct plain_access *p)
{
    return p->space == SPACE_SHARED && is_whole(u, w->block);
}

bool uninit_plain_idle(void *self, const struct warp *w, const struct plain_access *p)
{
    if (goes_to_whole(self, w, p))
        return true;
    const uint8_t *bits = plain_cells(self, w, p).bits;
    return !bits || plain_is_defined(bits, p);
}

bool uninit_quiet_global(void *self, const struct grid *g, const struct allocation *a)
{
    (void)self, (void)g;
    return !a->initialised || bits_all(a->initialised, 0, a->bytes);
}

/** How many of the first bytes all hold something? */
static uint32_t defined_from_first(const uint8_t *bits, uint32_t bytes)
{
    uint32_t at = 0;
    while (at + 64 <= bytes && bits_all(bits, at, 64))
        at += 64;
    while (at < bytes && bit_get(bits, at))
        at++;
    return at;
}

uint32_t uninit_quiet_shared(void *self, const struct block *b)
{
    const struct uninit *u = self;
    uint8_t *whole = shared_whole(b, u->slot);
    if (*whole == WHOLE)
        return b->shared_bytes;
    uint32_t bytes = defined_from_first(b->check[u->slot], b->shared_bytes);
    if (bytes == b->shared_bytes)
        *whole = WHOLE;
    return bytes;
}

void uninit_plain_load(void *self, const struct warp *w, struct plain_access *p)
{
    if (!uninit_plain_idle(self, w, p))
        uninit_checker.load(self, w, plain_full(w, p));
}

void uninit_plain_store(void *self, const struct warp *w, struct plain_access *p)
{
    if (taint_of(self, w)->any) {
        uninit_checker.store(self, w, plain_full(w, p));
        return;
    }
    struct cells c = plain_cells(self, w, p);
    if (!c.bits)
        return;
    widen(c.widest, 4);
    if (goes_to_whole(self, w, p))
        return;
    if (plain_is_row(p)) {
        store_half(&c, p->at[0]);
        store_half(&c, p->at[0] + 4 * HALF);
    } else if (p->shape == PLAIN_ROWS) {
        store_half(&c, p->at[0]);
        store_half(&c, p->at[HALF]);
    } else if (!c.undefined) {
        for (uint32_t m = p->mask; m; m &= m - 1)
            bits_set(c.bits, p->at[__builtin_ctz(m)], 4);
    } else {
        for (uint32_t m = p->mask; m; m &= m - 1)
            store(&c, p->at[__builtin_ctz(m)], 4);
    }
}

void uninit_plain_atomic(void *self, const struct warp *w, struct plain_access *p)
{
    if (taint_of(self, w)->any || !uninit_plain_idle(self, w, p))
        uninit_checker.atomic(self, w, plain_full(w, p));
}

/* ---- Barrier objects ---- */

void uninit_mbarrier(void *self, const struct warp *w, const struct mbarrier_event *e)
{
    const struct uninit *u = self;
    (void)w;
    if (e->kind == MBARRIER_INIT)
        bits_set(e->access->owner->check[u->slot], e->barrier->offset, 8);
}
