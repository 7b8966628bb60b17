/**
 * @file uninit.c
 * Uninitialised reads that matter. Loading memory that nobody has written is no fault in itself:
 * programs copy structures with padding. It becomes one where the program uses what it loaded: as an
 * address, in a branch, as part of a result that it stores, or where the host takes it (leaving.c).
 *
 * Memory: a bit a byte, set when the byte is written (device memory from cudaMalloc and malloc, managed and page-locked memory,
 * host_written.c, and shared and local memory; variables and registered memory always hold something). Registers: for each lane
 * the bytes of a register that hold nothing, either copied whole from memory or derived by arithmetic.
 * What is stored to local or shared memory is not a result yet: it stays undefined there.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/clear.h"
#include "base/zeroed.h"
#include "check/uninit/atomic_operands.h"
#include "check/uninit/held.h"
#include "check/uninit/unset.h"
#include "execute/machine.h"
#include "memory/followed.h"
#include "report/reporter.h"

static void *uninit_create(struct machine *m, int slot)
{
    struct uninit *u = calloc(1, sizeof *u);
    assert(u);
    *u = (struct uninit){.machine = m, .slot = slot};
    return u;
}

/* ---- Bits of memory ---- */

static void uninit_allocated(void *self, struct allocation *a)
{
    struct uninit *u = self;
    bool unknown = contents_are_unknown(a);
    if (!unknown && a->kind != ALLOC_DEVICE && a->kind != ALLOC_DEVICE_HEAP && !host_is_to_write(a))
        return;
    if ((unknown || !cells_open(a, false)) && !u->told_too_large) {
        u->told_too_large = true;
        report_incomplete(machine_reporter(u->machine), INCOMPLETE_ALLOCATION);
    }
}

static void uninit_freed(void *self, struct allocation *a)
{
    memory_initialised_ends(machine_memory(((struct uninit *)self)->machine), a);
    zeroed_free(a->initialised, a->initialised_bytes);
    a->initialised = NULL;
    a->initialised_bytes = 0;
    a->undefined = false;
    leaving_forget(self, a);
}

static void uninit_destroy(void *self)
{
    struct uninit *u = self;
    memory_each(machine_memory(u->machine), uninit_freed, u); /* what the program has not freed */
    held_end(u);
    LIST_FREE(&u->told);
    leaving_end(u);
    LIST_FREE(&u->pending);
    LIST_FREE(&u->deferred);
    LIST_FREE(&u->origins);
    free(u->parts.at);
    free(u->spare.of);
    free(u);
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
    if (!t->local[lane] && !(t->local[lane] = calloc(t->local_bytes / 8 + 2, 1)))
        abort();
    return t->local[lane];
}

/** The bitmap for an access by one lane and the bit of its first byte; NULL if all is defined. */
static inline uint8_t *bits_of(const struct uninit *u, const struct warp *w, const struct mem_access *a,
                        int lane, uint64_t *bit)
{
    if (a->space == SPACE_LOCAL) {
        if (a->insn->mem.call_slot)
            return NULL; /* written by the call itself: passed.c */
        *bit = a->address[lane];
        return local_bits(taint_of(u, w), w, lane);
    }
    if (a->space == SPACE_SHARED) {
        *bit = a->address[lane];
        return (a->owner ? a->owner : w->block)->check[u->slot];
    }
    if (a->space != SPACE_GLOBAL || !a->allocation[lane])
        return NULL;
    *bit = a->address[lane] - a->allocation[lane]->base;
    return a->allocation[lane]->initialised;
}

/** How wide the widest store was to the memory that a lane accesses; a piece of that is aligned to its size. */
static uint8_t *widest_of(const struct uninit *u, const struct warp *w, const struct mem_access *a, int lane)
{
    if (a->space == SPACE_LOCAL)
        return &taint_of(u, w)->local_widest;
    if (a->space == SPACE_SHARED)
        return shared_widest(a->owner ? a->owner : w->block, u->slot);
    const struct allocation *from = a->allocation[lane];
    return (uint8_t *)from->initialised + 2 * cells_half(from);
}

/** Whether the piece of memory that holds the bytes from `at` on holds something. */
static bool is_beside(const uint8_t *bits, uint8_t widest, uint64_t at, unsigned bytes)
{
    return bytes < widest && bits_any(bits, at / widest * widest, widest);
}

uint8_t uninit_missing(const struct uninit *u, const struct warp *w, const struct mem_access *a, int lane, bool *beside)
{
    uint64_t bit;
    const uint8_t *bits = bits_of(u, w, a, lane, &bit);
    uint8_t missing = 0;
    for (unsigned b = 0; bits && b < a->insn->mem.bytes && b < 8; b++)
        missing |= (uint8_t)(!bit_get(bits, bit + b) << b);
    *beside = missing && is_beside(bits, *widest_of(u, w, a, lane), bit, a->insn->mem.bytes);
    return missing;
}

void uninit_undefine(const struct uninit *u, const struct warp *w, const struct mem_access *a, int lane, uint8_t missing)
{
    uint64_t bit;
    uint8_t *bits = bits_of(u, w, a, lane, &bit);
    if (a->space == SPACE_SHARED)
        *shared_whole(a->owner ? a->owner : w->block, u->slot) = 0;
    for (unsigned b = 0; bits && b < 8; b++)
        if (missing >> b & 1)
            bit_put(bits, bit + b, false);
}

/** The same for one side of an asynchronous copy. */
static uint8_t *bits_of_side(const struct uninit *u, const struct warp *w, const struct copy_side *side, int lane,
                             uint64_t *bit)
{
    struct insn plain = {.mem.space = side->space};
    struct mem_access a = {.insn = &plain, .space = side->space, .owner = side->owner};
    a.address[lane] = side->address[lane];
    a.allocation[lane] = side->allocation[lane];
    host_written_at(side->space == SPACE_GLOBAL ? side->allocation[lane] : NULL, side->address[lane], side->bytes[lane]);
    return side->bytes[lane] ? bits_of(u, w, &a, lane, bit) : NULL;
}

/* ---- Memory ---- */

bool all_is_defined(const struct uninit *u, const struct warp *w, const struct mem_access *a)
{
    unsigned bytes = (unsigned)a->insn->mem.bytes * a->insn->mem.count;
    if (access_is_shared(a) && (a->even || bytes == 4 || (a->space == SPACE_SHARED && (bytes == 8 || bytes == 16))))
        return words_are_defined(u, w, a);
    for (uint32_t m = a->mask; m; m &= m - 1) {
        uint64_t bit;
        const uint8_t *bits = bits_of(u, w, a, __builtin_ctz(m), &bit);
        if (bits && !bits_all(bits, bit, bytes))
            return false;
    }
    return true;
}

static void uninit_load(void *self, const struct warp *w, const struct mem_access *a)
{
    struct uninit *u = self;
    struct warp_taint *t = taint_of(u, w);
    const struct mem_desc *mem = &a->insn->mem;
    if (mem->call_slot)
        passed_load(u, w, a);
    if (all_is_defined(u, w, a) || (host_written_by_lanes(a) && all_is_defined(u, w, a)))
        return;
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
            bool beside = is_beside(bits, *widest_of(u, w, a, l), bit + (unsigned)e * mem->bytes, mem->bytes);
            to->lanes |= 1u << l;
            to->beside = (to->beside & ~(1u << l)) | (uint32_t)beside << l;
            to->site = computed_site(u, w, a, l, (unsigned)e * mem->bytes, missing);
            to->derived |= (uint32_t)(mem->derives || to->site & DEFERRED) << l;
            taint_set_bits(to, l, bits_missing(u, w, a, l, (unsigned)e * mem->bytes, missing));
            to->origin[l] = (uint8_t)l;
            to->shuffled = false;
            held_note(u, w, a, l);
        }
    }
}

bool open_defined(struct allocation *a)
{
    bool shared = a->kind == ALLOC_MANAGED || a->kind == ALLOC_HOST, variable = a->kind == ALLOC_VARIABLE || a->kind == ALLOC_CONSTANT;
    return a->initialised || ((shared ? a->front != NULL : variable) && cells_open(a, true));
}

void uninit_mark(struct uninit *u, const struct warp *w, const struct mem_access *a, int lane, const struct taint *undefined)
{
    struct allocation *into = a->allocation[lane];
    unsigned bytes = (unsigned)a->insn->mem.bytes * a->insn->mem.count;
    uint64_t at = a->address[lane] - into->base;
    uint8_t *stored = (uint8_t *)into->initialised + cells_half(into);
    if (undefined || bits_any(stored, at, bytes))
        for (unsigned b = 0; b < bytes; b++)
            bit_put(stored, at + b, undefined);
    if (!undefined)
        return;
    into->undefined |= into->front != NULL;
    struct taint copied = *undefined;
    if (copied.site & DEFERRED) /* another lane's */
        copied.site = a->insn->site;
    leaving_note(u, w, a, lane, &copied);
}

/** What lanes discard holds nothing from then on. */
static void discard(struct uninit *u, const struct warp *w, const struct mem_access *a)
{
    for (uint32_t m = a->mask; m; m &= m - 1) {
        int lane = __builtin_ctz(m);
        if (!a->allocation[lane] || !open_defined(a->allocation[lane]))
            continue;
        uninit_mark(u, w, a, lane, NULL);
        uninit_undefine(u, w, a, lane, 0xff);
    }
}

static void uninit_store(void *self, const struct warp *w, const struct mem_access *a)
{
    struct uninit *u = self;
    struct warp_taint *t = taint_of(u, w);
    const struct mem_desc *mem = &a->insn->mem;
    if (mem->discards)
        discard(u, w, a);
    if (mem->call_slot)
        passed_store(u, w, a);
    if (mem->discards || words_store(u, w, a))
        return;
    uint32_t whole = a->space == SPACE_GLOBAL ? leaving_lanes(w, t, a) : 0;
    for (uint32_t m = whole; m; m &= m - 1)
        open_defined(a->allocation[__builtin_ctz(m)]);
    for (int e = 0; e < mem->count; e++) {
        const struct taint *from = t->any ? reg_taint(w, t, element_stored(a->insn, (unsigned)e)) : NULL;
        bool kept = a->space == SPACE_LOCAL || a->space == SPACE_SHARED;
        uint32_t copied = from ? from->lanes & (kept ? a->mask & unset_kept(from) : ~from->derived & a->mask) : 0;
        if (from && !kept)
            uninit_tell(u, w, from, lanes_within(from, from->derived & a->mask, mem->bytes), a->insn, "store");
        for (uint32_t m = a->mask; m; m &= m - 1) {
            int l = __builtin_ctz(m);
            uint64_t bit;
            uint8_t *bits = bits_of(u, w, a, l, &bit);
            if (!bits)
                continue;
            bit += (unsigned)e * mem->bytes;
            widen(widest_of(u, w, a, l), from && (from->beside >> l & 1) ? 16 : (unsigned)mem->bytes * mem->count);
            bits_set(bits, bit, mem->bytes);
            uint8_t undefined = 0;
            for (unsigned b = 0; (copied >> l & 1) && b < mem->bytes && b < 8; b++)
                if (from->bytes[l] >> b & 1) {
                    bit_put(bits, bit + b, false);
                    undefined |= (uint8_t)(1u << b);
                }
            if (undefined)
                computed_store(u, w, a, l, (unsigned)e * mem->bytes, mem->bytes, from);
            if (undefined)
                bits_store(u, w, a, l, (unsigned)e * mem->bytes, undefined, taint_bits(from, l) & bits_of_bytes(undefined));
        }
    }
    const struct taint *first = whole ? reg_taint(w, t, element_stored(a->insn, 0)) : NULL;
    for (uint32_t m = a->space == SPACE_GLOBAL ? a->mask : 0; m; m &= m - 1) {
        int l = __builtin_ctz(m);
        if (a->allocation[l] && a->allocation[l]->initialised)
            uninit_mark(u, w, a, l, whole >> l & 1 ? first : NULL);
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
        if (mem->atom != ATOM_EXCH && !bit_get(bits, bit) && !host_wrote(a->allocation[l], a->old[0][l])) {
            struct taint here = {.lanes = 1u << l, .site = computed_site(u, w, a, l, 0, 1)};
            here.origin[l] = (uint8_t)l;
            uninit_tell(u, w, &here, 1u << l, a->insn, "store");
        }
        bits_set(bits, bit, (uint64_t)mem->bytes * mem->count);
    }
    operands_of_atomic(u, w, a);
}

/** A copy carries undefined bytes along, and defines what it fills with zeros. */
static void uninit_async(void *self, const struct warp *w, const struct async_event *e)
{
    struct uninit *u = self;
    if (e->kind == ASYNC_MATRIX)
        uninit_matrix(u, w, e);
    for (uint32_t m = e->kind == ASYNC_COPY || e->kind == ASYNC_BULK ? e->mask : 0; m; m &= m - 1) {
        int l = __builtin_ctz(m);
        uint64_t to_bit, from_bit = 0;
        uint8_t *to = bits_of_side(u, w, &e->to, l, &to_bit);
        const uint8_t *from = bits_of_side(u, w, &e->from, l, &from_bit);
        if (!to)
            continue;
        bits_set(to, to_bit, e->to.bytes[l]);
        for (uint32_t b = 0; from && b < e->from.bytes[l]; b++)
            if (!bit_get(from, from_bit + b)) {
                bit_put(to, to_bit + b, false);
                computed_copied(u, w, &e->to, &e->from, l, b);
                if (e->to.space != SPACE_SHARED)
                    continue;
                widen(shared_widest(e->to.owner, u->slot), 16); /* padding, perhaps */
                *shared_whole(e->to.owner, u->slot) = 0;
            }
    }
}

/* ---- Blocks ---- */

static void uninit_block_begin(void *self, struct block *b)
{
    struct uninit *u = self;
    size_t bytes = reserved_end(b->shared_bytes) / 8 + 3;
    b->check[u->slot] = malloc(bytes); /* mostly there is some at hand, of which calloc() makes no use; the compiler makes that of malloc() and memset() */
    assert(b->check[u->slot]);
    clear(b->check[u->slot], bytes);
    bits_set(b->check[u->slot], reserved_begin(b->shared_bytes), RESERVED_BYTES);
    *shared_widest(b, u->slot) = 1;
    *shared_whole(b, u->slot) = (uint8_t)(WHOLE - 1 - (b->warp_count < WHOLE ? b->warp_count : WHOLE - 1)); /* once each warp may have stored */
    u->blocks++;
    computed_block(u, b, true);
    taints_begin(u, b);
}

static void uninit_block_end(void *self, const struct block *b)
{
    struct uninit *u = self;
    computed_block(u, b, false);
    taints_end(u, b);
    free(b->check[u->slot]);
}

const struct observer uninit_checker = {
    .name = "uninit",
    .wants_issue = true,
    .only_closely = true,
    .grid_end = uninit_grid_end,
    .create = uninit_create,
    .destroy = uninit_destroy,
    .block_begin = uninit_block_begin,
    .block_end = uninit_block_end,
    .issue = uninit_issue,
    .warp_exchange = uninit_exchange,
    .passed = uninit_passed,
    .tensor = uninit_tensor,
    .received = uninit_received,
    .sent = uninit_sent,
    .load = uninit_load,
    .store = uninit_store,
    .quiet_global = uninit_quiet_global,
    .plain_load = uninit_plain_load,
    .plain_store = uninit_plain_store,
    .plain_idle = uninit_plain_idle,
    .quiet_shared = uninit_quiet_shared,
    .atomic = uninit_atomic,
    .plain_atomic = uninit_plain_atomic,
    .async = uninit_async,
    .mbarrier = uninit_mbarrier,
    .allocated = uninit_allocated,
    .freed = uninit_freed,
    .host_op = uninit_host_op,
    .host_touch = uninit_host_touch, .host_look = uninit_host_look, .written = uninit_written,
};
