/**
 * @file cycles.c
 * Load buffering in programs whose threads access the same whatever their reads return (`fixed`): there any execution has all the
 * events, and no read has to guess a value.
 *
 * A circle goes from a read to a write that comes behind it, by program order or through barriers and exchanges, and on to a read of
 * that write. An execution that has circles has one that comes to each thread once: from the first of two reads of a thread it could
 * go on as from the second one. So each such circle is laid, if the axioms allow it; then the other reads get every write that the
 * axioms allow, but for those that make a circle which was laid before. What is written follows in the end: since nothing comes out of
 * thin air, values rest on each other in some order.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "model/search.h"

/** Reads of a circle and the writes that they take their values from, by thread. */
struct circle {
    int length, read[MODEL_THREADS], source[MODEL_THREADS];
};

struct laying {
    struct search *s;
    struct point *p;
    struct circle *laid;                 /**< that the axioms allow */
    int laid_count, laid_room;
    event_set behind[MODEL_EVENTS];      /**< what comes behind each event, whatever reads return */
    struct circle now;
};

/* ---- Values ---- */

/** What a thread writes, by the values that its reads have so far. @return false if a step is not known */
static bool write_values(struct search *s, struct point *p, int thread, bool *changed)
{
    struct search_thread *t = &p->thread[thread];
    event_set own = 0;
    FOR_EVENTS(w, p->x.writes)
        own |= p->x.event[w].thread == thread ? event_bit(w) : 0;
    for (int n = 0; n <= t->values; n++) {
        if (!s->program->next(s->program->self, thread, t->value, n, &t->step) || !t->step.fixed)
            return search_give_up(s, INCOMPLETE_VALUES);
        int read = n < t->values ? t->event_of[n] : p->x.count;
        for (int i = 0; i < t->step.count; i++) {
            int w = own ? event_first(own) : p->x.count;
            if (t->step.event[i].kind != EVENT_WRITE)
                continue;
            if (w >= read)
                return search_give_up(s, INCOMPLETE_VALUES);
            own &= ~event_bit(w);
            *changed |= p->x.event[w].value != t->step.event[i].value;
            p->x.event[w].value = t->step.event[i].value;
        }
    }
    return true;
}

/** Gives all reads and writes their values. */
static bool find_values(struct search *s, struct point *p)
{
    bool changed = true;
    for (int round = 0; changed && round <= p->x.count; round++) {
        changed = false;
        for (int t = 0; t < p->x.threads; t++)
            for (int v = 0; v < p->thread[t].values; v++) {
                int e = p->thread[t].event_of[v];
                if (p->x.event[e].kind == EVENT_READ)
                    p->x.event[e].value = p->thread[t].value[v] = p->x.event[p->x.source[e]].value;
            }
        for (int t = 0; t < p->x.threads; t++)
            if (!write_values(s, p, t, &changed))
                return false;
    }
    return !changed || search_give_up(s, INCOMPLETE_VALUES);
}

/* ---- Sources ---- */

static bool has_circle(const struct execution *x, const struct circle *c)
{
    for (int i = 0; i < c->length; i++)
        if (x->source[c->read[i]] != c->source[i])
            return false;
    return true;
}

/** Is there a circle that was laid before the one at hand? */
static bool was_met(const struct laying *l)
{
    for (int i = 0; i < l->laid_count; i++)
        if (has_circle(&l->p->x, &l->laid[i]))
            return true;
    return false;
}

/** Every source for the reads from `from` on that have none. */
static void give_sources(struct laying *l, int from)
{
    struct execution *x = &l->p->x;
    int read = from;
    if (!search_may_go_on(l->s))
        return;
    while (read < x->count && (x->event[read].kind != EVENT_READ || x->source[read] != SOURCE_LATER))
        read++;
    if (read == x->count) {
        if (find_values(l->s, l->p))
            search_finish(l->s, l->p);
        return;
    }
    event_set sources = x->of_location[x->event[read].location] & x->writes;
    FOR_EVENTS(w, sources) {
        if (x->event[read].pair == w)
            continue;
        x->source[read] = w;
        if (execution_possible(x) && !was_met(l))
            give_sources(l, read + 1);
    }
    x->source[read] = SOURCE_LATER;
}

/* ---- Circles ---- */

static void complete(struct laying *l)
{
    if (was_met(l))
        return;
    give_sources(l, l->p->x.locations);
    if (l->laid_count == l->laid_room) {
        l->laid_room = l->laid_room ? 2 * l->laid_room : 16;
        l->laid = realloc(l->laid, sizeof *l->laid * (size_t)l->laid_room);
        assert(l->laid);
    }
    l->laid[l->laid_count++] = l->now;
}

/** The circle goes on with a write behind `read`, which a thread that it has not passed reads, or its first read: that is the one of
 *  the lowest thread. */
static void lay_from(struct laying *l, int read, uint32_t passed)
{
    struct execution *x = &l->p->x;
    int first = l->now.read[0];
    event_set writes = l->behind[read] & x->writes;
    FOR_EVENTS(w, writes) {
        event_set readers = x->of_location[x->event[w].location] & x->reads;
        FOR_EVENTS(r, readers) {
            int thread = x->event[r].thread, at = r == first ? 0 : l->now.length;
            if (!search_may_go_on(l->s))
                return;
            if (r != first && (passed >> thread & 1 || thread < x->event[first].thread))
                continue;
            x->source[r] = w;
            l->now.read[at] = r, l->now.source[at] = w;
            bool possible = execution_possible(x);
            if (possible && at) {
                l->now.length++;
                lay_from(l, r, passed | 1u << thread);
                l->now.length--;
            } else if (possible) {
                complete(l);
            }
            x->source[r] = SOURCE_LATER;
        }
    }
}

static void find_behind(struct laying *l)
{
    const struct execution *x = &l->p->x;
    for (int e = x->locations; e < x->count; e++) {
        l->behind[e] |= x->barrier[e] | x->meets[e];
        FOR_EVENTS(b, x->before[e])
            l->behind[b] |= event_bit(e);
    }
    for (bool grew = true; grew;) {
        grew = false;
        for (int e = x->count - 1; e >= x->locations; e--) {
            event_set all = l->behind[e];
            FOR_EVENTS(b, l->behind[e])
                all |= l->behind[b];
            grew |= all != l->behind[e];
            l->behind[e] = all;
        }
    }
}

void search_cycles(struct search *s)
{
    struct laying *l = calloc(1, sizeof *l);
    assert(l);
    l->s = s, l->p = s->finished;
    s->finished = NULL;
    s->hanging = s->finished_hanging;
    struct execution *x = l->p ? &l->p->x : NULL;
    for (int r = 0; x && r < x->count; r++)
        x->source[r] = x->event[r].kind == EVENT_READ ? SOURCE_LATER : x->source[r];
    if (x)
        find_behind(l);
    for (int r = 0; x && r < x->count; r++)
        if (x->event[r].kind == EVENT_READ) {
            l->now = (struct circle){.length = 1, .read = {r}};
            lay_from(l, r, 1u << x->event[r].thread);
        }
    free(l->laid);
    free(l->p);
    free(l);
}
