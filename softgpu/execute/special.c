/**
 * @file special.c
 * Special registers (PTX ISA 10). One row each: what a lane reads from it.
 *
 * %clock and %globaltimer advance with the warp instructions issued so far and the clock reads among
 * them: they never stand still and they replay, but say nothing about speed.
 */
#include "execute/block.h"
#include "execute/engine.h"
#include "execute/grid_run.h"
#include "execute/nested.h"
#include "execute/reserved.h"
#include "execute/warp_run.h"
#include "execute/worker.h"

#include <string.h>

static uint64_t read_tid(const struct warp *w, int lane, int which)
{
    return w->thread_id[which][lane];
}

static uint64_t read_ntid(const struct warp *w, int lane, int which)
{
    (void)lane;
    return w->block->grid->config.block[which];
}

static uint64_t read_ctaid(const struct warp *w, int lane, int which)
{
    (void)lane;
    return w->block->id[which];
}

static uint64_t read_nctaid(const struct warp *w, int lane, int which)
{
    (void)lane;
    return w->block->grid->config.grid[which];
}

/** Blocks of a cluster along one axis. */
static uint32_t cluster_extent(const struct warp *w, int which)
{
    const struct grid_config *c = &w->block->grid->config;
    return c->cluster[0] ? c->cluster[which] : 1;
}

static uint64_t read_explicit_cluster(const struct warp *w, int lane, int which)
{
    (void)lane, (void)which;
    return w->block->grid->config.cluster[0] != 0;
}

static uint64_t read_clusterid(const struct warp *w, int lane, int which)
{
    (void)lane;
    return w->block->id[which] / cluster_extent(w, which);
}

static uint64_t read_nclusterid(const struct warp *w, int lane, int which)
{
    (void)lane;
    return w->block->grid->config.grid[which] / cluster_extent(w, which);
}

static uint64_t read_cluster_ctaid(const struct warp *w, int lane, int which)
{
    (void)lane;
    return w->block->id[which] % cluster_extent(w, which);
}

static uint64_t read_cluster_nctaid(const struct warp *w, int lane, int which)
{
    (void)lane;
    return cluster_extent(w, which);
}

/** `which`: 0 the block's rank, 1 how many there are. */
static uint64_t read_cluster_rank(const struct warp *w, int lane, int which)
{
    (void)lane;
    return which ? w->block->cluster->count : w->block->rank;
}

static uint64_t read_laneid(const struct warp *w, int lane, int which)
{
    (void)w, (void)which;
    return (uint64_t)lane;
}

static uint64_t read_lanemask(const struct warp *w, int lane, int which)
{
    uint32_t self = 1u << lane;
    uint32_t below = self - 1;
    uint32_t masks[] = {self, below | self, below, ~below, ~(below | self)};
    (void)w;
    return masks[which];
}

enum { WARP_ID, WARP_COUNT, SM_ID, SM_COUNT, GRID_ID, SHARED_TOTAL, SHARED_DYNAMIC };

static uint64_t read_place(const struct warp *w, int lane, int which)
{
    const struct block *b = w->block;
    const struct device_model *d = w->worker->machine->options.device;
    (void)lane;
    switch (which) {
    case WARP_ID:
        return (uint64_t)w->index;
    case WARP_COUNT:
        return (uint64_t)(d->max_threads_per_sm / WARP_LANES);
    case SM_ID:
        return (uint64_t)(b->sm % d->sms);
    case SM_COUNT:
        return (uint64_t)d->sms;
    case GRID_ID:
        return grid_run(b->grid)->number;
    case SHARED_TOTAL:
        return b->shared_bytes;
    default:
        return b->grid->config.dynamic_shared;
    }
}

enum { CLOCK_LOW, CLOCK_HIGH, CLOCK_ALL, TIMER_LOW, TIMER_HIGH, TIMER_ALL };

/** What reading the clock takes; and when a warp does hardly anything else, how far it jumps, so that
 *  long waits by the clock are not long to execute. */
#define CLOCKS_PER_READ 40
#define CLOCKS_PER_POLL 256
#define READS_IN_A_ROW 1024
#define FEW_INSTRUCTIONS 16
/** In a loop that does nothing else, twice as far after so many more reads, so often: by a 256th, at most, it waits too long. */
#define READS_PER_DOUBLING 128
#define MOST_DOUBLINGS 24

/** Is it in a loop of few instructions that only computes? What that waits for is the clock, and nobody else. */
static bool waits_for_clock(const struct insn *in)
{
    for (const struct insn *at = in + 1; at < in + FEW_INSTRUCTIONS; at++) {
        if (insn_class(at) == INSN_BRANCH && at->target <= in && in - at->target < FEW_INSTRUCTIONS) {
            for (const struct insn *before = at->target; before < in; before++)
                if (insn_class(before) != INSN_COMPUTE && insn_class(before) != INSN_BRANCH)
                    return false;
            return true;
        }
        if (insn_class(at) != INSN_COMPUTE && insn_class(at) != INSN_BRANCH)
            return false;
    }
    return false;
}

/** The clock is being read, which takes time. */
static void pass_time(struct warp *w, bool alone)
{
    bool again = w->instructions - w->clock_read_at < FEW_INSTRUCTIONS;
    unsigned most = alone ? UINT16_MAX : READS_IN_A_ROW, reads = again ? w->clock_reads + 1u : 0;
    w->clock_reads = (uint16_t)(reads < most ? reads : most);
    w->clock_read_at = w->instructions;
    if (w->clock_reads < READS_IN_A_ROW) {
        w->waited += CLOCKS_PER_READ;
    } else {
        unsigned doublings = (w->clock_reads - READS_IN_A_ROW) / READS_PER_DOUBLING;
        w->waited += (uint64_t)CLOCKS_PER_POLL << (doublings < MOST_DOUBLINGS ? doublings : MOST_DOUBLINGS);
    }
}

/** A warp's clock: when its block began, plus its own instructions and waiting; and what is made of that (held_clock.c). */
static uint64_t read_clock(const struct warp *w, int lane, int which)
{
    (void)lane;
    uint64_t t = clock_shown(warp_machine(w), w->block->start_clock + w->instructions * CLOCKS_PER_INSTRUCTION + w->waited);
    uint64_t khz = (uint64_t)warp_machine(w)->options.device->sm_clock_khz;
    if (which >= TIMER_LOW)
        t = t / khz * 1000000 + t % khz * 1000000 / khz;
    switch (which) {
    case CLOCK_LOW:
    case TIMER_LOW:
        return (uint32_t)t;
    case CLOCK_HIGH:
    case TIMER_HIGH:
        return t >> 32;
    default:
        return t;
    }
}

/** %envreg1 and 2 give cooperative launches their workspace, as nvcc's grid.sync() expects. */
static uint64_t read_envreg(const struct warp *w, int which)
{
    uint64_t workspace = w->block->grid->envreg_workspace;
    return which == 1 ? workspace >> 32 : which == 2 ? (uint32_t)workspace : 0;
}

static uint64_t read_constant(const struct warp *w, int lane, int which)
{
    (void)w, (void)lane;
    return (uint64_t)which;
}

static uint64_t read_graph(const struct warp *w, int lane, int which)
{
    (void)lane, (void)which;
    return nested_current_graph(w->block);
}

/** By insn->imm of rows special and special_ordered. */
static const struct special {
    uint64_t (*read)(const struct warp *w, int lane, int which);
    int which;
} specials[] = {
#define SPECIAL(name, reader, argument, ordered) {read_##reader, argument},
#include "code/specials.def"
};

#define SPECIAL_HANDLER(name, type)                                                                \
    static const struct insn *name(struct warp *w, const struct insn *in)                          \
    {                                                                                              \
        const struct special *s = &specials[in->imm];                                              \
        warp_count(w, in - 1, in); /* so that clocks advance within a stretch */                   \
        type *dst = warp_reg(w, in->dst);                                                          \
        for (int lane = 0; lane < WARP_LANES; lane++)                                              \
            if (w->lane_mask[lane])                                                                \
                dst[lane] = (type)s->read(w, lane, s->which);                                        \
        return in + 1;                                                                             \
    }

SPECIAL_HANDLER(special_16, uint16_t)
SPECIAL_HANDLER(special_32, uint32_t)
SPECIAL_HANDLER(special_64, uint64_t)

/** The clock, which is the same in all lanes. `alone`: waits_for_clock(). */
#define CLOCK_HANDLER(name, type, alone)                                                           \
    static const struct insn *name(struct warp *w, const struct insn *in)                          \
    {                                                                                              \
        warp_count(w, in - 1, in);                                                                 \
        pass_time(w, alone);                                                                       \
        type *dst = warp_reg(w, in->dst), t = (type)read_clock(w, 0, specials[in->imm].which);     \
        if (w->mask == UINT32_MAX)                                                                 \
            for (int lane = 0; lane < WARP_LANES; lane++)                                          \
                dst[lane] = t;                                                                     \
        else                                                                                       \
            for (int lane = 0; lane < WARP_LANES; lane++)                                          \
                dst[lane] = w->lane_mask[lane] ? t : dst[lane];                                    \
        return in + 1;                                                                             \
    }

CLOCK_HANDLER(clock_32, uint32_t, false)
CLOCK_HANDLER(clock_64, uint64_t, false)
CLOCK_HANDLER(clock_alone_32, uint32_t, true)
CLOCK_HANDLER(clock_alone_64, uint64_t, true)

static handler_fn select_clock(const struct insn *in)
{
    bool alone = waits_for_clock(in);
    if (in->mem.reg_bytes == 8)
        return alone ? clock_alone_64 : clock_64;
    return alone ? clock_alone_32 : clock_32;
}

/** %tid in a 32-bit register: every kernel starts with it. */
static const struct insn *special_tid(struct warp *w, const struct insn *in)
{
    uint32_t *dst = warp_reg(w, in->dst);
    const uint32_t *id = w->thread_id[specials[in->imm].which];
    for (int lane = 0; lane < WARP_LANES; lane++)
        dst[lane] = w->lane_mask[lane] ? id[lane] : dst[lane];
    return in + 1;
}

/** The same in all lanes of a warp, in a 32-bit register: of which block, and how many. */
static const struct insn *special_block(struct warp *w, const struct insn *in)
{
    const struct special *s = &specials[in->imm];
    uint32_t *dst = warp_reg(w, in->dst), value = (uint32_t)s->read(w, 0, s->which);
    for (int lane = 0; lane < WARP_LANES; lane++)
        dst[lane] = w->lane_mask[lane] ? value : dst[lane];
    return in + 1;
}

static bool is_of_block(const struct special *s)
{
    return s->read == read_ntid || s->read == read_ctaid || s->read == read_nctaid;
}

/** The one that is a predicate. */
static const struct insn *special_pred(struct warp *w, const struct insn *in)
{
    const struct special *s = &specials[in->imm];
    uint32_t *dst = warp_reg(w, in->dst);
    *dst = s->read(w, 0, s->which) ? *dst | w->mask : *dst & ~w->mask;
    return in + 1;
}

#define NUMBERED_HANDLER(name, type)                                                               \
    static const struct insn *name(struct warp *w, const struct insn *in)                          \
    {                                                                                              \
        type *dst = warp_reg(w, in->dst);                                                          \
        type value = (type)read_envreg(w, (int)in->imm);                                   \
        for (int lane = 0; lane < WARP_LANES; lane++)                                              \
            dst[lane] = w->lane_mask[lane] ? value : dst[lane];                                    \
        return in + 1;                                                                             \
    }

NUMBERED_HANDLER(envreg_32, uint32_t)
NUMBERED_HANDLER(envreg_64, uint64_t)

handler_fn select_special(const struct insn *in)
{
    unsigned bytes = in->mem.reg_bytes;
    if (insn_row(in) == ROW_envreg)
        return bytes == 8 ? envreg_64 : envreg_32;
    if (bytes == 4 && specials[in->imm].read == read_tid)
        return special_tid;
    if (bytes == 4 && is_of_block(&specials[in->imm]))
        return special_block;
    if (specials[in->imm].read == read_clock)
        return select_clock(in);
    return bytes == 8 ? special_64 : bytes == 1 ? special_pred : bytes == 4 ? special_32 : special_16;
}
