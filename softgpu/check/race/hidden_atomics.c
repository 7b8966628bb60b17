/**
 * @file hidden_atomics.c
 * See hidden_atomics.h.
 */
#include "check/race/hidden_atomics.h"

#include "check/race/conflict.h"
#include "check/race/order.h"

/** Where atomics are heard, so many are asked about for one access, and of one chain, one of another block counting as several of the own: all blocks
 *  may read what all have added to. */
#define MOST_ASKED 4096
#define MOST_OF_CHAIN 16384
#define OTHERS_COUNT 16

/** Before whom of the actor's block does the contribution lie, besides the actor? @return false: not before the actor either */
static bool lies_before(const struct actor *me, const struct epoch *e, enum behind_whom *whom)
{
    if (epoch_passed_by_all(me, e) || agent_passed_by_launch(me, e->agent))
        return true;
    if (!epoch_ordered(me, e))
        return false;
    bool by_warp = e->agent == me->agent && e->thread / WARP_LANES == me->thread / WARP_LANES && e->time <= me->ws->warp_uniform;
    if (!by_warp)
        *whom = BEHIND_THREAD;
    else if (*whom == BEHIND_BLOCK)
        *whom = BEHIND_WARP;
    return true;
}

/** How many of the chain's contributions are known to lie before the actor. */
static int known_behind(const struct actor *me, const struct chain_behind *b)
{
    bool same = b->agent == me->agent && (b->whom == BEHIND_BLOCK || b->thread == me->thread ||
                                          (b->whom == BEHIND_WARP && b->thread / WARP_LANES == me->thread / WARP_LANES));
    return same ? b->upto : 0;
}

/** When it was made: what a copy adds is complete when the copy is. */
static struct epoch contribution_epoch(const struct release_chain *m, int i, uint8_t unit)
{
    const struct contribution *c = &m->from.data[i];
    const struct passed *copy = c->beside ? chain_passed(m, i) : NULL;
    static const uint8_t scopes[] = {[REACH_BLOCK] = SCOPE_CTA, [REACH_CLUSTER] = SCOPE_CLUSTER, [REACH_DEVICE] = SCOPE_GPU, [REACH_SYSTEM] = SCOPE_SYS};
    return (struct epoch){.agent = copy ? copy->copies : c->agent, .time = copy ? copy->copy_time : c->time, .site = c->site, .thread = c->thread, .unit = unit,
                          .flags = (uint8_t)(EPOCH_STRONG | EPOCH_RMW | scopes[c->reach] << EPOCH_SCOPE_SHIFT)};
}

/** The word, or the byte of a split one, that keeps the chain of the atomic which has written this one last, as a part of it perhaps; NULL: nothing
 *  does, or it lies in another word that is split. */
static const struct shadow_word *chain_word(const struct shadow_word *c)
{
    unsigned offset = c->write.unit & 15;
    if ((c->flags & WORD_BYTE) && offset >= 4)
        return NULL;
    const struct shadow_word *head = c - (c->flags & WORD_BYTE ? offset : offset / 4);
    bool same = (head->flags & WORD_SYNC) && head->sync->chain && head->write.agent == c->write.agent && head->write.thread == c->write.thread &&
                head->write.time == c->write.time && head->write.site == c->write.site;
    return same ? head : NULL;
}

/** Does the access leave the chain as it is, or go on with it so that all of it is morally strong with the access? */
static bool all_together(const struct actor *me, const struct shadow_word *c, const struct release_chain *m, uint8_t flags, uint8_t unit)
{
    if (!(flags & EPOCH_RMW) || !with_last_write(me, c, flags, unit))
        return false;
    bool narrow = m->narrow || reach_of(flags >> EPOCH_SCOPE_SHIFT) < REACH_DEVICE;
    return !narrow || m->only == me->agent || m->told_narrow;
}

/** The word that keeps a chain of atomics of which more than the last one may be unordered with what the launch does there; NULL: there is none. Swaps
 *  that fail, in a launch that uses nothing of what atomics read, have heard of others all the same. */
static const struct shadow_word *unheard_chain(const struct launch *mine, const struct shadow_word *c)
{
    const struct shadow_word *head = (c->write.flags & EPOCH_RMW) && (mine->hears_none || !mine->deaf) ? chain_word(c) : NULL;
    bool may = head && (mine->hears_none || head->sync->chain->asked < MOST_OF_CHAIN);
    return may && head->sync->upto > head->sync->chain->heard ? head : NULL;
}

bool chain_is_behind_block(const struct actor *me, const struct shadow_word *c)
{
    const struct shadow_word *head = unheard_chain(me->race->agents.data[me->agent].launch, c);
    const struct chain_behind *b = head ? &head->sync->chain->behind : NULL;
    return !b || (b->agent == me->agent && b->whom == BEHIND_BLOCK && b->upto > head->sync->upto);
}

/** An access, about which a chain's contributions are asked; `whom` is before whom besides the actor those lay so far. */
struct chain_asked {
    const struct actor *me;
    uint8_t flags, unit, their_unit;
    enum behind_whom whom;
};

/** Is the contribution one by a kernel, this launch's or one beside it, that is neither ordered before the access nor morally strong with it? */
static bool is_unordered(struct chain_asked *q, const struct epoch *e)
{
    return !agent_is_host(q->me->race, e->agent) && !lies_before(q->me, e, &q->whom) &&
           !morally_strong(q->me, q->flags, q->unit, e->agent, e->flags, e->unit);
}

/** The contributions below `upto` have been asked about. */
static void note_behind(const struct chain_asked *q, struct release_chain *m, int upto)
{
    if (!(q->flags & EPOCH_STRONG))
        m->behind = (struct chain_behind){.upto = upto, .agent = q->me->agent, .thread = (uint16_t)q->me->thread, .whom = (uint8_t)q->whom};
}

/** The first such contribution from `known` on; -1: there is none. */
static int first_unordered(struct chain_asked *q, struct release_chain *m, int known, int upto)
{
    int i = known;
    for (; i <= upto; i++) {
        const struct epoch e = contribution_epoch(m, i, q->their_unit);
        if (is_unordered(q, &e))
            return i;
    }
    note_behind(q, m, i);
    return -1;
}

/** The same where threads use what atomics return, perhaps of other words, so that the chain may be asked about again and again: of those that
 *  nobody has observed the latest. */
static int latest_unordered(struct chain_asked *q, struct release_chain *m, int known, int upto)
{
    int asked = 0;
    known = known > m->heard ? known : m->heard;
    for (int i = upto; i >= known && asked < MOST_ASKED; i--) {
        const struct epoch e = contribution_epoch(m, i, q->their_unit);
        asked += e.agent == q->me->agent ? 1 : OTHERS_COUNT;
        if (is_unordered(q, &e))
            return i;
    }
    m->asked += asked;
    note_behind(q, m, upto + 1);
    return -1;
}

void check_hidden(const struct actor *me, const struct shadow_word *c, uint8_t flags, uint8_t unit, enum conflict kind, struct outcome *out)
{
    const struct launch *mine = me->race->agents.data[me->agent].launch;
    const struct shadow_word *head = !out->conflict || out->same_value ? unheard_chain(mine, c) : NULL;
    const struct sync *s = head ? head->sync : NULL;
    if (!s || all_together(me, c, s->chain, flags, unit))
        return;
    int known = known_behind(me, &s->chain->behind);
    struct chain_asked q = {me, flags, unit, c->write.unit, known ? (enum behind_whom)s->chain->behind.whom : BEHIND_BLOCK};
    int i = (mine->hears_none ? first_unordered : latest_unordered)(&q, s->chain, known, s->upto);
    if (i < 0)
        return;
    const bool agrees = out->agrees;
    const struct epoch e = contribution_epoch(s->chain, i, c->write.unit);
    out->agrees = agrees && s->seq - (uint32_t)(s->upto - i) >= s->same_since;
    note_conflict(me, out, kind, &e);
    out->agrees = agrees;
    s->chain->told_narrow |= (flags & EPOCH_RMW) != 0;
}
