/**
 * @file missing.c
 * Where base causality is missing: which half of a release-acquire pair would have made it; and whether there is a signal at all. What the
 * actor has heard (hearing.h) is asked.
 */
#include "check/race/hearing.h"

/* ---- What is missing ---- */

struct search {
    struct hearing hearing;
    enum verdict best;
    struct hearsay how;
};

/** Has the actor's thread executed a fence since that time of its own, or of its block's? A fence.sc behind a barrier acquires as well. */
static bool has_fenced_since(const struct actor *me, uint32_t time)
{
    const struct lane_state *ls = actor_lane(me);
    return ls && ls->device_fence && ls->device_fence->time >= time;
}

/** Does it carry the event, released or only signalled? Nothing is looked for behind the first that does: whether any is released all the way has been
 *  asked before. */
static bool explain(struct hearing *h, const struct heard *what, const struct contribution *c)
{
    struct search *s = (struct search *)h;
    const struct observed *o = what->by;
    uint32_t via = what->reads.first ? what->reads.first : o->site;
    bool apart = hearing_is_apart(h->sought.me->race, c, what->reader);
    if (what->released && sought_released(&h->sought, what, c)) {
        s->best = MISSING_ACQUIRE;
        s->how = (struct hearsay){.via = via, .signal = c->site, .narrow = apart && o->acquired == REACH_DEVICE,
                                  .not_acquired = what->reads.not_acquired ? what->reads.not_acquired : o->site};
        return true;
    }
    if (s->best == UNORDERED && what->reads.passed && sought_released(&h->sought, what, c)) {
        bool neither = what->reads.not_acquired == via;
        s->best = MISSING_RELEASE;
        s->how = (struct hearsay){.via = via, .signal = c->site, .neither = neither, .acquired = !neither, .passed = what->reads.passed,
                                  .seen = what->reads.seen ? what->reads.seen : o->site};
    }
    if (s->best == UNORDERED && sought_signalled(&h->sought, c)) {
        s->best = MISSING_RELEASE;
        bool acquired = o->acquired && !(o->left && !has_fenced_since(h->sought.me, o->time));
        s->how = (struct hearsay){.via = via, .signal = c->site, .neither = !what->reads.first && !acquired,
                                  .acquired = !what->reads.first && acquired,
                                  .narrow = apart && sought_in(&h->sought, chain_passed(o->chain, what->at)->device)};
    }
    return s->best != UNORDERED;
}

/** Does it carry the event, released as all on the way? */
static bool explain_released(struct hearing *h, const struct heard *what, const struct contribution *c)
{
    struct search *s = (struct search *)h;
    return explain(h, what, c) && s->best == MISSING_ACQUIRE;
}

/** The places that an access of that unit to `place` covers: writes to any of them are no signals for it. */
static struct places covered(uint64_t place, uint8_t unit)
{
    uint64_t size = unit >> 4, inside = size <= 4 ? (1ull << size) - 1 : 0;
    return (struct places){place & ~inside, place | inside}; /* also of shared memory, whose places are turned about */
}

static struct search search_for(const struct actor *me, const struct epoch *e, uint64_t place, const struct observed_list *only)
{
    struct search s = {.hearing = {.sought = {.me = me, .target = {e}, .targets = 1, .places = covered(place, e->unit)}, .hear = explain_released,
                                   .only_released = true},
                       .best = UNORDERED};
    if (!only)
        hearing_follow(&s.hearing, NULL);
    if (s.best == MISSING_ACQUIRE)
        return s;
    s.hearing.hear = explain;
    s.hearing.only_released = false;
    s.best = UNORDERED;
    s.how = (struct hearsay){0};
    hearing_follow(&s.hearing, only);
    return s;
}

enum verdict epoch_judge(const struct actor *me, const struct epoch *e, uint64_t place, struct hearsay *how)
{
    struct search s = search_for(me, e, place, NULL);
    *how = s.how;
    return s.best;
}

uint32_t host_signal_for(const struct race *race, const struct epoch *e, uint64_t place)
{
    const struct actor host = {.race = (struct race *)race, .agent = race->host.agent};
    return search_for(&host, e, place, &race->host.observed).how.signal;
}

/* ---- Is there a signal? ---- */

struct listening {
    struct hearing hearing;
    uint32_t signalled;
};

static bool listen(struct hearing *h, const struct heard *what, const struct contribution *c)
{
    struct listening *l = (struct listening *)h;
    l->signalled |= sought_signalled(&h->sought, c);
    if (what->released)
        l->signalled |= sought_released(&h->sought, what, c);
    h->heard = l->signalled;
    return l->signalled & 1;
}

/** May something that others can have heard tell of the event? Not where its thread, or another that knew of it, has made no strong write since but to the places in question, and
 *  nobody holds what it had done: then all that they have heard need not be gone through. */
static bool may_be_told(struct race *race, const struct epoch *e, struct places places)
{
    const struct agent *a = &race->agents.data[e->agent];
    race->asks_signals = true;
    return !a->launch || a->bulk || a->copies_of || a->gives || signals_may_tell(&a->signals, e->thread, e->time, places.first, places.last);
}

uint32_t epochs_signalled(const struct actor *me, const struct epoch *const *e, int count, uint64_t since, struct places places, bool *all)
{
    struct listening l = {.hearing = {.sought = {.me = me, .targets = count, .places = places, .since = since}, .hear = listen, .only_seen = true, .again = true}};
    bool may = false;
    for (int i = 0; i < count; i++) {
        l.hearing.sought.target[i] = e[i];
        may |= may_be_told(me->race, e[i], places);
    }
    if (may)
        hearing_follow(&l.hearing, NULL);
    *all = !(l.signalled & 1);
    return l.signalled;
}

bool epoch_heard(const struct actor *me, const struct epoch *e, uint64_t since, struct places places)
{
    struct listening l = {.hearing = {.sought = {.me = me, .target = {e}, .targets = 1, .places = places, .since = since}, .hear = listen, .only_seen = true,
                                      .only_heard = true, .again = true}};
    if (may_be_told(me->race, e, places))
        hearing_follow(&l.hearing, NULL);
    return l.signalled & 1;
}

bool epoch_signalled(const struct actor *me, const struct epoch *e, uint64_t since, struct places places)
{
    bool all;
    return epochs_signalled(me, &e, 1, since, places, &all) & 1;
}
