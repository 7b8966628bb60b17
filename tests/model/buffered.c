/**
 * @file buffered.c
 * See buffered.h: events one after another, each set of those that are done, with the last writes, tried once.
 */
#include "buffered.h"

#include "base/byte_set.h"
#include "base/mix.h"

struct order {
    const struct execution *x;
    const uint64_t *final;
    event_set first[MODEL_EVENTS];   /**< what must come before each */
    struct byte_set seen;
};

struct made {
    event_set done;
    int last[MODEL_LOCATIONS];
};

static bool counts(const struct execution *x, int event)
{
    bool any = false;
    for (int t = 0; t < x->threads; t++)
        any |= t != x->event[event].thread && execution_reaches(x, x->event[event].thread, x->event[event].scope, t);
    return any;
}

/** The event that stands for a read-modify-write is its read. */
static int of(const struct execution *x, int event)
{
    return x->event[event].kind == EVENT_WRITE && x->event[event].pair >= 0 ? x->event[event].pair : event;
}

static bool fence_between(const struct execution *x, int a, int b, bool sc)
{
    event_set between = x->fences & x->before[b];
    FOR_EVENTS(f, between)
        if (event_in(x->before[f], a) && (x->event[f].sc || !sc) && counts(x, f))
            return true;
    return false;
}

/** Must `a`, before `b` in its thread, reach memory first? */
static bool stays_first(const struct execution *x, int a, int b)
{
    const struct model_event *first = &x->event[a], *then = &x->event[b];
    if (first->kind == EVENT_READ || first->pair >= 0)
        return true;
    if (then->kind == EVENT_READ && then->pair < 0)
        return fence_between(x, a, b, true);
    int write = then->kind == EVENT_READ ? then->pair : b;
    return first->location == then->location || fence_between(x, a, b, false) || (x->event[write].release && counts(x, write));
}

static event_set accesses(const struct execution *x)
{
    event_set all = 0, both = x->reads | x->writes;
    FOR_EVENTS(e, both)
        if (e >= x->locations && of(x, e) == e)
            all |= event_bit(e);
    return all;
}

/** What a read returns now: its own thread's latest write, if that is still to come. */
static int source_now(const struct order *o, const struct made *m, int read)
{
    int own = -1;
    event_set before = o->x->before[read] & o->x->writes & o->x->of_location[o->x->event[read].location];
    FOR_EVENTS(w, before)
        own = own < 0 || event_in(o->x->before[w], own) ? w : own;
    return own >= 0 && !event_in(m->done, of(o->x, own)) ? own : m->last[o->x->event[read].location];
}

static bool is_new(struct order *o, const struct made *m)
{
    uint64_t key[2 + MODEL_LOCATIONS] = {(uint64_t)m->done, (uint64_t)(m->done >> 64)}, hash = 0;
    for (int l = 0; l < o->x->locations; l++)
        key[2 + l] = (uint64_t)m->last[l];
    for (int i = 0; i < 2 + o->x->locations; i++)
        hash = mix_in(hash, key[i]);
    return byte_set_add(&o->seen, hash, key, sizeof *key * (size_t)(2 + o->x->locations));
}

static bool go_on(struct order *o, const struct made *m, event_set all)
{
    if (!is_new(o, m))
        return false;
    bool ends = m->done == all;
    for (int l = 0; l < o->x->locations && ends; l++)
        ends = o->x->event[m->last[l]].value == o->final[l];
    event_set left = all & ~m->done;
    FOR_EVENTS(e, left) {
        const struct model_event *event = &o->x->event[e];
        if (o->first[e] & ~m->done || (event->kind == EVENT_READ && source_now(o, m, e) != o->x->source[e]))
            continue;
        struct made next = *m;
        next.done |= event_bit(e);
        if (event->kind == EVENT_WRITE || event->pair >= 0)
            next.last[event->location] = event->kind == EVENT_WRITE ? e : event->pair;
        if (go_on(o, &next, all))
            return true;
    }
    return ends;
}

/** What the walk has waited for when the event is passed where threads meet: at a fence.sc, and at a relaxed arrival at any fence. */
static event_set waited_for(const struct execution *x, int event)
{
    event_set fences = (x->before[event] | event_bit(event)) & x->fences, all = 0;
    FOR_EVENTS(f, fences)
        if (counts(x, f) && (x->event[f].sc || x->event[event].kind == EVENT_BARRIER))
            all |= x->before[f];
    return all;
}

/** What stands before a meeting comes before what stands behind it: all, or at one that orders no memory what reads, and what was waited for. */
static void keep_meetings(struct order *o, event_set all)
{
    const struct execution *x = o->x;
    event_set passed[2][MODEL_EVENTS];   /**< before each in time, by program order and meetings; by barriers */
    for (int e = 0; e < x->count; e++)
        passed[0][e] = x->before[e], passed[1][e] = 0;
    for (int more = 1; more--;)
        for (int e = x->locations; e < x->count; e++)
            for (int f = x->locations; f < x->count; f++) {
                event_set was[2] = {passed[0][f], passed[1][f]};
                if (event_in(passed[0][f] | x->before[f], e) || event_in(x->barrier[e] | x->meets[e], f)) {
                    passed[0][f] |= passed[0][e] | event_bit(e);
                    passed[1][f] |= passed[1][e];
                }
                if (event_in(x->barrier[e], f))
                    passed[1][f] |= passed[0][e] | event_bit(e);
                if (event_in(x->meets[e], f))
                    passed[1][f] |= waited_for(x, e);
                more |= was[0] != passed[0][f] || was[1] != passed[1][f];
            }
    FOR_EVENTS(b, all)
        o->first[b] |= ((passed[0][b] & x->reads) | passed[1][b]) & all;
}

bool execution_is_buffered(const struct execution *x, const uint64_t *final)
{
    struct order o = {.x = x, .final = final};
    struct made begin = {.done = 0};
    event_set all = accesses(x);
    for (int l = 0; l < x->locations; l++)
        begin.last[l] = l;
    FOR_EVENTS(b, all) {
        event_set before = x->before[b] & all;
        FOR_EVENTS(a, before)
            o.first[b] |= stays_first(x, a, b) ? event_bit(a) : 0;
    }
    keep_meetings(&o, all);
    bool is = go_on(&o, &begin, all);
    byte_set_free(&o.seen);
    return is;
}
