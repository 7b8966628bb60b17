/**
 * @file launches.c
 * See launches.h.
 */
#include "check/race/launches.h"
#include "check/race/belongs_told.h"
#include "check/race/clusters.h"
#include "check/race/counted_told.h"
#include "check/race/late_claims.h"
#include "check/race/run_order.h"

#include "check/race/sync.h"

int launches_known(const struct race *race, const struct op_set *before)
{
    return op_set_covers(before, &race->first_ops.ops) ? race->first_ops.count : 0;
}

uint32_t launches_floor(struct race *race, const struct launch *mine, const struct grid *g)
{
    int count = race->launches.count, l = launches_known(race, &g->before);
    while (l < count && op_set_has(&g->before, race->launches.data[l]->op))
        l++;
    for (int *first = &race->first_ops.count; *first < l; ++*first)
        op_set_add(&race->first_ops.ops, race->launches.data[*first]->op);
    while (l < count && (launch_of_other_run(race->launches.data[l], mine) || op_set_has(&g->before, race->launches.data[l]->op)))
        l++;
    if (l == 0)
        return 1;
    return l < count ? race->launches.data[l]->first_agent : (uint32_t)race->agents.count;
}

uint32_t launches_settled(struct race *race, const struct launch *mine)
{
    int count = race->launches.count, *l = &race->first_ops.settled;
    while (*l < count && race->launches.data[*l]->op < mine->grid.config.settled)
        ++*l;
    return *l < count ? race->launches.data[*l]->first_agent : mine->first_agent;
}

static struct vector_clock **fence_order(struct race *race, int device)
{
    return device < MAX_DEVICES ? &race->sc_run[device] : &race->sc_run_sys;
}

/** Fences to come are in another one, or in none. */
static void end_log(struct race *race)
{
    fence_log_drop(race->fence_log);
    race->fence_log = NULL;
}

void launches_part_fences(struct race *race, const struct launch *launch)
{
    run_order_reset(race);
    if (launch->floor != launch->first_agent) {
        if (race->sc_past.count)
            end_log(race);
        for (int i = 0; i < race->sc_past.count; i++) {
            clock_join(fence_order(race, race->sc_past.data[i].device), race->sc_past.data[i].clock);
            clock_drop(race->sc_past.data[i].clock);
        }
        race->sc_past.count = 0;
        return;
    }
    end_log(race);
    for (int i = 0; i <= MAX_DEVICES; i++) {
        struct vector_clock **now = fence_order(race, i);
        if (*now)
            *LIST_PUSH(&race->sc_past) = (struct past_order){i, *now};
        *now = NULL;
    }
}

void launches_grid_end(struct race *race, struct launch *launch)
{
    knowledge_drop(launch->inherited);
    launch->inherited = NULL;
    clusters_grid_end(race);
    counted_grid_end(race);
}

void launches_free(struct race *race)
{
    counted_free(race);
    claims_free(race);
    belongs_free(race);
    for (int i = 0; i < race->sc_past.count; i++)
        clock_drop(race->sc_past.data[i].clock);
    LIST_FREE(&race->sc_past);
    for (int i = 0; i < MAX_DEVICES; i++)
        clock_drop(race->sc_run[i]);
    end_log(race);
    run_order_reset(race);
    clock_drop(race->sc_run_sys);
    LIST_FREE(&race->maps);
    op_set_free(&race->first_ops.ops);
}

void *race_launches(void *self, const struct warp *w, int lane)
{
    struct race *race = self;
    struct block_state *bs = w->block->check[race->slot];
    struct actor me = {.race = race, .bs = bs, .ws = &bs->warps[w->index], .warp = w, .lane = lane, .agent = bs->agent,
                       .thread = (uint32_t)(w->index * WARP_LANES + lane), .home = bs};
    struct knowledge *known = NULL;
    me.time = me.ws->time[lane];
    struct snapshot *now = snapshot_take(&me);
    snapshot_give(&known, now, SAME_DEVICE);
    snapshot_drop(now);
    lane_goes_on(me.ws, lane);
    return known;
}

void race_launch_after(void *self, void **kept, void *earlier)
{
    (void)self;
    knowledge_join((struct knowledge **)kept, earlier);
}

void race_launch_forgotten(void *self, void *kept)
{
    (void)self;
    knowledge_drop(kept);
}
