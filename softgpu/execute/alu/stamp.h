/**
 * @file stamp.h
 * The loops that arithmetic handlers are stamped from. Included by vector.h and scalar.c.
 *
 * A register may be source and destination at once (`add r1, r1, r2`), so nothing is `restrict`. But
 * registers never overlap in part, so iterations are independent: that is what `ivdep` tells GCC.
 */
#ifndef SOFTGPU_EXECUTE_ALU_STAMP_H
#define SOFTGPU_EXECUTE_ALU_STAMP_H

#include <stddef.h>

#include "execute/alu/alu.h"
#include "execute/alu/functions.h"
#include "execute/warp.h"

#ifdef __SSE2__
#include <immintrin.h>
#endif

typedef uint16_t alu_u16 __attribute__((may_alias));
typedef int16_t alu_s16 __attribute__((may_alias));
typedef uint32_t alu_u32 __attribute__((may_alias));
typedef int32_t alu_s32 __attribute__((may_alias));
typedef uint64_t alu_u64 __attribute__((may_alias));
typedef int64_t alu_s64 __attribute__((may_alias));

/** warp_reg() without a branch: one handler serves many instructions, and a branch on where their
 *  operands lie would be mispredicted. */
ALU_INLINE void *alu_slot(const struct warp *w, uint32_t offset)
{
    _Static_assert(offsetof(struct warp, constants) ==
                       offsetof(struct warp, frame) + sizeof(uint8_t *), "neighbours");
    const char *bases = (const char *)w + offsetof(struct warp, frame);
    uint8_t *base;
    __builtin_memcpy(&base, bases + (offset >> 31) * sizeof base, sizeof base);
    return base + (offset & ~CONST_BIT);
}

#define ALU_REG(T, w, offset) ((alu_##T *)__builtin_assume_aligned(alu_slot(w, offset), 64))

static const int32_t alu_bit[WARP_LANES] __attribute__((aligned(64), unused)) = {
    1 << 0,  1 << 1,  1 << 2,  1 << 3,  1 << 4,  1 << 5,  1 << 6,  1 << 7,
    1 << 8,  1 << 9,  1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15,
    1 << 16, 1 << 17, 1 << 18, 1 << 19, 1 << 20, 1 << 21, 1 << 22, 1 << 23,
    1 << 24, 1 << 25, 1 << 26, 1 << 27, 1 << 28, 1 << 29, 1 << 30, INT32_MIN,
};

/** A predicate's bits as 32 integers, 0 or not 0. */
ALU_INLINE void alu_spread(int32_t lanes[WARP_LANES], uint32_t bits)
{
    for (int i = 0; i < WARP_LANES; i++)
        lanes[i] = (int32_t)bits & alu_bit[i];
}

/** 32 integers, each 0 or -1, as a predicate's bits. The loads are as wide as the loops' stores, so
 *  that the values need not go through memory. */
ALU_INLINE uint32_t alu_gather(const int32_t lanes[WARP_LANES])
{
#if defined __AVX512DQ__
    return _mm512_movepi32_mask(_mm512_load_si512(lanes)) |
           (uint32_t)_mm512_movepi32_mask(_mm512_load_si512(lanes + 16)) << 16;
#elif defined __AVX2__
    uint32_t bits = 0;
    for (int i = 0; i < WARP_LANES; i += 8) {
        __m256i part = _mm256_load_si256((const __m256i *)(lanes + i));
        bits |= (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(part)) << i;
    }
    return bits;
#elif defined __SSE2__
    const __m128i *v = (const __m128i *)lanes;
    __m128i low = _mm_packs_epi16(_mm_packs_epi32(v[0], v[1]), _mm_packs_epi32(v[2], v[3]));
    __m128i high = _mm_packs_epi16(_mm_packs_epi32(v[4], v[5]), _mm_packs_epi32(v[6], v[7]));
    return (uint32_t)_mm_movemask_epi8(low) | (uint32_t)_mm_movemask_epi8(high) << 16;
#else
    uint32_t bits = 0;
    for (int i = 0; i < WARP_LANES; i++)
        bits |= (uint32_t)lanes[i] & (uint32_t)alu_bit[i];
    return bits;
#endif
}

/** r and, or, xor c. */
ALU_INLINE uint32_t alu_boolean(unsigned operation, uint32_t r, uint32_t c)
{
    switch (operation) {
    case 1: return r & c;
    case 2: return r | c;
    case 3: return r ^ c;
    default: return r;
    }
}

ALU_INLINE void alu_store_pred(struct warp *w, uint32_t reg, uint32_t bits)
{
    uint32_t *p = alu_slot(w, reg);
    *p = (*p & ~w->mask) | (bits & w->mask);
}

/** Stores a comparison's result the way that insn->imm asks for. */
ALU_INLINE void alu_finish_pred(struct warp *w, const struct insn *in, uint32_t r)
{
    unsigned how = (unsigned)in->imm & 15;

    if (how == 0 && in->dst2 == REG_NONE) {
        alu_store_pred(w, in->dst, r);
        return;
    }
    uint32_t c = 0;
    unsigned operation = how >> PRED_BOOL_SHIFT & 3;
    r = how & PRED_INVERT ? ~r : r;
    if (operation)
        c = *(uint32_t *)alu_slot(w, in->src[2]) ^ (how & PRED_C_NEGATED ? UINT32_MAX : 0);
    if (in->dst != REG_NONE)
        alu_store_pred(w, in->dst, alu_boolean(operation, r, c));
    if (in->dst2 != REG_NONE)
        alu_store_pred(w, in->dst2, alu_boolean(operation, ~r, c));
}

/* Sources, by type: SOURCE declares, AT_ reads lane i. */
#define SOURCE_u16(x, n) const alu_u16 *x##_ = ALU_REG(u16, w, in->src[n]);
#define SOURCE_s16(x, n) const alu_s16 *x##_ = ALU_REG(s16, w, in->src[n]);
#define SOURCE_u32(x, n) const alu_u32 *x##_ = ALU_REG(u32, w, in->src[n]);
#define SOURCE_s32(x, n) const alu_s32 *x##_ = ALU_REG(s32, w, in->src[n]);
#define SOURCE_u64(x, n) const alu_u64 *x##_ = ALU_REG(u64, w, in->src[n]);
#define SOURCE_s64(x, n) const alu_s64 *x##_ = ALU_REG(s64, w, in->src[n]);
#define SOURCE_pred(x, n)                                                                          \
    alu_s32 x##_[WARP_LANES] __attribute__((aligned(64)));                                         \
    alu_spread((int32_t *)x##_, *(uint32_t *)alu_slot(w, in->src[n]));

/* Destinations, by type: how they are declared, stored to and finished. */
#define TARGET(T) alu_##T *r_ = ALU_REG(T, w, in->dst);
#define TARGET_u16 TARGET(u16)
#define TARGET_u32 TARGET(u32)
#define TARGET_u64 TARGET(u64)
#define TARGET_pred alu_s32 r_[WARP_LANES] __attribute__((aligned(64)));
#define STORE_u16(e) r_[i] = (uint16_t)(e)
#define STORE_u32(e) r_[i] = (uint32_t)(e)
#define STORE_u64(e) r_[i] = (uint64_t)(e)
#define STORE_pred(e) r_[i] = (e) ? -1 : 0
#define BLEND_u16(e) r_[i] = active[i] ? (uint16_t)(e) : r_[i]
#define BLEND_u32(e) r_[i] = active[i] ? (uint32_t)(e) : r_[i]
#define BLEND_u64(e) r_[i] = active[i] ? (uint64_t)(e) : r_[i]
#define BLEND_pred(e) r_[i] = (e) ? -1 : 0
#define FINISH_u16
#define FINISH_u32
#define FINISH_u64
#define FINISH_pred alu_finish_pred(w, in, alu_gather((const int32_t *)r_));

#define LANES                                                                                      \
    _Pragma("GCC ivdep") for (int i = 0; i < WARP_LANES; i++)

/** All lanes at once: a plain loop for a full warp, a blend by lane mask otherwise. */
#define STAMP_VECTOR(id, D, sources, values, e)                                                    \
    static const struct insn *run_##id(struct warp *w, const struct insn *in)                      \
    {                                                                                              \
        const uint64_t m = in->imm;                                                                \
        (void)m;                                                                                   \
        sources TARGET_##D                                                                         \
        if (w->mask == UINT32_MAX) {                                                               \
            LANES { values STORE_##D(e); }                                                         \
        } else {                                                                                   \
            const int32_t *active = __builtin_assume_aligned(w->lane_mask, 64);                    \
            (void)active;                                                                          \
            LANES { values BLEND_##D(e); }                                                         \
        }                                                                                          \
        FINISH_##D                                                                                 \
        return in + 1;                                                                             \
    }

/** Lane by lane, those that execute only. */
#define STAMP_SCALAR(id, D, sources, values, e)                                                    \
    static const struct insn *run_##id(struct warp *w, const struct insn *in)                      \
    {                                                                                              \
        const uint64_t m = in->imm;                                                                \
        (void)m;                                                                                   \
        sources TARGET_##D                                                                         \
        for (uint32_t left = w->mask; left; left &= left - 1) {                                    \
            int i = __builtin_ctz(left);                                                           \
            values STORE_##D(e);                                                                   \
        }                                                                                          \
        FINISH_##D                                                                                 \
        return in + 1;                                                                             \
    }

#define VALUE_u16(x) uint16_t x = x##_[i];
#define VALUE_s16(x) int16_t x = x##_[i];
#define VALUE_u32(x) uint32_t x = x##_[i];
#define VALUE_s32(x) int32_t x = x##_[i];
#define VALUE_u64(x) uint64_t x = x##_[i];
#define VALUE_s64(x) int64_t x = x##_[i];
#define VALUE_pred(x) int32_t x = x##_[i];

#define STAMP_1(how, id, D, A, e) how(id, D, SOURCE_##A(a, 0), VALUE_##A(a), e)
#define STAMP_2(how, id, D, A, B, e)                                                               \
    how(id, D, SOURCE_##A(a, 0) SOURCE_##B(b, 1), VALUE_##A(a) VALUE_##B(b), e)
#define STAMP_3(how, id, D, A, B, C, e)                                                            \
    how(id, D, SOURCE_##A(a, 0) SOURCE_##B(b, 1) SOURCE_##C(c, 2),                                 \
        VALUE_##A(a) VALUE_##B(b) VALUE_##C(c), e)
#define STAMP_4(how, id, D, A, B, C, E, e)                                                         \
    how(id, D, SOURCE_##A(a, 0) SOURCE_##B(b, 1) SOURCE_##C(c, 2) SOURCE_##E(d, 3),                \
        VALUE_##A(a) VALUE_##B(b) VALUE_##C(c) VALUE_##E(d), e)

#endif
