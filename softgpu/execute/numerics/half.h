/**
 * @file half.h
 * f16 and bf16 arithmetic, one value or two in a register; the forms are listed in numerics.h.
 *
 * Every product of two such values is exact in a double. A sum may not be, so it is rounded to odd
 * there (the lowest bit is set when anything was lost), after which rounding to 16 bits gives the same
 * as rounding once: fma is fused, and add, sub, mul are right in all cases, subnormals included.
 */
#ifndef SOFTGPU_EXECUTE_NUMERICS_HALF_H
#define SOFTGPU_EXECUTE_NUMERICS_HALF_H

#include "execute/numerics/f32.h"
#include "execute/numerics/f64.h"

#define HALF_NAN 0x7fff

/**
 * fma.oob of one value or two: 0 where a factor is the NaN that copies of tensors put in place of what lies outside, whatever the
 * rest is. That NaN is 0x7ff7, of either sign and in both formats (all values of each operand tried on an H200).
 */
NUMERICS_INLINE uint32_t half_within(uint32_t a, uint32_t b, uint32_t result)
{
    for (unsigned i = 0; i < 32; i += 16)
        if ((a >> i & 0x7fff) == 0x7ff7 || (b >> i & 0x7fff) == 0x7ff7)
            result &= ~(0xffffu << i);
    return result;
}

NUMERICS_INLINE uint32_t f32_of_f16(uint16_t h)
{
    uint32_t magnitude = (uint32_t)(h & 0x7fff) << 13, sign = (uint32_t)(h & 0x8000) << 16;
    /* The exponent moves by the difference of the biases; scaling also normalises subnormals. */
    uint32_t scaled = f32_bits(f32_real(magnitude) * 0x1p112f);
    return sign | ((h & 0x7c00) == 0x7c00 ? magnitude | 0x7f800000u : scaled);
}

NUMERICS_INLINE uint32_t f32_of_bf16(uint16_t h)
{
    return (uint32_t)h << 16;
}

/** Rounds to nearest even. @param fraction  fraction bits  @param bias  exponent bias, of the target */
NUMERICS_INLINE uint16_t half_narrow(uint64_t d, int fraction, int bias)
{
    int e = (int)(d >> 52 & 0x7ff) - 1023, lowest = 1 - bias;
    uint64_t m = (d & 0x000fffffffffffffull) | 0x0010000000000000ull;
    int shift = 52 - fraction + (e < lowest ? lowest - e : 0);
    shift = shift > 63 ? 63 : shift;   /* the value is then below half the least subnormal */
    uint64_t kept = m >> shift, rest = m & ((1ull << shift) - 1), half = 1ull << (shift - 1);
    kept += rest > half || (rest == half && (kept & 1));
    /* `kept` carries the hidden bit into the exponent, and a carry beyond it. */
    uint64_t r = ((uint64_t)(e < lowest ? 0 : e - lowest) << fraction) + kept;
    uint64_t inf = (uint64_t)(2 * bias + 1) << fraction;
    r = r > inf ? inf : r;
    return (uint16_t)((d >> 48 & 0x8000) | r);
}

/** a + b rounded to odd: inexact sums have their lowest bit set. Inputs far from over- and underflow. */
NUMERICS_INLINE uint64_t f64_add_odd(double a, double b)
{
    double sum = a + b, part = sum - a;
    double lost = (a - (sum - part)) + (b - part);
    uint64_t bits = f64_bits(sum);
    /* Lost something of the opposite sign: the sum was rounded away from zero, step back. */
    uint64_t back = (lost < 0) != (sum < 0);
    return lost != 0 && sum - sum == 0 ? (bits - back) | 1 : bits;
}

#define HALF(x) f16_##x
#define WIDEN f32_of_f16
#define FRACTION 10
#define BIAS 15
#include "execute/numerics/half_template.h"
#undef HALF
#undef WIDEN
#undef FRACTION
#undef BIAS

#define HALF(x) bf16_##x
#define WIDEN f32_of_bf16
#define FRACTION 7
#define BIAS 127
#include "execute/numerics/half_template.h"
#undef HALF
#undef WIDEN
#undef FRACTION
#undef BIAS

/* Pairs: each half by itself. */

#define PAIR_1(H, op)                                                                              \
    NUMERICS_INLINE uint32_t H##x2_##op(uint32_t a, bool ftz)                                      \
    {                                                                                              \
        return H##_##op((uint16_t)a, ftz) |                                                        \
               (uint32_t)H##_##op((uint16_t)(a >> 16), ftz) << 16;                                 \
    }
#define PAIR_2(H, op)                                                                              \
    NUMERICS_INLINE uint32_t H##x2_##op(uint32_t a, uint32_t b, bool ftz, bool sat)                \
    {                                                                                              \
        return H##_##op((uint16_t)a, (uint16_t)b, ftz, sat) |                                      \
               (uint32_t)H##_##op((uint16_t)(a >> 16), (uint16_t)(b >> 16), ftz, sat) << 16;       \
    }
#define PAIR_MINMAX(H, op)                                                                         \
    NUMERICS_INLINE uint32_t H##x2_##op(uint32_t a, uint32_t b, bool ftz, bool nan,                \
                                        bool xorsign_abs)                                          \
    {                                                                                              \
        return H##_##op((uint16_t)a, (uint16_t)b, ftz, nan, xorsign_abs) |                         \
               (uint32_t)H##_##op((uint16_t)(a >> 16), (uint16_t)(b >> 16), ftz, nan, xorsign_abs) \
                   << 16;                                                                          \
    }
#define PAIR_FMA(H)                                                                                \
    NUMERICS_INLINE uint32_t H##x2_fma(uint32_t a, uint32_t b, uint32_t c, bool ftz, bool sat,     \
                                       bool relu)                                                  \
    {                                                                                              \
        return H##_fma((uint16_t)a, (uint16_t)b, (uint16_t)c, ftz, sat, relu) |                    \
               (uint32_t)H##_fma((uint16_t)(a >> 16), (uint16_t)(b >> 16), (uint16_t)(c >> 16),    \
                                 ftz, sat, relu)                                                   \
                   << 16;                                                                          \
    }
#define PAIRS(H)                                                                                   \
    PAIR_1(H, abs) PAIR_1(H, neg)                                                                  \
    PAIR_2(H, add) PAIR_2(H, sub) PAIR_2(H, mul)                                                   \
    PAIR_MINMAX(H, min) PAIR_MINMAX(H, max)                                                        \
    PAIR_FMA(H)

PAIRS(f16)
PAIRS(bf16)

#endif
