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

bool search_give_up(struct search *s, enum incomplete_cause why)
{
    if (!s->incomplete)
        s->incomplete = why;
    return false;
}

bool search_may_go_on(struct search *s)
{
    const struct model_limits *l = s->limits;
    if (s->incomplete)
        return false;
    if (l->enough && *l->enough)
        return search_give_up(s, INCOMPLETE_OUTCOMES);
    if (++s->points % 64 == 0 && l->seconds > 0 &&
        (double)(clock() - s->began) / CLOCKS_PER_SEC > l->seconds)
        return search_give_up(s, INCOMPLETE_TIME);
    if ((l->executions && s->serial > l->executions) || (l->points && s->points > l->points))
        return search_give_up(s, INCOMPLETE_EXECUTIONS);
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

event_set search_events_of(const struct search_thread *t, event_set values)
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
        return search_give_up(s, step->why ? step->why : INCOMPLETE_SHARING);
    /* At a barrier with a count it matters who comes first. */
    s->domain.varies |= !step->fixed || (step->stop == STOP_BARRIER && step->expected && !step->members);
    for (int i = 0; i < step->count; i++) {
        struct model_event e = step->event[i];
        e.thread = thread;
        e.depends = search_events_of(t, e.depends);
        e.pair = e.pair >= 0 && t->values ? t->event_of[t->values - 1] : -1;
        if (execution_add(&p->x, &e, SOURCE_NONE) < 0)
            return search_give_up(s, INCOMPLETE_EVENTS);
        if (e.kind == EVENT_WRITE) {
            domain_learn_write(&s->domain, thread, t->values, e.location);
            domain_learn_access(&s->domain, &p->x, thread, &e);
        }
    }
    switch (step->stop) {
    case STOP_READ:
        domain_learn_access(&s->domain, &p->x, thread, &step->read);
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
        return search_give_up(s, step->why ? step->why : INCOMPLETE_EXCHANGE);
    }
}

bool search_return_value(struct search *s, struct point *p, int thread, int event, uint64_t value)
{
    struct search_thread *t = &p->thread[thread];
    if (t->values == THREAD_VALUES)
        return search_give_up(s, INCOMPLETE_READS);
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
    e.depends = search_events_of(t, e.depends);
    int read = execution_add(&p->x, &e, source);
    if (read < 0)
        return search_give_up(s, INCOMPLETE_EVENTS);
    bool goes_on = search_return_value(s, p, thread, read, value);
    *idles = t->step.stop == STOP_AGAIN;
    return goes_on && execution_possible(&p->x);
}

bool search_may_be_written(struct search *s, const struct point *p, int but, int location)
{
    for (int t = 0; t < p->x.threads; t++)
        if (t != but && p->thread[t].state != THREAD_ENDED && domain_may_write(&s->domain, t, p->thread[t].values, location))
            return true;
    s->domain.cut |= 1u << location;
    return false;
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
    const struct written *written = &s->domain.written[read->location];
    if (!s->guessing || !domain_may_guess(&s->domain, thread, read->cookie))
        return;
    s->domain.dropped |= p->guesses == MAX_GUESSES || written->more;
    for (int i = 0; i < written->count && p->guesses < MAX_GUESSES; i++) {
        bool idles;
        point_copy(next, p);
        next->guess[next->guesses++] = (struct guess){.read = p->x.count, .there = p->x.writes};
        if (take(s, next, thread, SOURCE_LATER, written->value[i], &idles))
            search_explore(s, next);
    }
}

/** Does a pending read, passed over with all writes that are there, wait for one that no other thread makes any more? One that
 *  only comes back may wait for ever. */
static bool waits_in_vain(struct search *s, const struct point *p, int thread)
{
    const struct search_thread *t = &p->thread[thread];
    return !t->idle && !search_may_be_written(s, p, thread, t->step.read.location);
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
            search_explore(s, next);
        else if (idles)
            t->idle |= event_bit(w), t->rounds = next->thread[thread].step.rounds;
    }
    free(next);
    t->considered |= fresh;
    if (!waits_in_vain(s, p, thread))
        search_explore(s, p);
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
        search_give_up(s, INCOMPLETE_BARRIERS);
    else
        search_finish(s, p);
}

void search_explore(struct search *s, struct point *p)
{
    if (p->guesses)
        domain_learn_tried(&s->domain, &p->x);
    if (!search_may_go_on(s) || !search_guesses(s, p) || search_is_redundant(s, p))
        return;
    for (int t = 0; t < p->x.threads; t++)
        if (p->thread[t].state == THREAD_READS && writes_for(p, t)) {
            choose_source(s, p, t);
            return;
        }
    for (int t = 0; t < p->x.threads; t++)
        if (p->thread[t].state == THREAD_READS && waits_in_vain(s, p, t))
            return;
    if (!search_barriers(s, p))
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
        search_explore(s, p);
    free(p);
}

enum incomplete_cause model_enumerate(const struct model_program *p, const struct model_limits *limits,
                            void (*found)(void *self, const struct model_outcome *o), void *self)
{
    struct search *s = calloc(1, sizeof *s);
    assert(s && p->threads <= MODEL_THREADS && p->locations <= MODEL_LOCATIONS);
    *s = (struct search){.program = p, .limits = limits, .found = found, .self = self, .began = clock()};
    /* Rounds in which reads guess, until nothing new is learnt about circles; and again where a way was left that what was
     * learnt later leads on. */
    bool more = true, circles_only = false;
    for (int round = 0; more && !s->incomplete; round++) {
        s->domain.grew = s->domain.missed = false;
        s->domain.cut = 0;
        s->guessing = s->domain.loose_count != 0 && s->domain.varies;
        walk(s);
        more = s->domain.missed || (s->domain.grew && s->domain.loose_count);
        if (!s->domain.missed && !s->domain.varies && !s->incomplete) {
            if (s->domain.loose_count)
                search_cycles(s);
            s->domain.dropped = false;
            break;
        }
        if (!more && !s->incomplete)
            more = domain_take_tried(&s->domain), circles_only |= more;
        if (round == MODEL_LOCATIONS)
            search_give_up(s, INCOMPLETE_VALUES);
    }
    /* A walk with a bound asks for no more than it has. */
    if (s->domain.dropped && !limits->points)
        search_give_up(s, INCOMPLETE_GUESSES);
    /* Under a bound what only circles write is no reason to drop all the rest. */
    if (circles_only && limits->points && s->incomplete == INCOMPLETE_EXECUTIONS)
        s->incomplete = INCOMPLETE_NOT;
    enum incomplete_cause incomplete = s->incomplete;
    byte_set_free(&s->seen);
    free(s->finished);
    free(s);
    return incomplete;
}
