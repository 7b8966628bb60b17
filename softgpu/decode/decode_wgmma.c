/**
 * @file decode_wgmma.c
 * wgmma and setmaxnreg (PTX ISA 9.7.15, 9.7.19.5): products of a warp group, of matrices in shared memory.
 */
#include <stdio.h>
#include <string.h>

#include "decode/decode_operands.h"
#include "decode/decode_tensors.h"
#include "decode/find_row.h"


bool decode_wgmma_group(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct modifiers m = {pi, 1};
    bool waits = insn_row(in) == ROW_wgmma_wait;
    int64_t left = 0;

    if (!modifier_take(&m, "sync") || !modifier_take(&m, "aligned"))
        return decode_fail_form(d, pi);
    if (!modifiers_end(d, &m) || !operand_count(d, pi, waits, waits) ||
        (waits && !operand_literal(d, &pi->operands[0], &left)))
        return false;
    in->imm = (uint64_t)left;
    return left >= 0 || decode_fail_form(d, pi);
}

/** m64nNkK: N a multiple of 8 up to 256; K by the types. */
static bool take_shape(struct modifiers *m, struct tensor_desc *t)
{
    unsigned n, k;
    int end = 0;
    if (m->at >= m->pi->modifier_count || sscanf(m->pi->modifiers[m->at], "m64n%3uk%3u%n", &n, &k, &end) != 2 ||
        m->pi->modifiers[m->at][end] || !n || n % 8 || n > 256)
        return false;
    t->m = 16;
    t->n = (uint16_t)n;
    t->k = (uint16_t)k;
    m->at++;
    return true;
}

/** Do d, a and b go together, and with the shape? Integers and bits have wider steps of n beyond 32. */
static bool types_fit(const struct tensor_desc *t)
{
    enum tensor_type a = (enum tensor_type)t->type[PART_A], b = (enum tensor_type)t->type[PART_B],
                     d = (enum tensor_type)t->type[PART_D];
    bool fp8 = (a == TENSOR_E4M3 || a == TENSOR_E5M2) && (b == TENSOR_E4M3 || b == TENSOR_E5M2);
    bool bytes = (a == TENSOR_S8 || a == TENSOR_U8) && (b == TENSOR_S8 || b == TENSOR_U8), bits = a == TENSOR_B1 && b == a;
    bool real = fp8 || (a == b && (a == TENSOR_F16 || a == TENSOR_BF16 || a == TENSOR_TF32));
    unsigned along = a == TENSOR_B1 ? 256 : 256 / tensor_type_bits(a) * (1 + t->sparse); /* of a, 32 bytes are stored */
    if (t->k != along || (t->satfinite && !bytes) || (t->sparse && bits))
        return false;
    if (bytes || bits)
        return d == TENSOR_S32 && (t->n <= 32 || t->n % 16 == 0);
    return real && (d == TENSOR_F32 || (d == TENSOR_F16 && (fp8 || a == TENSOR_F16)));
}

static bool take_types(struct modifiers *m, struct tensor_desc *t)
{
    static const uint8_t parts[] = {PART_D, PART_A, PART_B};
    for (int i = 0; i < 3; i++) {
        int type = modifier_of(m, "f16 bf16 tf32 f32 f64 e4m3 e5m2 s8 u8 s4 u4 b1 s32");
        if (type < 0)
            return false;
        t->type[parts[i]] = (uint8_t)type;
    }
    t->type[PART_C] = t->type[PART_D];
    t->satfinite = modifier_take(m, "satfinite");
    t->conjunction = t->type[PART_A] == TENSOR_B1;
    return !t->conjunction || (modifier_take(m, "and") && modifier_take(m, "popc"));
}

/** scale-a and scale-b, 1 or -1; of 16 bits how a and b lie, as far as they lie in memory. */
static bool take_immediates(struct decoder *d, const struct ptx_instr *pi, struct tensor_desc *t, bool in_registers)
{
    enum tensor_type a = (enum tensor_type)t->type[PART_A];
    bool real = a <= TENSOR_E5M2, lies = a == TENSOR_F16 || a == TENSOR_BF16;
    int64_t v[4] = {1, 1, 0, 0};
    int count = (real ? 2 : 0) + (lies ? 2 - in_registers : 0), first = 4 + 2 * t->sparse;
    if (!operand_count(d, pi, first + count, first + count))
        return false;
    for (int i = 0; i < count; i++) {
        int64_t *to = &v[i < 2 ? i : i + in_registers];
        if (!operand_literal(d, &pi->operands[first + i], to))
            return false;
        if (i < 2 ? *to != 1 && *to != -1 : *to != 0 && *to != 1)
            return decode_fail(d, "a scale is 1 or -1, a transposition 0 or 1");
    }
    t->minus_a = v[0] < 0;
    t->minus_b = v[1] < 0;
    t->across_a = v[2];
    t->across_b = v[3];
    return true;
}

/** A sparse a's metadata, behind all other registers, and its selector. */
static bool take_metadata(struct decoder *d, const struct ptx_instr *pi, struct tensor_desc *t, uint32_t *reg)
{
    int64_t selector;
    int most = (int)(16 / sparse_pairs(t));
    if (!operand_source(d, &pi->operands[3], 4, reg) || !fragment_is(d, &pi->operands[3], PTX_B32) || !operand_literal(d, &pi->operands[4], &selector))
        return false;
    t->selector = (uint8_t)selector;
    return (selector >= 0 && selector < most) || decode_fail(d, "the sparsity selector is 0 to %d here", most - 1);
}

/** d is read, too: a sink cannot be. */
static bool no_sinks(struct decoder *d, const uint32_t *reg, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (reg[i] == REG_NONE)
            return decode_fail(d, "d is read here: it cannot be a sink");
    return true;
}

static enum ptx_type register_type(enum tensor_type t)
{
    switch (t) {
    case TENSOR_S8: case TENSOR_U8: case TENSOR_B1: return PTX_B32;
    case TENSOR_F32: return PTX_F32;
    case TENSOR_S32: return PTX_NONE;
    default: return PTX_F16X2;
    }
}

static bool take_descriptor(struct decoder *d, const struct ptx_operand *o, uint32_t *reg)
{
    return operand_source(d, o, 8, reg) && operand_is(d, o, PTX_U64);
}

/** Whether d is added: a predicate, 0 or 1. */
static bool take_scale(struct decoder *d, const struct ptx_operand *o, uint32_t *reg)
{
    bool negated;
    if (o->kind == OPERAND_INT && o->bits > 1)
        return decode_fail(d, "the scale of d is a predicate, 0 or 1");
    return operand_pred(d, o, reg, &negated) && (!negated || decode_fail(d, "the predicate cannot be negated here"));
}

/** d, a or its descriptor, b's descriptor, a sparse a's metadata, scale-d: d is written and, with the first read, read. */
static bool take_registers(struct decoder *d, const struct ptx_instr *pi, struct tensor_desc *t, struct insn *in)
{
    bool in_registers = pi->operand_count > 1 && pi->operands[1].kind == OPERAND_VECTOR;
    unsigned of_d = t->n * 16u / (WARP_LANES * tensor_packed(t, PART_D)), of_a = in_registers ? 4 : 0;
    uint32_t *reg = decoder_alloc(d, 2 * of_d + of_a + 1, sizeof *reg);
    if (!take_immediates(d, pi, t, in_registers) ||
        !decode_fragment(d, &pi->operands[0], of_d, 4, register_type((enum tensor_type)t->type[PART_D]), true, reg) || !no_sinks(d, reg, of_d) ||
        (in_registers ? !decode_fragment(d, &pi->operands[1], 4, 4, register_type((enum tensor_type)t->type[PART_A]), false, reg + of_d)
                      : !take_descriptor(d, &pi->operands[1], &in->src[0])) ||
        !take_descriptor(d, &pi->operands[2], &in->src[1]) || !take_scale(d, &pi->operands[3 + 2 * t->sparse], &in->src[2]))
        return false;
    memcpy(reg + of_d + of_a, reg, of_d * sizeof *reg);
    if (t->sparse && !take_metadata(d, pi, t, reg + 2 * of_d + of_a))
        return false;
    t->reg = reg;
    t->count[PART_D] = t->count[PART_C] = (uint8_t)of_d;
    t->count[PART_A] = (uint8_t)of_a;
    t->written = (uint8_t)of_d;
    t->read = (uint8_t)(of_d + of_a + t->sparse);
    return true;
}

bool decode_wgmma_mma(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct tensor_desc *t = decoder_alloc(d, 1, sizeof *t);
    struct modifiers m = {pi, 1};

    t->group = true;
    t->width = 4;
    t->sparse = modifier_take(&m, "sp");
    if (!pi->modifier_count || strcmp(pi->modifiers[0], "mma_async") || !modifier_take(&m, "sync") ||
        !modifier_take(&m, "aligned") || !take_shape(&m, t) || !take_types(&m, t) || !types_fit(t))
        return decode_fail_form(d, pi);
    in->extra = t;
    if (!modifiers_end(d, &m) || !take_registers(d, pi, t, in))
        return false;
    decode_cells(d, t);
    in->mem = (struct mem_desc){.space = SPACE_SHARED, .count = 1, .address_bytes = 0};
    t->piece = decode_pieces(d, in, ROW_ld, MATRIX_PIECE, 2);
    return true;
}

bool decode_setmaxnreg(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    struct modifiers m = {pi, 0};
    int64_t count;
    int way = modifier_of(&m, "inc dec");

    if (way < 0 || !modifier_take(&m, "sync") || !modifier_take(&m, "aligned") || !modifier_take(&m, "u32"))
        return decode_fail_form(d, pi);
    if (!modifiers_end(d, &m) || !operand_count(d, pi, 1, 1) || !operand_literal(d, &pi->operands[0], &count))
        return false;
    in->imm = (uint64_t)count | (way ? 0 : REGISTERS_MORE);
    return (count >= 24 && count <= 256 && count % 8 == 0) ||
           decode_fail(d, "setmaxnreg takes 24 to 256 registers, a multiple of 8");
}
