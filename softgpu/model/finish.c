/**
 * @file finish.c
 * The end of one branch of the search: the execution is judged, its outcomes are told.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "model/axioms.h"
#include "model/met.h"
#include "model/search.h"

#define MAX_FINALS 4096

/** Combinations of last values of one execution that are looked at: a round by value knows most of them already. */
#define MAX_COMBINATIONS 65536

/** Orders of fences of one execution of which is remembered what they leave. */
#define MAX_TOLD 16

/** A round that learns of late reads within so many points begins again. */
#define EARLY_POINTS 300

struct telling {
    struct search *s;
    const struct point *p;
    const struct axioms *relations;
    uint64_t final[MODEL_LOCATIONS];
    int finals, combinations;
    event_set told[MAX_TOLD][MODEL_LOCATIONS];   /**< last writes, by location */
    int told_count;
};

/* ---- Outcomes ---- */

static void tell(struct telling *t, const struct execution *x)
{
    struct search *s = t->s;
    if (s->limits->by_value && !by_value_is_new(s, t->p, t->final))
        return;
    t->finals++;
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

/** Is the rest of the combinations left out, which the search says? There are as many as the product of all locations' last values. */
static bool too_many(const struct telling *t)
{
    if (t->finals <= MAX_FINALS && t->combinations <= MAX_COMBINATIONS)
        return false;
    t->s->incomplete = t->s->incomplete ? t->s->incomplete : INCOMPLETE_OUTCOMES;
    return true;
}

/** Every combination of distinct last values from `location` on. */
static void tell_finals(struct telling *t, const struct execution *x, const event_set *last, int location)
{
    if (location == x->locations) {
        t->combinations++;
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
        if (too_many(t))
            return;
        t->final[location] = x->event[w].value;
        tell_finals(t, x, last, location + 1);
    }
}

/** A thread that waits must see the last write in the end: it hangs only if that one lets it wait. */
static bool narrow_to_hanging(const struct telling *t, const struct execution *x, event_set *last)
{
    for (uint32_t left = t->s->hanging; left; left &= left - 1)
        for (int l = 0; l < x->locations; l++) {
            FOR_EVENTS(w, last[l])
                if (!loops_let_wait(t->s, t->p, __builtin_ctz(left), l, w))
                    last[l] &= ~event_bit(w);
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
    if (!t->told_count) {
        int loose = t->s->domain.loose_count;
        domain_learn(&t->s->domain, x);
        t->s->again |= t->s->domain.loose_count > loose && (t->s->limits->by_value || t->s->points - t->s->round_began < EARLY_POINTS);
    }
    if (told_before(t, x->locations, ends))
        for (int l = 0; l < x->locations; l++)
            ends[l] &= -ends[l];
    else if (t->told_count < MAX_TOLD)
        memcpy(t->told[t->told_count++], ends, sizeof *ends * (size_t)x->locations);
    tell_finals(t, x, ends, 0);
}

/* ---- The execution ---- */

/** Steps for the orders of one execution's fences: of a walk of few points, and of others. */
#define FEW_STEPS 2000
#define MOST_STEPS 100000

bool search_judge(struct search *s, const struct point *p, const struct execution *x)
{
    struct telling t; /* what is used of it is set: it is large */
    t.s = s, t.p = p, t.finals = t.combinations = t.told_count = 0;
    uint64_t most = s->limits->points ? FEW_STEPS : MOST_STEPS, steps = execution_judge(x, most, allowed, &t);
    s->points += steps - 1;
    return steps <= most || search_give_up(s, INCOMPLETE_EXECUTIONS);
}

static void judge(struct search *s, const struct point *p)
{
    search_judge(s, p, &p->x);
}

void search_finish(struct search *s, const struct point *p)
{
    if (p->lates)
        return;
    if (s->limits->by_value) {
        loops_each(s, p, by_value_finish);
    } else if (execution_is_new(&s->seen, &p->x, s->hanging)) {
        s->serial++;
        loops_each(s, p, judge);
    }
}
