/**
 * @file soft.h
 * Exact binary floating-point in integers: the slow, certain path of numerics.
 *
 * A value is sign · sig · 2^exp. Operations are exact up to a sticky lowest bit ("jamming"): the
 * result differs from the true one only below every bit that rounding can see, so one soft_round()
 * at the end gives the correctly rounded result in any format and rounding mode.
 */
#ifndef SOFTGPU_EXECUTE_NUMERICS_SOFT_H
#define SOFTGPU_EXECUTE_NUMERICS_SOFT_H

#include "execute/numerics/modes.h"

enum soft_kind { SOFT_ZERO, SOFT_FINITE, SOFT_INF, SOFT_NAN };

struct soft {
    enum soft_kind kind;
    bool sign;
    int exp;                 /**< FINITE: of the lowest bit of sig */
    unsigned __int128 sig;   /**< FINITE: never 0 */
};

/** An IEEE-like format: 1 sign bit, `exponent` bits, `fraction` bits. */
struct soft_format {
    int exponent, fraction;
    uint64_t overflow;   /**< bits of the first magnitude beyond the largest number: infinity */
};

/**
 * The overflow of e4m3, which has no infinity, is its NaN; e5m2 is a short f16; those of six and four bits have
 * neither: what is beyond their largest number takes the sign's place. soft_scale holds powers of two.
 */
extern const struct soft_format soft_f16, soft_bf16, soft_tf32, soft_f32, soft_f64;
extern const struct soft_format soft_e4m3, soft_e5m2, soft_e2m3, soft_e3m2, soft_e2m1, soft_scale;

struct soft soft_unpack(const struct soft_format *f, uint64_t bits);
/** The integer with this sign and magnitude. */
struct soft soft_integer(bool sign, uint64_t magnitude);
struct soft soft_add(struct soft a, struct soft b, enum numeric_rounding r);
struct soft soft_mul(struct soft a, struct soft b);
struct soft soft_div(struct soft a, struct soft b);
struct soft soft_sqrt(struct soft a);

/**
 * Rounds to the format; r is RN, RZ, RM, RP or RNA. Overflow gives infinity or the largest finite
 * number as IEEE 754 says. @return bits; a NaN is all ones but the sign
 */
uint64_t soft_round(const struct soft_format *f, struct soft v, enum numeric_rounding r);

/** Whether the value, rounded as if exponents had no lower end, lies below the least normal number. */
bool soft_is_tiny(const struct soft_format *f, struct soft v, enum numeric_rounding r);

/**
 * Rounds a zero or finite value to an integer: RN, RZ, RM, RP, RNA or their *I forms.
 * @return the magnitude, UINT64_MAX with *overflow set where it exceeds 64 bits
 */
uint64_t soft_to_integer(struct soft v, enum numeric_rounding r, bool *overflow);

#endif
