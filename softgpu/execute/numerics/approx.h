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

uint32_t f32_sin_approx(uint32_t a, bool ftz);
uint32_t f32_cos_approx(uint32_t a, bool ftz);
uint32_t f32_lg2_approx(uint32_t a, bool ftz);
uint32_t f32_ex2_approx(uint32_t a, bool ftz);
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
