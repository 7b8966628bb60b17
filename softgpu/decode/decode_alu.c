/**
 * @file decode_alu.c
 * Arithmetic: plain rows, carries, predicate logic (PTX ISA 9.7.1 to 9.7.8).
 */
#include <string.h>

#include "code/descriptions.h"
#include "decode/decode_operands.h"
#include "execute/numerics/modes.h"
#include "decode/decoder.h"
#include "decode/find_row.h"
#include "decode/modifiers.h"

/** Sources src[0..n) of the widths of the row. */
static bool row_sources(struct decoder *d, const struct ptx_instr *pi, struct insn *in,
                        const struct op_info *row)
{
    for (int i = 0; i < row->sources; i++) {
        const struct ptx_operand *o = &pi->operands[1 + i];
        bool negated = false;
        if (!operand_check_literal(d, pi, o))
            return false;
        if (row->src[i] == CLASS_pred ? !operand_pred(d, o, &in->src[i], &negated)
                                      : !operand_source(d, o, operand_class_bytes(row->src[i]),
                                                        &in->src[i]))
            return false;
        if (negated)
            return decode_fail(d, "a negated predicate is not supported here");
    }
    return true;
}

bool decode_alu(struct decoder *d, const struct ptx_instr *pi, struct insn *in,
                const struct op_info *row)
{
    in->op = row;
    return operand_count(d, pi, 1 + row->sources, 1 + row->sources) &&
           operand_result(d, &pi->operands[0], operand_class_bytes(row->dst), &in->dst) &&
           row_sources(d, pi, in, row);
}

/** A hidden row in the place of the instruction's own. */
static bool decode_hidden(struct decoder *d, const struct ptx_instr *pi, struct insn *in,
                          enum op_row row)
{
    return decode_alu(d, pi, in, &op_table[row]);
}

bool decode_minmax3(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    enum op_row row = strcmp(pi->mnemonic, "min") == 0 ? ROW_min3_f32_any : ROW_max3_f32_any;

    if (!op_matches(op_table[row].pattern, pi->modifiers, pi->modifier_count, &in->imm))
        return decode_fail_form(d, pi);
    return decode_hidden(d, pi, in, row);
}

bool decode_testp(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct modifiers m = {pi, 0};
    int test = modifier_of(&m, "finite infinite number notanumber normal subnormal");
    enum ptx_type type = modifier_type(&m);

    if (test < 0 || (type != PTX_F32 && type != PTX_F64))
        return decode_fail_form(d, pi);
    in->imm = (uint64_t)test << PRED_TEST_SHIFT;
    return modifiers_end(d, &m) &&
           decode_hidden(d, pi, in, type == PTX_F32 ? ROW_testp_f32 : ROW_testp_f64);
}

bool decode_carry(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct modifiers m = {pi, 0};
    const char *name = pi->mnemonic;
    bool mad = name[0] == 'm', carry_in = name[3] == 'c';
    int sources = mad ? 3 : 2;

    in->imm = (mad ? CARRY_MAD : 0) | (name[0] == 's' ? CARRY_SUB : 0) | (carry_in ? CARRY_IN : 0);
    if (mad) {
        int half = modifier_of(&m, "lo hi");
        if (half < 0)
            return decode_fail(d, "%.40s needs .lo or .hi", name);
        in->imm |= half ? CARRY_HI : 0;
    }
    if (modifier_take(&m, "cc"))
        in->imm |= CARRY_OUT;
    else if (!carry_in)
        return decode_fail(d, "this form of %.40s is not supported", name);
    enum ptx_type type = modifier_type(&m);
    if (type != PTX_U32 && type != PTX_S32 && type != PTX_U64 && type != PTX_S64)
        return decode_fail(d, "%.40s takes 32-bit and 64-bit integers", name);
    in->imm |= type == PTX_S32 || type == PTX_S64 ? CARRY_SIGNED : 0;
    in->imm |= type == PTX_U64 || type == PTX_S64 ? CARRY_64 : 0;
    in->dst2 = d->info->carry;
    unsigned width = width_of_type(type);
    if (!modifiers_end(d, &m) || !operand_count(d, pi, sources + 1, sources + 1) ||
        !operand_result(d, &pi->operands[0], width, &in->dst))
        return false;
    for (int i = 0; i < sources; i++)
        if (!operand_source(d, &pi->operands[1 + i], width, &in->src[i]))
            return false;
    return true;
}

bool decode_logic_pred(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    static const char *const names[] = {"and", "or", "xor", "not"};
    int operation = 0, sources;
    bool negated;

    while (operation < 3 && strcmp(names[operation], pi->mnemonic) != 0)
        operation++;
    sources = operation == 3 ? 1 : 2;
    in->imm = (uint64_t)operation;
    if (pi->modifier_count != 1)
        return decode_fail_form(d, pi);
    if (!operand_count(d, pi, sources + 1, sources + 1) ||
        !operand_result(d, &pi->operands[0], WIDTH_PRED, &in->dst))
        return false;
    for (int i = 0; i < sources; i++) {
        if (!operand_pred(d, &pi->operands[1 + i], &in->src[i], &negated))
            return false;
        in->imm |= negated ? 16u << i : 0;
    }
    return true;
}

bool decode_lop3(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct modifiers m = {pi, 0};
    int boolean = modifier_of(&m, "and or");
    int64_t lut;
    bool negated = false;

    if (modifier_type(&m) != PTX_B32 || !modifiers_end(d, &m))
        return decode_fail_form(d, pi);
    if (!operand_count(d, pi, boolean < 0 ? 5 : 6, boolean < 0 ? 5 : 6) ||
        !operand_target_pair(d, &pi->operands[0], 4, WIDTH_PRED, &in->dst, &in->dst2) ||
        !operand_literal(d, &pi->operands[4], &lut))
        return false;
    for (int i = 0; i < 3; i++)
        if (!operand_source(d, &pi->operands[1 + i], 4, &in->src[i]))
            return false;
    in->imm = (uint64_t)lut & 0xff;
    if (boolean < 0) {
        insn_choose(in, ROW_lop3_lut);
        if (in->dst2 != REG_NONE || in->dst == REG_NONE)
            return decode_fail(d, "lop3 without .and or .or has one destination");
        return true;
    }
    in->imm |= (uint64_t)(boolean + 1) << 8;
    if (!operand_pred(d, &pi->operands[5], &in->src[3], &negated))
        return false;
    in->imm |= negated ? 1 << 10 : 0;
    return in->dst2 != REG_NONE || decode_fail(d, "lop3 with .and or .or needs a predicate");
}
