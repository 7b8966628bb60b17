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
#define PAIRS(a, b) ((words)_mm512_madd_epi16((__m512i)(a), (__m512i)(b)))
#elif L == 8
#define LARGER(a, b) ((shorts)_mm256_max_epi16((__m256i)(a), (__m256i)(b)))
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

/** A register of the narrow side, for every four lanes of a result's register: its line of each, 2 j + parity, at word `q` of the line. */
struct narrow {
    int32_t word[4][2][L];
};

INLINE void take_narrow(const int32_t *reg, struct narrow *out)
{
    for (int parity = 0; parity < 2; parity++)
        for (int q = 0; q < 4; q++) {
            int at = 4 * parity + q;
#if L == 16
            words lanes = {0, 8, 16, 24, 0, 8, 16, 24, 0, 8, 16, 24, 0, 8, 16, 24};
            store(out->word[q][parity], (words)_mm512_permutex2var_epi32((__m512i)load(reg), (__m512i)(lanes + at), (__m512i)load(reg + 16)));
#else
            for (int l = 0; l < L; l += 4) {
                int32_t four[4] = {reg[at], reg[at + 8], reg[at + 16], reg[at + 24]};
                memcpy(out->word[q][parity] + l, four, sizeof four);
            }
#endif
        }
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

#include "execute/tensor/tile_reals.h"
#include "execute/tensor/tile_integers.h"
#include "execute/tensor/tile_doubles.h"

const struct tile_steps TILE_TABLE = {.reals = reals, .integers = integers, .doubles = doubles_of};
