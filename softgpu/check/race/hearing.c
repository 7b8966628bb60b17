/**
 * @file hearing.c
 * See hearing.h. Each list of what a thread has observed, and each chain, is looked through once, as far as it was not before: so what is to
 * do is bounded by what there is, and the nearest come first.
 */
#include "check/race/hearing.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mix.h"
#include "execute/machine.h"
#include "report/reporter.h"

#define MAX_STEPS 65536u      /* contributions and observed chains that are looked at for one answer, */
#define MAX_STEPS_LATER 1024u /* and for one after */
#define MANY_STEPS (1u << 23) /* in one launch: each look costs what all threads have done, and so the launch the square of that */
#define MAX_LISTS 32768u      /* that are waiting for it, or done */
#define PLACES 131072u        /* of the table of what has been looked at */

/** Do these clocks cover the event? */
static bool clocks_cover(const struct epoch *e, uint32_t agent, uint32_t thread, uint32_t time,
                         uint32_t uniform, uint32_t warp_uniform)
{
    if (agent != e->agent)
        return false;
    return (thread == e->thread && time >= e->time) || uniform >= e->time ||
           (thread / WARP_LANES == e->thread / WARP_LANES && warp_uniform >= e->time);
}

uint32_t sought_signalled(const struct sought *s, const struct contribution *c)
{
    uint32_t bits = 0;
    for (int i = 0; i < s->targets; i++)
        if (clocks_cover(s->target[i], c->agent, c->thread, c->time, c->uniform, c->warp_uniform))
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
        if (clocks_cover(s->target[i], shot->agent, shot->thread, shot->time, shot->uniform, shot->warp_uniform))
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

uint32_t sought_released(struct sought *s, const struct heard *what, const struct contribution *c, const struct snapshot **shot)
{
    const struct passed *p = chain_passed(what->by->chain, what->at);
    *shot = c->host || hearing_is_apart(s->me->race, c, what->reader) ? p->system : p->device;
    uint32_t covers = sought_in(s, *shot);
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

struct hearing_room {
    struct asked queue[MAX_LISTS];
    struct looked looked[PLACES];
    uint32_t walk;
    uint64_t run;                /* in which */
    uint64_t steps;              /* so many were taken */
};

struct walk {
    struct hearing *h;
    struct hearing_room *room;
    uint32_t most, steps, taken, asked, used;
    bool over, cut;
};

static bool had_observed(const struct moment *m, const struct observed *o)
{
    return o->thread == EVERY_THREAD ? o->time <= m->uniform : o->thread == m->thread && o->time <= m->time;
}

static void step(struct walk *w)
{
    if (++w->steps > w->most)
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

/** A list is to be looked through, unless it has been as of that moment or a later one. */
static void ask(struct walk *w, const struct observed_list *list, struct asked what)
{
    const struct moment *by = &what.by;
    if (!observed_newest(list))
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
    ask(w, &a->observed, what);
    if (bs && bs->warps[c->thread / WARP_LANES].lanes)
        ask(w, &bs->warps[c->thread / WARP_LANES].lanes[c->thread % WARP_LANES].observed, what);
}

/** Follows one observed chain as far as it was not. */
static void follow(struct walk *w, const struct observed *o, const struct asked *from)
{
    struct hearing *h = w->h;
    const struct race *race = h->sought.me->race;
    int upto = h->only_heard ? o->heard - 1 : o->upto;
    if (o->chain->place >= h->sought.places.first && o->chain->place <= h->sought.places.last)
        return;
    struct looked *k = find(w, o->chain, race->several ? from->by.agent : 0, from->released);
    int done = (int)k->upto;
    if (upto < done)
        return;
    k->upto = (uint32_t)upto + 1;
    struct reads on = from->reads;
    if (!on.first)
        on.first = o->site;
    if (!o->acquired && !on.not_acquired)
        on.not_acquired = o->site;
    if (on.passed && !on.seen)
        on.seen = o->site;
    for (int i = upto; i >= done && !w->over; i--) {
        const struct contribution *c = &o->chain->from.data[i];
        const struct heard what = {o, i, from->by.agent, from->reads, from->released};
        const struct snapshot *shot = NULL;
        step(w);
        if (h->only_seen && c->unseen)
            continue;
        w->over |= h->hear(h, &what, c, &shot);
        struct reads by = on;
        if (from->released && !shot)
            by.passed = c->site;
        if (c->agent != h->sought.me->agent && !w->over)
            ask_writer(w, c, by, from->released && shot);
    }
}

static struct hearing_room *room_of(struct race *race)
{
    if (!race->hearing_room)
        race->hearing_room = calloc(1, sizeof *race->hearing_room);
    assert(race->hearing_room);
    if (!++race->hearing_room->walk) { /* the numbers begin again */
        memset(race->hearing_room->looked, 0, sizeof race->hearing_room->looked);
        race->hearing_room->walk = 1;
    }
    if (race->hearing_room->run != race->runs)
        race->hearing_room->steps = 0;
    race->hearing_room->run = race->runs;
    return race->hearing_room;
}

void hearing_follow(struct hearing *h, const struct observed_list *only)
{
    const struct actor *me = h->sought.me;
    const struct lane_state *ls = only ? NULL : actor_lane(me);
    struct walk w = {.h = h, .room = room_of(me->race)};
    w.most = w.room->steps > MANY_STEPS ? MAX_STEPS_LATER : MAX_STEPS;
    struct asked own = {.by = {me->agent, me->thread, UINT32_MAX, UINT32_MAX}, .released = !only};
    if (ls)
        ask(&w, &ls->observed, own);
    ask(&w, only ? only : &me->race->agents.data[me->agent].observed, own);
    while (w.taken < w.asked && !w.over) {
        struct asked a = w.room->queue[w.taken++];
        for (int i = observed_newest(a.list); i && !w.over; i = observed_older(a.list, i)) {
            step(&w);
            if (had_observed(&a.by, &a.list->at[i]))
                follow(&w, &a.list->at[i], &a);
        }
    }
    w.room->steps += w.steps;
    if (w.cut && !me->race->told_unheard) {
        report_incomplete(machine_reporter(me->race->machine), INCOMPLETE_SIGNALS);
        me->race->told_unheard = true;
    }
}
