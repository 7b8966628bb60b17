/**
 * @file atomic.c
 * atom and red: every operation and type (PTX ISA 9.7.13.5, 9.7.13.6), lanes in ascending order.
 *
 * One host thread needs no atomic instructions. When several workers run blocks, and in memory that threads of the program or
 * another process may use meanwhile, the same computation sits in a compare-and-swap loop.
 */
#include "execute/access.h"
#include "execute/atomic_compute.h"

#include <pthread.h>

#include "execute/block.h"
#include "execute/chooser.h"
#include "execute/engine.h"
#include "execute/plain_access.h"
#include "execute/quiet_global.h"
#include "execute/schedule.h"
#include "execute/traffic.h"
#include "execute/worker.h"

/** One lane's read-modify-write of one element. */
struct rmw {
    uint64_t before[2], after[2];
    bool wrote;
};

static void rmw_alone(const struct mem_desc *d, uint8_t *host, const uint64_t b[2],
                      const uint64_t c[2], bool global, struct rmw *r)
{
    r->before[0] = r->before[1] = 0;
    memcpy(r->before, host, d->bytes);
    r->wrote = true;
    if (d->atom == ATOM_CAS) {
        r->wrote = r->before[0] == b[0] && r->before[1] == b[1];
        memcpy(r->after, r->wrote ? c : r->before, sizeof r->after);
    } else if (d->bytes == 16) {
        memcpy(r->after, b, sizeof r->after); /* exch is the only other one */
    } else {
        r->after[0] = atomic_compute(d, r->before[0], b[0], global);
        r->after[1] = 0;
    }
    if (r->wrote)
        memcpy(host, r->after, d->bytes);
}

#define SWAP_LOOP(type)                                                                            \
    do {                                                                                           \
        type *cell = (type *)host;                                                                 \
        type seen = __atomic_load_n(cell, __ATOMIC_SEQ_CST);                                       \
        for (;;) {                                                                                 \
            r->before[0] = seen;                                                                   \
            r->wrote = d->atom != ATOM_CAS || seen == (type)b[0];                                  \
            r->after[0] = !r->wrote             ? seen                                             \
                          : d->atom == ATOM_CAS ? c[0]                                             \
                                                : atomic_compute(d, seen, b[0], global);                  \
            if (!r->wrote || __atomic_compare_exchange_n(cell, &seen, (type)r->after[0], false,    \
                                                         __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))      \
                break;                                                                             \
        }                                                                                          \
    } while (0)

static pthread_mutex_t wide_lock = PTHREAD_MUTEX_INITIALIZER;

static void rmw_shared(const struct mem_desc *d, uint8_t *host, const uint64_t b[2],
                       const uint64_t c[2], bool global, struct rmw *r)
{
    r->before[1] = r->after[1] = 0;
    switch (d->bytes) {
    case 1:
        SWAP_LOOP(uint8_t);
        break;
    case 2:
        SWAP_LOOP(uint16_t);
        break;
    case 4:
        SWAP_LOOP(uint32_t);
        break;
    case 8:
        SWAP_LOOP(uint64_t);
        break;
    default:
        pthread_mutex_lock(&wide_lock);
        rmw_alone(d, host, b, c, global, r);
        pthread_mutex_unlock(&wide_lock);
    }
}

static void rmw(const struct warp *w, const struct mem_desc *d, uint8_t *host, const struct allocation *in, const uint64_t b[2],
                const uint64_t c[2], bool global, struct rmw *r)
{
    if (has_rivals(w, in))
        rmw_shared(d, host, b, c, global, r);
    else
        rmw_alone(d, host, b, c, global, r);
}

/** Where in its register an element begins: halves lie there in twos. */
static unsigned bits_before(const struct mem_desc *d, unsigned e)
{
    return d->bytes == 2 && d->reg_bytes == 4 ? e % 2 * 16 : 0;
}

/** The operands of element `e` of one lane, as wide as the memory element. */
static void operands(const struct warp *w, const struct insn *in, unsigned e, int lane,
                     uint64_t b[2], uint64_t c[2])
{
    const struct mem_desc *d = &in->mem;
    uint32_t reg = element_operand(in, e);
    uint64_t mask = d->bytes >= 8 ? UINT64_MAX : (1ull << 8 * d->bytes) - 1;
    b[0] = reg_read(w, reg, d->reg_bytes, lane) >> bits_before(d, e) & mask;
    b[1] = d->bytes == 16 ? reg_high(w, reg)[lane] : 0;
    c[0] = c[1] = 0;
    if (d->atom == ATOM_CAS) {
        c[0] = reg_read(w, in->src[2], d->reg_bytes, lane) & mask;
        c[1] = d->bytes == 16 ? reg_high(w, in->src[2])[lane] : 0;
    }
}

static void put_old(struct warp *w, const struct insn *in, unsigned e, int lane,
                    const uint64_t before[2])
{
    const struct mem_desc *d = &in->mem;
    uint32_t reg = element_target(in, e);
    if (reg == REG_NONE)
        return;
    uint64_t value = before[0];
    if (d->bytes == 2 && d->reg_bytes == 4 && d->atom != ATOM_CAS) {
        uint64_t mask = 0xffffull << bits_before(d, e);
        value = (reg_read(w, reg, 4, lane) & ~mask) | value << bits_before(d, e);
    }
    reg_write(w, reg, d->reg_bytes, lane, value);
    if (d->bytes == 16)
        reg_high(w, reg)[lane] = before[1];
}

static const struct insn *atomic_plain(struct warp *w, const struct insn *in)
{
    const struct mem_desc *d = &in->mem;
    unsigned bytes = (unsigned)d->bytes * d->count;
    struct place p;
    uint8_t *host[WARP_LANES];
    FOR_LANES(lane, w->mask)
    {
        if (!access_place(w, in, (int)lane, lane_address(w, in, (int)lane), bytes, true, &p))
            return NULL;
        host[lane] = p.host;
        uint64_t b[MAX_ELEMENTS][2], c[2]; /* results may go to registers of other elements' operands */
        for (unsigned e = 0; e < d->count; e++)
            operands(w, in, e, (int)lane, b[e], c);
        for (unsigned e = 0; e < d->count; e++) {
            struct rmw r;
            rmw(w, d, p.host + e * d->bytes, p.allocation, b[e], c, p.space == SPACE_GLOBAL, &r);
            put_old(w, in, e, (int)lane, r.before);
        }
    }
    note_traffic(w, in, host, true);
    note_poll(w, in);
    return in + 1;
}

/** Host bytes of one lane's 4-byte atomic, and whether they have rivals; NULL after a fault. */
static inline uint8_t *word_place(struct warp *w, const struct insn *in, int lane, bool *rivals)
{
    const struct block *b = w->block;
    uint64_t address = lane_address(w, in, lane);
    struct place p;
    *rivals = false;
    if (in->mem.space == SPACE_SHARED && address < b->shared_bytes &&
        address + 4 <= b->shared_bytes && !(address & 3))
        return b->shared + address;
    if (in->mem.space == SPACE_GLOBAL && !(address & 3)) {
        uint8_t *host = global_host(w->worker, address, 4);
        if (host) {
            *rivals = has_rivals(w, w->worker->cache_allocation);
            return host;
        }
    }
    if (!access_place(w, in, lane, address, 4, true, &p))
        return NULL;
    *rivals = has_rivals(w, p.allocation);
    return p.host;
}

/** The commonest one: a 32-bit integer add. `near`: in shared memory, by a register of 32 bits: where that is, the compiler need not look up anew
 *  for each lane. */
static inline __attribute__((always_inline)) const struct insn *add_4(struct warp *w, const struct insn *in, bool near)
{
    const uint32_t *operand = warp_reg(w, in->src[1]), *address = near ? warp_reg(w, in->src[0]) : NULL;
    uint32_t *dst = in->dst == REG_NONE ? NULL : warp_reg(w, in->dst), size = w->block->shared_bytes, offset = (uint32_t)in->offset;
    uint8_t *host[WARP_LANES], *shared = w->block->shared;
    FOR_LANES(lane, w->mask)
    {
        uint32_t at = near ? address[lane] + offset : 0, add = operand[lane], old;
        bool rivals = false, found = near && at < size && size - at >= 4 && !(at & 3);
        uint32_t *cell = (uint32_t *)(found ? shared + at : word_place(w, in, (int)lane, &rivals));
        if (!cell)
            return NULL;
        host[lane] = (uint8_t *)cell;
        if (rivals)
            old = __atomic_fetch_add(cell, add, __ATOMIC_SEQ_CST);
        else
            old = *cell, *cell = old + add;
        if (dst)
            dst[lane] = old;
    }
    note_traffic(w, in, host, true);
    note_poll(w, in);
    return in + 1;
}

static const struct insn *atomic_add_4(struct warp *w, const struct insn *in)
{
    return add_4(w, in, false);
}

static const struct insn *atomic_add_shared_4(struct warp *w, const struct insn *in)
{
    return add_4(w, in, true);
}

/** As rmw(), where the chooser says what is read and whether the write stays. */
static void rmw_chosen(struct warp *w, const struct element_of_access *at, const uint64_t b[2],
                       const uint64_t c[2], struct rmw *r)
{
    const struct machine *m = warp_machine(w);
    const struct mem_access *a = at->access;
    const struct mem_desc *d = &a->insn->mem;
    uint8_t *host = a->host[at->lane] + at->element * d->bytes;
    uint64_t cell[2] = {0, 0};
    bool stays = true;
    memcpy(cell, host, d->bytes);
    if (!m->chooser.how->rmw_read(m->chooser.self, w, at, &cell[0]))
        grid_cut(w->block->grid);
    rmw_alone(d, (uint8_t *)cell, b, c, a->space == SPACE_GLOBAL, r);
    if (!m->chooser.how->rmw_write(m->chooser.self, w, at, r->wrote, r->after[0], &stays))
        grid_cut(w->block->grid);
    if (r->wrote && stays)
        memcpy(host, r->after, d->bytes);
}

/** Is it a read by its text, that leaves any value as it was: add 0, or 0, compare-and-swap of one value for itself? */
static bool only_reads(const struct insn *in, const uint64_t b[2], const uint64_t c[2])
{
    if (in->mem.atom == ATOM_CAS)
        return b[0] == c[0];
    return (in->src[1] & CONST_BIT) && atomic_keeps(&in->mem, b[0]);
}

/** May the lane's read-modify-write read an older value? Of one number whose result is used, and no other lane of the instruction
 *  has been there. */
static bool may_be_earlier(const struct mem_access *a, int lane)
{
    const struct mem_desc *d = &a->insn->mem;
    if (d->count > 1 || d->bytes > 8 || element_target(a->insn, 0) == REG_NONE)
        return false;
    for (uint32_t before = a->mask & ((1u << lane) - 1); before; before &= before - 1)
        if (a->address[__builtin_ctz(before)] == a->address[lane])
            return false; /* nobody has been told of that one's write yet */
    return true;
}

/** The lane reads an older value: it comes before what has been written since. If it leaves that as it was, memory holds what it
 *  held; else what was written since is written again. @return false: it reads the newest, and nothing has happened yet */
static bool rmw_earlier(struct warp *w, struct mem_access *a, int lane, const uint64_t b[2], const uint64_t c[2], struct rmw *r)
{
    const struct machine *m = warp_machine(w);
    const struct chooser *how = m->chooser.how;
    const struct mem_desc *d = &a->insn->mem;
    const struct element_of_access at = {a, lane, 0};
    uint64_t cell[2] = {0, 0}, newest;
    bool reads = only_reads(a->insn, b, c);
    if (!may_be_earlier(a, lane) || (!reads && (d->atom == ATOM_CAS || has_rivals(w, a->allocation[lane]))) ||
        !(reads ? how->rmw_older : how->rmw_before)(m->chooser.self, w, &at, &cell[0]))
        return false;
    rmw_alone(d, (uint8_t *)cell, b, c, a->space == SPACE_GLOBAL, r);
    r->wrote = !reads;
    a->older[0] |= 1u << lane;
    if (r->wrote) {
        newest = how->rmw_again(m->chooser.self, w, &at, r->after[0]);
        memcpy(a->host[lane], &newest, d->bytes);
    }
    return true;
}

/** Runs the atomic for the lanes of the access, one after another, and records both values. */
static void perform(struct warp *w, struct mem_access *a)
{
    const struct insn *in = a->insn;
    const struct mem_desc *d = &in->mem;
    const struct chooser *how = warp_machine(w)->chooser.how;
    bool chosen = how && how->rmw_read;
    bool asks = how && how->rmw_older;
    unsigned rows = d->bytes == 16 ? 2 : 1;
    a->wrote = a->older[0] = 0;
    FOR_LANES(lane, a->mask)
    {
        uint64_t b[MAX_ELEMENTS][2], c[2];
        for (unsigned e = 0; e < d->count; e++)
            operands(w, in, e, (int)lane, b[e], c);
        for (unsigned e = 0; e < d->count; e++) {
            struct rmw r;
            if (chosen)
                rmw_chosen(w, &(struct element_of_access){a, (int)lane, (int)e}, b[e], c, &r);
            else if (!asks || !rmw_earlier(w, a, (int)lane, b[e], c, &r))
                rmw(w, d, a->host[lane] + e * d->bytes, a->allocation[lane], b[e], c, a->space == SPACE_GLOBAL, &r);
            a->value[e * rows][lane] = r.after[0];
            if (rows == 2)
                a->value[e * rows + 1][lane] = r.after[1];
            if (e * rows < 2)
                a->old[e * rows][lane] = r.before[0];
            if (rows == 2)
                a->old[1][lane] = r.before[1];
            if (r.wrote)
                a->wrote |= 1u << lane;
            put_old(w, in, e, (int)lane, r.before);
        }
    }
}

const struct insn *atomic_observed(struct warp *w, const struct insn *in)
{
    struct mem_access *a = &w->worker->access;
    struct machine *m = warp_machine(w);
    uint8_t areas[WARP_LANES];
    if (schedule_preempts(w, in)) {
        w->limit = in;
        return in;
    }
    uint32_t seen = access_observe_places(w, in, true, areas);
    if (!seen)
        return NULL;
    note_traffic(w, in, a->host, true);
    for (uint32_t left = seen; access_next_area(w, &left, seen, areas);) {
        if (quiet_is_written(m, a))
            return quiet_broken(w);
        perform(w, a);
        count_access(w, a, true, true);
        note_access(w, a->insn);
        OBSERVE(&m->observers, atomic, w, a);
        observe_named(&m->observers, w, a);
        end_hopeless(m, w);
    }
    note_poll(w, in);
    schedule_looked(w, in, !a->wrote || a->value[0][__builtin_ctz(a->mask)] == a->old[0][__builtin_ctz(a->mask)]);
    if (in->dst != REG_NONE && a->space == SPACE_GLOBAL && schedule_parks(w))
        w->limit = in + 1;
    return in + 1;
}

handler_fn select_atomic(const struct insn *in, bool checked)
{
    const struct mem_desc *d = &in->mem;
    bool integer = d->type == PTX_U32 || d->type == PTX_S32 || d->type == PTX_B32;
    if (checked)
        return plain_fits_atomic(in) ? atomic_word_observed : atomic_observed;
    if (d->atom == ATOM_ADD && integer && d->count == 1 && d->bytes == 4 && d->reg_bytes == 4)
        return d->space == SPACE_SHARED && d->address_bytes == 4 && !(in->src[0] & CONST_BIT) ? atomic_add_shared_4 : atomic_add_4;
    return atomic_plain;
}
