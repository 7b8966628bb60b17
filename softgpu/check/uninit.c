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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/checkers.h"
#include "decode/ops.h"
#include "execute/engine.h"
#include "report/finding.h"

#define SLOT_BYTES 64   /* register offsets are multiples of it */

/** What is not defined in one register. */
struct taint {
    uint32_t lanes;          /**< with undefined bytes */
    uint32_t derived;        /**< of them, results of arithmetic on undefined bytes */
    uint32_t site;           /**< of the load it came from */
    uint8_t bytes[WARP_LANES];
};

struct warp_taint {
    struct taint *slots;
    uint32_t count;
    bool any;
    uint8_t *local[WARP_LANES];   /**< a bit a byte of local memory; NULL until it is used */
    uint32_t local_bytes;         /**< of memory that each of them covers */
};

struct load_site {
    const struct image *image;
    uint32_t site;
};

/** A finding that holds unless the read turns out to race with the write that it missed. */
struct pending {
    struct load_site load;
    struct finding finding;
};

struct uninit {
    struct machine *machine;
    int slot;
    LIST(uint64_t) told;     /**< pairs of sites already reported */
    LIST(struct pending) pending;    /**< findings of the launch that runs */
    LIST(struct load_site) raced;    /**< reads that came too early: a race is why */
};

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
    LIST_FREE(&u->raced);
    free(u);
}

/* ---- Races ---- */

static bool has_raced(const struct uninit *u, const struct load_site *l)
{
    for (int i = 0; i < u->raced.count; i++)
        if (u->raced.data[i].image == l->image && u->raced.data[i].site == l->site)
            return true;
    return false;
}

static void uninit_raced(void *self, const struct grid *g, uint32_t site)
{
    struct uninit *u = self;
    struct load_site l = {g->config.kernel->image, site};
    if (!has_raced(u, &l))
        *LIST_PUSH(&u->raced) = l;
}

/** Somebody writes the place in this launch, and nothing lets the read wait for it: that is the race's
 *  finding, and initialising the place would not help. */
static void uninit_grid_end(void *self, struct grid *g)
{
    struct uninit *u = self;
    (void)g;
    for (int i = 0; i < u->pending.count; i++)
        if (!has_raced(u, &u->pending.data[i].load))
            report_finding(machine_reporter(u->machine), &u->pending.data[i].finding);
    u->pending.count = 0;
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
    (void)self;
    if (a->kind != ALLOC_DEVICE && a->kind != ALLOC_DEVICE_HEAP)
        return;
    a->initialised = calloc(a->bytes / 8 + 2, 1);
    assert(a->initialised);
}

static void uninit_freed(void *self, struct allocation *a)
{
    (void)self;
    free(a->initialised);
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

static struct warp_taint *taint_of(const struct uninit *u, const struct warp *w)
{
    return w->check[u->slot];
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

/* ---- Registers ---- */

/** The taint of a register of the running frame; NULL for constants and where nothing is tainted. */
static struct taint *reg_taint(const struct warp *w, const struct warp_taint *t, uint32_t reg)
{
    if (reg == REG_NONE || (reg & CONST_BIT) || !t->slots)
        return NULL;
    uint32_t i = (w->frame_offset + reg) / SLOT_BYTES;
    return i < t->count ? &t->slots[i] : NULL;
}

static struct taint *reg_taint_open(const struct warp *w, struct warp_taint *t, uint32_t reg)
{
    uint32_t need = w->file_bytes / SLOT_BYTES + 1;
    if (need > t->count) {
        t->slots = realloc(t->slots, need * sizeof *t->slots);
        assert(t->slots);
        memset(t->slots + t->count, 0, (need - t->count) * sizeof *t->slots);
        t->count = need;
    }
    t->any = true;
    return reg_taint(w, t, reg);
}

static void clear_lanes(struct taint *t, uint32_t lanes)
{
    if (!t)
        return;
    t->lanes &= ~lanes;
    t->derived &= ~lanes;
}

/* ---- Findings ---- */

static bool told_before(struct uninit *u, uint32_t load, uint32_t use)
{
    uint64_t key = (uint64_t)load << 32 | use;
    for (int i = 0; i < u->told.count; i++)
        if (u->told.data[i] == key)
            return true;
    *LIST_PUSH(&u->told) = key;
    return false;
}

static void report(struct uninit *u, const struct warp *w, int lane, const struct taint *t,
                   const struct insn *use, const char *how)
{
    if (told_before(u, t->site, use->site))
        return;
    const struct grid *g = w->block->grid;
    struct finding f = {.kind = FIND_UNINITIALIZED_READ, .level = LEVEL_ERROR, .access_count = 2};
    f.kernel = g->config.kernel->name;
    finding_access_site(&f.accesses[0], g, w->block->index,
                        (uint32_t)(w->index * WARP_LANES + lane), t->site, "load");
    finding_access_fill(&f.accesses[1], w, lane, use, how);
    if (f.accesses[0].line == f.accesses[1].line)
        f.access_count = 1;
    snprintf(f.message, sizeof f.message,
             "Thread %d of block %llu reads memory that nothing has written (line %d) and %s (line "
             "%d).",
             w->index * WARP_LANES + lane, (unsigned long long)w->block->index,
             f.accesses[0].line,
             !strcmp(how, "branch")    ? "branches on the value"
             : !strcmp(how, "address") ? "uses the value as an address"
                                       : "stores a result computed from it",
             f.accesses[1].line);
    snprintf(f.rule, sizeof f.rule, "memory is written before its value is used");
    snprintf(f.suggestion, sizeof f.suggestion, "initialise it before line %d", f.accesses[0].line);
    *LIST_PUSH(&u->pending) = (struct pending){{g->config.kernel->image, t->site}, f};
}

static void report_lanes(struct uninit *u, const struct warp *w, const struct taint *t,
                         uint32_t lanes, const struct insn *use, const char *how)
{
    if (lanes)
        report(u, w, __builtin_ctz(lanes), t, use, how);
}

/* ---- Instructions ---- */

static bool is(const struct insn *in, const char *mnemonic)
{
    return in->op && in->op->mnemonic && !strcmp(in->op->mnemonic, mnemonic);
}

static bool is_memory(const struct insn *in)
{
    return is(in, "ld") || is(in, "ldu") || is(in, "st") || is(in, "atom") || is(in, "red");
}

/** Operations whose result is a rearrangement of their operands' bytes: still a copy. */
static bool copies(const struct insn *in)
{
    static const char *const names[] = {"mov", "cvta", "shfl", "prmt", "selp", "or", "bfi"};
    if (is(in, "cvt"))
        return in->op->decode == NULL ? false : true;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (is(in, names[i]))
            return true;
    return false;
}

/** Bytes that an operand of this class has; 8 where the row does not tell. */
static unsigned class_bytes(uint8_t operand_class)
{
    switch (operand_class) {
    case CLASS_u16:
    case CLASS_s16:
        return 2;
    case CLASS_u32:
    case CLASS_s32:
        return 4;
    default:
        return 8;
    }
}

/** The bytes of a source that the instruction looks at. */
static uint8_t seen_bytes(const struct insn *in, int source)
{
    return (uint8_t)((1u << class_bytes(in->op ? in->op->src[source] : CLASS_none)) - 1);
}

/** What `and` with a constant leaves of undefined bytes. */
static uint8_t masked_bytes(const struct warp *w, const struct insn *in, uint8_t bytes)
{
    unsigned width = class_bytes(in->op->src[0]);
    for (int s = 0; s < 2; s++) {
        uint64_t c = 0;
        if (in->src[s] == REG_NONE || !(in->src[s] & CONST_BIT))
            continue;
        memcpy(&c, warp_reg(w, in->src[s]), width);
        for (unsigned b = 0; b < 8; b++)
            if (!(c >> 8 * b & 0xff))
                bytes &= (uint8_t)~(1u << b);
    }
    return bytes;
}

/** Lanes in which selp takes its first (or second) operand: the other one does not count. */
static uint32_t chosen_lanes(const struct warp *w, const struct insn *in, bool first)
{
    uint32_t p = in->src[2] == REG_NONE ? UINT32_MAX : *(const uint32_t *)warp_reg(w, in->src[2]);
    return first ? p : ~p;
}

/** What a shift or a narrowing leaves of undefined bytes; `known` is false where it cannot be told byte
 *  by byte. */
static uint8_t moved_bytes(const struct warp *w, const struct insn *in, uint8_t bytes, bool *known)
{
    bool left = is(in, "shl");
    *known = true;
    if (is(in, "and"))
        return masked_bytes(w, in, bytes);
    if (left || is(in, "shr")) {
        *known = in->src[1] != REG_NONE && (in->src[1] & CONST_BIT);
        unsigned amount = *known ? *(const uint32_t *)warp_reg(w, in->src[1]) : 0;
        if (amount >= 64)
            return 0;
        if (left && amount && amount < 8) /* a multiplication; bytes and bit-fields move further */
            *known = false;
        unsigned whole = amount / 8;
        uint8_t moved = (uint8_t)(left ? bytes << whole : bytes >> whole);
        if (amount % 8) /* bits straddle two bytes */
            moved |= (uint8_t)(left ? moved << 1 : bytes >> (whole + 1));
        return moved;
    }
    if (is(in, "cvt") && in->op->dst != CLASS_none) { /* to 32 bits or fewer: the upper half is cut off */
        bool narrow = in->op->dst == CLASS_u32 || in->op->dst == CLASS_s32;
        bool short_ = in->op->dst == CLASS_u16 || in->op->dst == CLASS_s16;
        return bytes & (short_ ? 0x03 : narrow ? 0x0f : 0xff);
    }
    *known = false;
    return bytes;
}

/** Carries taint from the sources of an instruction that is no memory operation to its result. */
static void propagate(struct warp *w, struct warp_taint *t, const struct insn *in)
{
    struct taint result = {0};
    bool moves = false;
    /* A value that comes from another lane is not followed. */
    for (int s = is(in, "shfl") ? 4 : 0; s < 4; s++) {
        struct taint *from = reg_taint(w, t, in->src[s]);
        uint32_t lanes = from ? from->lanes & w->mask : 0;
        if (lanes && s < 2 && is(in, "selp"))
            lanes &= chosen_lanes(w, in, s == 0);
        if (!lanes)
            continue;
        result.site = from->site;
        result.derived |= from->derived & lanes;
        for (uint32_t m = lanes; m; m &= m - 1) {
            int l = __builtin_ctz(m);
            uint8_t bytes = from->bytes[l] & seen_bytes(in, s);
            result.bytes[l] |= s == 0 || is(in, "and") ? moved_bytes(w, in, bytes, &moves) : bytes;
            if (!result.bytes[l]) {
                lanes &= ~(1u << l);
                result.derived &= ~(1u << l);
            }
        }
        result.lanes |= lanes;
    }
    if (!moves && !copies(in))
        result.derived = result.lanes;
    uint32_t outs[2] = {in->dst, in->dst2};
    for (int d = 0; d < 2; d++) {
        struct taint *to = reg_taint(w, t, outs[d]);
        if (!to)
            continue;
        clear_lanes(to, w->mask);
        to->lanes |= result.lanes;
        to->derived |= result.derived;
        if (result.lanes)
            to->site = result.site;
        for (uint32_t m = result.lanes; m; m &= m - 1)
            to->bytes[__builtin_ctz(m)] = result.bytes[__builtin_ctz(m)];
    }
}

static void uninit_issue(void *self, struct warp *w, const struct insn *in)
{
    struct uninit *u = self;
    struct warp_taint *t = taint_of(u, w);
    if (!t || !t->any)
        return;
    if (in->guard != REG_NONE) {
        const struct taint *g = reg_taint(w, t, in->guard);
        if (g)
            report_lanes(u, w, g, g->lanes & w->mask, in, "branch");
    }
    if (!is_memory(in)) {
        if (in->dst != REG_NONE)
            propagate(w, t, in);
        return;
    }
    const struct taint *base = in->mem.address_bytes ? reg_taint(w, t, in->src[0]) : NULL;
    if (base)
        report_lanes(u, w, base, base->lanes & w->mask, in, "address");
}

/* ---- Memory ---- */

static uint32_t element_reg(const struct insn *in, int e, bool store)
{
    if (in->mem.count == 1)
        return store ? in->src[1] : in->dst;
    return ((const uint32_t *)in->extra)[e];
}

static void uninit_load(void *self, struct warp *w, struct mem_access *a)
{
    struct uninit *u = self;
    struct warp_taint *t = taint_of(u, w);
    const struct mem_desc *mem = &a->insn->mem;
    for (int e = 0; e < mem->count; e++) {
        uint32_t reg = element_reg(a->insn, e, false);
        if (t->any)
            clear_lanes(reg_taint(w, t, reg), a->mask);
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
            to->site = a->insn->site;
        }
    }
}

static void uninit_store(void *self, struct warp *w, struct mem_access *a)
{
    struct uninit *u = self;
    struct warp_taint *t = taint_of(u, w);
    const struct mem_desc *mem = &a->insn->mem;
    for (int e = 0; e < mem->count; e++) {
        const struct taint *from = t->any ? reg_taint(w, t, element_reg(a->insn, e, true)) : NULL;
        bool local = a->space == SPACE_LOCAL;
        uint32_t copied = from ? from->lanes & (local ? a->mask : ~from->derived & a->mask) : 0;
        if (from && !local)
            report_lanes(u, w, from, from->lanes & from->derived & a->mask, a->insn, "store");
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

static void uninit_atomic(void *self, struct warp *w, struct mem_access *a)
{
    struct uninit *u = self;
    struct warp_taint *t = taint_of(u, w);
    const struct mem_desc *mem = &a->insn->mem;
    if (t->any && a->insn->dst != REG_NONE)
        clear_lanes(reg_taint(w, t, a->insn->dst), a->mask);
    for (uint32_t m = a->mask; m; m &= m - 1) {
        int l = __builtin_ctz(m);
        uint64_t bit;
        uint8_t *bits = bits_of(u, w, a, l, &bit);
        if (!bits)
            continue;
        if (mem->atom != ATOM_EXCH && !bit_get(bits, bit)) {
            struct taint here = {.lanes = 1u << l, .site = a->insn->site};
            report(u, w, l, &here, a->insn, "store");
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

static void uninit_block_end(void *self, struct block *b)
{
    struct uninit *u = self;
    for (int i = 0; i < b->warp_count; i++) {
        struct warp_taint *t = b->warps[i].check[u->slot];
        for (int l = 0; l < WARP_LANES; l++)
            free(t->local[l]);
        free(t->slots);
        free(t);
        b->warps[i].check[u->slot] = NULL;
    }
    free(b->check[u->slot]);
    b->check[u->slot] = NULL;
}

const struct observer uninit_checker = {
    .name = "uninit",
    .wants_issue = true,
    .raced = uninit_raced,
    .grid_end = uninit_grid_end,
    .create = uninit_create,
    .destroy = uninit_destroy,
    .block_begin = uninit_block_begin,
    .block_end = uninit_block_end,
    .issue = uninit_issue,
    .load = uninit_load,
    .store = uninit_store,
    .atomic = uninit_atomic,
    .allocated = uninit_allocated,
    .freed = uninit_freed,
    .host_op = uninit_host_op,
};
