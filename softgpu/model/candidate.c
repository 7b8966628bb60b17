/**
 * @file candidate.c
 * See candidate.h: events are put together here; fence_order.c judges them.
 */
#include "model/candidate.h"

#include <string.h>

void execution_begin(struct execution *x, int locations, const uint64_t *initial, int threads,
                     const struct model_place *place)
{
    memset(x, 0, sizeof *x);
    x->threads = threads;
    memset(x->met, -1, sizeof x->met);
    memcpy(x->place, place, sizeof *place * (size_t)threads);
    for (int l = 0; l < locations; l++)
        execution_add(x, &(struct model_event){.kind = EVENT_WRITE, .thread = -1, .location = l,
                                               .value = initial[l], .pair = -1}, SOURCE_NONE);
    x->locations = locations;
}

void coherence_copy(struct coherence *to, const struct coherence *from, int events)
{
    size_t n = (size_t)events;
    memcpy(to->order, from->order, n * sizeof to->order[0]);
    memcpy(to->caused, from->caused, n * sizeof to->caused[0]);
    to->settled = from->settled;
}

void execution_arrival(struct execution *x, int arrival, bool relaxed, event_set waiting)
{
    event_set fences = x->before[arrival] & x->fences, others = waiting & ~event_bit(arrival);
    if (!relaxed) {
        x->barrier[arrival] |= others;
        return;
    }
    x->meets[arrival] |= others;
    FOR_EVENTS(f, fences)
        if (x->event[f].release && x->event[f].scope >= MODEL_CLUSTER)
            x->barrier[f] |= others;
}

void execution_set_source(struct execution *x, int read, int write)
{
    x->source[read] = write;
    x->event[read].value = x->event[write].value;
    x->coherence.settled &= ~(1u << x->event[read].location);
}

void execution_copy(struct execution *to, const struct execution *from)
{
    size_t n = (size_t)from->count;
    to->locations = from->locations, to->threads = from->threads, to->count = from->count;
    memcpy(to->place, from->place, sizeof to->place);
    memcpy(to->event, from->event, n * sizeof to->event[0]);
    memcpy(to->source, from->source, n * sizeof to->source[0]);
    memcpy(to->before, from->before, n * sizeof to->before[0]);
    memcpy(to->barrier, from->barrier, n * sizeof to->barrier[0]);
    memcpy(to->meets, from->meets, n * sizeof to->meets[0]);
    memcpy(to->morally_strong, from->morally_strong, n * sizeof to->morally_strong[0]);
    coherence_copy(&to->coherence, &from->coherence, from->count);
    memcpy(to->met, from->met, sizeof to->met);
    memcpy(to->of_location, from->of_location, sizeof to->of_location);
    to->reads = from->reads, to->writes = from->writes, to->fences = from->fences;
    to->outside = from->outside;
}

bool place_reaches(const struct model_place *own, enum model_scope scope, const struct model_place *other)
{
    switch (scope) {
    case MODEL_CTA:
        return own->block == other->block && own->device == other->device;
    case MODEL_CLUSTER:
        return own->cluster == other->cluster && own->device == other->device;
    case MODEL_GPU:
        return own->device == other->device;
    default:
        return true;
    }
}

bool execution_reaches(const struct execution *x, int thread, enum model_scope scope, int other)
{
    return place_reaches(&x->place[thread], scope, &x->place[other]);
}

static bool is_memory(const struct model_event *e)
{
    return e->kind == EVENT_READ || e->kind == EVENT_WRITE;
}

/** 8.7.1: of one thread, or strong with scopes that include each other; memory operations overlap completely. */
static bool are_morally_strong(const struct execution *x, int a, int b)
{
    const struct model_event *e = &x->event[a], *o = &x->event[b];
    if (e->kind >= EVENT_BARRIER || o->kind >= EVENT_BARRIER || e->thread < 0 || o->thread < 0)
        return false;
    if (is_memory(e) && is_memory(o) && e->location != o->location)
        return false;
    if (e->thread == o->thread)
        return true;
    bool strong = (e->kind == EVENT_FENCE || e->strong) && (o->kind == EVENT_FENCE || o->strong);
    return strong && execution_reaches(x, e->thread, e->scope, o->thread) &&
           execution_reaches(x, o->thread, o->scope, e->thread);
}

static void add_morally_strong(struct execution *x, int n)
{
    event_set memory = x->reads | x->writes;
    x->morally_strong[n] = 0;
    if (event_in(x->outside, n))
        return; /* by another proxy (8.7.1) */
    event_set others = (x->event[n].kind == EVENT_FENCE ? memory : x->of_location[x->event[n].location]) | x->fences;
    FOR_EVENTS(o, others)
        if (!event_in(x->outside, o) && are_morally_strong(x, n, o)) {
            x->morally_strong[n] |= event_bit(o);
            x->morally_strong[o] |= event_bit(n);
        }
}

/** What follows the event where threads have met: in time, or if that is a barrier in causality. */
static event_set *after_meeting(struct execution *x, int event)
{
    return x->event[event].kind == EVENT_BARRIER ? &x->barrier[event] : &x->meets[event];
}

int execution_add(struct execution *x, const struct model_event *e, int source)
{
    if (x->count == MODEL_EVENTS)
        return -1;
    int n = x->count++;
    x->event[n] = *e;
    x->source[n] = source;
    x->before[n] = x->barrier[n] = x->meets[n] = 0;
    x->coherence.order[n] = x->coherence.caused[n] = 0;
    if (e->thread >= 0 && x->met[e->thread] >= 0) {
        after_meeting(x, x->met[e->thread])[0] |= event_bit(n);
        x->met[e->thread] = -1;
    }
    for (int p = 0; p < n && e->thread >= 0; p++)
        if (x->event[p].thread == e->thread)
            x->before[n] |= event_bit(p);
    x->outside |= e->outside ? event_bit(n) : 0;
    add_morally_strong(x, n);
    if (is_memory(e) && !e->outside) {
        x->of_location[e->location] |= event_bit(n);
        x->coherence.settled &= ~(1u << e->location);
    }
    if (e->pair >= 0)
        x->event[e->pair].pair = n;
    event_set *all = e->kind == EVENT_READ    ? &x->reads
                     : e->kind == EVENT_WRITE ? &x->writes
                     : e->kind == EVENT_FENCE ? &x->fences
                                              : NULL;
    if (all)
        *all |= event_bit(n);
    return n;
}

/** The thread's latest event, or the meeting behind it; -1 = none. */
static int latest_of(const struct execution *x, int thread)
{
    int e = x->count - 1;
    if (x->met[thread] >= 0)
        return x->met[thread];
    while (e >= x->locations && x->event[e].thread != thread)
        e--;
    return e >= x->locations ? e : -1;
}

int execution_meet(struct execution *x, struct model_event e, uint32_t threads)
{
    int latest[MODEL_THREADS];
    for (int t = 0; t < x->threads; t++)
        latest[t] = threads >> t & 1 ? latest_of(x, t) : -1;
    e.thread = __builtin_ctz(threads);
    int n = execution_add(x, &e, SOURCE_NONE);
    for (int t = 0; n >= 0 && t < x->threads; t++) {
        if (latest[t] >= 0)
            (e.kind == EVENT_BARRIER ? x->barrier : x->meets)[latest[t]] |= event_bit(n);
        if (threads >> t & 1)
            x->met[t] = n;
    }
    return n;
}
