/**
 * @file directed.c
 * Add, multiply, fused multiply-add, divide and square root in .rz, .rm, .rp, exactly.
 */
#include <math.h>

#include "execute/numerics/f32.h"
#include "execute/numerics/soft.h"

/**
 * a * b + c of single precision where nothing is special: the product is exact in double, and so is what the sum
 * loses there (Knuth's TwoSum), so that it is known on which side of the nearest number the true one lies.
 * @return false: zeros, numbers near either end of the range, infinities, NaNs
 */
static inline bool quick_fma(uint32_t a, uint32_t b, uint32_t c, enum numeric_rounding r, uint32_t *out)
{
    double product = (double)f32_real(a) * (double)f32_real(b), addend = (double)f32_real(c);
    double sum = product + addend, part = sum - product, lost = (product - (sum - part)) + (addend - part);
    float nearest = (float)sum;
    double off = sum - (double)nearest; /* exact; where it is not 0, `lost` is too little to matter */
    bool below = off < 0 || (off == 0 && lost < 0), above = off > 0 || (off == 0 && lost > 0), negative = sum < 0;
    if (!(fabs(sum) > 0x1p-100 && fabs(sum) < 0x1p100))
        return false;
    *out = f32_bits(nearest);
    switch (r) {
    case ROUND_RM:
        *out += below ? (negative ? 1u : -1u) : 0;
        return true;
    case ROUND_RP:
        *out += above ? (negative ? -1u : 1u) : 0;
        return true;
    case ROUND_RZ:
        *out -= negative ? above : below;
        return true;
    default:
        return false;
    }
}

static uint64_t round_flush(const struct soft_format *f, struct soft v, enum numeric_rounding r,
                            bool ftz)
{
    uint64_t sign = (uint64_t)v.sign << (f->exponent + f->fraction);
    return ftz && soft_is_tiny(f, v, r) ? sign : soft_round(f, v, r);
}

#define STAMP(name, bits_t, format, quick)                                                         \
    bits_t name##_add_directed(bits_t a, bits_t b, enum numeric_rounding r, bool ftz)              \
    {                                                                                              \
        bits_t d;                                                                                  \
        if (quick(a, 0x3f800000u, b, r, &d))                                                       \
            return d;                                                                              \
        struct soft sum = soft_add(soft_unpack(&format, a), soft_unpack(&format, b), r);           \
        return (bits_t)round_flush(&format, sum, r, ftz);                                          \
    }                                                                                              \
    bits_t name##_mul_directed(bits_t a, bits_t b, enum numeric_rounding r, bool ftz)              \
    {                                                                                              \
        bits_t d;                                                                                  \
        if (quick(a, b, 0, r, &d))                                                                 \
            return d;                                                                              \
        struct soft product = soft_mul(soft_unpack(&format, a), soft_unpack(&format, b));          \
        return (bits_t)round_flush(&format, product, r, ftz);                                      \
    }                                                                                              \
    bits_t name##_fma_directed(bits_t a, bits_t b, bits_t c, enum numeric_rounding r, bool ftz)    \
    {                                                                                              \
        bits_t d;                                                                                  \
        if (quick(a, b, c, r, &d))                                                                 \
            return d;                                                                              \
        struct soft product = soft_mul(soft_unpack(&format, a), soft_unpack(&format, b));          \
        return (bits_t)round_flush(&format, soft_add(product, soft_unpack(&format, c), r), r, ftz);\
    }                                                                                              \
    bits_t name##_div_directed(bits_t a, bits_t b, enum numeric_rounding r, bool ftz)              \
    {                                                                                              \
        struct soft quotient = soft_div(soft_unpack(&format, a), soft_unpack(&format, b));         \
        return (bits_t)round_flush(&format, quotient, r, ftz);                                     \
    }                                                                                              \
    bits_t name##_sqrt_directed(bits_t a, enum numeric_rounding r, bool ftz)                       \
    {                                                                                              \
        return (bits_t)round_flush(&format, soft_sqrt(soft_unpack(&format, a)), r, ftz);           \
    }

#define NOT_QUICK(a, b, c, r, d) (*(d) = 0, false)
STAMP(f32, uint32_t, soft_f32, quick_fma)
STAMP(f64, uint64_t, soft_f64, NOT_QUICK)
