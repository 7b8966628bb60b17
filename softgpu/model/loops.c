/**
 * @file loops.c
 * Threads that wait for ever, each in a loop of one or more reads.
 *
 * What a turn consists of may depend on what the read at hand returns: a lock's poll comes back at once while the lock is held, and by way of
 * the swap that failed behind it when it is free. So the writes that make a thread come back are taken apart by how many reads the turn has.
 *
 * A thread goes on for ever if every read of its turn returns, from some turn on, the value that the last write of its location leaves: not
 * the one that it has read, which a swap of its own, one that put back what was there, may have followed.
 */
#include <string.h>

#include "model/search.h"

/** The reads of the turn that ends when the thread's read takes this write. */
static int reads_with(const struct search *s, const struct point *p, int thread, int write)
{
    const struct search_thread *t = &p->thread[thread];
    uint64_t values[THREAD_VALUES + 1];
    struct model_step step; /* what is used of it is set: it is large */
    memcpy(values, t->value, sizeof *values * (size_t)t->values);
    values[t->values] = p->x.event[write].value;
    return s->program->next(s->program->self, thread, values, t->values + 1, 0, &step) ? step.rounds : 1;
}

/** Chooses for those of the threads, one bit each, that read. */
static void choose(struct search *s, const struct point *p, uint32_t threads, void (*way)(struct search *s, const struct point *p))
{
    while (threads && p->thread[__builtin_ctz(threads)].state != THREAD_READS)
        threads &= threads - 1;
    if (!threads) {
        way(s, p);
        return;
    }
    int t = __builtin_ctz(threads);
    struct loop_wait *loop = &s->loop[t];
    for (event_set left = p->thread[t].idle; left && !s->incomplete; left &= ~loop->idle) {
        *loop = (struct loop_wait){.reads = reads_with(s, p, t, event_first(left))};
        FOR_EVENTS(w, left)
            loop->idle |= reads_with(s, p, t, w) == loop->reads ? event_bit(w) : 0;
        choose(s, p, threads & (threads - 1), way);
    }
}

void loops_each(struct search *s, const struct point *p, void (*way)(struct search *s, const struct point *p))
{
    choose(s, p, s->hanging, way);
}

bool loops_let_wait(const struct search *s, const struct point *p, int thread, int location, int last)
{
    const struct search_thread *t = &p->thread[thread];
    const struct loop_wait *loop = &s->loop[thread];
    if (t->state != THREAD_READS)
        return true;
    /* Not so by reads outside the model. */
    if (t->step.read.location == location && !t->step.read.outside && !event_in(loop->idle, last))
        return false;
    for (int i = 1; i < loop->reads && i <= t->values; i++) {
        const struct model_event *e = &p->x.event[t->event_of[t->values - i]];
        if (e->kind == EVENT_READ && e->location == location && !e->outside && e->value != p->x.event[last].value)
            return false;
    }
    return true;
}
