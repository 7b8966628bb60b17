/**
 * @file conflict.c
 * Is an access ordered after the last write of a word and the reads since, and if not, are both sides
 * morally strong?
 */
#include "check/race/chained_atomics.h"
#include "check/race/conflict.h"
#include "check/race/hidden_atomics.h"
#include "check/race/order.h"
#include "check/race/shadow/readers.h"

/** Are both units the same bytes of accesses of one size? In a word that is split each byte has a unit of its own, of which readers in sets from before know
 *  nothing: those have the word's. */
static bool overlap_completely(uint8_t unit, uint8_t other)
{
    unsigned size = unit >> 4; /* its logarithm */
    return unit == other || (size >= 2 && (unit ^ other) < 4);
}

bool morally_strong(const struct actor *me, uint8_t flags, uint8_t unit, uint32_t agent,
                           uint8_t their_flags, uint8_t their_unit)
{
    if (!(flags & EPOCH_STRONG) || !(their_flags & EPOCH_STRONG))
        return false;
    if (agent_is_host(me->race, agent))
        return reach_of(flags >> EPOCH_SCOPE_SHIFT) == REACH_SYSTEM; /* of whatever size it was */
    if (!overlap_completely(unit, their_unit))
        return false;
    enum reach mine = reach_of(flags >> EPOCH_SCOPE_SHIFT), theirs = reach_of(their_flags >> EPOCH_SCOPE_SHIFT);
    enum reach needed = agent == me->agent                         ? REACH_BLOCK
                        : same_cluster(me->race, agent, me->agent) ? REACH_CLUSTER
                        : same_device(me->race, me->agent, agent)  ? REACH_DEVICE
                                                                   : REACH_SYSTEM;
    return mine >= needed && theirs >= needed;
}

/** A read-modify-write, and a store by the host to its own memory: the one may overwrite what the other has stored since. */
static bool undoes_host(const struct actor *me, uint8_t flags, const struct epoch *write)
{
    return (flags & EPOCH_RMW) && agent_is_host(me->race, write->agent) && unit_is_pinned(write->unit);
}

bool with_last_write(const struct actor *me, const struct shadow_word *c, uint8_t flags,
                     uint8_t unit)
{
    return c->write.agent &&
           morally_strong(me, flags, unit, c->write.agent, c->write.flags, c->write.unit);
}

static bool any_sees(const struct actor *me, struct readers_walk *w, uint32_t seq,
                     bool (*sees)(const struct actor *me, const struct reader *r))
{
    for (const struct reader *r; (r = readers_next(w));)
        if (r->seq == seq && (r->flags & EPOCH_STRONG) && sees(me, r))
            return true;
    return false;
}

/** Has the thread itself? Who polls has, mostly, and asked so no clock is. */
static bool sees_itself(const struct actor *me, const struct shadow_word *c, uint32_t seq)
{
    struct readers_walk w;
    if (seq == c->sync->seq) /* of an older write what came later may have left it out */
        return readers_have_read(me->race->readers, c->read.time, me->agent, me->thread, seq);
    readers_walk_warp(&w, me->race->readers, c->read.time, me->agent, (uint32_t)me->warp->index);
    for (const struct reader *r; (r = readers_next(&w));)
        if (r->seq == seq && (r->flags & EPOCH_STRONG) && reader_has(r, me->thread))
            return true;
    return false;
}

static bool may_be_known(const void *me, uint32_t first, uint32_t last, uint32_t warp)
{
    return readers_may_be_known(me, first, last, warp, false);
}

static bool may_have_to_be_seen(const void *me, uint32_t first, uint32_t last, uint32_t warp)
{
    return readers_may_be_known(me, first, last, warp, true);
}

#define EVER 1 /* a moment: the first */

/** Has nothing that happened from `moment` on, outside of its block, come to the actor's knowledge? */
static bool learned_nothing_since(const struct actor *me, uint64_t moment)
{
    const struct lane_state *ls = actor_lane(me);
    return moment && me->bs->alone && me->bs->learned < moment && (!ls || ls->learned < moment);
}

/** Those of the actor's own block, of the write `seq`. */
static void walk_own(const struct actor *me, struct readers_walk *w, const struct shadow_word *c, uint32_t seq)
{
    readers_walk(w, me->race->readers, c->read.time);
    w->seq = seq;
    w->floor = w->ceiling = me->agent;
    readers_skip_weak(w);
}

bool write_observed(const struct actor *me, const struct shadow_word *c, uint32_t seq,
                    bool (*sees)(const struct actor *me, const struct reader *r))
{
    if (!(c->flags & WORD_SYNC) || !(c->read.flags & EPOCH_LIST) || !c->read.agent)
        return false;
    struct readers_walk w;
    if (sees_itself(me, c, seq))
        return true;
    uint64_t written = seq == c->sync->seq ? c->sync->written : EVER; /* when one before it was made is not known */
    if (learned_nothing_since(me, written)) { /* but by a barrier of its block or warp, perhaps */
        if (me->bs->met >= written) {
            walk_own(me, &w, c, seq);
            return any_sees(me, &w, seq, sees);
        }
        if (me->ws->warp_uniform <= me->bs->uniform)
            return false;
        readers_walk_warp(&w, me->race->readers, c->read.time, me->agent, (uint32_t)me->warp->index);
        return any_sees(me, &w, seq, sees);
    }
    walk_own(me, &w, c, seq);
    if (any_sees(me, &w, seq, sees))
        return true;
    readers_walk(&w, me->race->readers, c->read.time);
    w.seq = seq;
    w.wanted = sees == reader_known ? may_be_known : sees == reader_must_be_seen ? may_have_to_be_seen : NULL;
    w.who = me;
    readers_skip_weak(&w);
    return any_sees(me, &w, seq, sees);
}

/** Is the other access an atomic that would have done something else behind a store of what it leaves? Two that are not atomic together may take from each
 *  other, whatever they leave here; only what they exchange hangs on nothing. */
static bool tells(const struct actor *me, const struct outcome *out, const struct epoch *e)
{
    const struct launch *launch = me->race->agents.data[e->agent].launch;
    if (!(e->flags & EPOCH_RMW) || !launch)
        return false;
    const struct insn *in = image_site_insn(launch->grid.config.kernel->image, e->site);
    return atomic_tells(launch, in) || (out->updates && in->mem.atom != ATOM_EXCH);
}

void note_conflict(const struct actor *me, struct outcome *out, enum conflict kind, const struct epoch *other)
{
    bool agrees = out->agrees && !tells(me, out, other);
    if (out->conflict && (!out->same_value || agrees))
        return;
    out->conflict = true;
    out->same_value = agrees;
    out->kind = kind;
    out->other = *other;
}

static struct epoch reader_epoch(const struct reader *r)
{
    return (struct epoch){.agent = r->agent, .time = r->time, .site = r->site,
                          .thread = (uint16_t)reader_thread(r), .flags = r->flags, .unit = r->unit};
}

/** The first thread of an element that is not ordered before `me`. */
static struct epoch unordered_reader(const struct actor *me, const struct reader *r)
{
    struct epoch e = reader_epoch(r);
    for (uint32_t m = r->mask; m; m &= m - 1) {
        e.thread = (uint16_t)(r->warp * 32u + (uint32_t)__builtin_ctz(m));
        if (!epoch_ordered(me, &e))
            return e;
    }
    return e;
}

/** Are all elements with the flags and the unit of `r`, whoever's they are, morally strong with an access by `me`? Both
 *  reach as far as anybody is; the host's have a unit of their own. */
static bool strong_with_its_kind(const struct actor *me, uint8_t flags, uint8_t unit, const struct reader *r)
{
    enum reach needed = me->race->several ? REACH_SYSTEM : REACH_DEVICE;
    return r->unit == unit && (flags & r->flags & EPOCH_STRONG) && reach_of(flags >> EPOCH_SCOPE_SHIFT) >= needed &&
           reach_of(r->flags >> EPOCH_SCOPE_SHIFT) >= needed;
}

/** Does the access leave what the strong write before the last has left? What that was is known of the latest; of others, what has not changed since. */
static bool agrees_with_tip(const struct shadow_word *c, const struct reader *r, const struct outcome *out, bool agrees)
{
    const struct sync *s = c->sync;
    for (int i = s->pasts - 1; i >= 0; i--) {
        const struct epoch *w = &s->past[i].write;
        if (s->past[i].seq == r->seq && w->agent == r->agent && w->time == r->time && w->site == r->site && r->mask == 1u << w->thread % WARP_LANES)
            return out->leaving && memcmp(&s->past[i].value, &out->now, out->leaving) == 0;
    }
    return agrees && r->seq >= s->same_since;
}

void check_tips(const struct actor *me, const struct shadow_word *c, uint8_t flags, uint8_t unit,
                enum conflict kind, struct outcome *out)
{
    if (!(c->flags & WORD_SYNC))
        return;
    check_hidden(me, c, flags, unit, kind, out);
    if (!c->sync->tips)
        return;
    struct readers_walk w;
    readers_walk(&w, me->race->readers, c->sync->tips);
    w.floor = me->bs->floor;
    const bool agrees = out->agrees;
    for (const struct reader *r; (r = readers_next(&w));) {
        bool together = morally_strong(me, flags, unit, r->agent, r->flags, r->unit);
        if (together && strong_with_its_kind(me, flags, unit, r))
            readers_skip(&w, r);
        if (together || r->agent < me->bs->floor || reader_ordered(me, r) || write_observed(me, c, r->seq, reader_known))
            continue;
        struct epoch e = unordered_reader(me, r);
        out->agrees = agrees_with_tip(c, r, out, agrees);
        note_conflict(me, out, kind, &e);
        if (!out->same_value)
            break;
    }
    out->agrees = agrees;
}

/** Was what wrote the word, which is ordered before, over before this kernel began, or was launched from a kernel? Then it only reads there. */
static bool before_this_kernel(const struct actor *me, const struct epoch *write)
{
    const struct launch *theirs = me->race->agents.data[write->agent].launch;
    const struct launch *mine = me->race->agents.data[me->agent].launch;
    if (!theirs)
        return write->agent < me->bs->floor || write->time <= mine->host_time;
    return agent_passed_by_launch(me, write->agent) || (theirs != mine && theirs->root == mine->root) ||
           (mine->wait_agent && op_set_has(&mine->behind, theirs->op));
}

bool check_write(const struct actor *me, const struct shadow_word *c, uint8_t flags, uint8_t unit,
                 enum conflict kind, struct outcome *out)
{
    if (!c->write.agent)
        return false;
    if (epoch_ordered(me, &c->write)) {
        /* A non-coherent load may miss any write of its own launch, even its own thread's (CUDA C++ Programming Guide, "Read/Write Coherency"; an H200:
           tests/gpu/read_only_h200.txt). */
        if ((flags & EPOCH_NC) && !before_this_kernel(me, &c->write))
            note_conflict(me, out, kind, &c->write);
        return false;
    }
    if ((c->flags & WORD_SYNC) && write_observed(me, c, c->sync->seq, reader_known))
        return false;
    if (!morally_strong(me, flags, unit, c->write.agent, c->write.flags, c->write.unit) || undoes_host(me, flags, &c->write))
        note_conflict(me, out, kind, &c->write);
    return true;
}

/* ---- Writes against reads ---- */

/** @return true if an unordered strong read is among them, or was before */
static bool check_readers(const struct actor *me, struct readers_walk *w, bool strong_left, uint8_t flags,
                          uint8_t unit, struct outcome *out)
{
    for (const struct reader *r; (r = readers_next(w));) {
        bool strong = r->flags & EPOCH_STRONG;
        bool together = morally_strong(me, flags, unit, r->agent, r->flags, r->unit);
        bool told = out->conflict && !out->same_value;
        bool known_kind = strong ? strong_left && (told || together) : told;
        /* Neither this one nor others like it have anything new to tell. */
        if (known_kind && (told || strong_with_its_kind(me, flags, unit, r)))
            readers_skip(w, r);
        if (known_kind || r->agent < me->bs->floor || reader_ordered(me, r))
            continue;
        strong_left |= strong;
        if (told || together)
            continue;
        struct epoch e = unordered_reader(me, r);
        note_conflict(me, out, READ_THEN_WRITE, &e);
    }
    return strong_left;
}

/** Two stores that leave the same hide no read of the first one's thread before its store. (Any other conflict between the stores is an error itself.) */
static void check_kept(const struct actor *me, const struct shadow_word *c, struct outcome *out)
{
    const struct epoch e = epoch_kept(&c->write, &c->read);
    if (!out->same_value || !e.agent || epoch_ordered(me, &e))
        return;
    note_conflict(me, out, READ_THEN_WRITE, &e);
    out->kept = true;
}

bool check_reads(const struct actor *me, const struct shadow_word *c, uint8_t flags, uint8_t unit,
                 struct outcome *out)
{
    bool strong_left = false;
    if (!c->read.agent) {
        check_kept(me, c, out);
        return false;
    }
    if (!(c->read.flags & EPOCH_LIST)) {
        if (epoch_ordered(me, &c->read))
            return false;
        if (!morally_strong(me, flags, unit, c->read.agent, c->read.flags, c->read.unit))
            note_conflict(me, out, READ_THEN_WRITE, &c->read);
        return c->read.flags & EPOCH_STRONG;
    }
    struct readers_walk w; /* through the newest reader's warp first: it is the one to name */
    readers_walk_warp(&w, me->race->readers, c->read.time, c->read.agent - (c->read.thread >> 5),
                      c->read.thread & 31);
    strong_left = check_readers(me, &w, strong_left, flags, unit, out);
    readers_walk(&w, me->race->readers, c->read.time);
    w.floor = me->bs->floor;
    return check_readers(me, &w, strong_left, flags, unit, out);
}
