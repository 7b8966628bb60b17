/**
 * @file grid_waits.c
 * griddepcontrol (PTX ISA 9.7.13.13): what a grid that may begin before another has ended comes after. A wait is for the thread that executes it
 * and for those that come after that one. A grid begins when all blocks of the one before it have triggered it: where the threads of one of these
 * blocks do so behind a wait of their own, all of the second comes after what they have waited for.
 */
#include <stdlib.h>

#include "analyse/effects.h"
#include "check/race/sync.h"

void launch_free(struct launch *launch)
{
    op_set_free(&launch->awaited);
    op_set_free(&launch->behind);
    op_set_free(&launch->may_await);
    op_set_free(&launch->known);
    free(launch);
}

/** Do the blocks of the operation's launch trigger behind their wait, each time that it was run? */
static bool triggers_behind(const struct race *race, const struct launch *mine, uint64_t op)
{
    bool all = true;
    for (int i = 0; i < race->launches.count && all; i++) {
        const struct launch *l = race->launches.data[i];
        all = l->op != op || launch_of_other_run(l, mine) || !l->triggers || l->triggers_behind;
    }
    return all;
}

void launch_begins_behind(const struct race *race, struct launch *mine)
{
    bool waits = kernel_waits_for_grids(mine->grid.config.kernel);
    if (waits)
        op_set_join(&mine->may_await, mine->grid.config.awaits);
    for (int i = 0; i < race->launches.count; i++) {
        const struct launch *l = race->launches.data[i];
        if (l == mine || launch_of_other_run(l, mine) || !op_set_has(mine->grid.config.awaits, l->op))
            continue;
        if (waits)
            op_set_join(&mine->may_await, &l->may_await);
        op_set_join(&mine->behind, &l->behind);
        if (l->triggers_behind && triggers_behind(race, mine, l->op))
            op_set_join(&mine->behind, &l->awaited);
    }
}

/** What a griddepcontrol.wait of this launch stands for: the grids it awaits, and what these have waited for. */
static void collect_awaited(const struct race *race, struct launch *mine, const struct op_set *awaits)
{
    mine->waited = true;
    op_set_join(&mine->awaited, awaits);
    for (int i = 0; i < race->launches.count; i++) {
        const struct launch *l = race->launches.data[i];
        if (l != mine && l->waited && op_set_has(awaits, l->op))
            op_set_join(&mine->awaited, &l->awaited);
    }
}

static struct launch *launch_of(const struct block_state *bs)
{
    return bs->race->agents.data[bs->agent].launch;
}

static void wait(struct block_state *bs, const struct warp *w)
{
    struct launch *mine = launch_of(bs);
    struct knowledge *known = NULL;
    if (!mine->waited)
        collect_awaited(bs->race, mine, bs->block->grid->config.awaits);
    bs->grid_waited = true;
    clock_add_key(&knowledge_writable(&known)->part[KNOW_CAUSAL], mine->wait_agent, clock_thread_key(0), 1);
    for (uint32_t m = w->mask; m; m &= m - 1) {
        struct lane_state *ls = lane_open(&bs->warps[w->index], __builtin_ctz(m));
        knowledge_join(&ls->extra, known);
        ls->learned = bs->race->moment;
    }
    knowledge_drop(known);
}

bool sync_knows_grid_wait(const struct block_state *bs, const struct lane_state *ls)
{
    const struct knowledge *know[2] = {bs->base, ls ? ls->extra : NULL};
    for (int i = 0; i < 2; i++)
        if (know[i] && clock_has(know[i]->part[KNOW_CAUSAL], launch_of(bs)->wait_agent))
            return true;
    return false;
}

/** The block is triggered by the first of its threads, and which one that is may be chance. */
static void trigger(struct block_state *bs, const struct warp *w)
{
    struct launch *mine = launch_of(bs);
    const struct warp_state *ws = &bs->warps[w->index];
    bool was_behind = bs->grid_triggered && !bs->grid_triggered_early;
    for (uint32_t m = w->mask; m && !bs->grid_triggered_early; m &= m - 1)
        bs->grid_triggered_early = !sync_knows_grid_wait(bs, ws->lanes ? &ws->lanes[__builtin_ctz(m)] : NULL);
    mine->triggers = bs->grid_triggered = true;
    if (was_behind != !bs->grid_triggered_early)
        mine->triggers_behind += was_behind ? -1 : 1;
}

void sync_grid_dependency(struct block_state *bs, const struct warp *w, const struct insn *in)
{
    if (insn_row(in) == ROW_griddep_wait)
        wait(bs, w);
    else
        trigger(bs, w);
}

void sync_grid_block_end(struct block_state *bs)
{
    launch_of(bs)->triggers_behind += bs->grid_waited && !bs->grid_triggered;
}
