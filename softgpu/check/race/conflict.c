/**
 * @file conflict.c
 * Is an access ordered after the last write of a word and the reads since, and if not, are both sides
 * morally strong?
 */
#include "check/race/element.h"
#include "check/race/order.h"

bool morally_strong(const struct actor *me, uint8_t flags, uint8_t unit, uint32_t agent,
                    uint8_t their_flags, uint8_t their_unit)
{
    if (!(flags & EPOCH_STRONG) || !(their_flags & EPOCH_STRONG))
        return false;
    if (agent_is_host(me->race, agent))
        return reach_of(flags >> EPOCH_SCOPE_SHIFT) == REACH_SYSTEM; /* of whatever size it was */
    if (unit != their_unit)
        return false;
    return agent == me->agent || (scope_is_wide(flags >> EPOCH_SCOPE_SHIFT) &&
                                  scope_is_wide(their_flags >> EPOCH_SCOPE_SHIFT));
}

bool with_last_write(const struct actor *me, const struct shadow_word *c, uint8_t flags,
                     uint8_t unit)
{
    return c->write.agent &&
           morally_strong(me, flags, unit, c->write.agent, c->write.flags, c->write.unit);
}

bool write_observed(const struct actor *me, const struct shadow_word *c, uint32_t seq,
                    bool (*sees)(const struct actor *me, const struct reader *r))
{
    if (!(c->flags & WORD_SYNC) || !(c->read.flags & EPOCH_LIST) || !c->read.agent)
        return false;
    for (uint32_t i = c->read.time; i;) {
        const struct reader *r = readers_at(me->race->readers, i);
        if (r->seq == seq && (r->flags & EPOCH_STRONG) && sees(me, r))
            return true;
        i = r->rest;
    }
    return false;
}

static void note_conflict(struct outcome *out, enum conflict kind, const struct epoch *other)
{
    if (out->conflict)
        return;
    out->conflict = true;
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
        uint32_t bit = (uint32_t)__builtin_ctz(m);
        uint32_t first = r->warp == WHOLE_WARPS ? bit * WARP_LANES : r->warp * 32u + bit;
        for (uint32_t t = first; t < first + (r->warp == WHOLE_WARPS ? WARP_LANES : 1u); t++) {
            e.thread = (uint16_t)t;
            if (!epoch_ordered(me, &e))
                return e;
        }
    }
    return e;
}

void check_tips(const struct actor *me, const struct shadow_word *c, uint8_t flags, uint8_t unit,
                enum conflict kind, struct outcome *out)
{
    if (!(c->flags & WORD_SYNC))
        return;
    for (uint32_t i = c->sync->tips; i;) {
        const struct reader *r = readers_at(me->race->readers, i);
        i = r->rest;
        if (r->agent < me->bs->floor || reader_ordered(me, r) ||
            morally_strong(me, flags, unit, r->agent, r->flags, r->unit) ||
            write_observed(me, c, r->seq, reader_ordered))
            continue;
        struct epoch e = unordered_reader(me, r);
        note_conflict(out, kind, &e);
        return;
    }
}

bool check_write(const struct actor *me, const struct shadow_word *c, uint8_t flags, uint8_t unit,
                 enum conflict kind, struct outcome *out)
{
    if (!c->write.agent)
        return false;
    if (epoch_ordered(me, &c->write)) {
        /* A non-coherent load may miss any write of its own launch. */
        if ((flags & EPOCH_NC) && c->write.agent >= me->bs->floor &&
            !(c->write.agent == me->agent && c->write.thread == me->thread))
            note_conflict(out, kind, &c->write);
        return false;
    }
    if ((c->flags & WORD_SYNC) && write_observed(me, c, c->sync->seq, reader_ordered))
        return false;
    if (!morally_strong(me, flags, unit, c->write.agent, c->write.flags, c->write.unit))
        note_conflict(out, kind, &c->write);
    return true;
}

/* ---- Writes against reads ---- */

bool check_reads(const struct actor *me, const struct shadow_word *c, uint8_t flags, uint8_t unit,
                 struct outcome *out)
{
    bool strong_left = false;
    if (!c->read.agent)
        return false;
    if (!(c->read.flags & EPOCH_LIST)) {
        if (epoch_ordered(me, &c->read))
            return false;
        if (!morally_strong(me, flags, unit, c->read.agent, c->read.flags, c->read.unit))
            note_conflict(out, READ_THEN_WRITE, &c->read);
        return c->read.flags & EPOCH_STRONG;
    }
    for (uint32_t i = c->read.time; i;) {
        const struct reader *r = readers_at(me->race->readers, i);
        i = r->rest;
        if (r->agent < me->bs->floor || reader_ordered(me, r))
            continue;
        strong_left |= r->flags & EPOCH_STRONG;
        if (out->conflict || morally_strong(me, flags, unit, r->agent, r->flags, r->unit))
            continue;
        struct epoch e = unordered_reader(me, r);
        note_conflict(out, READ_THEN_WRITE, &e);
    }
    return strong_left;
}
