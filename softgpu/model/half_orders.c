/**
 * @file half_orders.c
 * What two accesses that race lack (verdict.h). The execution at hand says who has seen whose signal; it is asked whether the two would be in
 * order had every strong read acquired, or had the signals of the first one's thread been released as well.
 */
#include "model/verdict.h"

#include <assert.h>
#include <stdlib.h>

#include "model/axioms.h"

/** The execution as it would be with more acquires and releases, and the relations over it. */
struct supposed {
    struct execution execution;
    struct axioms relations;
};

/** With an acquire by every strong read of `reader` (-1: of every thread), and a release by every strong write of `writer` (-1: of none). */
static void suppose(struct supposed *s, const struct execution *x, int reader, int writer)
{
    execution_copy(&s->execution, x);
    for (int e = x->locations; e < x->count; e++) {
        struct model_event *event = &s->execution.event[e];
        event->acquire |= event->kind == EVENT_READ && event->strong && !event->silent && (reader < 0 || event->thread == reader);
        event->release |= event->kind == EVENT_WRITE && event->strong && event->thread == writer;
    }
    axioms_derive(&s->relations, &s->execution);
}

static bool are_ordered(struct supposed *s, const struct execution *x, const struct model_missing *m, int reader, int writer)
{
    suppose(s, x, reader, writer);
    return event_in(s->relations.cause[m->first], m->second);
}

/** Finds where the first one's thread signals, and where the other's sees that, or somebody in between. */
static void find_signal(const struct supposed *s, const struct execution *x, struct model_missing *m)
{
    int writer = x->event[m->first].thread, reader = x->event[m->second].thread;
    FOR_EVENTS(w, x->writes) {
        if (x->event[w].thread != writer || !event_in(x->before[w], m->first))
            continue;
        FOR_EVENTS(r, s->relations.observed[w]) {
            bool direct = x->event[r].thread == reader && event_in(x->before[m->second], r);
            if (direct && (m->signal < 0 || m->between >= 0)) {
                m->signal = w, m->seen = r, m->between = -1;
            } else if (m->signal < 0 && x->event[r].thread != reader && event_in(s->relations.cause[r], m->second)) {
                m->signal = w, m->between = r;
            }
        }
    }
    if (m->between < 0)
        return;
    FOR_EVENTS(r, x->reads & x->before[m->second])
        if (x->event[r].strong && x->source[r] >= x->locations && x->event[x->source[r]].thread != reader)
            m->seen = r;
}

/** Has the thread of the second seen, if only by way of others, that the first is done? */
static bool miss(struct supposed *s, const struct execution *x, struct model_missing *m)
{
    int writer = x->event[m->first].thread, reader = x->event[m->second].thread;
    bool unreleased = !are_ordered(s, x, m, -1, -1);
    if (unreleased && !are_ordered(s, x, m, -1, writer))
        return false;
    find_signal(s, x, m);
    if (m->signal < 0 || m->seen < 0)
        return false;
    m->what = unreleased ? MISSING_RELEASE : MISSING_ACQUIRE;
    if (m->what == MISSING_RELEASE) {
        m->both = !are_ordered(s, x, m, MODEL_THREADS, writer);
        m->between = -1;
    } else if (m->between >= 0 && are_ordered(s, x, m, reader, -1)) {
        m->between = -1;
    }
    return true;
}

struct model_missing execution_misses(const struct execution *x, struct model_pair pair)
{
    const struct model_missing nothing = {MISSING_ORDER, pair.first, pair.second, -1, -1, -1, false};
    struct model_missing m = nothing;
    struct supposed *s = malloc(sizeof *s);
    assert(s);
    if (!miss(s, x, &m)) {
        m = nothing;
        m.first = pair.second, m.second = pair.first;
        if (!miss(s, x, &m))
            m = nothing;
    }
    free(s);
    return m;
}
