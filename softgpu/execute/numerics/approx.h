/**
 * @file approx.h
 * The .approx and .full forms. Their results lie within the error that the PTX ISA documents, not on
 * the same bits as the hardware's tables; special values follow its tables exactly.
 *
 * Implemented in approx.c; those that courses use in inner loops are inline.
 * Source: PTX ISA 9.0, 9.7.3.7 to 9.7.3.22, 9.7.4.9, 9.7.4.10.
 */
#ifndef SOFTGPU_EXECUTE_NUMERICS_APPROX_H
#define SOFTGPU_EXECUTE_NUMERICS_APPROX_H

#include "execute/numerics/half.h"

NUMERICS_INLINE uint32_t f32_of_double(double value, bool ftz)
{
    return f32_finish(f32_bits((float)value), F32_NAN, ftz, false);
}

/** 1 ulp. Subnormal input gives an infinity under ftz. */
NUMERICS_INLINE uint32_t f32_rcp_approx(uint32_t a, bool ftz)
{
    return f32_rcp(a, ROUND_RN, ftz);
}

/** div.full: a times the reciprocal of b, as the hardware has it, 2 ulp. It scales where that would
 *  leave the normal range; there the right quotient does. */
NUMERICS_INLINE uint32_t f32_div_full(uint32_t a, uint32_t b, bool ftz)
{
    bool normal = (b & 0x7fffffffu) - 0x00800000u <= 0x7e800000u - 0x00800000u;   /* 2^-126 to 2^126 */
    return normal ? f32_mul(a, f32_rcp_approx(b, ftz), ROUND_RN, ftz, false)
                  : f32_div(a, b, ROUND_RN, ftz);
}

NUMERICS_INLINE uint32_t f32_sqrt_approx(uint32_t a, bool ftz)
{
    return f32_sqrt(a, ROUND_RN, ftz);
}

/** div.approx: a * (1/b), at most 2 ulp; for 2^126 < |b| < 2^128 the result is 0 (NaN if a is inf): 1/b would be
 *  subnormal, and the hardware's reciprocal of it is a zero. */
NUMERICS_INLINE uint32_t f32_div_approx(uint32_t a, uint32_t b, bool ftz)
{
    uint32_t magnitude = b & 0x7fffffffu, inf = 0x7f800000u, quotient = f32_div_full(a, b, ftz);
    bool huge = magnitude > 0x7e800000u && magnitude < inf && !f32_is_nan(a);
    return !huge ? quotient : (a & 0x7fffffffu) == inf ? F32_NAN : (a ^ b) & 0x80000000u;
}

/** -0 gives -inf, below 0 NaN. */
NUMERICS_INLINE uint32_t f32_rsqrt_approx(uint32_t a, bool ftz)
{
    double x = (double)f32_real(f32_flush(a, ftz));
    return f32_of_double(1 / __builtin_sqrt(x), ftz);
}

/** 2^x for an x of single precision, NaN for NaN: rounded to single precision the same as the true power, for every x (tried
 *  against the C library's for all of them). The polynomial is 2^f's at Chebyshev's points of [-1/2, 1/2]. */
NUMERICS_INLINE double power_of_2(double x)
{
    const double c[] = {0x1.0000000000000p+0, 0x1.62e42fefa39efp-1, 0x1.ebfbdff82c5aep-3, 0x1.c6b08d704a0c6p-5,
                        0x1.3b2ab6fb9f1a5p-7, 0x1.5d87fe78a3f9cp-10, 0x1.430913112c61bp-13, 0x1.ffcbfc6da6ed1p-17,
                        0x1.62bfc2c86d700p-20, 0x1.b524ebd13a55fp-24, 0x1.e6228acd1c6e5p-28, 0x1.e9ec1fcb69a7fp-32};
    double within = x < -200 ? -200 : x > 200 ? 200 : x, shifted = within + 0x1.8p52, f = within - (shifted - 0x1.8p52);
    double sum = c[11];
    for (int i = 10; i >= 0; i--)
        sum = sum * f + c[i];
    return sum * f64_real((f64_bits(shifted) << 52) + 0x3ff0000000000000ull); /* the integer stands in the lowest bits */
}

NUMERICS_INLINE uint32_t f32_ex2_approx(uint32_t a, bool ftz)
{
    return f32_of_double(power_of_2((double)f32_real(f32_flush(a, ftz))), ftz);
}

uint32_t f32_sin_approx(uint32_t a, bool ftz);
uint32_t f32_cos_approx(uint32_t a, bool ftz);
uint32_t f32_lg2_approx(uint32_t a, bool ftz);
uint32_t f32_tanh_approx(uint32_t a);

/** rcp.approx.ftz.f64: from the upper word alone, 20 bits, lower word 0. */
uint64_t f64_rcp_approx(uint64_t a, bool ftz);
/** rsqrt.approx.f64 (full accuracy of the routine) and rsqrt.approx.ftz.f64 (upper word alone). */
uint64_t f64_rsqrt_approx(uint64_t a, bool ftz);

uint16_t f16_ex2_approx(uint16_t a, bool ftz);
uint16_t f16_tanh_approx(uint16_t a);
uint16_t bf16_ex2_approx(uint16_t a, bool ftz);
uint16_t bf16_tanh_approx(uint16_t a);
uint32_t f16x2_ex2_approx(uint32_t a, bool ftz);
uint32_t f16x2_tanh_approx(uint32_t a);
uint32_t bf16x2_ex2_approx(uint32_t a, bool ftz);
uint32_t bf16x2_tanh_approx(uint32_t a);

#endif
