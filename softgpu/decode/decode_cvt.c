/**
 * @file decode_cvt.c
 * cvt and cvt.pack: one value in another format (PTX ISA 9.7.9.21, 9.7.9.22).
 */
#include "code/descriptions.h"
#include "decode/decode_operands.h"
#include "execute/numerics/modes.h"
#include "decode/decoder.h"
#include "decode/find_row.h"
#include "decode/modifiers.h"
#include "decode/stages.h"

/** Integer to integer without saturation, by [signed][bits of the value][source][target register]. */
static enum op_row extend_row(bool is_signed, unsigned bits, unsigned from, unsigned to)
{
#define EXT(n, s, t) (is_signed ? ROW_ext_s##n##_##s##_##t : ROW_ext_u##n##_##s##_##t)
    switch (bits * 10000 + from * 8 * 100 + to * 8) {
    case 81616: return EXT(8, 16, 16);
    case 81632: return EXT(8, 16, 32);
    case 81664: return EXT(8, 16, 64);
    case 83216: return EXT(8, 32, 16);
    case 83232: return EXT(8, 32, 32);
    case 83264: return EXT(8, 32, 64);
    case 86416: return EXT(8, 64, 16);
    case 86432: return EXT(8, 64, 32);
    case 86464: return EXT(8, 64, 64);
    case 161616: return ROW_mov_16;
    case 161632: return EXT(16, 16, 32);
    case 161664: return EXT(16, 16, 64);
    case 163216: return ROW_ext_u16_32_16;
    case 163232: return EXT(16, 32, 32);
    case 163264: return EXT(16, 32, 64);
    case 166416: return ROW_ext_u16_64_16;
    case 166432: return EXT(16, 64, 32);
    case 166464: return EXT(16, 64, 64);
    case 323232: return ROW_mov_32;
    case 323264: return EXT(32, 32, 64);
    case 326432: return ROW_ext_u32_64_32;
    case 326464: return EXT(32, 64, 64);
    case 646464: return ROW_mov_64;
    default: return ROW_COUNT;
    }
#undef EXT
}

static bool is_integer(enum ptx_type t)
{
    return t >= PTX_U8 && t <= PTX_S64;
}

static bool is_signed(enum ptx_type t)
{
    return t >= PTX_S8 && t <= PTX_S64;
}

static bool is_real(enum ptx_type t)
{
    return t == PTX_F16 || t == PTX_BF16 || t == PTX_F32 || t == PTX_F64;
}

/**
 * Integer conversion as one sign or zero extension: the narrower of the two types decides, then the
 * destination register is filled as the destination type says.
 */
static enum op_row integer_row(enum ptx_type dst, enum ptx_type src, unsigned to, unsigned from)
{
    unsigned dst_bits = 8 * ptx_type_bytes(dst), src_bits = 8 * ptx_type_bytes(src);
    bool widens = dst_bits > src_bits;
    unsigned bits = widens ? src_bits : dst_bits;
    bool sign = widens ? is_signed(src) : is_signed(dst);

    if (widens && is_signed(src) && !is_signed(dst) && 8 * to > dst_bits)
        return ROW_COUNT;   /* sign-extends to dst, zero-extends from there: op_cvt */
    if (bits >= 8 * to) {
        bits = 8 * to;
        sign = false;
    }
    return extend_row(sign, bits, from, to);
}

/** Conversions of plain registers that have a handler of their own. */
static enum op_row number_row(enum ptx_type dst, enum ptx_type src, int round)
{
    static const struct {
        uint8_t dst, src, round;
        uint16_t row;
    } rows[] = {
        {PTX_F32, PTX_S32, ROUND_RN, ROW_cvt_rn_f32_s32},
        {PTX_F32, PTX_U32, ROUND_RN, ROW_cvt_rn_f32_u32},
        {PTX_F32, PTX_S64, ROUND_RN, ROW_cvt_rn_f32_s64},
        {PTX_F32, PTX_F64, ROUND_RN, ROW_cvt_rn_f32_f64},
        {PTX_F64, PTX_F32, ROUND_NONE, ROW_cvt_f64_f32},
        {PTX_F64, PTX_S32, ROUND_RN, ROW_cvt_rn_f64_s32},
        {PTX_F64, PTX_U32, ROUND_RN, ROW_cvt_rn_f64_u32},
        {PTX_F64, PTX_S64, ROUND_RN, ROW_cvt_rn_f64_s64},
        {PTX_S32, PTX_F32, ROUND_RZI, ROW_cvt_rzi_s32_f32},
        {PTX_U32, PTX_F32, ROUND_RZI, ROW_cvt_rzi_u32_f32},
        {PTX_S32, PTX_F64, ROUND_RZI, ROW_cvt_rzi_s32_f64},
        {PTX_F32, PTX_F16, ROUND_NONE, ROW_cvt_f32_f16},
        {PTX_F32, PTX_BF16, ROUND_NONE, ROW_cvt_f32_bf16},
        {PTX_F16, PTX_F32, ROUND_RN, ROW_cvt_rn_f16_f32},
        {PTX_BF16, PTX_F32, ROUND_RN, ROW_cvt_rn_bf16_f32},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].dst == dst && rows[i].src == src && rows[i].round == round)
            return (enum op_row)rows[i].row;
    return ROW_COUNT;
}

/** Modifiers that cvt's forms share, in whatever order they stand before the types. */
struct cvt_modifiers {
    int round;
    bool ftz, sat, relu, satfinite;
};

static struct cvt_modifiers read_cvt(struct modifiers *m)
{
    struct cvt_modifiers c = {0};

    c.round = modifier_of(m, "rn rz rm rp rna rni rzi rmi rpi") + 1;
    for (;;) {
        if (modifier_take(m, "ftz"))
            c.ftz = true;
        else if (modifier_take(m, "sat"))
            c.sat = true;
        else if (modifier_take(m, "relu"))
            c.relu = true;
        else if (modifier_take(m, "satfinite"))
            c.satfinite = true;
        else
            return c;
    }
}

/** Does PTX round and bound so between these types? (What saturation to a type as wide or wider does is nothing, and taken.) */
static bool manners_fit(enum ptx_type dst, enum ptx_type src, const struct cvt_modifiers *c)
{
    bool to_integer = is_integer(dst), of_integer = is_integer(src), to_even = c->round >= ROUND_RN && c->round <= ROUND_RP;
    bool whole = c->round >= ROUND_RNI, single = dst == PTX_F32 || src == PTX_F32, brains = dst == PTX_BF16 || src == PTX_BF16;
    if (c->ftz && !single)
        return false;
    if (c->relu || c->satfinite)
        return (dst == PTX_F16 || dst == PTX_BF16) && src == PTX_F32 && (c->round == ROUND_RN || c->round == ROUND_RZ) && !c->ftz && !c->sat;
    if (c->sat && brains)
        return false;
    if (to_integer)
        return of_integer ? c->round == ROUND_NONE : whole;
    if (dst == src)
        return c->round == ROUND_NONE || whole;
    if (of_integer || ptx_type_bytes(dst) < ptx_type_bytes(src))
        return to_even;
    return c->round == ROUND_NONE || (brains && to_even);
}

bool decode_cvt(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct modifiers m = {pi, 0};
    struct cvt_modifiers c = read_cvt(&m);
    enum ptx_type dst = modifier_type(&m), src = modifier_type(&m);
    bool tf32 = dst == PTX_TF32 && src == PTX_F32;
    unsigned to, from;

    if (!tf32 && ((!is_integer(dst) && !is_real(dst)) || (!is_integer(src) && !is_real(src))))
        return decode_fail_form(d, pi);
    bool narrows = (is_integer(src) != is_integer(dst)) ||
                   (is_real(src) && is_real(dst) && ptx_type_bytes(dst) < ptx_type_bytes(src));
    if (c.round == ROUND_NONE && (narrows || tf32))
        return decode_fail(d, "cvt.%s.%s needs a rounding modifier", ptx_type_name(dst),
                           ptx_type_name(src));
    if (tf32 ? c.ftz || c.sat || (c.relu && c.round == ROUND_RNA) : !manners_fit(dst, src, &c))
        return decode_fail(d, "PTX has no such rounding or bound of cvt.%s.%s", ptx_type_name(dst), ptx_type_name(src));
    if (!modifiers_end(d, &m) || !operand_count(d, pi, 2, 2))
        return false;
    bool plain = !c.ftz && !c.sat && !c.relu && !c.satfinite;
    if (pi->operands[1].kind == OPERAND_SPECIAL && plain && src == PTX_U32 && is_integer(dst) && ptx_type_bytes(dst) >= 4) {
        in->mem.reg_bytes = (uint8_t)width_of_type(dst); /* what a special register holds is extended by zeros anyhow */
        return operand_result(d, &pi->operands[0], width_of_type(dst), &in->dst) &&
               decode_special_register(d, pi->operands[1].name, in);
    }
    if (!operand_target_wide(d, &pi->operands[0], width_of_type(dst), &in->dst, &to) ||
        !operand_source_wide(d, &pi->operands[1], width_of_type(src), &in->src[0], &from))
        return false;
    if (in->dst == REG_NONE || to > 8 || from > 8)
        return decode_fail_form(d, pi);
    enum op_row row = ROW_COUNT;
    if (plain && is_integer(dst) && is_integer(src))
        row = integer_row(dst, src, to, from);
    else if (plain && to == width_of_type(dst) && from == width_of_type(src))
        row = number_row(dst, src, c.round);
    if (row != ROW_COUNT) {
        insn_choose(in, row);
        return true;
    }
    in->imm = cvt_imm(dst, src, to, from, (unsigned)c.round, c.ftz, c.sat, c.relu, c.satfinite);
    return true;
}

static bool decode_special(struct decoder *d, const struct ptx_instr *pi, struct insn *in,
                           const struct cvt_desc *desc, unsigned to, const unsigned *from, int sources)
{
    struct cvt_desc *copy = decoder_alloc(d, 1, sizeof *copy);

    *copy = *desc;
    in->extra = copy;
    in->mem.reg_bytes = (uint8_t)to;
    if (!operand_count(d, pi, 1 + sources, 1 + sources) ||
        !operand_result(d, &pi->operands[0], to, &in->dst))
        return false;
    for (int i = 0; i < sources; i++)
        if (!operand_source(d, &pi->operands[1 + i], from[i], &in->src[i]))
            return false;
    return true;
}

bool decode_cvt_pair(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct modifiers m = {pi, 0};
    struct cvt_modifiers c = read_cvt(&m);
    enum ptx_type dst = modifier_type(&m), src = modifier_type(&m);
    struct cvt_desc desc = {.kind = CVT_PAIR, .type = (uint8_t)dst, .round = (uint8_t)c.round,
                            .relu = c.relu, .satfinite = c.satfinite};

    if ((c.round != ROUND_RN && c.round != ROUND_RZ) || c.ftz || c.sat || src != PTX_F32)
        return decode_fail_form(d, pi);
    return modifiers_end(d, &m) &&
           decode_special(d, pi, in, &desc, 4, (unsigned[]){4, 4}, 2);
}

/** Two values of a byte each are in a register of .b16, which .bf16 is, too. */
static bool small_fits(struct decoder *d, const struct ptx_operand *o, int format)
{
    return format == FP4_E2M1 || operand_is(d, o, PTX_BF16);
}

/* To a small format: of two f32, or of a pair. */
static bool to_small(struct decoder *d, const struct ptx_instr *pi, struct insn *in, struct modifiers *m,
                     struct cvt_modifiers c, int format)
{
    struct cvt_desc desc = {.type = (uint8_t)format, .round = (uint8_t)c.round, .relu = c.relu,
                            .satfinite = c.satfinite};
    enum ptx_type src = modifier_type(m);
    bool power = format == FP8_UE8M0, of_halves = format == FP8_E4M3 || format == FP8_E5M2 || format == FP4_E2M1;
    bool pair = (power && src == PTX_BF16X2) || (of_halves && src == PTX_F16X2);

    if ((src != PTX_F32 && !pair) || (power ? c.relu || (c.round != ROUND_RZ && c.round != ROUND_RP)
                                            : !c.satfinite || c.round != ROUND_RN))
        return decode_fail_form(d, pi);
    desc.kind = pair ? CVT_SMALL_OF_PAIR : CVT_TO_SMALL;
    return modifiers_end(d, m) && decode_special(d, pi, in, &desc, 2, (unsigned[]){4, 4}, pair ? 1 : 2) && small_fits(d, &pi->operands[0], format) &&
           operand_is(d, &pi->operands[1], src) && (pair || operand_is(d, &pi->operands[2], src));
}

bool decode_cvt_small(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    static const char *const formats = "e4m3x2 e5m2x2 e2m3x2 e3m2x2 e2m1x2 ue8m0x2"; /* enum numeric_small */
    struct modifiers m = {pi, 0};
    struct cvt_modifiers c = read_cvt(&m);
    int format = modifier_of(&m, formats);

    if (c.ftz || c.sat)
        return decode_fail_form(d, pi);
    if (format >= 0)
        return to_small(d, pi, in, &m, c, format);
    enum ptx_type dst = modifier_type(&m);
    format = modifier_of(&m, formats);
    if (format < 0 || c.round != ROUND_RN || dst != (format == FP8_UE8M0 ? PTX_BF16X2 : PTX_F16X2) ||
        (c.relu && format == FP8_UE8M0) || c.satfinite)
        return decode_fail_form(d, pi);
    struct cvt_desc desc = {.kind = CVT_PAIR_OF_SMALL, .type = (uint8_t)format, .relu = c.relu};
    return modifiers_end(d, &m) && decode_special(d, pi, in, &desc, 4, (unsigned[]){2}, 1) && operand_is(d, &pi->operands[0], dst) &&
           small_fits(d, &pi->operands[1], format);
}

bool decode_cvt_pack(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    static const uint8_t bits[] = {16, 16, 8, 8, 4, 4, 2, 2};
    struct modifiers m = {pi, 0};

    if (!modifier_take(&m, "pack") || !modifier_take(&m, "sat"))
        return decode_fail_form(d, pi);
    int which = modifier_of(&m, "u16 s16 u8 s8 u4 s4 u2 s2");
    if (which < 0 || !modifier_take(&m, "s32"))
        return decode_fail_form(d, pi);
    bool merges = modifier_take(&m, "b32");
    if (merges != (which >= 2))
        return decode_fail_form(d, pi);
    struct cvt_desc desc = {.kind = CVT_PACK_INT, .bits = bits[which], .is_signed = which & 1};
    in->src[2] = constant_slot(d, 4, 0, 0);
    return modifiers_end(d, &m) &&
           decode_special(d, pi, in, &desc, 4, (unsigned[]){4, 4, 4}, merges ? 3 : 2);
}
