/**
 * @file relations.c
 * The relations of axioms.h. Section numbers are those of the PTX ISA's chapter 8.
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

/** Closes the row of `e`, and before it those of what comes after it. `active`: what this is asked for. */
static bool close_row(event_set *rows, int e, event_set *done, event_set active)
{
    active |= event_bit(e);
    for (event_set left = rows[e]; left;) {
        int next = event_first(left);
        if (!event_in(*done, next) && (event_in(active, next) || !close_row(rows, next, done, active)))
            return false;
        left &= ~(rows[next] | event_bit(next));
        rows[e] |= rows[next];
    }
    *done |= event_bit(e);
    return true;
}

bool relation_close_among(event_set *rows, event_set events)
{
    event_set done = 0;
    FOR_EVENTS(e, events)
        if (!event_in(done, e) && !close_row(rows, e, &done, 0))
            return false;
    return true;
}

bool relation_close(event_set *rows, int count)
{
    if (close_forward(rows, count) || relation_close_among(rows, ~(event_set)0 >> (MODEL_EVENTS - count)))
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
    event_set ends[MODEL_EVENTS], known = 0;
    FOR_EVENTS(w, x->writes) {
        event_set starts = a->observed[w] ? release_starts(x, w) : 0, all = 0;
        if (!starts)
            continue;
        FOR_EVENTS(r, a->observed[w] & ~known)
            ends[r] = acquire_ends(x, r);
        known |= a->observed[w];
        FOR_EVENTS(r, a->observed[w])
            all |= ends[r];
        FOR_EVENTS(s, starts)
            a->base[s] |= all & a->morally_strong[s];
    }
}

void axioms_derive(struct axioms *a, const struct execution *x)
{
    size_t n = (size_t)x->count * sizeof(event_set);
    int latest[MODEL_THREADS];
    memset(latest, -1, sizeof latest);
    memcpy(a->morally_strong, x->morally_strong, n);
    memset(a->observed, 0, n);
    memcpy(a->base, x->barrier, n);
    derive_observed(a, x);
    for (int e = x->locations; e < x->count; e++) {
        int *before = &latest[x->event[e].thread];
        if (*before >= 0)
            a->base[*before] |= event_bit(e);
        *before = e;
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

bool axioms_order_fences(struct axioms *a, const struct execution *x, int first, int then)
{
    event_set after = a->base[then] | event_bit(then);
    if (event_in(a->base[then], first))
        return false;
    a->base[first] |= after;
    a->cause[first] |= after;
    for (int e = x->locations; e < x->count; e++) {
        a->base[e] |= event_in(a->base[e], first) ? after : 0;
        a->cause[e] |= event_in(a->cause[e], first) ? after : 0;
    }
    return true;
}
