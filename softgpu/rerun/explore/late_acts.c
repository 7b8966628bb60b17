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

/** The thread's next update of that location by the act, the read of a read-modify-write or a store, unless it comes to the check before; -1: there is none. */
static int next_act(const struct lone *l, const uint64_t *threads, const struct execution *x, int look, const struct act *act)
{
    for (int e = look + 1; e < x->count; e++) {
        const struct model_event *event = &x->event[e];
        if ((event->kind != EVENT_READ && (event->kind != EVENT_WRITE || event->pair >= 0)) || event->thread != x->event[look].thread || event->location != x->event[look].location)
            continue;
        const struct insn *in = lone_insn(l, threads[event->thread], event->cookie, NULL);
        if (in == act->check)
            return -1;
        if (in == act->act)
            return event->pair >= 0 || event->kind == EVENT_WRITE ? e : -1;
    }
    return -1;
}

/** What another thread has put there between the look and the store, in every order of the writes that this execution may have. */
static event_set put_between(const struct execution *x, int look, int store)
{
    int source = x->source[look];
    event_set between = 0;
    FOR_EVENTS(z, source < 0 ? 0 : x->writes & x->coherence.order[source])
        if (z != store && x->event[z].thread != x->event[store].thread && (x->coherence.order[z] & event_bit(store)))
            between |= event_bit(z);
    return between;
}

/** Does a store go wrong by that? An update is lost; a claim is made twice if the other has made it by a swap that found what this thread has found. */
static bool store_is_late(const struct lone *l, const uint64_t *threads, const struct execution *x, int look, int store, const struct act *act)
{
    FOR_EVENTS(z, put_between(x, look, store)) {
        const struct function *f;
        const struct insn *in = lone_insn(l, threads[x->event[z].thread], x->event[z].cookie, &f);
        if (act->kind == ACT_STORES && x->event[z].value != x->event[look].value)
            return true;
        if (act->kind == ACT_CLAIMS && x->event[z].pair >= 0 && in && x->event[x->event[z].pair].value == x->event[look].value && insn_claims_by_swap(f, in))
            return true;
    }
    return false;
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
        if (read->kind == EVENT_WRITE) {
            if (store_is_late(l, threads, x, look, *at, &acts->list[i]))
                return &acts->list[i];
            continue;
        }
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
