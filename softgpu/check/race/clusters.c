/**
 * @file clusters.c
 * Clusters of blocks in the memory model (PTX ISA 8.9, 9.7.13.3): whoever leaves their barrier knows what all knew who
 * arrived. And the life of a block's shared memory: a use by another block comes after something that the block did, so that
 * it has begun, and before something that a thread of it does at its end, so that it has not left.
 */
#include <assert.h>
#include <stdlib.h>

#include "check/race/clusters.h"
#include "check/race/order.h"
#include "check/race/shadow/reader_group.h"
#include "check/race/sync.h"
#include "execute/fault.h"
#include "execute/finding_place.h"
#include "execute/machine.h"
#include "execute/observer.h"
#include "report/finding.h"
#include "report/reporter.h"

/* ---- The barrier ---- */

static struct cluster_state *state_of(const struct race *race, struct cluster *c, uint32_t id)
{
    struct cluster_state *s = c->check[race->slot];
    if (s)
        return s;
    s = c->check[race->slot] = calloc(1, sizeof *s);
    assert(s);
    s->id = id;
    return s;
}

void clusters_block_begin(struct block_state *bs)
{
    struct cluster *c = bs->block->cluster;
    if (c->count == 1)
        return;
    bs->cluster = state_of(bs->race, c, bs->agent);
    bs->race->agents.data[bs->agent].cluster = bs->cluster->id;
    bs->shared_written = true;
}

void clusters_give(struct block_state *bs, const struct warp *w, uint32_t lanes, bool relaxed, struct knowledge **all)
{
    struct warp_state *ws = &bs->warps[w->index];
    const struct knowledge *last = NULL;
    bs->race->agents.data[bs->agent].gives = true;
    if (!relaxed) {
        knowledge_join_from(all, bs->base, SAME_CLUSTER);
        clock_add(&knowledge_writable(all)->part[KNOW_CAUSAL], bs->agent, bs->uniform);
        if (ws->warp_uniform > bs->uniform)
            clock_add_key(&knowledge_writable(all)->part[KNOW_CAUSAL], bs->agent, clock_warp_key((uint32_t)w->index), ws->warp_uniform);
    }
    for (uint32_t m = lanes; m; m &= m - 1) {
        int l = __builtin_ctz(m);
        struct lane_state *ls = ws->lanes ? &ws->lanes[l] : NULL;
        if (relaxed && ls && ls->cluster_fence)
            snapshot_give(all, ls->cluster_fence, SAME_CLUSTER);
        if (!relaxed)
            clock_add_key(&knowledge_writable(all)->part[KNOW_CAUSAL], bs->agent,
                          clock_thread_key((uint32_t)(w->index * WARP_LANES + l)), ws->time[l]);
        if (!relaxed && ls && ls->extra != last)
            knowledge_join_from(all, ls->extra, SAME_CLUSTER);
        last = ls ? ls->extra : last;
        lane_goes_on(ws, l);
    }
}

void race_cluster_arrive(void *self, const struct warp *w, const struct insn *in)
{
    struct race *race = self;
    struct block_state *bs = w->block->check[race->slot];
    struct cluster_state *s = state_of(race, w->block->cluster, bs->agent);
    clusters_give(bs, w, w->mask, in->mem.order == ORDER_RELAXED, &s->gathering);
}

void race_cluster_complete(void *self, const struct cluster *c)
{
    const struct race *race = self;
    struct cluster_state *s = c->check[race->slot];
    if (!s)
        return;
    knowledge_drop(s->completed);
    s->completed = s->gathering;
    s->gathering = NULL;
}

void race_cluster_wait(void *self, const struct warp *w, const struct insn *in)
{
    struct race *race = self;
    struct block_state *bs = w->block->check[race->slot];
    struct cluster_state *s = w->block->cluster->check[race->slot];
    (void)in;
    for (uint32_t m = s ? w->mask : 0; m; m &= m - 1) {
        struct lane_state *ls = lane_open(&bs->warps[w->index], __builtin_ctz(m));
        knowledge_join(&ls->extra, s->completed);
        ls->learned = race->moment;
    }
}

/* ---- The life of a block's shared memory ---- */

#define MAX_PENDING 64

/** Keeps a finding until it is known whether its accesses race: then that is what is wrong. */
static void put_off(struct race *race, const struct image *im, const struct finding *f, uint32_t site, uint32_t exit_site)
{
    for (int i = 0; i < race->pending.count; i++)
        if (race->pending.data[i].site == site && race->pending.data[i].exit_site == exit_site)
            return;
    if (race->pending.count == MAX_PENDING)
        return;
    struct pending_finding *p = LIST_PUSH(&race->pending);
    *p = (struct pending_finding){.finding = calloc(1, sizeof *f), .image = im, .site = site, .exit_site = exit_site};
    assert(p->finding);
    *p->finding = *f;
}

void clusters_grid_end(struct race *race)
{
    for (int i = 0; i < race->pending.count; i++) {
        struct pending_finding *p = &race->pending.data[i];
        if (!observers_know_race(machine_observers(race->machine), (struct code_site){p->image, p->site}))
            report_finding(machine_reporter(race->machine), p->finding);
        free(p->finding);
    }
    race->pending.count = 0;
}

void clusters_check_begun(const struct actor *me, const struct mem_access *a)
{
    struct block_state *bs = me->bs;
    if (a->space != SPACE_SHARED || me->home == bs || actor_knows_of(me, me->home->agent))
        return;
    struct finding f = {.kind = FIND_CLUSTER_MISUSE, .cause = CAUSE_PEER_NOT_BEGUN, .access_count = 1,
                        .kernel = bs->block->grid->config.kernel->name};
    finding_access_fill(&f.accesses[0], me->warp, me->lane, me->insn, memory_operation_name(me->insn));
    finding_place(&f, me->race->machine, me->home->block, SPACE_SHARED, a->address[me->lane]);
    put_off(me->race, bs->block->grid->config.kernel->image, &f, me->insn->site, UINT32_MAX);
}

/** What a block's threads know when it ends, all together. */
struct farewell {
    struct block_state *bs;
    struct vector_clock *known;
};

static void report_left(const struct farewell *x, const struct epoch *e, uint64_t address)
{
    const struct block *b = x->bs->block;
    struct race *race = x->bs->race;
    const struct agent *user = &race->agents.data[e->agent];
    const struct grid *g = b->grid;
    const struct insn *use = image_site_insn(g->config.kernel->image, e->site), *exit = b->cluster->last_exit[b->rank].at;
    if (!use || !exit || insn_class(use) == INSN_MBARRIER)
        return; /* whoever waits for the phase waits for the arrival */
    struct finding f = {.kind = FIND_CLUSTER_MISUSE, .cause = CAUSE_PEER_LEAVES, .access_count = 2, .kernel = g->config.kernel->name};
    finding_access_at(&f.accesses[0], g, user->block, e->thread, use, memory_operation_name(use));
    finding_access_at(&f.accesses[1], g, b->index, b->cluster->last_exit[b->rank].thread, exit, "exit");
    finding_place(&f, race->machine, b, SPACE_SHARED, address);
    put_off(race, g->config.kernel->image, &f, e->site, exit->site);
}

/** Another block's use of a word: is it known to some thread of the block that ends? */
static void check_use(const struct farewell *x, const struct epoch *e, uint64_t address)
{
    struct race *race = x->bs->race;
    const struct agent *user = &race->agents.data[e->agent];
    if (!e->agent || e->agent == x->bs->agent || !user->launch || user->copies_of == x->bs->agent ||
        clock_covers(race, x->known, e->agent, e->thread, e->time))
        return;
    report_left(x, e, address);
}

static void check_word(const struct farewell *x, struct shadow_word *c, uint64_t address)
{
    struct readers *rs = x->bs->race->readers;
    if (c->flags & WORD_SPLIT) {
        for (int i = 0; i < 4; i++)
            check_word(x, &c->bytes[i], address + (uint64_t)i);
        return;
    }
    check_use(x, &c->write, address);
    word_open_group(rs, c);
    if (!c->read.agent || !(c->read.flags & EPOCH_LIST)) {
        check_use(x, &c->read, address);
        return;
    }
    struct readers_walk w;
    readers_walk(&w, rs, c->read.time);
    for (const struct reader *r; (r = readers_next(&w));)
        for (uint32_t m = r->mask; m; m &= m - 1)
            check_use(x, &(struct epoch){.agent = r->agent, .time = r->time, .site = r->site,
                                         .thread = (uint16_t)(r->warp * 32u + (unsigned)__builtin_ctz(m))}, address);
}

void clusters_block_end(struct block_state *bs)
{
    struct cluster *c = bs->block->cluster;
    struct farewell x = {.bs = bs};
    if (bs->cluster && bs->block->grid->status == GRID_RUNNING) {
        if (bs->base)
            clock_join(&x.known, bs->base->part[KNOW_CAUSAL]);
        const struct knowledge *last = NULL;
        for (int i = 0; i < bs->warp_count * WARP_LANES; i++) {
            struct lane_state *lanes = bs->warps[i / WARP_LANES].lanes;
            struct knowledge *extra = lanes ? lanes[i % WARP_LANES].extra : NULL;
            if (extra && extra != last)
                clock_join(&x.known, extra->part[KNOW_CAUSAL]);
            last = extra;
        }
        for (uint32_t i = 0; i < bs->shared_words; i++)
            check_word(&x, &bs->shared[i], 4ull * i);
        clock_drop(x.known);
    }
    struct cluster_state *s = c->check[bs->race->slot];
    if (c->running > 1 || !s)
        return;
    knowledge_drop(s->gathering);
    knowledge_drop(s->completed);
    free(s);
    c->check[bs->race->slot] = NULL;
}
