/**
 * @file walk.c
 * See walk.h.
 */
#include "model/walk.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mix.h"

/** Steps of one thread in a row that no other can tell; states between two questions whether interleavings are all. */
#define MOST_QUIET 10000
#define ONLY_ASKED 64
/** Points of tries that began again, times those of one. */
#define MOST_TRIES 2

/* ---- States ---- */

const struct model_step *walk_step(const struct walk *w, int thread)
{
    return w->nodes.data[w->thread[thread].node].step;
}

bool walk_has_ended(const struct walk *w, int thread)
{
    const struct model_step *step = walk_step(w, thread);
    return w->thread[thread].done == step->count && step->stop == STOP_END;
}

struct walk_thread *walk_change(struct walk *w, int thread)
{
    struct walk_undo *u = LIST_PUSH(&w->undo);
    u->thread = thread;
    u->was = w->thread[thread];
    return &w->thread[thread];
}

void walk_write(struct walk *w, int location, uint64_t value, int event)
{
    struct walk_undo *u = LIST_PUSH(&w->undo);
    u->thread = -1;
    u->location = location, u->value = w->memory[location], u->writer = w->writer[location];
    w->memory[location] = value;
    w->writer[location] = event;
    if (w->how && u->value != value)
        walk_note_turn(w, location, u->value, w->trail.data[event].event.thread);
}

void walk_back(struct walk *w, int changes)
{
    while (w->undo.count > changes) {
        const struct walk_undo *u = &w->undo.data[--w->undo.count];
        if (u->thread >= 0) {
            w->thread[u->thread] = u->was;
        } else {
            w->memory[u->location] = u->value;
            w->writer[u->location] = u->writer;
        }
    }
}

/** @param number  the state's, plus one */
static bool is_new(struct walk *w, uint64_t *number)
{
    uint64_t key[MODEL_THREADS * (1 + 2 * MOST_DELAYED) + MODEL_LOCATIONS], hash = 0;
    size_t n = 0;
    for (int t = 0; t < w->program->threads; t++) {
        const struct walk_thread *at = &w->thread[t];
        key[n++] = (uint64_t)at->node | (uint64_t)at->done << 32 | (uint64_t)at->delayed << 40 | (uint64_t)(uint16_t)at->came << 48;
        for (int i = 0; i < at->delayed; i++) {
            key[n++] = (uint64_t)(uint32_t)at->write[i].location | (uint64_t)at->write[i].release << 32;
            key[n++] = at->write[i].value;
        }
    }
    memcpy(key + n, w->memory, sizeof *key * (size_t)w->program->locations);
    n += (size_t)w->program->locations;
    for (size_t i = 0; i < n; i++)
        hash = mix_in(hash, key[i]);
    bool fresh = byte_set_add(&w->seen, hash, key, n * sizeof *key);
    *number = !w->plain || !w->plain->only ? 0 : fresh ? w->seen.count : byte_set_number(&w->seen, hash, key, n * sizeof *key);
    return fresh;
}

/* ---- Reads ---- */

/** What a read gets. */
struct look {
    uint64_t value;
    int source, node;                /**< event of the trail; the thread behind it */
};

static bool look(struct walk *w, int t, struct look *l)
{
    const struct walk_thread *at = &w->thread[t];
    int location = walk_step(w, t)->read.location, own = walk_latest_delayed(at, location);
    l->value = own >= 0 ? at->write[own].value : w->memory[location];
    l->source = own >= 0 ? at->write[own].event : w->writer[location];
    l->node = walk_node_after(w, t, at->node, l->value);
    return l->node >= 0;
}

const struct model_event *walk_update(const struct walk *w, int node)
{
    const struct model_step *step = w->nodes.data[node].step;
    return step->count && step->event[0].kind == EVENT_WRITE && step->event[0].pair >= 0 ? &step->event[0] : NULL;
}

static void take(struct walk *w, int t, const struct look *l)
{
    const struct model_event *read = &walk_step(w, t)->read, *update = walk_update(w, l->node);
    struct walk_thread *at = walk_change(w, t);
    int event = walk_note(w, t, read, l->value, l->source);
    at->node = l->node;
    at->done = update != NULL;
    if (update) {
        int written = walk_note(w, t, update, update->value, SOURCE_NONE);
        if (written >= 0)
            w->trail.data[written].event.pair = event;
        walk_write(w, update->location, update->value, written);
        at->wrote |= 1u << update->location;
        at->at_once |= 1u << update->location;
    }
}

/** The thread has looked, and is where it was some looks ago. @return false if that is where it is now */
static bool come_back(struct walk *w, int t, int node)
{
    const struct model_step *step = w->nodes.data[node].step;
    int rounds = step->rounds ? step->rounds : 1, from = node;
    for (int i = 0; i < rounds; i++)
        from = w->nodes.data[from].parent;
    if (rounds == 1)
        return false;
    struct walk_thread *at = walk_change(w, t);
    at->node = from;
    at->done = w->nodes.data[from].step->count;
    if (walk_is_traced(w))
        *LIST_PUSH(&w->trail) = (struct walk_trace){.event.thread = t, .forgets = rounds - 1};
    return true;
}

bool walk_writes(struct walk *w, int t)
{
    struct look l;
    return w->thread[t].done < walk_step(w, t)->count || (look(w, t, &l) && walk_update(w, l.node));
}

bool walk_access(struct walk *w, int t)
{
    const struct model_step *step = walk_step(w, t);
    struct look l;
    if (w->thread[t].done < step->count) {
        const struct model_event *e = &step->event[w->thread[t].done];
        walk_change(w, t)->done++;
        walk_write(w, e->location, e->value, walk_note(w, t, e, e->value, SOURCE_NONE));
        return true;
    }
    if (!look(w, t, &l))
        return false;
    take(w, t, &l);
    return true;
}

static void read_and_go_on(struct walk *w, int t)
{
    struct look l;
    int changes = w->undo.count, traces = w->trail.count;
    if (!look(w, t, &l))
        return;
    const struct model_event *update = walk_update(w, l.node);
    if (w->nodes.data[l.node].step->stop == STOP_AGAIN) {
        if (!come_back(w, t, l.node))
            return;
    } else {
        if (w->how)
            walk_note_bare(w, t, &walk_step(w, t)->read);
        if (update && !walk_may_update(w, t, update))
            return;
        take(w, t, &l);
    }
    walk_explore(w);
    walk_back(w, changes);
    w->trail.count = traces;
}

/* ---- What no other thread can tell ---- */

static bool read_quietly(struct walk *w, int t)
{
    struct look l;
    int location = walk_step(w, t)->read.location;
    if (!walk_writes_alone(w, t, location) || !look(w, t, &l) || w->nodes.data[l.node].step->stop == STOP_AGAIN ||
        (walk_update(w, l.node) && !walk_is_alone(w, t, location)))
        return false;
    take(w, t, &l);
    return true;
}

/** @return false if it can do nothing like that */
static bool step_quietly(struct walk *w, int t)
{
    const struct model_step *step = walk_step(w, t);
    if (w->failed || w->again)
        return false;
    if (w->thread[t].done == step->count)
        return step->stop == STOP_READ && read_quietly(w, t);
    const struct model_event *e = &step->event[w->thread[t].done];
    if (e->kind == EVENT_WRITE && walk_is_alone(w, t, e->location)) {
        walk_change(w, t)->done++;
        walk_write(w, e->location, e->value, walk_note(w, t, e, e->value, SOURCE_NONE));
        return true;
    }
    if (w->how)
        return walk_delay(w, t, e);
    if (e->kind != EVENT_FENCE)
        return false;
    walk_note(w, t, e, 0, SOURCE_NONE);
    walk_change(w, t)->done++;
    return true;
}

/* ---- The walk ---- */

/** @param waiting  threads that go on for ever as they do, one bit each */
static void end(struct walk *w, uint32_t waiting)
{
    static _Thread_local uint64_t values[MODEL_THREADS][WALK_VALUES];
    struct model_outcome o = {.final = w->memory, .hangs = waiting != 0, .waiting = waiting};
    struct execution *x = w->how || waiting || w->plain->shows ? calloc(1, sizeof *x) : NULL;
    for (int t = 0; t < w->program->threads; t++) {
        o.values[t] = values[t];
        o.value_count[t] = walk_values(w, w->thread[t].node, values[t]);
    }
    if (x && walk_execution(w, x))
        o.execution = x;
    w->found(w->self, &o);
    free(x);
}

/** The next thing that a thread does, and what of its buffer may reach memory. */
static void step(struct walk *w, int t)
{
    const struct model_step *step = walk_step(w, t);
    if (w->thread[t].delayed)
        walk_leave(w, t);
    if (w->failed || walk_has_ended(w, t))
        return;
    if (w->thread[t].done < step->count) {
        int changes = w->undo.count, traces = w->trail.count;
        if (w->how)
            return; /* the buffer has to become shorter */
        walk_access(w, t);
        walk_explore(w);
        walk_back(w, changes);
        w->trail.count = traces;
    } else if (step->stop == STOP_READ) {
        read_and_go_on(w, t);
    } else if (step->stop == STOP_BARRIER) {
        walk_meet(w, t);
    } else {
        w->failed = true;
    }
}

/** What an earlier state has led to. */
static void note_edge(struct walk *w, uint64_t from, uint64_t to)
{
    if (w->plain && w->plain->only && from)
        *LIST_PUSH(&w->edges) = (struct walk_edge){(uint32_t)from, (uint32_t)to};
}

/** Goes on from a state that has not been entered before. */
static void enter(struct walk *w, bool ended)
{
    bool stuck = false;
    w->failed = ++w->points > w->most;
    if (w->plain && !w->failed)
        w->failed = (w->plain->raced && walk_find_race(w)) || (w->plain->only && w->points % ONLY_ASKED == 0 && !walk_is_only(w));
    if (w->plain && !ended && !w->failed && w->plain->waits)
        stuck = walk_is_stuck(w);
    if ((ended || stuck) && !w->failed && !w->again) {
        note_edge(w, w->state, 0);
        end(w, stuck ? walk_left(w) : 0);
    }
    int apart = ended || w->failed || w->again ? -1 : walk_apart(w);
    for (int t = 0; t < w->program->threads && !ended && !w->failed && !w->again; t++)
        if (apart < 0 || t == apart)
            step(w, t);
}

/** @return have all ended? */
static bool run_quietly(struct walk *w)
{
    bool ended = true;
    for (int t = 0; t < w->program->threads && !w->failed; t++) {
        for (int n = 0; step_quietly(w, t); n++)
            w->failed |= n == MOST_QUIET; /* it goes on for ever */
        ended &= !w->failed && walk_has_ended(w, t) && !w->thread[t].delayed;
    }
    return ended;
}

void walk_explore(struct walk *w)
{
    int changes = w->undo.count, traces = w->trail.count;
    uint64_t from = w->state, number;
    bool ended = run_quietly(w);
    if (w->failed || w->again || (w->how && *w->how->enough)) {
        w->failed |= !w->again;
    } else {
        bool fresh = is_new(w, &number);
        note_edge(w, from, number);
        w->state = number;
        if (fresh)
            enter(w, ended);
        w->state = from;
    }
    walk_back(w, changes);
    w->trail.count = traces;
}

static void begin(struct walk *w)
{
    const struct model_program *p = w->program;
    w->again = false;
    w->spent += w->points; /* each try has all its points, for what the ones before it have learned was little */
    w->points = 0;
    w->failed |= w->spent > MOST_TRIES * w->most;
    byte_set_free(&w->seen);
    w->seen = (struct byte_set){0};
    w->edges.count = 0;
    w->state = 0;
    memset(w->thread, 0, sizeof w->thread);
    memcpy(w->memory, p->initial, sizeof *p->initial * (size_t)p->locations);
    for (int l = 0; l < p->locations; l++)
        w->for_users[l] = w->for_writers[l] = 0, w->writer[l] = -1;
    w->for_quiet = 0;
    for (int t = 0; t < p->threads && !w->failed; t++)
        w->thread[t].node = walk_node_after(w, t, -1, 0);
}

bool walk_all(struct walk *w)
{
    assert(w->program->threads <= MODEL_THREADS && w->program->locations <= MODEL_LOCATIONS);
    do {
        begin(w);
        if (!w->failed)
            walk_explore(w);
    } while (w->again && !w->failed);
    return !w->failed && !w->full;
}

void walk_free(struct walk *w)
{
    for (int i = 0; i < w->nodes.count; i++)
        free(w->nodes.data[i].step);
    LIST_FREE(&w->nodes);
    LIST_FREE(&w->named);
    LIST_FREE(&w->first_alike);
    LIST_FREE(&w->undo);
    LIST_FREE(&w->trail);
    LIST_FREE(&w->edges);
    LIST_FREE(&w->looks);
    LIST_FREE(&w->look_at);
    LIST_FREE(&w->look_states);
    LIST_FREE(&w->turns);
    byte_set_free(&w->seen);
    byte_set_free(&w->turned);
    byte_set_free(&w->looked);
    byte_set_free(&w->names);
    byte_set_free(&w->alike);
}
