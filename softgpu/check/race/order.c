/**
 * @file order.c
 * Base causality between an earlier event and the acting thread.
 */
#include "check/race/order.h"
#include "check/race/shadow/readers.h"
#include "check/race/sync.h"

bool left_before(const struct race *race, uint32_t agent, uint32_t thread, uint32_t time)
{
    const uint32_t *left = race->agents.data[agent].left;
    return left && left[thread] && time > left[thread] - 1;
}

static bool covered_by(const struct race *race, uint32_t fine, uint32_t uniform, uint32_t agent, uint32_t thread, uint32_t time)
{
    return fine >= time || (uniform >= time && !left_before(race, agent, thread, time));
}

bool clock_covers(const struct race *race, const struct vector_clock *v, uint32_t agent, uint32_t thread,
                 uint32_t time)
{
    uint32_t uniform, fine = clock_time(v, agent, thread, &uniform);
    return covered_by(race, fine, uniform, agent, thread, time);
}

static bool ordered(const struct actor *me, uint32_t agent, uint32_t thread, uint32_t time)
{
    const struct block_state *bs = me->bs;
    if (agent < bs->floor)
        return true;
    if (agent == me->agent) {
        if (thread == me->thread)
            return true;
        if (time <= bs->uniform && !left_before(me->race, agent, thread, time))
            return true;
        if (thread / WARP_LANES == me->thread / WARP_LANES && time <= me->ws->warp_uniform)
            return true;
    } else {
        const struct launch *theirs = me->race->agents.data[agent].launch;
        const struct launch *mine = me->race->agents.data[me->agent].launch;
        if (!theirs) {
            if (time <= mine->host_time)
                return true;
        } else if (theirs != mine && theirs->root == mine->root) { /* kernels that were launched by kernels */
            if (op_set_has(&bs->block->grid->after, theirs->member))
                return true;
        } else if (theirs != mine && /* an earlier run of the launch never happened */
            (launch_of_other_run(theirs, mine) ||
             op_set_has(&bs->block->grid->before, theirs->op)))
            return true;
        if (theirs && mine->wait_agent && (op_set_has(&mine->behind, theirs->op) ||
                                           (mine->waited && op_set_has(&mine->awaited, theirs->op) && sync_knows_grid_wait(bs, actor_lane(me)))))
            return true;
    }
    if ((agent != me->agent || bs->any_left) && bs->base && clock_covers(me->race, bs->base->part[KNOW_CAUSAL], agent, thread, time))
        return true; /* of the own block, who has left: what others had heard of them before a barrier */
    const struct lane_state *ls = actor_lane(me);
    return ls && ls->extra && clock_covers(me->race, ls->extra->part[KNOW_CAUSAL], agent, thread, time);
}

bool epoch_ordered(const struct actor *me, const struct epoch *e)
{
    return e->agent == 0 || ordered(me, e->agent, e->thread, e->time);
}

bool epoch_passed_by_all(const struct actor *me, const struct epoch *e)
{
    return e->agent == me->agent && e->time <= me->bs->uniform && !left_before(me->race, e->agent, e->thread, e->time);
}

static bool values_cover(const struct actor *me, const struct knowledge *k, uint32_t agent, uint32_t thread, uint32_t time)
{
    if (!k)
        return false;
    if (clock_covers(me->race, k->part[KNOW_VALUE], agent, thread, time))
        return true;
    uint32_t uniform, fine = fence_log_time(k->order, k->fences, agent, thread, &uniform);
    return covered_by(me->race, fine, uniform, agent, thread, time);
}

static bool in_value_clock(const struct actor *me, uint32_t agent, uint32_t thread, uint32_t time)
{
    const struct lane_state *ls = actor_lane(me);
    return values_cover(me, me->bs->base, agent, thread, time) || (ls && values_cover(me, ls->extra, agent, thread, time));
}

bool epoch_must_be_seen(const struct actor *me, const struct epoch *e)
{
    return epoch_ordered(me, e) || in_value_clock(me, e->agent, e->thread, e->time);
}

bool agent_passed_by_launch(const struct actor *me, uint32_t agent)
{
    const struct launch *theirs = me->race->agents.data[agent].launch, *mine = me->race->agents.data[me->agent].launch;
    return agent < me->bs->floor || (theirs && theirs != mine && theirs->root != mine->root &&
                                     (launch_of_other_run(theirs, mine) || op_set_has(&me->bs->block->grid->before, theirs->op)));
}

/** Has anything of what the actor knows beyond its block's barriers to do with the agent? */
static bool knows_of(const struct actor *me, uint32_t agent, bool value)
{
    const struct lane_state *ls = actor_lane(me);
    const struct knowledge *know[2] = {me->bs->base, ls ? ls->extra : NULL};
    for (int i = 0; i < 2; i++)
        if (know[i] && (clock_has(know[i]->part[KNOW_CAUSAL], agent) ||
                        (value && (clock_has(know[i]->part[KNOW_VALUE], agent) || fence_log_has(know[i]->order, know[i]->fences, agent)))))
            return true;
    return false;
}

bool actor_knows_of(const struct actor *me, uint32_t agent)
{
    return knows_of(me, agent, false);
}

/** Does one thread of the element, or with `all` each, lie before `me`? `value`: by the order of this run's
 *  fence.sc, too. */
static bool threads_ordered(const struct actor *me, const struct reader *r, bool all, bool value)
{
    for (uint32_t m = r->mask; m; m &= m - 1) {
        uint32_t t = r->warp * 32u + (uint32_t)__builtin_ctz(m);
        bool yes = ordered(me, r->agent, t, r->time) || (value && in_value_clock(me, r->agent, t, r->time));
        if (yes != all)
            return yes;
    }
    return all;
}

/** Does the actor's thread, or a barrier of all threads of the element's block, answer for it? */
static bool plainly_before(const struct actor *me, const struct reader *r)
{
    if (r->agent < me->bs->floor)
        return true;
    return r->agent == me->agent && r->time <= me->bs->uniform && !me->bs->any_left;
}

static bool any_before(const struct actor *me, const struct reader *r, bool value)
{
    if (plainly_before(me, r) || (r->agent == me->agent && reader_has(r, me->thread)))
        return true;
    if (r->agent == me->agent && r->time > me->bs->uniform && r->time > me->ws->warp_uniform &&
        !knows_of(me, r->agent, value))
        return false;
    if (r->agent != me->agent && me->bs->alone && !agent_is_host(me->race, r->agent) &&
        !knows_of(me, r->agent, value))
        return false;
    return threads_ordered(me, r, false, value);
}

static bool may_cover(const struct vector_clock *v, uint32_t first, uint32_t last, uint32_t warp)
{
    return warp == EVERY_WARP ? clock_has_between(v, first, last) : clock_has_warp(v, first, warp);
}

bool readers_may_be_known(const struct actor *me, uint32_t first, uint32_t last, uint32_t warp, bool value)
{
    const struct race *race = me->race;
    const struct lane_state *ls = actor_lane(me);
    const struct knowledge *know[2] = {me->bs->base, ls ? ls->extra : NULL};
    if (first < me->bs->floor || !me->bs->alone || race->host.latest >= me->bs->floor) /* as any_before() has it */
        return true;
    if (first == last && first == me->agent)
        return false;
    bool apart = warp != EVERY_WARP && race->agents.data[first].launch != race->agents.data[me->agent].launch; /* by where its launch stands, perhaps */
    for (int i = 0; i < 2; i++) {
        const struct knowledge *k = know[i];
        if (!k)
            continue;
        if (value && k->order && (first != last || fence_log_has(k->order, k->fences, first)))
            return true;
        if (may_cover(k->part[KNOW_CAUSAL], first, last, apart ? EVERY_WARP : warp) || (value && may_cover(k->part[KNOW_VALUE], first, last, apart ? EVERY_WARP : warp)))
            return true;
    }
    return false;
}

bool reader_must_be_seen(const struct actor *me, const struct reader *r)
{
    return any_before(me, r, true);
}

bool reader_known(const struct actor *me, const struct reader *r)
{
    return any_before(me, r, false);
}

bool reader_ordered(const struct actor *me, const struct reader *r)
{
    return plainly_before(me, r) || threads_ordered(me, r, true, false);
}
