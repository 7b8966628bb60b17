/**
 * @file warp_states.c
 * What is known of a block's warps as it begins, and what of it stays when it ends; its room is kept from one block to the next.
 */
#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/clear.h"
#include "check/race/late.h"
#include "check/race/race.h"

void warp_states_begin(struct block_state *bs)
{
    struct spare_state *spare = &bs->race->spare;
    bool fits = spare->warps && spare->warp_count == bs->warp_count;
    bs->warps = fits ? spare->warps : aligned_alloc(_Alignof(struct warp_state), (size_t)bs->warp_count * sizeof *bs->warps);
    assert(bs->warps);
    if (fits)
        spare->warps = NULL;
    for (struct warp_state *ws = bs->warps, *behind = ws + bs->warp_count; ws < behind; ws++) {
        warp_set_time(ws, 1);
        clear(&ws->warp_uniform, offsetof(struct warp_state, stored_at) - offsetof(struct warp_state, warp_uniform));
    }
}

/** What a thread of a block that ends has observed, for explanations; taken over. */
static void agent_keep(struct agent *agent, uint32_t threads, uint32_t thread, struct observed_list *observed)
{
    if (!agent->threads) {
        agent->threads = calloc(threads + WARP_LANES, sizeof *agent->threads);
        agent->thread_count = threads + WARP_LANES;
        assert(agent->threads);
    }
    agent->threads[thread] = *observed;
}

/** Up to which time what the block's threads have said to each other in its shared memory tells nobody anything, once it has ended: to their lists lead only their signals elsewhere,
 *  and each of these knows by a barrier what was done, and heard from elsewhere, up to then. UINT32_MAX: there are no such signals; 0: others can come by the shared memory itself */
static uint32_t said_among_themselves(const struct block_state *bs)
{
    return bs->cluster ? 0 : bs->race->agents.data[bs->agent].signals.outside - 1;
}

/** @param passed said_among_themselves() */
static void drop_lanes(struct block_state *bs, uint32_t warp, uint32_t passed)
{
    struct warp_state *ws = &bs->warps[warp];
    for (int l = 0; ws->lanes && l < WARP_LANES; l++) {
        struct lane_state *ls = &ws->lanes[l];
        struct agent *agent = &bs->race->agents.data[bs->agent];
        observed_leave_shared(&ls->observed, passed);
        if (ls->observed.count)
            agent_keep(agent, bs->threads, warp * WARP_LANES + (uint32_t)l, &ls->observed);
        else
            observed_drop(&ls->observed);
        knowledge_drop(ls->extra);
        knowledge_drop(ls->noted);
        knowledge_drop(ls->noted_here);
        snapshot_drop(ls->system_fence);
        snapshot_drop(ls->device_fence);
        snapshot_drop(ls->cluster_fence);
        snapshot_drop(ls->block_fence);
    }
    free(ws->lanes);
    late_free(ws->checked);
}

void warp_states_end(struct block_state *bs)
{
    struct spare_state *spare = &bs->race->spare;
    struct observed_list **all = &bs->race->agents.data[bs->agent].observed;
    const uint32_t passed = said_among_themselves(bs);
    for (int i = 0; i < bs->warp_count; i++)
        if (bs->warps[i].lanes || bs->warps[i].checked)
            drop_lanes(bs, (uint32_t)i, passed);
    if (*all)
        observed_leave_shared(*all, passed);
    free(spare->warps);
    spare->warps = bs->warps;
    spare->warp_count = bs->warp_count;
}
