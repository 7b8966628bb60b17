/**
 * @file word_vectors.h
 * Private to the checkers: what they look at in a plain access word by word, by vectors, made once for each kind of processor that has them.
 */
#ifndef SOFTGPU_CHECK_WORD_VECTORS_H
#define SOFTGPU_CHECK_WORD_VECTORS_H

#include "base/vectors.h"
#include "execute/plain_access.h"

struct word_vectors {
    /** read_digest_word()'s sum, with its numbers for places and for values */
    uint64_t (*digest)(const struct plain_access *p, const uint32_t place_key[], const uint32_t value_key[]);
    /** plain_has_new_values() */
    bool (*has_new_values)(const struct plain_access *p);
    /** In a map of a bit a byte, behind whose end three bytes may be read: are those of each lane's word all set? */
    bool (*are_set)(const uint8_t *bits, const struct plain_access *p);
    /** Is one of a warp's numbers the same for all lanes of the mask? */
    bool (*are_alike)(const uint32_t number[WARP_LANES], uint32_t mask);
};

extern const struct word_vectors word_vectors_avx2, word_vectors_avx512;

/** Those for this processor; NULL: it goes lane by lane. */
static inline const struct word_vectors *word_vectors(void)
{
    return VECTORS_OF(word_vectors);
}

#endif
