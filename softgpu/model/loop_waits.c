/**
 * @file loop_waits.c
 * See loop_waits.h.
 */
#include "model/loop_waits.h"

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
