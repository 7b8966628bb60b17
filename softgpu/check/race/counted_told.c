/**
 * @file counted_told.c
 * See counted_told.h.
 */
#include "check/race/counted_told.h"

#include <assert.h>
#include <stdlib.h>

#include "analyse/acts.h"
#include "analyse/counted_looks.h"
#include "base/mix.h"
#include "check/race/actor.h"
#include "check/race/order.h"
#include "execute/finding_place.h"
#include "execute/machine.h"
#include "report/reporter.h"

#define PLACES_KEPT 4096   /* one pushes out the other */
#define LANES_KEPT 4096

/** The last look of one kind at a place, by a thread that had counted there. */
struct earlier_look {
    struct epoch by;               /**< agent 0: there is none */
    uint64_t moment;
    const struct counted_look *as;
};

struct looked_place {
    uint64_t place, run;
    struct earlier_look found, missed;   /**< one that has found what it looks for; one that has not */
};

/** What a thread has counted last. */
struct counting {
    uint32_t agent, thread, time;
    uint64_t place, run;
    const struct insn *step;
};

struct counted_kept {
    struct looked_place places[PLACES_KEPT];
    struct counting lanes[LANES_KEPT];
    const struct counted_look *told[16]; /**< in run `run` */
    int told_count;
    uint64_t run;
};

const struct counted_looks *counted_around(const struct warp *w, const struct insn *in)
{
    const struct function *f = w->block->grid->config.kernel;
    if (in < f->entry || in >= f->end)
        f = image_function_at(f->image, in);
    const struct counted_looks *all = f ? counted_looks_of(f) : NULL;
    return all && all->count ? all : NULL;
}

static struct counted_kept *kept_of(struct race *race)
{
    if (!race->counted)
        race->counted = calloc(1, sizeof *race->counted);
    assert(race->counted);
    return race->counted;
}

void counted_free(struct race *race)
{
    free(race->counted);
}

static struct looked_place *place_at(struct counted_kept *k, uint64_t place)
{
    return &k->places[mix64(place) % PLACES_KEPT];
}

static struct counting *lane_of(struct counted_kept *k, const struct actor *me)
{
    return &k->lanes[mix64((uint64_t)me->agent << 16 | me->thread) % LANES_KEPT];
}

static bool is_own(const struct actor *me, const struct epoch *e)
{
    return e->agent == me->agent && e->thread == me->thread;
}

/** Could that thread have looked now, as this one does? */
static bool could_look_now(const struct actor *me, const struct earlier_look *l, uint64_t place)
{
    return l->by.agent && !is_own(me, &l->by) && !epoch_ordered(me, &l->by) && !epoch_signalled(me, &l->by, l->moment, (struct places){place, place});
}

/** In this run. */
static bool is_told(struct counted_kept *k, const struct counted_look *c, uint64_t run)
{
    bool told = false;
    k->told_count = k->run == run ? k->told_count : 0;
    k->run = run;
    for (int i = 0; i < k->told_count; i++)
        told |= k->told[i] == c;
    return told;
}

static void tell(const struct actor *me, const struct mem_access *a, const struct counted_look *c, bool twice, uint64_t seen)
{
    const struct warp *w = me->warp;
    struct finding f = {.kind = FIND_ORDERING, .level = LEVEL_ERROR, .cause = CAUSE_ACTED_LATE, .access_count = 2, .kernel = w->block->grid->config.kernel->name};
    struct counted_kept *k = me->race->counted;
    if (k->told_count < (int)(sizeof k->told / sizeof *k->told))
        k->told[k->told_count++] = c;
    f.facts.race = (struct race_facts){.late = twice ? LATE_BOTH_FIND : LATE_NONE_FINDS, .may = true, .same_block = true, .same_warp = true};
    finding_place(&f, me->race->machine, w->block, a->space, a->address[me->lane]);
    finding_access_fill(&f.accesses[0], w, me->lane, c->step, "atomic");
    finding_access_fill(&f.accesses[1], w, me->lane, c->look, insn_class(c->look) == INSN_ATOMIC ? "atomic" : "load");
    f.accesses[1].has_value = true;
    f.accesses[1].value = seen;
    report_finding(machine_reporter(me->race->machine), &f);
}

static void look_of(struct actor *me, const struct mem_access *a, const struct counted_look *c, uint64_t place, uint64_t seen)
{
    struct looked_place *p = place_at(me->race->counted, place);
    bool finds = seen == c->number;
    if (is_told(me->race->counted, c, me->race->runs))
        return;
    if (p->place != place || p->run != me->race->runs)
        *p = (struct looked_place){.place = place, .run = me->race->runs};
    if (finds && c->twice && ((p->found.as == c && could_look_now(me, &p->found, place)) || (p->missed.as == c && could_look_now(me, &p->missed, place))))
        tell(me, a, c, true, seen);
    else if (!finds && p->found.as == c && could_look_now(me, &p->found, place))
        tell(me, a, c, false, seen);
    *(finds ? &p->found : &p->missed) = (struct earlier_look){.by = epoch_of(me, EPOCH_STRONG, 0), .moment = me->race->moment, .as = c};
}

void counted_look(struct race *race, const struct warp *w, const struct mem_access *a, uint32_t looks, bool atomic)
{
    const struct counted_looks *all = race->counted && order_is_strong(&a->insn->mem) ? counted_around(w, a->insn) : NULL;
    bool any = false;
    for (int i = 0; all && i < all->count; i++)
        any |= all->list[i].look == a->insn;
    if (!any)
        return;
    struct actor me = actor_at(race, w, a);
    for (uint32_t m = looks & ~a->older[0]; m; m &= m - 1) {
        actor_set_lane(&me, __builtin_ctz(m));
        uint64_t place = place_of(&me, (enum ptx_space)a->space, a->address[me.lane]);
        const struct counting *l = lane_of(race->counted, &me);
        if (l->agent != me.agent || l->thread != me.thread || l->place != place || l->run != race->runs || l->time <= me.bs->uniform)
            continue;
        for (int i = 0; i < all->count; i++)
            if (all->list[i].look == a->insn && all->list[i].step == l->step)
                look_of(&me, a, &all->list[i], place, atomic ? a->old[0][me.lane] : a->value[0][me.lane]);
    }
}

void counted_write(struct race *race, const struct warp *w, const struct mem_access *a)
{
    const struct counted_looks *all = order_is_strong(&a->insn->mem) ? counted_around(w, a->insn) : NULL;
    bool steps = false;
    for (int i = 0; all && i < all->count; i++)
        steps |= all->list[i].step == a->insn;
    if (!all || (!steps && !race->counted))
        return;
    struct counted_kept *k = kept_of(race);
    struct actor me = actor_at(race, w, a);
    bool atomic = insn_class(a->insn) == INSN_ATOMIC;
    for (uint32_t m = a->mask; m; m &= m - 1) {
        actor_set_lane(&me, __builtin_ctz(m));
        uint64_t place = place_of(&me, (enum ptx_space)a->space, a->address[me.lane]);
        struct looked_place *p = place_at(k, place);
        if (atomic && a->old[0][me.lane] == a->value[0][me.lane])
            continue; /* it only looks */
        if (p->place == place && (!steps || is_own(&me, &p->found.by))) /* whoever begins the count anew has ended what was looked for before */
            p->found.by.agent = 0;
        if (p->place == place && (!steps || is_own(&me, &p->missed.by)))
            p->missed.by.agent = 0;
        if (steps)
            *lane_of(k, &me) = (struct counting){me.agent, me.thread, me.time, place, race->runs, a->insn};
    }
}
