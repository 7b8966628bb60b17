/**
 * @file warp_sync.c
 * Instructions by which lanes of a warp meet: bar.warp.sync, shfl, vote, match, redux
 * (PTX ISA 9.7.9.6, 9.7.13.2, 9.7.13.7 to 9.7.13.10).
 *
 * A lane waits until every lane of its member mask that has not exited waits for the same mask in
 * the same operation. They need not stand at the same instruction: each lane brings its operands
 * from its own registers and takes its result back there. A meeting lists who takes part.
 */
#include "execute/chooser.h"
#include "execute/engine.h"
#include "execute/fast_shuffle.h"
#include "execute/grid.h"
#include "execute/meeting.h"
#include "execute/tensor/tensor.h"
#include "execute/warp_run.h"
#include "execute/worker.h"

static void apply_sync(struct warp *w, const struct meeting *m)
{
    OBSERVE(&warp_machine(w)->observers, warp_sync, w, m->party[0].in, m->lanes & m->members);
}

/** A lane that runs alone takes what the chooser says that it gets of the others. */
static void apply_chosen(struct warp *w, const struct meeting *m)
{
    const struct machine *machine = warp_machine(w);
    uint64_t result = 0;
    if (!machine->chooser.how->exchange(machine->chooser.self, w, m->party[0].in, m->members, &result))
        grid_cut(w->block->grid);
    meeting_takes(w, m, result);
}

static void apply(struct warp *w, const struct meeting *m)
{
    const struct chooser *how = warp_machine(w)->chooser.how;
    if (how && how->exchange && insn_class(m->party[0].in) != INSN_TENSOR && insn_row(m->party[0].in) != ROW_bar_warp)
        return apply_chosen(w, m);
    if (insn_class(m->party[0].in) == INSN_TENSOR)
        return tensor_apply(w, m);
    switch (insn_row(m->party[0].in)) {
    case ROW_shfl:
        return apply_shfl(w, m);
    case ROW_vote:
        return apply_vote(w, m);
    case ROW_match:
        return apply_match(w, m);
    case ROW_redux:
        return apply_redux(w, m);
    case ROW_elect:
        return apply_elect(w, m);
    default:
        return apply_sync(w, m);
    }
}

/** Do two groups wait for each other? What is for whole warps is executed as one instruction. */
static bool waits_with(const struct group *a, const struct group *b)
{
    if (insn_class(a->pc) == INSN_TENSOR)
        return a->pc == b->pc && a->frame == b->frame;
    return a->pc->op == b->pc->op && a->pc->imm == b->pc->imm;
}

/** Everyone who waits for the same mask in the same operation as `g`. */
static void invite(const struct warp *w, const struct group *g, struct meeting *m)
{
    m->count = 0;
    m->lanes = 0;
    m->members = g->members;
    for (int i = 0; i < w->group_count; i++) {
        const struct group *other = &w->groups[i];
        if (other->state != GROUP_AT_WARP_SYNC || other->members != g->members || !waits_with(g, other))
            continue;
        m->party[m->count++] = (struct party){other->pc, other->mask, w->file + other->frame};
        m->lanes |= other->mask;
    }
}

bool warp_sync_settle(struct warp *w)
{
    bool any = false;
    for (int i = 0; i < w->group_count; i++) {
        struct group *g = &w->groups[i];
        struct meeting m;
        if (g->state != GROUP_AT_WARP_SYNC)
            continue;
        invite(w, g, &m);
        if (g->members & w->live & ~m.lanes || (insn_class(g->pc) == INSN_TENSOR && tensor_awaits_others(w, g->pc)))
            continue;
        apply(w, &m);
        for (int j = 0; j < w->group_count; j++) {
            struct group *other = &w->groups[j];
            if (other->state == GROUP_AT_WARP_SYNC && !(other->mask & ~m.lanes)) {
                other->state = GROUP_READY;
                other->pc++;
            }
        }
        any = true;
    }
    return any;
}

/** Do all 32 lanes, as they mostly do, name those? Without a branch a lane. */
static bool all_name(const uint32_t masks[WARP_LANES], uint32_t members)
{
    uint32_t other = 0;
    for (int lane = 0; lane < WARP_LANES; lane++)
        other |= masks[lane] ^ members;
    return !other;
}

/** Lanes of `mask` that name the same members as the first of them. */
static uint32_t same_members(const uint32_t *masks, uint32_t mask)
{
    uint32_t members = masks[__builtin_ctz(mask)], same = 0;
    if (mask == UINT32_MAX && all_name(masks, members))
        return mask;
    EACH_LANE(lane, mask) same |= (uint32_t)(masks[lane] == members) << lane;
    return same;
}

/** Lanes of one group may name different masks, each naming only lanes that are here (the tiles of a
 *  warp): they meet tile by tile, and stay together. @return false if somebody else is waited for */
static bool meet_tiles(struct warp *w, const struct insn *in, const uint32_t *masks)
{
    for (uint32_t rest = w->mask, same; rest; rest &= ~same) {
        same = same_members(masks, rest);
        if (masks[__builtin_ctz(rest)] & w->live & ~same)
            return false;
    }
    for (uint32_t rest = w->mask, same; rest; rest &= ~same) {
        same = same_members(masks, rest);
        struct meeting m = {.count = 1, .lanes = same, .members = masks[__builtin_ctz(same)]};
        m.party[0] = (struct party){in, same, w->frame};
        apply(w, &m);
    }
    return true;
}

/** Has the whole warp come, and does each lane name all of it? `masks` NULL: they name none. */
static bool is_whole(const struct warp *w, const uint32_t *masks)
{
    uint32_t named = masks ? w->full : 0;
    if (masks && w->mask == UINT32_MAX && all_name(masks, UINT32_MAX))
        return true;
    for (uint32_t m = w->mask; m && masks; m &= m - 1)
        named &= masks[__builtin_ctz(m)];
    return w->mask == w->full && named == w->full;
}

/** The running group arrives. */
static const struct insn *arrive(struct warp *w, const struct insn *in, uint32_t mask_reg)
{
    if (warp_machine(w)->checked)
        w->block->grid->came_apart |= !is_whole(w, mask_reg == REG_NONE ? NULL : warp_reg(w, mask_reg));
    if (mask_reg == REG_NONE) {
        struct meeting m = {.count = 1, .lanes = w->mask, .members = w->mask};
        m.party[0] = (struct party){in, w->mask, w->frame};
        apply(w, &m);
        return in + 1;
    }
    const uint32_t *masks = warp_reg(w, mask_reg);
    OBSERVE(&warp_machine(w)->observers, warp_arrive, w, in, masks);
    if (meet_tiles(w, in, masks))
        return in + 1;
    uint32_t same = same_members(masks, w->mask);
    if (same != w->mask)
        warp_split(w, in, w->mask & ~same, in);
    w->groups[w->current].members = masks[__builtin_ctz(same)];
    warp_stop(w, in, in, GROUP_AT_WARP_SYNC);
    warp_sync_settle(w);
    return NULL;
}

const struct insn *op_bar_warp_sync(struct warp *w, const struct insn *in)
{
    return arrive(w, in, in->src[0]);
}

/** Does the whole warp shuffle, and is nobody told or asked? */
static bool shuffles_unseen(const struct warp *w, const struct insn *in)
{
    const struct machine *m = warp_machine(w);
    return w->mask == UINT32_MAX && !m->checked && !m->observers.count && !m->chooser.how &&
           (in->src[3] == REG_NONE || all_name(warp_reg(w, in->src[3]), UINT32_MAX));
}

const struct insn *op_shfl(struct warp *w, const struct insn *in)
{
    if (shuffles_unseen(w, in)) {
        fast_shuffle(w, in);
        return in + 1;
    }
    return arrive(w, in, in->src[3]);
}

const struct insn *op_vote(struct warp *w, const struct insn *in)
{
    return arrive(w, in, in->src[3]);
}

const struct insn *op_match(struct warp *w, const struct insn *in)
{
    return arrive(w, in, in->src[3]);
}

const struct insn *op_redux(struct warp *w, const struct insn *in)
{
    return arrive(w, in, in->src[3]);
}

const struct insn *op_elect(struct warp *w, const struct insn *in)
{
    return arrive(w, in, in->src[3]);
}

const struct insn *op_activemask(struct warp *w, const struct insn *in)
{
    uint32_t *dst = warp_reg(w, in->dst);
    for (int lane = 0; lane < WARP_LANES; lane++)
        dst[lane] = w->lane_mask[lane] ? w->mask : dst[lane];
    return in + 1;
}
