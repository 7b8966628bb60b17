/**
 * @file mbarrier_phases.c
 * Barriers in shared memory, as the model has them (PTX ISA 8.9, 9.7.13.15): a phase of an mbarrier is what those who
 * arrived in it knew, and the copies that arrived for their thread or by themselves; it is known to those whose wait
 * it ends.
 */
#include "check/race/async_proxy.h"

#include "check/race/clusters.h"
#include "check/race/element.h"
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

static void forget(struct phase_knowledge *p)
{
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
    me->ws->time[me->lane]++;
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
        forget(&bs->phases.data[i]);
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

void race_mbarrier(void *self, const struct warp *w, const struct mbarrier_event *e)
{
    struct race *race = self;
    struct actor me = actor_at(race, w, e->access);
    struct phase_knowledge *p = phase_of(me.home, e->barrier->offset);
    struct mem_access a = *e->access;
    a.mask = 1u << e->lane;
    actor_set_lane(&me, e->lane);
    if (e->kind == MBARRIER_INIT) {
        if (e->again)
            report_again(&me, e);
        me.home->shared_written = true;
        store_element(&me, &a, 0);
        sync_inited(&me);
        forget(p);
        return;
    }
    /* The end of an object is a use like others: whoever uses it later is told so when it happens. cuda::pipeline
     * leaves to one lane of a warp what its lanes have used, and orders them by match.sync only. */
    if (e->kind == MBARRIER_BULK)
        async_act_as_bulk(&me);
    clusters_check_begun(&me, &a);
    if (e->kind != MBARRIER_WAIT || !waits_again(&me, &a, e))
        load_element(&me, &a, 0);
    if (e->kind == MBARRIER_INVAL)
        forget(p);
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
