/*
 * Arithmetic of one real type; included by f32.h and f64.h, which define and undefine:
 *   REAL        float or double          BITS       its bits' type
 *   NAME(x)     f32_x or f64_x           SIGN_BIT, INF_BITS, ONE_BITS, MIN_NORMAL_BITS
 *   NAN_OF(a, b, c)  the bits of a NaN result of one instruction on a, b, c
 *   ROUTINE_NAN_OF(a, b)  the same of division, rcp and sqrt, which are routines of many
 *   BUILTIN(x)  the compiler's x for REAL
 *   TINY_BELOW  the least magnitude that rounds to MIN_NORMAL whatever the exponent range
 * No include guard: it is a template.
 */

NUMERICS_INLINE REAL NAME(real)(BITS bits)
{
    REAL value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}

NUMERICS_INLINE BITS NAME(bits)(REAL value)
{
    BITS bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    return bits;
}

NUMERICS_INLINE bool NAME(is_nan)(BITS a)
{
    return (a & ~SIGN_BIT) > INF_BITS;
}

/** A subnormal becomes a zero of its sign. */
NUMERICS_INLINE BITS NAME(flush)(BITS a, bool ftz)
{
    return ftz && (a & ~SIGN_BIT) < MIN_NORMAL_BITS ? a & SIGN_BIT : a;
}

/** Clamps to [0, 1]; NaN and -0 become +0. As signed integers, numbers of one sign keep their order. */
NUMERICS_INLINE BITS NAME(saturate)(BITS a)
{
    BITS low = a & SIGN_BIT || NAME(is_nan)(a) ? 0 : a;
    return low > ONE_BITS ? ONE_BITS : low;
}

/**
 * Flushes the result `d` of an operation whose true value lies near `value`. The hardware calls a
 * result tiny when it would be below the least normal number even with a wider exponent; rounding at
 * the subnormal grid may have lifted it to that number.
 */
NUMERICS_INLINE BITS NAME(flush_tiny)(BITS d, double value, bool ftz)
{
    bool lifted = value < TINY_BELOW && value > -TINY_BELOW;
    return ftz && lifted ? d & SIGN_BIT : d;
}

/** What every operation does to its rounded result. */
NUMERICS_INLINE BITS NAME(finish)(BITS result, BITS nan, bool ftz, bool sat)
{
    result = NAME(is_nan)(result) ? nan : NAME(flush)(result, ftz);
    return sat ? NAME(saturate)(result) : result;
}

/* Roundings other than to nearest, in directed.c. Inputs are flushed already; a NaN's bits mean
 * nothing. */
BITS NAME(add_directed)(BITS a, BITS b, enum numeric_rounding r, bool ftz);
BITS NAME(mul_directed)(BITS a, BITS b, enum numeric_rounding r, bool ftz);
BITS NAME(fma_directed)(BITS a, BITS b, BITS c, enum numeric_rounding r, bool ftz);
BITS NAME(div_directed)(BITS a, BITS b, enum numeric_rounding r, bool ftz);
BITS NAME(sqrt_directed)(BITS a, enum numeric_rounding r, bool ftz);

NUMERICS_INLINE bool NAME(to_nearest)(enum numeric_rounding r)
{
    return r == ROUND_RN || r == ROUND_NONE;
}

NUMERICS_INLINE BITS NAME(add)(BITS a, BITS b, enum numeric_rounding r, bool ftz, bool sat)
{
    a = NAME(flush)(a, ftz);
    b = NAME(flush)(b, ftz);
    BITS d = NAME(to_nearest)(r) ? NAME(bits)(NAME(real)(a) + NAME(real)(b))
                                 : NAME(add_directed)(a, b, r, ftz);
    return NAME(finish)(d, NAN_OF(a, b, 0), ftz, sat);
}

NUMERICS_INLINE BITS NAME(sub)(BITS a, BITS b, enum numeric_rounding r, bool ftz, bool sat)
{
    a = NAME(flush)(a, ftz);
    b = NAME(flush)(b, ftz);
    BITS d = NAME(to_nearest)(r) ? NAME(bits)(NAME(real)(a) - NAME(real)(b))
                                 : NAME(add_directed)(a, b ^ SIGN_BIT, r, ftz);
    return NAME(finish)(d, NAN_OF(a, b, 0), ftz, sat);
}

NUMERICS_INLINE BITS NAME(mul)(BITS a, BITS b, enum numeric_rounding r, bool ftz, bool sat)
{
    a = NAME(flush)(a, ftz);
    b = NAME(flush)(b, ftz);
    BITS d = NAME(to_nearest)(r) ? NAME(bits)(NAME(real)(a) * NAME(real)(b))
                                 : NAME(mul_directed)(a, b, r, ftz);
    if (ftz && NAME(to_nearest)(r))
        d = NAME(flush_tiny)(d, (double)NAME(real)(a) * (double)NAME(real)(b), ftz);
    return NAME(finish)(d, NAN_OF(a, b, 0), ftz, sat);
}

NUMERICS_INLINE BITS NAME(fma)(BITS a, BITS b, BITS c, enum numeric_rounding r, bool ftz, bool sat)
{
    a = NAME(flush)(a, ftz);
    b = NAME(flush)(b, ftz);
    c = NAME(flush)(c, ftz);
    BITS d = NAME(to_nearest)(r)
                 ? NAME(bits)(BUILTIN(fma)(NAME(real)(a), NAME(real)(b), NAME(real)(c)))
                 : NAME(fma_directed)(a, b, c, r, ftz);
    if (ftz && NAME(to_nearest)(r)) {   /* near the threshold nothing is lost in double */
        double product = (double)NAME(real)(a) * (double)NAME(real)(b);
        d = NAME(flush_tiny)(d, product + (double)NAME(real)(c), ftz);
    }
    return NAME(finish)(d, NAN_OF(a, b, c), ftz, sat);
}

NUMERICS_INLINE BITS NAME(div)(BITS a, BITS b, enum numeric_rounding r, bool ftz)
{
    a = NAME(flush)(a, ftz);
    b = NAME(flush)(b, ftz);
    BITS d = NAME(to_nearest)(r) ? NAME(bits)(NAME(real)(a) / NAME(real)(b))
                                 : NAME(div_directed)(a, b, r, ftz);
    if (ftz && NAME(to_nearest)(r))
        d = NAME(flush_tiny)(d, (double)NAME(real)(a) / (double)NAME(real)(b), ftz);
    return NAME(finish)(d, ROUTINE_NAN_OF(a, b), ftz, false);
}

NUMERICS_INLINE BITS NAME(rcp)(BITS a, enum numeric_rounding r, bool ftz)
{
    a = NAME(flush)(a, ftz);
    BITS d = NAME(to_nearest)(r) ? NAME(bits)((REAL)1 / NAME(real)(a))
                                 : NAME(div_directed)(ONE_BITS, a, r, ftz);
    return NAME(finish)(d, ROUTINE_NAN_OF(a, 0), ftz, false);
}

NUMERICS_INLINE BITS NAME(sqrt)(BITS a, enum numeric_rounding r, bool ftz)
{
    a = NAME(flush)(a, ftz);
    BITS d = NAME(to_nearest)(r) ? NAME(bits)(BUILTIN(sqrt)(NAME(real)(a)))
                                 : NAME(sqrt_directed)(a, r, ftz);
    return NAME(finish)(d, ROUTINE_NAN_OF(a, 0), ftz, false);
}

/** The smaller of two non-NaN values, -0 below +0. */
NUMERICS_INLINE BITS NAME(least)(BITS a, BITS b)
{
    REAL x = NAME(real)(a), y = NAME(real)(b);
    return x < y ? a : y < x ? b : a | b;   /* equal: the same bits, or zeros of any sign */
}

NUMERICS_INLINE BITS NAME(greatest)(BITS a, BITS b)
{
    REAL x = NAME(real)(a), y = NAME(real)(b);
    return x > y ? a : y > x ? b : a & b;
}

/** A NaN operand is ignored unless both are, or `nan` asks for it to win (PTX ISA 9.7.3, min). */
NUMERICS_INLINE BITS NAME(select)(BITS number, BITS a, BITS b, bool nan)
{
    bool na = NAME(is_nan)(a), nb = NAME(is_nan)(b);
    BITS lone = na ? b : a;
    return (nan ? na || nb : na && nb) ? NAME(minmax_nan)(a, b) : na || nb ? lone : number;
}

NUMERICS_INLINE BITS NAME(min)(BITS a, BITS b, bool ftz, bool nan, bool xorsign_abs)
{
    BITS sign = xorsign_abs ? (a ^ b) & SIGN_BIT : 0, keep = xorsign_abs ? ~SIGN_BIT : ~(BITS)0;
    a = NAME(flush)(a, ftz) & keep;
    b = NAME(flush)(b, ftz) & keep;
    BITS d = NAME(select)(NAME(least)(a, b), a, b, nan);
    return NAME(is_nan)(d) ? d : d | sign;
}

NUMERICS_INLINE BITS NAME(max)(BITS a, BITS b, bool ftz, bool nan, bool xorsign_abs)
{
    BITS sign = xorsign_abs ? (a ^ b) & SIGN_BIT : 0, keep = xorsign_abs ? ~SIGN_BIT : ~(BITS)0;
    a = NAME(flush)(a, ftz) & keep;
    b = NAME(flush)(b, ftz) & keep;
    BITS d = NAME(select)(NAME(greatest)(a, b), a, b, nan);
    return NAME(is_nan)(d) ? d : d | sign;
}

NUMERICS_INLINE BITS NAME(min3)(BITS a, BITS b, BITS c, bool ftz, bool nan, bool abs)
{
    BITS keep = abs ? ~SIGN_BIT : ~(BITS)0;
    BITS d = NAME(min)(a & keep, b & keep, ftz, nan, false);
    return NAME(min)(d, c & keep, ftz, nan, false);
}

NUMERICS_INLINE BITS NAME(max3)(BITS a, BITS b, BITS c, bool ftz, bool nan, bool abs)
{
    BITS keep = abs ? ~SIGN_BIT : ~(BITS)0;
    BITS d = NAME(max)(a & keep, b & keep, ftz, nan, false);
    return NAME(max)(d, c & keep, ftz, nan, false);
}

/** `b` with the sign of `a`. */
NUMERICS_INLINE BITS NAME(copysign)(BITS a, BITS b)
{
    return (a & SIGN_BIT) | (b & ~SIGN_BIT);
}

/** PTX ISA 9.7.3, testp: both zeros count as normal. */
NUMERICS_INLINE bool NAME(testp)(enum numeric_test test, BITS a)
{
    BITS m = a & ~SIGN_BIT;
    switch (test) {
    case TEST_FINITE: return m < INF_BITS;
    case TEST_INFINITE: return m == INF_BITS;
    case TEST_NUMBER: return m <= INF_BITS;
    case TEST_NOTANUMBER: return m > INF_BITS;
    case TEST_NORMAL: return m == 0 || (m >= MIN_NORMAL_BITS && m < INF_BITS);
    case TEST_SUBNORMAL: return m != 0 && m < MIN_NORMAL_BITS;
    }
    return false;
}

NUMERICS_INLINE bool NAME(compare)(enum numeric_compare op, BITS a, BITS b, bool ftz)
{
    REAL x = NAME(real)(NAME(flush)(a, ftz)), y = NAME(real)(NAME(flush)(b, ftz));
    bool unordered = NAME(is_nan)(a) || NAME(is_nan)(b);
    switch (op) {
    case COMPARE_EQ: return x == y;
    case COMPARE_NE: return !unordered && x != y;
    case COMPARE_LT: return x < y;
    case COMPARE_LE: return x <= y;
    case COMPARE_GT: return x > y;
    case COMPARE_GE: return x >= y;
    case COMPARE_EQU: return unordered || x == y;
    case COMPARE_NEU: return x != y;
    case COMPARE_LTU: return unordered || x < y;
    case COMPARE_LEU: return unordered || x <= y;
    case COMPARE_GTU: return unordered || x > y;
    case COMPARE_GEU: return unordered || x >= y;
    case COMPARE_NUM: return !unordered;
    case COMPARE_NAN: return unordered;
    }
    return false;
}
