/**
 * @file doubted_writes.c
 * See doubted_writes.h.
 */
#include "check/race/doubted_writes.h"

#include "analyse/looks.h"
#include "check/race/block_phases.h"
#include "check/race/clock/chain_moments.h"
#include "check/race/conflict.h"
#include "check/race/earlier.h"
#include "check/race/explain.h"
#include "check/race/older_read.h"
#include "check/race/order.h"
#include "check/race/ways.h"

/** Does the access at a site poll? Then it comes again until the other has come: no order of the two leaves anything else. */
static bool site_polls(const struct actor *me, uint32_t site)
{
    const struct image *im = actor_image(me);
    const struct insn *in = image_site_insn(im, site);
    return in && insn_class(in) == INSN_ATOMIC && load_only_looks(image_function_at(im, in), in);
}

void doubt_phase(const struct actor *me, const struct mem_access *a, int element, const struct epoch *e, uint64_t before, uint64_t now)
{
    bool atomics = insn_class(me->insn) == INSN_ATOMIC && (e->flags & EPOCH_RMW);
    if (!me->race->older_shown || atomics || !(e->flags & EPOCH_STRONG) || e->agent != me->agent || e->thread == me->thread ||
        before == now || sites_of_one_place(actor_image(me), e->site, me->insn->site) || epoch_ordered(me, e) || phase_of_write(me, e->site) == PHASE_APART ||
        site_polls(me, e->site) || site_polls(me, me->insn->site))
        return;
    struct conflict_info info = {.conflict = WRITE_THEN_WRITE, .other = e, .space = (enum ptx_space)a->space, .has_value = me->insn->mem.bytes <= 8,
                                 .address = a->address[me->lane] + (uint64_t)element * me->insn->mem.bytes, .now = now, .before = before,
                                 .ordering_only = true, .phase = true};
    explain(me, &info);
}

/** The access writes what nothing of the old value goes into, and nobody looks at that one. */
static bool is_blind(const struct actor *me)
{
    const struct insn *in = me->insn;
    return insn_class(in) == INSN_STORE || (insn_class(in) == INSN_ATOMIC && in->mem.atom == ATOM_EXCH && in->mem.count == 1 && atomic_is_unused(me->race, in, me->agent));
}

void doubt_landing(const struct actor *me, const struct mem_access *a, int element, const struct shadow_word *c, uint8_t unit, uint64_t before, uint64_t now)
{
    const struct epoch *e = &c->write;
    uint64_t place = element_place(me, a, me->lane, element), since;
    struct past last;
    if ((c->flags & (WORD_SPLIT | WORD_SYNC)) != WORD_SYNC || !e->agent || (e->flags & (EPOCH_STRONG | EPOCH_RMW)) != EPOCH_STRONG || before == now ||
        agent_is_host(me->race, e->agent) || (e->agent == me->agent && e->thread == me->thread) || !is_blind(me) ||
        !with_last_write(me, c, flags_of(&me->insn->mem, insn_class(me->insn) == INSN_ATOMIC), unit))
        return;
    last = (struct past){.write = *e, .chain = c->sync->chain, .upto = c->sync->upto, .seq = c->sync->seq};
    since = last.chain ? chain_moment(last.chain, last.upto) : 0;
    if (!last.chain || !may_miss(me, c, &last) || !epoch_heard(me, e, since, (struct places){place, place}) ||
        ways_follow_links(actor_image(me), e->site, me->insn)) /* to a place that memory leads to: who shortens ways leaves one or the other */
        return;
    struct conflict_info info = {.conflict = WRITE_THEN_WRITE, .other = e, .space = (enum ptx_space)a->space, .has_value = true,
                                 .address = a->address[me->lane] + (uint64_t)element * me->insn->mem.bytes, .now = now, .before = before,
                                 .ordering_only = true, .lands_later = true};
    explain(me, &info);
}
