/**
 * @file readable.c
 * See readable.h.
 *
 * Back from the newest write: an older one can be read as long as no newer one must be seen, by causality or because a
 * strong read that is ordered before this one has returned it (PTX ISA 8.10: coherence, causality).
 */
#include "check/race/readable.h"

#include "check/race/element.h"
#include "check/race/history.h"
#include "check/race/order.h"

/** The read that is asked about. */
struct question {
    struct actor me;
    const struct history *history;
    const struct warp *warp;
    const struct mem_access *access;
};

/** `e`: a write. */
static void name_writer(const struct race *race, const struct epoch *e, struct readable *r)
{
    const struct agent *by = e->agent && (int)e->agent < race->agents.count ? &race->agents.data[e->agent] : NULL;
    if (!by || !by->launch)
        return;
    r->written = true;
    r->block = by->block;
    r->thread = e->thread;
    r->site = e->site;
}

/** May something older than what `e` wrote be read? Fills in why. */
static bool older_allowed(const struct question *q, const struct epoch *e, bool seen, struct readable *r)
{
    static const enum readable_cause causes[] = {[ORDERED] = READ_ORDERED, [MISSING_ACQUIRE] = READ_NO_ACQUIRE,
                                                 [MISSING_RELEASE] = READ_NO_RELEASE, [UNORDERED] = READ_UNORDERED};
    const struct mem_access *a = q->access;
    struct hearsay how = {0};
    r->cause = seen ? READ_SEEN : READ_ORDERED;
    if (seen || epoch_ordered(&q->me, e) || epoch_must_be_seen(&q->me, e))
        return false;
    r->cause = causes[epoch_judge(&q->me, e, place_of(&q->me, (enum ptx_space)a->space, a->address[q->me.lane]), &how)];
    r->via = r->cause == READ_NO_ACQUIRE && how.not_acquired ? how.not_acquired : how.via;
    r->signal = how.signal;
    return r->cause != READ_ORDERED;
}

/** The newest write of this place that a read has returned which this one comes after, as its number; 0: none. */
static uint32_t seen_upto(const struct question *q, uint32_t newest)
{
    uint32_t upto = 0;
    if (!order_is_strong(&q->access->insn->mem))
        return 0;
    for (uint32_t i = newest; i; i = history_at(q->history, i)->older) {
        const struct history_event *e = history_at(q->history, i);
        if (!e->write && e->read > upto && epoch_ordered(&q->me, &e->by) &&
            history_place(e, q->me.race, q->warp, q->access, q->me.lane) == HISTORY_SAME)
            upto = e->read;
    }
    return upto;
}

static struct readable *another(struct readables *out, uint64_t value)
{
    if (out->count == READABLE_MOST) {
        out->more = true;
        return NULL;
    }
    struct readable *r = &out->at[out->count++];
    *r = (struct readable){.value = value};
    return r;
}

static bool same_event(const struct epoch *a, const struct epoch *b)
{
    return a->agent == b->agent && a->thread == b->thread && a->time == b->time && a->site == b->site;
}

/** Adds what lies behind the newest write, which does not have to be seen. */
static void add_older(const struct question *q, const struct epoch *newest, struct readables *out)
{
    uint32_t first = history_newest(q->history, q->me.race, q->warp, q->access, q->me.lane);
    uint32_t upto = seen_upto(q, first);
    const struct history_event *last = NULL;
    struct readable *r = &out->at[0];
    if (!older_allowed(q, newest, false, r))
        return;
    for (uint32_t i = first; i; i = history_at(q->history, i)->older) {
        const struct history_event *e = history_at(q->history, i);
        enum history_place place = history_place(e, q->me.race, q->warp, q->access, q->me.lane);
        out->gaps |= place == HISTORY_OVERLAPS && e->write;
        if (place != HISTORY_SAME || !e->write)
            continue;
        if (last || !same_event(&e->by, newest)) {
            r = another(out, e->value);
            if (!r)
                return;
            name_writer(q->me.race, &e->by, r);
        }
        last = e;
        if (!older_allowed(q, &e->by, i <= upto, r))
            return;
    }
    out->gaps |= history_has_gaps(q->history) || !last;
    if (last)
        another(out, last->before);
}

void race_readable(struct race *race, const struct history *h, const struct warp *w, const struct mem_access *a, int lane,
                   struct readables *out)
{
    struct question q = {.me = actor_at(race, w, a), .history = h, .warp = w, .access = a};
    struct unit units[16];
    actor_set_lane(&q.me, lane);
    units_of(&q.me, a, lane, 0, units);
    const struct epoch *write = &units[0].word->write;
    *out = (struct readables){0};
    struct readable *r = another(out, newest_value(a, lane, 0));
    if (write->agent < floor_of(&q.me, a))
        return; /* written before the launch */
    name_writer(race, write, r);
    add_older(&q, write, out);
}
