/**
 * @file axioms.c
 * See axioms.h. Section numbers are those of the PTX ISA's chapter 8.
 */
#include "model/axioms.h"

#include <string.h>

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

/** Adds to coherence order what causality gives it: initial writes first (8.10.1); transitive. @return false if a write comes
 *  before itself */
static bool force_coherence(const struct axioms *a, const struct execution *x, int location, event_set *co)
{
    event_set writes = x->of_location[location] & x->writes;
    FOR_EVENTS(w, writes)
        co[w] |= x->event[w].thread < 0 ? writes & ~event_bit(w) : a->cause[w] & writes;
    return relation_close_among(co, writes);
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
    return relation_close_among(reached, all);
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

/** Does causality order the accesses to a location as when all that follows was added? Notes how it does. */
static bool is_settled(const struct axioms *a, const struct execution *x, int location, struct coherence *c)
{
    event_set all = x->of_location[location];
    bool same = c->settled >> location & 1;
    FOR_EVENTS(e, all) {
        same &= c->caused[e] == (a->cause[e] & all);
        c->caused[e] = a->cause[e] & all;
    }
    return same;
}

bool coherence_extend(const struct axioms *a, const struct execution *x, struct coherence *c)
{
    FOR_EVENTS(r, x->outside)
        if (x->source[r] >= 0 && event_in(a->cause[r], x->source[r]))
            return false;
    for (int l = 0; l < x->locations; l++) {
        event_set touches = x->of_location[l] & ~event_bit(l);
        if (!(touches & (touches - 1))) {
            c->order[l] = touches & x->writes;    /* one at most */
            continue;
        }
        if (is_settled(a, x, l, c))
            continue;
        c->settled &= ~(1u << l);
        if (!force_coherence(a, x, l, c->order) || !saturate(a, x, l, c->order))
            return false;
        c->settled |= 1u << l;
    }
    return true;
}

/** Has another read-modify-write taken the write, so that the write of one would stand between the halves of the other (8.10.3)? */
static bool is_taken(const struct axioms *a, const struct execution *x, const event_set *co, int read, int write)
{
    int pair = x->event[read].pair;
    event_set others = x->of_location[x->event[read].location] & x->reads & a->morally_strong[pair];
    if (!event_in(co[write], pair))
        return false;
    FOR_EVENTS(o, others) {
        int its = x->event[o].pair;
        if (x->source[o] == write && its >= 0 && event_in(co[write], its) &&
            event_in(a->morally_strong[read] & a->morally_strong[pair], its))
            return true;
    }
    return false;
}

bool axioms_forbid_source(const struct axioms *a, const struct execution *x, const event_set *co, int read, int write)
{
    int pair = x->event[read].pair;
    event_set later = co[write], here = event_in(x->outside, read) ? 0 : x->before[read] & x->of_location[x->event[read].location];
    if (event_in(a->cause[read], write))
        return true;
    if (event_in(x->outside, read))
        return false;
    /* Causality hides it, or a morally strong write stands between the halves. */
    FOR_EVENTS(w, later)
        if (w != pair && (event_in(a->cause[w], read) ||
                          (pair >= 0 && event_in(a->morally_strong[read] & a->morally_strong[pair], w) && event_in(co[w], pair))))
            return true;
    if (pair >= 0 && (event_in(co[pair] & a->morally_strong[pair] & a->morally_strong[read], write) || is_taken(a, x, co, read, write)))
        return true;
    /* Its thread has written or seen a later one (SC per location). */
    FOR_EVENTS(e, here) {
        int at = x->event[e].kind == EVENT_WRITE ? e : x->source[e];
        if (at >= 0 && event_in(later & a->morally_strong[read], at) && (at == e || event_in(a->morally_strong[at], e)))
            return true;
    }
    return false;
}

/** Does each read come behind its source, as it does behind what it rests on? */
static bool sources_come_first(const struct execution *x)
{
    FOR_EVENTS(r, x->reads)
        if (x->source[r] > r)
            return false;
    return true;
}

bool axioms_no_thin_air(const struct execution *x)
{
    event_set rows[MODEL_EVENTS];
    if (sources_come_first(x))
        return true;
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

/* ---- Coherence orders of one location ---- */

struct ordering {
    const struct axioms *axioms;
    const struct execution *x;
    int location;
    event_set writes, last;
    uint64_t work, most;                 /**< of steps taken, each with the square of the writes; and a bound on it */
};

static bool order_writes(struct ordering *o, event_set *co, int end);

/** Goes on with these put behind a write. */
static bool order_behind(struct ordering *o, const event_set *co, int first, event_set then, int end)
{
    event_set next[MODEL_EVENTS];
    memcpy(next, co, sizeof *next * (size_t)o->x->count);
    FOR_EVENTS(v, then)
        if (!put_before(next, o->writes, first, v))
            return false;
    return saturate(o->axioms, o->x, o->location, next) && order_writes(o, next, end);
}

/** Decides the next morally strong pairs that are open: each must be related (8.9.1), others need not be. `co` is saturated. That all come behind
 *  the first write is tried before each pair is: where nothing speaks against it a row of n writes takes n steps, not n * n.
 *  @return true, and no other order is looked for, when one is found in which no write follows `end` */
static bool order_writes(struct ordering *o, event_set *co, int end)
{
    uint64_t writes = (uint64_t)__builtin_popcountll(o->writes);
    o->work += writes * writes;
    if (co[end] || o->work > o->most)
        return false;
    FOR_EVENTS(w, o->writes) {
        event_set open = o->axioms->morally_strong[w] & o->writes & ~co[w] & ~(event_bit(w) - 1) & ~event_bit(w);
        FOR_EVENTS(v, open)
            if (event_in(co[v], w))
                open &= ~event_bit(v);
        if (!open)
            continue;
        int v = event_first(open);
        bool several = (open & (open - 1)) != 0;
        return (several && order_behind(o, co, w, open, end)) || order_behind(o, co, w, event_bit(v), end) ||
               order_behind(o, co, v, event_bit(w), end);
    }
    FOR_EVENTS(w, o->writes)
        if (!co[w])
            o->last |= event_bit(w);
    return true;
}

/** Looks for an order that a write ends: all others that must be related to it come before it. */
static bool order_to(struct ordering *o, const event_set *co, int end)
{
    event_set order[MODEL_EVENTS];
    event_set open = o->axioms->morally_strong[end] & o->writes;
    memcpy(order, co, sizeof *order * (size_t)o->x->count);
    FOR_EVENTS(w, open)
        if (!put_before(order, o->writes, w, end))
            return false;
    return (!open || saturate(o->axioms, o->x, o->location, order)) && order_writes(o, order, end);
}

bool coherence_last(const struct axioms *a, const struct execution *x, int location, const event_set *co, event_set *last, uint64_t *work, uint64_t most)
{
    struct ordering o = {.axioms = a, .x = x, .location = location, .writes = x->of_location[location] & x->writes,
                         .work = *work, .most = most};
    FOR_EVENTS(w, o.writes)
        if (!co[w] && !event_in(o.last, w) && o.work <= most)
            order_to(&o, co, w);
    *last = o.last;
    *work = o.work;
    return o.last != 0;
}
