/**
 * @file decode_move.c
 * mov, cvt, cvta, isspacep: what changes a value's place or format (PTX ISA 9.7.9).
 */
#include <string.h>

#include "decode/decoder.h"
#include "execute/alu/alu.h"
#include "execute/handlers.h"
#include "execute/numerics/modes.h"
#include "memory/memory.h"

static bool unsupported_form(struct decoder *d, const struct ptx_instr *pi)
{
    return decode_fail(d, "this form of %.40s is not supported", pi->mnemonic);
}

static bool some_target(struct decoder *d, const struct ptx_operand *o, unsigned width, uint32_t *reg)
{
    if (!operand_target(d, o, width, reg))
        return false;
    return *reg != REG_NONE || decode_fail(d, "the destination must be a register");
}

static handler_fn move_handler(unsigned width)
{
    switch (width) {
    case 2: return alu_handler(ROW_mov_16);
    case 4: return alu_handler(ROW_mov_32);
    case 8: return alu_handler(ROW_mov_64);
    default: return op_mov_128;
    }
}

/** `mov.b64 {%a, %b}, %c` and the other way round. `vector` has 2, 4 or 8 elements. */
static bool decode_pack(struct decoder *d, const struct ptx_operand *vector,
                        const struct ptx_operand *whole, unsigned bytes, bool unpack, struct insn *in)
{
    struct pack_desc *p = decoder_alloc(d, 1, sizeof *p);
    int n = vector->count;

    if ((n != 2 && n != 4 && n != 8) || bytes % (unsigned)n)
        return decode_fail(d, "a vector of %d elements does not make %u bytes", n, bytes);
    p->count = (uint8_t)n;
    p->element_bytes = (uint8_t)(bytes / (unsigned)n);
    unsigned width = p->element_bytes < 2 ? 2 : p->element_bytes;
    for (int i = 0; i < n; i++)
        if (unpack ? !operand_target(d, &vector->element[i], width, &p->element[i])
                   : !operand_source(d, &vector->element[i], width, &p->element[i]))
            return false;
    in->extra = p;
    in->mem.reg_bytes = (uint8_t)bytes;
    if (unpack) {
        in->fn = op_unpack;
        return operand_source(d, whole, bytes, &in->src[0]);
    }
    in->fn = op_pack;
    if (n == 2 && (bytes == 4 || bytes == 8)) {
        in->fn = alu_handler(bytes == 4 ? ROW_pack_2x16 : ROW_pack_2x32);
        in->src[0] = p->element[0];
        in->src[1] = p->element[1];
    }
    return some_target(d, whole, bytes, &in->dst);
}

static bool decode_mov_pred(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    bool negated;

    in->fn = op_logic_pred;
    if (!some_target(d, &pi->operands[0], WIDTH_PRED, &in->dst) ||
        !operand_pred(d, &pi->operands[1], &in->src[0], &negated))
        return false;
    in->imm = 4 | (negated ? 16 : 0);
    return true;
}

bool decode_mov(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct modifiers m = {pi, 0};
    enum ptx_type type = modifier_type(&m);

    if (type == PTX_NONE || ptx_type_bytes(type) < 2) {
        if (type != PTX_PRED)
            return unsupported_form(d, pi);
    }
    if (!modifiers_end(d, &m) || !operand_count(d, pi, 2, 2))
        return false;
    const struct ptx_operand *to = &pi->operands[0], *from = &pi->operands[1];
    unsigned width = width_of_type(type);
    if (type == PTX_PRED)
        return decode_mov_pred(d, pi, in);
    if (to->kind == OPERAND_VECTOR)
        return decode_pack(d, to, from, width, true, in);
    if (from->kind == OPERAND_VECTOR)
        return decode_pack(d, from, to, width, false, in);
    if (!some_target(d, to, width, &in->dst))
        return false;
    in->mem.reg_bytes = (uint8_t)width;
    if (from->kind == OPERAND_SPECIAL) {
        in->fn = select_special(from->name, in);
        return in->fn || decode_fail(d, "special register %.60s is not supported", from->name);
    }
    if (from->kind == OPERAND_SYMBOL && !d->info->function->is_entry) {
        struct symbol s = operand_symbol(d, from);
        if (s.kind == SYMBOL_VARIABLE && s.space == SPACE_LOCAL) {
            in->imm = s.address;
            in->fn = op_local_address;
            return width == 4 || width == 8 || unsupported_form(d, pi);
        }
    }
    in->fn = move_handler(width);
    return operand_source(d, from, width, &in->src[0]);
}

/* ---- cvt */

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

bool decode_cvt(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct modifiers m = {pi, 0};
    struct cvt_modifiers c = read_cvt(&m);
    enum ptx_type dst = modifier_type(&m), src = modifier_type(&m);
    bool tf32 = dst == PTX_TF32 && src == PTX_F32;
    unsigned to, from;

    if (!tf32 && ((!is_integer(dst) && !is_real(dst)) || (!is_integer(src) && !is_real(src))))
        return unsupported_form(d, pi);
    bool narrows = (is_integer(src) != is_integer(dst)) ||
                   (is_real(src) && is_real(dst) && ptx_type_bytes(dst) < ptx_type_bytes(src));
    if (c.round == ROUND_NONE && (narrows || tf32))
        return decode_fail(d, "cvt.%s.%s needs a rounding modifier", ptx_type_name(dst),
                           ptx_type_name(src));
    if (!modifiers_end(d, &m) || !operand_count(d, pi, 2, 2) ||
        !operand_target_wide(d, &pi->operands[0], width_of_type(dst), &in->dst, &to) ||
        !operand_source_wide(d, &pi->operands[1], width_of_type(src), &in->src[0], &from))
        return false;
    if (in->dst == REG_NONE || to > 8 || from > 8)
        return unsupported_form(d, pi);
    bool plain = !c.ftz && !c.sat && !c.relu && !c.satfinite;
    enum op_row row = ROW_COUNT;
    if (plain && is_integer(dst) && is_integer(src))
        row = integer_row(dst, src, to, from);
    else if (plain && to == width_of_type(dst) && from == width_of_type(src))
        row = number_row(dst, src, c.round);
    if (row != ROW_COUNT) {
        in->fn = alu_handler(row);
        return true;
    }
    in->fn = op_cvt;
    in->imm = cvt_imm(dst, src, to, from, (unsigned)c.round, c.ftz, c.sat, c.relu, c.satfinite);
    return true;
}

static bool decode_special(struct decoder *d, const struct ptx_instr *pi, struct insn *in,
                           const struct cvt_desc *desc, unsigned to, const unsigned *from, int sources)
{
    struct cvt_desc *copy = decoder_alloc(d, 1, sizeof *copy);

    *copy = *desc;
    in->extra = copy;
    in->fn = op_cvt_special;
    in->mem.reg_bytes = (uint8_t)to;
    if (!operand_count(d, pi, 1 + sources, 1 + sources) ||
        !some_target(d, &pi->operands[0], to, &in->dst))
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
        return unsupported_form(d, pi);
    return modifiers_end(d, &m) &&
           decode_special(d, pi, in, &desc, 4, (unsigned[]){4, 4}, 2);
}

bool decode_cvt_fp8(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct modifiers m = {pi, 0};
    struct cvt_modifiers c = read_cvt(&m);
    struct cvt_desc desc = {.round = (uint8_t)c.round, .relu = c.relu, .satfinite = c.satfinite};
    int format = modifier_of(&m, "e4m3x2 e5m2x2");

    if (c.round != ROUND_RN || c.ftz || c.sat)
        return unsupported_form(d, pi);
    if (format >= 0) {
        enum ptx_type src = modifier_type(&m);
        desc.type = (uint8_t)format;
        desc.kind = src == PTX_F32 ? CVT_TO_FP8 : CVT_FP8_OF_PAIR;
        if ((src != PTX_F32 && src != PTX_F16X2) || !c.satfinite)
            return unsupported_form(d, pi);
        return modifiers_end(d, &m) &&
               decode_special(d, pi, in, &desc, 2, (unsigned[]){4, 4}, src == PTX_F32 ? 2 : 1);
    }
    if (modifier_type(&m) != PTX_F16X2 || (format = modifier_of(&m, "e4m3x2 e5m2x2")) < 0)
        return unsupported_form(d, pi);
    desc.type = (uint8_t)format;
    desc.kind = CVT_PAIR_OF_FP8;
    return modifiers_end(d, &m) && decode_special(d, pi, in, &desc, 4, (unsigned[]){2}, 1);
}

bool decode_cvt_pack(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    static const uint8_t bits[] = {16, 16, 8, 8, 4, 4, 2, 2};
    struct modifiers m = {pi, 0};

    if (!modifier_take(&m, "pack") || !modifier_take(&m, "sat"))
        return unsupported_form(d, pi);
    int which = modifier_of(&m, "u16 s16 u8 s8 u4 s4 u2 s2");
    if (which < 0 || !modifier_take(&m, "s32"))
        return unsupported_form(d, pi);
    bool merges = modifier_take(&m, "b32");
    if (merges != (which >= 2))
        return unsupported_form(d, pi);
    struct cvt_desc desc = {.kind = CVT_PACK_INT, .bits = bits[which], .is_signed = which & 1};
    in->src[2] = constant_slot(d, 4, 0, 0);
    return modifiers_end(d, &m) &&
           decode_special(d, pi, in, &desc, 4, (unsigned[]){4, 4, 4}, merges ? 3 : 2);
}

/* ---- addresses */

/** Takes a state space with its suffixes; SPACE_GENERIC if there is none. */
static enum ptx_space space_modifier(struct modifiers *m)
{
    static const enum ptx_space spaces[] = {SPACE_GLOBAL, SPACE_SHARED, SPACE_SHARED, SPACE_SHARED,
                                            SPACE_LOCAL, SPACE_CONST, SPACE_PARAM, SPACE_PARAM};
    int i = modifier_of(m, "global shared shared::cta shared::cluster local const param "
                           "param::entry");
    return i < 0 ? SPACE_GENERIC : spaces[i];
}

bool decode_cvta(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct modifiers m = {pi, 0};
    bool to = modifier_take(&m, "to");
    enum ptx_space space = space_modifier(&m);
    uint64_t window = space == SPACE_SHARED ? SHARED_WINDOW : space == SPACE_LOCAL ? LOCAL_WINDOW : 0;

    if (space == SPACE_GENERIC || space == SPACE_PARAM || modifier_type(&m) != PTX_U64)
        return unsupported_form(d, pi);
    if (!modifiers_end(d, &m) || !operand_count(d, pi, 2, 2) ||
        !some_target(d, &pi->operands[0], 8, &in->dst) ||
        !operand_source(d, &pi->operands[1], 8, &in->src[0]))
        return false;
    in->fn = alu_handler(window ? ROW_add_64 : ROW_mov_64);
    if (window)
        in->src[1] = constant_slot(d, 8, to ? 0 - window : window, 0);
    return true;
}

bool decode_isspacep(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct modifiers m = {pi, 0};
    enum ptx_space space = space_modifier(&m);

    if (space == SPACE_GENERIC || space == SPACE_PARAM)
        return unsupported_form(d, pi);
    in->mem.space = (uint8_t)space;
    in->fn = op_isspacep;
    return modifiers_end(d, &m) && operand_count(d, pi, 2, 2) &&
           some_target(d, &pi->operands[0], WIDTH_PRED, &in->dst) &&
           operand_source(d, &pi->operands[1], 8, &in->src[0]);
}

/** Cache policies change no result: the handle is a constant. */
bool decode_createpolicy(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct modifiers m = {pi, 0};

    if (modifier_of(&m, "fractional range cvt") < 0)
        return unsupported_form(d, pi);
    in->fn = alu_handler(ROW_mov_64);
    in->src[0] = constant_slot(d, 8, 0, 0);
    return operand_count(d, pi, 1, 4) && some_target(d, &pi->operands[0], 8, &in->dst);
}
