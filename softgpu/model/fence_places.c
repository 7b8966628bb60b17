/**
 * @file fence_places.c
 * Where fences would keep an execution from happening (verdict.h): each place is tried, and the axioms are asked.
 */
#include "model/verdict.h"

#include <assert.h>
#include <stdlib.h>

#define MAX_STEPS 2000u /* of one answer: past them a fence there is taken not to help */
#define MAX_TRIALS 1000 /* answers: past them no fence is */

struct trial {
    const struct execution *x;
    enum model_scope scope;
    int location; /* where a write stays that should not, and its value; -1: what is read is what is wrong */
    uint64_t stays;
    struct execution fenced;
    int trials;
    bool allowed;
};

static void note_allowed(void *self, const struct execution *x, const struct axioms *relations, const event_set *last)
{
    struct trial *t = self;
    (void)relations;
    bool stays = t->location < 0;
    for (int e = 0; e < x->count && !stays; e++)
        stays = event_in(last[t->location], e) && x->event[e].value == t->stays;
    t->allowed |= stays;
}

static event_set moved(event_set s, const int *at)
{
    event_set to = 0;
    FOR_EVENTS(e, s)
        to |= event_bit(at[e]);
    return to;
}

static bool put(struct trial *t, int e, int *at)
{
    struct model_event copy = t->x->event[e];
    copy.pair = copy.pair >= 0 && copy.pair < e ? at[copy.pair] : -1;
    copy.depends = moved(copy.depends, at);
    copy.told = moved(copy.told, at);
    at[e] = execution_add(&t->fenced, &copy, SOURCE_NONE);
    return at[e] >= 0;
}

/** Copies the execution, with a fence.sc before some of its events. @return false: it has no room for them */
static bool put_fences(struct trial *t, event_set before)
{
    const struct execution *x = t->x;
    struct execution *to = &t->fenced;
    uint64_t initial[MODEL_LOCATIONS];
    int at[MODEL_EVENTS];
    for (int l = 0; l < x->locations; l++) {
        initial[l] = x->event[l].value;
        at[l] = l;
    }
    execution_begin(to, x->locations, initial, x->threads, x->place);
    for (int e = x->locations; e < x->count; e++) {
        struct model_event fence = {.kind = EVENT_FENCE, .thread = x->event[e].thread, .sc = true, .acquire = true, .release = true,
                                    .scope = t->scope, .pair = -1};
        if ((event_in(before, e) && execution_add(to, &fence, SOURCE_NONE) < 0) || !put(t, e, at))
            return false;
    }
    for (int e = 0; e < x->count; e++) {
        to->source[at[e]] = x->source[e] >= 0 ? at[x->source[e]] : x->source[e];
        to->barrier[at[e]] = moved(x->barrier[e], at);
        to->meets[at[e]] = moved(x->meets[e], at);
    }
    return true;
}

static bool forbid(struct trial *t, event_set before)
{
    t->allowed = false;
    return ++t->trials <= MAX_TRIALS && put_fences(t, before) && execution_judge(&t->fenced, MAX_STEPS, note_allowed, t) <= MAX_STEPS && !t->allowed;
}

/** Where a fence may stand in a thread: before its accesses, but for the first. */
static event_set places_in(const struct execution *x, int thread)
{
    event_set places = 0;
    FOR_EVENTS(e, x->reads | x->writes)
        if (x->event[e].thread == thread && (x->before[e] & (x->reads | x->writes)) &&
            (x->event[e].kind == EVENT_READ || x->event[e].pair < 0)) /* a read-modify-write is one */
            places |= event_bit(e);
    return places;
}

static int last_of(event_set s)
{
    int last = -1;
    FOR_EVENTS(e, s)
        last = e;
    return last;
}

/** Of places in one thread that all do, besides what `with` has: right before what signals, if it is a write, else right behind what was seen. */
static int choose(struct trial *t, event_set places, event_set with)
{
    event_set good = 0;
    FOR_EVENTS(e, places)
        good |= forbid(t, with | event_bit(e)) ? event_bit(e) : 0;
    if (!good)
        return -1;
    int last = last_of(good);
    bool signals = t->x->event[last].kind == EVENT_WRITE || t->x->event[last].pair >= 0;
    return signals ? last : event_first(good);
}

static bool choose_one(struct trial *t, int places[2])
{
    for (int thread = t->x->threads - 1; thread >= 0; thread--)
        if ((places[0] = choose(t, places_in(t->x, thread), 0)) >= 0)
            return true;
    return false;
}

static bool choose_two(struct trial *t, struct model_pair pair, int places[2])
{
    const struct model_event *event = t->x->event;
    event_set firsts = places_in(t->x, event[pair.first].thread), seconds = places_in(t->x, event[pair.second].thread);
    FOR_EVENTS(one, firsts) {
        places[1] = choose(t, seconds, event_bit(one));
        if (places[1] < 0)
            continue;
        places[0] = choose(t, firsts, event_bit(places[1]));
        return true;
    }
    return false;
}

static struct trial *trial_of(const struct execution *x, enum model_scope scope)
{
    struct trial *t = malloc(sizeof *t);
    assert(t);
    t->x = x, t->scope = scope, t->location = -1, t->trials = 0, t->allowed = false;
    return t;
}

static bool leaves(struct trial *t, int write)
{
    const struct model_event *event = &t->x->event[write];
    t->location = event->location, t->stays = event->value;
    return event->kind == EVENT_WRITE && execution_judge(t->x, MAX_STEPS, note_allowed, t) <= MAX_STEPS && t->allowed;
}

bool execution_leaves(const struct execution *x, int write)
{
    struct trial *t = trial_of(x, MODEL_SYS);
    bool left = leaves(t, write);
    free(t);
    return left;
}

bool execution_fence_places(const struct execution *x, struct model_pair pair, enum model_scope scope, int places[2])
{
    struct trial *t = trial_of(x, scope);
    if (x->event[pair.first].kind != EVENT_WRITE || !leaves(t, pair.second))
        t->location = -1;
    places[0] = places[1] = -1;
    bool found = choose_one(t, places) || choose_two(t, pair, places);
    free(t);
    return found;
}
