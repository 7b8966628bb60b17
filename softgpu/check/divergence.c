/**
 * @file divergence.c
 * Barrier divergence: lanes of one warp that do not reach the same aligned barrier together
 * (PTX ISA 9.7.13.1: all threads in the warp must execute the same barrier instruction). Lanes that
 * have left the kernel do not count; but lanes that went past the barrier in an if or a loop, and
 * whose way meets the others' behind it, do, whether they then wait elsewhere, leave, or come round
 * to the same barrier in a later turn. But where all threads go the same way each time, those that part there are only at different
 * turns of a loop.
 *
 * Whole warps are counted one by one at whatever bar.sync of a number they come to (PTX ISA 9.7.13.1), so a block may
 * get on although they stand at different lines, or although one has left the barrier out and the kernel. But
 * __syncthreads() in conditional code is for conditions that are the same for the whole block (CUDA C++ Programming Guide,
 * "Synchronization Functions"): a warning, for barriers without a count.
 *
 * The threads of a warp may come to barrier.sync at several places: so they may to sync() of cooperative groups for a
 * block or the grid, and barrier.cluster.arrive. That all threads come to one is asked of it all the same (CUDA C++ Programming Guide,
 * "Cooperative Groups": all threads of a group take part in its collective operations): a warning, too, and for a cluster also where
 * a whole warp or block has left its barrier out, and the kernel.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/effects.h"
#include "analyse/flow.h"
#include "analyse/paths.h"
#include "analyse/varies.h"
#include "base/clear.h"
#include "check/checkers.h"
#include "check/passed_by.h"
#include "execute/machine.h"
#include "execute/fault.h"
#include "execute/finding_place.h"
#include "report/finding.h"
#include "report/reporter.h"

/** What has been found out about a branch, the way taken at it, and a barrier or the call that leads to it. */
struct asked {
    const struct insn *branch, *way, *barrier;
    bool goes_on;
    bool passes_by;
};

struct divergence {
    struct machine *machine;
    int slot;
    LIST(struct asked) asked;
};

static void *divergence_create(struct machine *m, int slot)
{
    struct divergence *d = calloc(1, sizeof *d);
    assert(d);
    d->machine = m;
    d->slot = slot;
    return d;
}

static void divergence_destroy(void *self)
{
    struct divergence *d = self;
    LIST_FREE(&d->asked);
    free(d);
}

/** Does each thread come to it by itself? Then it counts as well from another place. */
static bool is_unaligned(const struct insn *barrier)
{
    return insn_class(barrier) == INSN_BARRIER && !(barrier->imm & 1);
}

static bool is_of_cluster(const struct insn *in)
{
    return insn_class(in) == INSN_BARRIER && in->op->flags & OP_CLUSTER;
}

static bool leads_to_barrier(const struct insn *in, const void *context)
{
    (void)context;
    return insn_class(in) == INSN_CALL && call_may_wait(in);
}

static bool joins_block(const struct insn *in, const void *context)
{
    return (insn_class(in) == INSN_BARRIER && !is_of_cluster(in)) || leads_to_barrier(in, context);
}

static bool joins_cluster(const struct insn *in, const void *context)
{
    return is_of_cluster(in) || leads_to_barrier(in, context);
}

/** Where else threads may take part in what waits at `barrier`, to which `place` has led; NULL: nowhere. A cluster's counts threads, those of
 *  whole warps at least. A function that is called may come to the very same barrier by another call. */
static path_end_fn elsewhere_of(const struct insn *barrier, const struct insn *place, bool whole)
{
    if (is_of_cluster(barrier) && (whole || is_unaligned(barrier)))
        return joins_cluster;
    if (!is_of_cluster(barrier) && is_unaligned(barrier))
        return joins_block;
    return place == barrier ? NULL : leads_to_barrier;
}

/* ---- Blocks ---- */

static void divergence_block_begin(void *self, struct block *b)
{
    struct divergence *d = self;
    size_t bytes = (size_t)b->warp_count * sizeof(bool);
    b->check[d->slot] = malloc(bytes); /* of such sizes malloc() has some at hand, calloc() does not */
    assert(b->check[d->slot]);
    clear(b->check[d->slot], bytes);
}

/** A warp that has left the kernel, and where it has accessed memory last. */
struct gone {
    const struct insn *there;
    uint64_t block;
    int warp;
};

/** What is known of a cluster. */
struct cluster_comers {
    const struct grid *grid;
    const struct insn *at;        /**< NULL: no whole warp has arrived in this phase; else where the first has, */
    uint64_t block;               /**< of this block, */
    int warp;
    LIST(struct gone) gone;       /**< of blocks that have ended */
};

static void divergence_block_end(void *self, const struct block *b)
{
    struct divergence *d = self;
    struct cluster_comers *c = b->cluster->check[d->slot];
    free(b->check[d->slot]);
    for (int i = 0; c && i < b->warp_count; i++)
        if (b->warps[i].accessed)
            *LIST_PUSH(&c->gone) = (struct gone){b->warps[i].accessed, b->index, i};
    if (!c || b->cluster->running > 1)
        return;
    LIST_FREE(&c->gone);
    free(c);
    b->cluster->check[d->slot] = NULL;
}

/** Has the warp been told of, at the barrier that it comes to? */
static bool *told_of(const struct divergence *d, const struct warp *w)
{
    bool *all = w->block->check[d->slot];
    return &all[w->index];
}

/* ---- Whole warps ---- */

/** The barrier at which the whole warp waits with the others, if it is one for all threads of the block; else NULL. */
static const struct insn *waits_whole(const struct warp *w, int barrier)
{
    const struct group *g = &w->groups[0];
    if (!w->live || w->group_count != 1 || g->state != GROUP_AT_BARRIER || g->barrier != barrier || g->mask & ~w->arrived_lanes)
        return NULL;
    const struct insn *in = group_stands_at(g);
    return in->src[1] == REG_NONE && insn_class(in) == INSN_BARRIER ? in : NULL;
}

static void tell_warps(struct divergence *d, enum finding_cause cause, const struct warp *w, const struct insn *in,
                       const struct warp *other, const struct insn *there)
{
    struct finding f = {.kind = FIND_BARRIER_DIVERGENCE, .level = LEVEL_WARNING, .cause = cause, .access_count = 2,
                        .kernel = w->block->grid->config.kernel->name};
    f.facts.parted = (struct parted_facts){.warp = w->index,
                                           .threads = {w->index * WARP_LANES, other->index * WARP_LANES},
                                           .unaligned = is_unaligned(in)};
    finding_access_fill(&f.accesses[0], w, 0, in, "barrier");
    finding_access_fill(&f.accesses[1], other, 0, there, memory_operation_name(there));
    report_finding(machine_reporter(d->machine), &f);
}

static bool same_line(const struct block *b, const struct insn *x, const struct insn *y)
{
    const struct site *s = b->grid->config.kernel->image->sites;
    return x == y || (s[x->site].line && s[x->site].line == s[y->site].line && s[x->site].file == s[y->site].file);
}

/** `place`: the kernel's own that has led to the barrier. */
static bool known_to_leave_out(struct divergence *d, const struct function *f, const struct insn *barrier, const struct insn *place,
                               const struct insn *behind)
{
    for (int i = 0; i < d->asked.count; i++) {
        const struct asked *a = &d->asked.data[i];
        if (!a->branch && a->way == behind && a->barrier == place)
            return a->passes_by;
    }
    bool out = flow_holds(f, place) && path_leaves_out(f, place, behind, elsewhere_of(barrier, place, true)) != NULL;
    *LIST_PUSH(&d->asked) = (struct asked){.way = behind, .barrier = place, .passes_by = out};
    return out;
}

/** The barrier at which the whole warp waits, or the kernel's call that has led there. */
static const struct insn *in_kernel(const struct warp *w, const struct insn *barrier)
{
    return w->groups[0].frame ? place_in_kernel(w, &w->groups[0]) : barrier;
}

static void look_at_warps(struct divergence *d, const struct block *b, int barrier)
{
    const struct warp *first = NULL;
    const struct insn *in = NULL;
    for (int i = 0; i < b->warp_count && !in; i++) {
        first = &b->warps[i];
        in = waits_whole(first, barrier);
    }
    for (int i = 0; i < b->warp_count && in; i++) {
        const struct warp *w = &b->warps[i];
        const struct insn *there = w->live ? waits_whole(w, barrier) : w->accessed;
        if (w->live && there && !is_unaligned(in) && !is_unaligned(there) && !same_line(b, in, there))
            tell_warps(d, CAUSE_WARPS_ELSEWHERE, first, in, w, there);
        else if (!w->live && there && known_to_leave_out(d, b->grid->config.kernel, in, in_kernel(first, in), there))
            tell_warps(d, CAUSE_WARPS_LEFT_OUT, first, in, w, there);
    }
}

/* ---- Clusters ---- */

static void divergence_cluster_arrive(void *self, const struct warp *w, const struct insn *in)
{
    struct divergence *d = self;
    struct cluster_comers **c = (struct cluster_comers **)&w->block->cluster->check[d->slot];
    if (!*c) {
        *c = calloc(1, sizeof **c);
        assert(*c);
        (*c)->grid = w->block->grid;
    }
    if (!(*c)->at && w->mask == w->live)
        (*c)->at = in, (*c)->block = w->block->index, (*c)->warp = w->index;
}

/** Has the warp that has gone left out where others have arrived? */
static void look_at_gone(struct divergence *d, const struct cluster_comers *c, const struct gone *g)
{
    const struct function *kernel = c->grid->config.kernel;
    if (!known_to_leave_out(d, kernel, c->at, c->at, g->there))
        return;
    struct finding f = {.kind = FIND_BARRIER_DIVERGENCE, .level = LEVEL_WARNING, .cause = CAUSE_WARPS_LEFT_OUT, .access_count = 2,
                        .kernel = kernel->name};
    f.facts.parted = (struct parted_facts){.warp = c->warp, .threads = {c->warp * WARP_LANES, g->warp * WARP_LANES},
                                           .unaligned = is_unaligned(c->at), .of_cluster = true, .same_block = c->block == g->block};
    finding_access_at(&f.accesses[0], c->grid, c->block, (uint32_t)c->warp * WARP_LANES, c->at, "barrier");
    finding_access_at(&f.accesses[1], c->grid, g->block, (uint32_t)g->warp * WARP_LANES, g->there, memory_operation_name(g->there));
    report_finding(machine_reporter(d->machine), &f);
}

/** All that are left have arrived: those that have gone have not. */
static void divergence_cluster_complete(void *self, const struct cluster *all)
{
    struct divergence *d = self;
    struct cluster_comers *c = all->check[d->slot];
    if (!c || !c->at)
        return;
    for (int i = 0; i < c->gone.count; i++)
        look_at_gone(d, c, &c->gone.data[i]);
    for (uint32_t i = 0; i < all->count; i++)
        for (int j = 0; all->blocks[i] && j < all->blocks[i]->warp_count; j++) {
            const struct warp *w = &all->blocks[i]->warps[j];
            if (!w->live && w->accessed)
                look_at_gone(d, c, &(struct gone){w->accessed, w->block->index, w->index});
        }
    c->at = NULL;
}

/** Warps that are released may be told of again. */
static void divergence_barrier_complete(void *self, const struct block *b, int barrier)
{
    struct divergence *d = self;
    look_at_warps(d, b, barrier);
    for (int i = 0; i < b->warp_count; i++) {
        const struct warp *w = &b->warps[i];
        for (int j = 0; j < w->group_count; j++) {
            const struct group *g = &w->groups[j];
            if (g->state == GROUP_AT_BARRIER && g->barrier == barrier && !(g->mask & ~w->arrived_lanes))
                *told_of(d, w) = false;
        }
    }
}

/** All stand whole at one line. */
static void divergence_barrier_met(void *self, const struct block *b, int barrier)
{
    const struct divergence *d = self;
    (void)barrier;
    memset(b->check[d->slot], 0, (size_t)b->warp_count * sizeof(bool));
}

/* ---- Barriers passed by ---- */

static bool known_to_pass_by(struct divergence *d, const struct warp *w, const struct group *g, const struct insn *barrier)
{
    const struct function *f = w->block->grid->config.kernel;
    f = flow_holds(f, g->parted) ? f : image_function_at(f->image, g->parted);
    const struct group here = {.pc = barrier, .frame = w->frame_offset, .mask = w->mask};
    struct place_in_function p = place_in_function(w, &here, f);
    for (int i = 0; i < d->asked.count; i++) {
        const struct asked *a = &d->asked.data[i];
        if (a->branch == g->parted && a->way == g->parted_to && a->barrier == p.at && a->goes_on == p.goes_on)
            return a->passes_by;
    }
    bool by = p.known && path_passes_by(f, g->parted, g->parted_to, p.at, elsewhere_of(barrier, p.at, false), p.goes_on) &&
              !branch_is_uniform(f, g->parted);
    *LIST_PUSH(&d->asked) = (struct asked){g->parted, g->parted_to, p.at, p.goes_on, by};
    return by;
}

static void fill_threads(struct finding *f, const struct warp *w, int waits, int other)
{
    f->facts.parted = (struct parted_facts){
        .warp = w->index, .threads = {w->index * WARP_LANES + waits, w->index * WARP_LANES + other}};
}

static void divergence_parted(void *self, const struct warp *w, const struct insn *in)
{
    struct divergence *d = self;
    const struct group *g = &w->groups[w->current];
    const struct function *kernel = w->block->grid->config.kernel;
    if (w->diverged || *told_of(d, w) || !known_to_pass_by(d, w, g, in))
        return;
    struct finding f = {.kind = FIND_BARRIER_DIVERGENCE, .cause = CAUSE_PASSED_BY, .kernel = kernel->name,
                        .access_count = 2};
    int lane = __builtin_ctz(w->mask), other = __builtin_ctz(g->parted_others);
    *told_of(d, w) = true;
    fill_threads(&f, w, lane, other);
    f.facts.parted.of_cluster = is_of_cluster(in);
    if (is_unaligned(in)) {
        f.level = LEVEL_WARNING;
        f.facts.parted.unaligned = true;
    }
    finding_access_fill(&f.accesses[0], w, lane, in, "barrier");
    finding_access_fill(&f.accesses[1], w, other, g->parted, "branch");
    report_finding(machine_reporter(d->machine), &f);
}

/** Do some wait for a mask with lanes that went round there? Then it is the mask that is wrong (warp_mask.c), and no barrier. */
static bool is_of_a_mask(const struct warp *w)
{
    for (int i = 0; i < w->group_count; i++) {
        const struct group *g = &w->groups[i];
        if (g->state == GROUP_AT_WARP_SYNC && passed_by(w, g, place_in_kernel(w, g), w->live & ~g->mask))
            return true;
    }
    return false;
}

static void divergence_diverged(void *self, const struct warp *w)
{
    struct divergence *d = self;
    const struct group *here = NULL, *there = NULL;
    for (int i = 0; i < w->group_count; i++) {
        const struct group *g = &w->groups[i];
        if (!here && (g->state == GROUP_AT_BARRIER || g->state == GROUP_AT_ALIGNED) && g->mask != w->live)
            here = g;
        else if (!there)
            there = g;
    }
    if (!here || !there || *told_of(d, w) || is_of_a_mask(w))
        return;
    if (there->state == GROUP_ENDLESS) /* it would have come: the finding is that it never ends (deadlock.c) */
        return;
    struct finding f = {.kind = FIND_BARRIER_DIVERGENCE, .cause = CAUSE_ELSEWHERE, .access_count = 2,
                        .kernel = w->block->grid->config.kernel->name};
    int lane = __builtin_ctz(here->mask), other = __builtin_ctz(there->mask);
    fill_threads(&f, w, lane, other);
    f.facts.parted.of_cluster = is_of_cluster(group_stands_at(here));
    for (int i = 0; i < 2 && here->state == GROUP_AT_BARRIER && there->state == GROUP_AT_BARRIER; i++)
        f.facts.parted.barriers[i] = (i ? there : here)->barrier;
    finding_access_fill(&f.accesses[0], w, lane, group_stands_at(here), "barrier");
    finding_access_fill(&f.accesses[1], w, other, group_stands_at(there),
                        there->state == GROUP_AT_BARRIER ? "barrier" : "wait");
    report_finding(machine_reporter(d->machine), &f);
}

const struct observer divergence_checker = {
    .name = "divergence",
    .create = divergence_create,
    .destroy = divergence_destroy,
    .block_begin = divergence_block_begin,
    .block_end = divergence_block_end,
    .barrier_complete = divergence_barrier_complete,
    .barrier_met = divergence_barrier_met,
    .cluster_arrive = divergence_cluster_arrive,
    .cluster_complete = divergence_cluster_complete,
    .parted_at_barrier = divergence_parted,
    .diverged = divergence_diverged,
};
