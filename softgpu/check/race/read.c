/**
 * @file read.c
 * Loads. One may have been shown an older value where the model allows it (older.c says where).
 */
#include "check/race/accesses.h"
#include "check/race/conflict.h"
#include "check/race/element.h"
#include "check/race/explain.h"
#include "check/race/looked.h"
#include "check/race/older_read.h"
#include "check/race/order.h"
#include "check/race/range_reads.h"
#include "check/race/shadow/read_log.h"
#include "check/race/shadow/reader_group.h"
#include "check/race/shadow/readers.h"
#include "check/race/sync.h"

static struct reader element_of(const struct actor *me, uint32_t lanes, uint8_t flags, uint8_t unit,
                                uint32_t seq)
{
    return (struct reader){.agent = me->as_agent ? me->as_agent : me->agent,
                           .time = me->as_agent ? me->as_time : me->time, .site = me->insn->site,
                           .mask = lanes, .seq = seq, .warp = (uint16_t)me->warp->index,
                           .flags = flags, .unit = unit};
}

/** Is whoever comes after the actor's read ordered after `r`, too? Who has waited for an asynchronous copy need not have heard of its thread. */
static bool speaks_for(const struct actor *me, const struct epoch *r)
{
    return !me->as_agent || (r->agent == me->as_agent && r->thread == me->thread);
}

/** One reader in place of another one that is ordered before it, or of none. @return false: that does not do */
static bool remember_one(const struct actor *me, struct shadow_word *c, uint32_t lanes, uint8_t flags, uint8_t unit)
{
    struct epoch *r = &c->read;
    bool single = (lanes & (lanes - 1)) == 0;
    if (!single || (r->agent && ((r->flags & EPOCH_LIST) || r->flags != flags || r->unit != unit || !epoch_ordered(me, r) || !speaks_for(me, r))))
        return false;
    *r = epoch_of(me, flags, unit);
    return true;
}

void remember_plain_read(const struct actor *me, const struct mem_access *a, struct shadow_word *c, uint64_t address,
                         uint32_t lanes, uint8_t flags, uint8_t unit)
{
    const struct allocation *al = a->space == SPACE_GLOBAL ? a->allocation[me->lane] : NULL;
    struct reader element = element_of(me, lanes, flags, unit, 0);
    if (!al || (c->flags & (WORD_SPLIT | WORD_SYNC))) {
        remember_read(me, c, lanes, flags, unit, 0);
        return;
    }
    if (remember_one(me, c, lanes, flags, unit) || word_group_add(c, &element, false))
        return;
    if (range_load_one(me, a, address, lanes, flags, unit))
        return;
    const struct launch *launch = me->race->agents.data[me->agent].launch;
    read_log_put_by(al->shadow, (address - (al->base & ~3ull)) / 4, c, me->bs->floor, launch->floor == launch->first_agent, me->race->readers);
    remember_read(me, c, lanes, flags, unit, 0);
}

/** The word has this reader, as a set. Of reads of older writes those stay that may be asked about: of strong writes that the last one did not
 *  supersede (check_tips()), and of those which a read may still miss (may_miss(): not the oldest that is kept, before which nothing is known).
 *  Whoever has heard of a thread between two of its reads must see what the first has seen, and need not see what the second has. */
static void remember_in_set(const struct actor *me, struct shadow_word *c, struct reader element)
{
    struct readers *rs = me->race->readers;
    const struct sync *s = c->flags & WORD_SYNC ? c->sync : NULL;
    if (!s || (!s->tips && s->pasts < 2))
        word_remember_read(rs, c, element, PRUNE_OLDER);
    else
        word_remember_strong_read(rs, c, element, readers_newest(rs, s->tips), s->pasts > 1 ? s->past[1].seq : s->seq);
}

void remember_read(const struct actor *me, struct shadow_word *c, uint32_t lanes, uint8_t flags,
                   uint8_t unit, uint32_t seq)
{
    if (!seq && remember_one(me, c, lanes, flags, unit))
        return;
    bool in_shared = me->home->shared && c >= me->home->shared && c < me->home->shared + me->home->shared_words;
    struct reader element = element_of(me, lanes, flags, unit, seq);
    if (!word_group_add(c, &element, in_shared))
        remember_in_set(me, c, element);
}

/* ---- Strong reads of one word by lanes of a warp ---- */

void reads_together_end(const struct actor *me)
{
    struct reads_together *t = me->together;
    if (!t || !t->element.mask)
        return;
    remember_in_set(me, t->word, t->element);
    t->element.mask = 0;
}

/** remember_read() of the actor's lane, perhaps with those that come after it. No lane of the access is ordered after another one's read,
 *  which is at the present time of its thread: so none asks about it. */
static void remember_together(const struct actor *me, struct shadow_word *c, uint8_t flags, uint8_t unit, uint32_t seq)
{
    struct reads_together *t = me->together;
    struct reader e = element_of(me, 1u << me->lane, flags, unit, seq);
    if (t && t->element.mask && t->word == c && t->element.agent == e.agent && t->element.time == e.time && t->element.seq == seq &&
        t->element.flags == flags && t->element.unit == unit) {
        t->element.mask |= e.mask;
        return;
    }
    reads_together_end(me);
    if (!t || !seq || !(c->read.flags & EPOCH_LIST) || !c->read.agent) { /* the first one may make a list of what it finds */
        remember_read(me, c, e.mask, flags, unit, seq);
        return;
    }
    t->word = c;
    t->element = e;
}

/** Did the last write, a plain one, leave the value as it was? */
static bool is_unchanged(const struct unit *units, int n, uint64_t now)
{
    uint64_t old;
    for (int i = 0; i < n; i++)
        if (!(units[i].word->flags & WORD_OLD) || (units[i].word->write.flags & EPOCH_STRONG) || units[i].offset >= 8)
            return false;
    return !older_bytes(units, n, now, &old);
}

static void report_load(const struct actor *me, const struct mem_access *a, int element,
                        const struct outcome *out, enum reliance ordering, bool has_old, bool shown,
                        uint64_t old, uint64_t now, bool unchanged)
{
    struct conflict_info info = {.conflict = out->kind, .other = &out->other,
                                 .space = (enum ptx_space)a->space,
                                 .address = a->address[me->lane] +
                                            (uint64_t)element * me->insn->mem.bytes,
                                 .has_value = me->insn->mem.bytes <= 8, .now = now, .before = now,
                                 .has_old = has_old, .shown = shown && old != now, .old = old, .unchanged = unchanged,
                                 .not_coherent = me->insn->mem.order == ORDER_NC, .texture = me->insn->mem.texture,
                                 .ordering_only = ordering != RELIES_NOT, .in_step = ordering == RELIES_ON_STEP, .turn_ahead = ordering == RELIES_ON_TURN,
                                 .phase = ordering == RELIES_ON_PHASE};
    reads_together_end(me); /* what is told may hang on them */
    explain(me, &info);
}

/** Has this read returned an older write? */
static bool is_shown(const struct mem_access *a, int lane, int element)
{
    return a->older[element] >> lane & 1;
}

/** A poll: the thread has read this very write by this instruction before, and done nothing since from which it
 *  could have learned. */
static bool is_repeated(const struct actor *me, const struct release_chain *m, int upto)
{
    const struct lane_state *ls = actor_lane(me);
    const struct observed *o = ls ? observed_find(&ls->observed, m, me->thread) : NULL;
    uint8_t reach = (uint8_t)reach_of(order_scope(&me->insn->mem));
    return o && o->upto == upto && o->time == me->time && o->site == me->insn->site && o->reach >= reach &&
           (o->acquired >= reach || !order_acquires((enum mem_order)me->insn->mem.order));
}

void read_strong(struct actor *me, const struct mem_access *a, int element, struct shadow_word *c,
                 struct outcome *out, bool failed_cas)
{
    struct sync *s = c->sync;
    struct release_chain *m = s->chain;
    int upto = s->upto;
    uint32_t seq = s->seq;
    struct older_read older = {0};
    bool may_miss = out->unordered && !failed_cas && older_read(me, c, a, element, &older);
    bool shown = may_miss && is_shown(a, me->lane, element), repeated = false;
    look_begins(me, c);
    if (shown) {
        m = older.write->chain;
        upto = older.write->upto;
        seq = older.write->seq;
    }
    if (older.immaterial) {
        me->race->passed_over = me->race->agents.data[me->agent].launch->set;
    } else if (older.relies) {
        struct outcome order = *out;
        uint64_t now = newest_value(a, me->lane, element), value = older.write->value;
        order.kind = WRITE_THEN_READ;
        order.other = older.missed;
        report_load(me, a, element, &order, older.relies, value != now, shown, value, now, false);
    }
    repeated = m && !out->conflict && is_repeated(me, m, upto);
    if (!repeated) {
        if (m && !out->conflict) /* who is not morally strong with the writer observes nothing */
            sync_observe(me, m, upto, &me->insn->mem);
        sync_read_sc(me, s);
    }
    if (repeated && !shown && !older.asked)
        look_is_idle(me, c);
    remember_together(me, c, flags_of(&me->insn->mem, false), (uint8_t)(log2_of(me->insn->mem.bytes) << 4), out->conflict ? 0 : seq);
}

void load_element(struct actor *me, const struct mem_access *a, int element)
{
    struct unit units[16];
    uint32_t floor = floor_of(me, a);
    uint8_t flags = flags_of(&me->insn->mem, false);
    struct outcome out = {0};
    check_before_split(me, a, element, flags, WRITE_THEN_READ, &out);
    int n = units_of(me, a, me->lane, element, units);
    for (int i = 0; i < n; i++) {
        struct shadow_word *c = units[i].word;
        refresh(c, floor, settled_for(me, a->space));
        out.unordered |= check_write(me, c, flags, units[i].code, WRITE_THEN_READ, &out);
        check_tips(me, c, flags, units[i].code, WRITE_THEN_READ, &out);
        bool first_strong = i == 0 && (flags & EPOCH_STRONG) && (c->flags & WORD_SYNC);
        if (!first_strong)
            remember_read(me, c, 1u << me->lane, flags, units[i].code,
                          flags & EPOCH_STRONG ? seq_of(c) : 0);
    }
    struct shadow_word *first = units[0].word;
    bool strong = (flags & EPOCH_STRONG) && (first->flags & WORD_SYNC);
    if (out.conflict) {
        uint64_t now = newest_value(a, me->lane, element), old = now;
        bool has_old = out.unordered && older_bytes(units, n, now, &old);
        bool shown = has_old && !strong && is_shown(a, me->lane, element);
        report_load(me, a, element, &out, RELIES_NOT, has_old, shown, old, now, !strong && is_unchanged(units, n, now));
    }
    if (strong)
        read_strong(me, a, element, first, &out, false);
}

/** Was the element's last write made by the writer of another's, and later? */
static bool is_later(const struct shadow_word *c, const struct shadow_word *than)
{
    return c->write.agent == than->write.agent && c->write.thread == than->write.thread && c->write.time > than->write.time;
}

void load_elements(struct actor *me, const struct mem_access *a)
{
    struct unit units[16];
    const struct shadow_word *word[MAX_ELEMENTS];
    int order[MAX_ELEMENTS], count = a->insn->mem.count;
    bool parts = count > 1 && order_is_strong(&a->insn->mem);
    for (int e = 0; e < count; e++) {
        int at = e;
        if (parts) {
            units_of(me, a, me->lane, e, units);
            word[e] = units[0].word;
        }
        for (; parts && at > 0 && is_later(word[e], word[order[at - 1]]); at--)
            order[at] = order[at - 1];
        order[at] = e;
    }
    for (int i = 0; i < count; i++)
        load_element(me, a, order[i]);
}
