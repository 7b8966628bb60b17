/**
 * @file event_graph.c
 * Base causality, observation and the axioms, event by event.
 */
#include "rerun/explore/event_graph.h"

#include <string.h>

#include "base/mix.h"
#include "code/image.h"

/* ---- Sets ---- */

static bool has(const struct event_set *s, int e)
{
    return s->word[e / 64] >> (e % 64) & 1;
}

static void add(struct event_set *s, int e)
{
    s->word[e / 64] |= 1ull << (e % 64);
}

static void join(struct event_set *s, const struct event_set *other)
{
    for (int i = 0; i < GRAPH_WORDS; i++)
        s->word[i] |= other->word[i];
}

/** `e` and everything before it. */
static void join_event(struct event_set *s, const struct graph *g, int e)
{
    join(s, &g->events[e].before);
    add(s, e);
}

/* ---- Threads and locations ---- */

void graph_reset(struct graph *g)
{
    g->count = g->location_count = g->thread_count = 0;
    g->overflow = INCOMPLETE_NOT;
}

int graph_thread(struct graph *g, uint64_t block, uint32_t thread)
{
    for (int i = 0; i < g->thread_count; i++)
        if (g->threads[i].block == block && g->threads[i].thread == thread)
            return i;
    if (g->thread_count == GRAPH_THREADS) {
        g->overflow = INCOMPLETE_THREADS;
        return -1;
    }
    g->threads[g->thread_count].block = block;
    g->threads[g->thread_count].thread = thread;
    g->threads[g->thread_count].last = -1;
    g->threads[g->thread_count].length = 0;
    return g->thread_count++;
}

int graph_location(struct graph *g, uint64_t address, unsigned bytes, uint64_t initial)
{
    for (int i = 0; i < g->location_count; i++) {
        const struct location *l = &g->locations[i];
        if (l->address == address && l->bytes == bytes)
            return i;
        if (address < l->address + l->bytes && l->address < address + bytes) {
            g->overflow = INCOMPLETE_OVERLAP;
            return -1;
        }
    }
    if (g->location_count == GRAPH_LOCATIONS) {
        g->overflow = INCOMPLETE_LOCATIONS;
        return -1;
    }
    struct location *l = &g->locations[g->location_count];
    l->address = address;
    l->bytes = bytes;
    l->initial = initial;
    l->count = 0;
    return g->location_count++;
}

/* ---- Moral strength ---- */

static bool wide(uint8_t scope)
{
    return scope == SCOPE_GPU || scope == SCOPE_SYS;
}

static bool scopes_meet(const struct graph *g, int thread_a, uint8_t scope_a, int thread_b,
                        uint8_t scope_b)
{
    return g->threads[thread_a].block == g->threads[thread_b].block ||
           (wide(scope_a) && wide(scope_b));
}

/** Of an existing event and one that is planned; both touch one location, or are fences. */
static bool strong_with(const struct graph *g, const struct memory_event *e, const struct event_plan *p)
{
    return e->thread == p->thread ||
           (e->strong && p->strong && scopes_meet(g, e->thread, e->scope, p->thread, p->scope));
}

static bool strong_pair(const struct graph *g, const struct memory_event *a, const struct memory_event *b)
{
    return a->thread == b->thread ||
           (a->strong && b->strong && scopes_meet(g, a->thread, a->scope, b->thread, b->scope));
}

/* ---- Causality of what comes next ---- */

static bool releases(const struct memory_event *e)
{
    return order_releases((enum mem_order)e->order);
}

static bool acquires(const struct memory_event *e)
{
    return order_acquires((enum mem_order)e->order);
}

/** The events that planned event `p` comes after: its thread's last one and all before that. */
static struct event_set past_of(const struct graph *g, int thread)
{
    struct event_set s = {{0}};
    int last = g->threads[thread].last;
    if (last >= 0)
        join_event(&s, g, last);
    return s;
}

/** Base causality, or one observation step followed by it (PTX ISA 8.9.6). */
static struct event_set causes(const struct graph *g, const struct event_set *before)
{
    struct event_set s = *before;
    for (int i = 0; i < g->count; i++)
        if (has(before, i) && (g->events[i].kind == EVENT_READ || g->events[i].kind == EVENT_RMW))
            join(&s, &g->events[i].observed);
    return s;
}

/* ---- Choices ---- */

/** The first position that is not too old for the planned event: behind every write that is before
 *  it in causality order. */
static int earliest(const struct graph *g, const struct event_plan *p)
{
    struct event_set before = past_of(g, p->thread), cause = causes(g, &before);
    const struct location *l = &g->locations[p->location];
    int first = 0;
    for (int i = 0; i < l->count; i++)
        if (has(&cause, l->order[i]))
            first = i + 1;
    return first;
}

/** Is the write after `position` a read-modify-write that returned the one at `position`, morally
 *  strong with the planned write? Then nothing may come between (atomicity). */
static bool is_glued(const struct graph *g, const struct event_plan *p, int position)
{
    const struct location *l = &g->locations[p->location];
    if (position >= l->count)
        return false;
    const struct memory_event *next = &g->events[l->order[position]];
    return next->kind == EVENT_RMW && strong_with(g, next, p);
}

int graph_read_choices(const struct graph *g, const struct event_plan *p, int *at)
{
    int n = 0;
    for (int i = earliest(g, p); i <= g->locations[p->location].count; i++)
        at[n++] = i;
    return n;
}

bool graph_rmw_fits(const struct graph *g, const struct event_plan *p, int position)
{
    return !is_glued(g, p, position);
}

int graph_write_choices(const struct graph *g, const struct event_plan *p, int *at)
{
    int n = 0;
    for (int i = earliest(g, p); i <= g->locations[p->location].count; i++)
        if (!is_glued(g, p, i))
            at[n++] = i;
    return n;
}

uint64_t graph_value_at(const struct graph *g, int location, int position)
{
    const struct location *l = &g->locations[location];
    return position == 0 ? l->initial : g->events[l->order[position - 1]].value;
}

/* ---- Adding ---- */

/** Where the release pattern that ends in write `w` begins, for an acquirer `last`: the write itself
 *  if it releases, or the last fence before it in its thread whose scope meets `last`'s. */
static void join_release(struct event_set *into, const struct graph *g, int w,
                         const struct memory_event *last)
{
    const struct memory_event *write = &g->events[w];
    if (releases(write) && strong_pair(g, write, last))
        join_event(into, g, w);
    for (int i = 0; i < w; i++) {
        const struct memory_event *f = &g->events[i];
        if (f->kind == EVENT_FENCE && f->thread == write->thread && f->index < write->index &&
            releases(f) && strong_pair(g, f, last))
            join_event(into, g, i);
    }
}

/** What the acquire pattern of read `r` that ends in `last` receives. */
static void join_acquired(struct event_set *into, const struct graph *g, const struct memory_event *r,
                          const struct memory_event *last)
{
    for (int w = 0; w < g->count; w++)
        if (has(&r->observed, w) && g->events[w].strong)
            join_release(into, g, w, last);
}

static void add_read_part(struct graph *g, struct memory_event *e, int position)
{
    const struct location *l = &g->locations[e->location];
    e->from = position == 0 ? -1 : l->order[position - 1];
    if (e->from < 0)
        return;
    const struct memory_event *w = &g->events[e->from];
    if (!strong_pair(g, w, e))
        return;
    add(&e->observed, e->from);
    if (w->kind == EVENT_RMW)
        join(&e->observed, &w->observed);
    if (e->strong && acquires(e))
        join_acquired(&e->before, g, e, e);
}

static void add_fence(struct graph *g, struct memory_event *e)
{
    for (int i = 0; i < g->count; i++) {
        const struct memory_event *o = &g->events[i];
        if (acquires(e) && o->thread == e->thread && (o->kind & EVENT_READ) &&
            o->kind != EVENT_FENCE && o->strong)
            join_acquired(&e->before, g, o, e);
        if (e->order == ORDER_SC && o->kind == EVENT_FENCE && o->order == ORDER_SC &&
            strong_pair(g, o, e))
            join_event(&e->before, g, i);
    }
}

int graph_add(struct graph *g, const struct event_plan *p, int position, uint64_t value)
{
    if (g->count == GRAPH_EVENTS) {
        g->overflow = INCOMPLETE_EVENTS;
        return -1;
    }
    int number = g->count;
    struct memory_event *e = &g->events[number];
    memset(e, 0, sizeof *e);
    e->kind = p->kind;
    e->order = p->order;
    e->scope = p->scope;
    e->strong = p->strong;
    e->thread = p->thread;
    e->location = p->location;
    e->value = value;
    e->from = -1;
    e->before = past_of(g, p->thread);
    e->index = g->threads[p->thread].length++;
    if (p->kind == EVENT_READ || p->kind == EVENT_RMW)
        add_read_part(g, e, position);
    if (p->kind == EVENT_FENCE)
        add_fence(g, e);
    if (p->kind == EVENT_WRITE || p->kind == EVENT_RMW) {
        struct location *l = &g->locations[p->location];
        memmove(&l->order[position + 1], &l->order[position],
                (size_t)(l->count - position) * sizeof l->order[0]);
        l->order[position] = number;
        l->count++;
    }
    g->threads[p->thread].last = number;
    g->count++;
    return number;
}

void graph_join(struct graph *g, const int *givers, int giver_count, const int *takers,
                int taker_count)
{
    struct event_set all = {{0}};
    for (int i = 0; i < giver_count; i++) {
        struct event_set s = past_of(g, givers[i]);
        join(&all, &s);
    }
    for (int i = 0; i < taker_count; i++) {
        struct event_plan p = {.kind = EVENT_JOIN, .thread = takers[i]};
        int e = graph_add(g, &p, 0, 0);
        if (e < 0)
            return;
        join(&g->events[e].before, &all);
    }
}

/* ---- Identity ---- */

/** The number of an event that does not depend on when it was added. */
static uint64_t name_of(const struct graph *g, int e)
{
    if (e < 0)
        return 1;
    const struct memory_event *v = &g->events[e];
    return g->threads[v->thread].block << 24 ^ (uint64_t)g->threads[v->thread].thread << 12 ^
           (uint64_t)(v->index + 2);
}

uint64_t graph_hash(const struct graph *g)
{
    uint64_t total = 0;
    for (int i = 0; i < g->count; i++) {
        const struct memory_event *e = &g->events[i];
        uint64_t h = mix_in(name_of(g, i), e->kind);
        if (e->kind == EVENT_READ || e->kind == EVENT_RMW)
            h = mix_in(h, name_of(g, e->from));
        if (e->kind == EVENT_WRITE || e->kind == EVENT_RMW)
            h = mix_in(mix_in(h, e->value), g->locations[e->location].address);
        h = mix_in(h, 3);
        /* Of the order of fence.sc only that of mutual scope is part of an execution. */
        for (int j = 0; e->kind == EVENT_FENCE && e->order == ORDER_SC && j < i; j++)
            if (g->events[j].kind == EVENT_FENCE && g->events[j].order == ORDER_SC &&
                strong_pair(g, &g->events[j], e))
                h += mix_in(name_of(g, j), 11);
        total += mix_in(h, 13);
    }
    for (int i = 0; i < g->location_count; i++) {
        uint64_t h = mix_in(5, g->locations[i].address);
        for (int j = 0; j < g->locations[i].count; j++)
            h = mix_in(h, name_of(g, g->locations[i].order[j]));
        total += h;
    }
    return mix_in(total, 7);
}
