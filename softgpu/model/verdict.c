/**
 * @file verdict.c
 * See verdict.h.
 */
#include "model/verdict.h"

#include <string.h>

#include "model/axioms.h"

/** Steps of one search for an interleaving: past them there is taken to be one. */
#define MAX_STEPS 2000

bool pair_agrees(const struct execution *x, struct model_pair pair)
{
    const struct model_event *a = &x->event[pair.first], *b = &x->event[pair.second];
    return a->kind == EVENT_WRITE && b->kind == EVENT_WRITE && a->value == b->value;
}

bool execution_races(const struct execution *x, const struct axioms *relations, struct model_pair *which)
{
    bool found = false;
    FOR_EVENTS(w, x->writes) {
        if (x->event[w].thread < 0)
            continue;
        event_set others = x->of_location[x->event[w].location] & ~relations->morally_strong[w] &
                           ~relations->cause[w] & ~event_bit(w);
        FOR_EVENTS(e, others) {
            /* The halves of a read-modify-write are one operation: what is ordered with its write is so with its read. */
            int half = x->event[e].kind == EVENT_READ ? x->event[e].pair : -1;
            if (x->event[e].thread < 0 || x->event[e].thread == x->event[w].thread ||
                event_in(relations->cause[e], w) ||
                (half >= 0 && (event_in(relations->cause[half], w) || event_in(relations->cause[w], half))))
                continue;
            struct model_pair pair = {w, e};
            bool agrees = pair_agrees(x, pair);
            if (!found || !agrees)
                *which = pair;
            found = true;
            if (!agrees)
                return true;
        }
    }
    return found;
}

/* ---- Interleavings ---- */

struct interleaver {
    const struct execution *x;
    const uint64_t *final;
    event_set needs[MODEL_EVENTS];   /**< what has to happen before an event: program order, barriers, exchanges */
    event_set drawn;                 /**< atomics of counters whose order does not count */
    struct model_pair stuck;         /**< where the longest try ended, */
    int reached;                     /**< after so many events */
    int steps;
};

/** A try so far. */
struct prefix {
    event_set done;
    int last[MODEL_LOCATIONS];       /**< the write that a location holds */
};

/** All that the event waits for in its own thread and at barriers has happened. */
static bool is_next(const struct interleaver *i, const struct prefix *p, int e)
{
    return !event_in(p->done, e) && !(i->needs[e] & ~p->done);
}

/** The read half of a read-modify-write goes with its write. */
static bool is_half(const struct execution *x, int e)
{
    return x->event[e].kind == EVENT_READ && x->event[e].pair >= 0;
}

/** Everything that only looks, and can: the sooner the better. */
static void run_reads(const struct interleaver *i, struct prefix *p)
{
    for (bool any = true; any;) {
        any = false;
        for (int e = i->x->locations; e < i->x->count; e++) {
            const struct model_event *event = &i->x->event[e];
            if (!is_next(i, p, e) || event->kind == EVENT_WRITE || is_half(i->x, e) ||
                (event->kind == EVENT_READ && p->last[event->location] != i->x->source[e]))
                continue;
            p->done |= event_bit(e);
            any = true;
        }
    }
}

/** A read still to come, of the value that the write would replace; -1 if there is none. */
static int reader_of(const struct interleaver *i, const struct prefix *p, int write)
{
    const struct execution *x = i->x;
    int location = x->event[write].location;
    event_set left = x->of_location[location] & x->reads & ~p->done;
    FOR_EVENTS(r, left)
        if (x->source[r] == p->last[location] && x->event[write].pair != r)
            return r;
    return -1;
}

/** The write can be the next; if a read of the present value keeps it from that, it stands in `*reader`. */
static bool may_write(const struct interleaver *i, const struct prefix *p, int w, int *reader)
{
    int read = i->x->event[w].pair;
    *reader = -1;
    if (event_in(p->done, w) || i->needs[w] & ~p->done & ~(read >= 0 ? event_bit(read) : 0))
        return false;
    if (read >= 0 && i->needs[read] & ~p->done)
        return false;
    if (event_in(i->drawn, w))
        return true;
    if (read >= 0 && i->x->source[read] != p->last[i->x->event[w].location])
        return false;
    *reader = reader_of(i, p, w);
    return *reader < 0;
}

static int count_of(event_set s)
{
    return __builtin_popcountll((uint64_t)s) + __builtin_popcountll((uint64_t)(s >> 64));
}

static void note_stuck(struct interleaver *i, const struct prefix *p, int first, int second)
{
    int reached = count_of(p->done);
    if (reached <= i->reached)
        return;
    i->reached = reached;
    i->stuck = (struct model_pair){first, second};
}

/** The write would replace what a read is still to see: of another thread, or of its own, and then it comes too early for
 *  another's write that holds the place. */
static void note_stuck_write(struct interleaver *i, const struct prefix *p, int w, int reader)
{
    const struct model_event *event = i->x->event;
    int holds = p->last[event[w].location];
    if (event[reader].thread != event[w].thread)
        note_stuck(i, p, w, reader);
    else if (event[holds].thread >= 0 && event[holds].thread != event[w].thread)
        note_stuck(i, p, holds, w);
}

/** Nothing can be written. Reads that wait for a write, or whose value has gone, say why. */
static void note_waiting(struct interleaver *i, const struct prefix *p)
{
    const struct execution *x = i->x;
    event_set left = x->reads & ~p->done;
    FOR_EVENTS(r, left) {
        int holds = p->last[x->event[r].location], source = x->source[r];
        if (!is_next(i, p, r) || source < 0 || source == holds)
            continue;
        int write = x->event[holds].thread >= 0 && x->event[holds].thread != x->event[r].thread ? holds : source;
        if (x->event[write].thread >= 0 && x->event[write].thread != x->event[r].thread)
            note_stuck(i, p, write, r);
    }
}

/** All has happened: is memory what it should be? */
static bool ends_well(struct interleaver *i, const struct prefix *p)
{
    for (int l = 0; l < i->x->locations; l++) {
        event_set writes = i->x->of_location[l] & i->x->writes;
        if (i->x->event[p->last[l]].value == i->final[l] || event_in(i->drawn, p->last[l]))
            continue;
        FOR_EVENTS(w, writes)
            if (i->x->event[w].value == i->final[l] && i->x->event[w].thread >= 0)
                note_stuck(i, p, p->last[l], w);
        return false;
    }
    return true;
}

static bool interleave(struct interleaver *i, struct prefix p)
{
    const struct execution *x = i->x;
    event_set all = ~(event_set)0 >> (MODEL_EVENTS - x->count);
    if (++i->steps > MAX_STEPS)
        return true;
    run_reads(i, &p);
    if (p.done == all)
        return ends_well(i, &p);
    event_set left = x->writes & ~p.done;
    bool any = false;
    FOR_EVENTS(w, left) {
        int reader;
        if (!may_write(i, &p, w, &reader)) {
            if (reader >= 0)
                note_stuck_write(i, &p, w, reader);
            continue;
        }
        any = true;
        struct prefix next = p;
        next.done |= event_bit(w) | (x->event[w].pair >= 0 ? event_bit(x->event[w].pair) : 0);
        next.last[x->event[w].location] = w;
        if (interleave(i, next))
            return true;
    }
    if (!any)
        note_waiting(i, &p);
    return false;
}

bool execution_precedes(const struct execution *x, int first, int second)
{
    event_set earlier = event_bit(second);
    for (int e = second; e >= x->locations; e--) {
        event_set later = x->barrier[e] | x->meets[e];
        if (later & earlier)
            earlier |= event_bit(e);
        if (event_in(earlier, e))
            earlier |= x->before[e];
    }
    return event_in(earlier, first);
}

static bool has_order(const struct execution *x, const uint64_t *final, event_set drawn, struct model_pair *which)
{
    struct interleaver i = {.x = x, .final = final, .drawn = drawn, .stuck = {-1, -1}, .reached = -1};
    struct prefix start = {0};
    for (int e = 0; e < x->count; e++) {
        i.needs[e] |= x->before[e];
        event_set later = x->barrier[e] | x->meets[e];
        FOR_EVENTS(b, later)
            i.needs[b] |= event_bit(e);
    }
    for (int l = 0; l < x->locations; l++) {
        start.last[l] = l;
        start.done |= event_bit(l);
    }
    bool found = interleave(&i, start);
    *which = i.stuck;
    return found;
}

bool execution_interleaves(const struct execution *x, const uint64_t *final, struct model_pair *which)
{
    return has_order(x, final, 0, which);
}

/* ---- Numbers drawn from counters ---- */

/** Does no more rest on what the counter's atomic has read than where it stores something, in a place that one thread writes, and nobody reads? */
static bool is_only_place(const struct execution *x, int read)
{
    for (int e = x->locations; e < x->count && !x->event[read].shows; e++) {
        const struct model_event *event = &x->event[e];
        if (event->thread != x->event[read].thread || e == read || e == x->event[read].pair)
            continue;
        if (event_in(event->told, read))
            return false;
        if (!event_in(event->depends, read))
            continue;
        if (event->kind != EVENT_WRITE || event->strong || event->pair >= 0)
            return false;
        event_set others = x->of_location[event->location] & ~event_bit(e) & ~event_bit(event->location);
        if (others)
            return false;
    }
    return !x->event[read].shows;
}

/** The atomics of a location that is only counted, for places. */
static event_set drawn_at(const struct execution *x, int location)
{
    event_set all = x->of_location[location] & ~event_bit(location);
    uint8_t name = 0;
    FOR_EVENTS(e, all) {
        const struct model_event *event = &x->event[e];
        int read = event->kind == EVENT_READ ? e : event->pair;
        name = name || read < 0 ? name : x->event[read].counts;
        if (event->pair < 0 || !name || x->event[read].counts != name || x->event[read].value == x->event[x->event[read].pair].value ||
            (event->kind == EVENT_READ && !is_only_place(x, e)))
            return 0;
    }
    return all;
}

static event_set all_drawn(const struct execution *x)
{
    event_set drawn = 0;
    for (int l = 0; l < x->locations; l++)
        drawn |= drawn_at(x, l);
    return drawn;
}

bool execution_draws_places(const struct execution *x)
{
    return all_drawn(x) != 0;
}

bool execution_interleaves_but_places(const struct execution *x, const uint64_t *final)
{
    struct model_pair which;
    event_set drawn = all_drawn(x);
    return drawn && has_order(x, final, drawn, &which);
}
