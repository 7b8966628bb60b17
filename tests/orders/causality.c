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

/** Program order, with copies between their beginning and what waits for them. */
static void add_program_order(struct model *m)
{
    const struct play *p = m->p;
    for (int a = 0; a < p->count; a++) {
        const struct event *e = &p->event[a];
        int committed = -1; /* groups of the actor, from the copy's on */
        for (int b = a + 1; b < p->count; b++) {
            const struct event *f = &p->event[b];
            if (f->actor != e->actor)
                continue;
            if (e->op != OP_COPY) {
                add_edge(&m->base, a, b);
                if (f->op == OP_COPY)
                    add_edge(&m->base, a, b + MAX_EVENTS);
                continue;
            }
            committed += f->op == OP_COMMIT;
            if (f->op == OP_COPIES_WAIT && (f->value < 0 || committed >= f->value)) {
                add_edge(&m->base, a, b);
                add_edge(&m->base, a + MAX_EVENTS, b);
            }
        }
        if (e->op == OP_COPY)
            add_edge(&m->base, a + MAX_EVENTS, a);
    }
}

/** What comes before `a` comes before what follows `b` in its thread. */
static void order_behind(struct model *m, int a, int b)
{
    const struct play *p = m->p;
    for (int c = b + 1; c < p->count; c++)
        if (p->event[c].actor == p->event[b].actor) {
            add_edge(&m->base, a, c);
            if (p->event[c].op == OP_COPY)
                add_edge(&m->base, a, c + MAX_EVENTS);
        }
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

static void add_meetings(struct model *m)
{
    const struct play *p = m->p;
    for (int a = 0; a < p->count; a++)
        for (int b = 0; b < p->count; b++)
            if (a != b && p->event[a].meeting && p->event[a].meeting == p->event[b].meeting && !p->event[b].arrives && !is_of_cluster(&p->event[a]))
                order_behind(m, a, b); /* the events themselves are no memory accesses */
    add_cluster_barriers(m);
}

/** Synchronises-with: from the first event of a release pattern of w to the last of an acquire pattern of r. */
void synchronise(struct model *m, int w, int r)
{
    const struct play *p = m->p;
    for (int x = 0; x <= w; x++) {
        const struct event *first = &p->event[x], *write = &p->event[w];
        bool begins = x == w ? releases(first) : first->actor == write->actor && (first->op == OP_FENCE || (releases(first) && same_flag(p, first, write)));
        for (int y = r; begins && y < p->count; y++) {
            const struct event *last = &p->event[y], *read = &p->event[r];
            bool ends = y == r ? acquires(last) : last->actor == read->actor && (last->op == OP_FENCE || (acquires(last) && same_flag(p, last, read)));
            if (ends && mutual(p, first, last) && x != y)
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

/** Causality order. @return false: a read would come before what it observes */
static bool order_all(struct model *m, const struct relation *base)
{
    m->closed = *base;
    close_over(&m->closed);
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
        if (m->p->event[i].op == OP_FENCE && m->p->event[i].sc)
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
    if (p->turns < 2)
        return p;
    *all = *p;
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
            if (w->op != OP_LOAD && w->op < OP_COPY && r->op < OP_COPY && is_strong(w) && (r->strong || r->op == OP_ADD) && w->actor != r->actor && touch && (w->strong || r->strong))
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
