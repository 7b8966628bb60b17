/**
 * @file element.h
 * Private to the race checker: one element of one lane's access, the shadow words that speak for it, and what
 * is found out about it.
 */
#ifndef SOFTGPU_CHECK_RACE_ELEMENT_H
#define SOFTGPU_CHECK_RACE_ELEMENT_H

#include <string.h>

#include "check/race/actor.h"
#include "check/race/order.h"
#include "check/race/stamps.h"
#include "memory/memory.h"

#define WIDE_WORD 0x30    /* the same of eight bytes, without the offset of a word in them */
#define PLAIN_WORD 0x20   /* struct epoch's `unit` of a whole 4-byte access */

/** The part of one element that one shadow word speaks for. */
struct unit {
    struct shadow_word *word;
    uint8_t bytes, offset;/**< 1 or 4; in the element */
    uint8_t code;         /**< struct epoch's `unit` */
};

/** What an access found out about one element. */
struct outcome {
    bool conflict;
    enum conflict kind;
    struct epoch other;
    bool updates, agrees; /**< the access is an atomic whose result hangs on what was there; a conflict noted now is one of two stores that leave the same */
    uint8_t leaving;      /**< so many bytes it leaves in the unit, `now`, if it can be one of two such stores; else 0 */
    uint32_t now;
    bool same_value, kept;/**< the noted one is such: any other takes its place; `other` is a read before the last write, unordered as that is (epoch_kept()) */
    bool unordered;       /**< the last write need not be seen by this read */
};

static inline unsigned log2_of(unsigned bytes)
{
    return (unsigned)__builtin_ctz(bytes);
}

static inline struct shadow_word *word_at(const struct actor *me, const struct mem_access *a, int lane, uint64_t address)
{
    if (a->space == SPACE_SHARED)
        return shared_word(me->home, address / 4);
    struct allocation *al = a->allocation[lane];
    struct shadow_word *c = shadow_at(shadow_of(al), address - (al->base & ~3ull));
    if ((c->flags & WORD_SPLIT) && me->insn->mem.bytes >= 4)
        word_rejoin(c, me->race->floor);
    return c;
}

/** Writes below which a read makes nobody of: what is to come comes after them. Others may still meet what has not come yet, from another stream or the
 *  host, and stay beside the read; a write takes their place. */
static inline uint32_t settled_for(const struct actor *me, uint8_t space)
{
    return space == SPACE_SHARED ? UINT32_MAX : me->race->floor;
}

/** Drops what lies before this launch (in shared memory: before this block), but for a write from `settled` on. */
static inline void refresh(struct shadow_word *c, uint32_t floor, uint32_t settled)
{
    if (c->write.agent && c->write.agent < floor) {
        if (c->write.agent < settled)
            c->write.agent = 0;
        c->flags &= ~(uint32_t)WORD_OLD;
        word_drop_sync(c);
    }
    if (c->read.agent < floor)
        c->read.agent = 0;
}

static inline uint32_t floor_in(const struct actor *me, uint8_t space)
{
    if (space != SPACE_SHARED)
        return me->bs->floor;
    return me->home->cluster ? me->home->cluster->id : me->home->agent;
}

static inline uint32_t floor_of(const struct actor *me, const struct mem_access *a)
{
    return floor_in(me, a->space);
}

static inline uint32_t seq_of(const struct shadow_word *c)
{
    return c->flags & WORD_SYNC ? c->sync->seq : 0;
}

/** `before`: what the unit held before this write. */
static inline void remember_write(const struct actor *me, struct shadow_word *c, uint8_t flags, uint8_t unit,
                                  uint32_t before)
{
    struct epoch now = epoch_of(me, flags, unit);
    bool same_run = c->write.agent == now.agent && c->write.thread == now.thread &&
                    c->write.time == now.time && (c->flags & WORD_OLD) && !(c->write.flags & EPOCH_RMW);
    if (!same_run) {
        c->old = before;
        c->flags |= WORD_OLD;
    }
    c->write = now;
}

static inline uint64_t element_place(const struct actor *me, const struct mem_access *a, int lane, int element)
{
    return place_of(me, (enum ptx_space)a->space,
                    a->address[lane] + (uint64_t)element * a->insn->mem.bytes);
}

/** What memory holds of an element, which is what a load returns unless an older write was chosen. */
static inline uint64_t newest_value(const struct mem_access *a, int lane, int element)
{
    uint64_t v = 0;
    unsigned size = a->insn->mem.bytes;
    memcpy(&v, a->host[lane] + (size_t)element * size, size < 8 ? size : 8);
    return v;
}

/* element.c */
/** If reads of the word are logged, gives it its readers. */
void settle_word(const struct actor *me, const struct mem_access *a, int lane, const struct shadow_word *c);
/** An access of less than a word splits it, and what is remembered there of strong writes but the last is forgotten (word_split()): asks about those before. */
void check_before_split(const struct actor *me, const struct mem_access *a, int element, uint8_t flags, enum conflict kind, struct outcome *out);
/** The units of an element, at most 16. @return how many */
int units_of(const struct actor *me, const struct mem_access *a, int lane, int element,
             struct unit *units);

/* read.c */
/** The shadow word remembers a read by `lanes` of the actor's warp (all at the actor's time). */
void remember_read(const struct actor *me, struct shadow_word *c, uint32_t lanes, uint8_t flags,
                   uint8_t unit, uint32_t seq);
/** The same of a plain read of the word at `address`, where that lies in an allocation: it may be logged. */
void remember_plain_read(const struct actor *me, const struct mem_access *a, struct shadow_word *c, uint64_t address,
                         uint32_t lanes, uint8_t flags, uint8_t unit);
/** Remembers what the actor's load has put off (struct reads_together). */
void reads_together_end(const struct actor *me);
/** A strong read of a location with strong writes: observes the chain of the write that it returns. */
void read_strong(struct actor *me, const struct mem_access *a, int element, struct shadow_word *c,
                 struct outcome *out, bool failed_cas);
void load_element(struct actor *me, const struct mem_access *a, int element);
/** All elements of the lane's load. Of a strong vector what a thread has written last comes first: it may signal the rest. */
void load_elements(struct actor *me, const struct mem_access *a);

/* write.c */
void store_element(struct actor *me, const struct mem_access *a, int element);
/** Begins to fetch what is remembered of the words of a warp's atomics, so that not one lane's is waited for after another's. */
void atomics_fetch_ahead(const struct actor *me, const struct mem_access *a, uint32_t lanes);
/** One lane's read-modify-write: a strong read (unless it is a red) and a strong write in one. */
void atomic_element(struct actor *me, const struct mem_access *a, int element, bool returns);

#endif
