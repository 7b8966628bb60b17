/**
 * @file f64.h
 * Double precision; the forms are listed in numerics.h. PTX has no .ftz and .sat here: pass false.
 */
#ifndef SOFTGPU_EXECUTE_NUMERICS_F64_H
#define SOFTGPU_EXECUTE_NUMERICS_F64_H

#include "execute/numerics/modes.h"

/** The NaN of an invalid operation on numbers. */
#define F64_NAN 0xfff8000000000000ull

/** The NaN that an operation on a, b, c makes: the first NaN operand, made quiet; else F64_NAN. */
NUMERICS_INLINE uint64_t f64_nan(uint64_t a, uint64_t b, uint64_t c)
{
    const uint64_t inf = 0x7ff0000000000000ull, magnitude = 0x7fffffffffffffffull,
                   quiet = 0x0008000000000000ull;
    return (a & magnitude) > inf ? a | quiet
         : (b & magnitude) > inf ? b | quiet
         : (c & magnitude) > inf ? c | quiet
                                 : F64_NAN;
}

/** min or max of two NaNs: the second, made quiet. */
NUMERICS_INLINE uint64_t f64_minmax_nan(uint64_t a, uint64_t b)
{
    (void)a;
    return b | 0x0008000000000000ull;
}

#define REAL double
#define BITS uint64_t
#define NAME(x) f64_##x
#define BUILTIN(x) __builtin_##x
#define SIGN_BIT 0x8000000000000000ull
#define INF_BITS 0x7ff0000000000000ull
#define ONE_BITS 0x3ff0000000000000ull
#define MIN_NORMAL_BITS 0x0010000000000000ull
#define NAN_OF(a, b, c) f64_nan(a, b, c)
#define TINY_BELOW 0x1p-1022
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
#undef TINY_BELOW

/* The hardware adds -0 to |a| or -a, which makes a NaN quiet. */
NUMERICS_INLINE uint64_t f64_abs(uint64_t a, bool ftz)
{
    uint64_t d = f64_flush(a, ftz) & 0x7fffffffffffffffull;
    return f64_is_nan(a) ? f64_nan(d, 0, 0) : d;
}

NUMERICS_INLINE uint64_t f64_neg(uint64_t a, bool ftz)
{
    uint64_t d = f64_flush(a, ftz) ^ 0x8000000000000000ull;
    return f64_is_nan(a) ? f64_nan(d, 0, 0) : d;
}

#endif
