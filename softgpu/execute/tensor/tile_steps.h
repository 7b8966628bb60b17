/**
 * @file tile_steps.h
 * Included by tile_*.c, once for each kind of processor: TILE_LANES 32-bit lanes are one vector, TILE_TABLE is the table. See tile.h.
 */
#include <string.h>

#include "execute/tensor/tile.h"
#ifdef __x86_64__
#include <immintrin.h>
#endif

#define L TILE_LANES
#define PARTS (WARP_LANES / L)
#define INLINE static inline __attribute__((always_inline))

typedef int32_t words __attribute__((vector_size(4 * L)));
typedef uint32_t bits32 __attribute__((vector_size(4 * L)));
typedef int16_t shorts __attribute__((vector_size(4 * L)));
typedef uint16_t bits16 __attribute__((vector_size(4 * L)));
typedef float floats __attribute__((vector_size(4 * L)));
typedef double doubles __attribute__((vector_size(4 * L)));

INLINE words load(const void *from)
{
    words v;
    memcpy(&v, from, sizeof v);
    return v;
}

INLINE void store(void *to, words v)
{
    memcpy(to, &v, sizeof v);
}

INLINE words all(int32_t x)
{
    return x - (words){0};
}

/** Lane 4 i + q for each of the four lanes from 4 i on. */
#define FOUR(from) (from), (from), (from), (from)
#if L == 16
#define SPREAD(v, q) __builtin_shuffle(v, (words){FOUR(q), FOUR(4 + (q)), FOUR(8 + (q)), FOUR(12 + (q))})
#elif L == 8
#define SPREAD(v, q) __builtin_shuffle(v, (words){FOUR(q), FOUR(4 + (q))})
#else
#define SPREAD(v, q) __builtin_shuffle(v, (words){FOUR(q)})
#endif

#ifdef __x86_64__
#if L == 16
#define LARGER(a, b) ((shorts)_mm512_max_epi16((__m512i)(a), (__m512i)(b)))
#define LARGER_WORDS(a, b) ((words)_mm512_max_epi32((__m512i)(a), (__m512i)(b)))
#define SMALLER_WORDS(a, b) ((words)_mm512_min_epi32((__m512i)(a), (__m512i)(b)))
#define PAIRS(a, b) ((words)_mm512_madd_epi16((__m512i)(a), (__m512i)(b)))
#elif L == 8
#define LARGER(a, b) ((shorts)_mm256_max_epi16((__m256i)(a), (__m256i)(b)))
#define LARGER_WORDS(a, b) ((words)_mm256_max_epi32((__m256i)(a), (__m256i)(b)))
#define SMALLER_WORDS(a, b) ((words)_mm256_min_epi32((__m256i)(a), (__m256i)(b)))
#define PAIRS(a, b) ((words)_mm256_madd_epi16((__m256i)(a), (__m256i)(b)))
#else
#define LARGER(a, b) ((shorts)_mm_max_epi16((__m128i)(a), (__m128i)(b)))
#define PAIRS(a, b) ((words)_mm_madd_epi16((__m128i)(a), (__m128i)(b)))
#endif
#else
INLINE shorts LARGER(shorts a, shorts b)
{
    shorts more = a > b;
    return (a & more) | (b & ~more);
}
INLINE words PAIRS(words a, words b)
{
    return (a << 16 >> 16) * (b << 16 >> 16) + (a >> 16) * (b >> 16);
}
#endif

#ifndef LARGER_WORDS
INLINE words LARGER_WORDS(words a, words b)
{
    words more = a > b;
    return (a & more) | (b & ~more);
}
INLINE words SMALLER_WORDS(words a, words b)
{
    words more = a > b;
    return (b & more) | (a & ~more);
}
#endif

/** Is some lane not 0? */
INLINE bool any_of(words v)
{
#if L == 16
    return _mm512_test_epi32_mask((__m512i)v, (__m512i)v) != 0;
#elif L == 8
    return !_mm256_testz_si256((__m256i)v, (__m256i)v);
#else
    return v[0] | v[1] | v[2] | v[3];
#endif
}

/** A register of the narrow side, turned: for its lines 2 j + parity, of each `parity`, word `q` of the four, [parity][q][j]. */
INLINE void turn(const int32_t *reg, int32_t out[WARP_LANES])
{
#if L == 16
    for (int parity = 0; parity < 2; parity++) {
        words lanes = {0, 8, 16, 24, 1, 9, 17, 25, 2, 10, 18, 26, 3, 11, 19, 27};
        store(out + 16 * parity, (words)_mm512_permutex2var_epi32((__m512i)load(reg), (__m512i)(lanes + 4 * parity), (__m512i)load(reg + 16)));
    }
#else
    for (int parity = 0; parity < 2; parity++)
        for (int q = 0; q < 4; q++)
            for (int j = 0; j < 4; j++)
                out[16 * parity + 4 * q + j] = reg[8 * j + 4 * parity + q];
#endif
}

/** Of what has been turned: what every four lanes of a result's register, of one parity, meet at word `q`. */
INLINE words met_at(const void *turned, int parity, int q)
{
    const int32_t *four = (const int32_t *)turned + 16 * parity + 4 * q;
#if L == 16
    return (words)_mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)four));
#elif L == 8
    return (words)_mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)four));
#else
    return load(four);
#endif
}

#define EACH_Q(step) step(0) step(1) step(2) step(3)

/** A tile's results, one register after another. */
struct results {
    uint32_t word[4][WARP_LANES];
};

/** Of a whole product: nothing is written before all has been read. */
struct written {
    uint32_t word[TILE_RESULTS][WARP_LANES];
};

static void write_results(const struct tiles *x, const struct written *w, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (x->result[i])
            memcpy(x->result[i], w->word[i], sizeof w->word[i]);
}

#include "execute/tensor/tile_ends.h"
#include "execute/tensor/tile_reals.h"
#include "execute/tensor/tile_integers.h"
#include "execute/tensor/tile_doubles.h"

const struct tile_steps TILE_TABLE = {.reals = reals, .integers = integers, .doubles = doubles_of};
