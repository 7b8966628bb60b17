/**
 * @file fence_order.c
 * Judges an execution: which orders of its fence.sc operations the axioms allow.
 *
 * Fence-SC order relates every morally strong pair (PTX ISA 8.9.3) and adds to causality. All axioms are monotone in causality, and
 * ask of it only whether it orders two accesses of one location. So not all orders are tried: a pair that the axioms allow one way
 * only goes that way; a pair is tried both ways where it matters; and an order that has all the causality of one that was
 * judged leaves nothing that this one did not.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "model/axioms.h"

/** The fence.sc operations whose order matters: without an access or a barrier before one in its thread, it may as well come
 *  first, and without one behind it last. */
static event_set ordered_fences(const struct execution *x)
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

/** Some pairs are ordered. */
struct partial_order {
    struct axioms axioms;
    struct coherence co;
};

/** Causality of an order that was judged, as far as the axioms ask for it. */
struct judged_order {
    event_set cause[MODEL_EVENTS];
};
#define MAX_JUDGED 256

/** As much work of coherence_last() counts for a step: one of thirty-two writes. */
#define WORK_OF_STEP 1024

struct judging {
    const struct execution *x;
    event_set fences;
    struct judged_order *judged;
    int judged_count;
    uint64_t steps, most;
    uint64_t work;                 /**< of putting writes into orders */
    execution_fn *allowed;
    void *self;
};

/* ---- What an order of two fences means ---- */

/** The accesses that an event comes to precede when `then` follows it. */
static event_set brought_by(const struct partial_order *o, int then)
{
    return o->axioms.base[then];
}

/** Those of an access's location that matter to it: a read and a read may come in any order. */
static event_set matters_to(const struct execution *x, int access)
{
    event_set all = x->of_location[x->event[access].location];
    return x->event[access].kind == EVENT_READ ? all & x->writes : all;
}

/** For each access the accesses that causality must not put behind it: the read that has taken its value or an earlier one, the
 *  source of the read, the writes before it. */
static void derive_forbidden(const struct execution *x, const event_set *co, event_set *forbidden)
{
    memset(forbidden, 0, sizeof *forbidden * (size_t)x->count);
    FOR_EVENTS(w, x->writes)
        FOR_EVENTS(v, co[w])
            forbidden[v] |= event_bit(w);
    FOR_EVENTS(r, x->reads) {
        int source = x->source[r], pair = x->event[r].pair;
        if (source < 0)
            continue;
        forbidden[r] |= event_bit(source);
        if (event_in(x->outside, r))
            continue;
        event_set overwrites = co[source] & ~event_bit(pair >= 0 ? pair : r);
        FOR_EVENTS(w, overwrites)
            forbidden[w] |= event_bit(r);
    }
}

/** By fence: what must not follow it, as derive_forbidden() has it for what precedes it. */
static void derive_barred(const struct judging *j, const struct partial_order *o, event_set *barred)
{
    event_set forbidden[MODEL_EVENTS], accesses = j->x->reads | j->x->writes;
    derive_forbidden(j->x, o->co.order, forbidden);
    FOR_EVENTS(f, j->fences)
        barred[f] = event_bit(f);
    FOR_EVENTS(e, accesses) {
        event_set before = o->axioms.cause[e] & j->fences;
        FOR_EVENTS(f, before)
            barred[f] |= forbidden[e];
    }
}

/** Fences that must be related to `f` and are not yet. */
static event_set open_pairs(const struct judging *j, const struct partial_order *o, int f)
{
    event_set open = o->axioms.morally_strong[f] & j->fences & ~o->axioms.base[f];
    event_set later = 0;
    FOR_EVENTS(g, open)
        later |= event_in(o->axioms.base[g], f) ? event_bit(g) : 0;
    return open & ~later;
}

/** Orders the pairs that can go one way only. @return false if the axioms allow no order */
static bool settle(struct judging *j, struct partial_order *o)
{
    event_set barred[MODEL_EVENTS];
    if (!(j->fences & (j->fences - 1)))
        return coherence_extend(&o->axioms, j->x, &o->co);
    for (bool grew = true; grew;) {
        grew = false;
        if (!coherence_extend(&o->axioms, j->x, &o->co))
            return false;
        derive_barred(j, o, barred);
        FOR_EVENTS(f, j->fences) {
            event_set open = open_pairs(j, o, f) & ~(event_bit(f) - 1);
            FOR_EVENTS(g, open) {
                bool first = !(barred[f] & (brought_by(o, g) | event_bit(g))), second = !(barred[g] & (brought_by(o, f) | event_bit(f)));
                if (first && second)
                    continue;
                if ((!first && !second) || !axioms_order_fences(&o->axioms, j->x, first ? f : g, first ? g : f))
                    return false;
                grew = true;
            }
        }
    }
    return true;
}

/** Would it add nothing that the axioms ask for? */
static bool is_free(const struct judging *j, const struct partial_order *o, int first, int then)
{
    event_set accesses = j->x->reads | j->x->writes, brought = brought_by(o, then) & accesses;
    FOR_EVENTS(e, accesses)
        if (event_in(o->axioms.cause[e], first) && brought & matters_to(j->x, e) & ~o->axioms.cause[e])
            return false;
    return true;
}

/* ---- The search ---- */

static bool was_judged(const struct judging *j, const struct partial_order *o)
{
    event_set accesses = j->x->reads | j->x->writes;
    for (int i = 0; i < j->judged_count; i++) {
        event_set lacking = 0;
        FOR_EVENTS(e, accesses)
            lacking |= j->judged[i].cause[e] & ~o->axioms.cause[e];
        if (!lacking)
            return true;
    }
    return false;
}

static void judge_ordered(struct judging *j, const struct partial_order *o)
{
    event_set last[MODEL_LOCATIONS], accesses = j->x->reads | j->x->writes;
    if (j->fences && j->judged_count < MAX_JUDGED) {
        if (!(j->judged_count & (j->judged_count - 1))) /* room for twice as many */
            j->judged = realloc(j->judged, sizeof *j->judged * (size_t)(j->judged_count ? 2 * j->judged_count : 1));
        assert(j->judged);
        FOR_EVENTS(e, accesses)
            j->judged[j->judged_count].cause[e] = o->axioms.cause[e] & matters_to(j->x, e);
        j->judged_count++;
    }
    for (int l = 0; l < j->x->locations; l++)
        if (!coherence_last(&o->axioms, j->x, l, o->co.order, &last[l], &j->work, j->most * WORK_OF_STEP) || j->work > j->most * WORK_OF_STEP)
            return;
    j->allowed(j->self, j->x, &o->axioms, last);
}

/** The pair to be tried next, the freer way first: one that matters both ways if there is one. @return false if all are related */
static bool choose_pair(const struct judging *j, const struct partial_order *o, int *first, int *then)
{
    bool any = false;
    FOR_EVENTS(f, j->fences) {
        event_set open = open_pairs(j, o, f) & ~(event_bit(f) - 1);
        FOR_EVENTS(g, open) {
            bool forth = is_free(j, o, f, g), back = !forth && is_free(j, o, g, f);
            if (any && (forth || back))
                continue;
            any = true;
            *first = back ? g : f, *then = back ? f : g;
            if (!forth && !back)
                return true;
        }
    }
    return any;
}

static void order_copy(struct partial_order *to, const struct partial_order *from, int events)
{
    size_t n = (size_t)events * sizeof(event_set);
    memcpy(to->axioms.morally_strong, from->axioms.morally_strong, n);
    memcpy(to->axioms.observed, from->axioms.observed, n);
    memcpy(to->axioms.base, from->axioms.base, n);
    memcpy(to->axioms.cause, from->axioms.cause, n);
    coherence_copy(&to->co, &from->co, events);
}

static void order_fences(struct judging *j, struct partial_order *o)
{
    int first, then;
    if (++j->steps > j->most || !settle(j, o) || was_judged(j, o))
        return;
    if (!choose_pair(j, o, &first, &then)) {
        judge_ordered(j, o);
        return;
    }
    struct partial_order *next = malloc(sizeof *next);
    assert(next);
    order_copy(next, o, j->x->count);
    if (axioms_order_fences(&next->axioms, j->x, first, then))
        order_fences(j, next);
    free(next);
    if (!was_judged(j, o) && axioms_order_fences(&o->axioms, j->x, then, first))
        order_fences(j, o);
}

static bool begin(struct judging *j, struct partial_order *o)
{
    coherence_copy(&o->co, &j->x->coherence, j->x->count);
    axioms_derive(&o->axioms, j->x);
    return axioms_no_thin_air(j->x);
}

uint64_t execution_judge(const struct execution *x, uint64_t most, execution_fn *allowed, void *self)
{
    struct judging j = {.x = x, .fences = ordered_fences(x), .most = most, .allowed = allowed, .self = self};
    struct partial_order o;   /* what is used of it is set: it is large */
    if (begin(&j, &o))
        order_fences(&j, &o);
    free(j.judged);
    j.work /= WORK_OF_STEP;
    if (j.steps > most || j.work > most)
        return most + 1;
    return j.steps + j.work < most ? j.steps + j.work : most + j.work / WORK_OF_STEP;
}

/** What execution_possible() finds, in `o`. */
static bool is_possible(struct execution *x, struct partial_order *o)
{
    struct judging j = {.x = x, .fences = ordered_fences(x)};
    if (!begin(&j, o) || !settle(&j, o))
        return false;
    coherence_copy(&x->coherence, &o->co, x->count);
    return true;
}

bool execution_possible(struct execution *x)
{
    struct partial_order o;   /* what is used of it is set: it is large */
    return is_possible(x, &o);
}

bool execution_narrow(struct execution *x, event_set reads, event_set *offered)
{
    struct partial_order o;   /* what is used of it is set: it is large */
    if (!is_possible(x, &o))
        return false;
    FOR_EVENTS(r, reads) {
        FOR_EVENTS(w, offered[r])
            if (axioms_forbid_source(&o.axioms, x, o.co.order, r, w))
                offered[r] &= ~event_bit(w);
        if (!offered[r])
            return false;
    }
    return true;
}
