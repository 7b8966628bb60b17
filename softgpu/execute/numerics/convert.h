/**
 * @file convert.h
 * cvt, for every pair of types, rounding and modifier; the forms are listed in numerics.h.
 *
 * cvt() is the one to call: with constant arguments it becomes a machine conversion where there is
 * one that agrees bit for bit, else a call to convert_exact().
 * Source: PTX ISA 9.0, 9.7.9.21.
 */
#ifndef SOFTGPU_EXECUTE_NUMERICS_CONVERT_H
#define SOFTGPU_EXECUTE_NUMERICS_CONVERT_H

#include "execute/numerics/half.h"
#include "parse/types.h"

/** Any conversion between single values. `satfinite`: overflow gives the largest finite number. */
uint64_t convert_exact(enum ptx_type dst, enum ptx_type src, enum numeric_rounding r, bool ftz,
                       bool sat, bool relu, bool satfinite, uint64_t bits);

/** To tf32 with ties away from zero: integer arithmetic on the bits, also on those of a NaN. */
static inline uint32_t cvt_tf32_away(bool satfinite, uint32_t a)
{
    uint32_t d = ((a & ~0x80000000u) < 0x7f800000u ? a + 0x1000 : a) & 0xffffe000u;
    return satfinite && (d & ~0x80000000u) >= 0x7f800000u ? d - 0x2000 : d;
}

/** cvt.{rn,rz}{.relu}{.satfinite}.f16x2.f32 d, a, b and its bf16x2 twin; `a` goes to the upper half. */
uint32_t cvt_pack(enum ptx_type dst, enum numeric_rounding r, bool relu, bool satfinite, uint32_t a,
                  uint32_t b);
/**
 * cvt.rn.satfinite{.relu}.{e4m3x2,e5m2x2,e2m3x2,e3m2x2,e2m1x2}.f32 d, a, b; `a` goes to the upper half; and
 * cvt.{rz,rp}{.satfinite}.ue8m0x2.f32: of magnitudes.
 */
uint16_t cvt_pack_small(enum numeric_small dst, enum numeric_rounding r, bool relu, bool satfinite, uint32_t a,
                        uint32_t b);
/** The same of a pair: f16x2, for ue8m0x2 bf16x2. */
uint16_t cvt_small_of_pair(enum numeric_small dst, enum numeric_rounding r, bool relu, bool satfinite,
                           uint32_t pair);
/** cvt.rn{.relu}.f16x2.{e4m3x2,e5m2x2,e2m3x2,e3m2x2,e2m1x2} and cvt.rn.bf16x2.ue8m0x2 */
uint32_t cvt_pair_of_small(enum numeric_small src, bool relu, uint16_t pair);
/**
 * cvt.pack.sat.{u16,s16}.s32 d, a, b (bits 16) and .{u8,s8,u4,s4,u2,s2}.s32.b32 d, a, b, c
 * (bits 8, 4, 2): saturates a and b to `bits` bits; b in the lowest, a above it, c shifted up above.
 */
uint32_t cvt_pack_int(unsigned bits, bool is_signed, uint32_t a, uint32_t b, uint32_t c);

/** The value of an integer register of type `t`, extended to 64 bits. */
NUMERICS_INLINE uint64_t cvt_extend(enum ptx_type t, uint64_t bits)
{
    switch (t) {
    case PTX_U8: case PTX_B8: return (uint8_t)bits;
    case PTX_U16: case PTX_B16: return (uint16_t)bits;
    case PTX_U32: case PTX_B32: return (uint32_t)bits;
    case PTX_S8: return (uint64_t)(int64_t)(int8_t)bits;
    case PTX_S16: return (uint64_t)(int64_t)(int16_t)bits;
    case PTX_S32: return (uint64_t)(int64_t)(int32_t)bits;
    default: return bits;
    }
}

/** The value of a result of type `dst` as a register of `bytes` bytes holds it: sign or zero extended. */
NUMERICS_INLINE uint64_t cvt_widen(enum ptx_type dst, unsigned bytes, uint64_t bits)
{
    uint64_t v = cvt_extend(dst, bits);
    return bytes >= 8 ? v : v & ((1ull << (8 * bytes)) - 1);
}

NUMERICS_INLINE bool cvt_is_signed(enum ptx_type t)
{
    return t >= PTX_S8 && t <= PTX_S64;
}

NUMERICS_INLINE bool cvt_is_integer(enum ptx_type t)
{
    return t >= PTX_B8 && t <= PTX_S64 && t != PTX_B128;
}

/** Bits of an integer type. */
NUMERICS_INLINE unsigned cvt_width(enum ptx_type t)
{
    switch (t) {
    case PTX_U8: case PTX_S8: case PTX_B8: return 8;
    case PTX_U16: case PTX_S16: case PTX_B16: return 16;
    case PTX_U32: case PTX_S32: case PTX_B32: return 32;
    default: return 64;
    }
}

/** Integer to integer: extends or truncates; `sat` clamps to the range of `dst`. */
NUMERICS_INLINE uint64_t cvt_integer(enum ptx_type dst, enum ptx_type src, bool sat, uint64_t bits)
{
    uint64_t v = cvt_extend(src, bits);
    unsigned width = cvt_width(dst);
    uint64_t mask = width == 64 ? UINT64_MAX : (1ull << width) - 1;
    if (!sat)
        return v & mask;
    uint64_t top = cvt_is_signed(dst) ? mask >> 1 : mask;
    bool negative = cvt_is_signed(src) && (int64_t)v < 0;
    if (!negative)
        return v > top ? top : v;
    if (!cvt_is_signed(dst))
        return 0;
    int64_t bottom = -(int64_t)(mask >> 1) - 1;
    return (uint64_t)((int64_t)v < bottom ? bottom : (int64_t)v) & mask;
}

/** f32 or f64 value to a 32-bit integer, towards zero. The double bounds make the C cast defined. */
NUMERICS_INLINE uint64_t cvt_truncate_32(bool is_signed, double v, uint32_t of_nan)
{
    double low = is_signed ? -2147483648.0 : 0.0, high = is_signed ? 2147483647.0 : 4294967295.0;
    double clamped = v >= low ? v <= high ? v : high : low;
    uint32_t d = is_signed ? (uint32_t)(int32_t)clamped : (uint32_t)(int64_t)clamped;
    return v == v ? d : of_nan;
}

/** What a NaN becomes in an integer (PTX ISA 9.7.9.21): 0, or the top bit alone where a 64-bit
 *  type takes part. */
NUMERICS_INLINE uint64_t cvt_nan_integer(enum ptx_type dst, enum ptx_type src)
{
    bool wide = src == PTX_F64 || cvt_width(dst) == 64;
    return wide ? 1ull << (cvt_width(dst) - 1) : 0;
}

/** A NaN of f64 as one of f32: its sign and upper payload, made quiet. */
NUMERICS_INLINE uint32_t cvt_nan_f32_of_f64(uint64_t a)
{
    return (uint32_t)(a >> 32 & 0x80000000u) | 0x7fc00000u | (uint32_t)(a >> 29 & 0x3fffff);
}

/** A NaN of f32 as one of f64. Under .ftz the operand first goes through an addition of f32, which
 *  makes its own NaN. */
NUMERICS_INLINE uint64_t cvt_nan_f64_of_f32(uint32_t a, bool ftz)
{
    uint64_t nan = ftz ? F32_NAN : a;
    return (nan & 0x80000000u) << 32 | 0x7ff8000000000000u | (nan & 0x7fffff) << 29;
}

NUMERICS_INLINE uint64_t cvt(enum ptx_type dst, enum ptx_type src, enum numeric_rounding r, bool ftz,
                             bool sat, bool relu, uint64_t bits)
{
    bool nearest = r == ROUND_RN && !sat && !relu, plain = r == ROUND_NONE && !sat && !relu;

    if (cvt_is_integer(dst) && cvt_is_integer(src))
        return cvt_integer(dst, src, sat, bits);
    if (dst == PTX_F32 && nearest) {
        switch (src) {
        case PTX_S32: return f32_bits((float)(int32_t)bits);
        case PTX_U32: return f32_bits((float)(int64_t)(uint32_t)bits);
        case PTX_S64: return f32_bits((float)(int64_t)bits);
        case PTX_F64: {
            uint32_t d = f32_flush(f32_bits((float)f64_real(bits)), ftz);
            return f32_is_nan(d) ? cvt_nan_f32_of_f64(bits) : f32_flush_tiny(d, f64_real(bits), ftz);
        }
        default: break;
        }
    }
    if (dst == PTX_F64 && (nearest || plain)) {
        switch (src) {
        case PTX_S32: return f64_bits((double)(int32_t)bits);
        case PTX_U32: return f64_bits((double)(int64_t)(uint32_t)bits);
        case PTX_S64: return f64_bits((double)(int64_t)bits);
        case PTX_F32: {
            uint64_t d = f64_bits((double)f32_real(f32_flush((uint32_t)bits, ftz)));
            return f64_is_nan(d) ? cvt_nan_f64_of_f32((uint32_t)bits, ftz) : d;
        }
        default: break;
        }
    }
    if ((dst == PTX_S32 || dst == PTX_U32) && r == ROUND_RZI) {
        if (src == PTX_F32)
            return cvt_truncate_32(dst == PTX_S32, (double)f32_real((uint32_t)bits),
                                   (uint32_t)cvt_nan_integer(dst, src));
        if (src == PTX_F64)
            return cvt_truncate_32(dst == PTX_S32, f64_real(bits),
                                   (uint32_t)cvt_nan_integer(dst, src));
    }
    if (dst == PTX_F32 && src == PTX_F16 && plain) {
        uint32_t d = f32_of_f16((uint16_t)bits);
        return f32_is_nan(d) ? F32_NAN : d;
    }
    if (dst == PTX_F32 && src == PTX_BF16 && plain && !ftz)
        return f32_of_bf16((uint16_t)bits);   /* a shift: NaNs stay as they are */
    if ((dst == PTX_F16 || dst == PTX_BF16) && src == PTX_F32 && nearest && !ftz) {
        uint64_t wide = f64_bits((double)f32_real((uint32_t)bits));
        if (f32_is_nan((uint32_t)bits))
            return HALF_NAN;
        return dst == PTX_F16 ? half_narrow(wide, 10, 15) : half_narrow(wide, 7, 127);
    }
    return convert_exact(dst, src, r, ftz, sat, relu, false, bits);
}

#endif
