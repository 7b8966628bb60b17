/**
 * @file enumerate.c
 * See enumerate.h: the walk over all choices, depth first; a point is copied where the walk parts.
 */
#include "model/enumerate.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "model/search.h"

static void explore(struct search *s, struct point *p);

static bool give_up(struct search *s, enum incomplete_cause why)
{
    if (!s->incomplete)
        s->incomplete = why;
    return false;
}

/** Bounds on the whole walk. */
static bool may_go_on(struct search *s)
{
    const struct model_limits *l = s->limits;
    if (s->incomplete)
        return false;
    if (++s->points % 64 == 0 && l->seconds > 0 &&
        (double)(clock() - s->began) / CLOCKS_PER_SEC > l->seconds)
        return give_up(s, INCOMPLETE_TIME);
    if ((l->executions && s->serial > l->executions) || (l->points && s->points > l->points))
        return give_up(s, INCOMPLETE_EXECUTIONS);
    return true;
}

void point_copy(struct point *to, const struct point *from)
{
    execution_copy(&to->x, &from->x);
    for (int t = 0; t < from->x.threads; t++)
        memcpy(&to->thread[t], &from->thread[t], offsetof(struct search_thread, step.event));
    to->gatherings = from->gatherings;
    memcpy(to->gathering, from->gathering, sizeof to->gathering[0] * (size_t)from->gatherings);
    to->guesses = from->guesses;
    memcpy(to->guess, from->guess, sizeof to->guess[0] * (size_t)from->guesses);
}

/* ---- Threads ---- */

/** Turns numbers of a thread's returned values into events. */
static event_set events_of_values(const struct search_thread *t, event_set values)
{
    event_set events = 0;
    FOR_EVENTS(v, values)
        if (v < t->values)
            events |= event_bit(t->event_of[v]);
    return events;
}

/** Runs a thread to where it needs something. @return false where the walk ends: no such execution, or given up */
static bool run_thread(struct search *s, struct point *p, int thread)
{
    struct search_thread *t = &p->thread[thread];
    struct model_step *step = &t->step;
    if (!s->program->next(s->program->self, thread, t->value, t->values, step))
        return give_up(s, step->why ? step->why : INCOMPLETE_SHARING);
    for (int i = 0; i < step->count; i++) {
        struct model_event e = step->event[i];
        e.thread = thread;
        e.depends = events_of_values(t, e.depends);
        e.pair = e.pair >= 0 && t->values ? t->event_of[t->values - 1] : -1;
        if (execution_add(&p->x, &e, SOURCE_NONE) < 0)
            return give_up(s, INCOMPLETE_EVENTS);
    }
    switch (step->stop) {
    case STOP_READ:
        t->state = THREAD_READS;
        t->considered = t->idle = 0;
        return true;
    case STOP_BARRIER:
        t->state = THREAD_AT_BARRIER;
        t->arrived_before = false;
        return true;
    case STOP_END:
        t->state = THREAD_ENDED;
        return true;
    case STOP_AGAIN:
        return false;
    default:
        return give_up(s, step->why ? step->why : INCOMPLETE_EXCHANGE);
    }
}

/** A value comes back to a thread, which goes on. @return as run_thread() */
static bool return_value(struct search *s, struct point *p, int thread, int event, uint64_t value)
{
    struct search_thread *t = &p->thread[thread];
    if (t->values == THREAD_VALUES)
        return give_up(s, INCOMPLETE_READS);
    t->event_of[t->values] = event;
    t->value[t->values++] = value;
    t->state = THREAD_RUNS;
    return run_thread(s, p, thread);
}

/* ---- Reads ---- */

/** The pending read takes its value from `source`. @return false if that cannot be, or only leads back */
static bool take(struct search *s, struct point *p, int thread, int source, uint64_t value, bool *idles)
{
    struct search_thread *t = &p->thread[thread];
    struct model_event e = t->step.read;
    e.kind = EVENT_READ;
    e.thread = thread;
    e.value = value;
    e.pair = -1;
    e.depends = events_of_values(t, e.depends);
    int read = execution_add(&p->x, &e, source);
    if (read < 0)
        return give_up(s, INCOMPLETE_EVENTS);
    bool goes_on = return_value(s, p, thread, read, value);
    *idles = t->step.stop == STOP_AGAIN;
    return goes_on && execution_possible(&p->x);
}

static event_set writes_for(const struct point *p, int thread)
{
    const struct search_thread *t = &p->thread[thread];
    return p->x.of_location[t->step.read.location] & p->x.writes & ~t->considered;
}

/** Reads that may guess try each value that has been seen to be written. */
static void try_guesses(struct search *s, const struct point *p, int thread, struct point *next)
{
    const struct model_event *read = &p->thread[thread].step.read;
    if (!s->guessing || p->guesses == MAX_GUESSES || !domain_may_guess(&s->domain, thread, read->cookie))
        return;
    for (int i = 0; i < s->domain.written[read->location].count; i++) {
        bool idles;
        point_copy(next, p);
        next->guess[next->guesses++] = (struct guess){.read = p->x.count, .there = p->x.writes};
        if (take(s, next, thread, SOURCE_LATER, s->domain.written[read->location].value[i], &idles))
            explore(s, next);
    }
}

/** Offers a thread's pending read the writes that it has not been offered; then it waits for others. */
static void choose_source(struct search *s, struct point *p, int thread)
{
    struct search_thread *t = &p->thread[thread];
    struct point *next = malloc(sizeof *next);
    assert(next);
    event_set fresh = writes_for(p, thread);
    if (!t->considered)
        try_guesses(s, p, thread, next);
    FOR_EVENTS(w, fresh) {
        bool idles = false;
        if (s->incomplete)
            break;
        point_copy(next, p);
        if (take(s, next, thread, w, p->x.event[w].value, &idles))
            explore(s, next);
        else if (idles)
            t->idle |= event_bit(w), t->rounds = next->thread[thread].step.rounds;
    }
    free(next);
    t->considered |= fresh;
    explore(s, p);
}

/* ---- Barriers ---- */

static int weight_of(const struct search *s, int thread)
{
    return s->program->weight ? s->program->weight[thread] : 1;
}

static struct gathering *gathering_of(struct search *s, struct point *p, int thread)
{
    const struct model_place *place = &p->x.place[thread];
    int barrier = p->thread[thread].step.barrier;
    for (int i = 0; i < p->gatherings; i++) {
        struct gathering *g = &p->gathering[i];
        if (g->barrier == barrier && g->block == place->block && g->device == place->device &&
            (!p->thread[thread].step.members || g->warp == place->warp))
            return g;
    }
    if (p->gatherings == MAX_GATHERINGS) {
        give_up(s, INCOMPLETE_BARRIERS);
        return NULL;
    }
    struct gathering *g = &p->gathering[p->gatherings++];
    memset(g, 0, sizeof *g);
    g->barrier = barrier, g->block = place->block, g->device = place->device, g->warp = place->warp;
    g->members = p->thread[thread].step.members;
    return g;
}

/** A thread's arrival is counted; one that only arrives goes on. @return as run_thread() */
static bool arrive(struct search *s, struct point *p, int thread)
{
    struct search_thread *t = &p->thread[thread];
    struct gathering *g = gathering_of(s, p, thread);
    if (!g || g->count == (int)(sizeof g->arrived / sizeof g->arrived[0]))
        return give_up(s, INCOMPLETE_BARRIERS);
    struct model_event e = {.kind = EVENT_BARRIER, .thread = thread, .pair = -1, .cookie = t->step.cookie};
    int event = execution_add(&p->x, &e, SOURCE_NONE);
    if (event < 0)
        return give_up(s, INCOMPLETE_EVENTS);
    g->thread_of[g->count] = thread;
    g->arrived[g->count++] = event;
    g->threads += weight_of(s, thread);
    g->ones += t->step.given ? weight_of(s, thread) : 0;
    g->reduces = t->step.reduces ? t->step.reduces : g->reduces;
    t->arrived_before = true;
    if (t->step.arrive_only)
        return return_value(s, p, thread, event, 0);
    g->waits |= 1u << thread;
    return true;
}

/** The warps that a gathering waits for; 0: it counts threads. */
static int warps_expected_at(const struct point *p, const struct gathering *g)
{
    for (int t = 0; t < p->x.threads && !g->members; t++)
        if (g->waits >> t & 1)
            return p->thread[t].step.expected;
    return 0;
}

/** Has everybody come? Threads that have ended are not waited for, but by a barrier with a count. */
static bool is_full(const struct search *s, const struct point *p, const struct gathering *g)
{
    int all = 0, warps = warps_expected_at(p, g);
    if (warps)
        return g->warps >= warps;
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

/** Everybody came: all arrivals synchronise with all who waited, who go on. @return as run_thread() */
static bool release(struct search *s, struct point *p, struct gathering *g)
{
    struct gathering done = *g;
    event_set waiting = 0;
    uint64_t value = reduced(&done);
    *g = p->gathering[--p->gatherings];
    /* Those who wait get a second event behind the barrier: an order among all by way of these. */
    int behind[MODEL_THREADS];
    for (int t = 0; t < p->x.threads; t++) {
        if (!(done.waits >> t & 1))
            continue;
        struct model_event e = {.kind = EVENT_BARRIER, .thread = t, .pair = -1, .cookie = p->thread[t].step.cookie};
        behind[t] = execution_add(&p->x, &e, SOURCE_NONE);
        if (behind[t] < 0)
            return give_up(s, INCOMPLETE_EVENTS);
        waiting |= event_bit(behind[t]);
    }
    for (int i = 0; i < done.count; i++)
        p->x.barrier[done.arrived[i]] |= waiting & ~event_bit(done.arrived[i]);
    for (int t = 0; t < p->x.threads; t++)
        if (done.waits >> t & 1 && !return_value(s, p, t, behind[t], value))
            return false;
    return execution_possible(&p->x);
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

/** A warp arrives at a barrier with a count. @return as run_thread() */
static bool arrive_together(struct search *s, struct point *p, uint32_t threads)
{
    struct gathering *g = gathering_of(s, p, __builtin_ctz(threads));
    if (!g)
        return false;
    g->warps++;
    for (; threads; threads &= threads - 1)
        if (!arrive(s, p, __builtin_ctz(threads)))
            return false;
    return true;
}

/** Takes one step at barriers: an arrival or a release. Where more come than a barrier waits for, every order of
 *  arrivals is tried. @return false if there is nothing to do */
static bool step_barriers(struct search *s, struct point *p)
{
    for (int i = 0; i < p->gatherings; i++) {
        struct gathering *g = &p->gathering[i];
        if (g->waits && is_full(s, p, g)) {
            if (release(s, p, g))
                explore(s, p);
            return true;
        }
    }
    struct point *next = NULL;
    for (int t = 0; t < p->x.threads; t++) {
        struct search_thread *thread = &p->thread[t];
        if (thread->state != THREAD_AT_BARRIER || thread->arrived_before)
            continue;
        if (!thread->step.expected || thread->step.members) {    /* all come: the order is all one */
            free(next);
            if (arrive(s, p, t))
                explore(s, p);
            return true;
        }
        uint32_t together = comes_with(p, t);
        if (!together)
            continue;
        next = next ? next : malloc(sizeof *next);
        assert(next);
        point_copy(next, p);
        if (arrive_together(s, next, together))
            explore(s, next);
    }
    free(next);
    return next != NULL;
}

/* ---- The walk ---- */

/** Nothing can go on. Threads that wait for a value that the last writes do not have, or at a barrier, hang. */
static void finish(struct search *s, const struct point *p)
{
    bool partial = false;     /* a part of a warp waits at a barrier that counts warps */
    s->hanging = 0;
    for (int t = 0; t < p->x.threads; t++) {
        const struct search_thread *thread = &p->thread[t];
        if (thread->state == THREAD_ENDED)
            continue;
        /* A read that could have gone on with some write does so in another branch. */
        if (thread->state == THREAD_READS && !thread->idle)
            return;
        partial |= thread->state == THREAD_AT_BARRIER && !thread->arrived_before;
        s->hanging |= 1u << t;
    }
    if (partial)
        give_up(s, INCOMPLETE_BARRIERS);
    else
        search_finish(s, p);
}

static void explore(struct search *s, struct point *p)
{
    if (!may_go_on(s))
        return;
    for (int t = 0; t < p->x.threads; t++)
        if (p->thread[t].state == THREAD_READS && writes_for(p, t)) {
            choose_source(s, p, t);
            return;
        }
    if (!step_barriers(s, p))
        finish(s, p);
}

static void walk(struct search *s)
{
    const struct model_program *program = s->program;
    struct point *p = calloc(1, sizeof *p);
    assert(p);
    execution_begin(&p->x, program->locations, program->initial, program->threads, program->place);
    bool goes_on = true;
    for (int t = 0; t < program->threads && goes_on; t++)
        goes_on = run_thread(s, p, t);
    if (goes_on)
        explore(s, p);
    free(p);
}

enum incomplete_cause model_enumerate(const struct model_program *p, const struct model_limits *limits,
                            void (*found)(void *self, const struct model_outcome *o), void *self)
{
    struct search *s = calloc(1, sizeof *s);
    assert(s && p->threads <= MODEL_THREADS && p->locations <= MODEL_LOCATIONS);
    *s = (struct search){.program = p, .limits = limits, .found = found, .self = self, .began = clock()};
    walk(s);
    /* Rounds in which reads guess, until nothing new is learnt about circles. */
    for (int round = 0; s->domain.loose_count && s->domain.grew && !s->incomplete; round++) {
        s->domain.grew = false;
        s->guessing = true;
        walk(s);
        if (round == MODEL_LOCATIONS)
            give_up(s, INCOMPLETE_VALUES);
    }
    enum incomplete_cause incomplete = s->incomplete;
    hash_set_free(&s->seen);
    free(s);
    return incomplete;
}
