/**
 * @file older.c
 * Which reads may return an older value: a plain load that is not ordered after the last write, or a
 * strong one that need not see it yet.
 */
#include "check/race/older.h"

#include "analyse/looks.h"
#include "analyse/same_phase.h"
#include "base/mix.h"
#include "check/race/actor.h"
#include "check/race/clock/chain_moments.h"
#include "check/race/conflict.h"
#include "check/race/earlier.h"
#include "check/race/element.h"
#include "check/race/older_read.h"
#include "check/race/older_worth.h"
#include "check/race/order.h"
#include "check/race/block_phases.h"
#include "check/race/run_order.h"
#include "check/race/stamp_steps.h"
#include "check/race/ways.h"
#include "execute/plain_access.h"
#include "memory/memory.h"

bool may_miss(const struct actor *me, const struct shadow_word *c, const struct past *w)
{
    const struct lane_state *ls = actor_lane(me);
    const struct observed *o = ls ? observed_find(&ls->observed, w->chain, me->thread) : NULL;
    return !epoch_must_be_seen(me, &w->write) && !(o && o->upto >= w->upto) && !write_observed(me, c, w->seq, reader_must_be_seen);
}

bool older_bytes(const struct unit *units, int n, uint64_t now, uint64_t *old)
{
    bool any = false;
    *old = now;
    for (int i = 0; i < n && units[i].offset < 8; i++) {
        const struct shadow_word *c = units[i].word;
        if (!(c->flags & WORD_OLD))
            continue;
        any = true;
        uint64_t mask = units[i].bytes == 4 ? UINT32_MAX : 0xff;
        *old = (*old & ~(mask << 8 * units[i].offset)) | ((uint64_t)c->old << 8 * units[i].offset);
    }
    return any && *old != now;
}

/** Each writes to its own place, by a store or an exchange, and reads another's. A flag that is polled has been asked for before this; what lies
 *  behind a fence is more than an exchange. */
static bool relies_on_step(const struct actor *me, const struct epoch *e, uint64_t address)
{
    const struct site *sites = actor_image(me)->sites;
    bool near = e->thread / WARP_LANES == me->thread / WARP_LANES || me->insn->mem.space == SPACE_SHARED;
    uint32_t mine = me->ws->stored[me->lane];
    return e->agent == me->agent && near && mine && me->ws->stored_at[me->lane] != address &&
           (mine - 1 == e->site || (!(e->flags & EPOCH_RMW) && sites[e->site].line && sites[mine - 1].line == sites[e->site].line)) && !ways_follow_links(actor_image(me), mine - 1, me->insn); /* unrolled */
}

/** Has a barrier that the writer has passed, too, come after the lane's own store? Then it was meant to read what came before that. */
static bool is_turn_ahead(const struct actor *me, const struct epoch *e)
{
    bool same_warp = e->thread / WARP_LANES == me->thread / WARP_LANES;
    uint32_t stored = me->ws->stored_time[me->lane];
    return me->bs->uniform >= stored || (same_warp && me->ws->warp_uniform >= stored);
}

static bool is_piece(const struct epoch *e, const struct epoch *other, int distance)
{
    return other->agent == e->agent && other->thread == e->thread && other->site == e->site &&
           other->time == e->time + (uint32_t)distance;
}

/** Has one vector written this element, by that write, and this other one? Each element's write moves the clock on by one. */
static bool is_written_with(const struct actor *me, const struct mem_access *a, const struct epoch *e, int element, int other)
{
    struct unit units[16];
    units_of(me, a, me->lane, other, units);
    const struct shadow_word *c = units[0].word;
    if (!(c->flags & WORD_SYNC) || (e->flags & EPOCH_RMW)) /* an atomic is one of each element */
        return false;
    bool is = is_piece(e, &c->write, other - element);
    for (int i = 0; i < c->sync->pasts && !is; i++)
        is = is_piece(e, &c->sync->past[i].write, other - element);
    return is;
}

/** Writes to where are no signals of this one? To the element itself, and to the whole vector if that was written whole, for whoever
 *  has a later state from it has a later value, too. */
static struct places no_signals(const struct actor *me, const struct mem_access *a, int element, const struct epoch *e)
{
    int last = a->insn->mem.count - 1;
    uint64_t place = element_place(me, a, me->lane, element);
    for (int i = 0; i <= last; i++)
        if (i != element && !is_written_with(me, a, e, element, i))
            return (struct places){place, place};
    uint64_t one = element_place(me, a, me->lane, 0), other = element_place(me, a, me->lane, last);
    return one < other ? (struct places){one, other} : (struct places){other, one};
}

/** Has another element of the same vector told of this write, in a way that releases it? A vector is read whole: who has the one has
 *  the other. */
static bool comes_along(const struct actor *me, const struct mem_access *a, const struct epoch *e, uint64_t place)
{
    struct hearsay how = {0};
    return a->insn->mem.count > 1 && epoch_judge(me, e, place, &how) == MISSING_ACQUIRE && how.via == me->insn->site;
}

/** What is known about signals of the writes of a word. */
struct signals {
    uint32_t of;    /**< bit 0: of the last; bit i: of the i-th before it */
    bool all;       /**< else bit 0 only */
};

/** Of all its writes at once that may be asked about: the way to most of them is the same. Of what lies before the oldest of these nothing need be gone through,
 *  so none is asked about that need not be, be it for the first that cannot be missed, or for one that changed nothing. */
static struct signals signals_of(const struct actor *me, const struct shadow_word *c, const struct mem_access *a, int element)
{
    const struct sync *s = c->sync;
    const struct epoch *e[MAX_TARGETS] = {&c->write};
    struct signals known;
    uint64_t since = chain_moment(s->chain, s->upto);
    int count = 1;
    while (a->insn->mem.count == 1 && count < s->pasts) { /* of an element, writes to where are signals differs from write to write */
        const struct past *w = &s->past[s->pasts - count];
        uint64_t made = chain_moment(w->chain, w->upto);
        if (!may_miss(me, c, w))
            break;
        since = made < since && w->value != w[-1].value ? made : since;
        e[count++] = &w->write;
    }
    known.of = epochs_signalled(me, e, count, since, no_signals(me, a, element, &c->write), &known.all);
    known.all &= a->insn->mem.count == 1;
    return known;
}

/** On what does the read rely that misses the last write and returns `older`? */
static enum reliance relies_on_last(const struct actor *me, const struct shadow_word *c, const struct mem_access *a, int element, const struct past *older, struct signals *known)
{
    uint64_t address = a->address[me->lane] + (uint64_t)element * a->insn->mem.bytes;
    /* Nobody misses a read-modify-write that changed nothing. */
    if ((c->write.flags & EPOCH_RMW) && older->value == newest_value(a, me->lane, element))
        return RELIES_NOT;
    if (relies_on_step(me, &c->write, address)) /* first: what it has read of the others looks like signals */
        return is_turn_ahead(me, &c->write) ? RELIES_ON_TURN : RELIES_ON_STEP;
    *known = signals_of(me, c, a, element);
    if (!(known->of & 1))
        return RELIES_NOT;
    return comes_along(me, a, &c->write, element_place(me, a, me->lane, element)) ? RELIES_NOT : RELIES_ON_SIGNAL;
}

/** Is it meant to be read, or not yet to be there, as the code has it? Who looks at a place and then updates it by an atomic, or does something with what that
 *  returns, expects that others have come by. */
static bool is_of_phase(const struct actor *me, const struct epoch *e)
{
    bool counts = e->flags & EPOCH_RMW;
    if (e->agent != me->agent || e->thread == me->thread)
        return false;
    enum phase phase = phase_of_write(me, e->site);
    return counts ? phase == PHASE_WRITE_FIRST && atomic_is_unused(me->race, image_site_insn(actor_image(me), e->site), me->agent) : phase != PHASE_APART;
}

/** What only looks once in each phase waits for nobody. @return true */
static bool is_read_once(const struct actor *me, const struct epoch *e, struct older_read *out)
{
    if (insn_class(me->insn) == INSN_LOAD && is_of_phase(me, e) && phase_read_is_once(me, e->site)) {
        out->asked = true;
        out->relies = RELIES_ON_PHASE;
    }
    return true;
}

/** older_read() of what does not only look again. */
static bool read_relies(const struct actor *me, const struct shadow_word *c, const struct mem_access *a, int element, struct older_read *out)
{
    const struct sync *s = c->sync;
    struct signals known = {0};
    out->asked = true;
    out->relies = relies_on_last(me, c, a, element, out->write, &known);
    out->immaterial = (out->relies == RELIES_ON_SIGNAL && !epoch_heard(me, &c->write, chain_moment(s->chain, s->upto), no_signals(me, a, element, &c->write))) ||
                      (out->relies && older_is_immaterial(me, a, element, out->write->value));
    /* Nothing signals the last one, but one before it may be signalled, and missed all the same. */
    for (int i = s->pasts - 1; i > 0 && (!out->relies || out->immaterial) && may_miss(me, c, &s->past[i]); i--) {
        bool signalled = s->past[i].value != s->past[i - 1].value &&
                         (known.all ? known.of >> (s->pasts - i) & 1
                                    : epoch_signalled(me, &s->past[i].write, chain_moment(s->past[i].chain, s->past[i].upto), no_signals(me, a, element, &s->past[i].write))) &&
                         !comes_along(me, a, &s->past[i].write, element_place(me, a, me->lane, element));
        bool back = s->past[i - 1].value == newest_value(a, me->lane, element); /* what it held before, it holds again */
        bool immaterial = signalled && (back || older_is_immaterial(me, a, element, s->past[i - 1].value) ||
                                        !epoch_heard(me, &s->past[i].write, chain_moment(s->past[i].chain, s->past[i].upto), no_signals(me, a, element, &s->past[i].write)));
        if (signalled && (!out->relies || !immaterial))
            *out = (struct older_read){&s->past[i - 1], s->past[i].write, RELIES_ON_SIGNAL, immaterial, true};
    }
    if (!out->relies && is_of_phase(me, &c->write))
        out->relies = RELIES_ON_PHASE;
    return true;
}

bool older_read(const struct actor *me, const struct shadow_word *c, const struct mem_access *a, int element, struct older_read *out)
{
    const struct function *f = image_function_at(actor_image(me), me->insn);
    const struct sync *s = c->sync;
    struct past last = {.write = c->write, .chain = s->chain, .upto = s->upto, .seq = s->seq};
    if (!s->pasts || !may_miss(me, c, &last))
        return false;
    *out = (struct older_read){.write = &s->past[s->pasts - 1], .missed = c->write};
    bool polls = element_only_looks(f, me->insn, (unsigned)element);
    if ((polls && !older_ends_wait(me, f, out->write->value)) || (insn_class(me->insn) == INSN_ATOMIC && atomic_is_unused(me->race, me->insn, me->agent)))
        return is_read_once(me, &c->write, out);
    bool told = me->race->told_unheard; /* a poll's is asked as far as there is room; what is left is no more than a poll's */
    me->race->told_unheard |= polls;
    bool reads = read_relies(me, c, a, element, out);
    me->race->told_unheard = told;
    return reads;
}

/** Would an atomic that comes right before this write release to it? One that adds 0 is a write all the same (PTX ISA 8.10.3): the next
 *  read-modify-write would have read from it, and its thread might know what ours has done before. */
static bool would_hear(const struct actor *me, const struct epoch *next)
{
    const struct lane_state *ls = actor_lane(me);
    return insn_class(me->insn) == INSN_ATOMIC && (next->flags & EPOCH_RMW) &&
           (order_releases((enum mem_order)me->insn->mem.order) || (ls && ls->block_fence));
}

/* ---- Asked by the chooser ---- */

/** Is the word's last write, if there is one, ordered before the lane? False also where the word is
 *  told apart by bytes. */
static inline bool word_settled(struct actor *me, const struct mem_access *a, int lane, uint64_t address, uint32_t floor)
{
    if (a->space == SPACE_SHARED && stamp_is_behind(me, address / 4, (uint32_t)lane))
        return true; /* and the word need not be opened */
    const struct shadow_word *c = word_at(me, a, lane, address);
    const struct epoch *e = &c->write;
    if (c->flags & WORD_SPLIT)
        return false;
    if (e->agent < floor)
        return true;
    if (epoch_is_behind_barrier(me, e) && !me->bs->any_left)
        return true;
    actor_set_lane(me, lane);
    return epoch_ordered(me, e);
}

/** Is every write to what the lanes read ordered before it, as far as one look at all of it tells? */
static bool space_settled(const struct actor *me, const struct mem_access *a, uint32_t lanes, uint32_t floor)
{
    const struct allocation *last = NULL;
    if (a->space == SPACE_SHARED)
        return !me->home->shared_written && !me->home->any_left;
    for (uint32_t m = lanes; m; m &= m - 1) {
        const struct allocation *al = a->allocation[__builtin_ctz(m)];
        if (al != last && !shadow_is_older(al->shadow, floor))
            return false;
        last = al;
    }
    return true;
}

uint32_t race_unsettled(struct race *race, const struct warp *w, const struct mem_access *a, uint32_t lanes)
{
    const struct mem_desc *mem = &a->insn->mem;
    uint32_t left = 0, bytes = (uint32_t)mem->bytes * mem->count;
    if (a->space != SPACE_GLOBAL && a->space != SPACE_SHARED)
        return 0;
    struct actor me = actor_at(race, w, a);
    uint32_t floor = floor_of(&me, a);
    if (space_settled(&me, a, lanes, floor))
        return 0;
    if (mem->bytes < 4)
        return lanes;
    if (insn_class(a->insn) == INSN_ATOMIC && lanes == (a->mask & -a->mask)) /* the first of them; the others are asked next */
        atomics_fetch_ahead(&me, a, a->mask);
    for (uint32_t m = lanes; m; m &= m - 1) {
        int lane = __builtin_ctz(m);
        for (uint32_t at = 0; at < bytes; at += 4)
            if (!word_settled(&me, a, lane, a->address[lane] + at, floor)) {
                left |= 1u << lane;
                break;
            }
    }
    return left;
}

/** word_settled() of a plain load's lane. */
static bool lane_settled(struct actor *me, const struct plain_access *p, int lane, uint32_t floor)
{
    const struct stamps *st = me->home->stamps;
    const struct shadow_word *c = NULL;
    const struct epoch *e;
    if (p->space == SPACE_SHARED) {
        uint32_t word = p->at[lane] / 4, stamp = st ? st->write[word] : STAMP_OPENED;
        if (stamp != STAMP_OPENED)
            return is_before(me, stamp, (uint32_t)lane);
        c = &me->home->shared[word];
        e = &c->write;
    } else {
        const struct shadow_row *row = shadow_row_settled(shadow_row_at(p->allocation->shadow, p->at[lane]));
        c = row->words ? &row->words[p->at[lane] / 4 % ROW_WORDS] : NULL;
        e = c ? &c->write : &row->write;
    }
    if (c && (c->flags & WORD_SPLIT))
        return false;
    if (e->agent < floor || (epoch_is_behind_barrier(me, e) && !me->bs->any_left))
        return true;
    struct epoch own = c ? *e : shadow_row_epoch(e, p->at[lane] / 4 % ROW_WORDS);
    actor_set_lane(me, lane);
    return epoch_ordered(me, &own);
}

bool race_plain_settled(struct race *race, const struct warp *w, const struct plain_access *p)
{
    struct actor me;
    actor_begin_plain(&me, race, w, p->insn);
    uint32_t floor = floor_in(&me, p->space);
    if (p->space == SPACE_SHARED) {
        if (!me.home->shared_written && !me.home->any_left)
            return true;
        if (!stamps_begin_access(me.home) && !me.home->shared)
            return false;
    } else if (shadow_is_older(p->allocation->shadow, floor)) {
        return true;
    }
    for (uint32_t m = p->mask; m; m &= m - 1) /* of lanes that read one word the first may have written it itself */
        if (!lane_settled(&me, p, __builtin_ctz(m), floor))
            return false;
    return true;
}

/** Would wider fences make the last write one that must be seen? Nothing may hang on that where the thread only looks again. */
static bool would_be_seen(const struct actor *me, const struct shadow_word *c)
{
    return run_order_would_see(me, &c->write) || write_observed(me, c, c->sync->seq, run_order_would_see_read);
}

/** A load by which its thread goes another way, or which it uses, behind a fence that is too narrow somewhere. */
static void look_for_short_fence(const struct actor *me, const struct shadow_word *c, int element, struct older *out)
{
    if (!run_order_is_kept(me) || insn_class(me->insn) != INSN_LOAD ||
        element_only_looks(image_function_at(actor_image(me), me->insn), me->insn, (unsigned)element))
        return;
    bool seen = would_be_seen(me, c);
    out->short_fence = seen || run_order_is_short(me);
    if (seen && !run_order_is_weaker(me)) /* what the launch does may hang on its schedule; of a weaker fence the model is asked anyway */
        me->race->passed_over = me->race->agents.data[me->agent].launch->set;
}

bool race_older(struct race *race, const struct warp *w, const struct mem_access *a, int lane, int element, struct older *out)
{
    struct actor me = actor_at(race, w, a);
    struct unit units[16];
    struct outcome found = {0};
    uint8_t flags = flags_of(&a->insn->mem, false);
    actor_set_lane(&me, lane);
    uint32_t floor = floor_of(&me, a);
    int n = units_of(&me, a, lane, element, units);
    for (int i = 0; i < n; i++) {
        struct shadow_word *c = units[i].word;
        refresh(c, floor, settled_for(&me, a->space));
        found.unordered |= check_write(&me, c, flags, units[i].code, WRITE_THEN_READ, &found);
        check_tips(&me, c, flags, units[i].code, WRITE_THEN_READ, &found);
    }
    const struct shadow_word *first = units[0].word;
    *out = (struct older){.strong = (flags & EPOCH_STRONG) && (first->flags & WORD_SYNC)};
    if (!found.unordered)
        return false;
    if (!out->strong)
        return found.conflict && older_bytes(units, n, newest_value(a, lane, element), &out->value);
    struct older_read older;
    if (!older_read(&me, first, a, element, &older) || would_hear(&me, &older.missed))
        return false;
    out->value = older.write->value;
    out->relied_on = older.relies;
    if (!older.relies)
        look_for_short_fence(&me, first, element, out);
    return true;
}

bool race_atomics_matter(const struct race *race)
{
    return race->atomics_older;
}

bool race_passed_over(const struct race *race, uint64_t op)
{
    return race->passed_over == op;
}
