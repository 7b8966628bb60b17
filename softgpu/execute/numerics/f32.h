/**
 * @file f32.h
 * Single precision; the forms are listed in numerics.h.
 */
#ifndef SOFTGPU_EXECUTE_NUMERICS_F32_H
#define SOFTGPU_EXECUTE_NUMERICS_F32_H

#include "execute/numerics/modes.h"

/** Every single-precision operation makes this NaN, whatever NaN went in. */
#define F32_NAN 0x7fffffffu

NUMERICS_INLINE uint32_t f32_minmax_nan(uint32_t a, uint32_t b)
{
    (void)a, (void)b;
    return F32_NAN;
}

#define REAL float
#define BITS uint32_t
#define NAME(x) f32_##x
#define BUILTIN(x) __builtin_##x##f
#define SIGN_BIT 0x80000000u
#define INF_BITS 0x7f800000u
#define ONE_BITS 0x3f800000u
#define MIN_NORMAL_BITS 0x00800000u
#define NAN_OF(a, b, c) F32_NAN
#define ROUTINE_NAN_OF(a, b) F32_NAN
#define TINY_BELOW (0x1p-126 - 0x1p-151)
#include "execute/numerics/real_template.h"
#undef REAL
#undef BITS
#undef NAME
#undef BUILTIN
#undef SIGN_BIT
#undef INF_BITS
#undef ONE_BITS
#undef MIN_NORMAL_BITS
#undef NAN_OF
#undef ROUTINE_NAN_OF
#undef TINY_BELOW

/* The hardware adds -0 to |a| or -a, so a NaN comes out as every other operation's. */
NUMERICS_INLINE uint32_t f32_abs(uint32_t a, bool ftz)
{
    return f32_is_nan(a) ? F32_NAN : f32_flush(a, ftz) & 0x7fffffffu;
}

NUMERICS_INLINE uint32_t f32_neg(uint32_t a, bool ftz)
{
    return f32_is_nan(a) ? F32_NAN : f32_flush(a, ftz) ^ 0x80000000u;
}

/* Two values side by side in 64 bits (sm_100: add, mul, fma .f32x2). */

NUMERICS_INLINE uint64_t f32x2_join(uint32_t low, uint32_t high)
{
    return low | (uint64_t)high << 32;
}

NUMERICS_INLINE uint64_t f32x2_add(uint64_t a, uint64_t b, enum numeric_rounding r, bool ftz)
{
    return f32x2_join(f32_add((uint32_t)a, (uint32_t)b, r, ftz, false),
                      f32_add((uint32_t)(a >> 32), (uint32_t)(b >> 32), r, ftz, false));
}

NUMERICS_INLINE uint64_t f32x2_sub(uint64_t a, uint64_t b, enum numeric_rounding r, bool ftz)
{
    return f32x2_join(f32_sub((uint32_t)a, (uint32_t)b, r, ftz, false),
                      f32_sub((uint32_t)(a >> 32), (uint32_t)(b >> 32), r, ftz, false));
}

NUMERICS_INLINE uint64_t f32x2_mul(uint64_t a, uint64_t b, enum numeric_rounding r, bool ftz)
{
    return f32x2_join(f32_mul((uint32_t)a, (uint32_t)b, r, ftz, false),
                      f32_mul((uint32_t)(a >> 32), (uint32_t)(b >> 32), r, ftz, false));
}

NUMERICS_INLINE uint64_t f32x2_fma(uint64_t a, uint64_t b, uint64_t c, enum numeric_rounding r,
                                   bool ftz)
{
    return f32x2_join(
        f32_fma((uint32_t)a, (uint32_t)b, (uint32_t)c, r, ftz, false),
        f32_fma((uint32_t)(a >> 32), (uint32_t)(b >> 32), (uint32_t)(c >> 32), r, ftz, false));
}

#endif
