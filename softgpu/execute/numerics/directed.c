/**
 * @file directed.c
 * Add, multiply, fused multiply-add, divide and square root in .rz, .rm, .rp, exactly.
 */
#include "execute/numerics/soft.h"

#define STAMP(name, bits_t, format)                                                                \
    bits_t name##_add_directed(bits_t a, bits_t b, enum numeric_rounding r)                        \
    {                                                                                              \
        struct soft sum = soft_add(soft_unpack(&format, a), soft_unpack(&format, b), r);           \
        return (bits_t)soft_round(&format, sum, r);                                                \
    }                                                                                              \
    bits_t name##_mul_directed(bits_t a, bits_t b, enum numeric_rounding r)                        \
    {                                                                                              \
        struct soft product = soft_mul(soft_unpack(&format, a), soft_unpack(&format, b));          \
        return (bits_t)soft_round(&format, product, r);                                            \
    }                                                                                              \
    bits_t name##_fma_directed(bits_t a, bits_t b, bits_t c, enum numeric_rounding r)              \
    {                                                                                              \
        struct soft product = soft_mul(soft_unpack(&format, a), soft_unpack(&format, b));          \
        return (bits_t)soft_round(&format, soft_add(product, soft_unpack(&format, c), r), r);      \
    }                                                                                              \
    bits_t name##_div_directed(bits_t a, bits_t b, enum numeric_rounding r)                        \
    {                                                                                              \
        struct soft quotient = soft_div(soft_unpack(&format, a), soft_unpack(&format, b));         \
        return (bits_t)soft_round(&format, quotient, r);                                           \
    }                                                                                              \
    bits_t name##_sqrt_directed(bits_t a, enum numeric_rounding r)                                 \
    {                                                                                              \
        return (bits_t)soft_round(&format, soft_sqrt(soft_unpack(&format, a)), r);                 \
    }

STAMP(f32, uint32_t, soft_f32)
STAMP(f64, uint64_t, soft_f64)
