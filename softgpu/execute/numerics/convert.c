/**
 * @file convert.c
 * The exact path of cvt, and the packed conversions; see convert.h.
 */
#include "execute/numerics/convert.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>

#include "execute/numerics/soft.h"

static const struct soft_format *format_of(enum ptx_type t)
{
    switch (t) {
    case PTX_F16: return &soft_f16;
    case PTX_BF16: return &soft_bf16;
    case PTX_TF32: return &soft_tf32;
    case PTX_F32: return &soft_f32;
    case PTX_F64: return &soft_f64;
    default: return NULL;
    }
}

static bool rounds_to_integer(enum numeric_rounding r)
{
    return r >= ROUND_RNI;
}

/** A floating source; a tf32 register has the format of f32. Narrowing to f16 the hardware reads
 *  subnormals of f32 in spite of .ftz: rounded away from zero, they count. */
static struct soft source(enum ptx_type dst, enum ptx_type src, bool ftz, uint64_t bits)
{
    if (src == PTX_F32 || src == PTX_TF32)
        return soft_unpack(&soft_f32,
                           f32_flush((uint32_t)bits, ftz && src == PTX_F32 && dst != PTX_F16));
    return soft_unpack(format_of(src), bits);
}

static uint64_t to_integer(enum ptx_type dst, enum ptx_type src, enum numeric_rounding r,
                           struct soft v)
{
    unsigned width = cvt_width(dst);
    uint64_t mask = width == 64 ? UINT64_MAX : (1ull << width) - 1;
    uint64_t top = cvt_is_signed(dst) ? mask >> 1 : mask;

    if (v.kind == SOFT_NAN)
        return cvt_nan_integer(dst, src);
    bool overflow = v.kind == SOFT_INF;
    uint64_t magnitude = overflow ? UINT64_MAX : soft_to_integer(v, r, &overflow);
    if (!v.sign)
        return overflow || magnitude > top ? top : magnitude;
    uint64_t lowest = cvt_is_signed(dst) ? top + 1 : 0;   /* its magnitude */
    return (0 - (overflow || magnitude > lowest ? lowest : magnitude)) & mask;
}

/** The payload of a NaN in the 52 bits of f64, however short its own format. */
static uint64_t nan_as_f64(enum ptx_type src, bool ftz, uint64_t bits)
{
    if (src == PTX_F32)
        return cvt_nan_f64_of_f32((uint32_t)bits, ftz);
    if (src == PTX_F64)
        return f64_nan(bits, 0, 0);
    const struct soft_format *f = format_of(src);
    uint64_t sign = bits >> (f->exponent + f->fraction) & 1;
    uint64_t payload = (bits & ((1ull << f->fraction) - 1)) << (52 - f->fraction);
    return sign << 63 | 0x7ff8000000000000u | payload;
}

/** What a NaN becomes in a floating type: where f64 takes part it keeps its sign and the payload
 *  that fits; else it becomes the NaN of the result's type, but bf16 to f32 is a shift. */
static uint64_t nan_of(enum ptx_type dst, enum ptx_type src, bool ftz, uint64_t bits)
{
    const struct soft_format *f = format_of(dst);
    if (dst == PTX_F64)
        return nan_as_f64(src, ftz, bits);
    if (src == PTX_F64) {
        uint64_t sign = (bits >> 63) << (f->exponent + f->fraction);
        uint64_t payload = (bits & 0xfffffffffffffu) >> (52 - f->fraction);
        return sign | f->overflow | 1ull << (f->fraction - 1) | payload;
    }
    if (src == PTX_BF16 && dst == PTX_F32)
        return f32_of_bf16((uint16_t)bits);
    uint64_t nan = soft_round(f, (struct soft){.kind = SOFT_NAN}, ROUND_RN);
    return dst == PTX_TF32 ? nan << 13 : nan;
}

static uint64_t clamp(enum ptx_type dst, bool ftz, bool sat, bool relu, uint64_t d)
{
    switch (dst) {
    case PTX_F16:
    case PTX_BF16:
        if (relu && d & 0x8000)
            d = 0;
        return !sat ? d : dst == PTX_F16 ? f16_saturate((uint16_t)d) : bf16_saturate((uint16_t)d);
    case PTX_F64:
        return sat ? f64_saturate(d) : d;
    default:
        d = f32_flush((uint32_t)d, ftz);
        if (relu && d & 0x80000000u)
            d = 0;
        return sat ? f32_saturate((uint32_t)d) : d;
    }
}

/** Single precision to itself, saturated or rounded to an integer, of a number. */
static uint32_t same_f32(enum numeric_rounding r, bool ftz, uint32_t bits)
{
    float x = f32_real(f32_flush(bits, ftz));
    switch (r) {
    case ROUND_RNI:
        return f32_bits(rintf(x));
    case ROUND_RZI:
        return f32_bits(truncf(x));
    case ROUND_RMI:
        return f32_bits(floorf(x));
    case ROUND_RPI:
        return f32_bits(ceilf(x));
    default:
        return f32_bits(x);
    }
}

/** An integer that a float holds whatever the rounding. */
static bool is_exact_f32(enum ptx_type src, uint64_t extended)
{
    return extended <= 1u << 24 || (cvt_is_signed(src) && (int64_t)extended < 0 && (int64_t)extended >= -(1 << 24));
}

/** Single precision to an integer of at most 32 bits, of a number, by the machine. */
static uint64_t whole_of_f32(enum ptx_type dst, enum numeric_rounding r, bool ftz, uint32_t bits)
{
    unsigned width = cvt_width(dst);
    double most = (double)((1ull << (width - cvt_is_signed(dst))) - 1), least = cvt_is_signed(dst) ? -most - 1 : 0;
    double v = f32_real(same_f32(r, ftz, bits));
    v = v > most ? most : v < least ? least : v;
    return (uint64_t)(int64_t)v & ((1ull << width) - 1);
}

uint64_t convert_exact(enum ptx_type dst, enum ptx_type src, enum numeric_rounding r, bool ftz,
                       bool sat, bool relu, bool satfinite, uint64_t bits)
{
    struct soft v;
    if (dst == PTX_F32 && src == PTX_F32 && !satfinite && !f32_is_nan((uint32_t)bits))
        return clamp(dst, ftz, sat, relu, same_f32(r, ftz, (uint32_t)bits));
    if (dst == PTX_TF32 && r == ROUND_RNA)
        return cvt_tf32_away(satfinite, (uint32_t)bits);
    if (src == PTX_F32 && cvt_is_integer(dst) && cvt_width(dst) <= 32 && rounds_to_integer(r) && !f32_is_nan((uint32_t)bits))
        return whole_of_f32(dst, r, ftz, (uint32_t)bits);
    if (cvt_is_integer(src)) {
        if (cvt_is_integer(dst))
            return cvt_integer(dst, src, sat, bits);
        uint64_t extended = cvt_extend(src, bits);
        if (dst == PTX_F32 && is_exact_f32(src, extended))
            return clamp(dst, ftz, sat, relu, f32_bits((float)(int64_t)extended));
        bool negative = cvt_is_signed(src) && (int64_t)extended < 0;
        v = soft_integer(negative, negative ? 0 - extended : extended);
    } else {
        v = source(dst, src, ftz, bits);
    }
    if (cvt_is_integer(dst))
        return to_integer(dst, src, r, v);
    if (v.kind == SOFT_NAN)
        return clamp(dst, ftz, sat, false, nan_of(dst, src, ftz, bits));
    if (dst == PTX_F32 && ftz && soft_is_tiny(&soft_f32, v, r))
        v = (struct soft){.kind = SOFT_ZERO, .sign = v.sign};

    if (rounds_to_integer(r) && v.kind == SOFT_FINITE && v.exp < 0) {
        bool overflow, sign = v.sign;
        v = soft_integer(sign, soft_to_integer(v, r, &overflow));
        v.sign = sign;   /* also of a zero */
    }
    const struct soft_format *f = format_of(dst);
    uint64_t d = soft_round(f, v, rounds_to_integer(r) || r == ROUND_NONE ? ROUND_RN : r);
    uint64_t magnitude = (1ull << (f->exponent + f->fraction)) - 1;
    if (satfinite && (d & magnitude) == f->overflow)
        d--;
    return clamp(dst, ftz, sat, relu, dst == PTX_TF32 ? d << 13 : d);
}

uint32_t cvt_pack(enum ptx_type dst, enum numeric_rounding r, bool relu, bool satfinite, uint32_t a,
                  uint32_t b)
{
    enum ptx_type half = dst == PTX_F16X2 ? PTX_F16 : PTX_BF16;
    uint32_t high = (uint32_t)convert_exact(half, PTX_F32, r, false, false, relu, satfinite, a);
    uint32_t low = (uint32_t)convert_exact(half, PTX_F32, r, false, false, relu, satfinite, b);
    return high << 16 | low;
}

static const struct soft_format *const small_formats[] = {
    [FP8_E4M3] = &soft_e4m3, [FP8_E5M2] = &soft_e5m2, [FP6_E2M3] = &soft_e2m3,
    [FP6_E3M2] = &soft_e3m2, [FP4_E2M1] = &soft_e2m1,
};

/** The power of two next to a magnitude; the least, 2^-127, is 0. */
static uint8_t power(enum numeric_rounding r, bool satfinite, struct soft v)
{
    if (v.kind == SOFT_NAN)
        return 0xff;
    v.sign = false;
    int biased = (int)soft_round(&soft_scale, v, r) - 128;
    if (v.kind == SOFT_INF || biased > 0xfe)
        return satfinite ? 0xfe : 0xff;
    return biased < 0 ? 0 : (uint8_t)biased;
}

static uint8_t small(enum numeric_small dst, enum numeric_rounding r, bool relu, bool satfinite, struct soft v)
{
    if (dst == FP8_UE8M0)
        return power(r, satfinite, v);
    const struct soft_format *f = small_formats[dst];
    uint8_t largest = (uint8_t)(f->overflow - 1);   /* .satfinite is part of these instructions */
    if (v.kind == SOFT_NAN)
        return dst == FP8_E4M3 || dst == FP8_E5M2 ? 0x7f : largest;
    uint8_t sign = (uint8_t)(v.sign << (f->exponent + f->fraction));
    v.sign = false;
    uint8_t d = (uint8_t)soft_round(f, v, ROUND_RN);
    d = sign | (d > largest ? largest : d);
    return relu && sign ? 0 : d;
}

static uint16_t join(enum numeric_small format, uint8_t high, uint8_t low)
{
    return (uint16_t)(high << (format == FP4_E2M1 ? 4 : 8) | low);
}

uint16_t cvt_pack_small(enum numeric_small dst, enum numeric_rounding r, bool relu, bool satfinite, uint32_t a,
                        uint32_t b)
{
    return join(dst, small(dst, r, relu, satfinite, soft_unpack(&soft_f32, a)),
                small(dst, r, relu, satfinite, soft_unpack(&soft_f32, b)));
}

uint16_t cvt_small_of_pair(enum numeric_small dst, enum numeric_rounding r, bool relu, bool satfinite,
                           uint32_t pair)
{
    const struct soft_format *half = dst == FP8_UE8M0 ? &soft_bf16 : &soft_f16;
    return join(dst, small(dst, r, relu, satfinite, soft_unpack(half, pair >> 16)),
                small(dst, r, relu, satfinite, soft_unpack(half, pair & 0xffff)));
}

/** 2^-127 is a subnormal of bf16. */
static uint32_t bf16_of_power(uint8_t v)
{
    return v == 0xff ? HALF_NAN : v ? (uint32_t)v << 7 : 0x40;
}

uint32_t cvt_pair_of_small(enum numeric_small src, bool relu, uint16_t pair)
{
    unsigned bits = src == FP4_E2M1 ? 4 : 8;
    uint32_t d = 0;
    for (unsigned i = 0; i < 2; i++) {
        uint8_t v = (uint8_t)(pair >> (bits * i) & ((1u << bits) - 1));
        uint32_t half = src == FP8_UE8M0
                            ? bf16_of_power(v)
                            : (uint32_t)soft_round(&soft_f16, soft_unpack(small_formats[src], v), ROUND_RN);
        if (half == HALF_NAN || !relu || !(half & 0x8000))
            d |= half << (16 * i);
    }
    return d;
}

uint32_t cvt_pack_int(unsigned bits, bool is_signed, uint32_t a, uint32_t b, uint32_t c)
{
    assert(bits >= 2 && bits <= 16);
    uint32_t mask = (1u << bits) - 1, part[2];
    int32_t low = is_signed ? -(1 << (bits - 1)) : 0;
    int32_t high = is_signed ? (1 << (bits - 1)) - 1 : (1 << bits) - 1;
    for (int i = 0; i < 2; i++) {
        int32_t v = (int32_t)(i ? a : b);
        part[i] = (uint32_t)(v < low ? low : v > high ? high : v) & mask;
    }
    uint32_t pair = part[1] << bits | part[0];
    return bits == 16 ? pair : c << (2 * bits) | pair;
}
