/**
 * @file hearing.c
 * See hearing.h. Each list of what a thread has observed, and each chain, is looked through once, as far as it was not before: so what is to
 * do is bounded by what there is, and the nearest come first. A chain may have as many contributions as the launch has atomics, and few of them say anything:
 * they are looked at when the chain is come to, but whose they are is asked only when there is nothing else left to look at. The order in which
 * lists and chains come is the same. What was observed, or contributed, before the events is left out: it tells nothing of them, and an event that is
 * asked for is mostly the last write of its location.
 */
#include "check/race/hearing.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mix.h"
#include "check/race/clock/chain_moments.h"
#include "check/race/unheard.h"
#include "execute/machine.h"
#include "report/reporter.h"

#define MAX_STEPS 65536u      /* contributions and observed chains that are looked at for one answer, */
#define MAX_STEPS_LATER 1024u /* for one after, */
#define MAX_STEPS_LONG 16u    /* and for one in a run that has taken LONG_STEPS */
#define MAX_STEPS_AGAIN 128u  /* … in further runs, and in one that has taken half of these */
#define MANY_STEPS (1u << 23) /* in one run: each look costs what all threads have done, and so the run the square of that; */
#define LONG_STEPS (8 * MANY_STEPS)
#define FEW_STEPS (MANY_STEPS / 64) /* in further runs of a launch of which one has taken many, and is incomplete already */
#define SCANNED_A_STEP 16     /* contributions that say nothing of the events */
#define MAX_LISTS 131072u     /* that are waiting for it, or done */
#define MAX_WAYS 65536u       /* chains, in turn, whose writers' lists are still to be looked through */
#define PLACES 524288u        /* of the table of what has been looked at */

/** Do these clocks cover the event? */
static bool clocks_cover(const struct race *race, const struct epoch *e, uint32_t agent, uint32_t thread, uint32_t time,
                         uint32_t uniform, uint32_t warp_uniform)
{
    if (agent != e->agent)
        return false;
    return (thread == e->thread && time >= e->time) || (uniform >= e->time && !left_before(race, agent, e->thread, e->time)) ||
           (thread / WARP_LANES == e->thread / WARP_LANES && warp_uniform >= e->time);
}

uint32_t sought_signalled(const struct sought *s, const struct contribution *c)
{
    uint32_t bits = 0;
    for (int i = 0; i < s->targets; i++)
        if (clocks_cover(s->me->race, s->target[i], c->agent, c->thread, c->time, c->uniform, c->warp_uniform))
            bits |= 1u << i;
    return bits;
}

static uint32_t covered_by_clock(struct sought *s, const struct vector_clock *v)
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

uint32_t sought_in(struct sought *s, const struct snapshot *shot)
{
    uint32_t covers = 0;
    if (!shot)
        return 0;
    for (int i = 0; i < s->targets; i++)
        if (clocks_cover(s->me->race, s->target[i], shot->agent, shot->thread, shot->time, shot->uniform, shot->warp_uniform))
            covers |= 1u << i;
    if (shot->base && !(covers & 1))
        covers |= covered_by_clock(s, shot->base->part[KNOW_CAUSAL]);
    if (shot->extra && !(covers & 1))
        covers |= covered_by_clock(s, shot->extra->part[KNOW_CAUSAL]);
    return covers;
}

bool hearing_is_apart(const struct race *race, const struct contribution *c, uint32_t reader)
{
    return race->several && !c->host && reader && !agent_is_host(race, reader) && !same_device(race, c->agent, reader);
}

/** What a contribution passes on to readers of any block. */
static const struct snapshot *shot_of(const struct race *race, const struct release_chain *m, int at, uint32_t reader)
{
    const struct contribution *c = &m->from.data[at];
    const struct passed *p = chain_passed(m, at);
    return c->host || hearing_is_apart(race, c, reader) ? p->system : p->device;
}

uint32_t sought_released(struct sought *s, const struct heard *what, const struct contribution *c)
{
    const struct passed *p = chain_passed(what->by->chain, what->at);
    uint32_t covers = sought_in(s, shot_of(s->me->race, what->by->chain, what->at, what->reader));
    if (same_cluster(s->me->race, c->agent, s->me->agent) && !(covers & 1))
        covers |= sought_in(s, p->cluster_wide);
    if (c->agent == s->me->agent && !(covers & 1))
        covers |= sought_in(s, p->block);
    return covers;
}

/* ---- The walk ---- */

/** A point in a thread's life, as it decides what the thread had observed by then. */
struct moment {
    uint32_t agent, thread, time, uniform;
};

/** A list to be looked through. */
struct asked {
    const struct observed_list *list;
    struct moment by;
    struct reads reads;
    bool released;
};

/** What has been looked at: a list as of a moment, a chain as far as a contribution. */
struct looked {
    const void *what;
    uint32_t walk;               /* which one: others have left the place free */
    uint32_t thread;             /* whose; of a chain the reader's agent where that matters */
    bool released;
    uint32_t upto, uniform;
};

/** A chain's contributions from `upto` down to `done`, which have been looked at; what their threads had observed has not. */
struct way {
    const struct observed *by;
    int upto, done;
    struct moment reader;
    struct reads on;
    bool released;
};

struct hearing_room {
    struct asked queue[MAX_LISTS];
    struct way ways[MAX_WAYS];
    struct looked looked[PLACES];
    uint32_t walk;
    uint64_t run;                /* in which */
    uint64_t steps;              /* so many were taken */
    uint64_t set;                /* of these launches, */
    bool many;                   /* of which a run has taken too many */
    struct unheard unheard;
};

struct walk {
    struct hearing *h;
    struct hearing_room *room;
    uint32_t most, steps, taken, asked, used, gone, ways; /**< of the lists, and of the ways, so many have been taken */
    bool over, cut;
};

static bool had_observed(const struct moment *m, const struct observed *o)
{
    return o->thread == EVERY_THREAD ? o->time <= m->uniform : o->thread == m->thread && o->time <= m->time;
}

static void steps(struct walk *w, uint32_t count)
{
    w->steps += count;
    if (w->steps > w->most)
        w->over = w->cut = true;
}

static struct looked *find(struct walk *w, const void *what, uint32_t thread, bool released)
{
    uint32_t i = (uint32_t)mix64((uintptr_t)what + thread * MIX_STEP + released) % PLACES;
    struct looked *k;
    for (;; i = (i + 1) % PLACES) {
        k = &w->room->looked[i];
        if (k->walk != w->room->walk || (k->what == what && k->thread == thread && k->released == released))
            break;
    }
    if (k->walk != w->room->walk) {
        *k = (struct looked){.what = what, .walk = w->room->walk, .thread = thread, .released = released};
        if (++w->used > PLACES / 2)
            w->over = w->cut = true;
    }
    return k;
}

/** A list, if there is one, is to be looked through, unless it has been as of that moment or a later one. */
static void ask(struct walk *w, const struct observed_list *list, struct asked what)
{
    const struct moment *by = &what.by;
    if (!list || !observed_newest(list) || list->latest < w->h->sought.since)
        return;
    struct looked *k = find(w, list, by->thread, what.released);
    if (k->upto && k->upto >= by->time && k->uniform >= by->uniform)
        return;
    k->upto = by->time, k->uniform = by->uniform;
    what.list = list;
    if (w->asked == MAX_LISTS)
        w->over = w->cut = true;
    else
        w->room->queue[w->asked++] = what;
}

/** What the contribution's thread had observed by then. */
static void ask_writer(struct walk *w, const struct contribution *c, struct reads reads, bool released)
{
    const struct agent *a = &w->h->sought.me->race->agents.data[c->agent];
    const struct block_state *bs = a->live;
    struct asked what = {.by = {c->agent, c->thread, c->time, c->uniform}, .reads = reads, .released = released};
    if (a->threads)
        ask(w, &a->threads[c->thread], what);
    ask(w, a->observed, what);
    if (bs && bs->warps[c->thread / WARP_LANES].lanes)
        ask(w, &bs->warps[c->thread / WARP_LANES].lanes[c->thread % WARP_LANES].observed, what);
}

/** The contribution at `at`, or the next below it that passes anything on, where only such matter; -1: there is none. */
static int at_or_below(const struct hearing *h, const struct release_chain *m, int at)
{
    int below = 0, above = m->passed.count;
    if (!h->only_released)
        return at;
    while (below < above) {
        int middle = below + (above - below) / 2;
        if (m->passed.data[middle].by <= at)
            below = middle + 1;
        else
            above = middle;
    }
    return below ? m->passed.data[below - 1].by : -1;
}

/** May the contribution say anything of the events, as a signal or by what it passes on? */
static bool may_tell(const struct sought *s, const struct contribution *c)
{
    bool may = c->passed;
    for (int i = 0; i < s->targets; i++)
        may |= c->agent == s->target[i]->agent;
    return may;
}

/** Looks at the contributions themselves. */
static void look_at(struct walk *w, const struct way *way, const struct reads *before)
{
    struct hearing *h = w->h;
    uint32_t passed_by = 0;
    const struct release_chain *m = way->by->chain;
    for (int i = at_or_below(h, m, way->upto); i >= way->done && !w->over; i = at_or_below(h, m, i - 1)) {
        const struct contribution *c = &m->from.data[i];
        if (!may_tell(&h->sought, c) || (h->only_seen && c->unseen)) {
            passed_by++;
            continue;
        }
        const struct heard what = {way->by, i, way->reader.agent, *before, way->released};
        w->over |= h->hear(h, &what, c);
        steps(w, 1);
    }
    steps(w, passed_by / SCANNED_A_STEP);
}

/** Asks what the contributions' threads had observed. */
static void go(struct walk *w, const struct way *way)
{
    const struct hearing *h = w->h;
    const struct race *race = h->sought.me->race;
    const struct release_chain *m = way->by->chain;
    for (int i = at_or_below(h, m, way->upto); i >= way->done && !w->over; i = at_or_below(h, m, i - 1)) {
        const struct contribution *c = &m->from.data[i];
        if ((h->only_seen && c->unseen) || c->agent == h->sought.me->agent)
            continue;
        bool shot = way->released && shot_of(race, m, i, way->reader.agent);
        struct reads by = way->on;
        if (way->released && !shot)
            by.passed = c->site;
        if (shot || !h->only_released)
            ask_writer(w, c, by, shot);
        steps(w, 1);
    }
}

/** Follows one observed chain as far as it was not. */
static void follow(struct walk *w, const struct observed *o, const struct asked *from)
{
    struct hearing *h = w->h;
    int upto = h->only_heard ? o->heard - 1 : o->upto;
    if (o->chain->place >= h->sought.places.first && o->chain->place <= h->sought.places.last)
        return;
    struct looked *k = find(w, o->chain, h->sought.me->race->several ? from->by.agent : 0, from->released);
    int older = chain_older_than(o->chain, h->sought.since), done = older > (int)k->upto ? older : (int)k->upto;
    if (upto < done)
        return;
    k->upto = (uint32_t)upto + 1;
    struct way way = {.by = o, .upto = upto, .done = done, .reader = from->by, .on = from->reads, .released = from->released};
    if (!way.on.first)
        way.on.first = o->site;
    if (!o->acquired && !way.on.not_acquired)
        way.on.not_acquired = o->site;
    if (way.on.passed && !way.on.seen)
        way.on.seen = o->site;
    look_at(w, &way, &from->reads);
    if (w->ways == MAX_WAYS)
        w->over = w->cut = true;
    else
        w->room->ways[w->ways++] = way;
}

/** What one answer may take: what is looked for is near, mostly. */
static uint32_t most_steps(const struct hearing_room *room)
{
    if (room->steps > LONG_STEPS)
        return MAX_STEPS_LONG;
    if (room->steps > MANY_STEPS)
        return room->many || room->steps > LONG_STEPS / 2 ? MAX_STEPS_AGAIN : MAX_STEPS_LATER;
    return MAX_STEPS;
}

/** A launch may be run a hundred times: what is too much in one run is not tried in each of them. */
static void count_anew(struct hearing_room *room, const struct race *race, const struct launch *of)
{
    if (of && of->set != room->set)
        room->many = false;
    else if (room->run != race->runs)
        room->many |= room->steps > MANY_STEPS;
    if (room->run != race->runs)
        room->steps = room->many ? MANY_STEPS - FEW_STEPS : 0;
    room->set = of ? of->set : room->set;
    room->run = race->runs;
}

static struct hearing_room *room_of(struct race *race, uint32_t agent)
{
    if (!race->hearing_room)
        race->hearing_room = calloc(1, sizeof *race->hearing_room);
    assert(race->hearing_room);
    if (!++race->hearing_room->walk) { /* the numbers begin again */
        memset(race->hearing_room->looked, 0, sizeof race->hearing_room->looked);
        race->hearing_room->walk = 1;
    }
    count_anew(race->hearing_room, race, race->agents.data[agent].launch);
    return race->hearing_room;
}

/** What is asked, as it is kept. */
static struct unheard_question question_of(const struct hearing *h, uint64_t run)
{
    const struct sought *s = &h->sought;
    const struct lane_state *ls = actor_lane(s->me);
    const struct observed_list *by_all = s->me->race->agents.data[s->me->agent].observed;
    struct unheard_question q = {.run = run, .places = s->places, .agent = s->me->agent, .thread = s->me->thread, .observed = ls ? ls->observed.changes : 0,
                                 .by_all = by_all ? by_all->changes : 0, .only_heard = h->only_heard, .count = (uint32_t)s->targets};
    for (int i = 0; i < s->targets; i++)
        q.event[i] = (struct unheard_event){s->target[i]->agent, s->target[i]->thread, s->target[i]->time};
    return q;
}

/** @return false: there was too much to look at it all */
static bool follow_all(struct hearing *h, struct hearing_room *room, const struct observed_list *only)
{
    const struct actor *me = h->sought.me;
    const struct lane_state *ls = only ? NULL : actor_lane(me);
    struct walk w = {.h = h, .room = room, .most = most_steps(room)};
    struct asked own = {.by = {me->agent, me->thread, UINT32_MAX, UINT32_MAX}, .released = !only};
    if (ls)
        ask(&w, &ls->observed, own);
    ask(&w, only ? only : me->race->agents.data[me->agent].observed, own);
    while (!w.over && (w.taken < w.asked || w.gone < w.ways)) {
        if (w.taken == w.asked) { /* only now: most that is looked for is near */
            go(&w, &w.room->ways[w.gone++]);
            continue;
        }
        struct asked a = w.room->queue[w.taken++];
        for (int i = observed_newest(a.list); i && !w.over; i = observed_older(a.list, i)) {
            steps(&w, 1);
            if (a.list->at[i].moment >= h->sought.since && had_observed(&a.by, &a.list->at[i]))
                follow(&w, &a.list->at[i], &a);
        }
    }
    w.room->steps += w.steps;
    if (w.cut && !me->race->told_unheard) {
        report_incomplete(machine_reporter(me->race->machine), INCOMPLETE_SIGNALS);
        me->race->told_unheard = true;
    }
    return !w.cut;
}

void hearing_follow(struct hearing *h, const struct observed_list *only)
{
    struct hearing_room *room = room_of(h->sought.me->race, h->sought.me->agent);
    struct unheard_question q = {0};
    if (h->again) {
        q = question_of(h, room->run);
        if (unheard_knows(&room->unheard, &q))
            return;
    }
    bool whole = follow_all(h, room, only);
    if (h->again && whole && !h->heard)
        unheard_note(&room->unheard, &q);
}
