/**
 * @file async_copy.c
 * cp.async: copies from global to shared memory that the thread does not wait for (PTX ISA 9.7.9.25.3).
 */
#include "code/descriptions.h"
#include "execute/access.h"
#include "execute/async_copy.h"
#include "execute/engine.h"
#include "execute/fault.h"
#include "execute/in_flight.h"
#include "execute/traffic.h"
#include "execute/worker.h"

/** Does each lane copy all of its piece, from global memory to the block's own shared memory by addresses of the usual widths? */
static bool copies_whole(const struct warp *w, const struct copy_desc *c)
{
    const uint32_t *size = c->size == REG_NONE ? NULL : warp_reg(w, c->size);
    bool whole = c->ignore == REG_NONE && c->to.mem.space == SPACE_SHARED && c->to.mem.address_bytes == 4 && c->from.mem.space == SPACE_GLOBAL &&
                 c->from.mem.address_bytes == 8;
    FOR_LANES(lane, size ? w->mask : 0)
    {
        whole &= size[lane] >= c->to.mem.bytes;
    }
    return whole;
}

/** Where all lanes' pieces go. @return false: one lies outside, is not aligned, or must be looked at closer */
static bool place_targets(const struct warp *w, const struct insn *at, uint32_t out[WARP_LANES])
{
    const uint32_t *reg = warp_reg(w, at->src[0]);
    uint32_t bad = 0;
    struct shared_room room;
    if (!shared_room(w->block, at, at->mem.bytes, &room))
        return false;
    FOR_LANES(lane, w->mask)
    {
        out[lane] = reg[lane] + (uint32_t)at->offset;
        bad |= (out[lane] - room.first > room.span) | (out[lane] & (at->mem.bytes - 1u));
    }
    return !bad;
}

/** Where they come from, which must be one allocation: bytes from the start of that, w->worker->cache_base. @return as place_targets() */
static bool place_sources(struct warp *w, const struct insn *at, uint64_t out[WARP_LANES])
{
    struct worker *k = w->worker;
    const uint64_t *reg = warp_reg(w, at->src[0]);
    uint64_t bad = 0;
    if (!global_host_any(k, lane_address(w, at, __builtin_ctz(w->mask)), at->mem.bytes))
        return false;
    FOR_LANES(lane, w->mask)
    {
        uint64_t address = reg[lane] + (uint64_t)at->offset;
        out[lane] = address - k->cache_base;
        bad |= (out[lane] > k->cache_bytes - at->mem.bytes) | (address & (at->mem.bytes - 1u));
    }
    return !bad;
}

/** All of this at once. @return false: nothing has been done; lane by lane, which tells why */
static bool copy_unwatched(struct warp *w, const struct copy_desc *c)
{
    const struct machine *m = warp_machine(w);
    uint32_t to[WARP_LANES];
    uint64_t from[WARP_LANES];
    unsigned bytes = c->to.mem.bytes;
    if (m->checked || m->observers.count || !copies_whole(w, c) || !place_targets(w, &c->to, to) || !place_sources(w, &c->from, from))
        return false;
    const uint8_t *source = w->worker->cache_host;
    uint8_t *shared = w->block->shared;
    if (((uintptr_t)source + from[__builtin_ctz(w->mask)]) & (bytes - 1))
        return false;
    note_elements(w, source, from, true);
    FOR_LANES(lane, w->mask)
    {
        if (bytes == 16)
            memcpy(shared + to[lane], source + from[lane], 16);
        else
            memcpy(shared + to[lane], source + from[lane], bytes);
    }
    return true;
}

/** The same places where somebody is told. */
static bool place_together(struct warp *w, const struct copy_desc *c, struct async_event *e)
{
    uint32_t to[WARP_LANES];
    uint64_t from[WARP_LANES];
    if (!copies_whole(w, c) || !place_targets(w, &c->to, to) || !place_sources(w, &c->from, from))
        return false;
    e->to.owner = e->from.owner = w->block;
    FOR_LANES(lane, w->mask)
    {
        e->to.bytes[lane] = e->from.bytes[lane] = c->to.mem.bytes;
        e->to.address[lane] = to[lane];
        e->to.host[lane] = w->block->shared + to[lane];
        e->from.address[lane] = w->worker->cache_base + from[lane];
        e->from.host[lane] = w->worker->cache_host + from[lane];
        e->from.allocation[lane] = w->worker->cache_allocation;
    }
    return true;
}

/** Part of an aligned piece: only what is used must lie in memory. */
static bool place_part(struct warp *w, const struct insn *at, int lane, uint64_t address, unsigned used, struct place *out)
{
    struct place last;
    if (address & (at->mem.bytes - 1u)) {
        fault_at(w, at, lane, &(struct fault){.cause = CAUSE_MISALIGNED, .space = SPACE_GLOBAL, .address = address,
                                              .facts.bytes = at->mem.bytes});
        return false;
    }
    return access_place(w, at, lane, address + used - 1, 1, false, &last) &&
           access_place(w, at, lane, address, 1, false, out);
}

static bool place_side(struct warp *w, const struct insn *at, int lane, unsigned used, bool write, struct copy_side *side)
{
    uint64_t address = lane_address(w, at, lane);
    struct place p = {.address = address};
    side->bytes[lane] = used;
    if (used == at->mem.bytes ? !access_place(w, at, lane, address, used, write, &p)
                              : used && !place_part(w, at, lane, address, used, &p))
        return false;
    side->owner = w->block;
    side->address[lane] = p.address;
    side->host[lane] = p.host;
    side->allocation[lane] = p.allocation;
    return true;
}

/** Bytes that a lane copies; the rest of its piece becomes zero. */
static unsigned copied_bytes(const struct warp *w, const struct copy_desc *c, int lane)
{
    if (c->ignore != REG_NONE)
        return (*(const uint32_t *)warp_reg(w, c->ignore) >> lane & 1) != c->ignore_negated ? 0 : c->to.mem.bytes;
    uint32_t size = c->size == REG_NONE ? UINT32_MAX : ((const uint32_t *)warp_reg(w, c->size))[lane];
    return size < c->to.mem.bytes ? size : c->to.mem.bytes;
}

/** For the counters: as a load and a store of the lanes that copy. */
static void count_copy(struct warp *w, const struct copy_side *side, uint32_t mask, bool load)
{
    struct mem_access *a = worker_access(w->worker, side->at);
    a->space = side->space;
    a->owner = side->owner;
    a->mask = 0;
    FOR_LANES(lane, mask)
    {
        if (!side->bytes[lane])
            continue;
        a->mask |= 1u << lane;
        a->address[lane] = side->address[lane];
        a->host[lane] = side->host[lane];
        a->allocation[lane] = side->allocation[lane];
    }
    if (a->mask)
        count_access(w, a, load, !load);
}

static void count_flight(struct warp *w, const struct async_event *e)
{
    uint64_t *counters = w->block->grid->counters;
    if (!warp_machine(w)->options.counters)
        return;
    counters[COUNT_ASYNC_COPIES]++;
    FOR_LANES(lane, e->mask)
    {
        counters[COUNT_ASYNC_BYTES] += e->from.bytes[lane];
        flight_copy(w, e->insn, (int)lane, e->from.bytes[lane]);
    }
}

static void observe_copy(struct warp *w, const struct async_event *e)
{
    struct machine *m = warp_machine(w);
    if (!m->checked)
        return;
    count_copy(w, &e->from, e->mask, true);
    count_copy(w, &e->to, e->mask, false);
    count_flight(w, e);
    OBSERVE(&m->observers, async, w, e);
}

static bool place_apart(struct warp *w, const struct copy_desc *c, struct async_event *e)
{
    FOR_LANES(lane, w->mask)
    {
        if (!place_side(w, &c->to, (int)lane, c->to.mem.bytes, true, &e->to) ||
            !place_side(w, &c->from, (int)lane, copied_bytes(w, c, (int)lane), false, &e->from))
            return false;
    }
    return true;
}

const struct insn *op_cp_async(struct warp *w, const struct insn *in)
{
    const struct copy_desc *c = in->extra;
    if (copy_unwatched(w, c))
        return in + 1;
    struct async_event e = {.kind = ASYNC_COPY, .insn = in, .mask = w->mask};
    e.from.at = &c->from;
    e.to.at = &c->to;
    e.from.space = SPACE_GLOBAL;
    e.to.space = SPACE_SHARED;
    if (!place_together(w, c, &e) && !place_apart(w, c, &e))
        return NULL;
    note_traffic(w, &c->from, e.from.host, true);
    observe_copy(w, &e);
    FOR_LANES(lane, w->mask)
    {
        unsigned used = e.from.bytes[lane];
        memset(e.to.host[lane] + used, 0, c->to.mem.bytes - used);
        if (used)
            memcpy(e.to.host[lane], e.from.host[lane], used);
    }
    return in + 1;
}

static const struct insn *tell(struct warp *w, const struct insn *in, int kind, uint64_t left)
{
    if (!warp_machine(w)->options.counters && !warp_machine(w)->observers.count)
        return in + 1;
    struct async_event e = {.kind = kind, .insn = in, .mask = w->mask, .left = left};
    FOR_LANES(lane, warp_machine(w)->options.counters ? w->mask : 0)
    {
        if (e.kind == ASYNC_COMMIT)
            flight_commit(w, (int)lane);
        else
            flight_wait(w, in, (int)lane, e.left);
    }
    OBSERVE(&warp_machine(w)->observers, async, w, &e);
    return in + 1;
}

const struct insn *op_cp_commit(struct warp *w, const struct insn *in)
{
    return tell(w, in, ASYNC_COMMIT, 0);
}

const struct insn *op_cp_wait(struct warp *w, const struct insn *in)
{
    return tell(w, in, ASYNC_WAIT, in->imm);
}
