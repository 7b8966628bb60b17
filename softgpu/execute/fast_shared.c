/**
 * @file fast_shared.c
 * Loads and stores of one 4-byte element per lane in shared memory by 32-bit address, for hosts with
 * AVX-512: the warp's mask is the instructions' mask, scattered lanes are gathered by the hardware.
 * They do what load_shared_4() and store_shared_4() of fast_memory.c do; what is unusual (a fault)
 * goes to load_plain() and store_plain() in the same way.
 */
#include <immintrin.h>

#include "base/vectors.h"
#include "execute/access.h"
#include "execute/fast_memory.h"

#define AVX512 USES_VECTORS("avx512f,avx512bw,avx512dq,avx512vl")
#define INLINE static inline __attribute__((always_inline)) AVX512

/** The lanes' addresses, in halves of 16 lanes. */
struct lanes {
    __m512i low, high;       /**< address of each lane in the block's shared memory */
    __mmask16 on_low, on_high;
    bool bad;                /**< some lane's access is out of bounds or misaligned */
    bool consecutive;        /**< lane i's address is `base + 4 * i` */
    uint32_t base;           /**< may have wrapped below 0 for lanes that do not execute */
};

INLINE struct lanes lanes_of(const struct warp *w, const struct insn *in)
{
    const uint32_t *reg = warp_reg(w, in->src[0]);
    const __m512i ramp = _mm512_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60);
    const __m512i offset = _mm512_set1_epi32((int)in->offset), three = _mm512_set1_epi32(3);
    const __m512i last = _mm512_set1_epi32((int)(w->block->shared_bytes - 4));
    unsigned first = (unsigned)__builtin_ctz(w->mask);
    struct lanes l;

    l.low = _mm512_add_epi32(_mm512_load_si512(reg), offset);
    l.high = _mm512_add_epi32(_mm512_load_si512(reg + 16), offset);
    l.on_low = (__mmask16)w->mask;
    l.on_high = (__mmask16)(w->mask >> 16);
    l.bad = w->block->shared_bytes < 4 ||
            (_mm512_mask_cmpgt_epu32_mask(l.on_low, l.low, last) |
             _mm512_mask_cmpgt_epu32_mask(l.on_high, l.high, last) |
             _mm512_mask_test_epi32_mask(l.on_low, l.low, three) |
             _mm512_mask_test_epi32_mask(l.on_high, l.high, three)) != 0;
    l.base = reg[first] + (uint32_t)in->offset - first * 4;
    __m512i at = _mm512_add_epi32(_mm512_set1_epi32((int)l.base), ramp);
    l.consecutive =
        (_mm512_mask_cmpneq_epi32_mask(l.on_low, l.low, at) |
         _mm512_mask_cmpneq_epi32_mask(l.on_high, l.high,
                                       _mm512_add_epi32(at, _mm512_set1_epi32(64)))) == 0;
    return l;
}

/* A masked access touches the lanes that execute only, so a window may reach beyond the memory. */

AVX512 const struct insn *fast_load_shared_4_avx512(struct warp *w, const struct insn *in)
{
    struct lanes l = lanes_of(w, in);
    if (__builtin_expect(l.bad, 0))
        return load_plain(w, in);
    uint32_t *dst = warp_reg(w, in->dst);
    const uint8_t *shared = w->block->shared;
    __m512i low = _mm512_load_si512(dst), high = _mm512_load_si512(dst + 16);
    if (l.consecutive) {
        const uint8_t *from = shared + (int32_t)l.base;
        low = _mm512_mask_loadu_epi32(low, l.on_low, from);
        high = _mm512_mask_loadu_epi32(high, l.on_high, from + 64);
    } else {
        low = _mm512_mask_i32gather_epi32(low, l.on_low, l.low, shared, 1);
        high = _mm512_mask_i32gather_epi32(high, l.on_high, l.high, shared, 1);
    }
    _mm512_store_si512(dst, low);
    _mm512_store_si512(dst + 16, high);
    return in + 1;
}

/** Where lanes store to one address the highest wins, as lane after lane. */
AVX512 const struct insn *fast_store_shared_4_avx512(struct warp *w, const struct insn *in)
{
    struct lanes l = lanes_of(w, in);
    if (__builtin_expect(l.bad, 0))
        return store_plain(w, in);
    const uint32_t *src = warp_reg(w, in->src[1]);
    uint8_t *shared = w->block->shared;
    __m512i low = _mm512_load_si512(src), high = _mm512_load_si512(src + 16);
    if (l.consecutive) {
        uint8_t *to = shared + (int32_t)l.base;
        _mm512_mask_storeu_epi32(to, l.on_low, low);
        _mm512_mask_storeu_epi32(to + 64, l.on_high, high);
    } else {
        _mm512_mask_i32scatter_epi32(shared, l.on_low, l.low, low, 1);
        _mm512_mask_i32scatter_epi32(shared, l.on_high, l.high, high, 1);
    }
    return in + 1;
}
