/**
 * @file bulk_copy.c
 * cp.async.bulk and cp.reduce.async.bulk: contiguous bytes, a lane at a time (PTX ISA 9.7.9.25.4).
 */
#include "code/descriptions.h"
#include "execute/access.h"
#include "execute/atomic_compute.h"
#include "execute/async_copy.h"
#include "execute/bulk_copy.h"
#include "execute/cluster.h"
#include "execute/engine.h"
#include "execute/fault.h"
#include "execute/grid.h"
#include "execute/traffic.h"
#include "execute/worker.h"
#include "report/reporter.h"

#define PIECE 16
#define DISCARDED_BYTES 128
#define DISCARDED 0xdbdbdbdbdbdbdbdbull

/** First and last unit must lie in one object. */
static bool place_range(struct warp *w, const struct insn *at, int lane, uint64_t address, uint32_t bytes, bool write,
                        struct copy_side *side)
{
    struct place first, last;
    unsigned unit = at->mem.bytes;
    side->at = at;
    side->bytes[lane] = bytes;
    if (!access_place(w, at, lane, address, unit, write, &first) ||
        !access_place(w, at, lane, address + bytes - unit, unit, write, &last))
        return false;
    if (first.space != last.space || first.allocation != last.allocation || first.owner != last.owner) {
        fault_at(w, at, lane, &(struct fault){.cause = CAUSE_WILD, .facts = {.bytes = bytes, .address = address}});
        return false;
    }
    side->space = (uint8_t)first.space;
    side->owner = first.owner;
    side->address[lane] = first.address;
    side->host[lane] = first.host;
    side->allocation[lane] = first.allocation;
    return true;
}

/** For the device model's time and the counters: all that moves between the SM and global memory. */
static void count_bytes(struct warp *w, const struct async_event *e, int lane, uint32_t bytes, bool in_sector)
{
    uint64_t *counters = w->block->grid->counters;
    bool load = e->from.space == SPACE_GLOBAL;
    w->worker->loads += load;
    w->worker->moved += bytes;
    if (!warp_machine(w)->checked)
        return;
    counters[load ? COUNT_GLOBAL_LOAD_REQUESTS : COUNT_GLOBAL_STORE_REQUESTS]++;
    counters[load ? COUNT_GLOBAL_LOAD_SECTORS : COUNT_GLOBAL_STORE_SECTORS] += in_sector ? 0 : (bytes + 31) / 32;
    counters[COUNT_GLOBAL_BYTES] += bytes;
    if (!warp_machine(w)->options.counters)
        return;
    const struct copy_side *global = load ? &e->from : &e->to;
    counters[COUNT_ASYNC_COPIES] += !e->continues;
    counters[COUNT_ASYNC_BYTES] += bytes;
    if (global->space == SPACE_GLOBAL)
        count_object_lanes(w, global->allocation[lane], 1u << lane, bytes, load);
}

/** Element by element, each as an atomic would. */
static void reduce(const struct mem_desc *d, uint8_t *to, const uint8_t *from, uint32_t bytes, bool global)
{
    unsigned size = ptx_type_bytes((enum ptx_type)d->type);
    struct mem_desc element = *d;
    element.bytes = (uint8_t)size;
    for (uint32_t at = 0; at < bytes; at += size) {
        uint64_t v = atomic_compute(&element, read_bytes(to + at, size), read_bytes(from + at, size), global);
        memcpy(to + at, &v, size);
    }
}

/** A side of a piece: with the unit that its address and size are checked by. */
static struct insn side_of(const struct insn *at, uint64_t address, const struct bulk_piece *p)
{
    struct insn side = *at;
    if (p->of_box) /* of elements, wherever they lie */
        side.mem.bytes = (p->bytes | address) % PIECE ? 1 : PIECE;
    if (p->of_box && p->type)
        side.mem.type = p->type;
    side.mem.noftz = !p->flushes; /* unlike an atomic's, on an H200: tests/runtime/tensor_type_facts.cu */
    return side;
}

bool bulk_copy_piece(struct warp *w, const struct insn *in, int lane, struct bulk_piece *p)
{
    const struct copy_desc *c = in->extra;
    struct insn to = side_of(&c->to, p->to, p), from = side_of(&c->from, p->from, p);
    struct async_event e = {.kind = ASYNC_BULK, .insn = in, .mask = 1u << lane, .grouped = c->grouped,
                            .reduces = c->reduces, .continues = p->continues, .told = p->told};
    if (!place_range(w, &to, lane, p->to, p->bytes, true, &e.to) ||
        (!p->filled && !place_range(w, &from, lane, p->from, p->bytes, false, &e.from)))
        return false;
    e.from.at = &from;
    if (!p->filled)
        count_bytes(w, &e, lane, p->bytes, p->in_sector);
    OBSERVE(&warp_machine(w)->observers, async, w, &e);
    p->to_host = e.to.host[lane];
    if (c->reduces)
        reduce(&to.mem, e.to.host[lane], e.from.host[lane], p->bytes, e.to.space == SPACE_GLOBAL);
    else if (!p->filled)
        memmove(e.to.host[lane], e.from.host[lane], p->bytes);
    return true;
}

uint32_t copy_targets(const struct warp *w, const struct copy_desc *c, int lane)
{
    return c->multicast == REG_NONE ? 1 : ((const uint16_t *)warp_reg(w, c->multicast))[lane];
}

uint64_t copy_address(const struct warp *w, const struct copy_desc *c, uint64_t address, uint32_t left)
{
    return c->multicast == REG_NONE ? address : cluster_mapped(w->block, address, (uint32_t)__builtin_ctz(left));
}

static bool misaligned(struct warp *w, const struct insn *side, int lane, enum ptx_space space, uint64_t address)
{
    fault_at(w, side, lane, &(struct fault){.cause = CAUSE_MISALIGNED, .space = (uint8_t)space, .address = address, .facts.bytes = PIECE});
    return false;
}

/** By a mask of bytes: what it leaves out of each 16 is neither read nor written, and may lie where it will. */
static bool copy_masked(struct warp *w, const struct insn *in, int lane, const struct bulk_piece *whole)
{
    const struct copy_desc *c = in->extra;
    uint32_t mask = ((const uint16_t *)warp_reg(w, c->byte_mask))[lane], more;
    uint64_t sector = 0;
    struct bulk_piece p = {.of_box = true};
    struct insn to = c->to, from = c->from;
    struct copy_side side;
    to.mem.bytes = from.mem.bytes = 1;
    if (whole->to % PIECE)
        return misaligned(w, &c->to, lane, SPACE_GLOBAL, whole->to);
    if (whole->from % PIECE)
        return misaligned(w, &c->from, lane, SPACE_SHARED, whole->from);
    if (!mask || !whole->bytes)
        return true;
    uint32_t low = (uint32_t)__builtin_ctz(mask), span = whole->bytes - PIECE + 32 - (uint32_t)__builtin_clz(mask) - low;
    if (!place_range(w, &to, lane, whole->to + low, span, true, &side) ||
        !place_range(w, &from, lane, whole->from + low, span, false, &side)) /* before anything is copied */
        return false;
    for (uint32_t at = 0; at < whole->bytes; at += PIECE)
        for (uint32_t left = mask; left; left = more) {
            uint32_t first = (uint32_t)__builtin_ctz(left), end = (uint32_t)__builtin_ctz(~(left >> first)) + first;
            more = left & ~0u << end;
            p.to = whole->to + at + first;
            p.from = whole->from + at + first;
            p.bytes = end - first;
            p.in_sector = p.continues && p.to / 32 == sector;
            sector = p.to / 32;
            if (!bulk_copy_piece(w, in, lane, &p))
                return false;
            p.continues = true;
        }
    return true;
}

static bool copy_lane(struct warp *w, const struct insn *in, int lane)
{
    const struct copy_desc *c = in->extra;
    uint32_t bytes = ((const uint32_t *)warp_reg(w, c->size))[lane];
    struct bulk_piece p = {.to = lane_address(w, &c->to, lane), .from = lane_address(w, &c->from, lane), .bytes = bytes};
    if (bytes % PIECE) {
        fault_at(w, in, lane, &(struct fault){.cause = CAUSE_BULK_SIZE, .facts.number = bytes});
        return false;
    }
    if (c->byte_mask != REG_NONE)
        return copy_masked(w, in, lane, &p);
    uint64_t to = p.to, barrier = c->grouped ? 0 : lane_address(w, &c->barrier, lane);
    for (uint32_t left = bytes ? copy_targets(w, c, lane) : 0; left; left &= left - 1) {
        p.to = copy_address(w, c, to, left);
        p.told = c->grouped ? 0 : 1 + copy_address(w, c, barrier, left);
        if (!bulk_copy_piece(w, in, lane, &p) ||
            (!c->grouped && !mbarrier_complete_bytes(w, in, &c->barrier, lane, copy_address(w, c, barrier, left), bytes)))
            return false;
    }
    return true;
}

const struct insn *op_cp_bulk(struct warp *w, const struct insn *in)
{
    FOR_LANES(lane, w->mask)
    {
        if (!copy_lane(w, in, (int)lane))
            return NULL;
    }
    return in + 1;
}

static const struct insn *tell(struct warp *w, const struct insn *in, struct async_event e)
{
    e.insn = in;
    e.mask = w->mask;
    OBSERVE(&warp_machine(w)->observers, async, w, &e);
    return in + 1;
}

const struct insn *op_cp_bulk_commit(struct warp *w, const struct insn *in)
{
    return tell(w, in, (struct async_event){.kind = ASYNC_BULK_COMMIT});
}

const struct insn *op_cp_bulk_wait(struct warp *w, const struct insn *in)
{
    return tell(w, in, (struct async_event){.kind = ASYNC_BULK_WAIT, .left = in->imm & ~COPY_WAIT_READ,
                                            .reads_only = in->imm & COPY_WAIT_READ});
}

const struct insn *op_fence_proxy(struct warp *w, const struct insn *in)
{
    if (warp_machine(w)->checked)
        w->block->grid->counters[COUNT_FENCES]++;
    struct machine *machine = warp_machine(w); /* one that is restricted releases, or acquires, as well */
    if (in->mem.order == ORDER_ACQUIRE)
        OBSERVE(&machine->observers, fence, w, in, in->mem.order, in->mem.scope);
    const struct insn *next = tell(w, in, (struct async_event){.kind = ASYNC_PROXY_FENCE});
    if (in->mem.order == ORDER_RELEASE)
        OBSERVE(&machine->observers, fence, w, in, in->mem.order, in->mem.scope);
    if (in->mem.restricted && machine->checked)
        report_incomplete_once(machine->reporter, INCOMPLETE_RESTRICTED);
    return next;
}

/** One lane's st.async or red.async: registers to shared memory, and its mbarrier is told. */
static bool store_lane(struct warp *w, const struct insn *in, int lane)
{
    const struct copy_desc *c = in->extra;
    unsigned width = c->to.mem.bytes, bytes = width * c->to.mem.count;
    uint8_t value[16];
    struct place p;
    struct async_event e = {.kind = ASYNC_BULK, .insn = in, .mask = 1u << lane, .reduces = c->reduces, .plain = true,
                            .told = 1 + lane_address(w, &c->barrier, lane)};
    if (!access_place(w, &c->to, lane, lane_address(w, &c->to, lane), bytes, true, &p))
        return false;
    if (p.space != SPACE_SHARED) {
        fault_at(w, &c->to, lane, &(struct fault){.cause = CAUSE_MBARRIER_SPACE});
        return false;
    }
    for (unsigned i = 0; i < c->to.mem.count; i++) {
        uint64_t v = reg_read(w, c->value[i], width, lane);
        memcpy(value + i * width, &v, width);
    }
    e.to = (struct copy_side){.at = &c->to, .space = SPACE_SHARED, .owner = p.owner};
    e.from = (struct copy_side){.at = &c->to, .space = SPACE_REG, .owner = w->block};
    e.to.bytes[lane] = e.from.bytes[lane] = bytes;
    e.to.address[lane] = p.address;
    e.to.host[lane] = p.host;
    e.from.host[lane] = value;
    OBSERVE(&warp_machine(w)->observers, async, w, &e);
    if (c->reduces)
        reduce(&c->to.mem, p.host, value, bytes, false);
    else
        memcpy(p.host, value, bytes);
    return mbarrier_complete_bytes(w, in, &c->barrier, lane, lane_address(w, &c->barrier, lane), bytes);
}

const struct insn *op_st_async(struct warp *w, const struct insn *in)
{
    FOR_LANES(lane, w->mask)
    {
        if (!store_lane(w, in, (int)lane))
            return NULL;
    }
    return in + 1;
}

/* ---- st.bulk: plain stores of zeros to shared memory ---- */

/** One lane's words, each as the store that it is. @return false after a fault */
static bool store_words(struct warp *w, const struct insn *in, int lane, uint64_t base, uint64_t bytes, uint64_t word)
{
    struct insn *x = &w->worker->texel;
    *x = (struct insn){.op = &op_table[ROW_st], .site = in->site, .dst = REG_NONE, .dst2 = REG_NONE, .guard = REG_NONE,
                       .src = {REG_NONE, REG_NONE, REG_NONE, REG_NONE}, .mem = in->mem};
    for (uint64_t at = 0; at < bytes; at += 8) {
        uint64_t address[WARP_LANES], value[2][WARP_LANES];
        address[lane] = base + at;
        value[0][lane] = value[1][lane] = word;
        if (!access_store_at(w, x, 1u << lane, address, value))
            return false;
    }
    return true;
}

static bool zero_lane(struct warp *w, const struct insn *in, int lane)
{
    uint64_t base = lane_address(w, in, lane), bytes = ((const uint64_t *)warp_reg(w, in->src[1]))[lane];
    struct place p;
    if (bytes % 8) {
        fault_at(w, in, lane, &(struct fault){.cause = CAUSE_ZEROS_SIZE, .facts.number = bytes});
        return false;
    }
    if (bytes && !access_place(w, in, lane, base, 8, true, &p))
        return false;
    if (bytes && (p.space != SPACE_SHARED || p.owner != w->block)) {
        fault_at(w, in, lane, &(struct fault){.cause = CAUSE_ZEROS_SPACE});
        return false;
    }
    return store_words(w, in, lane, base, bytes, 0);
}

const struct insn *op_st_bulk(struct warp *w, const struct insn *in)
{
    FOR_LANES(lane, w->mask)
    {
        if (!zero_lane(w, in, (int)lane))
            return NULL;
    }
    return in + 1;
}

/** discard is a weak write of no value in particular (PTX ISA 9.7.9.17): whoever reads it gets what is found here. */
const struct insn *op_discard(struct warp *w, const struct insn *in)
{
    FOR_LANES(lane, w->mask)
    {
        struct place p;
        uint64_t base = lane_address(w, in, (int)lane);
        if (!access_place(w, in, (int)lane, base, DISCARDED_BYTES, true, &p))
            return NULL;
        if (p.space != SPACE_GLOBAL) {
            fault_at(w, in, (int)lane, &(struct fault){.cause = CAUSE_UNKNOWN_INSTRUCTION, .facts.text = "discard of memory that is not global"});
            return NULL;
        }
        if (!store_words(w, in, (int)lane, base, DISCARDED_BYTES, DISCARDED))
            return NULL;
    }
    return in + 1;
}
