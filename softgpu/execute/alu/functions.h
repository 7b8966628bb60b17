/**
 * @file functions.h
 * Integer instructions that are too long for an expression in code/ops.def, as pure functions.
 *
 * None traps or has undefined behaviour for any argument. Semantics: PTX ISA 9.0, 9.7.1, 9.7.8 and
 * 9.7.9.7 (prmt). Floating point is in execute/numerics/.
 */
#ifndef SOFTGPU_EXECUTE_ALU_FUNCTIONS_H
#define SOFTGPU_EXECUTE_ALU_FUNCTIONS_H

#include "code/ops.h"
#include "execute/numerics/numerics.h"

#define ALU_INLINE static inline __attribute__((always_inline, unused))

ALU_INLINE enum numeric_rounding m_round(uint64_t m)
{
    return m & MODE_ROUND ? (enum numeric_rounding)(m & MODE_ROUND) : ROUND_RN;
}

ALU_INLINE uint32_t alu_clamp_s32(int64_t v)
{
    return v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? (uint32_t)INT32_MIN : (uint32_t)v;
}

ALU_INLINE uint32_t alu_add_16x2(uint32_t a, uint32_t b)
{
    return ((a & 0xffff0000u) + (b & 0xffff0000u)) | ((a + b) & 0xffffu);
}

ALU_INLINE uint64_t alu_mul_hi_u64(uint64_t a, uint64_t b)
{
    return (uint64_t)((unsigned __int128)a * b >> 64);
}

ALU_INLINE uint64_t alu_mul_hi_s64(int64_t a, int64_t b)
{
    return (uint64_t)((__int128)a * b >> 64);
}

/** The low 24 bits, zero-extended: mul24 multiplies those. */
ALU_INLINE uint64_t alu_u24(uint32_t a)
{
    return a & 0xffffffu;
}

/** The low 24 bits, sign-extended; unsigned so that the product may wrap. */
ALU_INLINE uint64_t alu_s24(uint32_t a)
{
    return (uint64_t)(int64_t)((int32_t)(a << 8) >> 8);
}

/* A quotient that does not exist is all ones; what the one overflow gives is what wrapping gives. */
ALU_INLINE uint64_t alu_div_s64(int64_t a, int64_t b)
{
    if (b == 0)
        return UINT64_MAX;
    return b == -1 ? 0 - (uint64_t)a : (uint64_t)(a / b);
}

ALU_INLINE uint64_t alu_rem_s64(int64_t a, int64_t b)
{
    if (b == 0)
        return UINT64_MAX;
    return b == -1 ? 0 : (uint64_t)(a % b);
}

#define ALU_MINMAX_16X2(name, T, op)                                                               \
    ALU_INLINE uint32_t alu_##name(uint32_t a, uint32_t b)                                         \
    {                                                                                              \
        T al = (T)a, bl = (T)b, ah = (T)(a >> 16), bh = (T)(b >> 16);                              \
        uint32_t low = (uint16_t)(al op bl ? al : bl), high = (uint16_t)(ah op bh ? ah : bh);      \
        return high << 16 | low;                                                                   \
    }
ALU_MINMAX_16X2(min_u16x2, uint16_t, <)
ALU_MINMAX_16X2(max_u16x2, uint16_t, >)
ALU_MINMAX_16X2(min_signed_16x2, int16_t, <)
ALU_MINMAX_16X2(max_signed_16x2, int16_t, >)

/** Negative halves become 0. */
ALU_INLINE uint32_t alu_relu_16x2(uint32_t v, uint64_t relu)
{
    uint32_t low = v & 0x8000u ? 0 : 0xffffu, high = v & 0x80000000u ? 0 : 0xffff0000u;
    return relu ? v & (low | high) : v;
}

ALU_INLINE uint32_t alu_min_s16x2(uint32_t a, uint32_t b, uint64_t relu)
{
    return alu_relu_16x2(alu_min_signed_16x2(a, b), relu);
}

ALU_INLINE uint32_t alu_max_s16x2(uint32_t a, uint32_t b, uint64_t relu)
{
    return alu_relu_16x2(alu_max_signed_16x2(a, b), relu);
}

/** By halving, so that it vectorises where the machine has no vector popcount. */
ALU_INLINE uint32_t alu_popc_32(uint32_t a)
{
    a -= a >> 1 & 0x55555555u;
    a = (a & 0x33333333u) + (a >> 2 & 0x33333333u);
    a = (a + (a >> 4)) & 0x0f0f0f0fu;
    return a * 0x01010101u >> 24;
}

ALU_INLINE uint32_t alu_brev_32(uint32_t a)
{
    a = (a >> 1 & 0x55555555u) | (a & 0x55555555u) << 1;
    a = (a >> 2 & 0x33333333u) | (a & 0x33333333u) << 2;
    a = (a >> 4 & 0x0f0f0f0fu) | (a & 0x0f0f0f0fu) << 4;
    a = (a >> 8 & 0x00ff00ffu) | (a & 0x00ff00ffu) << 8;
    return a >> 16 | a << 16;
}

/** Position of the highest set bit, all ones if there is none. */
ALU_INLINE uint32_t alu_bfind(uint64_t a)
{
    return a ? 63u - (uint32_t)__builtin_clzll(a) : UINT32_MAX;
}

ALU_INLINE uint32_t alu_shiftamt(uint64_t a, uint32_t msb)
{
    uint32_t position = alu_bfind(a);
    return position == UINT32_MAX ? position : msb - position;
}

/** The |offset|-th set bit of `mask` from `base`, upwards or downwards (9.7.1.17). */
ALU_INLINE uint32_t alu_fns(uint32_t mask, uint32_t base, int32_t offset)
{
    int64_t wanted = offset < 0 ? -(int64_t)offset : offset;
    int step = offset < 0 ? -1 : 1;

    if (base > 31)
        return UINT32_MAX;
    if (offset == 0)
        return mask >> base & 1 ? base : UINT32_MAX;
    for (int at = (int)base; at >= 0 && at < 32; at += step)
        if (mask >> at & 1 && --wanted == 0)
            return (uint32_t)at;
    return UINT32_MAX;
}

ALU_INLINE uint32_t alu_zext(uint32_t a, uint32_t bits)
{
    return bits >= 32 ? a : a & ((1u << bits) - 1);
}

ALU_INLINE uint32_t alu_sext(uint32_t a, uint32_t bits)
{
    if (bits == 0 || bits >= 32)
        return bits ? a : 0;
    return (uint32_t)((int32_t)(a << (32 - bits)) >> (32 - bits));
}

/** Extraction: only the low 8 bits of position and length count (9.7.1.19). */
ALU_INLINE uint32_t alu_bfe_u32(uint32_t a, uint32_t position, uint32_t length)
{
    position &= 255, length &= 255;
    return position > 31 ? 0 : alu_zext(a >> position, length);
}

ALU_INLINE uint32_t alu_bfe_s32(int32_t a, uint32_t position, uint32_t length)
{
    position &= 255, length &= 255;
    if (length == 0)
        return 0;
    return alu_sext((uint32_t)(a >> (position > 31 ? 31 : position)), position > 31 ? 32 : length);
}

/* The 64-bit forms are sequences of shifts that see all 32 bits of a position and length. */
ALU_INLINE uint64_t alu_bfe_u64(uint64_t a, uint32_t position, uint32_t length)
{
    if (position > 63)
        return 0;
    return length > 63 ? a >> position : a >> position & ((1ull << length) - 1);
}

ALU_INLINE uint64_t alu_bfe_s64(int64_t a, uint32_t position, uint32_t length)
{
    if (length == 0)
        return 0;
    int64_t v = a >> (position > 63 ? 63 : position);
    if (position > 63 || length > 63)
        return (uint64_t)v;
    return (uint64_t)((int64_t)((uint64_t)v << (64 - length)) >> (64 - length));
}

/** `b` with the low `length` bits of `a` put in at `position` (9.7.1.20). */
ALU_INLINE uint32_t alu_bfi_32(uint32_t a, uint32_t b, uint32_t position, uint32_t length)
{
    position &= 255, length &= 255;
    uint32_t field = length > 31 ? UINT32_MAX : (1u << (length & 31)) - 1;
    uint32_t mask = position > 31 ? 0 : field << (position & 31);
    return (b & ~mask) | (a << (position & 31) & mask);
}

ALU_INLINE uint64_t alu_bfi_64(uint64_t a, uint64_t b, uint32_t position, uint32_t length)
{
    uint64_t field = length > 63 ? UINT64_MAX : (1ull << (length & 63)) - 1;
    uint64_t mask = position > 63 ? 0 : field << (position & 63);
    return (b & ~mask) | (a << (position & 63) & mask);
}

/** `width` ones from `position` upwards, those that fit in 32 bits; both at most 32. */
ALU_INLINE uint32_t alu_bmsk(uint32_t position, uint32_t width)
{
    return (uint32_t)(((1ull << width) - 1) << position);
}

ALU_INLINE uint32_t alu_dp4a(uint32_t a, uint32_t b, uint32_t c, bool a_signed, bool b_signed)
{
    for (int i = 0; i < 32; i += 8) {
        int32_t x = a_signed ? (int8_t)(a >> i) : (int32_t)(uint8_t)(a >> i);
        int32_t y = b_signed ? (int8_t)(b >> i) : (int32_t)(uint8_t)(b >> i);
        c += (uint32_t)(x * y);
    }
    return c;
}

/** Two 16-bit halves of `a` with the two low bytes of `b`. */
ALU_INLINE uint32_t alu_dp2a(uint32_t a, uint32_t b, uint32_t c, bool a_signed, bool b_signed)
{
    for (int i = 0; i < 2; i++) {
        int32_t x = a_signed ? (int16_t)(a >> 16 * i) : (int32_t)(uint16_t)(a >> 16 * i);
        int32_t y = b_signed ? (int8_t)(b >> 8 * i) : (int32_t)(uint8_t)(b >> 8 * i);
        c += (uint32_t)(x * y);
    }
    return c;
}

/** Any function of three bits: `lut` holds its value for a = 4, b = 2, c = 1 (9.7.8.6). */
ALU_INLINE uint32_t alu_lop3(uint32_t a, uint32_t b, uint32_t c, uint64_t lut)
{
    uint32_t d = 0;
    for (uint32_t i = 0; i < 8; i++) {
        uint32_t chosen = 0u - (uint32_t)(lut >> i & 1);
        d |= chosen & (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
    }
    return d;
}

/** Four bytes picked from b:a by the nibbles of `selector`; bit 3 of a nibble repeats the sign. */
ALU_INLINE uint32_t alu_prmt(uint32_t a, uint32_t b, uint32_t selector)
{
    uint64_t bytes = (uint64_t)b << 32 | a;
    uint32_t d = 0;
    for (int i = 0; i < 4; i++) {
        uint32_t pick = selector >> 4 * i;
        uint32_t byte = (uint32_t)(bytes >> 8 * (pick & 7)) & 0xff;
        uint32_t sign = byte & 0x80 ? 0xffu : 0;
        d |= (pick & 8 ? sign : byte) << 8 * i;
    }
    return d;
}

/* The named modes of prmt as selectors (table in 9.7.9.7). */
ALU_INLINE uint32_t alu_prmt_b4e(uint32_t c)
{
    static const uint16_t selector[4] = {0x5670, 0x6701, 0x7012, 0x0123};
    return selector[c & 3];
}

ALU_INLINE uint32_t alu_prmt_ecl(uint32_t c)
{
    static const uint16_t selector[4] = {0x3210, 0x3211, 0x3222, 0x3333};
    return selector[c & 3];
}

ALU_INLINE uint32_t alu_prmt_ecr(uint32_t c)
{
    static const uint16_t selector[4] = {0x0000, 0x1110, 0x2210, 0x3210};
    return selector[c & 3];
}

/** slct on a float: -0 counts as 0, NaN is not at least 0. */
ALU_INLINE bool alu_f32_at_least_zero(uint32_t c, uint64_t m)
{
    return f32_compare(COMPARE_GE, f32_flush(c, m & MODE_FTZ), 0, false);
}

#endif
