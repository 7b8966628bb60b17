/**
 * @file delayed.c
 * See delayed.h: what buffers add to a walk over states (walk.h). Most of what late writes do one late write does: with buffers for one
 * there are few more states than interleavings, and that is walked first.
 */
#include "model/walk.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/** Is another thread in that scope? Else what is ordered at it nobody sees. */
static bool scope_counts(const struct model_program *p, int thread, enum model_scope scope)
{
    bool any = false;
    for (int t = 0; t < p->threads; t++)
        any |= t != thread && place_reaches(&p->place[thread], scope, &p->place[t]);
    return any;
}

/* ---- A thread's buffer ---- */

static void delay(struct walk_thread *at, int location, uint64_t value, int event, bool release)
{
    if (location >= 0 || (at->delayed && at->write[at->delayed - 1].location >= 0))
        at->write[at->delayed++] = (struct delayed_write){location, event, value, release && at->delayed};
}

int walk_latest_delayed(const struct walk_thread *at, int location)
{
    int i = at->delayed - 1;
    while (i >= 0 && at->write[i].location != location)
        i--;
    return i;
}

static bool may_leave(const struct walk_thread *at, int i)
{
    bool may = at->write[i].location >= 0 && !(at->write[i].release && i);
    for (int j = 0; j < i && may; j++)
        may = at->write[j].location >= 0 && at->write[j].location != at->write[i].location;
    return may;
}

void walk_leave(struct walk *w, int t)
{
    int changes = w->undo.count, traces = w->trail.count;
    for (int i = 0; i < w->thread[t].delayed && !w->failed; i++) {
        if (!may_leave(&w->thread[t], i))
            continue;
        struct walk_thread *at = walk_change(w, t);
        walk_write(w, at->write[i].location, at->write[i].value, at->write[i].event);
        *LIST_PUSH(&w->trail) = (struct walk_trace){.event.thread = t, .left = at->write[i].event + 1};
        int from = i;
        do
            memmove(&at->write[from], &at->write[from + 1], sizeof at->write[0] * (size_t)(--at->delayed - from));
        while (from == 0 && at->delayed && at->write[0].location < 0);
        walk_explore(w);
        walk_back(w, changes);
        w->trail.count = traces;
    }
}

bool walk_may_update(const struct walk *w, int t, const struct model_event *write)
{
    const struct walk_thread *at = &w->thread[t];
    return !at->delayed || (!(write->release && scope_counts(w->program, t, write->scope)) && walk_latest_delayed(at, write->location) < 0 &&
                            walk_latest_delayed(at, -1) < 0);
}

static int writes_in(const struct walk_thread *at)
{
    int writes = 0;
    for (int i = 0; i < at->delayed; i++)
        writes += at->write[i].location >= 0;
    return writes;
}

bool walk_delay(struct walk *w, int t, const struct model_event *e)
{
    bool orders = (e->kind == EVENT_FENCE || e->release) && scope_counts(w->program, t, e->scope);
    int delayed = w->thread[t].delayed;
    if (e->kind == EVENT_FENCE && e->sc && orders && delayed)
        return false;
    if (delayed == MOST_DELAYED || (e->kind == EVENT_WRITE && writes_in(&w->thread[t]) >= w->room)) {
        w->full = true;
        return false;
    }
    struct walk_thread *at = walk_change(w, t);
    int event = walk_note(w, t, e, e->value, SOURCE_NONE);
    w->trail.data[event].delayed = e->kind == EVENT_WRITE;
    at->wrote |= e->kind == EVENT_WRITE ? 1u << e->location : 0;
    at->at_once = e->kind == EVENT_FENCE && e->sc && orders ? 0 : at->at_once;
    if (e->kind == EVENT_WRITE)
        delay(at, e->location, e->value, event, orders);
    else if (orders)
        delay(at, -1, 0, event, false);
    at->done++;
    return true;
}

/* ---- Two threads that look past what the other is still to write ---- */

void walk_note_bare(struct walk *w, int t, const struct model_event *read)
{
    const struct walk_thread *at = &w->thread[t];
    struct stale_look look = {.thread = t, .node = at->node, .past_update = at->at_once, .others = at->wrote & ~(1u << read->location)};
    if (!read->strong || !look.others || walk_latest_delayed(at, read->location) >= 0 || w->how->waits(w->self, t, read))
        return;
    for (int u = 0; u < w->program->threads; u++)
        look.stale |= u != t && walk_latest_delayed(&w->thread[u], read->location) >= 0;
    for (uint32_t m = look.others; m; m &= m - 1)
        look.past_delayed |= walk_latest_delayed(at, __builtin_ctz(m)) >= 0 ? m & -m : 0;
    walk_note_stale(w, look);
}

/** Two threads that each write one location and then read the other's: one of them with nothing between that orders the two, so that each may read what
 *  was there before. Where the write is an update the walk does not let it wait, and shows nothing of that; `all`: what else it does it has shown. */
static bool is_mirrored(const struct walk *w, bool all)
{
    for (int t = 0; t < w->program->threads; t++)
        for (int u = 0; u < w->program->threads; u++)
            for (int l = 0; l < w->program->locations; l++)
                for (int k = 0; k < w->program->locations && t != u; k++)
                    if ((w->bare[t][l].past_delayed >> k & 1 && (all ? w->bare[u][k].stale : w->bare[u][k].any) >> l & 1) ||
                        (w->bare[t][l].past_update >> k & 1 && w->bare[u][k].any >> l & 1))
                        return true;
    return false;
}

/* ---- The trail ---- */

int walk_note(struct walk *w, int t, const struct model_event *e, uint64_t value, int source)
{
    if (!walk_is_traced(w))
        return -1;
    struct walk_trace *kept = LIST_PUSH(&w->trail);
    *kept = (struct walk_trace){.event = *e, .source = source};
    kept->event.thread = t;
    kept->event.value = value;
    kept->event.pair = -1;
    kept->event.depends = 0;
    kept->event.told = ~(event_set)0; /* that is not followed here */
    return w->trail.count - 1;
}

void walk_note_meeting(struct walk *w, const struct model_step *step, uint32_t threads)
{
    if (!walk_is_traced(w))
        return;
    *LIST_PUSH(&w->trail) = (struct walk_trace){
        .event = {.kind = step->exchanges ? EVENT_EXCHANGE : EVENT_BARRIER, .thread = __builtin_ctz(threads), .pair = -1, .cookie = step->cookie},
        .source = SOURCE_NONE, .meets = step->cluster ? 0 : threads, .relaxed = step->relaxed,
        .phase = !step->cluster ? 0 : step->wait_only ? -step->barrier : step->barrier};
}

/** Reads that have led to where the thread was are left out, and with them updates that have changed nothing. */
static void leave_out(const struct walk *w, bool *out)
{
    for (int i = 0; i < w->trail.count; i++) {
        const struct walk_trace *trace = &w->trail.data[i];
        int left = trace->forgets;
        out[i] = left || trace->left || (trace->event.pair >= 0 && out[trace->event.pair]);
        for (int e = i - 1; e >= 0 && left > 0; e--) {
            const struct model_event *event = &w->trail.data[e].event;
            if (event->thread != trace->event.thread || event->kind != EVENT_READ || out[e])
                continue;
            out[e] = true;
            left--;
            if (e + 1 < i && w->trail.data[e + 1].event.pair == e)
                out[e + 1] = true;
        }
    }
}

/** The write that is there in place of one that was left out, and has its value. */
static int source_of(const struct walk *w, const bool *out, int read)
{
    int write = w->trail.data[read].source;
    while (write >= 0 && out[write])
        write = w->trail.data[w->trail.data[write].event.pair].source;
    return write;
}

/** Adds what is no access. @return its event */
static int add_meeting(const struct walk *w, struct execution *x, int at, const int *number)
{
    const struct walk_trace *trace = &w->trail.data[at];
    if (trace->meets)
        return execution_meet(x, trace->event, trace->meets);
    const struct model_place *own = &x->place[trace->event.thread];
    int event = execution_add(x, &trace->event, SOURCE_NONE);
    for (int i = 0; i < at && trace->phase < 0 && event >= 0; i++) {
        const struct walk_trace *came = &w->trail.data[i];
        if (came->phase == -trace->phase && number[i] >= 0 && place_reaches(own, MODEL_CLUSTER, &x->place[came->event.thread]))
            execution_arrival(x, number[i], came->relaxed, event_bit(event));
    }
    return event;
}

static int add_event(const struct walk *w, struct execution *x, int at, const int *number)
{
    struct model_event e = w->trail.data[at].event;
    if (e.kind == EVENT_BARRIER || e.kind == EVENT_EXCHANGE)
        return add_meeting(w, x, at, number);
    e.pair = e.pair >= 0 ? number[e.pair] : -1;
    return execution_add(x, &e, e.kind == EVENT_READ ? SOURCE_LATER : SOURCE_NONE);
}

/**
 * An execution has room for the trail from here on: the first place where no write is delayed, and no more events follow.
 * What was done until there an interleaving has done.
 * @param memory  what it has left
 */
static int first_that_fits(const struct walk *w, const bool *out, uint64_t *memory)
{
    int left = w->program->locations, delayed = 0, from = 0;
    memcpy(memory, w->program->initial, sizeof *memory * (size_t)w->program->locations);
    for (int i = 0; i < w->trail.count; i++)
        left += !out[i];
    for (bool cut = left > MODEL_EVENTS; cut && from < w->trail.count && (left > MODEL_EVENTS || delayed || w->trail.data[from].event.pair >= 0); from++) {
        const struct walk_trace *t = &w->trail.data[from], *write = t->left ? &w->trail.data[t->left - 1] : t;
        left -= !out[from];
        delayed += t->left ? -1 : t->delayed;
        if (t->left || (!t->forgets && t->event.kind == EVENT_WRITE && !t->delayed))
            memory[write->event.location] = write->event.value;
    }
    return from;
}

bool walk_execution(const struct walk *w, struct execution *x)
{
    const struct model_program *p = w->program;
    bool *out = calloc((size_t)w->trail.count + 1, sizeof *out), fits = true;
    int *number = malloc(((size_t)w->trail.count + 1) * sizeof *number);
    uint64_t memory[MODEL_LOCATIONS];
    assert(out && number);
    for (int i = 0; i < w->trail.count; i++)
        number[i] = -1;
    leave_out(w, out);
    int from = first_that_fits(w, out, memory);
    execution_begin(x, p->locations, memory, p->threads, p->place);
    for (int i = from; i < w->trail.count && fits; i++)
        fits = out[i] || (number[i] = add_event(w, x, i, number)) >= 0;
    for (int i = from; i < w->trail.count && fits; i++)
        if (!out[i] && w->trail.data[i].event.kind == EVENT_READ) {
            int source = source_of(w, out, i);
            execution_set_source(x, number[i], source < from ? w->trail.data[i].event.location : number[source]);
        }
    free(out);
    free(number);
    return fits;
}

bool model_delayed(const struct model_program *p, struct delayed_walk *how, void (*found)(void *self, const struct model_outcome *o), void *self)
{
    struct walk *w = calloc(1, sizeof *w);
    assert(w);
    w->program = p, w->how = how, w->found = found, w->self = self, w->most = how->points;
    bool all = false;
    for (w->room = 1; w->room <= MOST_DELAYED && !all && !*how->enough; w->room *= MOST_DELAYED) {
        w->points = w->spent = 0;
        w->failed = w->full = false;
        all = walk_all(w);
    }
    walk_sum_stale(w, false);
    how->mirrored = is_mirrored(w, all);
    if (how->mirrored) {
        walk_sum_stale(w, true);
        how->mirrored = is_mirrored(w, all);
    }
    walk_free(w);
    free(w);
    return all;
}
