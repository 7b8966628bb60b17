/**
 * @file enumerate.c
 * See enumerate.h: the walk over all choices, depth first; a point is copied where the walk parts.
 */
#include "model/enumerate.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "model/covered.h"
#include "model/search.h"

#define FEW_EVENTS 20 /* of a point that counts for one; twice as many count for four */

bool search_give_up(struct search *s, enum incomplete_cause why)
{
    if (!s->incomplete)
        s->incomplete = why;
    return false;
}

/** Reads of one instruction by one thread that are taken for turns of a loop. */
#define TURNS 4
/** Points that are tried after the first that is left out. */
#define MORE_POINTS 20000

/** The execution has no room for what the thread does next. Where all are asked for, others may be shorter: this one is left out. */
static bool leave_out(struct search *s, const struct point *p, int thread, enum incomplete_cause why)
{
    int turns = 0;
    FOR_EVENTS(r, p->x.reads)
        turns += p->x.event[r].thread == thread && p->x.event[r].cookie == p->thread[thread].step.read.cookie;
    if (!s->left_out) {
        s->left_out = turns >= TURNS ? INCOMPLETE_ROUNDS : why;
        s->tried_until = s->points + MORE_POINTS;
    }
    return s->limits->seconds > 0 ? false : search_give_up(s, s->left_out);
}

/** The work at a point: it grows with the square of its events. */
static uint64_t weight_of(const struct execution *x)
{
    uint64_t weight = (uint64_t)(x->count * x->count) / FEW_EVENTS / FEW_EVENTS;
    return weight ? weight : 1;
}

/** Bounds on the whole search: points, time, outcomes. */
static bool may_go_on(struct search *s, const struct execution *x)
{
    const struct model_limits *l = s->limits;
    if (s->incomplete || s->again)
        return false;
    if (l->enough && *l->enough)
        return search_give_up(s, INCOMPLETE_OUTCOMES);
    s->work += weight_of(x);
    if (++s->points % 64 == 0 && l->seconds > 0 &&
        (double)(clock() - s->began) / CLOCKS_PER_SEC > l->seconds)
        return search_give_up(s, INCOMPLETE_TIME);
    if (s->left_out && s->points > s->tried_until)
        return search_give_up(s, s->left_out);
    if ((l->executions && s->serial > l->executions) || (l->points && s->points > l->points) ||
        (l->work && s->work > l->work))
        return search_give_up(s, INCOMPLETE_EXECUTIONS);
    return true;
}

/** Copies what is in use. */
static void point_copy(struct point *to, const struct point *from)
{
    execution_copy(&to->x, &from->x);
    for (int t = 0; t < from->x.threads; t++)
        memcpy(&to->thread[t], &from->thread[t], offsetof(struct search_thread, step.event));
    to->gatherings = from->gatherings;
    memcpy(to->gathering, from->gathering, sizeof to->gathering[0] * (size_t)from->gatherings);
    to->lates = from->lates;
    memcpy(to->late, from->late, sizeof to->late[0] * (size_t)from->lates);
    to->open = from->open;
}

struct point *search_copy(struct search *s, const struct point *p)
{
    struct point *copy = s->spares ? s->spare[--s->spares] : malloc(sizeof *copy);
    assert(copy);
    point_copy(copy, p);
    return copy;
}

void search_drop(struct search *s, struct point *p)
{
    if (s->spares == s->spare_room) {
        s->spare_room = s->spare_room ? 2 * s->spare_room : 64;
        s->spare = realloc(s->spare, sizeof *s->spare * (size_t)s->spare_room);
        assert(s->spare);
    }
    s->spare[s->spares++] = p;
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

bool search_enter(struct search *s, struct point *p, int thread, int from)
{
    struct search_thread *t = &p->thread[thread];
    struct model_step *step = &t->step;
    event_set shown = search_events_of(t, step->shows);
    FOR_EVENTS(e, shown)
        p->x.event[e].shows = true;
    for (int i = from; i < step->count; i++) {
        struct model_event e = step->event[i];
        e.thread = thread;
        e.depends = search_events_of(t, e.depends);
        e.told = search_events_of(t, e.told);
        e.pair = e.pair >= 0 && t->values ? t->event_of[t->values - 1] : -1;
        int added = execution_add(&p->x, &e, SOURCE_NONE);
        if (added < 0)
            return leave_out(s, p, thread, INCOMPLETE_EVENTS);
        if (e.kind == EVENT_WRITE) {
            reductions_learn(s, &p->x, added);
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
        domain_learn_meeting(&s->domain, thread, t->values);
        t->state = THREAD_AT_BARRIER;
        t->arrived_before = false;
        return true;
    case STOP_END:
        t->state = THREAD_ENDED;
        return true;
    case STOP_NEEDS:
        t->state = THREAD_NEEDS;
        return true;
    case STOP_AGAIN:
        return false;
    default:
        return search_give_up(s, step->why ? step->why : INCOMPLETE_EXCHANGE);
    }
}

/** Runs a thread to where it needs something. @return false where the walk ends: no such execution, or given up */
static bool run_thread(struct search *s, struct point *p, int thread)
{
    struct search_thread *t = &p->thread[thread];
    if (!s->program->next(s->program->self, thread, t->value, t->values, t->unknown, &t->step))
        return search_give_up(s, t->step.why ? t->step.why : INCOMPLETE_SHARING);
    return search_enter(s, p, thread, 0);
}

bool search_return_value(struct search *s, struct point *p, int thread, int event, uint64_t value)
{
    struct search_thread *t = &p->thread[thread];
    if (t->values == THREAD_VALUES)
        return leave_out(s, p, thread, INCOMPLETE_READS);
    t->event_of[t->values] = event;
    t->value[t->values++] = value;
    t->state = THREAD_RUNS;
    return run_thread(s, p, thread);
}

/* ---- Reads ---- */

int search_add_read(struct search *s, struct point *p, int thread, uint64_t value, int source)
{
    struct search_thread *t = &p->thread[thread];
    struct model_event e = t->step.read;
    e.kind = EVENT_READ;
    e.thread = thread;
    e.value = value;
    e.pair = -1;
    e.depends = search_events_of(t, e.depends);
    e.told = search_events_of(t, e.told);
    int read = execution_add(&p->x, &e, source);
    if (read < 0)
        leave_out(s, p, thread, INCOMPLETE_EVENTS);
    else
        reductions_learn(s, &p->x, read);
    return read;
}

/** The pending read takes its value from one of these writes, which have the same. @return false if that cannot be, or only leads back */
static bool take(struct search *s, struct point *p, int thread, event_set writes, bool *idles)
{
    int source = event_first(writes);
    uint64_t value = p->x.event[source].value;
    struct search_thread *t = &p->thread[thread];
    int read = search_add_read(s, p, thread, value, source);
    if (read < 0)
        return false;
    bool goes_on = search_return_value(s, p, thread, read, value);
    *idles = t->step.stop == STOP_AGAIN;
    return goes_on && search_fits(s, p, read);
}

/** A thread that needs a value may still write in the step that it is at. */
static bool may_write(const struct search *s, const struct point *p, int thread, int location)
{
    const struct search_thread *t = &p->thread[thread];
    return t->state != THREAD_ENDED && domain_may_write(&s->domain, thread, t->values - (t->state == THREAD_NEEDS), location);
}

bool search_may_be_written(struct search *s, const struct point *p, int but, int read, int location)
{
    event_set open = p->open & p->x.of_location[location];
    FOR_EVENTS(w, open)
        if (p->x.event[w].thread != but || w < read)
            return true;
    for (int t = 0; t < p->x.threads; t++)
        if (t != but && may_write(s, p, t, location))
            return true;
    s->domain.cut |= 1u << location;
    return false;
}

static event_set writes_for(const struct point *p, int thread)
{
    const struct search_thread *t = &p->thread[thread];
    return p->x.of_location[t->step.read.location] & p->x.writes & ~t->considered & ~p->open;
}

/** Does a pending read, passed over with all writes that are there, wait for one that no other thread makes any more? One that
 *  only comes back may wait for ever. */
static bool waits_in_vain(struct search *s, const struct point *p, int thread)
{
    const struct search_thread *t = &p->thread[thread];
    return !t->idle && !search_may_be_written(s, p, thread, p->x.count, t->step.read.location);
}

static void go_on(struct search *s, struct point *p);

/** Offers a thread's pending read the writes that it has not been offered; then it waits for others. */
static void choose_source(struct search *s, struct point *p, int thread)
{
    struct search_thread *t = &p->thread[thread];
    event_set fresh = writes_for(p, thread);
    int alone = reductions_take(s, p, thread);
    if (alone >= 0)
        fresh = event_bit(alone);
    for (event_set left = fresh, together; left && !s->incomplete; left &= ~together) {
        bool idles = false;
        together = s->limits->by_value ? by_value_like(&p->x, event_first(left), left) : left & -left;
        struct point *next = search_copy(s, p);
        if (take(s, next, thread, together, &idles))
            search_explore(s, next);
        else if (idles)
            t->idle |= together;
        search_drop(s, next);
    }
    t->considered |= fresh;
    if (alone >= 0 || waits_in_vain(s, p, thread))
        return;
    if (late_may_be(s, p, thread))
        late_go_on(s, p, thread);
    else
        go_on(s, p);
}

/* ---- The walk ---- */

/** Nothing can go on. Threads that wait for a value that the last writes do not have, or at a barrier, hang. */
static void finish(struct search *s, const struct point *p)
{
    bool partial = false;     /* a part of a warp waits at a barrier that counts warps */
    late_guess(s, p);
    s->hanging = 0;
    for (int t = 0; t < p->x.threads; t++) {
        const struct search_thread *thread = &p->thread[t];
        if (thread->state == THREAD_ENDED)
            continue;
        /* A read that could have gone on with some write does so in another branch. */
        if (thread->state == THREAD_NEEDS || (thread->state == THREAD_READS && !thread->idle))
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
    if (!s->limits->by_value || !covered_by_met(&s->covered, p))
        go_on(s, p);
}

/** Goes on, also from a point where only some read has passed over more than before. */
static void go_on(struct search *s, struct point *p)
{
    late_find_open(p);
    if (s->domain.guessed && p->lates)
        domain_learn_tried(&s->domain, &p->x);
    if (!may_go_on(s, &p->x) || !late_offers(s, p) || search_is_redundant(s, p))
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
    /* Rounds in which threads go on while reads wait, until nothing new is learnt about circles; and again where a way was left that
     * what was learnt later leads on. */
    bool more = true, circles_only = false;
    for (int round = 0; more && !s->incomplete; round += !s->again) {
        s->domain.grew = s->domain.missed = s->again = false;
        s->domain.cut = 0;
        s->round_began = s->points;
        s->late = s->domain.loose_count != 0;
        covered_clear(&s->covered);
        walk(s);
        more = s->again || s->domain.missed || (s->domain.grew && s->domain.loose_count);
        if (!more && !s->incomplete && s->domain.guessed)
            more = domain_take_tried(&s->domain), circles_only |= more;
        if (round == MODEL_LOCATIONS && !s->again)
            search_give_up(s, INCOMPLETE_VALUES);
    }
    /* A walk with a bound asks for no more than it has. */
    if (s->domain.dropped && !limits->points)
        search_give_up(s, INCOMPLETE_GUESSES);
    /* Under a bound what only circles write is no reason to drop all the rest. */
    if (circles_only && limits->points && s->incomplete == INCOMPLETE_EXECUTIONS)
        s->incomplete = INCOMPLETE_NOT;
    enum incomplete_cause incomplete = s->left_out ? s->left_out : s->incomplete;
    byte_set_free(&s->seen);
    covered_clear(&s->covered);
    for (int i = 0; i < s->spares; i++)
        free(s->spare[i]);
    free(s->spare);
    free(s);
    return incomplete;
}
