/**
 * @file decode_compare.c
 * setp and set (PTX ISA 9.7.6.1, 9.7.6.2, 9.7.7): every comparison from the few that have handlers.
 */
#include <string.h>

#include "code/descriptions.h"
#include "decode/decode_operands.h"
#include "execute/numerics/modes.h"
#include "decode/decoder.h"
#include "decode/find_row.h"
#include "decode/modifiers.h"

#define COMPARE_NAMES "eq ne lt le gt ge equ neu ltu leu gtu geu num nan lo ls hi hs"

/** What setp and set have in common. */
struct comparison {
    int compare;               /* enum numeric_compare, then lo ls hi hs */
    int boolean;               /* 0 none, 1 and, 2 or, 3 xor */
    bool ftz;
};

static bool read_comparison(struct decoder *d, struct modifiers *m, struct comparison *c)
{
    c->compare = modifier_of(m, COMPARE_NAMES);
    if (c->compare < 0)
        return decode_fail(d, "unknown comparison in %.40s", m->pi->mnemonic);
    c->boolean = modifier_of(m, "and or xor") + 1;
    c->ftz = modifier_take(m, "ftz");
    return true;
}

/** How a comparison is made of the few that have handlers: exchanged operands, negated result. */
struct recipe {
    char base;                 /* e, n (ordered ne), t (lt), l (le), m (num) */
    bool swap, invert;
};

static const struct recipe real_recipe[] = {
    [COMPARE_EQ] = {'e', 0, 0},  [COMPARE_NE] = {'n', 0, 0},  [COMPARE_LT] = {'t', 0, 0},
    [COMPARE_LE] = {'l', 0, 0},  [COMPARE_GT] = {'t', 1, 0},  [COMPARE_GE] = {'l', 1, 0},
    [COMPARE_EQU] = {'n', 0, 1}, [COMPARE_NEU] = {'e', 0, 1}, [COMPARE_LTU] = {'l', 1, 1},
    [COMPARE_LEU] = {'t', 1, 1}, [COMPARE_GTU] = {'l', 0, 1}, [COMPARE_GEU] = {'t', 0, 1},
    [COMPARE_NUM] = {'m', 0, 0}, [COMPARE_NAN] = {'m', 0, 1},
};
static const struct recipe int_recipe[] = {
    [COMPARE_EQ] = {'e', 0, 0}, [COMPARE_NE] = {'e', 0, 1}, [COMPARE_LT] = {'t', 0, 0},
    [COMPARE_LE] = {'t', 1, 1}, [COMPARE_GT] = {'t', 1, 0}, [COMPARE_GE] = {'t', 0, 1},
};

static enum op_row real_row(enum ptx_type type, char base, bool ftz)
{
    bool f64 = type == PTX_F64;

    switch (base) {
    case 'e': return f64 ? ROW_is_eq_f64 : ftz ? ROW_is_eq_f32_ftz : ROW_is_eq_f32;
    case 'n': return f64 ? ROW_is_ne_f64 : ftz ? ROW_is_ne_f32_ftz : ROW_is_ne_f32;
    case 't': return f64 ? ROW_is_lt_f64 : ftz ? ROW_is_lt_f32_ftz : ROW_is_lt_f32;
    case 'l': return f64 ? ROW_is_le_f64 : ftz ? ROW_is_le_f32_ftz : ROW_is_le_f32;
    default: return f64 ? ROW_is_num_f64 : ROW_is_num_f32;
    }
}

static enum op_row int_row(enum ptx_type type, char base)
{
    if (base == 'e') {
        unsigned bytes = ptx_type_bytes(type);
        return bytes == 2 ? ROW_is_eq_16 : bytes == 4 ? ROW_is_eq_32 : ROW_is_eq_64;
    }
    switch (type) {
    case PTX_U16: return ROW_is_lt_u16;
    case PTX_S16: return ROW_is_lt_s16;
    case PTX_U32: return ROW_is_lt_u32;
    case PTX_S32: return ROW_is_lt_s32;
    case PTX_U64: return ROW_is_lt_u64;
    default: return ROW_is_lt_s64;
    }
}

/** Chooses row, operand order and negation for one comparison of a plain type. */
static bool choose_comparison(struct decoder *d, const struct comparison *c, enum ptx_type type,
                              struct insn *in, bool *swap)
{
    struct recipe r;
    enum op_row row;

    if (type == PTX_F32 || type == PTX_F64) {
        if (c->compare > COMPARE_NAN)
            return decode_fail(d, "lo, ls, hi, hs compare integers");
        r = real_recipe[c->compare];
        row = real_row(type, r.base, c->ftz);
    } else {
        static const uint8_t unsigned_forms[] = {COMPARE_LT, COMPARE_LE, COMPARE_GT, COMPARE_GE};
        bool bits = type >= PTX_B16 && type <= PTX_B64, is_unsigned = type >= PTX_U16 && type <= PTX_U64;
        int compare = c->compare > COMPARE_NAN ? unsigned_forms[c->compare - COMPARE_NAN - 1]
                                               : c->compare;
        if (compare > COMPARE_GE || (bits && compare > COMPARE_NE) || c->ftz ||
            (c->compare > COMPARE_NAN && !is_unsigned))
            return decode_fail(d, "this comparison does not exist for .%s", ptx_type_name(type));
        r = int_recipe[compare];
        row = int_row(type, r.base);
    }
    *swap = r.swap;
    in->imm |= r.invert ? PRED_INVERT : 0;
    insn_choose(in, row);
    return true;
}

static bool is_half(enum ptx_type t)
{
    return t == PTX_F16 || t == PTX_BF16 || t == PTX_F16X2 || t == PTX_BF16X2;
}

/** Comparisons of half precision take their modifiers from a description. */
static bool choose_half(struct decoder *d, const struct comparison *c, enum ptx_type type,
                        bool c_negated, struct insn *in)
{
    struct half_compare *h = decoder_alloc(d, 1, sizeof *h);

    if (c->compare > COMPARE_NAN)
        return decode_fail(d, "lo, ls, hi, hs compare integers");
    *h = (struct half_compare){
        .compare = (uint8_t)c->compare, .boolean = (uint8_t)c->boolean, .ftz = c->ftz,
        .bfloat = type == PTX_BF16 || type == PTX_BF16X2,
        .pair = type == PTX_F16X2 || type == PTX_BF16X2, .c_negated = c_negated,
    };
    in->extra = h;
    insn_choose(in, ROW_setp_half);
    return true;
}

static bool can_compare(enum ptx_type t)
{
    return (t >= PTX_B16 && t <= PTX_B64) || (t >= PTX_U16 && t <= PTX_U64) ||
           (t >= PTX_S16 && t <= PTX_S64) || t == PTX_F32 || t == PTX_F64 || is_half(t);
}

/** Sources a, b and c of a comparison, and its row. */
static bool compare_sources(struct decoder *d, const struct ptx_instr *pi,
                            const struct comparison *c, enum ptx_type type, struct insn *in)
{
    bool swap = false, negated = false;
    unsigned width = width_of_type(type);

    if (!can_compare(type))
        return decode_fail(d, "%.40s does not compare this type", pi->mnemonic);
    if (!operand_count(d, pi, c->boolean ? 4 : 3, c->boolean ? 4 : 3))
        return false;
    if (c->boolean && pi->operands[3].kind == OPERAND_INT && modifiers_one_of(pi, "bf16 bf16x2", NULL))
        return decode_fail(d, "a literal is no predicate beside .bf16");
    if (c->boolean && !operand_pred(d, &pi->operands[3], &in->src[2], &negated))
        return false;
    in->imm = (uint64_t)c->boolean << PRED_BOOL_SHIFT | (negated ? PRED_C_NEGATED : 0);
    if (is_half(type) ? !choose_half(d, c, type, negated, in)
                      : !choose_comparison(d, c, type, in, &swap))
        return false;
    return operand_check_literal(d, pi, &pi->operands[1]) && operand_check_literal(d, pi, &pi->operands[2]) &&
           operand_source(d, &pi->operands[1], width, &in->src[swap]) &&
           operand_source(d, &pi->operands[2], width, &in->src[!swap]);
}

bool decode_setp(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct modifiers m = {pi, 0};
    struct comparison c;

    if (!read_comparison(d, &m, &c))
        return false;
    enum ptx_type type = modifier_type(&m);
    bool half = type == PTX_F16 || type == PTX_BF16;
    if (!modifiers_end(d, &m) || !operand_count(d, pi, 3, 4) ||
        !operand_target_pair(d, &pi->operands[0], WIDTH_PRED, WIDTH_PRED, &in->dst, &in->dst2) ||
        (half && in->dst2 != REG_NONE && !decode_fail(d, "setp of halves has one predicate")))
        return false;
    bool unused = in->dst == REG_NONE && in->dst2 == REG_NONE;
    if (unused && pi->operands[0].kind == OPERAND_PAIR)
        return decode_fail_form(d, pi);
    if (!compare_sources(d, pi, &c, type, in))
        return false;
    if (unused) { /* nothing comes of it */
        insn_choose(in, ROW_nop);
        for (int i = 0; i < 4; i++)
            in->src[i] = REG_NONE;
    }
    return true;
}

bool decode_setp_x2(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    return decode_setp(d, pi, in);
}

static bool true_value(enum ptx_type type, uint32_t *bits)
{
    switch (type) {
    case PTX_U16: case PTX_S16: case PTX_U32: case PTX_S32: *bits = UINT32_MAX; return true;
    case PTX_F32: *bits = 0x3f800000; return true;
    case PTX_F16: *bits = 0x3c00; return true;
    case PTX_BF16: *bits = 0x3f80; return true;
    default: return false;
    }
}

bool decode_set(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct modifiers m = {pi, 0};
    struct comparison c;
    struct set_desc *desc = decoder_alloc(d, 1, sizeof *desc);

    if (!read_comparison(d, &m, &c))
        return false;
    enum ptx_type result = modifier_type(&m), type = modifier_type(&m);
    if (!true_value(result, &desc->true_bits))
        return decode_fail_form(d, pi);
    in->mem.reg_bytes = (uint8_t)width_of_type(result);
    desc->compare.dst = d->info->scratch;
    desc->compare.dst2 = desc->compare.guard = REG_NONE;
    for (int i = 0; i < 4; i++)
        desc->compare.src[i] = REG_NONE;
    in->extra = desc;
    return modifiers_end(d, &m) && operand_count(d, pi, 3, 4) &&
           operand_result(d, &pi->operands[0], in->mem.reg_bytes, &in->dst) &&
           compare_sources(d, pi, &c, type, &desc->compare);
}

bool decode_set_x2(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct modifiers m = {pi, 0};
    struct comparison c;

    if (!read_comparison(d, &m, &c))
        return false;
    enum ptx_type result = modifier_type(&m), type = modifier_type(&m);
    if (result != type || !is_half(type))
        return decode_fail_form(d, pi);
    if (!modifiers_end(d, &m) || !operand_count(d, pi, 3, 4) ||
        !operand_result(d, &pi->operands[0], 4, &in->dst) || !compare_sources(d, pi, &c, type, in))
        return false;
    insn_choose(in, ROW_set_x2);
    return true;
}
