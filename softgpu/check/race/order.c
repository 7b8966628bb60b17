/**
 * @file order.c
 * Base causality between an earlier event and the acting thread, and, where it is missing, which
 * half of a release-acquire pair would have made it.
 */
#include "check/race/order.h"
#include "check/race/race.h"
#include "check/race/shadow/readers.h"

/** Did the thread leave before the barrier whose uniform time would cover `time`? */
static bool left_before(const struct race *race, uint32_t agent, uint32_t thread, uint32_t time)
{
    const uint32_t *left = race->agents.data[agent].left;
    return left && left[thread] && time > left[thread] - 1;
}

bool clock_covers(const struct race *race, const struct vector_clock *v, uint32_t agent, uint32_t thread,
                 uint32_t time)
{
    uint32_t uniform, fine = clock_time(v, agent, thread, &uniform);
    return fine >= time || (uniform >= time && !left_before(race, agent, thread, time));
}

/** Does the actor come after a griddepcontrol.wait of its launch? */
static bool knows_wait(const struct actor *me, const struct launch *mine)
{
    const struct lane_state *ls = actor_lane(me);
    const struct knowledge *know[2] = {me->bs->base, ls ? ls->extra : NULL};
    for (int i = 0; i < 2; i++)
        if (know[i] && clock_has(know[i]->part[KNOW_CAUSAL], mine->wait_agent))
            return true;
    return false;
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
        if (mine->waited && op_set_has(&mine->awaited, theirs->op) && knows_wait(me, mine))
            return true;
        if (bs->base && clock_covers(me->race, bs->base->part[KNOW_CAUSAL], agent, thread, time))
            return true;
    }
    const struct lane_state *ls = actor_lane(me);
    return ls && ls->extra && clock_covers(me->race, ls->extra->part[KNOW_CAUSAL], agent, thread, time);
}

bool epoch_ordered(const struct actor *me, const struct epoch *e)
{
    return e->agent == 0 || ordered(me, e->agent, e->thread, e->time);
}

static bool in_value_clock(const struct actor *me, uint32_t agent, uint32_t thread, uint32_t time)
{
    const struct lane_state *ls = actor_lane(me);
    const struct knowledge *base = me->bs->base;
    return (base && clock_covers(me->race, base->part[KNOW_VALUE], agent, thread, time)) ||
           (ls && ls->extra &&
            clock_covers(me->race, ls->extra->part[KNOW_VALUE], agent, thread, time));
}

bool epoch_must_be_seen(const struct actor *me, const struct epoch *e)
{
    return epoch_ordered(me, e) || in_value_clock(me, e->agent, e->thread, e->time);
}

/** Has anything of what the actor knows beyond its block's barriers to do with the agent? */
static bool knows_of(const struct actor *me, uint32_t agent, bool value)
{
    const struct lane_state *ls = actor_lane(me);
    const struct knowledge *know[2] = {me->bs->base, ls ? ls->extra : NULL};
    for (int i = 0; i < 2; i++)
        if (know[i] && (clock_has(know[i]->part[KNOW_CAUSAL], agent) ||
                        (value && clock_has(know[i]->part[KNOW_VALUE], agent))))
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

/* ---- What is missing ---- */

#define MAX_VISITS 256   /* chains looked at for one verdict */
#define MAX_HOPS 4
#define MAX_SCANNED 65536u /* what threads have observed, passed on the way for a verdict, */
#define MAX_SCANNED_FOR_DOUBT 1024u /* and for asking whether a read relies on an order, which each strong read asks */

struct search {
    const struct actor *me;
    const struct epoch *target;
    struct places places;
    enum verdict best;
    struct hearsay how;
    bool only_seen;      /**< only by writes that a reader can tell from what was there before */
    int visits;
    unsigned scanned;
    struct searched *searched;   /**< chains that need not be looked at again */
    int searched_count;
};

/** A chain that has been followed so far, from a reader of that agent. */
struct searched {
    const struct release_chain *chain;
    int upto, hops;
    uint32_t reader;
    bool released;
};
#define MAX_SEARCHED 24

/** Is the contribution's write another device's than that of `reader`? */
static bool is_apart(const struct race *race, const struct contribution *c, uint32_t reader)
{
    return race->several && !c->host && reader && !agent_is_host(race, reader) && !same_device(race, c->agent, reader);
}

/** All that the contribution's write released to readers of any block on the reader's device. */
static const struct snapshot *released_by(const struct contribution *c, const struct passed *p, bool apart)
{
    return c->host || apart ? p->system : p->device;
}

/** Do these clocks of the target's agent cover the target? */
static bool clocks_cover(const struct epoch *e, uint32_t agent, uint32_t thread, uint32_t time,
                         uint32_t uniform, uint32_t warp_uniform)
{
    if (agent != e->agent)
        return false;
    return (thread == e->thread && time >= e->time) || uniform >= e->time ||
           (thread / WARP_LANES == e->thread / WARP_LANES && warp_uniform >= e->time);
}

static bool snapshot_covers(const struct search *s, const struct snapshot *shot)
{
    const struct epoch *e = s->target;
    if (!shot)
        return false;
    if (clocks_cover(e, shot->agent, shot->thread, shot->time, shot->uniform, shot->warp_uniform))
        return true;
    return (shot->base && clock_covers(s->me->race, shot->base->part[KNOW_CAUSAL], e->agent, e->thread,
                                      e->time)) ||
           (shot->extra && clock_covers(s->me->race, shot->extra->part[KNOW_CAUSAL], e->agent, e->thread,
                                       e->time));
}

/** A point in a thread's life, as it decides what the thread had observed by then. */
struct moment {
    uint32_t agent, thread, time, uniform;
};

/** The reads on the way from the actor: its own, and the first behind which nothing has been acquired. */
struct reads {
    uint32_t first, not_acquired;
};

static void visit_list(struct search *s, const struct observed_list *l, const struct moment *by,
                       struct reads reads, int hops, bool released);

/** Has the chain been followed as far already? What threads that all add to one word have read of each other leads from it
 *  to itself in very many ways. */
static bool is_searched(struct search *s, const struct observed *o, uint32_t reader, int hops, bool released)
{
    struct searched now = {o->chain, o->upto, hops, s->me->race->several ? reader : 0, released};
    for (int i = 0; i < s->searched_count; i++) {
        const struct searched *was = &s->searched[i];
        if (was->chain == now.chain && was->upto >= now.upto && was->hops >= hops && was->reader == now.reader && was->released >= released)
            return true;
    }
    if (s->searched_count < MAX_SEARCHED)
        s->searched[s->searched_count++] = now;
    return false;
}

/** Follows one observed chain: does it carry the target, released or only signalled? */
static void visit(struct search *s, const struct observed *o, uint32_t reader, struct reads reads, int hops, bool released)
{
    uint32_t via = reads.first ? reads.first : o->site;
    uint32_t here = reads.not_acquired ? reads.not_acquired : o->site;
    bool is_asked_for = o->chain->place >= s->places.first && o->chain->place <= s->places.last;
    if (is_asked_for || is_searched(s, o, reader, hops, released))
        return;
    for (int i = o->upto; i >= 0 && s->best != MISSING_ACQUIRE; i--) {
        const struct contribution *c = &o->chain->from.data[i];
        const struct passed *p = chain_passed(o->chain, i);
        bool same_block = c->agent == s->me->agent, cluster = same_cluster(s->me->race, c->agent, s->me->agent);
        bool apart = is_apart(s->me->race, c, reader);
        const struct snapshot *shot = released_by(c, p, apart);
        if (s->only_seen && c->unseen)
            continue;
        if (released && (snapshot_covers(s, shot) || (cluster && snapshot_covers(s, p->cluster_wide)) ||
                         (same_block && snapshot_covers(s, p->block)))) {
            s->best = MISSING_ACQUIRE;
            s->how = (struct hearsay){.via = via, .signal = c->site, .not_acquired = here,
                                      .narrow = apart && o->acquired == REACH_DEVICE};
            return;
        }
        if (s->best == UNORDERED &&
            clocks_cover(s->target, c->agent, c->thread, c->time, c->uniform, c->warp_uniform)) {
            s->best = MISSING_RELEASE;
            s->how = (struct hearsay){.via = via, .signal = c->site, .neither = !reads.first && !o->acquired,
                                      .narrow = apart && snapshot_covers(s, p->device)};
        }
        if (hops > 0 && c->agent != s->me->agent) {
            const struct agent *a = &s->me->race->agents.data[c->agent];
            const struct block_state *bs = a->live;
            bool passes = released && shot;
            struct moment by = {c->agent, c->thread, c->time, c->uniform};
            struct reads on = {via, o->acquired ? reads.not_acquired : here};
            if (a->threads)
                visit_list(s, &a->threads[c->thread], &by, on, hops - 1, passes);
            visit_list(s, &a->observed, &by, on, hops - 1, passes);
            if (bs && bs->warps[c->thread / WARP_LANES].lanes)
                visit_list(s,
                           &bs->warps[c->thread / WARP_LANES].lanes[c->thread % WARP_LANES].observed,
                           &by, on, hops - 1, passes);
        }
    }
}

static void visit_list(struct search *s, const struct observed_list *l, const struct moment *by,
                       struct reads reads, int hops, bool released)
{
    for (int i = observed_newest(l); i && s->best != MISSING_ACQUIRE; i = observed_older(l, i)) {
        const struct observed *o = &l->at[i];
        if (s->scanned++ >= (s->only_seen ? MAX_SCANNED_FOR_DOUBT : MAX_SCANNED))
            return;
        if (o->thread == EVERY_THREAD ? o->time > by->uniform
                                      : o->thread != by->thread || o->time > by->time)
            continue;
        if (s->visits++ >= MAX_VISITS)
            return;
        visit(s, o, by->agent, reads, hops, released);
    }
}

/** Looks through all that the actor has observed. */
static void visit_all(struct search *s)
{
    const struct actor *me = s->me;
    struct moment now = {me->agent, me->thread, UINT32_MAX, UINT32_MAX};
    const struct lane_state *ls = actor_lane(me);
    if (ls)
        visit_list(s, &ls->observed, &now, (struct reads){0}, MAX_HOPS, true);
    visit_list(s, &me->race->agents.data[me->agent].observed, &now, (struct reads){0}, MAX_HOPS, true);
}

enum verdict epoch_judge(const struct actor *me, const struct epoch *e, uint64_t place, struct hearsay *how)
{
    struct searched searched[MAX_SEARCHED];
    struct search s = {.me = me, .target = e, .places = {place, place}, .best = UNORDERED, .searched = searched};
    visit_all(&s);
    *how = s.how;
    return s.best;
}

bool epoch_signalled(const struct actor *me, const struct epoch *e, struct places places)
{
    struct searched searched[MAX_SEARCHED];
    struct search s = {.me = me, .target = e, .places = places, .best = UNORDERED, .only_seen = true, .searched = searched};
    visit_all(&s);
    return s.best != UNORDERED;
}

uint32_t host_signal_for(const struct race *race, const struct epoch *e, uint64_t place)
{
    const struct actor host = {.race = (struct race *)race, .agent = race->host.agent};
    struct searched searched[MAX_SEARCHED];
    struct search s = {.me = &host, .target = e, .places = {place, place}, .best = UNORDERED, .searched = searched};
    struct moment now = {race->host.agent, 0, UINT32_MAX, UINT32_MAX};
    visit_list(&s, &race->host.observed, &now, (struct reads){0}, MAX_HOPS, false);
    return s.how.signal;
}
