/**
 * @file directed.c
 * Add, multiply, fused multiply-add, divide and square root in .rz, .rm, .rp, exactly.
 */
#include "execute/numerics/soft.h"

static uint64_t round_flush(const struct soft_format *f, struct soft v, enum numeric_rounding r,
                            bool ftz)
{
    uint64_t sign = (uint64_t)v.sign << (f->exponent + f->fraction);
    return ftz && soft_is_tiny(f, v, r) ? sign : soft_round(f, v, r);
}

#define STAMP(name, bits_t, format)                                                                \
    bits_t name##_add_directed(bits_t a, bits_t b, enum numeric_rounding r, bool ftz)              \
    {                                                                                              \
        struct soft sum = soft_add(soft_unpack(&format, a), soft_unpack(&format, b), r);           \
        return (bits_t)round_flush(&format, sum, r, ftz);                                          \
    }                                                                                              \
    bits_t name##_mul_directed(bits_t a, bits_t b, enum numeric_rounding r, bool ftz)              \
    {                                                                                              \
        struct soft product = soft_mul(soft_unpack(&format, a), soft_unpack(&format, b));          \
        return (bits_t)round_flush(&format, product, r, ftz);                                      \
    }                                                                                              \
    bits_t name##_fma_directed(bits_t a, bits_t b, bits_t c, enum numeric_rounding r, bool ftz)    \
    {                                                                                              \
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

STAMP(f32, uint32_t, soft_f32)
STAMP(f64, uint64_t, soft_f64)
