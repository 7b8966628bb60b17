/**
 * @file lineage.h
 * Where times that only grow come from: a number for the contents, of which others they are made, and which others are known to hold
 * nothing later. The same clocks meet again and again, most of them a little later than last time: with what was found once, the
 * little is all that is compared.
 */
#ifndef SOFTGPU_CHECK_RACE_CLOCK_LINEAGE_H
#define SOFTGPU_CHECK_RACE_CLOCK_LINEAGE_H

#include <stdbool.h>
#include <stdint.h>

#define LINEAGE_COVERED 8
#define LINEAGE_MORE 3

/** A time that was added: of `key` of `agent`, as far as the owner has these. */
struct lineage_time {
    uint32_t agent, key, time;
};

struct lineage {
    uint64_t number;                    /**< no other contents ever had it; 0 are the empty ones */
    uint64_t part[2];                   /**< with the times in `more` they make up these contents */
    uint64_t covered[LINEAGE_COVERED]; /**< hold nothing later, the latest found first */
    bool own;                           /**< part[0] are earlier contents of this one, which nobody else had: not worth a place in `covered` */
    uint32_t count;
    struct lineage_time more[LINEAGE_MORE];
};

static inline uint64_t lineage_next(void)
{
    static _Atomic uint64_t last;
    return ++last;
}

static inline bool lineage_knows(const struct lineage *v, uint64_t number)
{
    uint32_t i = 0;
    while (i < LINEAGE_COVERED && v->covered[i] != number)
        i++;
    return !number || number == v->number || number == v->part[0] || number == v->part[1] || i < LINEAGE_COVERED;
}

/** Has to be asked for `more` alone, to tell that `v` covers the other? */
static inline bool lineage_knows_parts(const struct lineage *v, const struct lineage *other)
{
    return lineage_knows(v, other->part[0]) && lineage_knows(v, other->part[1]);
}

static inline void lineage_note(struct lineage *v, uint64_t number)
{
    for (int i = LINEAGE_COVERED - 1; i > 0; i--)
        v->covered[i] = v->covered[i - 1];
    v->covered[0] = number;
}

/** The contents become those of both, a copy or a union; what `v` knew already stays known. */
static inline void lineage_of_both(struct lineage *v, const struct lineage *a, const struct lineage *b)
{
    uint64_t one = a ? a->number : 0, two = b ? b->number : 0;
    for (int i = 0; a && i < LINEAGE_COVERED; i++)
        v->covered[i] = a->covered[i];
    for (int i = 0; a && i < 2; i++)
        if (a->part[i] && !a->own)
            lineage_note(v, a->part[i]);
    v->number = lineage_next();
    v->part[0] = one, v->part[1] = two, v->count = 0;
    v->own = false;
}

/** The contents are made of no others. */
static inline void lineage_begin(struct lineage *v)
{
    *v = (struct lineage){.number = lineage_next()};
    v->part[0] = v->number;
}

/** One time was added. */
static inline void lineage_add(struct lineage *v, struct lineage_time t)
{
    uint32_t i = 0;
    while (i < v->count && (v->more[i].agent != t.agent || v->more[i].key != t.key))
        i++;
    if (i == LINEAGE_MORE) {
        for (int k = 0; k < 2; k++)
            if (v->part[k] && !v->own)
                lineage_note(v, v->part[k]);
        v->part[0] = v->number, v->part[1] = 0, i = v->count = 0;
        v->own = true;
    }
    v->more[i] = t;
    v->count += i == v->count;
    v->number = lineage_next();
}

#endif
