/**
 * @file reductions.c
 * Orders of reductions that nothing sees: of executions that differ only in these the search follows few.
 *
 * A reduction is a read-modify-write whose value goes nowhere: a `red`, or an `atom` whose result nobody uses. In an execution let
 * the write w1 of one be read by one event only, the read r2 of another thread's reduction, whose
 * operation commutes with the first one's; all accesses to the location be morally strong with each other. Then w2, the write of
 * r2, stands right behind w1 in coherence order, and the two may change places: r2 reads what r1 has read, r1 reads w2, and who
 * has read w2 reads w1, which has its value now. What the axioms ask is the same, less, or follows:
 *
 * - Synchronisation (8.9.4): every read but r1 and r2 observes w1 and w2 together or neither, through the chain of
 *   read-modify-writes (8.9.2). r2 observes w1 no more; r1 observes w2 now, which means nothing if r1 acquires nothing or w2
 *   releases nothing. So base causality gains nothing, and the same orders of fences are there.
 * - Causality order gains that w2 comes before what r1 comes before, and loses as much for w1. Of events of this location
 *   those are w1 and what comes behind it, which the axioms have put behind w2 already; provided that w1 does not precede
 *   r2 in base causality.
 * - Atomicity and SC per location: all accesses of the location stand in one order, in which the two operations are
 *   neighbours of two threads, with no read between them.
 * - No thin air: nothing but its own write rests on the value of a reduction, and what rests on w1 now rested on w2.
 *
 * Values that others read, the last writes and what threads do are the same. So the executions in which w1 is of the
 * higher thread may be left out: each change makes fewer such pairs, so that it ends at one which the search meets.
 *
 * The two keep their places where w1 comes before r2 in time by another way, too: what they would become might have a circle of
 * program order and reads-from, which the search meets only where it knows that the reads may be late (late_reads.c). Nothing is left out where
 * a read has guessed.
 *
 * A point is left as soon as all that is certain for what follows: nobody can read w1 any more, and what precedes r2
 * is known, late reads there included. A fence.sc in front of r2 may come to follow w1 by a later one, so with such a fence the two keep their places.
 */
#include "model/search.h"

static bool is_reduction(const struct execution *x, int write)
{
    int read = x->event[write].pair;
    return read >= 0 && x->event[read].commutes && x->source[read] >= 0;
}

/** Is the write no end of a release pattern (8.8.1)? */
static bool releases_nothing(const struct execution *x, int write)
{
    FOR_EVENTS(e, x->before[write])
        if (x->event[e].release && (x->event[e].kind == EVENT_FENCE || x->event[e].location == x->event[write].location))
            return false;
    return !x->event[write].release;
}

/** Will the read begin no acquire pattern (8.8.1), whatever comes? */
static bool acquires_nothing(const struct point *p, int read)
{
    const struct execution *x = &p->x;
    if (x->event[read].silent)
        return true;
    for (int e = read + 1; e < x->count; e++)
        if (event_in(x->before[e], read) && x->event[e].acquire &&
            (x->event[e].kind == EVENT_FENCE || x->event[e].location == x->event[read].location))
            return false;
    return !x->event[read].acquire && p->thread[x->event[read].thread].state == THREAD_ENDED;
}

/** Writes of a location around a pair, as far as read-modify-writes order them. */
struct chain {
    event_set before;   /**< up to the first write of the pair, itself included; */
    bool whole;         /**< from the initial write on: every other write comes behind the pair */
    event_set behind;   /**< the second one, and what takes its value from it */
};

static struct chain chain_of(const struct execution *x, int first, int second)
{
    struct chain c = {.before = event_bit(first), .behind = event_bit(second)};
    int w = first;
    while (x->event[w].pair >= 0 && x->source[x->event[w].pair] >= 0 && !event_in(c.before, x->source[x->event[w].pair])) {
        w = x->source[x->event[w].pair];
        c.before |= event_bit(w);
    }
    c.whole = w < x->locations;
    event_set reads = x->of_location[x->event[first].location] & x->reads;
    for (bool grew = !c.whole; grew;) {
        grew = false;
        FOR_EVENTS(r, reads) {
            int pair = x->event[r].pair;
            if (pair < 0 || x->source[r] < 0 || !event_in(c.behind, x->source[r]) || event_in(c.behind, pair))
                continue;
            c.behind |= event_bit(pair);
            grew = true;
        }
    }
    return c;
}

/** Do both stand at one barrier, which lets them go together? Then all that either has done precedes what the other will do. */
static bool stand_together(const struct point *p, int thread, int other)
{
    const struct model_step *a = &p->thread[thread].step, *b = &p->thread[other].step;
    const struct model_place *its = &p->x.place[thread], *place = &p->x.place[other];
    return p->thread[thread].state == THREAD_AT_BARRIER && p->thread[other].state == THREAD_AT_BARRIER &&
           its->device == place->device && its->block == place->block && a->barrier == b->barrier &&
           a->members == b->members && (!a->members || its->warp == place->warp) && !a->expected && !b->expected &&
           !a->arrive_only && !b->arrive_only && !a->cluster && !b->cluster && !a->exchanges && !b->exchanges;
}

/** Has the thread seen or written what comes behind the pair, or will it with its next access to the location? Then it reads none
 *  of `c->before` any more. */
static bool is_past(const struct point *p, int thread, int first, int second, const struct chain *c)
{
    const struct execution *x = &p->x;
    const struct search_thread *t = &p->thread[thread];
    int location = x->event[first].location;
    if (t->state == THREAD_ENDED || stand_together(p, thread, x->event[second].thread))
        return true;
    event_set all = x->of_location[location];
    FOR_EVENTS(e, all) {
        int at = x->event[e].kind == EVENT_WRITE ? e : x->source[e];
        if (x->event[e].thread == thread && at >= 0 && (event_in(c->behind, at) || (c->whole && !event_in(c->before, at))))
            return true;
    }
    /* What it waits for will come behind the pair: a reduction, since no two take one value, and a read that does not take w1. */
    const struct model_event *next = &t->step.read;
    return c->whole && t->state == THREAD_READS && next->location == location &&
           (next->commutes || event_in(t->considered, first));
}

static bool is_unread(const struct point *p, int first, int second)
{
    const struct execution *x = &p->x;
    event_set reads = x->of_location[x->event[first].location] & x->reads & ~event_bit(x->event[second].pair);
    FOR_EVENTS(r, reads)
        if (x->source[r] == first)
            return false;
    for (int i = 0; i < p->lates; i++)
        if (event_in(reads, p->late[i].read) && !event_in(p->late[i].there, first))
            return false;
    struct chain c = chain_of(x, first, second);
    for (int t = 0; t < x->threads; t++)
        if (!is_past(p, t, first, second, &c))
            return false;
    return true;
}

/** What must come before a read in time, but for the write that it takes its value from. */
static event_set earlier_than(const struct execution *x, int read)
{
    event_set all = x->before[read], known;
    do { /* a late read has a source of a higher number */
        known = all;
        for (int e = x->count - 1; e >= x->locations; e--) {
            if ((x->barrier[e] | x->meets[e]) & (all | event_bit(read)))
                all |= event_bit(e);
            if (!event_in(all, e))
                continue;
            all |= x->before[e];
            if (x->source[e] >= 0)
                all |= event_bit(x->source[e]);
        }
    } while (all != known);
    return all;
}

static bool has_sc_fence(const struct execution *x, event_set events)
{
    FOR_EVENTS(f, x->fences & events)
        if (x->event[f].sc)
            return true;
    return false;
}

/** Has a read that is late a value? */
static bool has_guess(const struct point *p)
{
    for (int i = 0; i < p->lates; i++)
        if (!event_in(p->thread[p->late[i].thread].unknown, p->late[i].value))
            return true;
    return false;
}

bool search_is_redundant(struct search *s, const struct point *p)
{
    const struct execution *x = &p->x;
    if (!s->limits->by_outcome || s->limits->by_value || has_guess(p))
        return false;
    event_set late = p->lates ? late_reads(x) : 0, writes = x->writes & ~p->open;
    FOR_EVENTS(second, writes) {
        const struct model_event *w = &x->event[second];
        int first = is_reduction(x, second) ? x->source[w->pair] : -1;
        if (first < 0 || !is_reduction(x, first) || x->event[first].thread <= w->thread ||
            x->event[x->event[first].pair].commutes != x->event[w->pair].commutes || !domain_is_even(&s->domain, w->location) ||
            reductions_are_straight(&s->domain, w->location) || !is_unread(p, first, second))
            continue;
        if (!releases_nothing(x, second) && !acquires_nothing(p, x->event[first].pair))
            continue;
        event_set earlier = earlier_than(x, w->pair);
        if (event_in(earlier, first) || event_in(p->open, first) || earlier & late || has_sc_fence(x, earlier))
            continue;
        s->domain.reduced |= 1u << w->location;
        domain_learn_values(&s->domain, x, w->location); /* that an execution which is left out would have shown */
        return true;
    }
    return false;
}
