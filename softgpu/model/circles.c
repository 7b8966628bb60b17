/**
 * @file circles.c
 * Circles of program order, reads-from, coherence and from-reads among strong accesses (verdict.h): what no interleaving of the threads has, and
 * the axioms allow where nothing but program order leads from one access to the next. A fence.sc in each such place rules the circle out: their one order
 * (8.9.3) would have to go round with it.
 */
#include "model/verdict.h"

#include <assert.h>
#include <stdlib.h>

#include "model/axioms.h"

/** A step along program order without a fence costs more than any number of others. */
#define BARE_LEG (2u * MODEL_EVENTS)
#define FAR_AWAY UINT32_MAX

struct graph {
    struct execution execution;
    event_set strong;                       /**< accesses, but for initial writes */
    event_set next[MODEL_EVENTS];           /**< of another thread: by reads-from, coherence, from-reads */
};

/** What an access comes before: who reads it, and what overwrites it or what it has read. */
static event_set comes_before(const struct execution *x, int e)
{
    const struct model_event *event = &x->event[e];
    event_set others = x->of_location[event->location] & ~event_bit(e);
    if (event->kind == EVENT_READ) {
        int source = x->source[e];
        return source < 0 ? 0 : (source < x->locations ? others & x->writes : x->coherence.order[source]) & ~event_bit(source);
    }
    event_set later = x->coherence.order[e];
    FOR_EVENTS(r, others & x->reads)
        later |= x->source[r] == e ? event_bit(r) : 0;
    return later;
}

static struct graph *graph_of(const struct execution *x)
{
    struct graph *g = calloc(1, sizeof *g);
    assert(g);
    execution_copy(&g->execution, x);
    execution_possible(&g->execution); /* settles what follows of coherence */
    for (int e = x->locations; e < x->count; e++)
        if ((x->event[e].kind == EVENT_READ || x->event[e].kind == EVENT_WRITE) && x->event[e].strong)
            g->strong |= event_bit(e);
    FOR_EVENTS(a, g->strong) {
        event_set later = comes_before(&g->execution, a) & g->strong;
        FOR_EVENTS(b, later)
            g->next[a] |= x->event[b].thread != x->event[a].thread ? event_bit(b) : 0;
    }
    return g;
}

bool execution_has_circle(const struct execution *x)
{
    struct graph *g = graph_of(x);
    FOR_EVENTS(e, g->strong) {
        event_set earlier = x->before[e] & g->strong;
        FOR_EVENTS(a, earlier)
            g->next[a] |= event_bit(e);
    }
    bool circle = !relation_close(g->next, x->count);
    free(g);
    return circle;
}

/** Does a fence between two accesses of one thread keep them in order for all who access those locations? `any`: is there one that does not? */
static bool is_fenced(const struct execution *x, struct model_pair leg, bool *any)
{
    event_set others = (x->of_location[x->event[leg.first].location] | x->of_location[x->event[leg.second].location]) & (x->reads | x->writes);
    FOR_EVENTS(f, x->fences & x->before[leg.second]) {
        const struct model_event *fence = &x->event[f];
        bool reaches = fence->sc && event_in(x->before[f], leg.first);
        FOR_EVENTS(e, others)
            reaches = reaches && (x->event[e].thread < 0 || execution_reaches(x, fence->thread, fence->scope, x->event[e].thread));
        if (reaches)
            return true;
        *any |= event_in(x->before[f], leg.first);
    }
    return false;
}

/** The accesses of one location are in order anyway, and so are the halves of a read-modify-write. */
static uint32_t cost_of(const struct execution *x, struct model_pair leg)
{
    bool any = false;
    return x->event[leg.first].location == x->event[leg.second].location || is_fenced(x, leg, &any) ? 1 : BARE_LEG;
}

/** Ways from `start`, which a leg has led to: [0] arrived by a leg, [1] from another thread. */
struct ways {
    uint32_t cost[2][MODEL_EVENTS];
    int8_t from[2][MODEL_EVENTS];
    bool by_leg[2][MODEL_EVENTS];           /**< had that one been arrived at by a leg? */
    event_set done[2];
};

static bool nearest(const struct ways *w, int count, int *how, int *event)
{
    uint32_t best = FAR_AWAY;
    for (int h = 0; h < 2; h++)
        for (int e = 0; e < count; e++)
            if (!event_in(w->done[h], e) && w->cost[h][e] < best) {
                best = w->cost[h][e];
                *how = h;
                *event = e;
            }
    return best < FAR_AWAY;
}

static void reach(struct ways *w, int how, int to, uint32_t cost, int from_how, int from)
{
    if (cost >= w->cost[how][to])
        return;
    w->cost[how][to] = cost;
    w->from[how][to] = (int8_t)from;
    w->by_leg[how][to] = !from_how;
}

static void find_ways(const struct graph *g, int start, struct ways *w)
{
    const struct execution *x = &g->execution;
    int how, e;
    for (int h = 0; h < 2; h++) {
        w->done[h] = 0;
        for (int i = 0; i < x->count; i++)
            w->cost[h][i] = FAR_AWAY;
    }
    w->cost[0][start] = 0;
    while (nearest(w, x->count, &how, &e)) {
        w->done[how] |= event_bit(e);
        FOR_EVENTS(to, g->next[e])
            reach(w, 1, to, w->cost[how][e] + 1, how, e);
        event_set later = how == 1 ? g->strong : 0;
        FOR_EVENTS(to, later)
            if (event_in(x->before[to], e))
                reach(w, 0, to, w->cost[how][e] + cost_of(x, (struct model_pair){e, to}), how, e);
    }
}

/** The legs of the circle that ends with a way to `end`, from another thread; those without a fence. @return false if there are too many */
static bool collect(const struct execution *x, const struct ways *w, struct model_pair first, struct model_circle *out)
{
    struct model_pair leg = first;
    int how = 1, e = first.first;
    out->legs = 0;
    out->fenced = false;
    for (bool more = true; more;) {
        if (cost_of(x, leg) == BARE_LEG) {
            if (out->legs == MODEL_LEGS)
                return false;
            is_fenced(x, leg, &out->fenced);
            out->leg[out->legs++] = leg;
        }
        while (how == 1) { /* back to where a leg has led */
            int from = w->from[1][e];
            how = w->by_leg[1][e] ? 0 : 1;
            e = from;
        }
        more = e != first.second;
        if (more) {
            leg = (struct model_pair){w->from[0][e], e};
            e = leg.first;
            how = 1;
        }
    }
    return out->legs > 0;
}

bool execution_circle(const struct execution *x, struct model_circle *out)
{
    struct graph *g = graph_of(x);
    struct ways *w = malloc(sizeof *w);
    uint32_t best = FAR_AWAY;
    bool found = false;
    assert(w);
    FOR_EVENTS(b, g->strong) {
        event_set before = x->before[b] & g->strong;
        if (!before || !g->next[b])
            continue;
        find_ways(g, b, w);
        FOR_EVENTS(a, before) {
            struct model_circle circle;
            uint32_t cost = w->cost[1][a] == FAR_AWAY ? FAR_AWAY : w->cost[1][a] + cost_of(x, (struct model_pair){a, b});
            if (cost >= best || !collect(x, w, (struct model_pair){a, b}, &circle))
                continue;
            best = cost;
            *out = circle;
            found = true;
        }
    }
    free(w);
    free(g);
    return found;
}
