/**
 * @file earlier.c
 * See earlier.h. The writes that are made again are the last ones, up to the newest that the thread has seen a signal of: stores,
 * and atomics whose result nobody uses, of the same bytes.
 */
#include "check/race/earlier.h"

#include "analyse/paths.h"
#include "base/mix.h"
#include "check/race/clock/chain_moments.h"
#include "check/race/conflict.h"
#include "check/race/earlier_made.h"
#include "check/race/explain.h"
#include "check/race/older_read.h"
#include "check/race/shadow/readers.h"
#include "check/race/sync.h"
#include "execute/atomic_compute.h"
#include "execute/lane_values.h"

/* ---- Writes that can be made again ---- */

static const struct insn *insn_of(const struct actor *me, const struct epoch *e)
{
    const struct launch *l = me->race->agents.data[e->agent].launch;
    return l ? image_site_insn(l->grid.config.kernel->image, e->site) : NULL;
}

static bool is_alone(const struct insn *in)
{
    return in->mem.count <= 1 && in->mem.bytes <= 8;
}

bool atomic_is_unused(struct race *race, const struct insn *in, uint32_t agent)
{
    struct known_use *known = &race->uses[mix64((uintptr_t)in) % (sizeof race->uses / sizeof race->uses[0])];
    const struct image *im = race->agents.data[agent].launch->grid.config.kernel->image;
    const struct function *f = image_function_at(im, in);
    if (element_target(in, 0) == REG_NONE)
        return true;
    if (known->in != in)
        *known = (struct known_use){in, f && !path_reads(f, in + 1, element_target(in, 0))};
    return known->unused;
}

/** Is it a write from which nobody learns what was there before, and which leaves what its operand and that make? */
static bool can_be_again(const struct actor *me, const struct past *w, uint8_t unit)
{
    const struct insn *in = w->write.agent && (w->write.flags & EPOCH_STRONG) && w->write.unit == unit ? insn_of(me, &w->write) : NULL;
    if (!in || !is_alone(in) || !w->chain || !w->has_operand)
        return false;
    if (!(w->write.flags & EPOCH_RMW))
        return insn_class(in) == INSN_STORE;
    return insn_class(in) == INSN_ATOMIC && in->mem.atom != ATOM_CAS && atomic_is_unused(me->race, in, w->write.agent);
}

static uint64_t again(const struct insn *in, uint64_t value, uint64_t operand, bool global)
{
    return insn_class(in) == INSN_STORE ? operand : atomic_compute(&in->mem, value, operand, global);
}

uint64_t earlier_again(const struct earlier *e, uint64_t value, bool global)
{
    for (int i = 0; i < e->count; i++)
        value = again(e->again[i].in, value, e->again[i].operand, global);
    return value;
}

bool earlier_operand(const struct actor *me, const struct mem_access *a, uint64_t *operand)
{
    const struct mem_desc *d = &me->insn->mem;
    uint64_t mask = d->bytes >= 8 ? UINT64_MAX : (1ull << 8 * d->bytes) - 1;
    if (insn_class(me->insn) != INSN_ATOMIC || !is_alone(me->insn) || d->atom == ATOM_CAS)
        return false;
    *operand = reg_read(me->warp, element_operand(me->insn, 0), d->reg_bytes, me->lane) & mask;
    /* The result may have taken its register. */
    return atomic_compute(d, a->old[0][me->lane], *operand, a->space == SPACE_GLOBAL) == a->value[0][me->lane];
}

/* ---- Asked by the chooser ---- */

/** The i-th write from the last one, 0. */
static struct past write_from_last(const struct shadow_word *c, int i)
{
    const struct sync *s = c->sync;
    if (i)
        return s->past[s->pasts - i];
    return (struct past){.write = c->write, .chain = s->chain, .upto = s->upto, .seq = s->seq, .operand = s->operand,
                         .has_operand = s->has_operand, .was_read = c->read.agent && (c->read.flags & EPOCH_LIST)};
}

static uint64_t value_before(const struct shadow_word *c, int i)
{
    return c->sync->past[c->sync->pasts - 1 - i].value;
}

/** Some of the last writes of a location. */
struct among {
    int count;
    uint32_t missed;    /**< bit i: the i-th from the last, 0, comes after the read-modify-write; the others before all those */
};

/** Do writes that it must see stand behind one that it misses? Then they have come before that one, too. */
static bool changes_order(const struct among *m)
{
    return m->missed != (1u << m->count) - 1; /* its oldest is one that is missed */
}

/** Which of the last writes may it come before, if the program relies on the order with one? count 0: none, or it does not. */
static struct among may_come_before(const struct actor *me, const struct shadow_word *c, const struct mem_access *a, uint8_t unit)
{
    uint64_t place = element_place(me, a, me->lane, 0), after = newest_value(a, me->lane, 0);
    struct among m = {0};
    bool one_chain = true;
    for (int i = 0; i < c->sync->pasts; after = value_before(c, i), i++) {
        struct past w = write_from_last(c, i);
        if (w.was_read || !can_be_again(me, &w, unit))
            break;
        one_chain &= w.chain == c->sync->chain;
        if (!may_miss(me, c, &w))
            continue;
        m.missed |= 1u << i;
        m.count = i + 1;
        if (after != value_before(c, i) && epoch_signalled(me, &w.write, chain_moment(w.chain, w.upto), (struct places){place, place}))
            return changes_order(&m) && !one_chain ? (struct among){0} : m;
    }
    return (struct among){0};
}

static void add_again(const struct actor *me, struct earlier *e, const struct past *w)
{
    e->again[e->count].in = insn_of(me, &w->write);
    e->again[e->count].operand = w->operand;
    e->count++;
}

bool race_earlier(struct race *race, const struct warp *w, const struct mem_access *a, int lane, struct earlier *out)
{
    struct actor me = actor_at(race, w, a);
    struct unit units[16];
    struct earlier seen = {0};
    actor_set_lane(&me, lane);
    int n = units_of(&me, a, lane, 0, units);
    for (int i = 0; i < n; i++)
        refresh(units[i].word, floor_of(&me, a), settled_for(&me, a->space));
    const struct shadow_word *c = units[0].word;
    if (!is_alone(a->insn) || !(c->flags & WORD_SYNC) || !with_last_write(&me, c, flags_of(&a->insn->mem, true), units[0].code))
        return false;
    if (atomic_is_unused(race, a->insn, me.agent)) /* asked first, for it costs nothing: in a histogram each atomic would search for signals */
        return false;
    struct among m = may_come_before(&me, c, a, units[0].code);
    if (!m.count)
        return false;
    race->earlier[lane].among = m.count;
    race->earlier[lane].missed = m.missed;
    race->earlier[lane].now = newest_value(a, lane, 0);
    out->count = 0;
    for (int i = m.count - 1; i >= 0; i--) {
        struct past one = write_from_last(c, i);
        add_again(&me, m.missed >> i & 1 ? out : &seen, &one);
    }
    out->reads = earlier_again(&seen, value_before(c, m.count - 1), a->space == SPACE_GLOBAL);
    return true;
}

/* ---- It has been one ---- */

/** What a reader of one of them may learn is what all of them tell. */
static struct past mine(const struct actor *me, struct sync *s, uint64_t value, uint8_t unit)
{
    return (struct past){.write = epoch_of(me, flags_of(&me->insn->mem, true), unit), .value = value, .chain = s->chain,
                         .upto = s->upto, .seq = ++s->seq};
}

/** Adds an older write, the newest so far. */
static void push(struct past *to, int *n, const struct past *w)
{
    if (*n == MAX_PAST) {
        chain_drop(to[0].chain);
        memmove(&to[0], &to[1], (MAX_PAST - 1) * sizeof *to);
        --*n;
    }
    to[*n] = *w;
    chain_ref(to[(*n)++].chain);
}

/** The last writes in the order that they now have, with the read-modify-write, which leaves `value`, and what each of them leaves: those
 *  that it has missed behind it, the others before. */
static void put_in_order(const struct actor *me, struct shadow_word *c, const struct among *m, uint64_t value, uint8_t unit, bool global)
{
    struct sync *s = c->sync;
    struct past w[MAX_PAST + 1];
    int n = 0, own = m->count - __builtin_popcount(m->missed), first = s->pasts - m->count;
    uint64_t left = s->past[first].value;
    bool moved = changes_order(m);
    s->chain->moved = true;
    for (int missed = 0; missed < 2; missed++) {
        for (int i = m->count - 1; i >= 0; i--)
            if ((int)(m->missed >> i & 1) == missed) {
                w[n] = write_from_last(c, i);
                w[n].upto = moved ? s->upto : w[n].upto;
                chain_ref(w[n++].chain);
            }
        if (!missed)
            w[n++] = mine(me, s, value, unit);
    }
    chain_ref(w[own].chain);
    while (s->pasts > first + 1)
        chain_drop(s->past[--s->pasts].chain);
    for (int i = 0; i < n; i++) {
        left = i == own ? value : again(insn_of(me, &w[i].write), left, w[i].operand, global);
        w[i].value = left;
        if (i + 1 < n)
            push(s->past, &s->pasts, &w[i]);
    }
    c->write = w[n - 1].write;
    s->operand = w[n - 1].operand;
    s->seq++; /* nobody has read the last one yet */
    for (int i = 0; i < n; i++)
        chain_drop(w[i].chain);
}

static void tell(const struct actor *me, const struct mem_access *a, const struct epoch *missed)
{
    struct conflict_info info = {.conflict = WRITE_THEN_READ, .other = missed, .space = (enum ptx_space)a->space,
                                 .address = a->address[me->lane], .has_value = true, .now = me->race->earlier[me->lane].now,
                                 .before = me->race->earlier[me->lane].now, .has_old = true, .shown = true,
                                 .old = a->old[0][me->lane], .ordering_only = true, .update = true};
    explain(me, &info);
}

/** It is none that others follow: they follow the last write, as they did. */
static void remember_beside(struct actor *me, struct shadow_word *c, uint8_t unit)
{
    struct sync *s = c->sync;
    struct reader tip = {.agent = me->agent, .time = me->time, .site = me->insn->site, .mask = 1u << me->lane, .seq = s->seq,
                         .warp = (uint16_t)me->warp->index, .flags = flags_of(&me->insn->mem, true), .unit = unit};
    s->tips = readers_add(me->race->readers, s->tips, tip, PRUNE_NONE);
    s->written = ++me->race->moment;
}

void earlier_made(struct actor *me, const struct mem_access *a, const struct unit *units, int n)
{
    struct shadow_word *c = units[0].word;
    struct sync *s = c->sync;
    struct among m = {me->race->earlier[me->lane].among, me->race->earlier[me->lane].missed};
    const struct past before = s->past[s->pasts - m.count], missed = write_from_last(c, m.count - 1);
    tell(me, a, &missed.write);
    if (before.chain)
        sync_observe(me, before.chain, before.upto, &me->insn->mem);
    sync_learn_reads(me, s);
    sync_learn_chain(me, before.chain, before.upto);
    put_in_order(me, c, &m, a->value[0][me->lane], units[0].code, a->space == SPACE_GLOBAL);
    for (int i = 0; i < n; i++)
        if (units[i].word->flags & WORD_SYNC)
            remember_beside(me, units[i].word, units[i].code);
    s->upto = sync_publish(me, s->chain, s->chain, &me->insn->mem, false);
}
