/**
 * @file causality.h
 * Between the files that judge plays: relations of events, and what a single event is.
 */
#ifndef TESTS_ORDERS_CAUSALITY_H
#define TESTS_ORDERS_CAUSALITY_H

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
    struct relation program;      /**< program order, and what comes of meetings */
    struct relation issued;       /**< from what comes before a copy that tells an mbarrier: who waits for that knows of the copy, and by it of nothing else */
    struct relation closed, cause; /**< base causality, and causality order */
    int fences[MAX_EVENTS], fence_count;
    struct lookers { int waits[MAX_LOOKERS], count; } lookers[MAX_FLAGS]; /**< of flags that polls update, in coherence order */
    int looked_at;
    bool raced, unordered;
    int earlier, later;           /**< whether these are ordered; -1: not asked */
};

/* ---- Single events ---- */

static inline bool includes(const struct play *p, enum scope scope, int from, int to)
{
    const struct actor *a = &p->actor[from], *b = &p->actor[to];
    if (is_host(p, from) || is_host(p, to))
        return scope == SYS;
    return scope >= GPU || (scope == CLUSTER ? a->block / p->cluster == b->block / p->cluster : a->block == b->block);
}

static inline bool is_strong(const struct event *e)
{
    return e->op == OP_SIGNAL || e->op == OP_WAIT || e->op == OP_TOKEN || e->op == OP_ARRIVE || e->op == OP_AWAIT || e->op == OP_COMPLETE || e->op == OP_ADD || e->op == OP_FENCE || e->strong;
}

static inline enum scope scope_of(const struct event *e)
{
    return e->order == VOLATILE ? SYS : e->scope;
}

static inline bool mutual(const struct play *p, const struct event *a, const struct event *b)
{
    return a->actor == b->actor || (is_strong(a) && is_strong(b) && includes(p, scope_of(a), a->actor, b->actor) && includes(p, scope_of(b), b->actor, a->actor));
}

static inline bool writes_flag(const struct event *e)
{
    return e->op == OP_SIGNAL || e->op == OP_TOKEN || e->op == OP_ARRIVE || e->op == OP_COMPLETE;
}

static inline bool reads_flag(const struct event *e)
{
    return e->op == OP_WAIT || e->op == OP_TOKEN || e->op == OP_AWAIT;
}

static inline bool releases(const struct event *e)
{
    return (writes_flag(e) || (e->op == OP_WAIT && e->poll != LOOKS)) && (e->order == BOTH || (writes_flag(e) && e->op != OP_TOKEN && e->order == HALF));
}

static inline bool acquires(const struct event *e)
{
    return reads_flag(e) && (e->order == BOTH || e->order == HALF);
}

static inline bool of_mbarrier(const struct event *e)
{
    return e->op == OP_ARRIVE || e->op == OP_AWAIT || e->op == OP_COMPLETE;
}

static inline bool same_flag(const struct play *p, const struct event *a, const struct event *b)
{
    return a->flag == b->flag && a->shared == b->shared && of_mbarrier(a) == of_mbarrier(b) && (!a->shared || block_of(p, a) == block_of(p, b));
}

/** Does the read take its value from this write, or from read-modify-writes that follow it? */
static inline bool observes(const struct play *p, const struct event *w, const struct event *r)
{
    if (!writes_flag(w) || !reads_flag(r) || !same_flag(p, w, r))
        return false;
    return r->op == OP_TOKEN ? w->value < r->value : w->value <= r->value;
}

static inline void add_edge(struct relation *r, int from, int to)
{
    r->to[from] |= NODE(to);
}

/** Does the wait leave something where it finds what it waits for? */
static inline bool updates(const struct event *e)
{
    return e->op == OP_WAIT && e->poll != LOOKS;
}

/** Synchronises-with: from the first event of a release pattern of w to the last of an acquire pattern of r. */
void synchronise(struct model *m, int w, int r);
/** Does a bulk copy read what was stored last by other means, without a proxy fence between the two? */
bool lacks_proxy_fence(const struct model *m);
/** Looks for a race in the execution whose order is known. */
void look_for_races(struct model *m);

/* ---- Polls that are updates: each comes behind the one before it ---- */

/** Finds the flags that are polled so. */
void find_lookers(struct model *m);
/** Does the event look at such a flag? */
bool is_looker(const struct model *m, int event);
/** `then` for every order of those that look at the same flag, of flag `n` and the following ones. */
void try_polls(struct model *m, int n, void (*then)(struct model *m));
/** Does causality order agree with the present one? */
bool polls_fit(const struct model *m);

#endif
