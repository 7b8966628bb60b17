/**
 * @file covered.c
 * See covered.h. A point is named by what its threads have read and wait for; events by their thread and their place there, so that it
 * is all one in which order the search has added them.
 */
#include "model/covered.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mix.h"

/** No more is kept. */
#define MOST_BYTES (256ull << 20)

/** What the pending and the late reads of one point of a name have been offered and do not take. */
struct covered_way {
    uint32_t next;              /**< one before it of the same name, plus one; 0: none */
    uint64_t at;                /**< in `passed`, as many as the name says */
};

struct name {
    uint8_t bytes[4096];
    size_t count;
    bool full;
    uint8_t number[MODEL_EVENTS];
    event_set passed[MODEL_THREADS + MAX_LATE];
    int passed_count;
};

/* ---- The name of a point ---- */

/** Seven bits a byte, the highest one set but in the last. */
static void put(struct name *n, uint64_t value)
{
    n->full |= n->count + 10 > sizeof n->bytes;
    if (n->full)
        return;
    for (; value > 127; value >>= 7)
        n->bytes[n->count++] = (uint8_t)(value | 128);
    n->bytes[n->count++] = (uint8_t)value;
}

static event_set renumber(const struct name *n, event_set events)
{
    event_set renumbered = 0;
    FOR_EVENTS(e, events)
        renumbered |= event_bit(n->number[e]);
    return renumbered;
}

static void put_set(struct name *n, event_set events)
{
    events = renumber(n, events);
    put(n, (uint64_t)events);
    put(n, (uint64_t)(events >> 64));
}

/** Numbers events thread by thread. Initial writes keep their numbers. */
static void number_events(struct name *n, const struct execution *x)
{
    int first[MODEL_THREADS], next = x->locations;
    for (int t = 0; t < x->threads; t++) {
        first[t] = next;
        for (int e = x->locations; e < x->count; e++)
            next += x->event[e].thread == t;
    }
    for (int e = 0; e < x->count; e++)
        n->number[e] = (uint8_t)(e < x->locations ? e : first[x->event[e].thread]++);
}

/** Which arrivals order what: events at barriers alone do not tell. */
static void put_meetings(struct name *n, const struct execution *x)
{
    for (int t = 0; t < x->threads; t++) {
        put(n, x->met[t] < 0 ? 0 : n->number[x->met[t]] + 1u);
        for (int e = x->locations; e < x->count; e++) {
            if (x->event[e].thread != t || !(x->barrier[e] | x->meets[e]))
                continue;
            put(n, n->number[e]);
            put_set(n, x->barrier[e]);
            put_set(n, x->meets[e]);
        }
    }
    put(n, 0);
}

static void put_lates(struct name *n, const struct point *p, int thread)
{
    for (int v = 0; v < p->thread[thread].values; v++)
        for (int i = 0; i < p->lates; i++) {
            const struct late *l = &p->late[i];
            if (l->thread != thread || l->value != v)
                continue;
            put(n, (uint64_t)v + 1);
            put(n, l->takes);
            put(n, l->takes == LATE_ANY ? 0 : l->expects);
            n->passed[n->passed_count++] = renumber(n, l->there);
        }
    put(n, 0);
}

static void put_thread(struct name *n, const struct point *p, int thread)
{
    const struct search_thread *t = &p->thread[thread];
    put(n, t->state);
    put(n, (uint64_t)t->values);
    put(n, (uint64_t)t->unknown);
    for (int v = 0; v < t->values; v++)
        put(n, event_in(t->unknown, v) ? 0 : t->value[v]);
    if (t->state != THREAD_READS)
        return;
    put(n, t->idle != 0);
    if (t->idle)
        put_set(n, t->idle);
    n->passed[n->passed_count++] = renumber(n, t->considered);
}

/** @return its hash */
static uint64_t name_point(struct name *n, const struct point *p)
{
    uint64_t hash = 0;
    n->count = 0, n->passed_count = 0, n->full = false;
    number_events(n, &p->x);
    for (int t = 0; t < p->x.threads; t++) {
        put_thread(n, p, t);
        if (p->lates)
            put_lates(n, p, t);
    }
    put_meetings(n, &p->x);
    for (size_t i = 0; i < n->count; i += sizeof hash) {
        uint64_t word = 0;
        memcpy(&word, n->bytes + i, n->count - i < sizeof word ? n->count - i : sizeof word);
        hash = mix_in(hash, word);
    }
    return hash;
}

/* ---- The points that were met ---- */

/** Room for so many more of `size` bytes each. */
static void *with_room(void *all, uint64_t used, uint64_t more, uint64_t *room, size_t size)
{
    if (used + more <= *room)
        return all;
    *room = 2 * (*room + more);
    all = realloc(all, *room * size);
    assert(all);
    return all;
}

/** Has such a point been met that had passed over no more? */
static bool has_passed_less(const struct covered *c, uint32_t latest, const struct name *n)
{
    for (uint32_t w = latest; w; w = c->ways[w - 1].next) {
        const event_set *passed = c->passed + c->ways[w - 1].at;
        bool less = true;
        for (int i = 0; i < n->passed_count && less; i++)
            less = !(passed[i] & ~n->passed[i]);
        if (less)
            return true;
    }
    return false;
}

bool covered_by_met(struct covered *c, const struct point *p)
{
    struct name n;  /* what is used of it is set: it is large */
    if (p->gatherings)
        return false;
    uint64_t hash = name_point(&n, p);
    if (n.full)
        return false;
    uint64_t name = byte_set_number(&c->names, hash, n.bytes, n.count);
    if (name && has_passed_less(c, c->latest[name - 1], &n))
        return true;
    if (c->names.used + c->passed_used * sizeof *c->passed + c->way_count * sizeof *c->ways > MOST_BYTES)
        return false;
    if (!name) {
        c->latest = with_room(c->latest, c->names.count, 1, &c->latest_room, sizeof *c->latest);
        c->latest[c->names.count] = 0;
        byte_set_add(&c->names, hash, n.bytes, n.count);
        name = c->names.count;
    }
    c->ways = with_room(c->ways, c->way_count, 1, &c->way_room, sizeof *c->ways);
    c->passed = with_room(c->passed, c->passed_used, (uint64_t)n.passed_count, &c->passed_room, sizeof *c->passed);
    c->ways[c->way_count] = (struct covered_way){.next = c->latest[name - 1], .at = c->passed_used};
    c->latest[name - 1] = (uint32_t)++c->way_count;
    memcpy(c->passed + c->passed_used, n.passed, sizeof *n.passed * (size_t)n.passed_count);
    c->passed_used += (uint64_t)n.passed_count;
    return false;
}

void covered_clear(struct covered *c)
{
    byte_set_free(&c->names);
    free(c->latest);
    free(c->ways);
    free(c->passed);
    memset(c, 0, sizeof *c);
}
