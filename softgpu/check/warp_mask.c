/**
 * @file warp_mask.c
 * Member masks of what lanes of a warp do together: __syncwarp, shuffles, votes (PTX ISA 9.7.9.6, 9.7.13.2,
 * 9.7.13.9). Each lane is in the mask that it names itself, lanes that name each other name the same mask, and
 * who is named comes, or has left the kernel. What is for whole warps (9.7.14: wmma, mma, ldmatrix) all 32 lanes
 * execute together, and mean the same matrix. What happens otherwise is undefined; lanes then often go on
 * by luck, so that nothing else tells of it.
 */
#include <assert.h>
#include <stdlib.h>

#include "analyse/flow.h"
#include "analyse/paths.h"
#include "analyse/varies.h"
#include "check/checkers.h"
#include "check/passed_by.h"
#include "check/warp_groups.h"
#include "code/fragment.h"
#include "code/frame.h"
#include "execute/engine.h"
#include "execute/finding_place.h"
#include "execute/machine.h"
#include "execute/tensor/tensor.h"
#include "report/finding.h"
#include "report/reporter.h"

/** What round_by() has said. */
struct asked {
    const struct insn *place, *where, *branch;
};

struct warp_mask {
    struct machine *machine;
    int slot;
    LIST(struct asked) asked;
};

static void *warp_mask_create(struct machine *m, int slot)
{
    struct warp_mask *k = malloc(sizeof *k);
    assert(k);
    *k = (struct warp_mask){.machine = m, .slot = slot};
    return k;
}

static void warp_mask_destroy(void *self)
{
    struct warp_mask *k = self;
    LIST_FREE(&k->asked);
    free(k);
}

/** Code that is unloaded leaves its place to other code. */
static void warp_mask_grid_begin(void *self, struct grid *g)
{
    struct warp_mask *k = self;
    (void)g;
    k->asked.count = 0;
}

static int lowest(uint32_t lanes)
{
    return __builtin_ctz(lanes);
}

static const char *operation_name(const struct insn *in)
{
    switch (insn_row(in)) {
    case ROW_shfl:
        return "shuffle";
    case ROW_vote:
        return "vote";
    case ROW_match:
        return "match";
    case ROW_redux:
        return "reduction";
    case ROW_elect:
        return "election";
    case ROW_wmma_load:
    case ROW_ldmatrix:
        return "matrix load";
    case ROW_wmma_store:
    case ROW_stmatrix:
        return "matrix store";
    case ROW_movmatrix:
        return "matrix transposition";
    case ROW_mma:
    case ROW_wmma_mma:
    case ROW_wgmma_mma:
        return "matrix product";
    case ROW_wgmma_fence:
    case ROW_wgmma_commit:
    case ROW_wgmma_wait:
        return "wgmma step";
    case ROW_setmaxnreg:
        return "setmaxnreg";
    default:
        return "warp barrier";
    }
}

/** One lane's part: where it is, and the mask that it names. */
struct side {
    const struct insn *in;
    int lane;
    uint32_t mask;
};

static void report_of(struct machine *m, const struct warp *w, enum finding_cause cause, uint32_t together, const struct side *a,
                      const struct side *b)
{
    enum finding_kind kind = cause == CAUSE_NO_REGISTERS ? FIND_DEADLOCK : FIND_WARP_MASK;
    struct finding f = {.kind = kind, .cause = cause, .access_count = b ? 2 : 1,
                        .kernel = w->block->grid->config.kernel->name};
    f.facts.mask = (struct mask_facts){.warp = w->index, .operation = operation_name(a->in), .together = together};
    for (int i = 0; i < f.access_count; i++) {
        const struct side *s = i ? b : a;
        bool meets = insn_class(s->in) == INSN_MEETING || insn_class(s->in) == INSN_TENSOR;
        const char *op = meets ? operation_name(s->in) : "branch";
        f.facts.mask.threads[i] = w->index * WARP_LANES + s->lane;
        f.facts.mask.masks[i] = s->mask;
        finding_access_fill(&f.accesses[i], w, s->lane, s->in, op);
    }
    report_finding(machine_reporter(m), &f);
}

static void report(struct machine *m, const struct warp *w, enum finding_cause cause, const struct side *a, const struct side *b)
{
    report_of(m, w, cause, w->mask, a, b);
}

/* ---- Lanes that come together ---- */

static uint32_t lanes_with(const uint32_t *members, uint32_t among, uint32_t mask)
{
    uint32_t same = 0;
    for (; among; among &= among - 1)
        same |= (uint32_t)(members[lowest(among)] == mask) << lowest(among);
    return same;
}

/** Whether running lane `lane`, and lane `other` whose registers begin at `frame`, have come where they are by the same calls. */
static bool same_calls(const struct warp *w, int lane, int other, uint32_t frame)
{
    uint32_t mine = w->frame_offset;
    while (mine && frame) {
        const struct frame_header *x = frame_at(w, mine), *y = frame_at(w, frame);
        if (x->return_pc[lane] != y->return_pc[other])
            return false;
        mine = x->caller_frame[lane];
        frame = y->caller_frame[other];
    }
    return mine == frame;
}

/** The first running lane below `lane` whose mask overlaps and differs from that lane's, and that should not: in a function
 *  both may be at the same instruction for two calls, and one comes to the other's later. @return -1: there is none */
static int at_odds(const struct warp *w, const uint32_t *members, int lane)
{
    for (uint32_t rest = w->mask & ((1u << lane) - 1); rest; rest &= rest - 1) {
        int other = lowest(rest);
        bool mutual = members[other] >> lane & 1 && members[lane] >> other & 1;
        if (members[other] != members[lane] && members[other] & members[lane] &&
            (mutual || same_calls(w, lane, other, w->frame_offset)))
            return other;
    }
    return -1;
}

/** A lane of the running group that is not in its own mask; else two whose masks overlap and differ. */
static void look_at_group(struct machine *m, const struct warp *w, const struct insn *in, const uint32_t *members)
{
    for (uint32_t rest = w->mask, same, seen = 0; rest; rest &= ~same) {
        int lane = lowest(rest);
        uint32_t mask = members[lane];
        same = lanes_with(members, rest, mask);
        if (same & ~mask) {
            int outside = lowest(same & ~mask);
            report(m, w, CAUSE_NOT_IN_MASK, &(struct side){in, outside, mask}, NULL);
            return;
        }
        int other = seen & mask ? at_odds(w, members, lane) : -1;
        if (other >= 0) {
            report(m, w, CAUSE_MASKS_DIFFER, &(struct side){in, other, members[other]},
                   &(struct side){in, lane, mask});
            return;
        }
        seen |= mask;
    }
}

/* ---- Lanes that wait, and others that are somewhere else ---- */

static void tell_passed_by(struct machine *m, const struct warp *w, const struct group *g, uint32_t lanes)
{
    report(m, w, CAUSE_MASK_PASSED_BY, &(struct side){g->pc, lowest(g->mask), g->members},
           &(struct side){g->parted, lowest(lanes), 0});
}

/** Compilers unroll loops that vote or shuffle: one line of the program, several instructions, and lanes that are
 *  at different ones meet as they should. */
static bool same_line(const struct warp *w, const struct insn *a, const struct insn *b)
{
    const struct site *sites = w->block->grid->config.kernel->image->sites;
    return sites[a->site].line == sites[b->site].line && sites[a->site].file == sites[b->site].file;
}

/** The same of functions that were inlined: called from the same lines. */
static bool same_call(const struct warp *w, const struct insn *a, const struct insn *b)
{
    const struct site *x = &w->block->grid->config.kernel->image->sites[a->site];
    const struct site *y = &w->block->grid->config.kernel->image->sites[b->site];
    bool same = same_line(w, a, b) && x->caller_count == y->caller_count;
    for (int i = 0; same && i < x->caller_count; i++)
        same = x->callers[i].line == y->callers[i].line && x->callers[i].file == y->callers[i].file;
    return same;
}

/** Lanes that name each other wait at two places, of which those at the later one come to the earlier one no more: they have gone round it, whichever
 *  came first. */
static void look_at_apart(struct machine *m, const struct warp *w, const struct side *runs, uint32_t lanes, const struct group *g)
{
    const struct function *f = w->block->grid->config.kernel;
    if (!flow_holds(f, runs->in) || !flow_holds(f, g->pc) || !(runs->mask & g->mask) || !(runs->mask & lanes))
        return;
    const struct side waits = {g->pc, lowest(g->mask), g->members};
    bool behind = path_find(f, g->pc, runs->in, NULL, NULL) == PATH_NONE;
    const struct side *earlier = behind ? runs : &waits, *later = behind ? &waits : runs;
    if (path_find(f, earlier->in, later->in, NULL, NULL) != PATH_AHEAD || path_find(f, later->in, earlier->in, NULL, NULL) != PATH_NONE)
        return;
    const struct insn *branch = path_gone_round(f, earlier->in, later->in, branch_is_uniform);
    if (branch)
        report(m, w, CAUSE_MASK_PASSED_BY, earlier, &(struct side){branch, later->lane, 0});
}

/** The running lanes with mask `members` at `in`, beside a group that waits. */
static void look_at_waiting(struct machine *m, const struct warp *w, const struct insn *in, uint32_t lanes,
                            uint32_t members, const struct group *g)
{
    bool here = g->pc == in && g->members & members, mutual = g->members & lanes && members & g->mask;
    /* In a function both may be at the same instruction for two calls, of which these lanes have yet to come to one. */
    here = here && (same_calls(w, lowest(lanes), lowest(g->mask), g->frame) || passed_by(w, g, place_in_kernel(w, g), lanes));
    if (g->members != members && (here || mutual))
        report(m, w, CAUSE_MASKS_DIFFER, &(struct side){g->pc, lowest(g->mask), g->members},
               &(struct side){in, lowest(lanes), members});
    if (insn_class(in) == INSN_TENSOR && insn_class(g->pc) == INSN_TENSOR && !same_call(w, g->pc, in))
        report(m, w, CAUSE_WARP_APART, &(struct side){g->pc, lowest(g->mask), g->members},
               &(struct side){in, lowest(lanes), members});
    const struct function *f = w->block->grid->config.kernel;
    uint32_t round = g->members == members && !same_line(w, g->pc, in) ? passed_by(w, g, g->pc, lanes) : 0;
    if (round && flow_holds(f, in) && path_find(f, g->pc, in, NULL, NULL) == PATH_AHEAD)
        tell_passed_by(m, w, g, round);
    else if (g->members == members && !same_line(w, g->pc, in))
        look_at_apart(m, w, &(struct side){in, lowest(lanes), members}, lanes, g);
}

static const struct insn *known_round_by(struct warp_mask *k, const struct function *f, const struct insn *place, const struct insn *where)
{
    for (int i = 0; i < k->asked.count; i++)
        if (k->asked.data[i].place == place && k->asked.data[i].where == where)
            return k->asked.data[i].branch;
    struct asked now = {place, where, round_by(f, place, where)};
    *LIST_PUSH(&k->asked) = now;
    return now.branch;
}

/** The waiting lanes name some that have gone round. */
static void tell_round(struct machine *m, const struct warp *w, const struct side *waits, const struct insn *branch, uint32_t named)
{
    if (branch)
        report(m, w, CAUSE_MASK_PASSED_BY, waits, &(struct side){branch, lowest(named), 0});
}

/** The running lanes with mask `members` at `in` name others of `g` that stand behind that place already; or those wait, name some of these, and
 *  are not named by them: where these are now no other meeting comes. In natural order, where nobody is behind by a drawn turn. */
static void look_at_named(struct warp_mask *k, const struct warp *w, const struct insn *in, uint32_t lanes, uint32_t members,
                          const struct group *g)
{
    const struct function *f = w->block->grid->config.kernel;
    const struct group here = {.pc = in, .frame = w->frame_offset, .mask = lanes};
    const struct insn *mine = place_in_kernel(w, &here), *others = place_in_kernel(w, g);
    uint32_t named = g->mask & members & ~w->groups[w->current].parted_others, waited_for = lanes & g->members & ~g->parted_others;
    if (g->state != GROUP_AT_WARP_SYNC && named && !may_meet_at(others))
        tell_round(k->machine, w, &(struct side){in, lowest(lanes), members}, known_round_by(k, f, mine, others), named);
    if (g->state == GROUP_AT_WARP_SYNC && waited_for && !(members & g->mask) && mine == in)
        tell_round(k->machine, w, &(struct side){g->pc, lowest(g->mask), g->members}, known_round_by(k, f, others, mine), waited_for);
}

/** What whole warps execute: who has left, or never was; and lanes that do not mean the same matrix. */
static void look_at_whole(struct machine *m, const struct warp *w, const struct insn *in)
{
    if (w->live != UINT32_MAX)
        report(m, w, CAUSE_WARP_NOT_WHOLE, &(struct side){in, lowest(w->mask), w->live}, NULL);
    int other = tensor_other_matrix(w, in);
    if (other >= 0)
        report(m, w, CAUSE_WARP_OPERANDS, &(struct side){in, lowest(w->mask), UINT32_MAX},
               &(struct side){in, other, UINT32_MAX});
}

static void warp_mask_arrive(void *self, const struct warp *w, const struct insn *in, const uint32_t members[32])
{
    struct warp_mask *k = self;
    struct machine *machine = k->machine;
    if (insn_class(in) == INSN_TENSOR)
        look_at_whole(machine, w, in);
    else
        look_at_group(machine, w, in, members);
    for (int i = 0; i < w->group_count; i++) {
        const struct group *g = &w->groups[i];
        for (uint32_t rest = i == w->current ? 0 : w->mask, same; rest; rest &= ~same) {
            same = lanes_with(members, rest, members[lowest(rest)]);
            if (g->state == GROUP_AT_WARP_SYNC)
                look_at_waiting(machine, w, in, same, members[lowest(rest)], g);
            if (machine->schedule == SCHEDULE_NATURAL)
                look_at_named(k, w, in, same, members[lowest(rest)], g);
        }
    }
}

/** Lanes leave while others wait for them. That is no fault of lanes that leave early, but of those that
 *  went round the place and on behind it. */
static void warp_mask_exit(void *self, const struct warp *w, uint32_t lanes)
{
    for (int i = 0; i < w->group_count; i++) {
        const struct group *g = &w->groups[i];
        uint32_t round = g->state == GROUP_AT_WARP_SYNC ? passed_by(w, g, place_in_kernel(w, g), lanes) : 0;
        if (round)
            tell_passed_by(((const struct warp_mask *)self)->machine, w, g, round);
    }
}

/** Lanes can go on no more, and some are at a barrier of the block: those that went round where others wait for them. */
static void warp_mask_diverged(void *self, const struct warp *w)
{
    for (int i = 0; i < w->group_count; i++) {
        const struct group *g = &w->groups[i];
        uint32_t round = g->state == GROUP_AT_WARP_SYNC ? passed_by(w, g, place_in_kernel(w, g), w->live & ~g->mask) : 0;
        if (!round)
            continue;
        tell_passed_by(((const struct warp_mask *)self)->machine, w, g, round);
        return;
    }
}

/* ---- Warp groups ---- */

static void warp_mask_block_begin(void *self, struct block *b)
{
    const struct warp_mask *k = self;
    b->check[k->slot] = NULL; /* made by the first wgmma or setmaxnreg */
}

static void warp_mask_tensor(void *self, const struct warp *w, const struct insn *in)
{
    const struct warp_mask *k = self;
    struct warp_groups *groups = w->block->check[k->slot];
    warp_groups_note(&groups, w, in);
    w->block->check[k->slot] = groups;
}

static void tell_misuse(struct machine *m, const struct block *b, const struct group_misuse *x)
{
    static const enum finding_cause causes[] = {
        [GROUP_IS_NOT_WHOLE] = CAUSE_GROUP_NOT_WHOLE, [GROUP_DIFFERS] = CAUSE_GROUP_REGISTERS, [GROUP_LACKS] = CAUSE_NO_REGISTERS};
    if (x->kind == GROUP_UNKNOWN) {
        report_incomplete_of(machine_reporter(m), INCOMPLETE_REGISTERS, b->grid->config.kernel->name);
        return;
    }
    struct side one = {x->in, 0, x->in->imm & REGISTERS_COUNT};
    struct side two = {x->other ? x->other : x->in, (x->second - x->first) * WARP_LANES, x->other ? x->other->imm & REGISTERS_COUNT : 0};
    report_of(m, &b->warps[x->first], causes[x->kind], x->together, &one, x->kind == GROUP_LACKS && !x->other ? NULL : &two);
}

static void warp_mask_block_end(void *self, const struct block *b)
{
    const struct warp_mask *k = self;
    struct warp_groups *groups = b->check[k->slot];
    struct group_misuse found[MOST_GROUPS + 1];
    int count = groups && b->grid->status == GRID_RUNNING ? warp_groups_misused(k->machine, b, groups, found) : 0;
    for (int i = 0; i < count; i++)
        tell_misuse(k->machine, b, &found[i]);
    warp_groups_free(groups);
}

const struct observer warp_mask_checker = {
    .name = "mask",
    .create = warp_mask_create,
    .destroy = warp_mask_destroy,
    .grid_begin = warp_mask_grid_begin,
    .block_begin = warp_mask_block_begin,
    .block_end = warp_mask_block_end,
    .tensor = warp_mask_tensor,
    .warp_arrive = warp_mask_arrive,
    .exit = warp_mask_exit,
    .diverged = warp_mask_diverged,
};
