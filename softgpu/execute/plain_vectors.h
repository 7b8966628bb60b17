/**
 * @file plain_vectors.h
 * Private to execute/: the steps of a plain access (plain_access.h) for processors with AVX-512, to be inlined into functions that are made for
 * these alone.
 */
#ifndef SOFTGPU_EXECUTE_PLAIN_VECTORS_H
#define SOFTGPU_EXECUTE_PLAIN_VECTORS_H

#include "base/vectors.h"
#include "execute/plain_access.h"

#define HALF (WARP_LANES / 2)

#ifdef __x86_64__
#include <immintrin.h>

#define AVX512 USES_VECTORS("avx512f,avx512bw,avx512dq,avx512vl")
#define HAS_AVX512 (__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
#define INLINE static inline __attribute__((always_inline))
#define RAMP _mm512_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60)

AVX512 static inline bool place_wide(struct plain_access *p, const uint64_t *reg, uint64_t offset, uint64_t last)
{
    const __m512i from = _mm512_set1_epi64((long long)(offset - p->base)), end = _mm512_set1_epi64((long long)last);
    const __m512i three = _mm512_set1_epi64(3);
    uint32_t bad = 0;
    for (unsigned l = 0; l < WARP_LANES; l += HALF) {
        __m512i low = _mm512_add_epi64(_mm512_loadu_si512(reg + l), from), high = _mm512_add_epi64(_mm512_loadu_si512(reg + l + 8), from);
        bad |= (uint32_t)(_mm512_cmpgt_epu64_mask(low, end) | _mm512_test_epi64_mask(low, three)) << l;
        bad |= (uint32_t)(_mm512_cmpgt_epu64_mask(high, end) | _mm512_test_epi64_mask(high, three)) << (l + 8);
        /* stored as it will be read: a processor waits long for what was stored in smaller pieces */
        __m512i both = _mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvtepi64_epi32(low)), _mm512_cvtepi64_epi32(high), 1);
        _mm512_storeu_si512(p->at + l, both);
    }
    return !(bad & p->mask);
}

AVX512 static inline bool place_narrow(struct plain_access *p, const uint32_t *reg, uint32_t offset, uint32_t last)
{
    const __m512i from = _mm512_set1_epi32((int)offset), end = _mm512_set1_epi32((int)last), three = _mm512_set1_epi32(3);
    uint32_t bad = 0;
    for (unsigned l = 0; l < WARP_LANES; l += HALF) {
        __m512i at = _mm512_add_epi32(_mm512_loadu_si512(reg + l), from);
        bad |= (uint32_t)(_mm512_cmpgt_epu32_mask(at, end) | _mm512_test_epi32_mask(at, three)) << l;
        _mm512_storeu_si512(p->at + l, at);
    }
    return !(bad & p->mask);
}

/** What the lanes of each half have: where they go, or what they read there. */
struct halves {
    __m512i low, high;
};

AVX512 INLINE struct halves places_of(const struct plain_access *p)
{
    return (struct halves){_mm512_loadu_si512(p->at), _mm512_loadu_si512(p->at + HALF)};
}

AVX512 INLINE uint32_t equal(struct halves a, __m512i low, __m512i high)
{
    return _mm512_cmpeq_epi32_mask(a.low, low) | (uint32_t)_mm512_cmpeq_epi32_mask(a.high, high) << HALF;
}

/** plain_shape_of(): `at` are the places, which are in registers mostly. */
AVX512 INLINE enum plain_shape shape_in(const struct plain_access *p, struct halves at)
{
    uint32_t first = (uint32_t)__builtin_ctz(p->mask), one = p->at[first], from = one - 4 * first;
    const __m512i row = _mm512_add_epi32(RAMP, _mm512_set1_epi32((int)from)), same = _mm512_set1_epi32((int)one);
    uint32_t in_row = equal(at, row, _mm512_add_epi32(row, _mm512_set1_epi32(4 * HALF)));
    if (!(p->mask & ~in_row))
        return PLAIN_ROW;
    uint32_t at_one = equal(at, same, same);
    if (!(p->mask & ~at_one))
        return PLAIN_ONE;
    if (p->mask != UINT32_MAX)
        return PLAIN_ANY;
    const __m512i second = _mm512_set1_epi32((int)p->at[HALF]);
    if ((uint16_t)in_row == 0xffff && _mm512_cmpeq_epi32_mask(at.high, _mm512_add_epi32(RAMP, second)) == 0xffff)
        return p->at[HALF] == one ? PLAIN_PAIRS : PLAIN_ROWS;
    return (uint16_t)at_one == 0xffff && _mm512_cmpeq_epi32_mask(at.high, second) == 0xffff ? PLAIN_HALVES : PLAIN_ANY;
}

AVX512 static inline void put_at_once(uint32_t *to, uint32_t mask, const uint32_t *from)
{
    _mm512_mask_storeu_epi32(to, (__mmask16)mask, _mm512_loadu_si512(from));
    _mm512_mask_storeu_epi32(to + HALF, (__mmask16)(mask >> HALF), _mm512_loadu_si512(from + HALF));
}

AVX512 static inline void read_row_at_once(struct plain_access *p)
{
    const uint8_t *host = plain_row_in(p, p->host);
    _mm512_storeu_si512(p->value, _mm512_maskz_loadu_epi32((__mmask16)p->mask, host));
    _mm512_storeu_si512(p->value + HALF, _mm512_maskz_loadu_epi32((__mmask16)(p->mask >> HALF), host + 4 * HALF));
}

AVX512 static inline void write_row_at_once(const struct plain_access *p)
{
    put_at_once(plain_row_in(p, p->host), p->mask, p->value);
}

#endif
#endif
