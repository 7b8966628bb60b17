/**
 * @file chained_atomics.c
 * See chained_atomics.h. Each condition here leaves out a step of atomic_element() that would find nothing to do.
 */
#include "check/race/chained_atomics.h"

#include "check/race/sync.h"

/** Does the knowledge have anything of fences that a write passes on? */
static bool has_fences(const struct knowledge *k)
{
    return k && (k->part[KNOW_SC] || k->part[KNOW_SC_CTA]);
}

bool chained_unheard(const struct actor *me)
{
    const struct mem_desc *mem = &me->insn->mem;
    enum mem_order order = (enum mem_order)mem->order;
    return me->race->agents.data[me->agent].launch->hears_none && !me->race->several && !me->race->atomics_older && !me->bs->cluster &&
           !order_acquires(order) && !order_releases(order) && !has_fences(me->bs->base) && !me->ws->lanes;
}

void chained_begin(struct chained *c, const struct actor *me, const struct mem_access *a, bool returns)
{
    const struct mem_desc *mem = &me->insn->mem;
    enum mem_order order = (enum mem_order)mem->order;
    c->may = mem->count == 1 && mem->bytes == 4 && !me->race->several && !me->race->atomics_older && me->home == me->bs && !me->bs->cluster &&
             !order_acquires(order) && !order_releases(order) && !has_fences(me->bs->base);
    if (!c->may)
        return;
    c->returns = returns;
    c->flags = flags_of(mem, true);
    c->floor = floor_of(me, a);
    c->contribution = (struct contribution){.agent = me->agent, .uniform = me->bs->uniform, .warp_uniform = me->ws->warp_uniform,
                                            .site = me->insn->site, .on = device_of(me->race, me->agent), .reach = reach_of(order_scope(mem))};
}

/** Does the lane's thread pass nothing on but that it was here? */
static bool passes_nothing(const struct lane_state *ls)
{
    return !ls || (!has_fences(ls->extra) && !ls->block_fence && !ls->cluster_fence && !ls->device_fence && !ls->system_fence);
}

/** Is the word's last write an atomic of this kind, morally strong with the present one, and nothing else remembered that it could conflict with
 *  or learn from? */
static bool goes_on(const struct chained *c, const struct actor *me, const struct shadow_word *w)
{
    const struct sync *s = w->sync;
    if (!(w->flags & WORD_SYNC) || (w->flags & (WORD_SPLIT | WORD_LOGGED)) || w->write.agent < c->floor || !w->write.agent || (w->write.flags & ~(EPOCH_READ | EPOCH_KEPT)) != c->flags ||
        w->write.unit != PLAIN_WORD || w->read.agent >= c->floor)
        return false;
    if (!s->chain || s->tips || s->read_sc || s->read_sc_sys || s->chain->any_sc || s->chain->narrow || s->chain->carriers.count)
        return false;
    return c->contribution.reach >= REACH_DEVICE && (w->write.agent == me->agent || !agent_is_host(me->race, w->write.agent));
}

bool chained_atomic(const struct chained *c, struct actor *me, const struct mem_access *a)
{
    struct shadow_word *w = word_at(me, a, me->lane, a->address[me->lane]);
    if (!goes_on(c, me, w) || !(a->wrote >> me->lane & 1) || !passes_nothing(actor_lane(me)))
        return false;
    struct sync *s = w->sync;
    uint64_t before = a->old[0][me->lane];
    if (c->returns)
        sync_observe(me, s->chain, s->upto, &me->insn->mem);
    w->read.agent = 0; /* an earlier launch's */
    push_past(w, before);
    s->seq++;
    s->written = ++me->race->moment;
    s->operand = 0;
    s->has_operand = false;
    remember_write(me, w, c->flags | (atomic_adds(me->insn) ? EPOCH_READ : w->write.flags & EPOCH_READ), PLAIN_WORD, (uint32_t)before);
    struct contribution *own = chain_add_signal(s->chain, me->agent);
    *own = c->contribution;
    own->thread = (uint16_t)me->thread;
    own->time = me->time;
    own->unseen = a->value[0][me->lane] == before;
    s->upto = s->chain->from.count - 1;
    agent_signals(&me->race->agents.data[me->agent], s->chain->place, own);
    s->chain->devices |= (uint8_t)(1u << own->on);
    me->time = lane_goes_on(me->ws, me->lane);
    return true;
}

bool atomic_adds(const struct insn *in)
{
    enum atom_op op = (enum atom_op)in->mem.atom;
    return op == ATOM_ADD || op == ATOM_INC || op == ATOM_DEC || op == ATOM_XOR;
}

bool atomic_tells(const struct launch *launch, const struct insn *in)
{
    return atomic_adds(in) || (in->dst != REG_NONE && !launch->deaf);
}
