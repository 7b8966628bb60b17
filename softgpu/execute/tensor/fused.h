/**
 * @file fused.h
 * Private to execute/tensor/: sums of products without rounding in between, as tensor cores make them; dot.h says how.
 */
#ifndef SOFTGPU_EXECUTE_TENSOR_FUSED_H
#define SOFTGPU_EXECUTE_TENSOR_FUSED_H

#include <stdbool.h>
#include <stdint.h>

#include "code/fragment.h"

enum number_kind { NUMBER_FINITE, NUMBER_INFINITE, NUMBER_NAN };

/** significand · 2 to the power of (exponent - its format's fraction bits); of an infinity only the sign counts. */
struct number {
    int32_t significand;
    int16_t exponent;
    uint8_t kind;
};

/** An element of a format up to 32 bits. */
struct number number_of(enum tensor_type t, uint64_t bits);

/** So many of them. @return not 0 where one is infinite or a NaN */
unsigned numbers_of(enum tensor_type t, const uint64_t *bits, unsigned count, struct number *out);

/** Bits behind the point of a format's significands; tf32's are ten. */
unsigned fraction_bits(enum tensor_type t);

/** How a sum is made. */
struct fusing {
    uint8_t fraction;      /**< bits of a product's significand behind the point */
    uint8_t kept;          /**< bits behind the point of the largest exponent */
    uint8_t result_kept;   /**< of f32: fraction bits that stay, 23 or fewer */
    bool half;             /**< c and the result are f16, not f32 */
};

#define FUSED_TERMS 64   /* of one sum, at most */

/** a[0] b[0] + … + a[count - 1] b[count - 1] + c, bits of f32 or f16. */
uint32_t fused_sum(const struct fusing *f, const struct number *a, const struct number *b, unsigned count, uint32_t c);

/** What is left of a sum, which is sum · 2 to the power of `unit`, in c's format. */
uint32_t fused_result(const struct fusing *f, int64_t sum, int unit);

/* ---- fused_columns.c: the same for neighbouring columns of b at once */

#define FUSED_COLUMNS 8

/** Elements of so many columns of b that lie equally far along k. */
struct number_columns {
    int32_t significand[FUSED_COLUMNS], exponent[FUSED_COLUMNS];
};

/** fused_sum() of a line with each of FUSED_COLUMNS columns, into d, which may be c. Of b, element `place[i]` meets a[i]; NULL: element i.
 *  All elements and addends are finite. */
void fused_sums(const struct fusing *f, const struct number *a, const struct number_columns *b, const uint8_t *place, unsigned count,
                const uint32_t *c, uint32_t *d);

#endif
