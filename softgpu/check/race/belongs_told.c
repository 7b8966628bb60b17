/**
 * @file belongs_told.c
 * See belongs_told.h.
 */
#include "check/race/belongs_told.h"

#include <assert.h>
#include <stdlib.h>

#include "analyse/belongs.h"
#include "base/mix.h"
#include "check/race/actor.h"
#include "check/race/order.h"
#include "check/race/told_in_run.h"
#include "execute/finding_place.h"
#include "execute/lane_values.h"
#include "execute/machine.h"
#include "report/reporter.h"

#define PLACES_KEPT 4096   /* one pushes out the other */
#define LANES_KEPT 8192

/** The first of a pair's two writes, by a thread that has not come to the second yet. */
struct begun {
    struct epoch by;
    const struct belonging *as;
    uint64_t run, place, address, value;
};

/** The last note at a place, and which value it belongs to. */
struct note {
    struct epoch by;
    const struct belonging *as;
    uint64_t run, place, moment, of, put, stored;
};

struct belongs_kept {
    struct note places[PLACES_KEPT];
    struct begun lanes[LANES_KEPT];
    struct told_in_run told;
};

const struct belongings *belongs_around(const struct warp *w, const struct insn *in)
{
    const struct function *f = function_around(w, in);
    const struct belongings *all = f ? belongings_of(f) : NULL;
    return all && all->count ? all : NULL;
}

void belongs_free(struct race *race)
{
    free(race->belongs);
}

static struct belongs_kept *kept_of(struct race *race)
{
    if (!race->belongs)
        race->belongs = calloc(1, sizeof *race->belongs);
    assert(race->belongs);
    return race->belongs;
}

static void tell(const struct actor *me, const struct mem_access *a, const struct belonging *b, uint64_t address, const uint64_t values[2])
{
    const struct warp *w = me->warp;
    struct finding f = {.kind = FIND_ORDERING, .level = LEVEL_ERROR, .cause = CAUSE_ACTED_LATE, .access_count = 2, .kernel = w->block->grid->config.kernel->name};
    const struct insn *in[2] = {b->update, b->store};
    told_in_run_note(&me->race->belongs->told, b);
    f.facts.race = (struct race_facts){.late = LATE_BELONGS, .same_block = true, .same_warp = true};
    finding_place(&f, me->race->machine, w->block, b->store_first ? (enum ptx_space)b->store->mem.space : (enum ptx_space)a->space, address);
    for (int i = 0; i < 2; i++) {
        finding_access_fill(&f.accesses[i], w, me->lane, in[i], insn_class(in[i]) == INSN_ATOMIC ? "atomic" : "store");
        f.accesses[i].has_value = true;
        f.accesses[i].value = values[i];
    }
    report_finding(machine_reporter(me->race->machine), &f);
}

/** Does this note stand beside another thread's, of another value, that it does not come after? */
static bool is_beside(const struct actor *me, const struct note *last, const struct note *now)
{
    bool own = last->by.agent == me->agent && last->by.thread == me->thread;
    return last->as && last->run == now->run && last->place == now->place && last->of == now->of && !own && last->put != now->put && last->stored != now->stored &&
           !epoch_ordered(me, &last->by) && !epoch_signalled(me, &last->by, last->moment, (struct places){now->place, now->place});
}

/** A lane has made both writes of a pair. */
static void pair_is_done(const struct actor *me, const struct mem_access *a, const struct belonging *b, const struct begun *first, uint64_t place, uint64_t value)
{
    struct note now = {.by = epoch_of(me, EPOCH_STRONG, 0), .as = b, .run = me->race->runs, .moment = me->race->moment, .place = b->store_first ? first->place : place,
                       .of = b->store_first ? place : first->place, .put = b->store_first ? value : first->value, .stored = b->store_first ? first->value : value};
    struct note *last = &me->race->belongs->places[mix64(now.place) % PLACES_KEPT];
    if (b->store_first)
        now.by = first->by;
    if (is_beside(me, last, &now) && !told_in_run(&me->race->belongs->told, b, me->race->runs))
        tell(me, a, b, b->store_first ? first->address : a->address[me->lane], (uint64_t[2]){now.put, now.stored});
    *last = now;
}

static void lane_writes(const struct actor *me, const struct mem_access *a, const struct belonging *b)
{
    struct begun *l = &me->race->belongs->lanes[mix64((uint64_t)me->agent << 32 | me->thread) % LANES_KEPT];
    uint64_t place = place_of(me, (enum ptx_space)a->space, a->address[me->lane]);
    bool update = a->insn == b->update, begins = update != b->store_first;
    uint32_t reg = update ? b->put : b->stored;
    bool kept = !update || a->insn->dst != reg;
    uint64_t value = update && kept ? reg_read(me->warp, reg, a->insn->mem.bytes, me->lane) : a->value[0][me->lane];
    if (!kept && a->old[0][me->lane] == value) /* what it put there, and which did not stay, is not known any more */
        return;
    if (begins)
        *l = (struct begun){epoch_of(me, EPOCH_STRONG, 0), b, me->race->runs, place, a->address[me->lane], value};
    else if (l->as && l->as->update == b->update && l->as->store_first == b->store_first && l->run == me->race->runs && l->by.agent == me->agent && l->by.thread == me->thread)
        pair_is_done(me, a, b, l, place, value);
}

void belongs_write(struct race *race, const struct warp *w, const struct mem_access *a)
{
    const struct belongings *all = order_is_strong(&a->insn->mem) && access_is_shared(a) ? belongs_around(w, a->insn) : NULL;
    for (int i = 0; all && i < all->count; i++) {
        const struct belonging *b = &all->list[i];
        if (b->update != a->insn && b->store != a->insn)
            continue;
        struct actor me = actor_at(race, w, a);
        kept_of(race);
        for (uint32_t m = a->mask; m; m &= m - 1) {
            actor_set_lane(&me, __builtin_ctz(m));
            lane_writes(&me, a, b);
        }
    }
}
