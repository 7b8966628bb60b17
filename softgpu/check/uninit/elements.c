/**
 * @file elements.c
 * Instructions that compute each element of the result (a half, a byte, four bits) from the same element of their operands, or pack an
 * operand each into one: an undefined element makes one element of the result undefined, and what is beside it stays.
 */
#include "check/uninit/elements.h"

#include "code/descriptions.h"
#include "code/ops.h"
#include "execute/numerics/modes.h"

#define HALF_BITS 16
#define WORD_BITS 32

/** The elements of `to` bits whose twins of `from` bits have an undefined one. */
static uint64_t elements(uint64_t bits, unsigned from, unsigned to)
{
    uint64_t whole = 0;
    for (unsigned i = 0; i < WORD_BITS / from; i++)
        if (bits >> i * from & low_bits(from))
            whole |= low_bits(to) << i * to;
    return whole;
}

/** The first source becomes the upper of two elements. */
static uint64_t packed(uint64_t bits, unsigned source, unsigned to)
{
    return bits ? low_bits(to) << (source ? 0 : to) : 0;
}

static uint64_t converted(const struct cvt_desc *c, unsigned source, uint64_t bits)
{
    unsigned small = c->type == FP4_E2M1 ? 4 : 8;
    switch ((enum cvt_kind)c->kind) {
    case CVT_PAIR:
        return packed(bits, source, HALF_BITS);
    case CVT_TO_SMALL:
        return packed(bits, source, small);
    case CVT_SMALL_OF_PAIR:
        return elements(bits, HALF_BITS, small);
    case CVT_PAIR_OF_SMALL:
        return elements(bits & low_bits(2 * small), small, HALF_BITS);
    case CVT_PACK_INT:
        return source == 2 ? bits << 2 * c->bits & low_bits(WORD_BITS) : packed(bits, source, c->bits);
    }
    return bits;
}

bool elements_pass(const struct insn *in, unsigned source, uint64_t *bits)
{
    switch (insn_row(in)) {
    case ROW_cvt_pack_half: case ROW_cvt_small: case ROW_cvt_pack:
        *bits = converted(in->extra, source, *bits);
        return true;
    case ROW_add_16x2: case ROW_min_u16x2: case ROW_min_s16x2: case ROW_max_u16x2: case ROW_max_s16x2:
    case ROW_add_f16x2: case ROW_sub_f16x2: case ROW_mul_f16x2: case ROW_fma_f16x2: case ROW_fma_oob_f16x2:
    case ROW_add_bf16x2: case ROW_sub_bf16x2: case ROW_mul_bf16x2: case ROW_fma_bf16x2: case ROW_fma_oob_bf16x2:
    case ROW_neg_f16x2: case ROW_abs_f16x2: case ROW_min_f16x2: case ROW_max_f16x2: case ROW_tanh_f16x2: case ROW_ex2_f16x2:
    case ROW_neg_bf16x2: case ROW_abs_bf16x2: case ROW_min_bf16x2: case ROW_max_bf16x2: case ROW_tanh_bf16x2: case ROW_ex2_bf16x2:
        *bits = elements(*bits, HALF_BITS, HALF_BITS);
        return true;
    default:
        return false;
    }
}
