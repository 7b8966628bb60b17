/**
 * @file soft.c
 * Exact binary floating-point in integers; see soft.h.
 */
#include "execute/numerics/soft.h"

#include <assert.h>

typedef unsigned __int128 u128;

const struct soft_format soft_f16 = {5, 10, 0x7c00}, soft_bf16 = {8, 7, 0x7f80},
                         soft_tf32 = {8, 10, 0x3fc00}, soft_f32 = {8, 23, 0x7f800000},
                         soft_f64 = {11, 52, 0x7ff0000000000000}, soft_e4m3 = {4, 3, 0x7f},
                         soft_e5m2 = {5, 2, 0x7c}, soft_e2m3 = {2, 3, 0x20}, soft_e3m2 = {3, 2, 0x20},
                         soft_e2m1 = {2, 1, 8}, soft_scale = {9, 0, 0x1ff};

/** Index of the highest set bit; v is not 0. */
static int top_bit(u128 v)
{
    uint64_t high = (uint64_t)(v >> 64);
    return high ? 127 - __builtin_clzll(high) : 63 - __builtin_clzll((uint64_t)v);
}

/** v >> n where every bit that falls off is remembered in the lowest bit. */
static u128 shift_right_jam(u128 v, int n)
{
    if (n <= 0)
        return v;
    if (n > 127)
        return v != 0;
    return v >> n | ((v & (((u128)1 << n) - 1)) != 0);
}

/** Puts the highest bit at `bit`, moving the exponent along; only ever shifts left in practice. */
static void normalise(struct soft *v, int bit)
{
    int n = bit - top_bit(v->sig);
    v->sig = n >= 0 ? v->sig << n : shift_right_jam(v->sig, -n);
    v->exp -= n;
}

static struct soft make(enum soft_kind kind, bool sign)
{
    return (struct soft){.kind = kind, .sign = sign};
}

struct soft soft_unpack(const struct soft_format *f, uint64_t bits)
{
    uint64_t fraction = bits & ((1ull << f->fraction) - 1);
    int biased = (int)(bits >> f->fraction & ((1ull << f->exponent) - 1));
    bool sign = bits >> (f->fraction + f->exponent) & 1;
    int bias = (1 << (f->exponent - 1)) - 1;

    uint64_t magnitude = (uint64_t)biased << f->fraction | fraction;
    if (magnitude >= f->overflow)
        return make(f == &soft_e4m3 || magnitude > f->overflow ? SOFT_NAN : SOFT_INF, sign);
    if (biased == 0 && fraction == 0)
        return make(SOFT_ZERO, sign);
    struct soft v = {.kind = SOFT_FINITE, .sign = sign};
    v.sig = biased ? fraction | 1ull << f->fraction : fraction;
    v.exp = (biased ? biased : 1) - bias - f->fraction;
    return v;
}

struct soft soft_integer(bool sign, uint64_t magnitude)
{
    if (!magnitude)
        return make(SOFT_ZERO, false);
    return (struct soft){.kind = SOFT_FINITE, .sign = sign, .exp = 0, .sig = magnitude};
}

struct soft soft_add(struct soft a, struct soft b, enum numeric_rounding r)
{
    if (a.kind == SOFT_NAN || b.kind == SOFT_NAN)
        return make(SOFT_NAN, false);
    if (a.kind == SOFT_INF)
        return b.kind == SOFT_INF && a.sign != b.sign ? make(SOFT_NAN, false) : a;
    if (b.kind == SOFT_INF)
        return b;
    if (a.kind == SOFT_ZERO && b.kind == SOFT_ZERO)
        return make(SOFT_ZERO, a.sign == b.sign ? a.sign : r == ROUND_RM);
    if (a.kind == SOFT_ZERO)
        return b;
    if (b.kind == SOFT_ZERO)
        return a;

    /* At most 106 bits are significant: at bit 125 at least 19 zero bits stand below them, so
     * jamming never touches a bit that cancellation could bring up. */
    normalise(&a, 125);
    normalise(&b, 125);
    if (a.exp < b.exp) {
        struct soft t = a;
        a = b;
        b = t;
    }
    b.sig = shift_right_jam(b.sig, a.exp - b.exp);
    if (a.sign == b.sign) {
        a.sig += b.sig;
        return a;
    }
    if (a.sig == b.sig)
        return make(SOFT_ZERO, r == ROUND_RM);
    if (a.sig < b.sig) {
        a.sign = b.sign;
        a.sig = b.sig - a.sig;
    } else {
        a.sig -= b.sig;
    }
    return a;
}

struct soft soft_mul(struct soft a, struct soft b)
{
    bool sign = a.sign != b.sign;
    if (a.kind == SOFT_NAN || b.kind == SOFT_NAN)
        return make(SOFT_NAN, false);
    if (a.kind == SOFT_INF || b.kind == SOFT_INF)
        return a.kind == SOFT_ZERO || b.kind == SOFT_ZERO ? make(SOFT_NAN, false)
                                                          : make(SOFT_INF, sign);
    if (a.kind == SOFT_ZERO || b.kind == SOFT_ZERO)
        return make(SOFT_ZERO, sign);
    return (struct soft){SOFT_FINITE, sign, a.exp + b.exp, a.sig * b.sig};
}

struct soft soft_div(struct soft a, struct soft b)
{
    bool sign = a.sign != b.sign;
    if (a.kind == SOFT_NAN || b.kind == SOFT_NAN || (a.kind == SOFT_INF && b.kind == SOFT_INF) ||
        (a.kind == SOFT_ZERO && b.kind == SOFT_ZERO))
        return make(SOFT_NAN, false);
    if (a.kind == SOFT_INF || b.kind == SOFT_ZERO)
        return make(SOFT_INF, sign);
    if (a.kind == SOFT_ZERO || b.kind == SOFT_INF)
        return make(SOFT_ZERO, sign);

    normalise(&a, 127);   /* the quotient has at least 127 - 53 bits */
    u128 quotient = a.sig / b.sig;
    quotient |= a.sig % b.sig != 0;
    return (struct soft){SOFT_FINITE, sign, a.exp - b.exp, quotient};
}

struct soft soft_sqrt(struct soft a)
{
    if (a.kind == SOFT_ZERO || a.kind == SOFT_NAN)
        return a;
    if (a.sign)
        return make(SOFT_NAN, false);
    if (a.kind == SOFT_INF)
        return a;

    normalise(&a, 125);
    if (a.exp & 1) {
        a.sig >>= 1;   /* exact: the lowest bits are zero */
        a.exp++;
    }
    u128 root = 0, rest = a.sig;
    for (u128 bit = (u128)1 << 124; bit; bit >>= 2) {
        if (rest >= root + bit) {
            rest -= root + bit;
            root = (root >> 1) + bit;
        } else {
            root >>= 1;
        }
    }
    return (struct soft){SOFT_FINITE, false, a.exp / 2 - 1, root << 1 | (rest != 0)};
}

/**
 * Whether a magnitude goes up by one unit when its rest is cut off.
 * @param odd   its last kept bit   @param rest  the rest is not zero
 * @param half, above  the rest is exactly, or more than, half a unit
 */
static bool rounds_up(enum numeric_rounding r, bool sign, bool odd, bool rest, bool half, bool above)
{
    switch (r) {
    case ROUND_NONE:
    case ROUND_RN:
    case ROUND_RNI:
        return above || (half && odd);
    case ROUND_RNA:
        return above || half;
    case ROUND_RM:
    case ROUND_RMI:
        return rest && sign;
    case ROUND_RP:
    case ROUND_RPI:
        return rest && !sign;
    case ROUND_RZ:
    case ROUND_RZI:
        return false;
    }
    assert(!"rounding");
    return false;
}

/** v.sig · 2^v.exp rounded to a multiple of 2^unit, in that unit. */
static u128 round_to_unit(struct soft v, int unit, enum numeric_rounding r)
{
    int shift = unit - v.exp;
    if (shift <= 0)
        return v.sig << -shift;
    if (shift > 126) {   /* keeps the half of a unit above the sticky bit, and within 128 bits */
        v.sig = shift_right_jam(v.sig, shift - 126);
        shift = 126;
    }
    u128 kept = v.sig >> shift, rest = v.sig & (((u128)1 << shift) - 1);
    u128 half = (u128)1 << (shift - 1);
    return kept + rounds_up(r, v.sign, kept & 1, rest != 0, rest == half, rest > half);
}

uint64_t soft_round(const struct soft_format *f, struct soft v, enum numeric_rounding r)
{
    int width = f->exponent + f->fraction;
    uint64_t sign = (uint64_t)v.sign << width;
    int lowest = 2 - (1 << (f->exponent - 1)) - f->fraction;   /* exponent of the least subnormal */

    switch (v.kind) {
    case SOFT_NAN:
        return (1ull << width) - 1;
    case SOFT_INF:
        return sign | f->overflow;
    case SOFT_ZERO:
        return sign;
    case SOFT_FINITE:
        break;
    }
    int unit = v.exp + top_bit(v.sig) - f->fraction;
    if (unit < lowest)
        unit = lowest;
    uint64_t kept = (uint64_t)round_to_unit(v, unit, r);
    /* A carry out of the fraction runs into the exponent, as it should. */
    uint64_t bits = ((uint64_t)(unit - lowest) << f->fraction) + kept;
    if (unit - lowest >= 1 << f->exponent || bits >= f->overflow) {
        bool to_infinity = rounds_up(r, v.sign, true, true, false, true);
        bits = to_infinity ? f->overflow : f->overflow - 1;
    }
    return sign | bits;
}

bool soft_is_tiny(const struct soft_format *f, struct soft v, enum numeric_rounding r)
{
    if (v.kind != SOFT_FINITE)
        return false;
    int top = v.exp + top_bit(v.sig), least = 2 - (1 << (f->exponent - 1));
    if (top >= least)
        return false;
    u128 kept = round_to_unit(v, top - f->fraction, r);
    return top + 1 < least || kept != (u128)2 << f->fraction;   /* a carry reaches the next power */
}

uint64_t soft_to_integer(struct soft v, enum numeric_rounding r, bool *overflow)
{
    *overflow = false;
    if (v.kind == SOFT_ZERO)
        return 0;
    assert(v.kind == SOFT_FINITE);
    if (v.exp + top_bit(v.sig) > 64) {
        *overflow = true;
        return UINT64_MAX;
    }
    u128 magnitude = round_to_unit(v, 0, r);
    *overflow = magnitude > UINT64_MAX;
    return *overflow ? UINT64_MAX : (uint64_t)magnitude;
}
