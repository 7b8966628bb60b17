/**
 * @file missing.c
 * Where base causality is missing: which half of a release-acquire pair would have made it. What the actor has observed
 * is followed, and what those had observed who wrote that. Several events are looked for at once.
 */
#include "base/mix.h"
#include "check/race/order.h"
#include "check/race/race.h"
#include "check/race/shadow/readers.h"

#define MAX_VISITS 256   /* chains looked at for one verdict */
#define MAX_HOPS 4
#define MAX_SCANNED 65536u /* what threads have observed, passed on the way for a verdict, */
#define MAX_SCANNED_FOR_DOUBT 1024u /* and for asking whether a read relies on an order, which each strong read asks */

/** Which of the targets a vector clock covers, a bit each. */
struct known_clock {
    const struct vector_clock *clock;
    uint32_t covers;
};
#define KNOWN_CLOCKS 32u

struct search {
    const struct actor *me;
    const struct epoch *target[MAX_TARGETS];  /**< the first is the one that `best` and `how` are about */
    int targets;
    uint32_t signalled;  /**< of the targets, those that are released or signalled, a bit each */
    struct known_clock *known;   /**< by a hash of the clock */
    struct places places;
    enum verdict best;
    struct hearsay how;
    bool only_seen;      /**< only by writes that a reader can tell from what was there before */
    bool only_heard;     /**< and only by reads whose result the reader's program uses */
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

/** Is it known by now? Whoever only asks for a signal has it with the first. */
static bool is_settled(const struct search *s)
{
    return s->best == MISSING_ACQUIRE || (s->only_seen && s->best != UNORDERED);
}

/** All that the contribution's write released to readers of any block on the reader's device. */
static const struct snapshot *released_by(const struct contribution *c, const struct passed *p, bool apart)
{
    return c->host || apart ? p->system : p->device;
}

/** Do these clocks cover the event? */
static bool clocks_cover(const struct epoch *e, uint32_t agent, uint32_t thread, uint32_t time,
                         uint32_t uniform, uint32_t warp_uniform)
{
    if (agent != e->agent)
        return false;
    return (thread == e->thread && time >= e->time) || uniform >= e->time ||
           (thread / WARP_LANES == e->thread / WARP_LANES && warp_uniform >= e->time);
}

/** The targets that a vector clock covers. Many snapshots share one. */
static uint32_t covered_by_clock(const struct search *s, const struct vector_clock *v)
{
    struct known_clock *k = &s->known[mix64((uintptr_t)v) % KNOWN_CLOCKS];
    if (!v || k->clock == v)
        return v ? k->covers : 0;
    *k = (struct known_clock){v, 0};
    for (int i = 0; i < s->targets; i++)
        if (clock_covers(s->me->race, v, s->target[i]->agent, s->target[i]->thread, s->target[i]->time))
            k->covers |= 1u << i;
    return k->covers;
}

static uint32_t covered_by(const struct search *s, const struct snapshot *shot)
{
    uint32_t covers = 0;
    if (!shot)
        return 0;
    for (int i = 0; i < s->targets; i++)
        if (clocks_cover(s->target[i], shot->agent, shot->thread, shot->time, shot->uniform, shot->warp_uniform))
            covers |= 1u << i;
    if (shot->base && !(covers & 1))
        covers |= covered_by_clock(s, shot->base->part[KNOW_CAUSAL]);
    if (shot->extra && !(covers & 1))
        covers |= covered_by_clock(s, shot->extra->part[KNOW_CAUSAL]);
    return covers;
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
static bool is_searched(struct search *s, const struct observed *o, int upto, uint32_t reader, int hops, bool released)
{
    struct searched now = {o->chain, upto, hops, s->me->race->several ? reader : 0, released};
    for (int i = 0; i < s->searched_count; i++) {
        const struct searched *was = &s->searched[i];
        if (was->chain == now.chain && was->upto >= now.upto && was->hops >= hops && was->reader == now.reader && was->released >= released)
            return true;
    }
    if (s->searched_count < MAX_SEARCHED)
        s->searched[s->searched_count++] = now;
    return false;
}

/** The targets of which the contribution's own write is a signal. */
static uint32_t signalled_by(const struct search *s, const struct contribution *c)
{
    uint32_t bits = 0;
    for (int i = 0; s->only_seen && i < s->targets; i++)
        if (clocks_cover(s->target[i], c->agent, c->thread, c->time, c->uniform, c->warp_uniform))
            bits |= 1u << i;
    return bits;
}

/** Follows one observed chain: does it carry the target, released or only signalled? */
static void visit(struct search *s, const struct observed *o, uint32_t reader, struct reads reads, int hops, bool released)
{
    uint32_t via = reads.first ? reads.first : o->site;
    uint32_t here = reads.not_acquired ? reads.not_acquired : o->site;
    bool is_asked_for = o->chain->place >= s->places.first && o->chain->place <= s->places.last;
    int upto = s->only_heard ? o->heard - 1 : o->upto;
    if (upto < 0 || is_asked_for || is_searched(s, o, upto, reader, hops, released))
        return;
    for (int i = upto; i >= 0 && !is_settled(s); i--) {
        const struct contribution *c = &o->chain->from.data[i];
        const struct passed *p = chain_passed(o->chain, i);
        bool same_block = c->agent == s->me->agent, cluster = same_cluster(s->me->race, c->agent, s->me->agent);
        bool apart = is_apart(s->me->race, c, reader);
        const struct snapshot *shot = released_by(c, p, apart);
        if (s->only_seen && c->unseen)
            continue;
        uint32_t covers = released ? covered_by(s, shot) : 0;
        if (released && cluster && !(covers & 1))
            covers |= covered_by(s, p->cluster_wide);
        if (released && same_block && !(covers & 1))
            covers |= covered_by(s, p->block);
        s->signalled |= covers | signalled_by(s, c);
        if (covers & 1) {
            s->best = MISSING_ACQUIRE;
            s->how = (struct hearsay){.via = via, .signal = c->site, .not_acquired = here,
                                      .narrow = apart && o->acquired == REACH_DEVICE};
            return;
        }
        if (s->best == UNORDERED &&
            clocks_cover(s->target[0], c->agent, c->thread, c->time, c->uniform, c->warp_uniform)) {
            s->best = MISSING_RELEASE;
            s->how = (struct hearsay){.via = via, .signal = c->site, .neither = !reads.first && !o->acquired,
                                      .narrow = apart && (covered_by(s, p->device) & 1)};
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
    for (int i = observed_newest(l); i && !is_settled(s); i = observed_older(l, i)) {
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
    struct known_clock known[KNOWN_CLOCKS] = {0};
    struct search s = {.me = me, .target = {e}, .targets = 1, .known = known, .places = {place, place}, .best = UNORDERED,
                       .searched = searched};
    visit_all(&s);
    *how = s.how;
    return s.best;
}

uint32_t epochs_signalled(const struct actor *me, const struct epoch *const *e, int count, struct places places, bool *all)
{
    struct searched searched[MAX_SEARCHED];
    struct known_clock known[KNOWN_CLOCKS] = {0};
    struct search s = {.me = me, .targets = count, .known = known, .places = places, .best = UNORDERED, .only_seen = true,
                       .searched = searched};
    for (int i = 0; i < count; i++)
        s.target[i] = e[i];
    visit_all(&s);
    *all = s.best == UNORDERED;
    return s.signalled;
}

bool epoch_heard(const struct actor *me, const struct epoch *e, struct places places)
{
    struct searched searched[MAX_SEARCHED];
    struct known_clock known[KNOWN_CLOCKS] = {0};
    struct search s = {.me = me, .target = {e}, .targets = 1, .known = known, .places = places, .best = UNORDERED, .only_seen = true,
                       .only_heard = true, .searched = searched};
    visit_all(&s);
    return s.signalled & 1;
}

bool epoch_signalled(const struct actor *me, const struct epoch *e, struct places places)
{
    bool all;
    return epochs_signalled(me, &e, 1, places, &all) & 1;
}

uint32_t host_signal_for(const struct race *race, const struct epoch *e, uint64_t place)
{
    const struct actor host = {.race = (struct race *)race, .agent = race->host.agent};
    struct searched searched[MAX_SEARCHED];
    struct known_clock known[KNOWN_CLOCKS] = {0};
    struct search s = {.me = &host, .target = {e}, .targets = 1, .known = known, .places = {place, place}, .best = UNORDERED,
                       .searched = searched};
    struct moment now = {race->host.agent, 0, UINT32_MAX, UINT32_MAX};
    visit_list(&s, &race->host.observed, &now, (struct reads){0}, MAX_HOPS, false);
    return s.how.signal;
}
