/**
 * @file axioms.c
 * See axioms.h. Section numbers are those of the PTX ISA's chapter 8.
 */
#include "model/axioms.h"

#include <string.h>

/** Closes a relation from lower to higher events only, from the last row on: an event that comes after another one adds nothing
 *  which that one has not brought. @return false, and nothing is done, if it is none */
static bool close_forward(event_set *rows, int count)
{
    for (int e = 0; e < count; e++)
        if (rows[e] << (MODEL_EVENTS - 1 - e))
            return false;
    for (int e = count - 1; e >= 0; e--)
        for (event_set left = rows[e]; left;) {
            int next = event_first(left);
            left &= ~(rows[next] | event_bit(next));
            rows[e] |= rows[next];
        }
    return true;
}

/** Adds what follows by transitivity. @return false if an event comes to precede itself */
static bool relation_close(event_set *rows, int count)
{
    if (close_forward(rows, count))
        return true;
    for (int k = 0; k < count; k++) {
        event_set after = rows[k];
        uint64_t bit = 1ull << (k & 63);
        for (int i = 0; i < count; i++)
            if ((uint64_t)(k < 64 ? rows[i] : rows[i] >> 64) & bit)
                rows[i] |= after;
    }
    for (int i = 0; i < count; i++)
        if (event_in(rows[i], i))
            return false;
    return true;
}

/* ---- Relations ---- */

/** Does the scope of `e` include the thread that stands at `p`? */
static bool reaches(const struct execution *x, const struct model_event *e, const struct model_place *p)
{
    const struct model_place *own = &x->place[e->thread];
    switch (e->scope) {
    case MODEL_CTA:
        return own->block == p->block && own->device == p->device;
    case MODEL_CLUSTER:
        return own->cluster == p->cluster && own->device == p->device;
    case MODEL_GPU:
        return own->device == p->device;
    default:
        return true;
    }
}

static bool is_memory(const struct model_event *e)
{
    return e->kind == EVENT_READ || e->kind == EVENT_WRITE;
}

/** 8.7.1: of one thread, or strong with scopes that include each other; memory operations overlap completely. */
static bool morally_strong(const struct execution *x, int a, int b)
{
    const struct model_event *e = &x->event[a], *o = &x->event[b];
    if (e->kind >= EVENT_BARRIER || o->kind >= EVENT_BARRIER || e->thread < 0 || o->thread < 0)
        return false;
    if (is_memory(e) && is_memory(o) && e->location != o->location)
        return false;
    if (e->thread == o->thread)
        return true;
    bool strong = (e->kind == EVENT_FENCE || e->strong) && (o->kind == EVENT_FENCE || o->strong);
    return strong && reaches(x, e, &x->place[o->thread]) && reaches(x, o, &x->place[e->thread]);
}

static void derive_morally_strong(struct axioms *a, const struct execution *x)
{
    event_set memory = x->reads | x->writes;
    FOR_EVENTS(i, memory | x->fences) {
        bool fence = x->event[i].kind == EVENT_FENCE;
        event_set others = (fence ? memory : x->of_location[x->event[i].location]) | x->fences;
        FOR_EVENTS(k, others & (event_bit(i) - 1))
            if (morally_strong(x, i, k)) {
                a->morally_strong[i] |= event_bit(k);
                a->morally_strong[k] |= event_bit(i);
            }
    }
}

/** 8.9.2: a write is observed by a read that takes its value and is morally strong with it, and by what observes the
 *  write of a read-modify-write that observed it. */
static void derive_observed(struct axioms *a, const struct execution *x)
{
    FOR_EVENTS(r, x->reads)
        for (int read = r, steps = 0; steps < x->count; steps++) {
            int w = x->source[read];
            if (w < 0 || !event_in(a->morally_strong[w], read))
                break;
            a->observed[w] |= event_bit(r);
            read = x->event[w].pair;
            if (read < 0)
                break;
        }
}

/** The first operations of release patterns that end with the strong write `w` (8.8.1). */
static event_set release_starts(const struct execution *x, int w)
{
    const struct model_event *write = &x->event[w];
    event_set starts = write->release ? event_bit(w) : 0;
    if (!write->strong)
        return 0;
    FOR_EVENTS(e, x->before[w]) {
        const struct model_event *earlier = &x->event[e];
        if (earlier->kind == EVENT_FENCE ? earlier->release
                                         : earlier->kind == EVENT_WRITE && earlier->release &&
                                               earlier->location == write->location)
            starts |= event_bit(e);
    }
    return starts;
}

/** The last operations of acquire patterns that begin with the strong read `r` (8.8.1). */
static event_set acquire_ends(const struct execution *x, int r)
{
    const struct model_event *read = &x->event[r];
    event_set ends = read->acquire ? event_bit(r) : 0;
    if (!read->strong || read->silent)
        return 0;
    for (int e = r + 1; e < x->count; e++) {
        const struct model_event *later = &x->event[e];
        if (event_in(x->before[e], r) &&
            (later->kind == EVENT_FENCE ? later->acquire
                                        : later->kind == EVENT_READ && later->acquire &&
                                              later->location == read->location))
            ends |= event_bit(e);
    }
    return ends;
}

/** 8.9.4: a release pattern synchronises with an acquire pattern that observes its write, if the first
 *  operation of the one and the last of the other are morally strong. */
static void add_synchronizes(struct axioms *a, const struct execution *x)
{
    event_set ends[MODEL_EVENTS];
    FOR_EVENTS(r, x->reads)
        ends[r] = acquire_ends(x, r);
    FOR_EVENTS(w, x->writes) {
        event_set starts = a->observed[w] ? release_starts(x, w) : 0, all = 0;
        FOR_EVENTS(r, a->observed[w])
            all |= ends[r];
        FOR_EVENTS(s, starts)
            a->base[s] |= all & a->morally_strong[s];
    }
}

void axioms_derive(struct axioms *a, const struct execution *x, const struct fence_order *order)
{
    size_t n = (size_t)x->count * sizeof(event_set);
    memset(a->morally_strong, 0, n);
    memset(a->observed, 0, n);
    memset(a->base, 0, n);
    derive_morally_strong(a, x);
    derive_observed(a, x);
    for (int e = 0; e < x->count; e++) {
        FOR_EVENTS(p, x->before[e])
            a->base[p] |= event_bit(e);
        a->base[e] |= x->barrier[e] | (order ? order->before[e] : 0);
    }
    add_synchronizes(a, x);
    relation_close(a->base, x->count);
    /* 8.9.6: base causality, or one observation and then base causality. */
    for (int e = 0; e < x->count; e++) {
        a->cause[e] = a->base[e];
        FOR_EVENTS(r, a->observed[e])
            a->cause[e] |= a->base[r];
    }
}

/* ---- Axioms ---- */

/** Adds `from` before `to` and what follows. @return false if that makes a circle */
static bool put_before(event_set *co, event_set writes, int from, int to)
{
    event_set after = co[to] | event_bit(to);
    if (event_in(co[to], from))
        return false;
    FOR_EVENTS(w, writes)
        if (w == from || event_in(co[w], from))
            co[w] |= after;
    return true;
}

/** Coherence order as far as causality gives it: initial writes first (8.10.1); transitive. @return false if a write comes
 *  before itself */
static bool forced_coherence(const struct axioms *a, const struct execution *x, int location, event_set *co)
{
    event_set writes = x->of_location[location] & x->writes;
    FOR_EVENTS(w, writes)
        co[w] = (x->event[w].thread < 0 ? writes & ~event_bit(w) : a->cause[w] & writes);
    FOR_EVENTS(k, writes)
        FOR_EVENTS(i, writes)
            if (event_in(co[i], k))
                co[i] |= co[k];
    FOR_EVENTS(w, writes)
        if (event_in(co[w], w))
            return false;
    return true;
}

/** Causality (8.10.6): a read takes no value from a write that it causes, and none that causality hides from it. Atomicity
 *  (8.10.3): no morally strong write comes between the halves of a read-modify-write. */
static bool read_holds(const struct axioms *a, const struct execution *x, int read, const event_set *co)
{
    int source = x->source[read], pair = x->event[read].pair;
    event_set overwrites = co[source] & ~event_bit(pair >= 0 ? pair : read);
    if (event_in(a->cause[read], source))
        return false;
    FOR_EVENTS(w, overwrites)
        if (event_in(a->cause[w], read))
            return false;
    if (pair >= 0)
        FOR_EVENTS(w, overwrites & a->morally_strong[read] & a->morally_strong[pair])
            if (event_in(co[w], pair))
                return false;
    return true;
}

/** The axioms that speak of one location, given its coherence order `co`, which is transitive. `reached`: what comes after each
 *  event by morally strong communication and program order, which go together (SC per location, 8.10.5). */
static bool location_holds(const struct axioms *a, const struct execution *x, int location, const event_set *co,
                           event_set *reached)
{
    event_set all = x->of_location[location];
    FOR_EVENTS(e, all) {
        int source = x->source[e];
        reached[e] = 0;
        if (x->event[e].kind == EVENT_WRITE) {
            reached[e] = co[e] & a->morally_strong[e];
        } else if (source >= 0) {
            if (!read_holds(a, x, e, co))
                return false;
            reached[e] = co[source] & a->morally_strong[e];
        }
    }
    FOR_EVENTS(e, all) {
        int source = x->source[e];
        if (x->event[e].kind == EVENT_READ && source >= 0 && event_in(a->morally_strong[source], e))
            reached[source] |= event_bit(e);
        FOR_EVENTS(p, x->before[e] & all)
            reached[p] |= event_bit(e);
    }
    FOR_EVENTS(k, all)
        FOR_EVENTS(i, all)
            if (event_in(reached[i], k))
                reached[i] |= reached[k];
    FOR_EVENTS(e, all)
        if (event_in(reached[e], e))
            return false;
    return true;
}

/** What a read decides about the writes that are morally strong with its source, each of which must be related to it (8.9.1):
 *  what it must see comes before its source, and around a read-modify-write they come before both halves or after both.
 *  @return false if that makes a circle; `*grew`: something was open */
static bool decide_by_read(const struct axioms *a, const struct execution *x, int read, event_set writes, event_set *co,
                           const event_set *reached, bool *grew)
{
    int source = x->source[read], pair = x->event[read].pair;
    event_set open = a->morally_strong[source] & writes & ~co[source] & ~event_bit(pair >= 0 ? pair : source);
    FOR_EVENTS(w, open) {
        bool earlier = event_in(a->cause[w], read) || (event_in(a->morally_strong[read], w) && event_in(reached[w], read)) ||
                       (pair >= 0 && event_in(co[w], pair) && event_in(a->morally_strong[read] & a->morally_strong[pair], w));
        if (!earlier || event_in(co[w], source))
            continue;
        *grew = true;
        if (!put_before(co, writes, w, source))
            return false;
    }
    if (pair < 0)
        return true;
    open = a->morally_strong[pair] & a->morally_strong[read] & writes & co[source] & ~co[pair];
    FOR_EVENTS(w, open) {
        if (w == pair || event_in(co[pair], w))
            continue;
        *grew = true;
        if (!put_before(co, writes, pair, w))
            return false;
    }
    return true;
}

/** Adds to `co` what every coherence order has in which it is and which the axioms allow. @return false if there is none */
static bool saturate(const struct axioms *a, const struct execution *x, int location, event_set *co)
{
    event_set writes = x->of_location[location] & x->writes, reads = x->of_location[location] & x->reads;
    event_set reached[MODEL_EVENTS];
    for (bool grew = true; grew;) {
        grew = false;
        if (!location_holds(a, x, location, co, reached))
            return false;
        FOR_EVENTS(w, writes) {
            event_set after = reached[w] & writes & a->morally_strong[w] & ~co[w];
            FOR_EVENTS(v, after) {
                grew = true;
                if (!put_before(co, writes, w, v))
                    return false;
            }
        }
        FOR_EVENTS(r, reads)
            if (x->source[r] >= 0 && !decide_by_read(a, x, r, writes, co, reached, &grew))
                return false;
    }
    return true;
}

/** No thin air (8.10.4): values do not rest on themselves. */
static bool no_thin_air(const struct execution *x)
{
    event_set rows[MODEL_EVENTS];
    memset(rows, 0, (size_t)x->count * sizeof rows[0]);
    for (int e = 0; e < x->count; e++) {
        FOR_EVENTS(r, x->event[e].depends)
            rows[r] |= event_bit(e);
        if (x->source[e] >= 0)
            rows[x->source[e]] |= event_bit(e);
        if (x->event[e].kind == EVENT_WRITE && x->event[e].pair >= 0)
            rows[x->event[e].pair] |= event_bit(e);
    }
    return relation_close(rows, x->count);
}

bool axioms_hold(const struct axioms *a, const struct execution *x)
{
    event_set co[MODEL_EVENTS];
    for (int l = 0; l < x->locations; l++)
        if (!forced_coherence(a, x, l, co) || !saturate(a, x, l, co))
            return false;
    return no_thin_air(x);
}

/* ---- Coherence orders of one location ---- */

struct ordering {
    const struct axioms *axioms;
    const struct execution *x;
    int location;
    event_set writes, last;
    bool found;
};

/** Decides the next morally strong pair that is open: each must be related (8.9.1), others need not be. */
static void order_writes(struct ordering *o, event_set *co)
{
    if (!saturate(o->axioms, o->x, o->location, co))
        return;
    FOR_EVENTS(w, o->writes) {
        event_set open = o->axioms->morally_strong[w] & o->writes & ~co[w];
        FOR_EVENTS(v, open) {
            if (v < w || event_in(co[v], w))
                continue;
            for (int way = 0; way < 2; way++) {
                event_set next[MODEL_EVENTS];
                memcpy(next, co, sizeof *next * (size_t)o->x->count);
                if (put_before(next, o->writes, way ? v : w, way ? w : v))
                    order_writes(o, next);
            }
            return;
        }
    }
    o->found = true;
    FOR_EVENTS(w, o->writes)
        if (!co[w])
            o->last |= event_bit(w);
}

bool coherence_last(const struct axioms *a, const struct execution *x, int location, event_set *last)
{
    struct ordering o = {.axioms = a, .x = x, .location = location,
                         .writes = x->of_location[location] & x->writes};
    event_set co[MODEL_EVENTS];
    memset(co, 0, sizeof *co * (size_t)x->count);
    if (!forced_coherence(a, x, location, co))
        return false;
    order_writes(&o, co);
    *last = o.last;
    return o.found;
}
