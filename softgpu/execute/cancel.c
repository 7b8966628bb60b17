/**
 * @file cancel.c
 * clusterlaunchcontrol: a block asks for a cluster of its grid that has not begun, which then does not run, and does that one's
 * work itself (PTX ISA 9.7.13.17, 9.7.13.18).
 *
 * The answer is opaque to programs. Here it is four words: the first block's coordinates, and 1; or, where no cluster is left, all ones
 * three times, which are the coordinates of no block, and 0.
 */
#include "code/descriptions.h"
#include "execute/access.h"
#include "execute/alu/stamp.h"
#include "execute/async_copy.h"
#include "execute/cluster.h"
#include "execute/engine.h"
#include "execute/fault.h"
#include "execute/grid_run.h"
#include "execute/grid_life.h"
#include "execute/handlers.h"
#include "execute/worker.h"

#define ANSWER_BYTES 16

/** Takes the next cluster out of the grid. To whoever waits for the grid's blocks it has begun, and ended. */
static void take_next(struct grid *g, uint32_t answer[4])
{
    struct grid_run *run = grid_run(g);
    uint32_t size = g->cluster_blocks;
    memset(answer, 0xff, 3 * sizeof answer[0]);
    answer[3] = 0;
    if (run->next_block >= g->blocks || g->config.cooperative || g->config.lone)
        return;
    uint64_t first = size > 1 ? cluster_block(g, run->next_block / size, 0) : run->next_block;
    run->next_block += size;
    g->started += size;
    g->finished += size;
    for (uint32_t i = 0; i < size; i++)
        grid_count_dependents_for(g);
    g->machine->opened |= g->config.tells_start && grid_has_begun(g);
    for (int i = 0; i < 3; i++) {
        answer[i] = (uint32_t)(first % g->config.grid[i]);
        first /= g->config.grid[i];
    }
    answer[3] = 1;
}

/** Writes the answer at an address, through the async proxy, and tells the mbarrier of it. */
static bool give(struct warp *w, const struct insn *in, int lane, uint64_t address, uint64_t barrier, uint8_t *answer)
{
    const struct copy_desc *c = in->extra;
    struct async_event e = {.kind = ASYNC_BULK, .insn = in, .mask = 1u << lane};
    struct place p;
    if (!access_place(w, &c->to, lane, address, ANSWER_BYTES, true, &p))
        return false;
    if (p.space != SPACE_SHARED) {
        fault_at(w, &c->barrier, lane, &(struct fault){.cause = CAUSE_MBARRIER_SPACE});
        return false;
    }
    e.to = (struct copy_side){.at = &c->to, .space = SPACE_SHARED, .owner = p.owner};
    e.from = (struct copy_side){.at = &c->to, .space = SPACE_REG, .owner = w->block};
    e.to.bytes[lane] = e.from.bytes[lane] = ANSWER_BYTES;
    e.to.address[lane] = p.address;
    e.to.host[lane] = p.host;
    e.from.host[lane] = answer;
    OBSERVE(&warp_machine(w)->observers, async, w, &e);
    memcpy(p.host, answer, ANSWER_BYTES);
    return mbarrier_complete_bytes(w, in, &c->barrier, lane, barrier, ANSWER_BYTES);
}

static bool cancel_lane(struct warp *w, const struct insn *in, int lane)
{
    const struct copy_desc *c = in->extra;
    struct block *b = w->block;
    uint64_t to = lane_address(w, &c->to, lane), barrier = lane_address(w, &c->barrier, lane);
    uint32_t answer[4];
    if (b->cancel_failed) {
        fault_at(w, in, lane, &(struct fault){.cause = CAUSE_CANCEL_AGAIN});
        return false;
    }
    take_next(b->grid, answer);
    if (!c->grouped)
        return give(w, in, lane, to, barrier, (uint8_t *)answer);
    for (uint32_t rank = 0; rank < b->cluster->count; rank++)
        if (!give(w, in, lane, cluster_mapped(b, to, rank), cluster_mapped(b, barrier, rank), (uint8_t *)answer))
            return false;
    return true;
}

const struct insn *op_cancel(struct warp *w, const struct insn *in)
{
    FOR_LANES(lane, w->mask)
    {
        if (!cancel_lane(w, in, (int)lane))
            return NULL;
    }
    return in + 1;
}

/** A word of the answer that a lane's register of 128 bits holds. */
static uint32_t word_of(const struct warp *w, const struct insn *in, unsigned lane, unsigned word)
{
    const uint64_t *halves = warp_reg(w, in->src[0]);
    return (uint32_t)(halves[word / 2 * WARP_LANES + lane] >> 32 * (word % 2));
}

const struct insn *op_cancel_asked(struct warp *w, const struct insn *in)
{
    uint32_t bits = 0;
    FOR_LANES(lane, w->mask)
    {
        uint32_t yes = word_of(w, in, lane, 3) & 1;
        bits |= yes << lane;
        w->block->cancel_failed |= !yes;
    }
    alu_store_pred(w, in->dst, bits);
    return in + 1;
}

const struct insn *op_cancel_first(struct warp *w, const struct insn *in)
{
    uint32_t *to = warp_reg(w, in->dst);
    FOR_LANES(lane, w->mask)
    {
        to[lane] = word_of(w, in, lane, (unsigned)in->imm);
    }
    return in + 1;
}
