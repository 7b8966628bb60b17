/**
 * @file uninit.c
 * Uninitialised reads that matter. Loading memory that nobody has written is no fault in itself:
 * programs copy structures with padding. It becomes one where the program uses what it loaded: as an
 * address, in a branch, or as part of a result that it stores.
 *
 * Memory: a bit a byte, set when the byte is written (device memory from cudaMalloc and malloc, and
 * shared and local memory; variables and host memory always hold something). Registers: for each lane
 * the bytes of a register that hold nothing, either copied whole from memory or derived by arithmetic.
 * What is stored to local memory is not a result yet: it stays undefined there.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/zeroed.h"
#include "report/reporter.h"

#include "check/uninit/uninit.h"

static void *uninit_create(struct machine *m, int slot)
{
    struct uninit *u = calloc(1, sizeof *u);
    assert(u);
    u->machine = m;
    u->slot = slot;
    return u;
}

static void uninit_destroy(void *self)
{
    struct uninit *u = self;
    LIST_FREE(&u->told);
    LIST_FREE(&u->pending);
    free(u);
}

/* ---- Bits of memory ---- */

static bool bit_get(const uint8_t *bits, uint64_t i)
{
    return bits[i / 8] >> (i % 8) & 1;
}

static void bits_set(uint8_t *bits, uint64_t from, uint64_t count)
{
    for (; count && from % 8; from++, count--)
        bits[from / 8] |= (uint8_t)(1u << from % 8);
    memset(bits + from / 8, 0xff, count / 8);
    for (from += count / 8 * 8, count %= 8; count; from++, count--)
        bits[from / 8] |= (uint8_t)(1u << from % 8);
}

static void uninit_allocated(void *self, struct allocation *a)
{
    struct uninit *u = self;
    if (a->kind != ALLOC_DEVICE && a->kind != ALLOC_DEVICE_HEAP)
        return;
    a->initialised = zeroed_new(INITIALISED_BYTES(a->bytes));
    if (!a->initialised && !u->told_too_large) {
        u->told_too_large = true;
        report_incomplete(machine_reporter(u->machine), INCOMPLETE_ALLOCATION);
    }
}

static void uninit_freed(void *self, struct allocation *a)
{
    (void)self;
    zeroed_free(a->initialised, INITIALISED_BYTES(a->bytes));
    a->initialised = NULL;
}

static void uninit_host_op(void *self, const struct host_op *op)
{
    struct uninit *u = self;
    struct allocation *a =
        op->write_bytes && op->defines ? memory_find(machine_memory(u->machine), op->write_base) : NULL;
    if (!a || !a->initialised)
        return;
    uint64_t from = op->write_base - a->base, room = a->bytes - from;
    bits_set(a->initialised, from, op->write_bytes < room ? op->write_bytes : room);
}

/** The bitmap of a lane's local memory, as large as that is by now. */
static uint8_t *local_bits(struct warp_taint *t, const struct warp *w, int lane)
{
    if (w->local_stride > t->local_bytes) {
        for (int l = 0; l < WARP_LANES; l++) {
            uint32_t had = t->local[l] ? t->local_bytes / 8 + 2 : 0, need = w->local_stride / 8 + 2;
            t->local[l] = had ? realloc(t->local[l], need) : NULL;
            if (had)
                memset(t->local[l] + had, 0, need - had);
        }
        t->local_bytes = w->local_stride;
    }
    if (!t->local[lane])
        t->local[lane] = calloc(t->local_bytes / 8 + 2, 1);
    assert(t->local[lane]);
    return t->local[lane];
}

/** The bitmap for an access by one lane and the bit of its first byte; NULL if all is defined. */
static uint8_t *bits_of(const struct uninit *u, const struct warp *w, const struct mem_access *a,
                        int lane, uint64_t *bit)
{
    if (a->space == SPACE_LOCAL) {
        if (a->insn->mem.call_slot)
            return NULL; /* written by the call itself */
        *bit = a->address[lane];
        return local_bits(taint_of(u, w), w, lane);
    }
    if (a->space == SPACE_SHARED) {
        *bit = a->address[lane];
        return w->block->check[u->slot];
    }
    if (a->space != SPACE_GLOBAL || !a->allocation[lane])
        return NULL;
    *bit = a->address[lane] - a->allocation[lane]->base;
    return a->allocation[lane]->initialised;
}

/* ---- Memory ---- */

static void uninit_load(void *self, const struct warp *w, const struct mem_access *a)
{
    struct uninit *u = self;
    struct warp_taint *t = taint_of(u, w);
    const struct mem_desc *mem = &a->insn->mem;
    for (int e = 0; e < mem->count; e++) {
        uint32_t reg = element_target(a->insn, (unsigned)e);
        if (reg == REG_NONE)
            continue;
        for (uint32_t m = a->mask; m; m &= m - 1) {
            int l = __builtin_ctz(m);
            uint64_t bit;
            const uint8_t *bits = bits_of(u, w, a, l, &bit);
            uint8_t missing = 0;
            for (unsigned b = 0; bits && b < mem->bytes && b < 8; b++)
                missing |= (uint8_t)(!bit_get(bits, bit + (unsigned)e * mem->bytes + b) << b);
            if (!missing)
                continue;
            struct taint *to = reg_taint_open(w, t, reg);
            to->lanes |= 1u << l;
            to->bytes[l] = missing;
            to->origin[l] = (uint8_t)l;
            to->site = a->insn->site;
            to->shuffled = false;
        }
    }
}

static void uninit_store(void *self, const struct warp *w, const struct mem_access *a)
{
    struct uninit *u = self;
    struct warp_taint *t = taint_of(u, w);
    const struct mem_desc *mem = &a->insn->mem;
    for (int e = 0; e < mem->count; e++) {
        const struct taint *from = t->any ? reg_taint(w, t, element_stored(a->insn, (unsigned)e)) : NULL;
        bool local = a->space == SPACE_LOCAL;
        uint32_t copied = from ? from->lanes & (local ? a->mask : ~from->derived & a->mask) : 0;
        if (from && !local)
            uninit_tell(u, w, from, from->lanes & from->derived & a->mask, a->insn, "store");
        for (uint32_t m = a->mask; m; m &= m - 1) {
            int l = __builtin_ctz(m);
            uint64_t bit;
            uint8_t *bits = bits_of(u, w, a, l, &bit);
            if (!bits)
                continue;
            bit += (unsigned)e * mem->bytes;
            bits_set(bits, bit, mem->bytes);
            for (unsigned b = 0; (copied >> l & 1) && b < mem->bytes && b < 8; b++)
                if (from->bytes[l] >> b & 1)
                    bits[(bit + b) / 8] &= (uint8_t)~(1u << (bit + b) % 8);
        }
    }
}

static void uninit_atomic(void *self, const struct warp *w, const struct mem_access *a)
{
    struct uninit *u = self;
    const struct mem_desc *mem = &a->insn->mem;
    for (uint32_t m = a->mask; m; m &= m - 1) {
        int l = __builtin_ctz(m);
        uint64_t bit;
        uint8_t *bits = bits_of(u, w, a, l, &bit);
        if (!bits)
            continue;
        if (mem->atom != ATOM_EXCH && !bit_get(bits, bit)) {
            struct taint here = {.lanes = 1u << l, .site = a->insn->site};
            here.origin[l] = (uint8_t)l;
            uninit_tell(u, w, &here, 1u << l, a->insn, "store");
        }
        bits_set(bits, bit, (uint64_t)mem->bytes * mem->count);
    }
}

/* ---- Blocks ---- */

static void uninit_block_begin(void *self, struct block *b)
{
    struct uninit *u = self;
    b->check[u->slot] = calloc(b->shared_bytes / 8 + 2, 1);
    assert(b->check[u->slot]);
    for (int i = 0; i < b->warp_count; i++) {
        b->warps[i].check[u->slot] = calloc(1, sizeof(struct warp_taint));
        assert(b->warps[i].check[u->slot]);
    }
}

static void uninit_block_end(void *self, const struct block *b)
{
    struct uninit *u = self;
    for (int i = 0; i < b->warp_count; i++) {
        struct warp_taint *t = b->warps[i].check[u->slot];
        for (int l = 0; l < WARP_LANES; l++)
            free(t->local[l]);
        free(t->slots);
        free(t);
    }
    free(b->check[u->slot]);
}

const struct observer uninit_checker = {
    .name = "uninit",
    .wants_issue = true,
    .grid_end = uninit_grid_end,
    .create = uninit_create,
    .destroy = uninit_destroy,
    .block_begin = uninit_block_begin,
    .block_end = uninit_block_end,
    .issue = uninit_issue,
    .warp_exchange = uninit_exchange,
    .load = uninit_load,
    .store = uninit_store,
    .atomic = uninit_atomic,
    .allocated = uninit_allocated,
    .freed = uninit_freed,
    .host_op = uninit_host_op,
};
