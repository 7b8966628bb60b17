/**
 * @file causality.c
 * Races of a play, by the definitions of the PTX memory model (PTX ISA 8.7 to 8.10). Which write each waiting read observes is known, so all that differs
 * between executions is the order of the fence.sc, and of polls that are updates (poll_orders.c): each one is tried.
 */
#include <stdlib.h>
#include <string.h>

#include "causality.h"

static void close_over(struct relation *r)
{
    for (int k = 0; k < NODES; k++)
        for (int i = 0; i < NODES; i++)
            if (r->to[i] & NODE(k))
                r->to[i] |= r->to[k];
}

/** An edge to all that an event does. */
static void order_before(struct model *m, int a, int b)
{
    struct relation *r = m->p->event[b].op == OP_BULK_IN ? &m->issued : &m->base;
    add_edge(r, a, b);
    if (copies(&m->p->event[b]))
        add_edge(r, a, b + MAX_EVENTS);
}

/** A copy and what is known of it: its thread goes on, and comes behind it where it waits for its group; or the copy tells an mbarrier itself. */
static void add_copy_order(struct model *m, int a)
{
    const struct play *p = m->p;
    const struct event *e = &p->event[a];
    enum op commit = e->op == OP_COPY ? OP_COMMIT : OP_BULK_COMMIT, wait = e->op == OP_COPY ? OP_COPIES_WAIT : OP_BULK_WAIT;
    int committed = -1; /* groups of the actor, from the copy's on */
    add_edge(&m->base, a + MAX_EVENTS, a);
    for (int b = a + 1; b < p->count; b++) {
        const struct event *f = &p->event[b];
        if (f->actor != e->actor)
            continue;
        committed += f->op == commit;
        bool waits = e->op != OP_BULK_IN && f->op == wait && (f->value < 0 || committed >= f->value);
        bool tells = e->op == OP_BULK_IN && f->op == OP_COMPLETE && f->flag == e->flag;
        if (waits || tells)
            add_edge(&m->base, a + MAX_EVENTS, b);
        if ((waits && !f->arrives) || tells)
            add_edge(&m->base, a, b);
    }
}

/** Program order, with copies between their beginning and what waits for them. */
static void add_program_order(struct model *m)
{
    const struct play *p = m->p;
    for (int a = 0; a < p->count; a++) {
        const struct event *e = &p->event[a];
        if (copies(e))
            add_copy_order(m, a);
        for (int b = a + 1; b < p->count && !copies(e) && e->op != OP_COMPLETE; b++)
            if (p->event[b].actor == e->actor && p->event[b].op != OP_COMPLETE)
                order_before(m, a, b);
    }
}

/** What comes before `a` comes before what follows `b` in its thread. */
static void order_behind(struct model *m, int a, int b)
{
    const struct play *p = m->p;
    for (int c = b + 1; c < p->count; c++)
        if (p->event[c].actor == p->event[b].actor && p->event[c].op != OP_COMPLETE)
            order_before(m, a, c);
}

/** A relaxed arrival orders what a fence before it does, whose scope has the cluster in it. */
static void add_cluster_barriers(struct model *m)
{
    const struct play *p = m->p;
    for (int a = 0; a < p->count; a++)
        for (int b = 0; b < p->count; b++) {
            const struct event *came = &p->event[a], *goes = &p->event[b];
            if (came->op != OP_COME || goes->op != OP_GO || goes->number != came->meeting)
                continue;
            for (int f = 0; f <= a; f++)
                if (f == a ? came->order == HALF : p->event[f].op == OP_FENCE && p->event[f].actor == came->actor && p->event[f].scope >= CLUSTER)
                    order_behind(m, f, b);
        }
}

/** All of a first kernel comes before a second one that does not begin early, or before what waits for its end. */
static void add_kernels(struct model *m)
{
    const struct play *p = m->p;
    bool early = false;
    for (int i = 0; i < p->count; i++)
        early |= p->event[i].op == OP_TRIGGER;
    for (int a = 0; a < p->count; a++)
        for (int b = 0; b < p->count; b++)
            if (is_of_first(p, p->event[a].actor) && !is_of_first(p, p->event[b].actor) && (!early || p->event[b].op == OP_GRID_WAIT))
                order_before(m, a, b);
}

static void add_meetings(struct model *m)
{
    const struct play *p = m->p;
    if (p->first)
        add_kernels(m);
    for (int a = 0; a < p->count; a++)
        for (int b = 0; b < p->count; b++)
            if (a != b && p->event[a].meeting && p->event[a].meeting == p->event[b].meeting && !p->event[b].arrives && !is_of_cluster(&p->event[a]))
                order_behind(m, a, b); /* the events themselves are no memory accesses */
    add_cluster_barriers(m);
}

/** Synchronises-with: from the first event of a release pattern of w to the last of an acquire pattern of r. A wait at an mbarrier takes in what its own block did
 *  by the next barrier of the block, too, as NVIDIA's library counts on. */
void synchronise(struct model *m, int w, int r)
{
    const struct play *p = m->p;
    for (int x = 0; x <= w; x++) {
        const struct event *first = &p->event[x], *write = &p->event[w];
        bool alone = first->op == OP_COMPLETE || write->op == OP_COMPLETE; /* what a copy does is no thread's */
        bool begins = x == w ? releases(first) : !alone && first->actor == write->actor && (first->op == OP_FENCE || (releases(first) && same_flag(p, first, write)));
        for (int y = r; begins && y < p->count; y++) {
            const struct event *last = &p->event[y], *read = &p->event[r];
            bool meets = read->op == OP_AWAIT && last->op == OP_BARRIER && !last->arrives && last->actor == read->actor && same_block(p, write->actor, read->actor);
            bool ends = y == r ? acquires(last) : last->actor == read->actor && (last->op == OP_FENCE || (acquires(last) && same_flag(p, last, read)));
            if (meets || (ends && mutual(p, first, last) && x != y))
                add_edge(&m->base, x, y);
        }
    }
}

static void add_observations(struct model *m)
{
    const struct play *p = m->p;
    for (int w = 0; w < p->count; w++)
        for (int r = 0; r < p->count; r++)
            if (w != r && !is_looker(m, r) && observes(p, &p->event[w], &p->event[r]) && mutual(p, &p->event[w], &p->event[r])) {
                add_edge(&m->observed, w, r);
                synchronise(m, w, r);
            }
}

static void add_issued(struct model *m)
{
    for (int x = 0; x < m->p->count; x++) {
        nodes copies = m->issued.to[x];
        for (int y = 0; y < m->p->count; y++)
            if (m->closed.to[x] & NODE(y))
                copies |= m->issued.to[y];
        m->closed.to[x] |= copies;
    }
}

/** Causality order. @return false: a read would come before what it observes */
static bool order_all(struct model *m, const struct relation *base)
{
    m->closed = *base;
    close_over(&m->closed);
    add_issued(m);
    m->cause = m->closed;
    for (int w = 0; w < m->p->count; w++)
        for (int r = 0; r < m->p->count; r++) {
            if (m->observed.to[w] & NODE(r)) {
                m->cause.to[w] |= m->closed.to[r];
                if (m->closed.to[r] & NODE(w))
                    return false;
            }
        }
    for (int n = 0; n < NODES; n++)
        if (m->cause.to[n] & NODE(n))
            return false;
    return true;
}

/** Does a fence of the same thread, from the n-th on, come before it? */
static bool follows_another(const struct model *m, int n, int fence)
{
    bool follows = false;
    for (int i = n; i < m->fence_count; i++)
        follows |= m->fences[i] < fence && m->p->event[m->fences[i]].actor == m->p->event[fence].actor;
    return follows;
}

/** Is it ordered with another thread's? */
static bool counts_as_sc(const struct play *p, int fence)
{
    bool counts = false;
    for (int i = 0; i < p->count; i++)
        counts |= p->event[i].op == OP_FENCE && p->event[i].sc && p->event[i].actor != p->event[fence].actor && mutual(p, &p->event[i], &p->event[fence]);
    return counts;
}

/** Every order of the fence.sc from the n-th on. */
static void try_orders(struct model *m, int n, const struct relation *base)
{
    if (n == m->fence_count) {
        if (order_all(m, base) && polls_fit(m))
            look_for_races(m);
        return;
    }
    for (int i = n; i < m->fence_count && !m->raced; i++) {
        int chosen = m->fences[i];
        if (follows_another(m, n, chosen))
            continue;
        struct relation more = *base;
        m->fences[i] = m->fences[n], m->fences[n] = chosen;
        for (int j = 0; j < n; j++)
            if (mutual(m->p, &m->p->event[m->fences[j]], &m->p->event[chosen]))
                add_edge(&more, m->fences[j], chosen);
        if (order_all(m, &more))
            try_orders(m, n + 1, &more);
        m->fences[n] = m->fences[i], m->fences[i] = chosen;
    }
}

static void try_fences(struct model *m)
{
    try_orders(m, 0, &m->base);
}

static void try_all(struct model *m)
{
    for (int i = 0; i < m->p->count; i++)
        if (m->p->event[i].op == OP_FENCE && m->p->event[i].sc && counts_as_sc(m->p, i))
            m->fences[m->fence_count++] = i;
    add_program_order(m);
    add_meetings(m);
    m->program = m->base;
    find_lookers(m);
    add_observations(m);
    try_polls(m, 0, try_fences);
}

const struct play *play_unrolled(const struct play *p, struct play *all)
{
    if (p->turns < 2 && !p->host)
        return p;
    *all = *p;
    if (p->host) {
        add_host_fences(all);
        return all;
    }
    all->count = 0;
    for (int turn = 0; turn < p->turns; turn++)
        for (int i = 0; i < p->count; i++) {
            struct event *e = &all->event[all->count++];
            *e = p->event[i];
            if (e->meeting)
                e->meeting += turn * MAX_EVENTS;
            if (of_mbarrier(e))
                e->value += turn * p->met_phases[e->flag];
        }
    return all;
}

bool play_races(const struct play *p)
{
    struct play all;
    struct model m = {.p = play_unrolled(p, &all), .earlier = -1};
    try_all(&m);
    return m.raced;
}

bool play_may_observe(const struct play *p)
{
    for (int i = 0; i < p->count; i++)
        for (int j = 0; j < p->count; j++) {
            const struct event *w = &p->event[i], *r = &p->event[j];
            bool touch = w->shared == r->shared && w->from < r->from + r->unit * r->count && r->from < w->from + w->unit * w->count;
            if (w->op != OP_LOAD && w->op <= OP_ADD && r->op <= OP_ADD && is_strong(w) && (r->strong || r->op == OP_ADD) && w->actor != r->actor && touch && (w->strong || r->strong))
                return true;
        }
    return false;
}

bool play_waits(const struct play *p, int earlier, int later)
{
    struct model m = {.p = p};
    add_program_order(&m);
    add_meetings(&m);
    for (int w = 0; w < p->count; w++)
        for (int r = 0; r < p->count; r++)
            if (observes(p, &p->event[w], &p->event[r]))
                add_edge(&m.base, w, r);
    close_over(&m.base);
    return m.base.to[earlier] & NODE(later);
}

bool play_after(const struct play *p, int earlier, int later)
{
    struct model m = {.p = p, .earlier = earlier, .later = later};
    if (earlier == later || p->event[earlier].actor == p->event[later].actor)
        return earlier <= later;
    try_all(&m);
    return !m.unordered;
}
