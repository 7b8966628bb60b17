/**
 * @file interleavings.c
 * See interleavings.h: a walk over states, each entered once.
 */
#include "model/interleavings.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/byte_set.h"
#include "base/mix.h"
#include "model/search.h"

/** A thread between two of its accesses. */
struct standing {
    int values, done;               /**< values returned so far; events of the step behind them that have happened */
    int came;                       /**< the latest phase of its cluster's barrier at which it has arrived */
    uint64_t value[THREAD_VALUES];
};

struct state {
    struct standing thread[MODEL_THREADS];
    uint64_t memory[MODEL_LOCATIONS];
};

struct walk {
    const struct model_program *program;
    void (*found)(void *self, const struct model_outcome *o);
    void *self;
    uint64_t points, most;
    struct byte_set seen;
    bool failed;
};

static void explore(struct walk *w, const struct state *s);

static bool fetch(struct walk *w, const struct state *s, int t, struct model_step *step)
{
    const struct standing *at = &s->thread[t];
    w->failed |= !w->program->next(w->program->self, t, at->value, at->values, 0, step);
    return !w->failed;
}

/** Has the thread nothing left to do? */
static bool has_ended(const struct standing *at, const struct model_step *step)
{
    return at->done == step->count && step->stop == STOP_END;
}

/** Fences are no steps here. */
static void pass_fences(struct standing *at, const struct model_step *step)
{
    while (at->done < step->count && step->event[at->done].kind == EVENT_FENCE)
        at->done++;
}

static bool is_new(struct walk *w, const struct state *s)
{
    uint64_t key[MODEL_THREADS * (THREAD_VALUES + 1) + MODEL_LOCATIONS], hash = 0;
    size_t n = 0;
    for (int t = 0; t < w->program->threads; t++) {
        const struct standing *at = &s->thread[t];
        key[n++] = (uint64_t)at->values | (uint64_t)at->done << 16 | (uint64_t)(uint32_t)at->came << 32;
        memcpy(key + n, at->value, sizeof *key * (size_t)at->values);
        n += (size_t)at->values;
    }
    memcpy(key + n, s->memory, sizeof *key * (size_t)w->program->locations);
    n += (size_t)w->program->locations;
    for (size_t i = 0; i < n; i++)
        hash = mix_in(hash, key[i]);
    return byte_set_add(&w->seen, hash, key, n * sizeof *key);
}

static void give(struct walk *w, struct standing *at, uint64_t value)
{
    if (at->values == THREAD_VALUES)
        w->failed = true;
    else
        at->value[at->values++] = value;
    at->done = 0;
}

/** A read, and what belongs to it: the write of a read-modify-write. A look that only comes back is none. */
static void step_read(struct walk *w, struct state *s, int t, int location, struct model_step *step)
{
    struct standing *at = &s->thread[t];
    give(w, at, s->memory[location]);
    if (w->failed || !fetch(w, s, t, step))
        return;
    if (step->stop == STOP_AGAIN && !step->count) {
        at->values -= step->rounds ? step->rounds : 1;
        if (fetch(w, s, t, step))
            at->done = step->count;
    } else if (step->count && step->event[0].kind == EVENT_WRITE && step->event[0].pair >= 0) {
        s->memory[step->event[0].location] = step->event[0].value;
        at->done = 1;
    }
}

/* ---- Where threads meet ---- */

/** Is `t` one of those that meet where `like` stands? */
static bool is_asked(const struct model_program *p, int t, int like, const struct model_step *step)
{
    const struct model_place *a = &p->place[t], *b = &p->place[like];
    return a->device == b->device && a->block == b->block &&
           (!step->members || (a->warp == b->warp && step->members >> a->lane & 1));
}

/** All who are asked have come, or ended: one bit each; 0: not yet. */
static uint32_t who_meets(const struct walk *w, const struct state *s, int like, const struct model_step *steps)
{
    const struct model_step *step = &steps[like];
    uint32_t all = 0;
    for (int t = 0; t < w->program->threads; t++) {
        const struct model_step *other = &steps[t];
        if (!is_asked(w->program, t, like, step) || has_ended(&s->thread[t], other))
            continue;
        if (s->thread[t].done < other->count || other->stop != STOP_BARRIER || other->cluster || other->barrier != step->barrier ||
            other->members != step->members || other->exchanges != step->exchanges)
            return 0;
        all |= 1u << t;
    }
    return all;
}

static uint64_t reduced(const struct model_program *p, uint32_t all, const struct model_step *steps, enum model_reduction how)
{
    uint64_t ones = 0, threads = 0;
    for (int t = 0; t < p->threads; t++) {
        uint64_t weight = !(all >> t & 1) ? 0 : p->weight ? (uint64_t)p->weight[t] : 1;
        threads += weight;
        ones += steps[t].given ? weight : 0;
    }
    return how == REDUCE_COUNT ? ones : how == REDUCE_AND ? ones == threads : how == REDUCE_OR ? ones != 0 : 0;
}

static void step_meet(struct walk *w, struct state *s, uint32_t all, const struct model_step *steps)
{
    const struct model_program *p = w->program;
    int first = __builtin_ctz(all);
    struct model_exchange e = {.what = steps[first].what};
    for (uint32_t m = all; m && steps[first].exchanges; m &= m - 1) {
        int t = __builtin_ctz(m), lane = p->place[t].lane;
        e.lanes |= 1u << lane;
        memcpy(e.brings[lane], steps[t].brings, sizeof e.brings[lane]);
    }
    for (uint32_t m = all; m; m &= m - 1) {
        int t = __builtin_ctz(m);
        give(w, &s->thread[t], steps[first].exchanges ? p->exchange(p->self, &e, p->place[t].lane)
                                                      : reduced(p, all, steps, (enum model_reduction)steps[t].reduces));
    }
}

/** Has everybody in the thread's cluster arrived at the phase, or ended? */
static bool has_passed(const struct walk *w, const struct state *s, int thread, const struct model_step *steps)
{
    const struct model_place *place = w->program->place;
    for (int t = 0; t < w->program->threads; t++)
        if (place[t].cluster == place[thread].cluster && place[t].device == place[thread].device &&
            !has_ended(&s->thread[t], &steps[t]) && s->thread[t].came < steps[thread].barrier)
            return false;
    return true;
}

/** A thread stands at a barrier: where it is passed, the walk goes on from there. */
static void pass_barrier(struct walk *w, const struct state *s, int t, const struct model_step *steps, struct state *next)
{
    const struct model_step *step = &steps[t];
    *next = *s;
    if (step->cluster && step->arrive_only) {
        next->thread[t].came = step->barrier;
        give(w, &next->thread[t], 0);
    } else if (step->cluster && step->wait_only) {
        if (!has_passed(w, s, t, steps))
            return;
        give(w, &next->thread[t], 0);
    } else if (step->cluster || step->arrive_only || (step->expected && !step->members)) {
        w->failed = true;
    } else {
        uint32_t all = who_meets(w, s, t, steps);
        if (!all || __builtin_ctz(all) != t)
            return;
        step_meet(w, next, all, steps);
    }
    explore(w, next);
}

/* ---- The walk ---- */

static void end(struct walk *w, const struct state *s)
{
    struct model_outcome o = {.final = s->memory};
    for (int t = 0; t < w->program->threads; t++) {
        o.values[t] = s->thread[t].value;
        o.value_count[t] = s->thread[t].values;
    }
    w->found(w->self, &o);
}

/** The next thing that a thread does. */
static void step(struct walk *w, const struct state *s, int t, const struct model_step *steps, struct state *next,
                 struct model_step *behind)
{
    const struct standing *at = &s->thread[t];
    if (has_ended(at, &steps[t]))
        return;
    *next = *s;
    if (at->done < steps[t].count) {
        const struct model_event *e = &steps[t].event[at->done];
        next->memory[e->location] = e->value;
        next->thread[t].done++;
    } else if (steps[t].stop == STOP_READ) {
        step_read(w, next, t, steps[t].read.location, behind);
    } else if (steps[t].stop == STOP_BARRIER) {
        pass_barrier(w, s, t, steps, next);
        return;
    } else {
        w->failed = true;
    }
    explore(w, next);
}

static void explore(struct walk *w, const struct state *s)
{
    int threads = w->program->threads;
    if (w->failed || ++w->points > w->most) {
        w->failed = true;
        return;
    }
    struct state *states = malloc(2 * sizeof *states), *here = states;
    struct model_step *steps = malloc(((size_t)threads + 1) * sizeof *steps);
    assert(states && steps);
    *here = *s;
    bool ended = true;
    for (int t = 0; t < threads && fetch(w, here, t, &steps[t]); t++) {
        pass_fences(&here->thread[t], &steps[t]);
        ended &= has_ended(&here->thread[t], &steps[t]);
    }
    bool goes_on = !w->failed && is_new(w, here);
    if (goes_on && ended)
        end(w, here);
    for (int t = 0; t < threads && goes_on && !ended && !w->failed; t++)
        step(w, here, t, steps, &states[1], &steps[threads]);
    free(states);
    free(steps);
}

bool model_interleavings(const struct model_program *p, uint64_t points,
                         void (*found)(void *self, const struct model_outcome *o), void *self)
{
    struct walk w = {.program = p, .found = found, .self = self, .most = points};
    struct state *start = calloc(1, sizeof *start);
    assert(start && p->threads <= MODEL_THREADS && p->locations <= MODEL_LOCATIONS);
    memcpy(start->memory, p->initial, sizeof *p->initial * (size_t)p->locations);
    explore(&w, start);
    byte_set_free(&w.seen);
    free(start);
    return !w.failed;
}
