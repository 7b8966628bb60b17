/**
 * @file late_acts.c
 * See late_acts.h.
 */
#include "rerun/explore/late_acts.h"

#include "analyse/acts.h"
#include "model/verdict.h"

/** Does the update go wrong that rests on `seen`, by an atomic that finds `before` there and leaves `after`? As late.c has it. */
static bool is_late(const struct function *f, const struct act *act, uint64_t seen, uint64_t before, uint64_t after)
{
    uint64_t other;
    if (before == seen || act->kind == ACT_SWAPS || act->kind == ACT_CLAIMS || act->kind == ACT_RESETS || act->kind == ACT_TAKES || act->kind == ACT_MOVES)
        return false;
    return act->kind == ACT_STORES || (after != before && !act->made.steps && act_compares_with(f, act, &other) && act_turns(act, other, seen, before));
}

/** The thread's next read of that location by `in`, a read-modify-write, unless it comes to `check` before; -1: there is none. */
static int next_act(const struct lone *l, const uint64_t *threads, const struct execution *x, int look, const struct act *act)
{
    for (int e = look + 1; e < x->count; e++) {
        const struct model_event *event = &x->event[e];
        if (event->kind != EVENT_READ || event->thread != x->event[look].thread || event->location != x->event[look].location)
            continue;
        const struct insn *in = lone_insn(l, threads[event->thread], event->cookie, NULL);
        if (in == act->check)
            return -1;
        if (in == act->act)
            return event->pair >= 0 ? e : -1;
    }
    return -1;
}

static const struct act *act_after(const struct lone *l, const uint64_t *threads, const struct execution *x, int look, int *at)
{
    const struct function *f;
    const struct insn *in = lone_insn(l, threads[x->event[look].thread], x->event[look].cookie, &f);
    const struct acts *acts = f ? acts_of(f) : NULL;
    for (int i = 0; acts && i < acts->count; i++) {
        if (acts->list[i].check != in || (*at = next_act(l, threads, x, look, &acts->list[i])) < 0)
            continue;
        const struct model_event *read = &x->event[*at];
        if (is_late(f, &acts->list[i], x->event[look].value, read->value, x->event[read->pair].value))
            return &acts->list[i];
    }
    return NULL;
}

struct witness *late_act_in(const struct lone *l, const uint64_t *threads, const struct model_outcome *o)
{
    const struct execution *x = o->execution;
    struct model_pair stuck;
    int at;
    FOR_EVENTS(look, x->reads) {
        const struct act *act = x->event[look].strong && x->event[look].pair < 0 ? act_after(l, threads, x, look, &at) : NULL;
        if (!act || !execution_interleaves(x, o->final, &stuck))
            continue;
        struct witness *w = witness_new(x, (struct model_pair){look, at});
        w->act = act;
        return w;
    }
    return NULL;
}
