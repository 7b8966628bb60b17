/**
 * @file lane_mask.c
 * Which lanes run, as a number and as a vector.
 */
#include "base/vectors.h"
#include "execute/engine.h"
#include "execute/warp_run.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

static inline uint32_t count_bits(uint32_t x)
{
    x -= x >> 1 & 0x55555555;
    x = (x & 0x33333333) + (x >> 2 & 0x33333333);
    return ((x + (x >> 4)) & 0x0f0f0f0f) * 0x01010101u >> 24;
}

typedef uint32_t four_lanes __attribute__((vector_size(16), may_alias));

#ifdef __x86_64__
USES_VECTORS("avx512f,avx512dq,popcnt") static void set_mask_avx512(struct warp *w,
                                                                               uint32_t mask)
{
    w->mask = mask;
    w->active = (uint32_t)__builtin_popcount(mask);
    _mm512_store_si512(w->lane_mask, _mm512_movm_epi32((__mmask16)mask));
    _mm512_store_si512(w->lane_mask + 16, _mm512_movm_epi32((__mmask16)(mask >> 16)));
}

/** Asks the processor's features as GCC keeps them: a load and a test. */
#define HAS_AVX512 (__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("popcnt"))
#else
#define HAS_AVX512 0
#define set_mask_avx512(w, mask) ((void)0)
#endif

/** A few vector compares: masks change at every divergent branch. */
static void set_mask(struct warp *w, uint32_t mask)
{
    four_lanes *out = (four_lanes *)w->lane_mask;
    four_lanes all = {mask, mask, mask, mask}, bits = {1, 2, 4, 8};
    w->mask = mask;
    w->active = count_bits(mask);
#pragma GCC unroll 8
    for (int i = 0; i < WARP_LANES / 4; i++, bits <<= 4)
        out[i] = (four_lanes)((all & bits) == bits);
}

void warp_set_mask(struct warp *w, uint32_t mask)
{
    if (HAS_AVX512)
        set_mask_avx512(w, mask);
    else
        set_mask(w, mask);
}
