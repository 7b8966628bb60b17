/**
 * @file decode_mma.c
 * wmma, mma and mma.sp (PTX ISA 9.7.14.4 to 9.7.14.6): shapes, types, and how many registers make a fragment.
 */
#include <string.h>

#include "decode/decode_operands.h"
#include "decode/decode_tensors.h"
#include "decode/find_row.h"
#include "execute/numerics/modes.h"
#include "decode/stages.h"

/** What goes together: the types of a and b, and which of c and d. */
enum family { HALF, BFLOAT, TF32, DOUBLE, FP8, INT8, INT4, BITS };
#define OF(f) (1u << (f))

static const struct shape {
    const char *name;
    uint8_t m, n;
    uint16_t k;
    uint16_t wmma, dense, sparse;   /* families, as OF() */
} shapes[] = {
    {"m16n16k16", 16, 16, 16, OF(HALF) | OF(BFLOAT) | OF(INT8), 0, 0},
    {"m8n32k16", 8, 32, 16, OF(HALF) | OF(BFLOAT) | OF(INT8), 0, 0},
    {"m32n8k16", 32, 8, 16, OF(HALF) | OF(BFLOAT) | OF(INT8), 0, 0},
    {"m16n16k8", 16, 16, 8, OF(TF32), 0, 0},
    {"m8n8k4", 8, 8, 4, OF(DOUBLE), OF(HALF) | OF(DOUBLE), 0},
    {"m8n8k16", 8, 8, 16, 0, OF(INT8), 0},
    {"m8n8k32", 8, 8, 32, OF(INT4), OF(INT4), 0},
    {"m8n8k128", 8, 8, 128, OF(BITS), OF(BITS), 0},
    {"m16n8k4", 16, 8, 4, 0, OF(TF32) | OF(DOUBLE), 0},
    {"m16n8k8", 16, 8, 8, 0, OF(HALF) | OF(BFLOAT) | OF(TF32) | OF(DOUBLE), OF(TF32)},
    {"m16n8k16", 16, 8, 16, 0, OF(HALF) | OF(BFLOAT) | OF(DOUBLE) | OF(FP8) | OF(INT8), OF(HALF) | OF(BFLOAT) | OF(TF32)},
    {"m16n8k32", 16, 8, 32, 0, OF(FP8) | OF(INT8) | OF(INT4), OF(HALF) | OF(BFLOAT) | OF(INT8)},
    {"m16n8k64", 16, 8, 64, 0, OF(INT4), OF(INT8) | OF(INT4) | OF(FP8)},
    {"m16n8k128", 16, 8, 128, 0, OF(BITS), OF(INT4)},
    {"m16n8k256", 16, 8, 256, 0, OF(BITS), 0},
};

static const struct shape *take_shape(struct modifiers *m, struct tensor_desc *t)
{
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        if (modifier_take(m, shapes[i].name)) {
            t->m = shapes[i].m;
            t->n = shapes[i].n;
            t->k = shapes[i].k;
            return &shapes[i];
        }
    return NULL;
}

/** In the order of enum tensor_type. */
static int take_type(struct modifiers *m)
{
    return modifier_of(m, "f16 bf16 tf32 f32 f64 e4m3 e5m2 s8 u8 s4 u4 b1 s32");
}

static enum family family_of(enum tensor_type t)
{
    static const uint8_t families[] = {
        [TENSOR_F16] = HALF, [TENSOR_BF16] = BFLOAT, [TENSOR_TF32] = TF32, [TENSOR_F64] = DOUBLE, [TENSOR_E4M3] = FP8,
        [TENSOR_E5M2] = FP8, [TENSOR_S8] = INT8, [TENSOR_U8] = INT8, [TENSOR_S4] = INT4, [TENSOR_U4] = INT4,
        [TENSOR_B1] = BITS, [TENSOR_F32] = BITS + 1, [TENSOR_S32] = BITS + 1,
    };
    return (enum family)families[t];
}

static bool is_integer(enum family f)
{
    return f == INT8 || f == INT4 || f == BITS;
}

/** May c or d be of this type? */
static bool accumulates(enum family f, enum tensor_type t)
{
    if (is_integer(f) || f == DOUBLE)
        return t == (f == DOUBLE ? TENSOR_F64 : TENSOR_S32);
    return t == TENSOR_F32 || (t == TENSOR_F16 && (f == HALF || f == FP8));
}

/** Do the four types go together, and with the shape's `families`? */
static bool types_fit(const struct tensor_desc *t, unsigned families)
{
    enum family f = family_of((enum tensor_type)t->type[PART_A]);
    return families & OF(f) && family_of((enum tensor_type)t->type[PART_B]) == f &&
           accumulates(f, (enum tensor_type)t->type[PART_C]) && accumulates(f, (enum tensor_type)t->type[PART_D]);
}

/** Registers of each part; wmma's halves always take eight for a and b. */
static void count_registers(struct tensor_desc *t, bool wmma)
{
    t->width = t->type[PART_A] == TENSOR_F64 ? 8 : 4;
    for (enum tensor_part p = PART_D; p < TENSOR_PARTS; p++) {
        bool operand = p == PART_A || p == PART_B;
        unsigned along = operand ? tensor_length(t, p) : t->quads ? 8 : t->n;
        unsigned elements = fragment_lines(t, p) * along, packed = tensor_packed(t, p);
        t->count[p] = (uint8_t)(elements / (WARP_LANES * packed));
        if (operand && wmma && t->type[p] == TENSOR_F16)
            t->count[p] = 8;
    }
}

bool decode_fragment(struct decoder *d, const struct ptx_operand *o, unsigned count, unsigned width, enum ptx_type type, bool target,
                     uint32_t *regs)
{
    if (o->kind != OPERAND_VECTOR || (unsigned)o->count != count)
        return decode_fail(d, "a vector of %u registers is expected", count);
    for (unsigned i = 0; i < count; i++)
        if (target ? !operand_target(d, &o->element[i], width, &regs[i]) : !operand_source(d, &o->element[i], width, &regs[i]))
            return false;
    return fragment_is(d, o, type);
}

void decode_cells(struct decoder *d, struct tensor_desc *t)
{
    for (enum tensor_part p = PART_D; p < TENSOR_PARTS; p++)
        if (t->count[p]) {
            uint16_t *cell = decoder_alloc(d, (size_t)t->count[p] * tensor_packed(t, p) * WARP_LANES, sizeof *cell);
            fragment_cells(t, p, cell);
            t->cell[p] = cell;
        }
}

/**
 * Of which type the registers of a part are, as ptxas wants them: mma takes whatever there is for small integers as factors and for doubles, wmma
 * takes no floats for those.
 */
static enum ptx_type register_type(const struct tensor_desc *t, enum tensor_part p, bool wmma)
{
    bool factor = p == PART_A || p == PART_B;
    switch ((enum tensor_type)t->type[p]) {
    case TENSOR_F16: return PTX_F16X2;
    case TENSOR_BF16: return PTX_BF16X2;
    case TENSOR_TF32: return PTX_TF32;
    case TENSOR_F32: return PTX_F32;
    case TENSOR_F64: return wmma && factor ? PTX_F64 : PTX_B64;
    case TENSOR_S32: return PTX_NONE;
    default: return wmma ? PTX_NONE : PTX_B32;
    }
}

/** d, a, b, c, and the metadata and its selector. */
static bool product_operands(struct decoder *d, const struct ptx_instr *pi, struct tensor_desc *t, bool wmma, struct insn *in)
{
    unsigned total = 1;
    for (enum tensor_part p = PART_D; p < TENSOR_PARTS; p++)
        total += t->count[p];
    uint32_t *reg = decoder_alloc(d, total, sizeof *reg);
    int64_t selector = 0;
    t->reg = reg;
    t->written = t->count[PART_D];
    t->read = (uint8_t)(total - 1 - t->written + t->sparse);
    in->extra = t;
    decode_cells(d, t);
    if (!operand_count(d, pi, t->sparse ? 6 : 4, t->sparse ? 6 : 4))
        return false;
    for (enum tensor_part p = PART_D; p < TENSOR_PARTS; reg += t->count[p++])
        if (!decode_fragment(d, &pi->operands[p], t->count[p], t->width, register_type(t, p, wmma), p == PART_D, reg))
            return false;
    if (!t->sparse)
        return true;
    if (!operand_source(d, &pi->operands[4], 4, reg) || !fragment_is(d, &pi->operands[4], PTX_B32) || !operand_literal(d, &pi->operands[5], &selector))
        return false;
    int most = (int)(16 / sparse_pairs(t));
    t->selector = (uint8_t)selector;
    return (selector >= 0 && selector < most) || decode_fail(d, "the sparsity selector is 0 to %d here", most - 1);
}

/** How doubles are rounded. @return whether the text says */
static bool take_rounding(struct modifiers *m, struct tensor_desc *t)
{
    int i = modifier_of(m, "rn rz rm rp");
    t->rounding = (uint8_t)(i > 0 ? ROUND_RN + i : t->rounding ? t->rounding : ROUND_RN);
    return i >= 0;
}

/** `.row.col` as all but m8n8k4 of halves has it. */
static bool take_layouts(struct modifiers *m, struct tensor_desc *t)
{
    int a = modifier_of(m, "row col"), b = a < 0 ? -1 : modifier_of(m, "row col");
    t->a_by_column = a == 1;
    t->b_by_column = b == 1;
    return b >= 0;
}

static bool take_four(struct modifiers *m, struct tensor_desc *t)
{
    static const enum tensor_part order[] = {PART_D, PART_A, PART_B, PART_C};
    for (int i = 0; i < 4; i++) {
        int type = take_type(m);
        if (type < 0)
            return false;
        t->type[order[i]] = (uint8_t)type;
    }
    return true;
}

/** What stands behind the types of mma, or before `.sync` in wmma.mma. */
static bool take_bit_operation(struct modifiers *m, struct tensor_desc *t)
{
    int operation = modifier_of(m, "and xor");
    t->conjunction = operation == 0;
    return operation >= 0 && modifier_take(m, "popc");
}

bool decode_mma(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct tensor_desc *t = decoder_alloc(d, 1, sizeof *t);
    struct modifiers m = {pi, 0};

    t->sparse = modifier_of(&m, "sp sp::ordered_metadata") >= 0;
    if (!modifier_take(&m, "sync") || !modifier_take(&m, "aligned"))
        return decode_fail_form(d, pi);
    const struct shape *shape = take_shape(&m, t);
    if (!shape || !take_layouts(&m, t))
        return decode_fail_form(d, pi);
    t->satfinite = modifier_take(&m, "satfinite");
    bool rounds = take_rounding(&m, t);
    if (!take_four(&m, t) || !types_fit(t, t->sparse ? shape->sparse : shape->dense))
        return decode_fail_form(d, pi);
    enum family f = family_of((enum tensor_type)t->type[PART_A]);
    t->quads = f == HALF && t->k == 4;
    bool same = t->type[PART_C] == t->type[PART_D] || t->quads;
    if (!same || (f == BITS && !take_bit_operation(&m, t)) || (t->satfinite && f != INT8 && f != INT4) || (rounds && f != DOUBLE) ||
        (!t->quads && (t->a_by_column || !t->b_by_column)))
        return decode_fail_form(d, pi);
    count_registers(t, false);
    return modifiers_end(d, &m) && product_operands(d, pi, t, false, in);
}

/* ---- wmma */

/** One type of a wmma.mma of halves stands for f16 a and b: `.f32.f16` are d and c. */
static bool take_wmma_types(struct modifiers *m, struct tensor_desc *t)
{
    int left = m->pi->modifier_count - m->at;
    if (left && strcmp(m->pi->modifiers[m->pi->modifier_count - 1], "satfinite") == 0)
        left--;
    if (left != 2)
        return take_four(m, t);
    int dst = take_type(m), addend = take_type(m);
    t->type[PART_A] = t->type[PART_B] = TENSOR_F16;
    t->type[PART_D] = (uint8_t)dst;
    t->type[PART_C] = (uint8_t)addend;
    return dst >= 0 && addend >= 0;
}

bool decode_wmma_mma(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct tensor_desc *t = decoder_alloc(d, 1, sizeof *t);
    struct modifiers m = {pi, 0};

    bool bits = modifier_take(&m, "mma") && take_bit_operation(&m, t);
    if (!modifier_take(&m, "sync") || !modifier_take(&m, "aligned") || !take_layouts(&m, t))
        return decode_fail_form(d, pi);
    const struct shape *shape = take_shape(&m, t);
    bool rounds = take_rounding(&m, t);
    if (!shape || !take_wmma_types(&m, t) || !types_fit(t, shape->wmma))
        return decode_fail_form(d, pi);
    enum family f = family_of((enum tensor_type)t->type[PART_A]);
    if (f == DOUBLE)
        rounds |= take_rounding(&m, t); /* where nvcc writes it */
    t->satfinite = modifier_take(&m, "satfinite");
    if (bits != (f == BITS) || (rounds && f != DOUBLE) || (t->satfinite && !is_integer(f)) || ((f == INT4 || f == BITS) && (t->a_by_column || !t->b_by_column)))
        return decode_fail_form(d, pi);
    t->step = f == TF32 ? 4 : 0;
    count_registers(t, true);
    return modifiers_end(d, &m) && product_operands(d, pi, t, true, in);
}

/** Default stride: as if the matrix lay alone. */
static uint32_t default_stride(const struct tensor_desc *t)
{
    unsigned rows = t->part == PART_B ? t->k : t->m, columns = t->part == PART_A ? t->k : t->n;
    return t->by_column ? rows : columns;
}

/** What one lane does to memory for a register: a whole one, or one element. */
struct insn *decode_pieces(struct decoder *d, const struct insn *in, enum op_row row, unsigned whole, unsigned single)
{
    struct insn *piece = decoder_alloc(d, 2, sizeof *piece);
    for (int i = 0; i < 2; i++) {
        unsigned bytes = i ? single : whole;
        piece[i] = *in;
        piece[i].op = &op_table[row];
        piece[i].guard = piece[i].dst = piece[i].dst2 = REG_NONE;
        piece[i].src[1] = piece[i].src[2] = piece[i].src[3] = REG_NONE;
        piece[i].extra = NULL;
        piece[i].mem.bytes = (uint8_t)bytes;
        piece[i].mem.reg_bytes = (uint8_t)(bytes < 2 ? 2 : bytes);
        piece[i].mem.type = (uint8_t)(bytes == 16 ? PTX_B128 : bytes == 8 ? PTX_B64 : bytes == 4 ? PTX_B32 : bytes == 2 ? PTX_B16 : PTX_B8);
    }
    return piece;
}

/** `.sync.aligned.layout.shape{.space}.type`; of c and d of every family that the shape has. */
static bool take_access(struct modifiers *m, struct tensor_desc *t, struct insn *in)
{
    if (!modifier_take(m, "sync") || !modifier_take(m, "aligned"))
        return false;
    int layout = modifier_of(m, "row col");
    const struct shape *shape = layout < 0 ? NULL : take_shape(m, t);
    if (!shape)
        return false;
    t->by_column = layout == 1;
    if (modifiers_one_of(m->pi, "shared::cluster", NULL))
        return false;
    in->mem = (struct mem_desc){.space = (uint8_t)modifier_space(m), .count = 1};
    int type = take_type(m);
    if (type < 0 || (in->mem.space != SPACE_GENERIC && in->mem.space != SPACE_GLOBAL && in->mem.space != SPACE_SHARED))
        return false;
    bool fits = false;
    for (enum family f = HALF; f <= BITS; f++)
        if (shape->wmma & OF(f))
            fits |= t->part == PART_A || t->part == PART_B ? family_of((enum tensor_type)type) == f
                                                           : accumulates(f, (enum tensor_type)type);
    memset(t->type, type, sizeof t->type);
    bool narrow = type == TENSOR_S4 || type == TENSOR_U4 || type == TENSOR_B1; /* a by rows, b by columns only */
    return fits && (!narrow || t->by_column == (t->part == PART_B));
}

/** The fragment's registers; address and stride. */
static bool access_operands(struct decoder *d, const struct ptx_instr *pi, struct tensor_desc *t, struct insn *in, bool load)
{
    count_registers(t, true);
    unsigned count = t->count[t->part];
    uint32_t *reg = decoder_alloc(d, count, sizeof *reg);
    memset(t->count, 0, sizeof t->count);
    t->count[t->part] = (uint8_t)count;
    *(load ? &t->written : &t->read) = (uint8_t)count;
    t->reg = reg;
    t->stride = default_stride(t);
    in->extra = t;
    enum ptx_type type = t->width == 8 ? PTX_F64 : register_type(t, (enum tensor_part)t->part, true);
    if (!operand_count(d, pi, 2, 3) || !decode_fragment(d, &pi->operands[!load], count, t->width, type, load, reg) ||
        !decode_address(d, &pi->operands[load], in) ||
        (pi->operand_count == 3 && (!operand_source(d, &pi->operands[2], 4, &in->src[1]) || !operand_is(d, &pi->operands[2], PTX_NONE))))
        return false;
    unsigned bits = tensor_type_bits((enum tensor_type)t->type[t->part]);
    struct memory_cell *lies = decoder_alloc(d, LIES_ELEMENTS + count * tensor_packed(t, (enum tensor_part)t->part), sizeof *lies);
    fragment_lies(t, lies);
    t->piece = decode_pieces(d, in, load ? ROW_ld : ROW_st, t->width, bits < 8 ? t->width : bits / 8);
    return true;
}

bool decode_wmma_load(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    static const uint8_t parts[] = {PART_A, PART_B, PART_C};
    struct tensor_desc *t = decoder_alloc(d, 1, sizeof *t);
    struct modifiers m = {pi, 1};
    int part = modifier_of(&m, "a b c");

    t->part = parts[part < 0 ? 0 : part];
    if (part < 0 || !take_access(&m, t, in))
        return decode_fail_form(d, pi);
    return modifiers_end(d, &m) && access_operands(d, pi, t, in, true);
}

bool decode_wmma_store(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct tensor_desc *t = decoder_alloc(d, 1, sizeof *t);
    struct modifiers m = {pi, 1};

    t->part = PART_D;
    if (!modifier_take(&m, "d") || !take_access(&m, t, in))
        return decode_fail_form(d, pi);
    return modifiers_end(d, &m) && access_operands(d, pi, t, in, false);
}
