/**
 * @file approx.c
 * The .approx forms: the true value of the operand as the hardware reduces it, computed in double and
 * then rounded once, or cut where the hardware mostly cuts; see approx.h.
 */
#include "execute/numerics/approx.h"

#include <math.h>

#define F32_SIGN 0x80000000u

/**
 * sin of |a| plus `quadrant` quarter turns. The hardware takes a number of turns, made by one f32
 * multiplication towards zero, which is why it loses accuracy, and all of it, as the argument grows;
 * and it cuts that number to 25 binary places, which is why small angles lose theirs. Two of those
 * bits are the quadrant. Where the sine falls, the other 23 are complemented, not subtracted, so that
 * sin(pi) is 0 and the results there lie one step of the angle off.
 */
static double sine(uint32_t a, unsigned quadrant)
{
    const uint32_t one_turn = 0x3e22f983, quarter = 0x7fffff;   /* 1/(2 pi); mask of the 23 bits */
    double turns = fabs((double)f32_real(f32_flush(f32_mul(a, one_turn, ROUND_RZ, false, false), true)));
    if (!(turns < (double)INFINITY))
        return (double)NAN;
    uint32_t places = (uint32_t)((turns - floor(turns)) * 0x1p25), within = places & quarter;
    quadrant += places >> 23;
    double value = sin((quadrant & 1 ? within ^ quarter : within) * (M_PI / 2 * 0x1p-23));
    return quadrant & 2 ? -value : value;
}

uint32_t f32_sin_approx(uint32_t a, bool ftz)
{
    double value = sine(a, 0);
    return f32_of_double(a & F32_SIGN ? -value : value, ftz);
}

uint32_t f32_cos_approx(uint32_t a, bool ftz)
{
    return f32_of_double(sine(a, 1), ftz);
}

uint32_t f32_lg2_approx(uint32_t a, bool ftz)
{
    double x = (double)f32_real(f32_flush(a, ftz));
    double value = x == 0 ? -(double)INFINITY : log2(x);
    uint32_t d = f32_of_double(value, ftz);
    return d - (fabs((double)f32_real(d)) > fabs(value));   /* towards zero: nearest the hardware */
}

uint32_t f32_tanh_approx(uint32_t a)
{
    return f32_of_double(tanh((double)f32_real(a)), false);
}

/** The upper word of a double, with the 20 fraction bits that the hardware's tables give; of a NaN it
 *  is that of single precision. */
static uint64_t upper_word(double value)
{
    uint64_t bits = f64_bits(value);
    if (value != value)
        return (uint64_t)F32_NAN << 32;
    return f64_flush(bits & ~0xffffffffull, true);
}

uint64_t f64_rcp_approx(uint64_t a, bool ftz)
{
    (void)ftz;   /* PTX has only the .ftz form */
    return upper_word(1 / f64_real(f64_flush(a & ~0xffffffffull, true)));
}

uint64_t f64_rsqrt_approx(uint64_t a, bool ftz)
{
    if (ftz)
        return upper_word(1 / sqrt(f64_real(f64_flush(a & ~0xffffffffull, true))));
    if (f64_is_nan(a))
        return f64_nan(a, 0, 0);
    double root = 1 / sqrt(f64_real(a));
    return root != root ? F64_NAN : f64_bits(root);
}

/** A double to 16 bits as the hardware gets there: a result of single precision, cut. */
static uint16_t half_from(double exact, int fraction, int bias)
{
    double value = (double)(float)exact;
    if (value != value)
        return HALF_NAN;
    uint16_t d = half_narrow(f64_bits(value), fraction, bias);
    double rounded = fraction == 10 ? f16_value(d) : bf16_value(d);
    return d - (fabs(rounded) > fabs(value) && fabs(value) < ldexp(1, bias + 1));
}

uint16_t f16_ex2_approx(uint16_t a, bool ftz)
{
    return f16_flush(half_from(exp2(f16_value(f16_flush(a, ftz))), 10, 15), ftz);
}

uint16_t f16_tanh_approx(uint16_t a)
{
    return half_from(tanh(f16_value(a)), 10, 15);
}

uint16_t bf16_ex2_approx(uint16_t a, bool ftz)
{
    return bf16_flush(half_from(exp2(bf16_value(bf16_flush(a, ftz))), 7, 127), ftz);
}

uint16_t bf16_tanh_approx(uint16_t a)
{
    return half_from(tanh(bf16_value(a)), 7, 127);
}

uint32_t f16x2_ex2_approx(uint32_t a, bool ftz)
{
    return (uint32_t)f16_ex2_approx((uint16_t)(a >> 16), ftz) << 16 |
           f16_ex2_approx((uint16_t)a, ftz);
}

uint32_t f16x2_tanh_approx(uint32_t a)
{
    return (uint32_t)f16_tanh_approx((uint16_t)(a >> 16)) << 16 | f16_tanh_approx((uint16_t)a);
}

uint32_t bf16x2_ex2_approx(uint32_t a, bool ftz)
{
    return (uint32_t)bf16_ex2_approx((uint16_t)(a >> 16), ftz) << 16 |
           bf16_ex2_approx((uint16_t)a, ftz);
}

uint32_t bf16x2_tanh_approx(uint32_t a)
{
    return (uint32_t)bf16_tanh_approx((uint16_t)(a >> 16)) << 16 | bf16_tanh_approx((uint16_t)a);
}
