/**
 * @file directed.c
 * Add, multiply, fused multiply-add, divide and square root in .rz, .rm, .rp, exactly.
 */
#include <math.h>

#include "execute/numerics/f32.h"
#include "execute/numerics/f64.h"
#include "execute/numerics/soft.h"

/** The bits of the number that r wants, beside the nearest one's; `below`, `above`: the true value lies there. */
static inline uint64_t beside(uint64_t nearest, bool negative, bool below, bool above,
                              enum numeric_rounding r)
{
    if (r == ROUND_RM)
        return nearest + (below ? (negative ? 1u : -(uint64_t)1) : 0);
    if (r == ROUND_RP)
        return nearest + (above ? (negative ? -(uint64_t)1 : 1u) : 0);
    return nearest - (negative ? above : below); /* ROUND_RZ */
}

static inline bool is_directed(enum numeric_rounding r)
{
    return r == ROUND_RM || r == ROUND_RP || r == ROUND_RZ;
}

/** x + y and what it lacks, exactly (Knuth's TwoSum); x + y does not overflow. */
static inline double two_sum(double x, double y, double *lost)
{
    double sum = x + y, part = sum - x;
    *lost = (x - (sum - part)) + (y - part);
    return sum;
}

/*
 * Where nothing is special a result to nearest tells, with what it lacks, on which side of it the true one lies. Each
 * returns false for zeros, numbers near either end of the range, infinities, NaNs.
 */

/** a * b + c of single precision: the product is exact in double. */
static inline bool f32_quick_fma(uint32_t a, uint32_t b, uint32_t c, enum numeric_rounding r,
                                 uint32_t *out)
{
    double lost,
        sum = two_sum((double)f32_real(a) * (double)f32_real(b), (double)f32_real(c), &lost);
    float nearest = (float)sum;
    double off =
        sum - (double)nearest; /* exact; where it is not 0, `lost` is too little to matter */
    bool below = off < 0 || (off == 0 && lost < 0), above = off > 0 || (off == 0 && lost > 0);
    if (!(fabs(sum) > 0x1p-100 && fabs(sum) < 0x1p100) || !is_directed(r))
        return false;
    *out = (uint32_t)beside(f32_bits(nearest), sum < 0, below, above, r);
    return true;
}

static inline bool f32_quick_add(uint32_t a, uint32_t b, enum numeric_rounding r, uint32_t *out)
{
    return f32_quick_fma(a, 0x3f800000u, b, r, out);
}

static inline bool f32_quick_mul(uint32_t a, uint32_t b, enum numeric_rounding r, uint32_t *out)
{
    return f32_quick_fma(a, b, 0, r, out);
}

/** What is left of a quotient of floats, beside the nearest float, is exact in double. */
static inline bool f32_quick_div(uint32_t a, uint32_t b, enum numeric_rounding r, uint32_t *out)
{
    double x = (double)f32_real(a), y = (double)f32_real(b);
    float nearest = f32_real(a) / f32_real(b);
    double left = x - (double)nearest * y;
    if (!(fabsf(nearest) > 0x1p-60f && fabsf(nearest) < 0x1p60f && fabs(x) > 0x1p-60) ||
        !is_directed(r))
        return false;
    left = y < 0 ? -left : left;
    *out = (uint32_t)beside(f32_bits(nearest), nearest < 0, left<0, left> 0, r);
    return true;
}

static inline bool f32_quick_sqrt(uint32_t a, enum numeric_rounding r, uint32_t *out)
{
    float x = f32_real(a), nearest = sqrtf(x);
    double left = (double)x - (double)nearest * (double)nearest;
    if (!(x > 0x1p-60f && x < 0x1p60f) || !is_directed(r))
        return false;
    *out = (uint32_t)beside(f32_bits(nearest), false, left<0, left> 0, r);
    return true;
}

/** Neither so large nor so small that what a rounding loses would not be a double. */
static inline bool is_middling(double x)
{
    return fabs(x) > 0x1p-900 && fabs(x) < 0x1p1000;
}

/** @param off the true value less `nearest`, of which the sign alone counts */
static inline bool f64_quick(double nearest, double off, enum numeric_rounding r, uint64_t *out)
{
    if (!is_middling(nearest) || !is_directed(r))
        return false;
    *out = beside(f64_bits(nearest), nearest < 0, off<0, off> 0, r);
    return true;
}

static inline bool f64_quick_add(uint64_t a, uint64_t b, enum numeric_rounding r, uint64_t *out)
{
    double lost, sum = two_sum(f64_real(a), f64_real(b), &lost);
    return f64_quick(sum, lost, r, out);
}

static inline bool f64_quick_mul(uint64_t a, uint64_t b, enum numeric_rounding r, uint64_t *out)
{
    double x = f64_real(a), y = f64_real(b), product = x * y;
    return f64_quick(product, fma(x, y, -product), r, out);
}

/** What fma lacks: ErrFma of Boldo and Muller, "Exact and approximated error of the FMA", IEEE Transactions on Computers 60 (2011). */
static inline bool f64_quick_fma(uint64_t a, uint64_t b, uint64_t c, enum numeric_rounding r,
                                 uint64_t *out)
{
    double x = f64_real(a), y = f64_real(b), z = f64_real(c), nearest = fma(x, y, z),
           product = x * y;
    if (!is_middling(product) || !(z == 0 || is_middling(z)))
        return false;
    double low, lower, rest, sum = two_sum(z, fma(x, y, -product), &low),
                             most = two_sum(product, sum, &rest);
    double lost = two_sum((most - nearest) + rest, low, &lower);
    return f64_quick(nearest, lost, r, out);
}

static inline bool f64_quick_div(uint64_t a, uint64_t b, enum numeric_rounding r, uint64_t *out)
{
    double x = f64_real(a), y = f64_real(b), quotient = x / y, left = fma(-quotient, y, x);
    return is_middling(x) && f64_quick(quotient, y < 0 ? -left : left, r, out);
}

static inline bool f64_quick_sqrt(uint64_t a, enum numeric_rounding r, uint64_t *out)
{
    double x = f64_real(a), root = sqrt(x);
    return is_middling(x) && f64_quick(root, fma(-root, root, x), r, out);
}

static uint64_t round_flush(const struct soft_format *f, struct soft v, enum numeric_rounding r,
                            bool ftz)
{
    uint64_t sign = (uint64_t)v.sign << (f->exponent + f->fraction);
    return ftz && soft_is_tiny(f, v, r) ? sign : soft_round(f, v, r);
}

#define STAMP(name, bits_t, format)                                                                \
    bits_t name##_add_directed(bits_t a, bits_t b, enum numeric_rounding r, bool ftz)              \
    {                                                                                              \
        bits_t d;                                                                                  \
        if (name##_quick_add(a, b, r, &d))                                                         \
            return d;                                                                              \
        struct soft sum = soft_add(soft_unpack(&format, a), soft_unpack(&format, b), r);           \
        return (bits_t)round_flush(&format, sum, r, ftz);                                          \
    }                                                                                              \
    bits_t name##_mul_directed(bits_t a, bits_t b, enum numeric_rounding r, bool ftz)              \
    {                                                                                              \
        bits_t d;                                                                                  \
        if (name##_quick_mul(a, b, r, &d))                                                         \
            return d;                                                                              \
        struct soft product = soft_mul(soft_unpack(&format, a), soft_unpack(&format, b));          \
        return (bits_t)round_flush(&format, product, r, ftz);                                      \
    }                                                                                              \
    bits_t name##_fma_directed(bits_t a, bits_t b, bits_t c, enum numeric_rounding r, bool ftz)    \
    {                                                                                              \
        bits_t d;                                                                                  \
        if (name##_quick_fma(a, b, c, r, &d))                                                      \
            return d;                                                                              \
        struct soft product = soft_mul(soft_unpack(&format, a), soft_unpack(&format, b));          \
        return (bits_t)round_flush(&format, soft_add(product, soft_unpack(&format, c), r), r, ftz);\
    }                                                                                              \
    bits_t name##_div_directed(bits_t a, bits_t b, enum numeric_rounding r, bool ftz)              \
    {                                                                                              \
        bits_t d;                                                                                  \
        if (name##_quick_div(a, b, r, &d))                                                         \
            return d;                                                                              \
        struct soft quotient = soft_div(soft_unpack(&format, a), soft_unpack(&format, b));         \
        return (bits_t)round_flush(&format, quotient, r, ftz);                                     \
    }                                                                                              \
    bits_t name##_sqrt_directed(bits_t a, enum numeric_rounding r, bool ftz)                       \
    {                                                                                              \
        bits_t d;                                                                                  \
        if (name##_quick_sqrt(a, r, &d))                                                           \
            return d;                                                                              \
        return (bits_t)round_flush(&format, soft_sqrt(soft_unpack(&format, a)), r, ftz);           \
    }

STAMP(f32, uint32_t, soft_f32)
STAMP(f64, uint64_t, soft_f64)
