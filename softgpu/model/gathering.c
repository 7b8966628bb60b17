/**
 * @file gathering.c
 * Barriers in the search: threads gather, and who waits is let go when everybody has come.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "model/search.h"

static int weight_of(const struct search *s, int thread)
{
    return s->program->weight ? s->program->weight[thread] : 1;
}

/** Is it where the thread goes to? */
static bool is_for(const struct gathering *g, const struct model_place *place, const struct model_step *step)
{
    if (g->barrier != step->barrier || g->device != place->device)
        return false;
    if (step->cluster)
        return g->cluster == place->cluster;
    return g->block == place->block && (!step->members || (g->warp == place->warp && g->members == step->members));
}

static struct gathering *gathering_of(struct search *s, struct point *p, int thread)
{
    const struct model_place *place = &p->x.place[thread];
    const struct model_step *step = &p->thread[thread].step;
    for (int i = 0; i < p->gatherings; i++)
        if (is_for(&p->gathering[i], place, step))
            return &p->gathering[i];
    if (p->gatherings == MAX_GATHERINGS) {
        search_give_up(s, INCOMPLETE_BARRIERS);
        return NULL;
    }
    struct gathering *g = &p->gathering[p->gatherings++];
    memset(g, 0, sizeof *g);
    g->barrier = step->barrier, g->block = place->block, g->device = place->device, g->warp = place->warp;
    g->cluster = place->cluster, g->of_cluster = step->cluster;
    g->members = step->members, g->exchanges = step->exchanges;
    return g;
}

/** A thread's arrival is counted; one that only arrives goes on. @return as search_return_value() */
static bool arrive(struct search *s, struct point *p, int thread)
{
    struct search_thread *t = &p->thread[thread];
    struct gathering *g = gathering_of(s, p, thread);
    if (!g || g->count == (int)(sizeof g->arrived / sizeof g->arrived[0]))
        return search_give_up(s, INCOMPLETE_BARRIERS);
    if (t->step.wait_only || t->step.exchanges) {
        g->threads++;
        g->waits |= 1u << thread;
        return t->arrived_before = true;
    }
    struct model_event e = {.kind = EVENT_BARRIER, .thread = thread, .pair = -1, .cookie = t->step.cookie};
    int event = execution_add(&p->x, &e, SOURCE_NONE);
    if (event < 0)
        return search_give_up(s, INCOMPLETE_EVENTS);
    g->came |= 1u << thread;
    g->relaxed |= t->step.relaxed ? event_bit(event) : 0;
    g->thread_of[g->count] = thread;
    g->arrived[g->count++] = event;
    g->threads += weight_of(s, thread);
    g->ones += t->step.given ? weight_of(s, thread) : 0;
    g->reduces = t->step.reduces ? t->step.reduces : g->reduces;
    t->arrived_before = true;
    if (t->step.arrive_only)
        return search_return_value(s, p, thread, event, 0);
    g->waits |= 1u << thread;
    return true;
}

/** Has every thread of the cluster arrived, or ended? */
static bool cluster_is_full(const struct point *p, const struct gathering *g)
{
    bool full = true;
    for (int t = 0; t < p->x.threads; t++)
        if (p->x.place[t].cluster == g->cluster && p->x.place[t].device == g->device)
            full &= p->thread[t].state == THREAD_ENDED || (g->came >> t & 1);
    return full;
}

/** Has everybody come? Threads that have ended are not waited for, but by a barrier with a count. */
static bool is_full(const struct search *s, const struct point *p, const struct gathering *g)
{
    int all = 0;
    if (g->expected)
        return g->warps >= g->expected;
    if (g->of_cluster)
        return cluster_is_full(p, g);
    for (int t = 0; t < p->x.threads; t++) {
        const struct model_place *place = &p->x.place[t];
        if (place->block != g->block || place->device != g->device)
            continue;
        bool asked = !g->members || (place->warp == g->warp && g->members >> place->lane & 1);
        all += asked && p->thread[t].state != THREAD_ENDED ? weight_of(s, t) : 0;
    }
    return g->threads >= all;
}

static uint64_t reduced(const struct gathering *g)
{
    switch ((enum model_reduction)g->reduces) {
    case REDUCE_COUNT:
        return (uint64_t)g->ones;
    case REDUCE_AND:
        return g->ones == g->threads;
    case REDUCE_OR:
        return g->ones != 0;
    default:
        return 0;
    }
}

/** All who arrive have come, and go on with what they get of each other. @return as search_return_value() */
static bool exchange(struct search *s, struct point *p, const struct gathering *g)
{
    struct model_exchange all = {0};
    struct model_event e = {.kind = EVENT_EXCHANGE, .pair = -1};
    for (int t = p->x.threads - 1; t >= 0; t--) {
        const struct model_step *step = &p->thread[t].step;
        int lane = p->x.place[t].lane;
        if (!(g->waits >> t & 1))
            continue;
        all.lanes |= 1u << lane;
        all.what = step->what;
        memcpy(all.brings[lane], step->brings, sizeof step->brings);
        e.depends |= search_events_of(&p->thread[t], step->rests);
        e.cookie = step->cookie;
    }
    int event = execution_meet(&p->x, e, g->waits);
    if (event < 0)
        return search_give_up(s, INCOMPLETE_EVENTS);
    s->points += (uint64_t)__builtin_popcount(g->waits) / 4;
    for (int t = 0; t < p->x.threads; t++)
        if (g->waits >> t & 1 &&
            !search_return_value(s, p, t, event, s->program->exchange(s->program->self, &all, p->x.place[t].lane)))
            return false;
    return search_fits(s, p, -1);
}

/** Everybody came. A cluster's barrier lets go whoever waits for it by now, and is there for the others. */
static struct gathering taken(struct point *p, struct gathering *g)
{
    struct gathering done = *g;
    uint32_t alive = 0;
    for (int t = 0; t < p->x.threads; t++)
        alive |= (uint32_t)(p->thread[t].state != THREAD_ENDED) << t;
    g->left |= g->waits;
    g->waits = 0;
    if (!g->of_cluster || !(g->came & ~g->left & alive))
        *g = p->gathering[--p->gatherings];
    return done;
}

/** Everybody came: all arrivals synchronise with all who waited, who go on. @return as search_return_value() */
static bool release(struct search *s, struct point *p, struct gathering *g)
{
    struct gathering done = taken(p, g);
    event_set waiting = 0;
    uint64_t value = reduced(&done);
    if (done.exchanges)
        return exchange(s, p, &done);
    /* Those who wait get a second event behind the barrier: an order among all by way of these. */
    int behind[MODEL_THREADS];
    for (int t = 0; t < p->x.threads; t++) {
        if (!(done.waits >> t & 1))
            continue;
        struct model_event e = {.kind = EVENT_BARRIER, .thread = t, .pair = -1, .cookie = p->thread[t].step.cookie};
        behind[t] = execution_add(&p->x, &e, SOURCE_NONE);
        if (behind[t] < 0)
            return search_give_up(s, INCOMPLETE_EVENTS);
        waiting |= event_bit(behind[t]);
    }
    for (int i = 0; i < done.count; i++)
        execution_arrival(&p->x, done.arrived[i], event_in(done.relaxed, done.arrived[i]), waiting);
    for (int t = 0; t < p->x.threads; t++)
        if (done.waits >> t & 1 && !search_return_value(s, p, t, behind[t], value))
            return false;
    return search_fits(s, p, -1);
}

/** Threads that come to a barrier with a count when `thread` does, itself included, one bit each: those of its warp. 0:
 *  some are not there yet, or a lower one brings them. */
static uint32_t comes_with(const struct point *p, int thread)
{
    const struct model_step *step = &p->thread[thread].step;
    const struct model_place *place = &p->x.place[thread];
    uint32_t all = 0;
    for (int t = 0; t < p->x.threads; t++) {
        const struct model_place *its = &p->x.place[t];
        const struct search_thread *other = &p->thread[t];
        if (its->device != place->device || its->block != place->block || its->warp != place->warp ||
            other->state == THREAD_ENDED)
            continue;
        if (t < thread || other->state != THREAD_AT_BARRIER || other->arrived_before || other->step.members ||
            other->step.barrier != step->barrier || other->step.expected != step->expected)
            return 0;
        all |= 1u << t;
    }
    return all;
}

/** A warp arrives at a barrier with a count. @return as search_return_value() */
static bool arrive_together(struct search *s, struct point *p, uint32_t threads)
{
    struct gathering *g = gathering_of(s, p, __builtin_ctz(threads));
    if (!g)
        return false;
    g->warps++;
    g->expected = p->thread[__builtin_ctz(threads)].step.expected;
    for (; threads; threads &= threads - 1)
        if (!arrive(s, p, __builtin_ctz(threads)))
            return false;
    return true;
}

bool search_barriers(struct search *s, struct point *p)
{
    for (int i = 0; i < p->gatherings; i++) {
        struct gathering *g = &p->gathering[i];
        if ((g->waits || g->expected) && is_full(s, p, g)) { /* a count may be reached by arrivals alone */
            if (release(s, p, g))
                search_explore(s, p);
            return true;
        }
    }
    bool any = false;
    for (int t = 0; t < p->x.threads; t++) {
        struct search_thread *thread = &p->thread[t];
        if (thread->state != THREAD_AT_BARRIER || thread->arrived_before)
            continue;
        if (!thread->step.expected || thread->step.members) {    /* all come: the order is all one */
            if (arrive(s, p, t))
                search_explore(s, p);
            return true;
        }
        uint32_t together = comes_with(p, t);
        if (!together)
            continue;
        any = true;
        struct point *next = search_copy(s, p);
        if (arrive_together(s, next, together))
            search_explore(s, next);
        search_drop(s, next);
    }
    return any;
}
