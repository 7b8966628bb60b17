/**
 * @file readable.c
 * See readable.h.
 */
#include "check/race/readable.h"

#include "check/race/element.h"
#include "check/race/older.h"
#include "check/race/order.h"

static void name_writer(const struct race *race, const struct epoch *e, struct readable *r)
{
    const struct agent *by = e->agent && (int)e->agent < race->agents.count ? &race->agents.data[e->agent] : NULL;
    if (!by || !by->launch || (e->flags & EPOCH_LIST))
        return;
    r->written = true;
    r->block = by->block;
    r->thread = e->thread;
    r->site = e->site;
}

int race_readable(struct race *race, const struct warp *w, const struct mem_access *a, int lane, struct readable *out,
                  enum readable_cause *cause, uint32_t *via, uint32_t *signal)
{
    static const enum readable_cause causes[] = {[ORDERED] = READ_ORDERED, [MISSING_ACQUIRE] = READ_NO_ACQUIRE,
                                                 [MISSING_RELEASE] = READ_NO_RELEASE, [UNORDERED] = READ_UNORDERED};
    struct actor me = actor_of(race, w, a->insn);
    struct unit units[16];
    struct older older;
    struct hearsay how = {0};
    actor_set_lane(&me, lane);
    units_of(&me, a, lane, 0, units);
    const struct shadow_word *c = units[0].word;
    out[0] = (struct readable){.value = newest_value(a, lane, 0)};
    *cause = READ_ORDERED;
    *via = *signal = 0;
    if (c->write.agent < floor_of(&me, a))
        return 1; /* written before the launch */
    name_writer(race, &c->write, &out[0]);
    if (epoch_ordered(&me, &c->write) || epoch_must_be_seen(&me, &c->write))
        return 1;
    *cause = causes[epoch_judge(&me, &c->write, place_of((enum ptx_space)a->space, a->address[lane]), &how)];
    *via = *cause == READ_NO_ACQUIRE && how.not_acquired ? how.not_acquired : how.via;
    *signal = how.signal;
    if (!race_older(race, w, a, lane, 0, &older) || older.value == out[0].value)
        return 1;
    out[1] = (struct readable){.value = older.value};
    if ((c->flags & WORD_SYNC) && c->sync->pasts)
        name_writer(race, &c->sync->past[c->sync->pasts - 1].write, &out[1]);
    return 2;
}
