/**
 * @file domain.c
 * What one walk of the search teaches the next: which threads may still write where, and about load buffering.
 *
 * In a circle of program order, barriers and reads-from one reads first and writes later, it or who comes through a barrier behind it,
 * and, since values do not come out of thin air, at least one write rests on no read of the circle. Only the reads before
 * such a write may be late. Where they need to guess, they guess values that have been seen to be written, be it on a way with guesses that
 * led to nothing: what rests on no guess that is still open rests on constants.
 */
#include "model/search.h"

/** @return false if it is there, or there is no room */
static bool put_value(struct written *all, uint64_t value)
{
    for (int i = 0; i < all->count; i++)
        if (all->value[i] == value)
            return false;
    if (all->count == MAX_WRITTEN) {
        all->more = true;
        return false;
    }
    all->value[all->count++] = value;
    return true;
}

static void learn_value(struct domain *d, const struct model_event *w)
{
    d->grew |= put_value(&d->written[w->location], w->value) && d->guessed;
}

bool domain_take_tried(struct domain *d)
{
    bool any = false;
    for (int l = 0; l < MODEL_LOCATIONS; l++)
        for (int i = 0; i < d->tried[l].count; i++)
            any |= put_value(&d->written[l], d->tried[l].value[i]);
    return any;
}

struct loose *domain_loose(struct domain *d, int thread, uint32_t cookie)
{
    for (int i = 0; i < d->loose_count; i++)
        if (d->loose[i].thread == thread && d->loose[i].cookie == cookie)
            return &d->loose[i];
    return NULL;
}

void domain_learn_meeting(struct domain *d, int thread, int values)
{
    if (d->meets[thread] > values)
        return;
    d->meets[thread] = (int8_t)(values + 1);
    d->grew = true;
}

void domain_learn_write(struct domain *d, int thread, int values, int location)
{
    int8_t *latest = &d->latest[location][thread];
    if (*latest > values)
        return;
    *latest = (int8_t)(values + 1);
    d->missed |= d->cut >> location & 1;
}

bool domain_may_write(const struct domain *d, int thread, int values, int location)
{
    return d->latest[location][thread] > values + 1;
}

void domain_learn_values(struct domain *d, const struct execution *x, int location)
{
    FOR_EVENTS(w, x->of_location[location] & x->writes)
        if (x->event[w].thread >= 0)
            learn_value(d, &x->event[w]);
}

bool domain_is_even(const struct domain *d, int location)
{
    uint32_t users = d->users[location];
    for (uint32_t left = users; left; left &= left - 1)
        if (users & ~d->reaches[location][__builtin_ctz(left)])
            return false;
    return true;
}

void domain_learn_access(struct domain *d, const struct execution *x, int thread, const struct model_event *e)
{
    uint32_t own = 1u << thread, reached = own, *known = &d->reaches[e->location][thread];
    for (int t = 0; t < x->threads && e->strong; t++)
        reached |= execution_reaches(x, thread, e->scope, t) ? 1u << t : 0;
    bool used = d->users[e->location] & own;
    if (used && !(*known & ~reached))
        return;
    *known = used ? *known & reached : reached;
    d->users[e->location] |= own;
    d->missed |= (d->reduced >> e->location & 1) && !domain_is_even(d, e->location);
}

static void learn_loose(struct domain *d, const struct model_event *read)
{
    if (domain_loose(d, read->thread, read->cookie))
        return;
    if (d->loose_count == (int)(sizeof d->loose / sizeof d->loose[0])) {
        d->dropped = true;
        return;
    }
    d->loose[d->loose_count].thread = read->thread;
    d->loose[d->loose_count++].cookie = read->cookie;
    d->grew = true;
}

static void learn_users(struct domain *d, const struct model_event *e)
{
    uint32_t *users = e->kind == EVENT_READ ? d->readers : d->writers;
    if (users[e->location] >> e->thread & 1)
        return;
    users[e->location] |= 1u << e->thread;
    d->grew = true;
}

/** Events that rest, by dependencies and reads-from, on a read that guessed and whose write is still to come. */
static event_set resting_on_guesses(const struct execution *x)
{
    event_set all = late_reads(x);
    for (bool grew = all != 0; grew;) {
        grew = false;
        for (int e = x->locations; e < x->count; e++) {
            const struct model_event *event = &x->event[e];
            bool rests = event->depends & all || (x->source[e] >= 0 && event_in(all, x->source[e])) ||
                         (event->kind == EVENT_WRITE && event->pair >= 0 && event_in(all, event->pair));
            grew |= rests && !event_in(all, e);
            all |= rests ? event_bit(e) : 0;
        }
    }
    return all;
}

void domain_learn_tried(struct domain *d, const struct execution *x)
{
    event_set known = x->writes & ~resting_on_guesses(x);
    FOR_EVENTS(w, known) {
        const struct model_event *write = &x->event[w];
        if (write->thread >= 0 && d->readers[write->location] & ~(1u << write->thread))
            put_value(&d->tried[write->location], write->value);
    }
}

/** Do threads communicate through one location only, and only by accesses that are strong towards all? Then SC per
 *  location (8.10.5) allows no circle, and coherence (8.10.1) none through barriers: what is written last there would come before itself. */
static bool circles_are_forbidden(const struct domain *d)
{
    int used = 0;
    for (int l = 0; l < MODEL_LOCATIONS; l++) {
        uint32_t both = d->readers[l] | d->writers[l];
        used += d->readers[l] && d->writers[l] && (both & (both - 1));
    }
    return used <= 1 && !d->racy;
}

static void learn_strength(struct domain *d, const struct execution *x)
{
    bool one_block = true;
    for (int t = 1; t < x->threads; t++)
        one_block &= x->place[t].block == x->place[0].block && x->place[t].device == x->place[0].device;
    for (int i = x->locations; i < x->count && !d->racy; i++) {
        const struct model_event *e = &x->event[i];
        uint32_t users = d->readers[e->location] | d->writers[e->location];
        if ((e->kind != EVENT_READ && e->kind != EVENT_WRITE) || !(users & (users - 1)))
            continue;
        d->racy = !e->strong || (e->scope < MODEL_GPU && !one_block);
        d->grew |= d->racy;
    }
}

/** Where threads of an execution meet. */
struct meetings {
    bool any;
    bool loose;   /**< some are exchanges, or barriers that order no memory */
};

static struct meetings meetings_of(const struct execution *x)
{
    struct meetings m = {0};
    for (int e = x->locations; e < x->count; e++) {
        m.loose |= x->meets[e] != 0;
        m.any |= (x->meets[e] | x->barrier[e]) != 0;
    }
    return m;
}

/** All that comes before an event in time: in its own thread, or through exchanges and barriers in others. */
static event_set earlier_than(const struct execution *x, int event)
{
    event_set all = x->before[event], known = event_bit(event);
    for (int e = x->count - 1; e >= x->locations; e--)
        if ((x->meets[e] | x->barrier[e]) & (all | known))
            all |= event_bit(e) | x->before[e];
    return all;
}

/** The reads that a write rests on, through exchanges too. */
static event_set rests_on(const struct execution *x, int write)
{
    event_set all = x->event[write].depends, passed = 0, left;
    while ((left = all & ~passed & ~x->reads)) {
        passed |= left;
        FOR_EVENTS(e, left)
            all |= x->event[e].depends;
    }
    return all;
}

/** May its write come after the read: another thread's, or an own one before it whose value rests on a read that is late itself? */
static bool may_be_late(const struct domain *d, const struct execution *x, int read)
{
    const struct model_event *r = &x->event[read];
    event_set own = x->of_location[r->location] & x->writes & x->before[read];
    bool may = d->writers[r->location] & ~(1u << r->thread);
    FOR_EVENTS(w, own)
        may |= x->event[w].thread == r->thread && x->event[w].depends;
    return may;
}

void domain_learn(struct domain *d, const struct execution *x)
{
    struct meetings meetings = meetings_of(x);
    for (int i = x->locations; i < x->count; i++) {
        const struct model_event *e = &x->event[i];
        if (e->kind == EVENT_READ || e->kind == EVENT_WRITE)
            learn_users(d, e);
    }
    learn_strength(d, x);
    FOR_EVENTS(w, x->writes) {
        const struct model_event *write = &x->event[w];
        /* Written for others: what no other thread reads closes no circle. */
        if (write->thread < 0 || !(d->readers[write->location] & ~(1u << write->thread)))
            continue;
        learn_value(d, write);
        event_set earlier = meetings.any ? earlier_than(x, w) : x->before[w];
        event_set loose = !meetings.loose && circles_are_forbidden(d) ? 0 : earlier & x->reads & ~rests_on(x, w);
        FOR_EVENTS(r, loose)
            if (r != write->pair && may_be_late(d, x, r))
                learn_loose(d, &x->event[r]);
    }
}
