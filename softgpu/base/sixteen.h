/**
 * @file sixteen.h
 * Half a warp's 32-bit words as one value, and what is done with them, as far as the checks need it. A file that is made for one kind of
 * processor says which by AT_LEVEL (2: AVX-512, 1: AVX2) before it includes this; all its functions then begin with VECTORS.
 */
#ifndef SOFTGPU_BASE_SIXTEEN_H
#define SOFTGPU_BASE_SIXTEEN_H

#include <immintrin.h>
#include <stdint.h>

#include "base/vectors.h"

#if AT_LEVEL == 2
#define VECTORS USES_VECTORS("avx512f,avx512bw,avx512dq,avx512vl")
#else
#define VECTORS USES_VECTORS("avx2")
#endif
#define SIXTEEN(type) VECTORS static inline __attribute__((always_inline)) type

#if AT_LEVEL == 2
typedef __m512i sixteen;

SIXTEEN(sixteen) sixteen_load(const void *from) { return _mm512_loadu_si512(from); }
SIXTEEN(void) sixteen_store(void *to, sixteen v) { _mm512_storeu_si512(to, v); }
/** Only the words of `mask`, in memory, too: of the others there need not be any. Loaded, they are 0. */
SIXTEEN(sixteen) sixteen_load_some(uint32_t mask, const void *from) { return _mm512_maskz_loadu_epi32((__mmask16)mask, from); }
SIXTEEN(void) sixteen_store_some(void *to, uint32_t mask, sixteen v) { _mm512_mask_storeu_epi32(to, (__mmask16)mask, v); }
/** A mask in a form that serves for several stores; and such a store. The other words are there, too, and are nobody else's: AVX2 is slow at leaving
 *  them alone. */
typedef __mmask16 sixteen_lanes;
SIXTEEN(sixteen_lanes) sixteen_lanes_of(uint32_t mask) { return (__mmask16)mask; }
SIXTEEN(void) sixteen_put_lanes(void *to, sixteen_lanes lanes, sixteen v) { _mm512_mask_storeu_epi32(to, lanes, v); }
/** Those words of `v`, and the others of `under`. Stored whole, they are there for a load at once; behind a store of some, it waits for memory. */
SIXTEEN(sixteen) sixteen_over(sixteen under, sixteen_lanes lanes, sixteen v) { return _mm512_mask_mov_epi32(under, lanes, v); }
/** Words that lie at bytes `at` behind `from`. */
SIXTEEN(sixteen) sixteen_gather(uint32_t mask, const void *from, sixteen at)
{
    return _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), (__mmask16)mask, at, from, 1);
}

SIXTEEN(sixteen) sixteen_all(uint32_t x) { return _mm512_set1_epi32((int)x); }
/** 0, step, 2 · step, … */
SIXTEEN(sixteen) sixteen_ramp(uint32_t step)
{
    return _mm512_mullo_epi32(_mm512_set1_epi32((int)step), _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
}
SIXTEEN(sixteen) sixteen_add(sixteen a, sixteen b) { return _mm512_add_epi32(a, b); }
SIXTEEN(sixteen) sixteen_or(sixteen a, sixteen b) { return _mm512_or_si512(a, b); }
SIXTEEN(sixteen) sixteen_and(sixteen a, sixteen b) { return _mm512_and_si512(a, b); }
SIXTEEN(sixteen) sixteen_down(sixteen v, unsigned bits) { return _mm512_srl_epi32(v, _mm_cvtsi32_si128((int)bits)); }
SIXTEEN(sixteen) sixteen_down_each(sixteen v, sixteen bits) { return _mm512_srlv_epi32(v, bits); }

/** Each word's neighbour before it: the first one's is the last of `before`. */
SIXTEEN(sixteen) sixteen_behind(sixteen v, sixteen before) { return _mm512_alignr_epi32(v, before, 15); }

/** Which words are equal; are not; are at least, or more than, those of `b`; have bits of `b`. */
SIXTEEN(uint32_t) sixteen_equal(sixteen a, sixteen b) { return _mm512_cmpeq_epi32_mask(a, b); }
SIXTEEN(uint32_t) sixteen_differ(sixteen a, sixteen b) { return _mm512_cmpneq_epi32_mask(a, b); }
SIXTEEN(uint32_t) sixteen_reach(sixteen a, sixteen b) { return _mm512_cmpge_epu32_mask(a, b); }
SIXTEEN(uint32_t) sixteen_exceed(sixteen a, sixteen b) { return _mm512_cmpgt_epu32_mask(a, b); }
/** Of `mask`'s words alone */
SIXTEEN(uint32_t) sixteen_some_differ(uint32_t mask, sixteen a, sixteen b) { return _mm512_mask_cmpneq_epi32_mask((__mmask16)mask, a, b); }
SIXTEEN(uint32_t) sixteen_some_reach(uint32_t mask, sixteen a, sixteen b) { return _mm512_mask_cmpge_epu32_mask((__mmask16)mask, a, b); }
SIXTEEN(uint32_t) sixteen_have(sixteen a, sixteen b) { return _mm512_test_epi32_mask(a, b); }

/** Are both pairs equal, word by word? */
SIXTEEN(int) sixteen_alike(sixteen a, sixteen b, sixteen c, sixteen d)
{
    return (_mm512_cmpneq_epi32_mask(a, b) | _mm512_cmpneq_epi32_mask(c, d)) == 0;
}
/** Are 16 numbers of 64 bits first, first + step, first + 2 · step, …? */
SIXTEEN(int) sixteen_run(const uint64_t *from, uint64_t first, uint64_t step)
{
    const __m512i ramp = _mm512_mullo_epi64(_mm512_set1_epi64((long long)step), _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7));
    const __m512i low = _mm512_add_epi64(_mm512_set1_epi64((long long)first), ramp);
    const __m512i high = _mm512_add_epi64(low, _mm512_set1_epi64((long long)(8 * step)));
    return (_mm512_cmpneq_epi64_mask(_mm512_loadu_si512(from), low) | _mm512_cmpneq_epi64_mask(_mm512_loadu_si512(from + 8), high)) == 0;
}

/** The lower halves of 16 numbers of 64 bits, and which have anything but 0 above. */
SIXTEEN(sixteen) sixteen_lower(const uint64_t *from, uint64_t add, uint32_t *large)
{
    const __m512i more = _mm512_set1_epi64((long long)add), above = _mm512_set1_epi64((long long)0xffffffff00000000);
    __m512i low = _mm512_add_epi64(_mm512_loadu_si512(from), more), high = _mm512_add_epi64(_mm512_loadu_si512(from + 8), more);
    *large = _mm512_test_epi64_mask(low, above) | (uint32_t)_mm512_test_epi64_mask(high, above) << 8;
    return _mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvtepi64_epi32(low)), _mm512_cvtepi64_epi32(high), 1);
}

/** Each word times the other's, added up. */
SIXTEEN(uint64_t) sixteen_product(sixteen a, sixteen b)
{
    __m512i all = _mm512_add_epi64(_mm512_mul_epu32(a, b), _mm512_mul_epu32(_mm512_srli_epi64(a, 32), _mm512_srli_epi64(b, 32)));
    __m256i four = _mm256_add_epi64(_mm512_castsi512_si256(all), _mm512_extracti64x4_epi64(all, 1));
    __m128i two = _mm_add_epi64(_mm256_castsi256_si128(four), _mm256_extracti128_si256(four, 1));
    return (uint64_t)_mm_extract_epi64(two, 0) + (uint64_t)_mm_extract_epi64(two, 1); /* the header's own sum is of signed numbers */
}
/** Those of `mask`; the others are 0. */
SIXTEEN(sixteen) sixteen_some(uint32_t mask, sixteen v) { return _mm512_maskz_mov_epi32((__mmask16)mask, v); }
#else
typedef struct sixteen {
    __m256i low, high;
} sixteen;

SIXTEEN(__m256i) eight_load(const void *from) { return _mm256_loadu_si256((const __m256i *)from); }
SIXTEEN(uint32_t) eight_mask(__m256i v) { return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(v)); }
/** All bits of the words of `mask`. */
SIXTEEN(__m256i) eight_on(uint32_t mask)
{
    const __m256i bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    return _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int)mask), bits), bits);
}
SIXTEEN(uint32_t) sixteen_mask(__m256i low, __m256i high) { return eight_mask(low) | eight_mask(high) << 8; }

SIXTEEN(sixteen) sixteen_load(const void *from)
{
    return (sixteen){eight_load(from), eight_load((const uint8_t *)from + 32)};
}

SIXTEEN(void) sixteen_store(void *to, sixteen v)
{
    _mm256_storeu_si256((__m256i *)to, v.low);
    _mm256_storeu_si256((__m256i *)((uint8_t *)to + 32), v.high);
}

SIXTEEN(sixteen) sixteen_load_some(uint32_t mask, const void *from)
{
    if ((uint16_t)mask == 0xffff)
        return sixteen_load(from);
    const int *p = from;
    return (sixteen){_mm256_maskload_epi32(p, eight_on(mask)), _mm256_maskload_epi32(p + 8, eight_on(mask >> 8))};
}

/** A store of some takes many times as long as one of all. */
SIXTEEN(void) eight_store_some(void *to, uint8_t mask, __m256i v)
{
    if (mask == 0xff)
        _mm256_storeu_si256((__m256i *)to, v);
    else if (mask)
        _mm256_maskstore_epi32(to, eight_on(mask), v);
}

SIXTEEN(void) sixteen_store_some(void *to, uint32_t mask, sixteen v)
{
    eight_store_some(to, (uint8_t)mask, v.low);
    eight_store_some((uint8_t *)to + 32, (uint8_t)(mask >> 8), v.high);
}

typedef sixteen sixteen_lanes;

SIXTEEN(sixteen_lanes) sixteen_lanes_of(uint32_t mask)
{
    return (sixteen){eight_on(mask), eight_on(mask >> 8)};
}

SIXTEEN(sixteen) sixteen_over(sixteen under, sixteen_lanes lanes, sixteen v)
{
    return (sixteen){_mm256_blendv_epi8(under.low, v.low, lanes.low), _mm256_blendv_epi8(under.high, v.high, lanes.high)};
}

SIXTEEN(void) sixteen_put_lanes(void *to, sixteen_lanes lanes, sixteen v)
{
    sixteen_store(to, sixteen_over(sixteen_load(to), lanes, v));
}

SIXTEEN(sixteen) sixteen_gather(uint32_t mask, const void *from, sixteen at)
{
    const __m256i none = _mm256_setzero_si256();
    return (sixteen){_mm256_mask_i32gather_epi32(none, from, at.low, eight_on(mask), 1),
                     _mm256_mask_i32gather_epi32(none, from, at.high, eight_on(mask >> 8), 1)};
}

SIXTEEN(sixteen) sixteen_all(uint32_t x)
{
    __m256i v = _mm256_set1_epi32((int)x);
    return (sixteen){v, v};
}

SIXTEEN(sixteen) sixteen_ramp(uint32_t step)
{
    const __m256i by = _mm256_set1_epi32((int)step);
    return (sixteen){_mm256_mullo_epi32(by, _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)),
                     _mm256_mullo_epi32(by, _mm256_setr_epi32(8, 9, 10, 11, 12, 13, 14, 15))};
}

SIXTEEN(sixteen) sixteen_add(sixteen a, sixteen b)
{
    return (sixteen){_mm256_add_epi32(a.low, b.low), _mm256_add_epi32(a.high, b.high)};
}

SIXTEEN(sixteen) sixteen_or(sixteen a, sixteen b)
{
    return (sixteen){_mm256_or_si256(a.low, b.low), _mm256_or_si256(a.high, b.high)};
}

SIXTEEN(sixteen) sixteen_and(sixteen a, sixteen b)
{
    return (sixteen){_mm256_and_si256(a.low, b.low), _mm256_and_si256(a.high, b.high)};
}

SIXTEEN(sixteen) sixteen_down_each(sixteen v, sixteen bits)
{
    return (sixteen){_mm256_srlv_epi32(v.low, bits.low), _mm256_srlv_epi32(v.high, bits.high)};
}

SIXTEEN(sixteen) sixteen_down(sixteen v, unsigned bits)
{
    const __m128i by = _mm_cvtsi32_si128((int)bits);
    return (sixteen){_mm256_srl_epi32(v.low, by), _mm256_srl_epi32(v.high, by)};
}

SIXTEEN(sixteen) sixteen_behind(sixteen v, sixteen before)
{
    const __m256i around = _mm256_setr_epi32(7, 0, 1, 2, 3, 4, 5, 6);
    __m256i first = _mm256_permutevar8x32_epi32(before.high, around), low = _mm256_permutevar8x32_epi32(v.low, around);
    return (sixteen){_mm256_blend_epi32(low, first, 1), _mm256_blend_epi32(_mm256_permutevar8x32_epi32(v.high, around), low, 1)};
}

SIXTEEN(uint32_t) sixteen_equal(sixteen a, sixteen b)
{
    return sixteen_mask(_mm256_cmpeq_epi32(a.low, b.low), _mm256_cmpeq_epi32(a.high, b.high));
}

SIXTEEN(uint32_t) sixteen_differ(sixteen a, sixteen b) { return sixteen_equal(a, b) ^ 0xffff; }

SIXTEEN(uint32_t) sixteen_reach(sixteen a, sixteen b)
{
    return sixteen_equal((sixteen){_mm256_max_epu32(a.low, b.low), _mm256_max_epu32(a.high, b.high)}, a);
}

SIXTEEN(uint32_t) sixteen_exceed(sixteen a, sixteen b) { return sixteen_reach(b, a) ^ 0xffff; }
SIXTEEN(uint32_t) sixteen_some_differ(uint32_t mask, sixteen a, sixteen b) { return mask & sixteen_differ(a, b); }
SIXTEEN(uint32_t) sixteen_some_reach(uint32_t mask, sixteen a, sixteen b) { return mask & sixteen_reach(a, b); }

SIXTEEN(uint32_t) sixteen_have(sixteen a, sixteen b)
{
    return sixteen_differ((sixteen){_mm256_and_si256(a.low, b.low), _mm256_and_si256(a.high, b.high)}, sixteen_all(0));
}

SIXTEEN(__m256i) eight_equal(__m256i a, __m256i b, __m256i c, __m256i d)
{
    return _mm256_and_si256(_mm256_cmpeq_epi32(a, b), _mm256_cmpeq_epi32(c, d));
}

SIXTEEN(int) sixteen_alike(sixteen a, sixteen b, sixteen c, sixteen d)
{
    return eight_mask(_mm256_and_si256(eight_equal(a.low, b.low, a.high, b.high), eight_equal(c.low, d.low, c.high, d.high))) == 0xff;
}

SIXTEEN(int) sixteen_run(const uint64_t *from, uint64_t first, uint64_t step)
{
    const __m256i ramp = _mm256_setr_epi64x(0, (long long)step, 2 * (long long)step, 3 * (long long)step);
    const __m256i four = _mm256_set1_epi64x(4 * (long long)step);
    __m256i one = _mm256_add_epi64(_mm256_set1_epi64x((long long)first), ramp);
    __m256i two = _mm256_add_epi64(one, four), three = _mm256_add_epi64(two, four), last = _mm256_add_epi64(three, four);
    return eight_mask(_mm256_and_si256(eight_equal(eight_load(from), one, eight_load(from + 4), two),
                                       eight_equal(eight_load(from + 8), three, eight_load(from + 12), last))) == 0xff;
}

/** Of eight numbers the lower halves, and the upper ones into `above`. */
SIXTEEN(__m256i) eight_lower(const uint64_t *from, __m256i more, __m256i *above)
{
    __m256 a = _mm256_castsi256_ps(_mm256_add_epi64(eight_load(from), more));
    __m256 b = _mm256_castsi256_ps(_mm256_add_epi64(eight_load(from + 4), more));
    *above = _mm256_castps_si256(_mm256_shuffle_ps(a, b, 0xdd));
    *above = _mm256_permute4x64_epi64(*above, 0xd8);
    return _mm256_permute4x64_epi64(_mm256_castps_si256(_mm256_shuffle_ps(a, b, 0x88)), 0xd8);
}

SIXTEEN(sixteen) sixteen_lower(const uint64_t *from, uint64_t add, uint32_t *large)
{
    const __m256i more = _mm256_set1_epi64x((long long)add);
    sixteen above, low;
    low.low = eight_lower(from, more, &above.low);
    low.high = eight_lower(from + 8, more, &above.high);
    *large = sixteen_differ(above, sixteen_all(0));
    return low;
}

SIXTEEN(uint64_t) sixteen_product(sixteen a, sixteen b)
{
    __m256i even = _mm256_add_epi64(_mm256_mul_epu32(a.low, b.low), _mm256_mul_epu32(a.high, b.high));
    __m256i odd = _mm256_add_epi64(_mm256_mul_epu32(_mm256_srli_epi64(a.low, 32), _mm256_srli_epi64(b.low, 32)),
                                   _mm256_mul_epu32(_mm256_srli_epi64(a.high, 32), _mm256_srli_epi64(b.high, 32)));
    __m256i four = _mm256_add_epi64(even, odd);
    __m128i two = _mm_add_epi64(_mm256_castsi256_si128(four), _mm256_extracti128_si256(four, 1));
    return (uint64_t)_mm_extract_epi64(two, 0) + (uint64_t)_mm_extract_epi64(two, 1);
}

SIXTEEN(sixteen) sixteen_some(uint32_t mask, sixteen v)
{
    return (sixteen){_mm256_and_si256(v.low, eight_on(mask)), _mm256_and_si256(v.high, eight_on(mask >> 8))};
}
#endif

#endif
