/**
 * @file launches.c
 * See launches.h.
 */
#include "check/race/launches.h"

#include "check/race/sync.h"

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
    me.ws->time[lane]++;
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
