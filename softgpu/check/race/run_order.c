/**
 * @file run_order.c
 * See run_order.h. Two fence.sc order each other where each one's scope includes the other (PTX ISA 8.9.3): one of scope cta comes after those of its
 * block, and after what these have come after, but not after those of other blocks.
 */
#include "check/race/run_order.h"

#include "check/race/older.h"
#include "check/race/order.h"
#include "check/race/race.h"
#include "check/race/shadow/readers.h"
#include "check/race/sync.h"

/** Fences of scope sys have one order on all devices: what a device's own come after and what all come after is one. */
static void join_systems_order(struct race *race, struct vector_clock **device)
{
    if (!race->several)
        return;
    clock_join(&race->sc_run_sys, *device);
    clock_join(device, race->sc_run_sys);
}

/** The device's fences so far: as a log's number where there is a log. */
static void learn_device_order(const struct race *race, struct knowledge **dst, struct vector_clock *device)
{
    if (race->fence_log)
        knowledge_join_order(dst, race->fence_log, fence_log_now(race->fence_log));
    else
        knowledge_join_part(dst, KNOW_VALUE, device);
}

/** `far`: the device's fences so far come before this one. Their log has the block's, too, unless one was narrower. One of the block alone comes after what its
 *  others have come after. Of a cluster's fences no order of their own is kept: it is the device's. */
static void learn_run_order(struct actor *me, struct vector_clock *device, bool far)
{
    struct knowledge **extra = &lane_open(me->ws, me->lane)->extra;
    struct block_state *bs = me->bs;
    const struct fence_log *log = me->race->fence_log;
    if (far) {
        learn_device_order(me->race, extra, device);
        learn_device_order(me->race, &bs->sc_far, device);
    } else {
        knowledge_join(extra, bs->sc_far);
    }
    if (!far || !log || bs->sc_order != fence_log_number(log))
        knowledge_join_part(extra, KNOW_VALUE, bs->sc_run);
}

/** Before *device grows by `causal`. The log begins with the first fence of the order, and ends where it is full. */
static void log_fence(struct actor *me, struct vector_clock *device, struct vector_clock *causal, bool wide)
{
    struct race *race = me->race;
    struct block_state *bs = me->bs;
    if (wide && !device && !race->several && !race->fence_log)
        race->fence_log = fence_log_new();
    if (wide && race->fence_log && !fence_log_add(race->fence_log, device, causal)) {
        fence_log_drop(race->fence_log);
        race->fence_log = NULL;
    }
    uint64_t log = race->fence_log ? fence_log_number(race->fence_log) : 0;
    bs->sc_order = wide && (!bs->sc_run || bs->sc_order == log) ? log : 0;
}

/* ---- If each, and each weaker fence, were a fence.sc of scope gpu ---- */

/** Begins with the first fence that is not: with what those before it knew. */
static void wide_order_begins(struct race *race, struct vector_clock *device)
{
    race->sc_wide.log = fence_log_new();
    fence_log_add(race->sc_wide.log, NULL, device);
    clock_join(&race->sc_wide.known, device);
}

static void note_wide_order(struct actor *me, struct vector_clock *device, struct vector_clock *causal, bool far, bool weaker)
{
    struct race *race = me->race;
    if (race->several || race->sc_wide.full || (far && !race->sc_wide.log))
        return;
    if (!race->sc_wide.log)
        wide_order_begins(race, device);
    lane_open(me->ws, me->lane)->fence = (struct last_fence){fence_log_now(race->sc_wide.log), !far, weaker};
    race->sc_wide.full = !fence_log_add(race->sc_wide.log, race->sc_wide.known, causal);
    clock_join(&race->sc_wide.known, causal);
    if (!race->sc_wide.full)
        return;
    run_order_reset(race);
    race->sc_wide.full = true;
}

void run_order_reset(struct race *race)
{
    fence_log_drop(race->sc_wide.log);
    clock_drop(race->sc_wide.known);
    race->sc_wide.log = NULL;
    race->sc_wide.known = NULL;
    race->sc_wide.full = false;
}

/** The last that the actor comes behind: its own, or one before a barrier. */
static struct last_fence last_fence(const struct actor *me)
{
    const struct lane_state *ls = actor_lane(me);
    return ls && ls->fence.wide >= me->bs->fence.wide ? ls->fence : me->bs->fence;
}

void run_order_meet(struct block_state *bs, const struct lane_state *ls)
{
    if (ls->fence.wide > bs->fence.wide)
        bs->fence = ls->fence;
}

bool run_order_is_kept(const struct actor *me)
{
    return me->race->sc_wide.log && last_fence(me).wide;
}

bool run_order_is_short(const struct actor *me)
{
    return run_order_is_kept(me) && last_fence(me).is_short;
}

bool run_order_is_weaker(const struct actor *me)
{
    return last_fence(me).is_weaker;
}

static bool would_see(const struct actor *me, uint32_t agent, uint32_t thread, uint32_t time)
{
    uint32_t uniform, fine = fence_log_time(me->race->sc_wide.log, last_fence(me).wide, agent, thread, &uniform);
    return fine >= time || (uniform >= time && !left_before(me->race, agent, thread, time));
}

bool run_order_would_see(const struct actor *me, const struct epoch *e)
{
    return run_order_is_kept(me) && would_see(me, e->agent, e->thread, e->time);
}

bool run_order_would_see_read(const struct actor *me, const struct reader *r)
{
    bool any = false;
    for (uint32_t m = run_order_is_kept(me) ? r->mask : 0; m && !any; m &= m - 1)
        any = would_see(me, r->agent, r->warp * 32u + (uint32_t)__builtin_ctz(m), r->time);
    return any;
}

/* ---- Each fence ---- */

void run_order_fence(struct actor *me, struct vector_clock *causal, struct fence_reach reach)
{
    struct vector_clock **device = &me->race->sc_run[device_of(me->race, me->agent)];
    if (reach.system)
        join_systems_order(me->race, device);
    learn_run_order(me, *device, reach.device || reach.cluster);
    log_fence(me, *device, causal, reach.device);
    note_wide_order(me, *device, causal, reach.device || reach.cluster, false);
    clock_join(&me->bs->sc_run, causal);
    if (reach.device)
        clock_join(device, causal);
    if (reach.system)
        join_systems_order(me->race, device);
}

void run_order_weaker_fence(struct actor *me, struct vector_clock *causal)
{
    note_wide_order(me, me->race->sc_run[device_of(me->race, me->agent)], causal, false, true);
}

void race_shows_relied_on(struct race *race, bool shows)
{
    race->relied_on = shows;
}
