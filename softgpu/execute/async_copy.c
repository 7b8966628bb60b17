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

const struct insn *op_cp_async(struct warp *w, const struct insn *in)
{
    const struct copy_desc *c = in->extra;
    struct async_event e = {.kind = ASYNC_COPY, .insn = in, .mask = w->mask};
    e.from.at = &c->from;
    e.to.at = &c->to;
    e.from.space = SPACE_GLOBAL;
    e.to.space = SPACE_SHARED;
    FOR_LANES(lane, w->mask)
    {
        if (!place_side(w, &c->to, (int)lane, c->to.mem.bytes, true, &e.to) ||
            !place_side(w, &c->from, (int)lane, copied_bytes(w, c, (int)lane), false, &e.from))
            return NULL;
    }
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

static const struct insn *tell(struct warp *w, const struct insn *in, struct async_event e)
{
    e.insn = in;
    e.mask = w->mask;
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
    return tell(w, in, (struct async_event){.kind = ASYNC_COMMIT});
}

const struct insn *op_cp_wait(struct warp *w, const struct insn *in)
{
    return tell(w, in, (struct async_event){.kind = ASYNC_WAIT, .left = in->imm});
}
