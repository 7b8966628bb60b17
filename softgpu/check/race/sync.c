/**
 * @file sync.c
 * What fences and strong accesses pass from thread to thread (PTX ISA 8.9).
 *
 * Release: a strong write publishes what its thread knew at its last fence (all it knows, for a
 * .release). Acquire: a strong read notes the chain; the thread's own later fence, or the acquire
 * itself, takes it in. fence.sc is more: whatever has been communicated from after one sc fence to
 * before another forces their order, so the vector clocks of sc fences travel with every strong access and
 * through barriers, and the next sc fence learns them, whoever executes it.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "check/race/clock/chain_moments.h"
#include "check/race/earlier.h"
#include "check/race/race.h"
#include "check/race/run_order.h"
#include "check/race/sync.h"
#include "code/descriptions.h"

struct lane_state *lane_open(struct warp_state *ws, int lane)
{
    if (!ws->lanes) {
        ws->lanes = calloc(WARP_LANES, sizeof *ws->lanes);
        assert(ws->lanes);
    }
    return &ws->lanes[lane];
}

/* ---- Threads ---- */

struct snapshot *snapshot_take(const struct actor *me)
{
    struct snapshot *s = snapshot_new();
    const struct lane_state *ls = actor_lane(me);
    s->base = knowledge_ref(me->bs->base);
    s->extra = ls ? knowledge_ref(ls->extra) : NULL;
    s->agent = me->agent;
    s->thread = me->thread;
    s->time = me->time;
    me->race->agents.data[me->agent].gives = true;
    s->uniform = me->bs->uniform;
    s->warp_uniform = me->ws->warp_uniform;
    return s;
}

static void tick(struct actor *me)
{
    me->time = lane_goes_on(me->ws, me->lane);
}

/** A part of what the actor knows, base and extra together; the caller drops it. */
static struct vector_clock *known(const struct actor *me, enum knowledge_part part)
{
    struct vector_clock *v = NULL;
    const struct lane_state *ls = actor_lane(me);
    if (me->bs->base)
        clock_join(&v, me->bs->base->part[part]);
    if (ls && ls->extra)
        clock_join(&v, ls->extra->part[part]);
    return v;
}

static void learn_sc(struct actor *me, struct vector_clock *sc)
{
    if (sc)
        knowledge_join_part(&lane_open(me->ws, me->lane)->extra, KNOW_PEND, sc);
}

static struct acquirer acquirer_of(const struct actor *me)
{
    return (struct acquirer){.agent = me->agent, .cluster = me->bs->cluster ? me->bs->cluster->id : 0,
                             .device = device_of(me->race, me->agent)};
}

/** Of several devices, and of the host: what fences of scope sys there are told of in the chain. */
static void learn_system(struct actor *me, const struct release_chain *m, int upto)
{
    struct vector_clock *sc = NULL;
    chain_sc_system(m, upto, &sc);
    if (sc)
        knowledge_join_part(&lane_open(me->ws, me->lane)->extra, KNOW_PEND_SYS, sc);
    clock_drop(sc);
}

void sync_learn_chain(struct actor *me, struct release_chain *m, int upto)
{
    struct vector_clock *sc = NULL;
    if (!m || !m->any_sc)
        return;
    chain_sc(m, upto, acquirer_of(me), &sc);
    learn_sc(me, sc);
    clock_drop(sc);
    if (me->race->several || m->any_host)
        learn_system(me, m, upto);
}

void sync_read_sc(const struct actor *me, struct sync *s)
{
    struct vector_clock *sc = known(me, KNOW_SC);
    clock_join(&s->read_sc, sc);
    clock_drop(sc);
    if (!me->race->several)
        return;
    sc = known(me, KNOW_SC_SYS);
    clock_join(&s->read_sc_sys, sc);
    clock_drop(sc);
    s->read_devices |= (uint8_t)(1u << device_of(me->race, me->agent));
}

void sync_learn_reads(struct actor *me, const struct sync *s)
{
    if (!me->race->several || !(s->read_devices & ~(1u << device_of(me->race, me->agent))))
        learn_sc(me, s->read_sc); /* of mixed ones only the fences of scope sys count */
    if (s->read_sc_sys)
        knowledge_join_part(&lane_open(me->ws, me->lane)->extra, KNOW_PEND_SYS, s->read_sc_sys);
}

/* ---- Strong accesses ---- */

void sync_observe(struct actor *me, struct release_chain *m, int upto, const struct mem_desc *mem)
{
    struct lane_state *ls = lane_open(me->ws, me->lane);
    enum reach reach = reach_of(order_scope(mem));
    if (m->any_sc) {
        struct vector_clock *sc = NULL, *own = NULL;
        struct vector_clock *cluster = NULL;
        if (reach >= REACH_DEVICE)
            chain_sc(m, upto, acquirer_of(me), &sc);
        if (reach >= REACH_CLUSTER && me->bs->cluster)
            chain_sc_near(m, upto, acquirer_of(me), NEAR_CLUSTER, &cluster);
        chain_sc_near(m, upto, acquirer_of(me), NEAR_BLOCK, &own);
        if ((me->race->several || m->any_host) && reach == REACH_SYSTEM)
            learn_system(me, m, upto);
        knowledge_join_part(&ls->extra, KNOW_PEND, sc);
        knowledge_join_part(&ls->extra, KNOW_PEND_CLUSTER, cluster);
        knowledge_join_part(&ls->extra, KNOW_PEND_CTA, own);
        clock_drop(sc);
        clock_drop(cluster);
        clock_drop(own);
    }
    bool is_dropped = insn_class(me->insn) == INSN_ATOMIC && atomic_is_unused(me->race, me->insn, me->agent);
    if ((!is_dropped || order_acquires((enum mem_order)mem->order) || mem->atom == ATOM_CAS) && m->heard <= upto)
        m->heard = upto + 1;
    struct observed o = {.chain = m, .upto = upto, .heard = is_dropped ? 0 : upto + 1, .site = me->insn->site, .time = me->time,
                         .thread = me->thread, .reach = reach, .moment = me->race->moment};
    if (order_acquires((enum mem_order)mem->order)) {
        chain_acquire(m, upto, acquirer_of(me), reach, &ls->extra);
        ls->learned = me->race->moment;
        o.acquired = reach;
        /* An acquire of a location also completes the patterns that earlier strong reads of the same location
           by the same thread began (PTX ISA 8.8, acquire pattern, second form). */
        observed_acquire_place(&ls->observed, &o, acquirer_of(me), reach, &ls->extra);
    }
    observed_note(&ls->observed, &o);
}

/** Keeps the newer of two snapshots of one thread. */
static void keep_newer(struct snapshot **have, struct snapshot *other)
{
    if (!other || (*have && (*have)->time >= other->time))
        return;
    snapshot_ref(other);
    snapshot_drop(*have);
    *have = other;
}

/** A release of a location and a later strong write of it by the same thread are one release pattern
 *  (PTX ISA 8.8, second form): what the release published goes out with this write too. */
static void carry_release(const struct actor *me, const struct release_chain *before,
                          struct contribution *c, struct passed *p)
{
    const struct passed *old = before ? chain_carried(before, me->agent, me->thread) : NULL;
    if (!old)
        return;
    keep_newer(&p->block, old->block);
    keep_newer(&p->cluster_wide, old->cluster_wide);
    keep_newer(&p->device, old->device);
    keep_newer(&p->system, old->system);
    c->carries = true;
}

int sync_publish(struct actor *me, struct release_chain *m, const struct release_chain *before,
                 const struct mem_desc *mem, bool unseen)
{
    const struct lane_state *ls = actor_lane(me);
    enum reach reach = reach_of(order_scope(mem));
    struct contribution c = {
        .agent = me->agent,
        .cluster = acquirer_of(me).cluster,
        .thread = (uint16_t)me->thread,
        .time = me->time,
        .uniform = me->bs->uniform,
        .warp_uniform = me->ws->warp_uniform,
        .site = me->insn->site,
        .on = device_of(me->race, me->agent),
        .unseen = unseen,
        .reach = reach,
        .beside = me->as_agent != 0,
    };
    struct passed p = {
        .sc = known(me, KNOW_SC),
        .sc_cluster = me->bs->cluster ? known(me, KNOW_SC_CLUSTER) : NULL,
        .sc_cta = known(me, KNOW_SC_CTA),
        .sc_sys = known(me, KNOW_SC_SYS),
        .copies = me->as_agent,
        .copy_time = me->as_time,
    };
    if (order_releases((enum mem_order)mem->order)) {
        p.block = snapshot_take(me);
        p.cluster_wide = me->bs->cluster && reach >= REACH_CLUSTER ? snapshot_ref(p.block) : NULL;
        p.device = reach >= REACH_DEVICE ? snapshot_ref(p.block) : NULL;
        p.system = reach == REACH_SYSTEM ? snapshot_ref(p.block) : NULL;
        c.carries = true;
    } else {
        p.block = ls ? snapshot_ref(ls->block_fence) : NULL;
        p.cluster_wide = ls ? snapshot_ref(ls->cluster_fence) : NULL;
        p.device = ls ? snapshot_ref(ls->device_fence) : NULL;
        p.system = ls ? snapshot_ref(ls->system_fence) : NULL;
        carry_release(me, before, &c, &p);
    }
    int index = chain_add(m, &c, &p);
    chain_mark(m, index, me->race->moment);
    signals_note(&me->race->agents.data[me->agent].signals, m->place, &c, me->race->asks_signals);
    tick(me);
    return index;
}

/* ---- Fences ---- */

/** The part of fence.sc that makes fences ordered among themselves. */
static void fence_sc(struct actor *me, bool cluster, bool wide, bool system)
{
    struct lane_state *ls = lane_open(me->ws, me->lane);
    struct vector_clock *v = known(me, KNOW_PEND_CTA);
    if (cluster) {
        struct vector_clock *pend = known(me, KNOW_PEND_CLUSTER);
        clock_join(&v, pend);
        clock_drop(pend);
    }
    if (wide) {
        struct vector_clock *pend = known(me, KNOW_PEND);
        clock_join(&v, pend);
        clock_drop(pend);
    }
    if (system) {
        struct vector_clock *pend = known(me, KNOW_PEND_SYS);
        clock_join(&v, pend);
        clock_drop(pend);
    }
    knowledge_join_part(&ls->extra, KNOW_CAUSAL, v);
    clock_drop(v);

    struct snapshot *now = snapshot_take(me);
    struct vector_clock *causal = known(me, KNOW_CAUSAL); /* mostly one for many lanes, of which each makes a copy with its own time */
    clock_compare(causal, ls->extra ? ls->extra->part[KNOW_SC_CTA] : NULL);
    clock_compare(causal, ls->extra && wide ? ls->extra->part[KNOW_SC] : NULL);
    snapshot_join(&causal, now, KNOW_CAUSAL);
    snapshot_drop(now);
    knowledge_join_part(&ls->extra, KNOW_SC_CTA, causal);
    if (cluster)
        knowledge_join_part(&ls->extra, KNOW_SC_CLUSTER, causal);
    if (wide) {
        knowledge_join_part(&ls->extra, KNOW_SC, causal);
    }
    if (system)
        knowledge_join_part(&ls->extra, KNOW_SC_SYS, causal);
    if (me->race->older_shown)
        run_order_fence(me, causal, (struct fence_reach){.cluster = cluster, .device = wide, .system = system});
    clock_drop(causal);
}

/** A fence of another kind, as if it were a fence.sc that reaches nobody else. */
static void fence_weaker(struct actor *me)
{
    struct snapshot *now = snapshot_take(me);
    struct vector_clock *causal = known(me, KNOW_CAUSAL);
    snapshot_join(&causal, now, KNOW_CAUSAL);
    snapshot_drop(now);
    run_order_weaker_fence(me, causal);
    clock_drop(causal);
}

/* ---- fence.mbarrier_init (PTX ISA 9.7.13.4): of what came before it orders the initialisations only ---- */

void sync_inited(struct actor *me)
{
    lane_open(me->ws, me->lane)->inited = me->time;
    tick(me);
}

/** A clock tells what came up to a moment: so what the thread did before its last initialisation goes along. */
static void move_up(const struct actor *me, struct snapshot **fence, uint32_t inited)
{
    const struct snapshot *old = *fence;
    if (old && old->time >= inited)
        return;
    struct snapshot *s = snapshot_new();
    s->agent = me->agent, s->thread = me->thread, s->time = inited;
    me->race->agents.data[me->agent].gives = true;
    if (old) {
        *s = *old;
        s->refs = 1;
        s->given_to = 0;
        s->base = knowledge_ref(old->base);
        s->extra = knowledge_ref(old->extra);
        s->time = inited;
    }
    snapshot_drop(*fence);
    *fence = s;
}

/** Releases, to the cluster, what the thread had done when it last initialised an mbarrier, and nothing since. */
static void fence_of_inits(struct actor *me)
{
    struct lane_state *ls = lane_open(me->ws, me->lane);
    if (ls->inited) {
        move_up(me, &ls->block_fence, ls->inited);
        if (me->bs->cluster)
            move_up(me, &ls->cluster_fence, ls->inited);
    }
    tick(me);
}

/* ---- All fences ---- */

void sync_fence(struct actor *me, enum mem_order order, enum mem_scope scope)
{
    if (me->insn->imm == FENCE_OF_INITS) {
        fence_of_inits(me);
        return;
    }
    bool wide = scope_is_wide((uint8_t)scope), cluster = me->bs->cluster && scope >= SCOPE_CLUSTER;
    lane_open(me->ws, me->lane)->learned = me->race->moment;
    if (order != ORDER_RELEASE)
        observed_acquire(&lane_open(me->ws, me->lane)->observed, acquirer_of(me), reach_of((uint8_t)scope),
                         &lane_open(me->ws, me->lane)->extra);
    if (order != ORDER_RELEASE) {
        if (scope >= SCOPE_CLUSTER)
            knowledge_join(&lane_open(me->ws, me->lane)->extra, lane_open(me->ws, me->lane)->noted);
        knowledge_join(&lane_open(me->ws, me->lane)->extra, lane_open(me->ws, me->lane)->noted_here);
    }
    if (order == ORDER_SC)
        fence_sc(me, cluster, wide, scope == SCOPE_SYS);
    else if (me->race->older_shown && me->race->relied_on)
        fence_weaker(me);
    if (order != ORDER_ACQUIRE) {
        struct lane_state *ls = lane_open(me->ws, me->lane);
        struct snapshot *s = snapshot_take(me);
        snapshot_drop(ls->block_fence);
        ls->block_fence = s;
        if (cluster) {
            snapshot_drop(ls->cluster_fence);
            ls->cluster_fence = snapshot_ref(s);
        }
        if (wide) {
            snapshot_drop(ls->device_fence);
            ls->device_fence = snapshot_ref(s);
        }
        if (scope == SCOPE_SYS) {
            snapshot_drop(ls->system_fence);
            ls->system_fence = snapshot_ref(s);
        }
    }
    tick(me);
}
