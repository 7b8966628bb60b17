/**
 * @file dot.h
 * What tensor cores compute: products of matrices, to the last bit as an H200 computes them.
 *
 * Measured on one, with the operands of tests/runtime/tensor_facts.cu (the results are in tensor_facts.gpu.txt), and
 * read from the code that ptxas 13.0 makes for sm_90:
 *
 *   f16, bf16, tf32   The products of one instruction along k and the addend are summed at once: exact products, each
 *                     cut to 25 bits behind the point of the largest exponent among them (zeros do not count), an
 *                     exact sum, which is cut to f32, or rounded to nearest even for f16. tf32 drops the operands'
 *                     low 13 bits; subnormal operands count with their format's least exponent, and stay unnormalised.
 *                     A result too small for its format is +0, one too large infinite.
 *   fp8               mma.sync turns them into halves, and sums from 0, in two steps: the lower halves of all
 *                     registers, then the upper ones. The addend comes last, rounded to nearest even.
 *                     wgmma sums them at once, as it does halves, but keeps 13 bits, and 13 bits of an f32 result.
 *   m8n8k4            of halves: a chain of fma from +0 in f32, then the addend; where d is f16: a0 b0 + a1 b1, added
 *                     to c, then a2 b2 + a3 b3, all in f32, then rounded.
 *   f64               a chain of fma along k that begins with the addend, each rounded as the instruction says (tests/gpu/instructions_h100.txt).
 *   sparse            what is stored of a and meets it of b, as above (of wgmma: not recorded).
 *   integers, bits    exact; satfinite clamps the result.
 *
 * Every NaN is 0x7fffffff or 0x7fff; of f64 it is that of b, else of the sum so far, else of a, made quiet.
 */
#ifndef SOFTGPU_EXECUTE_TENSOR_DOT_H
#define SOFTGPU_EXECUTE_TENSOR_DOT_H

#include <stdbool.h>
#include <stdint.h>

#include "code/fragment.h"

/** A product of matrices, elements as bits, zero-extended. */
struct product {
    const struct tensor_desc *form;
    const uint64_t *a;        /**< [line][tensor_length(a)] */
    const uint64_t *b;        /**< [column][tensor_length(b)] */
    const uint64_t *c;        /**< [line][column] */
    const uint8_t *place;     /**< of a sparse a's elements along k, [line][tensor_length(a)]; NULL: in order */
};

/** d[line][column]; `d` may be `c`. No state, no failure. */
void tensor_multiply(const struct product *p, uint64_t *d);

#endif
