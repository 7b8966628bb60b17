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
#include "check/race/told_in_run.h"
#include "execute/finding_place.h"
#include "execute/lane_ahead.h"
#include "execute/machine.h"
#include "report/reporter.h"

#define PLACES_KEPT 4096   /* one pushes out the other */
#define LANES_KEPT 4096

/** The last look of one kind at a place, by a thread that had counted there. */
struct earlier_look {
    struct epoch by, step;         /**< by.agent 0: there is none; and where its thread, or its block, has counted, */
    uint64_t moment, stepped;      /**< and when */
    const struct counted_look *as;
};

struct looked_place {
    uint64_t place, run;
    struct earlier_look found, missed;   /**< one that has found what it looks for; one that has not */
};

/** What a thread has counted last, or one of a block. */
struct counting {
    struct epoch by;
    uint64_t place, run, moment;
    const struct insn *step;
};

#define ANY_THREAD UINT32_MAX
#define MOST_WAITING 16

/** Two have found a number that the count has come to, and may go past: then more than one is to find it. Told when the count begins anew, or at the launch's end. */
struct waiting {
    const struct counted_look *as;
    uint64_t place, number;
    struct finding finding;
};

struct counted_kept {
    struct looked_place places[PLACES_KEPT];
    struct counting lanes[LANES_KEPT];
    struct told_in_run told;
    struct waiting waiting[MOST_WAITING];
    int waits;                           /**< in run `waits_in` */
    uint64_t waits_in;
};

const struct counted_looks *counted_around(const struct warp *w, const struct insn *in)
{
    const struct function *f = function_around(w, in);
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

static struct counting *counting_of(struct counted_kept *k, const struct actor *me, uint32_t thread)
{
    return &k->lanes[mix64((uint64_t)me->agent << 32 | thread) % LANES_KEPT];
}

static bool is_own(const struct actor *me, const struct epoch *e)
{
    return e->agent == me->agent && e->thread == me->thread;
}

static bool knows(const struct actor *me, const struct epoch *e, uint64_t moment, uint64_t place)
{
    return epoch_ordered(me, e) || epoch_signalled(me, e, moment, (struct places){place, place});
}

/** Could that thread have looked now, as this one does? */
static bool could_look_now(const struct actor *me, const struct earlier_look *l, const struct counted_look *c, uint64_t place)
{
    bool other = c->by_block ? l->by.agent != me->agent : !is_own(me, &l->by);
    return l->by.agent && l->as == c && other && !knows(me, &l->by, l->moment, place);
}

/** Two have found it, and nobody may go past it. */
static void keep_waiting(struct race *race, const struct counted_look *c, uint64_t place, uint64_t number, const struct finding *f)
{
    struct counted_kept *k = race->counted;
    k->waits = k->waits_in == race->runs ? k->waits : 0;
    k->waits_in = race->runs;
    for (int i = 0; i < k->waits; i++)
        if (k->waiting[i].as == c && k->waiting[i].place == place)
            return;
    if (k->waits < MOST_WAITING)
        k->waiting[k->waits++] = (struct waiting){c, place, number, *f};
}

/** Is it further than the number? */
static bool is_past(const struct counted_look *c, uint64_t value, uint64_t number)
{
    bool wide = c->look->mem.bytes == 8, is = value != number;
    bool less = !c->is_signed ? value < number : wide ? (int64_t)value < (int64_t)number : (int32_t)value < (int32_t)number;
    return is && (c->how == COUNT_HAS_RISEN ? !less : less);
}

/** The place is left with `value`; or the count begins anew. */
static void go_on_waiting(struct race *race, uint64_t place, uint64_t value, bool anew)
{
    struct counted_kept *k = race->counted;
    int left = 0;
    for (int i = 0; k->waits_in == race->runs && i < k->waits; i++) {
        struct waiting *w = &k->waiting[i];
        if (w->place == place && anew)
            report_finding(machine_reporter(race->machine), &w->finding);
        else if (w->place != place || !is_past(w->as, value, w->number))
            k->waiting[left++] = *w;
    }
    k->waits = left;
}

void counted_grid_end(struct race *race)
{
    struct counted_kept *k = race->counted;
    for (int i = 0; k && k->waits_in == race->runs && i < k->waits; i++)
        report_finding(machine_reporter(race->machine), &k->waiting[i].finding);
    if (k)
        k->waits = 0;
}

static void tell(const struct actor *me, const struct mem_access *a, const struct counted_look *c, uint64_t place, bool twice, uint64_t seen)
{
    const struct warp *w = me->warp;
    struct finding f = {.kind = FIND_ORDERING, .level = LEVEL_ERROR, .cause = CAUSE_ACTED_LATE, .access_count = 2, .kernel = w->block->grid->config.kernel->name};
    struct counted_kept *k = me->race->counted;
    if (c->how == COUNT_IS)
        told_in_run_note(&k->told, c);
    f.facts.race = (struct race_facts){.late = twice ? LATE_BOTH_FIND : LATE_NONE_FINDS, .may = true, .same_block = true, .same_warp = true};
    finding_place(&f, me->race->machine, w->block, a->space, a->address[me->lane]);
    finding_access_fill(&f.accesses[0], w, me->lane, c->step, "atomic");
    finding_access_fill(&f.accesses[1], w, me->lane, c->look, insn_class(c->look) == INSN_ATOMIC ? "atomic" : "load");
    f.accesses[1].has_value = true;
    f.accesses[1].value = seen;
    if (c->how != COUNT_IS)
        keep_waiting(me->race, c, place, seen, &f);
    else
        report_finding(machine_reporter(me->race->machine), &f);
}

/** Both have found the number. That is what is meant where each has waited for the other's count. */
static bool both_find(const struct actor *me, const struct earlier_look *l, const struct counted_look *c, uint64_t place)
{
    return could_look_now(me, l, c, place) && !knows(me, &l->step, l->stepped, place);
}

static void look_of(struct actor *me, const struct mem_access *a, const struct counted_look *c, const struct counting *own, uint64_t seen)
{
    struct looked_place *p = place_at(me->race->counted, own->place);
    uint64_t number = lane_would_hold(me->warp, c->maker, c->makers, me->lane, c->number, a->insn->mem.bytes) + (uint64_t)(int64_t)c->more;
    number = a->insn->mem.bytes == 8 ? number : (uint32_t)number;
    bool finds = seen == number;
    if (c->how != COUNT_IS && is_past(c, seen, number))
        return;
    if (told_in_run(&me->race->counted->told, c, me->race->runs))
        return;
    if (p->place != own->place || p->run != me->race->runs)
        *p = (struct looked_place){.place = own->place, .run = me->race->runs};
    if (finds && c->twice && (could_look_now(me, &p->missed, c, own->place) || both_find(me, &p->found, c, own->place)))
        tell(me, a, c, own->place, true, seen);
    else if (!finds && c->how == COUNT_IS && could_look_now(me, &p->found, c, own->place))
        tell(me, a, c, own->place, false, seen);
    *(finds ? &p->found : &p->missed) = (struct earlier_look){.by = epoch_of(me, EPOCH_STRONG, 0), .moment = me->race->moment, .as = c,
                                                              .step = own->by, .stepped = own->moment};
}

/** What the lane, or its block, has counted there before; NULL: nothing. */
static const struct counting *counted_before(const struct actor *me, const struct counted_look *c, uint64_t place)
{
    const struct counting *l = counting_of(me->race->counted, me, c->by_block ? ANY_THREAD : me->thread);
    bool mine = l->by.agent == me->agent && l->place == place && l->run == me->race->runs && l->step == c->step;
    return mine && (c->by_block ? l->by.time <= me->bs->uniform : l->by.thread == me->thread && l->by.time > me->bs->uniform) ? l : NULL;
}

void counted_look(struct race *race, const struct warp *w, const struct mem_access *a, uint32_t looks, bool atomic)
{
    const struct counted_looks *all = race->counted && order_is_strong(&a->insn->mem) ? counted_around(w, a->insn) : NULL;
    for (int i = 0; all && i < all->count; i++) {
        if (all->list[i].look != a->insn)
            continue;
        struct actor me = actor_at(race, w, a);
        for (uint32_t m = looks & ~a->older[0]; m; m &= m - 1) {
            actor_set_lane(&me, __builtin_ctz(m));
            const struct counting *own = counted_before(&me, &all->list[i], place_of(&me, (enum ptx_space)a->space, a->address[me.lane]));
            if (own)
                look_of(&me, a, &all->list[i], own, atomic ? a->old[0][me.lane] : a->value[0][me.lane]);
        }
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
        go_on_waiting(race, place, a->value[0][me.lane], !steps);
        if (p->place == place && (!steps || is_own(&me, &p->found.by))) /* whoever begins the count anew has ended what was looked for before */
            p->found.by.agent = 0;
        if (p->place == place && (!steps || is_own(&me, &p->missed.by)))
            p->missed.by.agent = 0;
        struct counting now = {epoch_of(&me, EPOCH_STRONG, 0), place, race->runs, race->moment, a->insn};
        if (steps)
            *counting_of(k, &me, me.thread) = *counting_of(k, &me, ANY_THREAD) = now;
    }
}
