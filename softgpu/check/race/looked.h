/**
 * @file looked.h
 * Private to the race checker: polls. A strong load by which all lanes of a warp have read what they had read before, of one word, and which has changed
 * nothing that is remembered, changes nothing the next time either, if nobody has done anything in between (mem_access.again).
 */
#ifndef SOFTGPU_CHECK_RACE_LOOKED_H
#define SOFTGPU_CHECK_RACE_LOOKED_H

#include "check/race/element.h"
#include "check/race/shadow/readers.h"

/** Lanes of one strong load that have read the same write of one word, at one time, and are not remembered there yet. */
struct reads_together {
    struct shadow_word *word;
    struct reader element; /**< of no lane: nothing is left */
    struct shadow_word *looked;  /**< looked.h: the word that the first lane has read; NULL: none has yet */
    struct epoch readers;        /**< of that, before */
    uint32_t idle;               /**< lanes to which it was nothing new */
};

/** Lets reads of a load be remembered together where it is a strong one, of whole words, one an element; `together` lasts until the end. */
static inline void reads_together_begin(struct actor *me, const struct mem_access *a, struct reads_together *together)
{
    if (!order_is_strong(&a->insn->mem) || a->insn->mem.count > 1 || a->insn->mem.bytes < 4)
        return;
    together->element.mask = together->idle = 0;
    together->looked = NULL;
    me->together = together;
}

/** The actor's lane is about to be remembered as a reader of the word. */
static inline void look_begins(const struct actor *me, struct shadow_word *c)
{
    struct reads_together *t = me->together;
    if (!t || t->looked)
        return;
    t->looked = c;
    t->readers = c->read;
}

/** It has read the very write that it had read before, and nothing had to be asked or told. */
static inline void look_is_idle(const struct actor *me, const struct shadow_word *c)
{
    if (me->together && me->together->looked == c)
        me->together->idle |= 1u << me->lane;
}

/** All lanes are remembered. */
static inline void look_ends(const struct actor *me, const struct mem_access *a)
{
    const struct reads_together *t = me->together;
    me->race->looked.warp = NULL;
    if (!t || t->idle != a->mask || a->insn->mem.bytes != 4 || (t->looked->flags & WORD_BYTE))
        return;
    const struct epoch *before = &t->readers, *now = &t->looked->read;
    if (before->agent == now->agent && before->time == now->time && before->site == now->site && before->thread == now->thread &&
        before->flags == now->flags && before->unit == now->unit)
        me->race->looked = (struct look){me->warp, a->address[__builtin_ctz(a->mask)], a->mask};
}

/** Is it such a load once more? It reads what memory holds. */
static inline bool is_idle_again(const struct race *race, const struct warp *w, const struct mem_access *a)
{
    const struct look *l = &race->looked;
    if (!a->again || l->warp != w || l->mask != a->mask || (race->older_shown && a->older[0]))
        return false;
    uint64_t differs = 0;
    for (uint32_t m = a->mask; m; m &= m - 1)
        differs |= a->address[__builtin_ctz(m)] ^ l->address;
    return !differs;
}

#endif
