/**
 * @file reduction_order.c
 * Reductions of one location that only they access while they come: their order is nobody's business, and the search takes one for all.
 *
 * reductions.c leaves an execution out where two neighbours stand in the wrong order; by then the search has come to it, and of n
 * reductions there are 2^n ways to such a point. Here the way is not begun. Let a thread's reduction r be about to take its value,
 * let all that has accessed the location so far and is no reduction precede r through program order and barriers, and let `tail` be
 * the one write there that no read-modify-write has taken. In any execution that follows r takes tail, or comes behind reductions
 * that are yet to come. Of each of these in turn, from r downwards, reductions.c shows that the two may change places, since
 *
 * - nothing else reads its write: other accesses stand before or behind all reductions, by barriers (else the location is `crossed`);
 * - it does not precede r in time: what precedes r has happened, reads that are late being none;
 * - r's write releases nothing, its thread having fenced nothing yet.
 *
 * So an execution in which r takes tail leaves what the other one leaves. Whether a location is crossed is known for what the search has met;
 * where it turns out to be after all, the search goes through all of it again, and leaves out by reductions.c: the order that one keeps is another one.
 */
#include "model/search.h"

static const struct model_event *read_of(const struct execution *x, int event)
{
    const struct model_event *e = &x->event[event];
    return e->kind == EVENT_READ ? e : e->pair >= 0 ? &x->event[e->pair] : NULL;
}

/** The name of the operation, 0 for an access that is none. */
static uint16_t operation_of(const struct execution *x, int event)
{
    const struct model_event *read = read_of(x, event);
    return read ? read->commutes : 0;
}

/** What precedes by program order and barriers. */
static event_set ordered_before(const struct execution *x, event_set later)
{
    event_set all = later;
    for (int e = x->count - 1; e >= x->locations; e--) {
        if (x->barrier[e] & all)
            all |= event_bit(e);
        if (event_in(all, e))
            all |= x->before[e];
    }
    return all & ~later;
}

static bool may_change_places(const struct execution *x, int event, int other)
{
    return x->event[event].thread == x->event[other].thread ||
           (operation_of(x, event) == operation_of(x, other) && event_in(x->morally_strong[event], other));
}

/** Does the event stand so to what is there that reductions may come in any order? */
static bool is_apart(const struct execution *x, int event)
{
    const struct model_event *e = &x->event[event];
    bool reduces = operation_of(x, event) != 0;
    event_set before = ordered_before(x, event_bit(event)), others = x->of_location[e->location] & ~event_bit(event);
    if (e->outside || (reduces && (e->acquire || e->release)))
        return false;
    FOR_EVENTS(o, others) {
        bool other_reduces = operation_of(x, o) != 0, ordered = x->event[o].thread < 0 || event_in(before, o);
        if (reduces && other_reduces ? !may_change_places(x, event, o) : (reduces || other_reduces) && !ordered)
            return false;
    }
    return true;
}

/** Reductions of the location are tried in every order from now on. If they have not been so far, the round begins again at once. */
static void cross(struct search *s, int location)
{
    s->domain.crossed |= 1u << location;
    s->again |= s->domain.straight >> location & 1;
}

void reductions_learn(struct search *s, const struct execution *x, int event)
{
    int location = x->event[event].location;
    if (!(s->domain.crossed >> location & 1) && !is_apart(x, event))
        cross(s, location);
}

/** The only write of a location that no read-modify-write has taken; -1: there are several. */
static int tail_of(const struct execution *x, int location)
{
    event_set writes = x->of_location[location] & x->writes, reads = x->of_location[location] & x->reads, left = writes;
    FOR_EVENTS(r, reads)
        if (x->event[r].pair >= 0 && x->source[r] >= 0)
            left &= ~event_bit(x->source[r]);
    FOR_EVENTS(w, left)
        if (x->event[w].thread < 0 && left != event_bit(w))
            left &= ~event_bit(w); /* what initialises it, and has been overwritten */
    return left && !(left & (left - 1)) ? event_first(left) : -1;
}

/** Has the thread fenced, or is there any fence that stands in one order with others? */
static bool is_fenced(const struct execution *x, int thread)
{
    FOR_EVENTS(f, x->fences)
        if (x->event[f].sc || x->event[f].thread == thread)
            return true;
    return false;
}

/** Does everything that is no reduction of the name precede what the thread does next? */
static bool comes_behind(const struct execution *x, int thread, const struct model_event *read)
{
    event_set mine = 0;
    for (int e = x->locations; e < x->count; e++)
        mine |= x->event[e].thread == thread ? event_bit(e) : 0;
    event_set others = x->of_location[read->location] & ~mine & ~ordered_before(x, mine);
    FOR_EVENTS(o, others)
        if (x->event[o].thread >= 0 && operation_of(x, o) != read->commutes)
            return false;
    return true;
}

int reductions_take(struct search *s, const struct point *p, int thread)
{
    const struct execution *x = &p->x;
    const struct search_thread *t = &p->thread[thread];
    const struct model_event *read = &t->step.read;
    int location = read->location;
    if (!s->limits->by_outcome || !read->commutes || s->domain.crossed >> location & 1)
        return -1;
    int tail = tail_of(x, location);
    if (tail < 0 || event_in(t->considered, tail) || read->acquire || p->lates || p->open || is_fenced(x, thread) ||
        !comes_behind(x, thread, read)) {
        cross(s, location);
        return -1;
    }
    s->domain.straight |= 1u << location;
    return tail;
}

bool reductions_are_straight(const struct domain *d, int location)
{
    return (d->straight & ~d->crossed) >> location & 1;
}
