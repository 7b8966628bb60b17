/**
 * @file bulk_copy.c
 * cp.async.bulk and cp.reduce.async.bulk: contiguous bytes, a lane at a time (PTX ISA 9.7.9.25.4).
 */
#include "code/descriptions.h"
#include "execute/access.h"
#include "execute/async.h"
#include "execute/fault.h"

#define PIECE 16

/** First and last piece must lie in one object. */
static bool place_range(struct warp *w, const struct insn *at, int lane, uint32_t bytes, bool write,
                        struct copy_side *side)
{
    uint64_t address = lane_address(w, at, lane);
    struct place first, last;
    side->at = at;
    side->bytes[lane] = bytes;
    if (!access_place(w, at, lane, address, PIECE, write, &first) ||
        !access_place(w, at, lane, address + bytes - PIECE, PIECE, write, &last))
        return false;
    if (first.space != last.space || first.allocation != last.allocation) {
        fault_at(w, at, lane, &(struct fault){.cause = CAUSE_WILD, .facts = {.bytes = bytes, .address = address}});
        return false;
    }
    side->space = (uint8_t)first.space;
    side->address[lane] = first.address;
    side->host[lane] = first.host;
    side->allocation[lane] = first.allocation;
    return true;
}

/** For the device model's time and the counters: all that moves between the SM and global memory. */
static void count_bytes(struct warp *w, const struct async_event *e, uint32_t bytes)
{
    uint64_t *counters = w->block->grid->counters;
    bool load = e->from.space == SPACE_GLOBAL;
    w->worker->loads += load;
    w->worker->moved += bytes;
    if (!warp_machine(w)->checked)
        return;
    counters[load ? COUNT_GLOBAL_LOAD_REQUESTS : COUNT_GLOBAL_STORE_REQUESTS]++;
    counters[load ? COUNT_GLOBAL_LOAD_SECTORS : COUNT_GLOBAL_STORE_SECTORS] += (bytes + 31) / 32;
    counters[COUNT_GLOBAL_BYTES] += bytes;
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

static bool copy_lane(struct warp *w, const struct insn *in, int lane)
{
    const struct copy_desc *c = in->extra;
    uint32_t bytes = ((const uint32_t *)warp_reg(w, c->size))[lane];
    struct async_event e = {.kind = ASYNC_BULK, .insn = in, .mask = 1u << lane, .grouped = c->grouped,
                            .reduces = c->reduces};
    if (bytes % PIECE) {
        fault_at(w, in, lane, &(struct fault){.cause = CAUSE_BULK_SIZE, .facts.number = bytes});
        return false;
    }
    if (bytes && (!place_range(w, &c->to, lane, bytes, true, &e.to) ||
                  !place_range(w, &c->from, lane, bytes, false, &e.from)))
        return false;
    if (bytes) {
        count_bytes(w, &e, bytes);
        OBSERVE(&warp_machine(w)->observers, async, w, &e);
        if (c->reduces)
            reduce(&c->to.mem, e.to.host[lane], e.from.host[lane], bytes, e.to.space == SPACE_GLOBAL);
        else
            memmove(e.to.host[lane], e.from.host[lane], bytes);
    }
    return c->grouped || !bytes || mbarrier_complete_bytes(w, &c->barrier, lane, bytes);
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
    return tell(w, in, (struct async_event){.kind = ASYNC_PROXY_FENCE});
}
