/**
 * @file race.c
 * The race checker as an observer: launches, blocks and lanes come and go; everything else is
 * passed to sync.c and accesses.c.
 */
#include "check/race/race.h"
#include "check/race/shadow/readers.h"
#include "check/race/stream_race.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/effects.h"
#include "base/clear.h"
#include "check/checkers.h"
#include "check/race/accesses.h"
#include "check/race/async_proxy.h"
#include "check/race/clusters.h"
#include "check/race/collect.h"
#include "check/race/constant_reads.h"
#include "check/race/explain.h"
#include "check/race/host.h"
#include "check/race/late.h"
#include "check/race/launch_start.h"
#include "check/race/launches.h"
#include "check/race/overlooked.h"
#include "check/race/stamps.h"
#include "check/race/sync.h"
#include "execute/chooser.h"
#include "execute/machine.h"
#include "execute/plain_access.h"
#include "execute/reserved.h"
#include "report/finding.h"
#include "report/reporter.h"

static void *race_create(struct machine *m, int slot)
{
    struct race *race = calloc(1, sizeof *race);
    assert(race);
    race->machine = m;
    race->slot = slot;
    race->readers = readers_new();
    memset(LIST_PUSH(&race->agents), 0, sizeof *race->agents.data);
    race->moment = race->floor = race->explained = 1;
    race->several = machine_options(m)->devices > 1;
    return race;
}

/** Explanations of what the agent's threads did are of no more use. */
static void agent_forget(struct agent *agent)
{
    observed_free(&agent->observed);
    for (uint32_t i = 0; i < agent->thread_count; i++)
        observed_drop(&agent->threads[i]);
    free(agent->threads);
    free(agent->left);
    signals_forget(&agent->signals);
    agent->threads = NULL, agent->thread_count = 0;
    agent->left = NULL;
}

static void race_freed(void *self, struct allocation *a)
{
    (void)self;
    shadow_free(a->shadow);
    a->shadow = NULL;
}

static void race_destroy(void *self)
{
    struct race *race = self;
    if (!machine_is_leaving(race->machine)) /* a million words and their chains, one by one */
        memory_each(machine_memory(race->machine), race_freed, race);
    for (int i = 0; i < race->agents.count; i++)
        agent_forget(&race->agents.data[i]);
    for (int i = 0; i < race->launches.count; i++)
        launch_free(race->launches.data[i]);
    LIST_FREE(&race->agents);
    LIST_FREE(&race->launches);
    LIST_FREE(&race->ranges);
    LIST_FREE(&race->notes);
    LIST_FREE(&race->pending);
    launch_start_forget(race);
    constants_free(race);
    host_thread_free(race);
    readers_free(race->readers);
    free(race->hearing_room);
    launches_free(race);
    free(race->seen);
    free(race->spare.warps);
    stamps_free(race->spare.stamps);
    free(race);
}

/* ---- Launches ---- */

/** What launches ordered before all that is running left for explanations goes. What conflicts with theirs may still come, unless all of that is ordered after them, too. */
static void forget_below(struct race *race, const struct launch *launch)
{
    uint32_t settled = launches_settled(race, launch);
    for (; race->explained < launch->floor; race->explained++)
        agent_forget(&race->agents.data[race->explained]);
    readers_settle(race->readers, race->floor = settled > race->floor ? settled : race->floor);
    constants_forget(race);
}

static void race_grid_begin(void *self, struct grid *g)
{
    struct race *race = self;
    const struct machine *m = race->machine;
    struct launch *launch = calloc(1, sizeof *launch);
    assert(launch);
    launch->grid = *g;
    launch->grid.uses = NULL;
    launch->op = g->config.op;
    if (g->before.words <= MAX_KNOWN_WORDS)
        op_set_copy(&launch->known, &g->before);
    launch->deaf = kernel_hears_at_barriers(g->config.kernel);
    launch->hears_none = kernel_hears_no_atomic(g->config.kernel);
    launch->set = g->config.together ? g->config.together : g->config.op;
    race->runs += race->running == 0;
    launch->run = race->runs;
    launch->first_agent = (uint32_t)race->agents.count;
    launch->host_time = race->host.time;
    race->host.agent = 0; /* what it does from here on is by an agent that this launch is not above */
    g->check[race->slot] = launch;
    const struct launch *parent = g->parent ? g->parent->check[race->slot] : NULL;
    launch->root = parent ? parent->root : launch;
    launch->parent = parent;
    launch->member = g->member;
    launch->inherited = g->inherited[race->slot];
    g->inherited[race->slot] = NULL;
    launch->floor = parent ? parent->floor : launches_floor(race, launch, g);
    if (race->running == 0) {
        forget_below(race, launch);
        launches_part_fences(race, launch);
        launch_start(race, launch);
    }
    *LIST_PUSH(&race->launches) = launch;
    if (g->config.awaits) {
        launch->wait_agent = (uint32_t)race->agents.count;
        *LIST_PUSH(&race->agents) = (struct agent){.launch = launch};
        launch_begins_behind(race, launch);
    }
    host_grid_begin(race, g);
    race->running++;
    race->atomics_older = (race->older_shown = machine_has_chooser(m)) && (race->running > 1 || g->config.together || !launch->hears_none);
    memset(race->uses, 0, sizeof race->uses); /* code that is unloaded leaves its place to other code */
}

static void race_grid_end(void *self, const struct grid *g)
{
    struct race *race = self;
    struct launch *launch = g->check[race->slot];
    race->running--;
    launches_grid_end(race, launch);
    if (g->status == GRID_AGAIN)
        explain_take_back(race, g->config.kernel);
    if (readers_overflowed(race->readers) && !race->told_overflow) {
        race->told_overflow = true;
        report_incomplete(machine_reporter(race->machine), INCOMPLETE_READERS);
    }
}

/* ---- Blocks ---- */

static void race_block_begin(void *self, struct block *b)
{
    struct race *race = self;
    struct launch *launch = b->grid->check[race->slot];
    struct block_state *bs = malloc(sizeof *bs); /* of this size malloc() has some at hand, calloc() does not */
    assert(bs);
    clear(bs, sizeof *bs);
    bs->race = race;
    bs->block = b;
    bs->agent = (uint32_t)race->agents.count;
    bs->floor = launch->floor, bs->overlooked = overlooked_block(race, b->grid->config.kernel);
    bs->alone = launch->floor == launch->first_agent;
    bs->threads = b->grid->threads_per_block;
    bs->warp_count = b->warp_count;
    warp_states_begin(bs);
    bs->shared_words = reserved_end(b->shared_bytes) / 4;
    launch->grid.threads_per_block = b->grid->threads_per_block;
    *LIST_PUSH(&race->agents) =
        (struct agent){.launch = launch, .block = b->index, .live = bs};
    b->check[race->slot] = bs;
    bs->base = knowledge_ref(launch->inherited);
    clusters_block_begin(bs);
    stamps_begin(bs);
}

static void race_block_end(void *self, const struct block *b)
{
    struct race *race = self;
    struct block_state *bs = b->check[race->slot];
    clusters_block_end(bs);
    warp_states_end(bs);
    stamps_end(bs);
    sync_block_end(bs);
    sync_grid_block_end(bs);
    async_block_end(bs, b);
    phases_block_end(bs);
    race->agents.data[bs->agent].live = NULL;
    knowledge_drop(bs->base);
    clock_drop(bs->sc_run);
    knowledge_drop(bs->sc_far);
    free(bs);
}

/* ---- Instructions ---- */

/** Without the lanes that drop what they get. @return false if none is left */
static bool program_reads(const struct mem_access *a, struct mem_access *kept)
{
    *kept = *a;
    kept->mask &= ~a->thrown_away;
    kept->row = kept->even = false;
    return kept->mask;
}

/** Is it a weak load of memory that nobody writes meanwhile? Lanes that each look up a place of their own in a table make sets of readers that no two
 *  words share. */
static bool access_is_quiet(const struct mem_access *a)
{
    bool quiet = a->space == SPACE_GLOBAL && !order_is_strong(&a->insn->mem);
    for (uint32_t left = quiet ? a->even ? 1 : a->mask : 0; left && quiet; left &= left - 1) {
        const struct allocation *of = a->allocation[__builtin_ctz(left)];
        quiet = of->quiet || of->table;
    }
    return quiet;
}

static void race_load(void *self, const struct warp *w, const struct mem_access *a)
{
    struct race *race = self;
    struct mem_access kept;
    if (a->thrown_away & a->mask) {
        if (!program_reads(a, &kept))
            return;
        a = &kept;
    }
    if (access_is_quiet(a))
        return;
    if (readers_want_collection(race->readers))
        collect_readers(race);
    host_check_access(self, w, a, 0);
    constants_load(self, w, a);
    late_load(self, w, a);
    access_load(self, w, a);
}

static void race_store(void *self, const struct warp *w, const struct mem_access *a)
{
    host_check_access(self, w, a, a->mask);
    late_store_ahead(self, w, a);
    access_store(self, w, a);
    late_store(self, w, a);
}

static void race_atomic(void *self, const struct warp *w, const struct mem_access *a)
{
    host_check_access(self, w, a, a->wrote); /* a compare-and-swap that finds something else is a load */
    late_atomic_ahead(self, w, a);
    access_atomic(self, w, a);
    late_atomic(self, w, a);
}

static void race_fence(void *self, const struct warp *w, const struct insn *in, enum mem_order order, enum mem_scope scope)
{
    struct race *race = self;
    struct block_state *bs = w->block->check[race->slot];
    struct actor me = {.race = race, .bs = bs, .ws = &bs->warps[w->index], .warp = w, .insn = in,
                       .agent = bs->agent, .home = bs};
    for (uint32_t m = w->mask; m; m &= m - 1) {
        me.lane = __builtin_ctz(m);
        me.thread = (uint32_t)(w->index * WARP_LANES + me.lane);
        me.time = me.ws->time[me.lane];
        me.ws->stored[me.lane] = 0;
        sync_fence(&me, order, scope);
    }
}

static void race_grid_dependency(void *self, const struct warp *w, const struct insn *in)
{
    struct race *race = self;
    sync_grid_dependency(w->block->check[race->slot], w, in);
}

static void race_barrier_arrive(void *self, const struct warp *w, const struct insn *in, int barrier,
                                enum barrier_kind kind)
{
    struct race *race = self;
    (void)in;
    sync_barrier_arrive(w->block->check[race->slot], w, barrier, kind);
}

static void race_barrier_complete(void *self, const struct block *b, int barrier)
{
    sync_barrier_complete(b->check[((struct race *)self)->slot], barrier);
}

static void race_barrier_met(void *self, const struct block *b, int barrier)
{
    sync_barrier_met(b->check[((struct race *)self)->slot], barrier);
}

static void race_warp_sync(void *self, const struct warp *w, const struct insn *in, uint32_t members)
{
    (void)in;
    sync_warp(w->block->check[((struct race *)self)->slot], w, members);
}

static void race_host_op(void *self, const struct host_op *op)
{
    host_operation(self, op);
}

static void race_order_note(void *self, const struct order_note *n)
{
    stream_note(self, n);
}

static bool race_host_touch(void *self, const struct host_touch *t)
{
    return host_touched(self, t);
}

const struct observer race_checker = {
    .name = "race",
    .create = race_create,
    .destroy = race_destroy,
    .grid_begin = race_grid_begin,
    .grid_end = race_grid_end,
    .block_begin = race_block_begin,
    .block_end = race_block_end,
    .load = race_load,
    .store = race_store,
    .quiet_global = told_quiet_global,
    .plain_load = told_plain_load,
    .quiet_shared = told_quiet_shared,
    .plain_store = told_plain_store,
    .atomic = race_atomic,
    .plain_atomic = told_plain_atomic,
    .fence = race_fence,
    .async = race_async,
    .mbarrier = race_mbarrier,
    .launches = race_launches,
    .launch_after = race_launch_after,
    .launch_forgotten = race_launch_forgotten,
    .grid_dependency = race_grid_dependency,
    .barrier_arrive = race_barrier_arrive,
    .barrier_complete = race_barrier_complete,
    .barrier_met = race_barrier_met,
    .cluster_arrive = race_cluster_arrive,
    .cluster_wait = race_cluster_wait,
    .cluster_complete = race_cluster_complete,
    .warp_sync = race_warp_sync,
    .freed = race_freed,
    .host_op = race_host_op,
    .order_note = race_order_note,
    .host_touch = race_host_touch,
};
