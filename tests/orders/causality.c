/**
 * @file causality.c
 * Races of a play, by the definitions of the PTX memory model (PTX ISA 8.7 to 8.10). Which write each waiting read observes is known, so all that differs
 * between executions is the order of the fence.sc: each one is tried.
 */
#include <stdlib.h>
#include <string.h>

#include "play.h"

#define NODES (2 * MAX_EVENTS) /* a copy's load stands at MAX_EVENTS behind its store */
typedef unsigned __int128 nodes;
#define NODE(n) ((nodes)1 << (n))

/** Of each node, those that come behind it. */
struct relation {
    nodes to[NODES];
};

struct model {
    const struct play *p;
    struct relation base, observed;
    struct relation closed, cause; /**< base causality, and causality order */
    int fences[MAX_EVENTS], fence_count;
    bool raced, unordered;
    int earlier, later;           /**< whether these are ordered; -1: not asked */
};

/* ---- Single events ---- */

static bool includes(const struct play *p, enum scope scope, int from, int to)
{
    const struct actor *a = &p->actor[from], *b = &p->actor[to];
    return scope >= GPU || (scope == CLUSTER ? a->block / p->cluster == b->block / p->cluster : a->block == b->block);
}

static bool is_strong(const struct event *e)
{
    return e->op == OP_SIGNAL || e->op == OP_WAIT || e->op == OP_TOKEN || e->op == OP_ARRIVE || e->op == OP_AWAIT || e->op == OP_ADD || e->op == OP_FENCE || e->strong;
}

static enum scope scope_of(const struct event *e)
{
    return e->order == VOLATILE ? SYS : e->scope;
}

static bool mutual(const struct play *p, const struct event *a, const struct event *b)
{
    return a->actor == b->actor || (is_strong(a) && is_strong(b) && includes(p, scope_of(a), a->actor, b->actor) && includes(p, scope_of(b), b->actor, a->actor));
}

static bool writes_flag(const struct event *e)
{
    return e->op == OP_SIGNAL || e->op == OP_TOKEN || e->op == OP_ARRIVE;
}

static bool reads_flag(const struct event *e)
{
    return e->op == OP_WAIT || e->op == OP_TOKEN || e->op == OP_AWAIT;
}

static bool releases(const struct event *e)
{
    return writes_flag(e) && (e->order == BOTH || (e->op != OP_TOKEN && e->order == HALF));
}

static bool acquires(const struct event *e)
{
    return reads_flag(e) && (e->order == BOTH || e->order == HALF);
}

static bool of_mbarrier(const struct event *e)
{
    return e->op == OP_ARRIVE || e->op == OP_AWAIT;
}

static bool same_flag(const struct play *p, const struct event *a, const struct event *b)
{
    return a->flag == b->flag && a->shared == b->shared && of_mbarrier(a) == of_mbarrier(b) && (!a->shared || block_of(p, a) == block_of(p, b));
}

/** Does the read take its value from this write, or from read-modify-writes that follow it? */
static bool observes(const struct play *p, const struct event *w, const struct event *r)
{
    if (!writes_flag(w) || !reads_flag(r) || !same_flag(p, w, r))
        return false;
    return r->op == OP_TOKEN ? w->value < r->value : w->value <= r->value;
}

/* ---- Relations ---- */

static void add_edge(struct relation *r, int from, int to)
{
    r->to[from] |= NODE(to);
}

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
static void synchronise(struct model *m, int w, int r)
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
            if (w != r && observes(p, &p->event[w], &p->event[r]) && mutual(p, &p->event[w], &p->event[r])) {
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

/* ---- Races ---- */

struct place {
    bool shared, stores, accesses;
    uint32_t block, from, to;
};

static struct place place_of(const struct play *p, int node)
{
    const struct event *e = &p->event[node % MAX_EVENTS];
    struct place a = {e->shared, e->op != OP_LOAD, e->op <= OP_COPY, block_of(p, e), e->from, e->from + e->unit * e->count};
    if (e->op == OP_COPY && node >= MAX_EVENTS)
        a = (struct place){false, false, true, 0, e->source, e->source + e->unit};
    else if (e->op == OP_COPY)
        a.shared = true;
    else if (node >= MAX_EVENTS)
        a.accesses = false;
    return a;
}

static bool conflict_data(const struct play *p, int a, int b)
{
    struct place x = place_of(p, a), y = place_of(p, b);
    const struct event *e = &p->event[a % MAX_EVENTS], *f = &p->event[b % MAX_EVENTS];
    if (!x.accesses || !y.accesses || x.shared != y.shared || (x.shared && x.block != y.block) || (!x.stores && !y.stores))
        return false;
    if (x.from >= y.to || y.from >= x.to)
        return false;
    return !(is_strong(e) && is_strong(f) && mutual(p, e, f) && e->from == f->from && e->unit == f->unit);
}

/** Strong accesses to a flag, neither of which has the other in its scope. */
static bool conflict_flags(const struct play *p, int a, int b)
{
    if (a >= MAX_EVENTS || b >= MAX_EVENTS)
        return false;
    const struct event *e = &p->event[a], *f = &p->event[b];
    bool one = writes_flag(e) || reads_flag(e), other = writes_flag(f) || reads_flag(f);
    return one && other && (writes_flag(e) || writes_flag(f)) && same_flag(p, e, f) && !of_mbarrier(e) && !mutual(p, e, f);
}

/** Does the write come before all that the reader does from its event on? */
static bool comes_first(const struct model *m, int write, int reader)
{
    if (m->p->event[write].actor == m->p->event[reader].actor)
        return write < reader;
    for (int i = 0; i < reader; i++)
        if (m->p->event[i].actor == m->p->event[reader].actor && (m->cause.to[write] | m->observed.to[write]) & NODE(i))
            return true;
    return false;
}

/** Who waits looks there in vain before. That only reads, so that what the event has left, seen by others, orders nothing. */
static bool races_in_vain(const struct model *m, int reader, int write)
{
    const struct play *p = m->p;
    const struct event *r = &p->event[reader];
    if (reader >= MAX_EVENTS || !reads_flag(r) || r->actor == p->event[write].actor || m->closed.to[reader] & NODE(write) || comes_first(m, write, reader))
        return false;
    for (int w = 0; w < p->count; w++) /* no look is in vain */
        if (observes(p, &p->event[w], r) && p->event[w].value == r->value - (r->op == OP_TOKEN) && comes_first(m, w, reader))
            return false;
    return r->op != OP_TOKEN || r->value > 1;
}

static void look_for_races(struct model *m)
{
    for (int a = 0; a < NODES; a++)
        for (int b = 0; b < a; b++) {
            bool ordered = (m->cause.to[a] & NODE(b)) || (m->cause.to[b] & NODE(a));
            bool same_thread = m->p->event[a % MAX_EVENTS].actor == m->p->event[b % MAX_EVENTS].actor && a < MAX_EVENTS && b < MAX_EVENTS &&
                               m->p->event[a].op != OP_COPY && m->p->event[b].op != OP_COPY;
            bool in_vain = conflict_flags(m->p, a, b) && ((writes_flag(&m->p->event[b]) && races_in_vain(m, a, b)) || (writes_flag(&m->p->event[a]) && races_in_vain(m, b, a)));
            if (in_vain)
                m->raced = true;
            if (!ordered && !same_thread && (conflict_data(m->p, a, b) || conflict_flags(m->p, a, b)))
                m->raced = true;
        }
    if (m->earlier >= 0 && !(m->cause.to[m->earlier] & NODE(m->later)))
        m->unordered = true;
}

/** Every order of the fence.sc from the n-th on. */
static void try_orders(struct model *m, int n, const struct relation *base)
{
    if (n == m->fence_count) {
        if (order_all(m, base))
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

static void try_all(struct model *m)
{
    for (int i = 0; i < m->p->count; i++)
        if (m->p->event[i].op == OP_FENCE && m->p->event[i].sc)
            m->fences[m->fence_count++] = i;
    add_program_order(m);
    add_meetings(m);
    add_observations(m);
    try_orders(m, 0, &m->base);
}

/** All turns one after another. */
static const struct play *unrolled(const struct play *p, struct play *all)
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
        }
    return all;
}

bool play_races(const struct play *p)
{
    struct play all;
    struct model m = {.p = unrolled(p, &all), .earlier = -1};
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

bool play_after(const struct play *p, int earlier, int later)
{
    struct model m = {.p = p, .earlier = earlier, .later = later};
    if (earlier == later || p->event[earlier].actor == p->event[later].actor)
        return earlier <= later;
    try_all(&m);
    return !m.unordered;
}
