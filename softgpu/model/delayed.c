/**
 * @file delayed.c
 * See delayed.h: a walk over states, each entered once.
 */
#include "model/delayed.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/byte_set.h"
#include "base/mix.h"
#include "model/search.h"

#define MOST_DELAYED 6

/** In a buffer; `location` -1: what stands behind waits for what stands before. */
struct delayed_write {
    int location, event;             /**< `event`: of the trail */
    uint64_t value;
};

/** A thread between two of its accesses. */
struct standing {
    int values, done, delayed;       /**< values returned so far; events of the step behind them that have happened */
    uint64_t value[THREAD_VALUES];
    struct delayed_write write[MOST_DELAYED];
};

struct state {
    struct standing thread[MODEL_THREADS];
    uint64_t memory[MODEL_LOCATIONS];
    int writer[MODEL_LOCATIONS];     /**< event of the trail; -1: the initial write */
    /** How it came here: what was issued, and what each read saw. A read that led back to where its thread was has no thread. */
    struct model_event trail[MODEL_EVENTS];
    int source[MODEL_EVENTS], events;
    bool lost;                       /**< there were more */
};

struct walk {
    const struct model_program *program;
    struct delayed_walk *how;
    void (*found)(void *self, const struct model_outcome *o);
    void *self;
    uint64_t points;
    struct byte_set seen;
    uint32_t bare[MODEL_THREADS][MODEL_LOCATIONS]; /**< locations that a thread has read while its write of another was delayed */
    bool failed;
};

static void explore(struct walk *w, const struct state *s);

static bool fetch(struct walk *w, const struct state *s, int t, struct model_step *step)
{
    const struct standing *at = &s->thread[t];
    w->failed |= !w->program->next(w->program->self, t, at->value, at->values, 0, step);
    return !w->failed;
}

static bool is_new(struct walk *w, const struct state *s)
{
    uint64_t key[MODEL_THREADS * (THREAD_VALUES + 1 + 2 * MOST_DELAYED) + MODEL_LOCATIONS], hash = 0;
    size_t n = 0;
    for (int t = 0; t < w->program->threads; t++) {
        const struct standing *at = &s->thread[t];
        key[n++] = (uint64_t)at->values | (uint64_t)at->done << 16 | (uint64_t)at->delayed << 32;
        memcpy(key + n, at->value, sizeof *key * (size_t)at->values);
        n += (size_t)at->values;
        for (int i = 0; i < at->delayed; i++) {
            key[n++] = (uint64_t)(uint32_t)at->write[i].location;
            key[n++] = at->write[i].value;
        }
    }
    memcpy(key + n, s->memory, sizeof *key * (size_t)w->program->locations);
    n += (size_t)w->program->locations;
    for (size_t i = 0; i < n; i++)
        hash = mix_in(hash, key[i]);
    return byte_set_add(&w->seen, hash, key, n * sizeof *key);
}

/** @param value  read or written. @return the number of the event in the trail */
static int note(struct state *s, int t, const struct model_event *e, uint64_t value, int source)
{
    if (s->events == MODEL_EVENTS) {
        s->lost = true;
        return 0;
    }
    struct model_event *kept = &s->trail[s->events];
    *kept = *e;
    kept->thread = t;
    kept->value = value;
    kept->pair = -1;
    kept->depends = 0;
    s->source[s->events] = source;
    return s->events++;
}

/* ---- A thread's buffer ---- */

static void delay(struct walk *w, struct standing *at, int location, uint64_t value, int event)
{
    if (location < 0 && (!at->delayed || at->write[at->delayed - 1].location < 0))
        return;
    if (at->delayed == MOST_DELAYED) {
        w->failed = true;
        return;
    }
    at->write[at->delayed++] = (struct delayed_write){location, event, value};
}

/** Its latest write there that is delayed; -1: there is none. */
static int latest_delayed(const struct standing *at, int location)
{
    int i = at->delayed - 1;
    while (i >= 0 && at->write[i].location != location)
        i--;
    return i;
}

static bool may_leave(const struct standing *at, int i)
{
    bool may = at->write[i].location >= 0;
    for (int j = 0; j < i && may; j++)
        may = at->write[j].location >= 0 && at->write[j].location != at->write[i].location;
    return may;
}

static void reach_memory(struct state *s, int location, uint64_t value, int event)
{
    s->memory[location] = value;
    s->writer[location] = event;
}

static void leave(struct state *s, int t, int i)
{
    struct standing *at = &s->thread[t];
    reach_memory(s, at->write[i].location, at->write[i].value, at->write[i].event);
    do
        memmove(&at->write[i], &at->write[i + 1], sizeof at->write[0] * (size_t)(--at->delayed - i));
    while (i == 0 && at->delayed && at->write[0].location < 0);
}

/** May a read-modify-write be done at once? */
static bool may_update(const struct standing *at, int location, bool release)
{
    return !(release && at->delayed) && latest_delayed(at, location) < 0 && latest_delayed(at, -1) < 0;
}

/** May what comes next be done at once: is the buffer as a fence, or a full one, needs it? */
static bool may_go_on(const struct standing *at, const struct model_step *step)
{
    if (at->done < step->count) {
        const struct model_event *e = &step->event[at->done];
        return e->kind == EVENT_FENCE && e->sc ? !at->delayed : at->delayed + 1 < MOST_DELAYED;
    }
    return step->stop == STOP_READ || !at->delayed;
}

/* ---- What a thread does ---- */

/** Takes its latest `count` reads back: they have led to where it was. */
static void forget(struct state *s, int t, int count)
{
    for (int i = s->events - 1; i >= 0 && count > 0; i--)
        if (s->trail[i].thread == t && s->trail[i].kind == EVENT_READ) {
            s->trail[i].thread = -1;
            count--;
        }
}

/** A read that led on: did another thread still have to write there, while a write of the reader's own was delayed? */
static void note_bare(struct walk *w, const struct state *s, int t, const struct model_event *read)
{
    const struct standing *at = &s->thread[t];
    bool stale = false;
    for (int u = 0; u < w->program->threads; u++)
        stale |= u != t && latest_delayed(&s->thread[u], read->location) >= 0;
    if (!stale || !at->delayed || w->how->waits(w->self, t, read))
        return;
    for (int i = 0; i < at->delayed; i++)
        if (at->write[i].location >= 0 && at->write[i].location != read->location)
            w->bare[t][at->write[i].location] |= 1u << read->location;
}

/** @return false if it cannot be done yet */
static bool step_read(struct walk *w, struct state *s, int t, const struct model_event *read, struct model_step *behind)
{
    struct standing *at = &s->thread[t];
    int own = latest_delayed(at, read->location);
    if (at->values == THREAD_VALUES) {
        w->failed = true;
        return false;
    }
    uint64_t value = own >= 0 ? at->write[own].value : s->memory[read->location];
    int event = note(s, t, read, value, own >= 0 ? at->write[own].event : s->writer[read->location]);
    at->value[at->values++] = value;
    at->done = 0;
    if (!fetch(w, s, t, behind))
        return false;
    if (behind->stop == STOP_AGAIN && !behind->count) {
        int rounds = behind->rounds ? behind->rounds : 1;
        forget(s, t, rounds);
        at->values -= rounds;
        if (fetch(w, s, t, behind))
            at->done = behind->count;
        return !w->failed; /* a look that is made once more */
    }
    note_bare(w, s, t, read);
    if (behind->count && behind->event[0].kind == EVENT_WRITE && behind->event[0].pair >= 0) {
        const struct model_event *e = &behind->event[0];
        if (!may_update(at, e->location, e->release))
            return false;
        int written = note(s, t, e, e->value, SOURCE_NONE);
        s->trail[written].pair = s->lost ? -1 : event;
        reach_memory(s, e->location, e->value, written);
        at->done = 1;
    }
    return !w->failed;
}

/** @return false if it cannot be done yet */
static bool go_on(struct walk *w, struct state *s, int t, const struct model_step *step, struct model_step *behind)
{
    struct standing *at = &s->thread[t];
    if (!may_go_on(at, step))
        return false;
    if (at->done == step->count) {
        w->failed |= step->stop != STOP_READ;
        return !w->failed && step_read(w, s, t, &step->read, behind);
    }
    const struct model_event *e = &step->event[at->done++];
    int event = note(s, t, e, e->value, SOURCE_NONE);
    if (e->kind == EVENT_FENCE || e->release)
        delay(w, at, -1, 0, event);
    if (e->kind == EVENT_WRITE)
        delay(w, at, e->location, e->value, event);
    return !w->failed;
}

/* ---- The walk ---- */

/** The trail as an execution. @return false if it has more events than one may have */
static bool make_execution(const struct walk *w, const struct state *s, struct execution *x)
{
    const struct model_program *p = w->program;
    int number[MODEL_EVENTS];
    execution_begin(x, p->locations, p->initial, p->threads, p->place);
    for (int i = 0; i < s->events && !s->lost; i++) {
        struct model_event e = s->trail[i];
        if (e.thread < 0)
            continue;
        e.pair = e.pair >= 0 ? number[e.pair] : -1;
        number[i] = execution_add(x, &e, e.kind == EVENT_READ ? SOURCE_LATER : SOURCE_NONE);
        if (number[i] < 0)
            return false;
    }
    for (int i = 0; i < s->events && !s->lost; i++)
        if (s->trail[i].thread >= 0 && s->trail[i].kind == EVENT_READ)
            execution_set_source(x, number[i], s->source[i] < 0 ? s->trail[i].location : number[s->source[i]]);
    return !s->lost;
}

static void end(struct walk *w, const struct state *s)
{
    struct execution *x = calloc(1, sizeof *x);
    struct model_outcome o = {.final = s->memory};
    assert(x);
    o.execution = make_execution(w, s, x) ? x : NULL;
    for (int t = 0; t < w->program->threads; t++) {
        o.values[t] = s->thread[t].value;
        o.value_count[t] = s->thread[t].values;
    }
    w->found(w->self, &o);
    free(x);
}

/** All that the thread may do, or what of it may reach memory, next. */
static void step(struct walk *w, const struct state *s, int t, const struct model_step *steps, struct state *next, struct model_step *behind)
{
    for (int i = 0; i < s->thread[t].delayed && !w->failed; i++)
        if (may_leave(&s->thread[t], i)) {
            *next = *s;
            leave(next, t, i);
            explore(w, next);
        }
    if (w->failed || (s->thread[t].done == steps[t].count && steps[t].stop == STOP_END))
        return;
    *next = *s;
    if (go_on(w, next, t, &steps[t], behind))
        explore(w, next);
}

static void explore(struct walk *w, const struct state *s)
{
    int threads = w->program->threads;
    if (w->failed || *w->how->enough || ++w->points > w->how->points) {
        w->failed = true;
        return;
    }
    if (!is_new(w, s))
        return;
    struct state *next = malloc(sizeof *next);
    struct model_step *steps = malloc(((size_t)threads + 1) * sizeof *steps);
    assert(next && steps);
    bool ended = true;
    for (int t = 0; t < threads && fetch(w, s, t, &steps[t]); t++)
        ended &= s->thread[t].done == steps[t].count && steps[t].stop == STOP_END && !s->thread[t].delayed;
    if (ended && !w->failed)
        end(w, s);
    for (int t = 0; t < threads && !ended && !w->failed; t++)
        step(w, s, t, steps, next, &steps[threads]);
    free(next);
    free(steps);
}

/** Two threads, each of which has read what the other was still to write. */
static bool is_mirrored(const struct walk *w)
{
    for (int t = 0; t < w->program->threads; t++)
        for (int u = 0; u < t; u++)
            for (int l = 0; l < w->program->locations; l++)
                for (int k = 0; k < w->program->locations; k++)
                    if (w->bare[t][l] >> k & 1 && w->bare[u][k] >> l & 1)
                        return true;
    return false;
}

bool model_delayed(const struct model_program *p, struct delayed_walk *how, void (*found)(void *self, const struct model_outcome *o), void *self)
{
    struct walk *w = calloc(1, sizeof *w);
    struct state *start = calloc(1, sizeof *start);
    assert(w && start && p->threads <= MODEL_THREADS && p->locations <= MODEL_LOCATIONS);
    w->program = p, w->how = how, w->found = found, w->self = self;
    memcpy(start->memory, p->initial, sizeof *p->initial * (size_t)p->locations);
    for (int l = 0; l < p->locations; l++)
        start->writer[l] = -1;
    explore(w, start);
    bool all = !w->failed;
    how->mirrored = is_mirrored(w);
    byte_set_free(&w->seen);
    free(start);
    free(w);
    return all;
}
