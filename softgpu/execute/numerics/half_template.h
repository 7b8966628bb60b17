/*
 * Arithmetic of one 16-bit real type; included by half.h, which defines and undefines:
 *   HALF(x)  f16_x or bf16_x      WIDEN  its conversion to f32      FRACTION, BIAS  its format
 * No include guard: it is a template.
 */

NUMERICS_INLINE bool HALF(is_nan)(uint16_t a)
{
    return (a & 0x7fff) > (2 * BIAS + 1) << FRACTION;
}

NUMERICS_INLINE uint16_t HALF(flush)(uint16_t a, bool ftz)
{
    return ftz && (a & 0x7fff) < 1 << FRACTION ? a & 0x8000 : a;
}

NUMERICS_INLINE double HALF(value)(uint16_t a)
{
    return (double)f32_real(WIDEN(a));
}

NUMERICS_INLINE uint16_t HALF(saturate)(uint16_t a)
{
    uint16_t low = a & 0x8000 || HALF(is_nan)(a) ? 0 : a;
    return low > BIAS << FRACTION ? BIAS << FRACTION : low;
}

/**
 * Rounds an exact or odd-rounded double, then applies the modifiers. As in single precision a result
 * is tiny when it would be below the least normal number with a wider exponent too.
 */
NUMERICS_INLINE uint16_t HALF(finish)(uint64_t exact, bool ftz, bool sat, bool relu)
{
    /* 2^(1-BIAS) less half a unit of the numbers just below it, as a double's bits */
    const uint64_t tiny_below = ((uint64_t)(1023 + 1 - BIAS) << 52) - (1ull << (51 - FRACTION));
    uint16_t d = f64_is_nan(exact) ? HALF_NAN : half_narrow(exact, FRACTION, BIAS);
    if (ftz && (exact & 0x7fffffffffffffffull) < tiny_below)
        d &= 0x8000;
    d = relu && d & 0x8000 ? 0 : d;
    return sat ? HALF(saturate)(d) : d;
}

NUMERICS_INLINE uint16_t HALF(add)(uint16_t a, uint16_t b, bool ftz, bool sat)
{
    double x = HALF(value)(HALF(flush)(a, ftz)), y = HALF(value)(HALF(flush)(b, ftz));
    return HALF(finish)(f64_add_odd(x, y), ftz, sat, false);
}

NUMERICS_INLINE uint16_t HALF(sub)(uint16_t a, uint16_t b, bool ftz, bool sat)
{
    return HALF(add)(a, b ^ 0x8000, ftz, sat);
}

NUMERICS_INLINE uint16_t HALF(mul)(uint16_t a, uint16_t b, bool ftz, bool sat)
{
    double x = HALF(value)(HALF(flush)(a, ftz)), y = HALF(value)(HALF(flush)(b, ftz));
    return HALF(finish)(f64_bits(x * y), ftz, sat, false);
}

NUMERICS_INLINE uint16_t HALF(fma)(uint16_t a, uint16_t b, uint16_t c, bool ftz, bool sat, bool relu)
{
    double x = HALF(value)(HALF(flush)(a, ftz)), y = HALF(value)(HALF(flush)(b, ftz));
    double z = HALF(value)(HALF(flush)(c, ftz));
    return HALF(finish)(f64_add_odd(x * y, z), ftz, sat, relu);   /* x * y is exact */
}

NUMERICS_INLINE uint16_t HALF(abs)(uint16_t a, bool ftz)
{
    return HALF(is_nan)(a) ? HALF_NAN : HALF(flush)(a, ftz) & 0x7fff;
}

NUMERICS_INLINE uint16_t HALF(neg)(uint16_t a, bool ftz)
{
    return HALF(is_nan)(a) ? HALF_NAN : HALF(flush)(a, ftz) ^ 0x8000;
}

/** Sign and magnitude as a two's-complement key of the same order; -0 just below +0. */
NUMERICS_INLINE int HALF(key)(uint16_t a)
{
    return a & 0x8000 ? -(int)(a & 0x7fff) - 1 : a;
}

NUMERICS_INLINE uint16_t HALF(minmax)(uint16_t a, uint16_t b, bool max, bool ftz, bool nan,
                                      bool xorsign_abs)
{
    uint16_t sign = xorsign_abs ? (a ^ b) & 0x8000 : 0, keep = xorsign_abs ? 0x7fff : 0xffff;
    a = HALF(flush)(a, ftz) & keep;
    b = HALF(flush)(b, ftz) & keep;
    bool na = HALF(is_nan)(a), nb = HALF(is_nan)(b);
    bool first = HALF(key)(a) < HALF(key)(b) ? !max : max;
    uint16_t d = na ? b : nb || first ? a : b;
    return (nan ? na || nb : na && nb) ? HALF_NAN : d | sign;
}

NUMERICS_INLINE uint16_t HALF(min)(uint16_t a, uint16_t b, bool ftz, bool nan, bool xorsign_abs)
{
    return HALF(minmax)(a, b, false, ftz, nan, xorsign_abs);
}

NUMERICS_INLINE uint16_t HALF(max)(uint16_t a, uint16_t b, bool ftz, bool nan, bool xorsign_abs)
{
    return HALF(minmax)(a, b, true, ftz, nan, xorsign_abs);
}

NUMERICS_INLINE bool HALF(compare)(enum numeric_compare op, uint16_t a, uint16_t b, bool ftz)
{
    return f32_compare(op, WIDEN(HALF(flush)(a, ftz)), WIDEN(HALF(flush)(b, ftz)), false);
}
