/**
 * @file mbarrier_phases.c
 * Barriers in shared memory, as the model has them (PTX ISA 8.9, 9.7.13.15): a phase of an mbarrier is what those who
 * arrived in it knew, and the copies that arrived for their thread or by themselves; it is known to those whose wait
 * it ends.
 */
#include "check/race/async_proxy.h"

#include "check/race/clusters.h"
#include "check/race/element.h"
#include "check/race/order.h"
#include "check/race/sync.h"
#include "execute/finding_place.h"
#include "execute/machine.h"
#include "report/finding.h"
#include "report/reporter.h"

static struct phase_knowledge *phase_of(struct block_state *bs, uint32_t offset)
{
    for (int i = 0; i < bs->phases.count; i++)
        if (bs->phases.data[i].offset == offset)
            return &bs->phases.data[i];
    struct phase_knowledge *p = LIST_PUSH(&bs->phases);
    *p = (struct phase_knowledge){.offset = offset};
    return p;
}

static void forget(struct race *race, struct phase_knowledge *p)
{
    race->objects++;
    knowledge_drop(p->gathering);
    knowledge_drop(p->completed);
    knowledge_drop(p->far_gathering);
    knowledge_drop(p->far_completed);
    p->gathering = p->completed = p->far_gathering = p->far_completed = NULL;
}

/** An arrival from another block reaches no further than its scope; where it names none, as far as the object does. */
static void arrive(struct actor *me, struct phase_knowledge *p, const struct mbarrier_event *e)
{
    const struct lane_state *ls = actor_lane(me);
    if (me->home != me->bs) {
        if (e->scope != SCOPE_CTA)
            clusters_give(me->bs, me->warp, 1u << me->lane, e->relaxed, &p->far_gathering);
        return;
    }
    if (!e->relaxed)
        sync_give(me->bs, me->warp->index, me->lane, &p->gathering);
    else if (ls && ls->block_fence)
        snapshot_give(&p->gathering, ls->block_fence, SAME_BLOCK);
    lane_goes_on(me->ws, me->lane);
}

static void pass(struct actor *me, const struct phase_knowledge *p, const struct mbarrier_event *e)
{
    struct lane_state *ls = lane_open(me->ws, me->lane);
    knowledge_join(e->relaxed ? &ls->noted_here : &ls->extra, p->completed);
    if (e->scope != SCOPE_CTA)
        knowledge_join(e->relaxed ? &ls->noted : &ls->extra, p->far_completed);
    if (!e->relaxed)
        ls->learned = me->race->moment;
}

/** The phase is complete: what was gathered is what those know who have waited for it. */
static void complete(struct phase_knowledge *p)
{
    knowledge_join(&p->completed, p->gathering);
    knowledge_join(&p->far_completed, p->far_gathering);
    knowledge_drop(p->gathering);
    knowledge_drop(p->far_gathering);
    p->gathering = p->far_gathering = NULL;
}

/** mbarrier.inval comes before the next mbarrier.init (PTX ISA 9.7.13.15.9). */
static void report_again(const struct actor *me, const struct mbarrier_event *e)
{
    struct finding f = {.kind = FIND_MBARRIER_MISUSE, .level = LEVEL_WARNING, .cause = CAUSE_MBARRIER_AGAIN,
                        .kernel = me->bs->block->grid->config.kernel->name, .access_count = 1};
    finding_access_fill(&f.accesses[0], me->warp, e->lane, me->insn, "barrier");
    finding_place(&f, me->race->machine, me->home->block, SPACE_SHARED, e->barrier->offset);
    report_finding(machine_reporter(me->race->machine), &f);
}

void phases_block_end(struct block_state *bs)
{
    for (int i = 0; i < bs->phases.count; i++)
        forget(bs->race, &bs->phases.data[i]);
    LIST_FREE(&bs->phases);
}

/** Does the lane only wait once more, where nothing has happened to the object and to itself? It has been judged and remembered, then. Else
 *  that is so from now on. */
static bool waits_again(struct actor *me, const struct mem_access *a, const struct mbarrier_event *e)
{
    struct lane_state *ls = lane_open(me->ws, me->lane);
    uint32_t place = e->barrier->offset + 1;
    bool again = me->home == me->bs && ls->waited.place == place && ls->waited.time == me->time && ls->waited.site == me->insn->site;
    for (int i = 0; i < 2; i++) {
        const struct shadow_word *c = word_at(me, a, me->lane, a->address[me->lane] + 4 * (uint32_t)i);
        again &= !(c->flags & WORD_SPLIT) && ls->waited.writer[i].agent == c->write.agent && ls->waited.writer[i].time == c->write.time;
        ls->waited.writer[i].agent = c->write.agent;
        ls->waited.writer[i].time = c->write.time;
    }
    ls->waited.place = me->home == me->bs ? place : 0;
    ls->waited.time = me->time;
    ls->waited.site = me->insn->site;
    return again;
}

/** Is nothing known of the object's word but a plain write that is ordered before each of the lanes, and reads? */
static bool is_plainly_written(struct actor *me, struct shadow_word *c, uint32_t lanes)
{
    int lane = me->lane;
    bool ordered = true;
    refresh(c, floor_in(me, SPACE_SHARED), UINT32_MAX);
    if (c->flags & (WORD_SPLIT | WORD_SYNC))
        return false;
    if (!c->write.agent || (epoch_is_behind_barrier(me, &c->write) && !me->bs->any_left))
        return true;
    for (uint32_t m = lanes; m && ordered; m &= m - 1) {
        actor_set_lane(me, __builtin_ctz(m));
        ordered = epoch_ordered(me, &c->write);
    }
    actor_set_lane(me, lane);
    return ordered;
}

/** The lane looks at the object, and with it those of the instruction's lanes that come after it, at its time: one reader stands for all of them.
 *  @return false: look closer, at this lane's */
static bool look_together(struct actor *me, const struct mbarrier_event *e)
{
    const struct mem_access *a = e->access;
    uint32_t bit = 1u << me->lane, lanes = 0;
    uint64_t word = a->address[me->lane] / 4;
    if (me->race->object_use & bit)
        return true;
    for (uint32_t m = e->same; m; m &= m - 1)
        lanes |= me->ws->time[__builtin_ctz(m)] == me->time ? m & -m : 0;
    if (!(lanes & (lanes - 1)) || me->home != me->bs || me->as_agent)
        return false;
    for (uint64_t i = word; i < word + 2; i++)
        if (!is_plainly_written(me, shared_word(me->home, i), lanes))
            return false;
    for (uint64_t i = word; i < word + 2; i++)
        remember_read(me, shared_word(me->home, i), lanes, flags_of(&me->insn->mem, false), (uint8_t)(4 * (i - word) | log2_of(8) << 4), 0);
    me->race->object_use = lanes;
    return true;
}

/** What of the access is one lane's: it is large, and there are many. */
static void take_lane(struct mem_access *own, const struct mem_access *all, int lane)
{
    own->insn = all->insn;
    own->mask = 1u << lane;
    own->space = all->space;
    own->owner = all->owner;
    own->row = own->even = false;
    own->thrown_away = 0;
    own->older[0] = 0; /* nobody chooses what it reads; what stands there is of an earlier access */
    own->address[lane] = all->address[lane];
    own->host[lane] = all->host[lane];
    own->allocation[lane] = all->allocation[lane];
    own->value[0][lane] = all->value[0][lane];
}

void race_mbarrier(void *self, const struct warp *w, const struct mbarrier_event *e)
{
    struct race *race = self;
    struct actor me = actor_at(race, w, e->access);
    struct phase_knowledge *p = phase_of(me.home, e->barrier->offset);
    struct mem_access a;
    take_lane(&a, e->access, e->lane);
    actor_set_lane(&me, e->lane);
    if (e->kind == MBARRIER_INIT) {
        if (e->again)
            report_again(&me, e);
        me.home->shared_written = true;
        store_element(&me, &a, 0);
        sync_inited(&me);
        forget(race, p);
        return;
    }
    /* The end of an object is a use like others: whoever uses it later is told so when it happens. cuda::pipeline
     * leaves to one lane of a warp what its lanes have used, and orders them by match.sync only. */
    if (e->kind == MBARRIER_BULK)
        async_act_as_bulk(&me);
    clusters_check_begun(&me, &a);
    if (e->lane == __builtin_ctz(e->access->mask))
        race->object_use = 0;
    bool again = e->kind == MBARRIER_WAIT && waits_again(&me, &a, e);
    if (!again && !look_together(&me, e))
        load_element(&me, &a, 0);
    if (e->kind == MBARRIER_INVAL)
        forget(race, p);
    if (e->kind == MBARRIER_ARRIVE)
        arrive(&me, p, e);
    else if (e->kind == MBARRIER_COPIES)
        async_give_copies(&me, &p->gathering);
    else if (e->kind == MBARRIER_BULK)
        async_give_bulk(&me, &p->gathering);
    else if (e->passes)
        pass(&me, p, e);
    if (e->completes)
        complete(p);
}
