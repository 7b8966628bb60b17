/*
 * See word_vectors.h; included once by each words_LEVEL.c, which defines AT_LEVEL (base/sixteen.h) and WORDS_TABLE, the name of the table of what is
 * made here.
 */
#include "base/sixteen.h"
#include "check/half_lacks.h"
#include "check/word_vectors.h"

#define HALF (WARP_LANES / 2)

VECTORS static inline uint64_t half_digest(const struct plain_access *p, unsigned from, const uint32_t place_key[], const uint32_t value_key[])
{
    sixteen at = sixteen_some(p->mask >> from, sixteen_add(sixteen_load(p->at + from), sixteen_load(place_key + from)));
    return sixteen_product(at, sixteen_add(sixteen_load(p->value + from), sixteen_load(value_key + from)));
}

VECTORS static uint64_t digest(const struct plain_access *p, const uint32_t place_key[], const uint32_t value_key[])
{
    return half_digest(p, 0, place_key, value_key) + half_digest(p, HALF, place_key, value_key);
}

/** The lanes of a half that have other values than memory, wherever they go. */
VECTORS static inline uint32_t half_differs(const struct plain_access *p, unsigned from)
{
    return sixteen_differ(sixteen_gather(p->mask >> from, p->host, sixteen_load(p->at + from)), sixteen_load(p->value + from));
}

/** The same of a half all of whose lanes go through a row. */
VECTORS static inline uint32_t half_row_differs(const struct plain_access *p, unsigned from)
{
    return sixteen_differ(sixteen_load(p->host + p->at[from]), sixteen_load(p->value + from));
}

VECTORS static bool has_new_values(const struct plain_access *p)
{
    if (p->shape == PLAIN_ROWS || p->shape == PLAIN_PAIRS)
        return half_row_differs(p, 0) | half_row_differs(p, HALF);
    if (p->shape != PLAIN_ROW)
        return p->mask & (half_differs(p, 0) | half_differs(p, HALF) << HALF);
    const uint32_t *host = plain_row_in(p, p->host);
    uint32_t low = sixteen_differ(sixteen_load_some(p->mask, host), sixteen_load(p->value));
    uint32_t high = sixteen_differ(sixteen_load_some(p->mask >> HALF, host + HALF), sixteen_load(p->value + HALF));
    return p->mask & (low | high << HALF);
}

VECTORS static bool are_alike(const uint32_t number[WARP_LANES], uint32_t mask)
{
    const sixteen first = sixteen_all(number[__builtin_ctz(mask)]);
    return !(mask & (sixteen_differ(sixteen_load(number), first) | sixteen_differ(sixteen_load(number + HALF), first) << HALF));
}

VECTORS static bool are_set(const uint8_t *bits, const struct plain_access *p)
{
    return !(p->mask & (half_lacks(bits, p->mask, sixteen_load(p->at)) | half_lacks(bits, p->mask >> HALF, sixteen_load(p->at + HALF)) << HALF));
}

const struct word_vectors WORDS_TABLE = {.digest = digest, .has_new_values = has_new_values, .are_set = are_set, .are_alike = are_alike};
