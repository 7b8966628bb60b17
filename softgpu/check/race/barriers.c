/**
 * @file barriers.c
 * What barriers of blocks and warps pass from thread to thread (PTX ISA 8.9): whoever leaves one knows what
 * all knew who arrived. Where everyone took part, one time and one knowledge stand for the whole block.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "check/race/run_order.h"
#include "check/race/stamps.h"
#include "check/race/sync.h"

static void arrivals_open(struct block_state *bs, struct arrivals *a)
{
    if (a->lanes)
        return;
    a->lanes = calloc((size_t)bs->warp_count, sizeof *a->lanes);
    a->sync_lanes = calloc((size_t)bs->warp_count, sizeof *a->sync_lanes);
    assert(a->lanes && a->sync_lanes);
}

void sync_give(struct block_state *bs, int warp, int lane, struct knowledge **all)
{
    struct warp_state *ws = &bs->warps[warp];
    struct vector_clock **causal = &knowledge_writable(all)->part[KNOW_CAUSAL];
    bs->race->agents.data[bs->agent].gives = true;
    clock_add_key(causal, bs->agent, clock_thread_key((uint32_t)(warp * WARP_LANES + lane)),
                 ws->time[lane]);
    clock_add_key(causal, bs->agent, clock_warp_key((uint32_t)warp), ws->warp_uniform);
    if (ws->lanes) {
        knowledge_join(all, ws->lanes[lane].extra);
        observed_pass_on(&bs->race->agents.data[bs->agent].observed, &ws->lanes[lane].observed, ws->time[lane]);
    }
}

/** Within the block a barrier acquires like a fence: what a relaxed wait at an mbarrier has found, as libcu++ counts on. */
static void take_in_noted(struct warp_state *ws, uint32_t lanes)
{
    for (uint32_t m = ws->lanes ? lanes : 0; m; m &= m - 1) {
        struct lane_state *ls = &ws->lanes[__builtin_ctz(m)];
        knowledge_join(&ls->extra, ls->noted_here);
    }
}

void sync_barrier_arrive(struct block_state *bs, const struct warp *w, int barrier,
                         enum barrier_kind kind)
{
    struct arrivals *a = &bs->arrivals[barrier];
    arrivals_open(bs, a);
    a->any = true;
    a->lanes[w->index] |= w->mask;
    if (kind != BARRIER_ARRIVE) {
        a->sync_lanes[w->index] |= w->mask;
        take_in_noted(&bs->warps[w->index], w->mask);
        return;
    }
    for (uint32_t m = w->mask; m; m &= m - 1) { /* they go on at once: what follows is not given */
        sync_give(bs, w->index, __builtin_ctz(m), &a->given);
        lane_goes_on(&bs->warps[w->index], __builtin_ctz(m));
    }
}

/** Everyone who is left took part, and waits: one new time for all. */
static bool barrier_is_full(const struct block_state *bs, const struct arrivals *a)
{
    for (int i = 0; i < bs->warp_count; i++)
        if (a->sync_lanes[i] != bs->block->warps[i].live || a->lanes[i] != a->sync_lanes[i])
            return false;
    return true;
}

/** Remembers, for threads that have left, that this and later barriers do not speak for them. What their warp's others know of them by the
 *  warp's own barriers, who arrive here pass on. */
static void note_left(struct block_state *bs)
{
    struct agent *agent = &bs->race->agents.data[bs->agent];
    for (int i = 0; i < bs->warp_count; i++) {
        const struct warp *w = &bs->block->warps[i];
        uint32_t gone = w->full & ~w->live;
        if (gone && w->live && bs->warps[i].warp_uniform > bs->uniform)
            clock_add_key(&knowledge_writable(&bs->base)->part[KNOW_CAUSAL], bs->agent, clock_warp_key((uint32_t)i), bs->warps[i].warp_uniform);
        for (; gone; gone &= gone - 1) {
            uint32_t thread = (uint32_t)(i * WARP_LANES + __builtin_ctz(gone));
            if (!agent->left) {
                agent->left = calloc(bs->threads + WARP_LANES, sizeof *agent->left);
                assert(agent->left);
            }
            if (!agent->left[thread])
                agent->left[thread] = bs->uniform + 1;
            bs->any_left = true;
        }
    }
}

/** The latest time of those lanes; 0: there are none. */
static uint32_t latest_of(const struct warp_state *ws, uint32_t lanes)
{
    uint32_t latest = 0, differs = 0;
    for (int l = 0; !ws->one_time && l < WARP_LANES; l++)
        differs |= ws->time[l] ^ ws->time[0];
    if (!differs)
        return lanes ? ws->time[0] : 0;
    if (lanes != UINT32_MAX) {
        for (; lanes; lanes &= lanes - 1)
            latest = ws->time[__builtin_ctz(lanes)] > latest ? ws->time[__builtin_ctz(lanes)] : latest;
        return latest;
    }
    for (int l = 0; l < WARP_LANES; l++)
        latest = ws->time[l] > latest ? ws->time[l] : latest;
    return latest;
}

/** What the warp's lanes know, the block's threads know. First the warp's: each join copies the times of those that have joined before. */
static void pass_on(struct block_state *bs, struct warp_state *ws, uint32_t live)
{
    struct agent *agent = &bs->race->agents.data[bs->agent];
    struct knowledge *all = NULL;
    for (uint32_t m = live; m; m &= m - 1) {
        int l = __builtin_ctz(m);
        run_order_meet(bs, &ws->lanes[l]);
        knowledge_join(&all, ws->lanes[l].extra);
        observed_pass_on(&agent->observed, &ws->lanes[l].observed, bs->uniform + 1);
    }
    if (all)
        bs->learned = bs->race->moment;
    knowledge_join(&bs->base, all);
    knowledge_drop(all);
}

/** Where all threads have fenced, what lay before the fences has a time for each of them, and all who hear of the block would carry these. */
static void settle_base(struct block_state *bs)
{
    for (int i = 0; bs->base && i < KNOW_PARTS; i++)
        if (bs->base->part[i] && clock_has(bs->base->part[i], bs->agent))
            clock_settle(&knowledge_writable(&bs->base)->part[i], bs->agent, bs->threads);
    clock_settle(&bs->sc_run, bs->agent, bs->threads);
    clock_settle(&bs->race->sc_run[device_of(bs->race, bs->agent)], bs->agent, bs->threads);
    clock_settle(&bs->race->sc_wide.known, bs->agent, bs->threads);
}

/** All that its threads have done up to `latest` lies before a barrier. */
static void begin_phase(struct block_state *bs, uint32_t latest)
{
    bs->uniform = latest;
    bs->met = bs->race->moment;
    bs->shared_written = bs->async != NULL || bs->cluster; /* copies may still be under way, others' accesses */
    stamps_settle(bs);
}

static void barrier_full(struct block_state *bs)
{
    uint32_t latest = bs->uniform;
    bool learned = false;
    if (bs->block->live_threads != bs->threads)
        note_left(bs);
    for (int i = 0; i < bs->warp_count; i++) {
        struct warp_state *ws = &bs->warps[i];
        uint32_t live = bs->block->warps[i].live, time = ws->one_time && live ? ws->time[0] : latest_of(ws, live);
        if (time > latest)
            latest = time;
        if (ws->lanes)
            pass_on(bs, ws, live);
        learned |= ws->lanes != NULL;
    }
    if (learned && !bs->any_left)
        settle_base(bs);
    begin_phase(bs, latest);
    for (int i = 0; i < bs->warp_count; i++) {
        struct warp_state *ws = &bs->warps[i];
        warp_set_time(ws, latest + 1);
        for (int l = 0; ws->lanes && l < WARP_LANES; l++) {
            knowledge_drop(ws->lanes[l].extra);
            ws->lanes[l].extra = NULL;
        }
        if (bs->block->warps[i].live == bs->block->warps[i].full)
            ws->warp_uniform = latest;
    }
}

/**
 * Some of the block's threads meet: what each knows, and its own time, becomes known to all of them,
 * with what `given` holds (taken over).
 */
static void meet(struct block_state *bs, const uint32_t *lanes, struct knowledge *given)
{
    struct knowledge *all = given;
    for (int i = 0; i < bs->warp_count; i++)
        for (uint32_t m = lanes[i]; m; m &= m - 1)
            sync_give(bs, i, __builtin_ctz(m), &all);
    for (int i = 0; i < bs->warp_count; i++)
        for (uint32_t m = lanes[i]; m; m &= m - 1) {
            struct lane_state *ls = lane_open(&bs->warps[i], __builtin_ctz(m));
            knowledge_join(&ls->extra, all);
            ls->learned = bs->race->moment;
            lane_goes_on(&bs->warps[i], __builtin_ctz(m));
        }
    knowledge_drop(all);
}

void sync_barrier_complete(struct block_state *bs, int barrier)
{
    struct arrivals *a = &bs->arrivals[barrier];
    if (!a->any)
        return;
    if (barrier_is_full(bs, a))
        barrier_full(bs);
    else
        meet(bs, a->sync_lanes, a->given);
    a->given = NULL;
    memset(a->lanes, 0, (size_t)bs->warp_count * sizeof *a->lanes);
    memset(a->sync_lanes, 0, (size_t)bs->warp_count * sizeof *a->sync_lanes);
    a->any = false;
}

/** barrier_full() in few steps, where nobody has left, no lane knows anything by itself, and each warp's lanes are at one time. @return false: it is otherwise, and nothing
 *  has happened */
static bool barrier_plainly_full(struct block_state *bs)
{
    struct warp_state *const behind = bs->warps + bs->warp_count;
    uint32_t latest = bs->uniform;
    if (bs->block->live_threads != bs->threads || bs->any_left)
        return false;
    for (struct warp_state *ws = bs->warps; ws < behind; ws++) {
        if (!ws->one_time || ws->lanes)
            return false;
        latest = ws->time[0] > latest ? ws->time[0] : latest;
    }
    begin_phase(bs, latest);
    for (struct warp_state *ws = bs->warps; ws < behind; ws++) {
        warp_set_time(ws, latest + 1);
        ws->warp_uniform = latest;
    }
    return true;
}

void sync_barrier_met(struct block_state *bs, int barrier)
{
    assert(!bs->arrivals[barrier].any);
    if (barrier_plainly_full(bs))
        return;
    for (int i = 0; i < bs->warp_count; i++)
        take_in_noted(&bs->warps[i], bs->block->warps[i].live);
    barrier_full(bs);
}

/** A whole warp meets: one new time for its lanes, and one shared extra. */
static void warp_full(struct block_state *bs, struct warp_state *ws, uint32_t live)
{
    struct agent *agent = &bs->race->agents.data[bs->agent];
    struct knowledge *all = NULL;
    uint32_t latest = 0;
    for (uint32_t m = live; m; m &= m - 1) {
        int l = __builtin_ctz(m);
        if (ws->time[l] > latest)
            latest = ws->time[l];
        if (ws->lanes) {
            knowledge_join(&all, ws->lanes[l].extra);
            observed_pass_on(&agent->observed, &ws->lanes[l].observed, ws->time[l]);
        }
    }
    for (uint32_t m = live; m; m &= m - 1) {
        int l = __builtin_ctz(m);
        ws->time[l] = latest + 1;
        ws->one_time = live == UINT32_MAX;
        if (!ws->lanes)
            continue;
        knowledge_drop(ws->lanes[l].extra);
        ws->lanes[l].extra = knowledge_ref(all);
        if (all)
            ws->lanes[l].learned = bs->race->moment;
    }
    ws->warp_uniform = latest;
    knowledge_drop(all);
}

void sync_warp(struct block_state *bs, const struct warp *w, uint32_t members)
{
    if (members == w->full && w->live == w->full) {
        warp_full(bs, &bs->warps[w->index], members);
        return;
    }
    uint32_t *mask = calloc((size_t)bs->warp_count, sizeof *mask);
    assert(mask);
    mask[w->index] = members;
    meet(bs, mask, NULL);
    free(mask);
}

/* Most blocks' warps have met at once (sync_barrier_met()), which leaves nothing. */
void sync_block_end(struct block_state *bs)
{
    for (int i = 0; i < 16; i++) {
        struct arrivals *a = &bs->arrivals[i];
        if (!a->lanes && !a->sync_lanes && !a->given)
            continue;
        free(a->lanes);
        free(a->sync_lanes);
        knowledge_drop(a->given);
    }
}
