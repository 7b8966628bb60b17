/**
 * @file f64.h
 * Double precision; the forms are listed in numerics.h. PTX has no .ftz and .sat here: pass false.
 */
#ifndef SOFTGPU_EXECUTE_NUMERICS_F64_H
#define SOFTGPU_EXECUTE_NUMERICS_F64_H

#include "execute/numerics/modes.h"

/** The NaN of an invalid operation on numbers. */
#define F64_NAN 0xfff8000000000000ull

/**
 * The NaN that add, mul and fma of a, b, c make: the last NaN operand, with its sign and made quiet;
 * else F64_NAN. (That the addend of fma goes before its factors is not measured.)
 */
NUMERICS_INLINE uint64_t f64_nan(uint64_t a, uint64_t b, uint64_t c)
{
    const uint64_t inf = 0x7ff0000000000000ull, magnitude = 0x7fffffffffffffffull,
                   quiet = 0x0008000000000000ull;
    return (c & magnitude) > inf ? c | quiet
         : (b & magnitude) > inf ? b | quiet
         : (a & magnitude) > inf ? a | quiet
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
#define ROUTINE_NAN_OF(a, b) f64_nan(b, a, 0)
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
#undef ROUTINE_NAN_OF
#undef TINY_BELOW

/* The hardware adds -0 to |a| or -a. The addition makes a NaN quiet and keeps its sign: sign
 * modifiers of operands pass NaNs by. */
NUMERICS_INLINE uint64_t f64_abs(uint64_t a, bool ftz)
{
    return f64_is_nan(a) ? f64_nan(a, 0, 0) : f64_flush(a, ftz) & 0x7fffffffffffffffull;
}

NUMERICS_INLINE uint64_t f64_neg(uint64_t a, bool ftz)
{
    return f64_is_nan(a) ? f64_nan(a, 0, 0) : f64_flush(a, ftz) ^ 0x8000000000000000ull;
}

#endif
