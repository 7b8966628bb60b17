/**
 * @file op_set.c
 * Sets of completed operations: a floor below which all are in, and a bitmap above it.
 *
 * The floor rises whenever the lowest word of the bitmap fills up, so a program that synchronises
 * now and then keeps its sets small however many operations it issues.
 */
#include "base/op_set.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define WORD_BITS 64

static uint64_t base_of(const struct op_set *s)
{
    return s->floor / WORD_BITS * WORD_BITS;
}

bool op_set_has(const struct op_set *s, uint64_t op)
{
    if (op < s->floor || op == 0)
        return true;
    uint64_t at = op - base_of(s);
    return at / WORD_BITS < s->words && (s->bits[at / WORD_BITS] >> (at % WORD_BITS) & 1);
}

static void reserve(struct op_set *s, uint64_t words)
{
    if (words <= s->words)
        return;
    s->bits = realloc(s->bits, words * sizeof *s->bits);
    assert(s->bits);
    memset(s->bits + s->words, 0, (words - s->words) * sizeof *s->bits);
    s->words = (uint32_t)words;
}

/** Raises the floor over everything that is complete and drops full words. */
static void settle(struct op_set *s)
{
    uint32_t full = 0;
    uint64_t base = base_of(s);
    if (s->words && s->floor > base)
        s->bits[0] |= (1ull << (s->floor - base)) - 1;
    while (full < s->words && s->bits[full] == ~0ull)
        full++;
    if (full) {
        memmove(s->bits, s->bits + full, (s->words - full) * sizeof *s->bits);
        s->words -= full;
        s->floor = base + (uint64_t)full * WORD_BITS;
        base = s->floor;
    }
    if (s->words) {
        uint64_t free_bits = ~s->bits[0];
        s->floor = base + (uint64_t)__builtin_ctzll(free_bits);
    }
}

void op_set_add(struct op_set *s, uint64_t op)
{
    if (op_set_has(s, op))
        return;
    uint64_t at = op - base_of(s);
    reserve(s, at / WORD_BITS + 1);
    if (base_of(s) == 0)
        s->bits[0] |= 1; /* operation 0 is the time before the program */
    s->bits[at / WORD_BITS] |= 1ull << (at % WORD_BITS);
    settle(s);
}

/** Makes everything below `floor` part of the set. */
static void raise_floor(struct op_set *s, uint64_t floor)
{
    if (floor <= s->floor)
        return;
    uint64_t drop = (floor / WORD_BITS * WORD_BITS - base_of(s)) / WORD_BITS;
    if (drop >= s->words) {
        s->words = 0;
    } else {
        memmove(s->bits, s->bits + drop, (s->words - drop) * sizeof *s->bits);
        s->words -= (uint32_t)drop;
    }
    s->floor = floor;
    settle(s);
}

/* Words of both lie at multiples of 64: they are joined whole. */
void op_set_join(struct op_set *dst, const struct op_set *src)
{
    uint64_t used = src->words;
    raise_floor(dst, src->floor);
    while (used && !src->bits[used - 1])
        used--;
    uint64_t from = base_of(src), base = base_of(dst);
    if (!used || from + used * WORD_BITS <= base)
        return;
    reserve(dst, (from + used * WORD_BITS - base) / WORD_BITS);
    for (uint64_t i = from < base ? (base - from) / WORD_BITS : 0; i < used; i++)
        dst->bits[(from + i * WORD_BITS - base) / WORD_BITS] |= src->bits[i];
    if (base == 0)
        dst->bits[0] |= 1; /* operation 0 is the time before the program */
    settle(dst);
}

/** The set's operations from `base` on, a multiple of 64, as bits. */
static uint64_t word_at(const struct op_set *s, uint64_t base)
{
    if (base + WORD_BITS <= s->floor)
        return ~0ull;
    uint64_t at = (base - base_of(s)) / WORD_BITS;
    return (base < s->floor ? (1ull << (s->floor - base)) - 1 : 0) | (at < s->words ? s->bits[at] : 0);
}

bool op_set_covers(const struct op_set *big, const struct op_set *small)
{
    uint64_t end = base_of(small) + ((uint64_t)small->words + 1) * WORD_BITS;
    for (uint64_t base = base_of(big); base < end; base += WORD_BITS) {
        uint64_t missing = word_at(small, base) & ~word_at(big, base);
        if (base == 0)
            missing &= ~1ull; /* operation 0 is the time before the program */
        if (missing)
            return false;
    }
    return true;
}

void op_set_copy(struct op_set *dst, const struct op_set *src)
{
    if (dst == src)
        return;
    op_set_free(dst);
    *dst = *src;
    dst->bits = NULL;
    if (src->words) {
        dst->bits = malloc(src->words * sizeof *dst->bits);
        assert(dst->bits);
        memcpy(dst->bits, src->bits, src->words * sizeof *dst->bits);
    }
}

void op_set_free(struct op_set *s)
{
    free(s->bits);
    *s = (struct op_set){0};
}
