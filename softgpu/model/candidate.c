/**
 * @file candidate.c
 * See candidate.h. Relations are square bit matrices; the names follow PTX ISA 8.7 to 8.10.
 */
#include "model/candidate.h"

#include <string.h>

#include "model/axioms.h"

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
    memcpy(to->met, from->met, sizeof to->met);
    memcpy(to->of_location, from->of_location, sizeof to->of_location);
    to->reads = from->reads, to->writes = from->writes, to->fences = from->fences;
}

int execution_add(struct execution *x, const struct model_event *e, int source)
{
    if (x->count == MODEL_EVENTS)
        return -1;
    int n = x->count++;
    x->event[n] = *e;
    x->source[n] = source;
    x->before[n] = x->barrier[n] = x->meets[n] = 0;
    if (e->thread >= 0 && x->met[e->thread] >= 0) {
        x->meets[x->met[e->thread]] |= event_bit(n);
        x->met[e->thread] = -1;
    }
    for (int p = 0; p < n && e->thread >= 0; p++)
        if (x->event[p].thread == e->thread)
            x->before[n] |= event_bit(p);
    if (e->kind == EVENT_READ || e->kind == EVENT_WRITE)
        x->of_location[e->location] |= event_bit(n);
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

/** The thread's latest event, or the exchange behind it; -1 = none. */
static int latest_of(const struct execution *x, int thread)
{
    int e = x->count - 1;
    if (x->met[thread] >= 0)
        return x->met[thread];
    while (e >= x->locations && x->event[e].thread != thread)
        e--;
    return e >= x->locations ? e : -1;
}

int execution_exchange(struct execution *x, struct model_event e, uint32_t threads)
{
    int latest[MODEL_THREADS];
    for (int t = 0; t < x->threads; t++)
        latest[t] = threads >> t & 1 ? latest_of(x, t) : -1;
    e.thread = __builtin_ctz(threads);
    int n = execution_add(x, &e, SOURCE_NONE);
    for (int t = 0; n >= 0 && t < x->threads; t++) {
        if (latest[t] >= 0)
            x->meets[latest[t]] |= event_bit(n);
        if (threads >> t & 1)
            x->met[t] = n;
    }
    return n;
}

bool execution_possible(const struct execution *x)
{
    struct axioms a;
    axioms_derive(&a, x, NULL);
    return axioms_hold(&a, x);
}

/* ---- Orders of fence.sc ---- */

event_set execution_ordered_fences(const struct execution *x)
{
    event_set followed = 0, ordered = 0, others = 0;
    for (int e = x->locations; e < x->count; e++)
        if (x->event[e].kind != EVENT_FENCE && x->event[e].kind != EVENT_EXCHANGE) {
            others |= event_bit(e);
            followed |= x->before[e];
        }
    FOR_EVENTS(f, x->fences)
        if (x->event[f].sc && event_in(followed, f) && x->before[f] & others)
            ordered |= event_bit(f);
    return ordered;
}

struct judging {
    const struct execution *x;
    struct axioms unordered;      /**< what holds without any order of the fences */
    struct axioms axioms;         /**< and with the present one */
    struct fence_order order;
    int fence[MODEL_EVENTS], fences;
    execution_fn *allowed;
    void *self;
};

static void judge_ordered(struct judging *j)
{
    event_set last[MODEL_LOCATIONS];
    const struct axioms *a = j->fences ? &j->axioms : &j->unordered;
    if (j->fences) {
        axioms_derive(&j->axioms, j->x, &j->order);
        if (!axioms_hold(&j->axioms, j->x))
            return;
    }
    for (int l = 0; l < j->x->locations; l++)
        if (!coherence_last(a, j->x, l, &last[l]))
            return;
    j->allowed(j->self, j->x, a, last);
}

/** Places the fence.sc operations one after another: Fence-SC order is acyclic and relates every morally strong
 *  pair (8.9.3); pairs that are not leave it open, so that only orders of the first kind are tried. */
static void order_fences(struct judging *j, int placed, event_set left)
{
    if (placed == j->fences) {
        judge_ordered(j);
        return;
    }
    FOR_EVENTS(f, left) {
        event_set others = left & ~event_bit(f);
        /* Fences that nothing relates come in the order of their numbers: one order of many alike. */
        event_set related = j->unordered.morally_strong[f];
        bool alike = placed && !event_in(related, j->fence[placed - 1]) && f < j->fence[placed - 1];
        if (alike)
            continue;
        event_set after = others & related;
        bool contradicts = false;
        FOR_EVENTS(o, after)
            contradicts |= event_in(j->unordered.cause[o], f);
        if (contradicts)
            continue;
        j->order.before[f] = after;
        j->fence[placed] = f;
        order_fences(j, placed + 1, others);
        j->order.before[f] = 0;
    }
}

void execution_judge(const struct execution *x, execution_fn *allowed, void *self)
{
    struct judging j;   /* what is used of it is set: it is large */
    j.x = x, j.allowed = allowed, j.self = self;
    memset(j.order.before, 0, sizeof j.order.before[0] * (size_t)x->count);
    event_set sc = execution_ordered_fences(x);
    axioms_derive(&j.unordered, x, NULL);
    if (!axioms_hold(&j.unordered, x))
        return;
    j.fences = __builtin_popcountll((uint64_t)sc) + __builtin_popcountll((uint64_t)(sc >> 64));
    order_fences(&j, 0, sc);
}
