/**
 * @file finish.c
 * The end of one branch of the search: guesses get their writes, the execution is judged, its outcomes are told.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "model/axioms.h"
#include "model/met.h"
#include "model/search.h"

#define MAX_FINALS 4096

/** Orders of fences of one execution of which is remembered what they leave. */
#define MAX_TOLD 16

struct telling {
    struct search *s;
    const struct point *p;
    const struct axioms *relations;
    uint64_t final[MODEL_LOCATIONS];
    int finals;
    event_set told[MAX_TOLD][MODEL_LOCATIONS];   /**< last writes, by location */
    int told_count;
};

/* ---- Outcomes ---- */

static void tell(struct telling *t, const struct execution *x)
{
    struct search *s = t->s;
    if (++t->finals > MAX_FINALS) {
        s->incomplete = s->incomplete ? s->incomplete : INCOMPLETE_OUTCOMES;
        return;
    }
    struct model_outcome o = {.final = t->final, .execution = x, .relations = t->relations, .hangs = s->hanging != 0,
                              .waiting = s->hanging, .serial = s->serial};
    for (int i = 0; i < x->threads; i++) {
        o.values[i] = t->p->thread[i].value;
        o.value_count[i] = t->p->thread[i].values;
    }
    s->found(s->self, &o);
}

/** Has another order of the fences left all that? Then one is told for its relations. */
static bool told_before(const struct telling *t, int locations, const event_set *last)
{
    for (int i = 0; i < t->told_count; i++) {
        bool all = true;
        for (int l = 0; l < locations; l++)
            all &= !(last[l] & ~t->told[i][l]);
        if (all)
            return true;
    }
    return false;
}

/** Every combination of distinct last values from `location` on. */
static void tell_finals(struct telling *t, const struct execution *x, const event_set *last, int location)
{
    if (location == x->locations) {
        tell(t, x);
        return;
    }
    event_set told = 0;
    FOR_EVENTS(w, last[location]) {
        bool again = false;
        FOR_EVENTS(o, told)
            again |= x->event[o].value == x->event[w].value;
        told |= event_bit(w);
        if (again)
            continue;
        t->final[location] = x->event[w].value;
        tell_finals(t, x, last, location + 1);
    }
}

/** A thread that waits must see the last write in the end: it hangs only if that one lets it wait. */
static bool narrow_to_hanging(const struct telling *t, const struct execution *x, event_set *last)
{
    for (int i = 0; i < x->threads; i++) {
        const struct search_thread *thread = &t->p->thread[i];
        if (thread->state != THREAD_READS)
            continue;
        last[thread->step.read.location] &= thread->idle;
        /* So must the other reads of its loop. */
        for (int r = 1; r < thread->rounds && r <= thread->values; r++) {
            int event = thread->event_of[thread->values - r];
            if (x->event[event].kind == EVENT_READ && x->source[event] >= 0)
                last[x->event[event].location] &= event_bit(x->source[event]);
        }
        for (int l = 0; l < x->locations; l++)
            if (!last[l])
                return false;
    }
    return true;
}

static void allowed(void *self, const struct execution *x, const struct axioms *relations, const event_set *last)
{
    struct telling *t = self;
    t->relations = relations;
    event_set ends[MODEL_LOCATIONS];
    memcpy(ends, last, sizeof *ends * (size_t)x->locations);
    if (!narrow_to_hanging(t, x, ends))
        return;
    if (!t->told_count)
        domain_learn(&t->s->domain, x);
    if (told_before(t, x->locations, ends))
        for (int l = 0; l < x->locations; l++)
            ends[l] &= -ends[l];
    else if (t->told_count < MAX_TOLD)
        memcpy(t->told[t->told_count++], ends, sizeof *ends * (size_t)x->locations);
    tell_finals(t, x, ends, 0);
}

/* ---- Guesses ---- */

/** Does `to` come after one of `from` by program order, barriers, exchanges and reads-from? */
static bool follows(const struct execution *x, event_set from, int to)
{
    event_set rows[MODEL_EVENTS], reached = from, left;
    size_t n = (size_t)x->count;
    memcpy(rows, x->barrier, n * sizeof *rows);
    for (int e = 0; e < x->count; e++) {
        rows[e] |= x->meets[e];
        FOR_EVENTS(p, x->before[e])
            rows[p] |= event_bit(e);
        if (x->source[e] >= 0)
            rows[x->source[e]] |= event_bit(e);
    }
    for (event_set passed = 0; (left = reached & ~passed);) {
        passed |= left;
        FOR_EVENTS(e, left)
            reached |= rows[e];
    }
    return event_in(reached, to);
}

/** Steps for the orders of one execution's fences: of a walk of few points, and of others. */
#define FEW_STEPS 2000
#define MOST_STEPS 100000

static void judge(struct search *s, const struct point *p, const struct execution *x)
{
    /* Without a circle another branch has met it. */
    for (int i = 0; i < p->guesses; i++)
        if (!follows(x, event_bit(p->guess[i].read), x->source[p->guess[i].read]))
            return;
    if (!execution_is_new(&s->seen, x, s->hanging))
        return;
    s->serial++;
    struct telling t; /* what is used of it is set: it is large */
    t.s = s, t.p = p, t.finals = t.told_count = 0;
    uint64_t most = s->limits->points ? FEW_STEPS : MOST_STEPS, steps = execution_judge(x, most, allowed, &t);
    s->points += steps - 1;
    if (steps > most)
        search_give_up(s, INCOMPLETE_EXECUTIONS);
}

/** Is that the write which a guess meant? Without a circle another branch has it, and only one of the `open` guesses, which have
 *  no write yet, can close one later. */
static bool comes_true(const struct point *p, int read, int write, event_set open)
{
    const struct model_event *r = &p->x.event[read], *w = &p->x.event[write];
    return w->value == r->value && r->pair != write && w->thread != r->thread && follows(&p->x, open, write);
}

bool search_guesses(struct search *s, struct point *p)
{
    struct point *next = NULL;
    event_set open = 0;
    for (int i = 0; i < p->guesses; i++)
        open |= p->x.source[p->guess[i].read] == SOURCE_LATER ? event_bit(p->guess[i].read) : 0;
    for (int i = 0; i < p->guesses && open; i++) {
        struct guess *g = &p->guess[i];
        event_set fresh = p->x.of_location[p->x.event[g->read].location] & p->x.writes & ~g->there;
        if (p->x.source[g->read] != SOURCE_LATER)
            continue;
        g->there |= fresh;
        FOR_EVENTS(w, fresh) {
            if (!comes_true(p, g->read, w, open))
                continue;
            next = next ? next : malloc(sizeof *next);
            assert(next);
            point_copy(next, p);
            next->x.source[g->read] = w;
            if (execution_possible(&next->x))
                search_explore(s, next);
        }
        if (!search_may_be_written(s, p, p->x.event[g->read].thread, p->x.event[g->read].location)) {
            free(next);
            return false;
        }
    }
    free(next);
    return true;
}

void search_finish(struct search *s, const struct point *p)
{
    for (int i = 0; i < p->guesses; i++)
        if (p->x.source[p->guess[i].read] == SOURCE_LATER)
            return;
    if (!s->finished) {
        s->finished = calloc(1, sizeof *s->finished);
        assert(s->finished);
        point_copy(s->finished, p);
        s->finished_hanging = s->hanging;
    }
    judge(s, p, &p->x);
}
