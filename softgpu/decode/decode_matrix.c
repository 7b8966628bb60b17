/**
 * @file decode_matrix.c
 * ldmatrix, stmatrix, movmatrix (PTX ISA 9.7.14.5.15 to 9.7.14.5.17), of 16-bit elements.
 */
#include "decode/decode_operands.h"
#include "decode/decode_tensors.h"
#include "decode/find_row.h"

/** `.sync.aligned.m8n8.num{.trans}{.shared}.b16` */
static bool take_matrices(struct modifiers *m, struct tensor_desc *t, struct insn *in)
{
    if (!modifier_take(m, "sync") || !modifier_take(m, "aligned") || !modifier_take(m, "m8n8"))
        return false;
    int number = modifier_of(m, "x1 x2 x4");
    t->matrices = (uint8_t)(number < 0 ? 0 : 1 << number);
    t->transposed = modifier_take(m, "trans");
    bool shared = modifier_of(m, "shared shared::cta") >= 0;
    in->mem = (struct mem_desc){.space = (uint8_t)(shared ? SPACE_SHARED : SPACE_GENERIC), .count = 1};
    t->width = 4;
    return number >= 0 && modifier_take(m, "b16");
}

static bool decode_rows(struct decoder *d, const struct ptx_instr *pi, struct insn *in, bool load)
{
    struct tensor_desc *t = decoder_alloc(d, 1, sizeof *t);
    uint32_t *reg = decoder_alloc(d, 4, sizeof *reg);
    struct modifiers m = {pi, 0};

    if (!take_matrices(&m, t, in))
        return decode_fail_form(d, pi);
    t->reg = reg;
    *(load ? &t->written : &t->read) = t->matrices;
    in->extra = t;
    if (!modifiers_end(d, &m) || !operand_count(d, pi, 2, 2) ||
        !decode_fragment(d, &pi->operands[!load], t->matrices, 4, PTX_B32, load, reg) || !decode_address(d, &pi->operands[load], in))
        return false;
    t->piece = decode_pieces(d, in, load ? ROW_ld : ROW_st, 16, 2);
    return true;
}

bool decode_ldmatrix(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    return decode_rows(d, pi, in, true);
}

bool decode_stmatrix(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    return decode_rows(d, pi, in, false);
}

bool decode_movmatrix(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct tensor_desc *t = decoder_alloc(d, 1, sizeof *t);
    uint32_t *reg = decoder_alloc(d, 2, sizeof *reg);
    struct modifiers m = {pi, 0};

    if (!modifier_take(&m, "sync") || !modifier_take(&m, "aligned") || !modifier_take(&m, "m8n8") ||
        !modifier_take(&m, "trans") || !modifier_take(&m, "b16"))
        return decode_fail_form(d, pi);
    t->reg = reg;
    t->written = t->read = 1;
    t->width = 4;
    in->extra = t;
    return modifiers_end(d, &m) && operand_count(d, pi, 2, 2) && operand_result(d, &pi->operands[0], 4, &reg[0]) &&
           operand_source(d, &pi->operands[1], 4, &reg[1]) && fragment_is(d, &pi->operands[1], PTX_B32);
}
