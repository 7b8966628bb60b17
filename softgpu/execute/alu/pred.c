/**
 * @file pred.c
 * Predicate logic, set, and comparisons of half precision: the handlers that alu.h lists.
 */
#include "execute/alu/stamp.h"

static uint32_t read_pred(const struct warp *w, uint32_t reg)
{
    return *(const uint32_t *)warp_reg(w, reg);
}

const struct insn *op_logic_pred(struct warp *w, const struct insn *in)
{
    unsigned operation = in->imm & 7;
    uint32_t a = read_pred(w, in->src[0]) ^ (in->imm & 16 ? UINT32_MAX : 0), b = 0;

    if (operation < 3)
        b = read_pred(w, in->src[1]) ^ (in->imm & 32 ? UINT32_MAX : 0);
    switch (operation) {
    case 0: a &= b; break;
    case 1: a |= b; break;
    case 2: a ^= b; break;
    case 3: a = ~a; break;
    default: break;
    }
    alu_store_pred(w, in->dst, a);
    return in + 1;
}

const struct insn *op_set(struct warp *w, const struct insn *in)
{
    const struct set_desc *s = in->extra;

    s->compare.run(w, &s->compare);
    uint32_t bits = read_pred(w, s->compare.dst);
    for (uint32_t left = w->mask; left; left &= left - 1) {
        int i = __builtin_ctz(left);
        uint32_t value = bits >> i & 1 ? s->true_bits : 0;
        if (in->mem.reg_bytes == 2)
            ALU_REG(u16, w, in->dst)[i] = (uint16_t)value;
        else
            ALU_REG(u32, w, in->dst)[i] = value;
    }
    return in + 1;
}

static bool compare_half(const struct half_compare *h, uint16_t a, uint16_t b)
{
    enum numeric_compare compare = (enum numeric_compare)h->compare;
    return h->bfloat ? bf16_compare(compare, a, b, h->ftz) : f16_compare(compare, a, b, h->ftz);
}

/** The comparison of one half of the operands for all lanes: `shift` 0 or 16. */
static uint32_t compare_lanes(const struct warp *w, const struct insn *in, int shift)
{
    const struct half_compare *h = in->extra;
    uint32_t bits = 0;

    for (uint32_t left = w->mask; left; left &= left - 1) {
        int i = __builtin_ctz(left);
        uint32_t a, b;
        if (h->pair) {
            a = ALU_REG(u32, w, in->src[0])[i] >> shift;
            b = ALU_REG(u32, w, in->src[1])[i] >> shift;
        } else {
            a = ALU_REG(u16, w, in->src[0])[i];
            b = ALU_REG(u16, w, in->src[1])[i];
        }
        bits |= (uint32_t)compare_half(h, (uint16_t)a, (uint16_t)b) << i;
    }
    return bits;
}

/** The predicate operand of a comparison with .and, .or or .xor. */
static uint32_t third_operand(const struct warp *w, const struct insn *in)
{
    const struct half_compare *h = in->extra;
    return h->boolean ? read_pred(w, in->src[2]) ^ (h->c_negated ? UINT32_MAX : 0) : 0;
}

const struct insn *op_setp_half(struct warp *w, const struct insn *in)
{
    const struct half_compare *h = in->extra;
    uint32_t c = third_operand(w, in), low = compare_lanes(w, in, 0);
    uint32_t other = h->pair ? compare_lanes(w, in, 16) : ~low;

    if (in->dst != REG_NONE)
        alu_store_pred(w, in->dst, alu_boolean(h->boolean, low, c));
    if (in->dst2 != REG_NONE)
        alu_store_pred(w, in->dst2, alu_boolean(h->boolean, other, c));
    return in + 1;
}

const struct insn *op_set_half_pair(struct warp *w, const struct insn *in)
{
    const struct half_compare *h = in->extra;
    uint32_t c = third_operand(w, in), one = h->bfloat ? 0x3f80 : 0x3c00;
    uint32_t low = alu_boolean(h->boolean, compare_lanes(w, in, 0), c);
    uint32_t high = alu_boolean(h->boolean, compare_lanes(w, in, 16), c);

    for (uint32_t left = w->mask; left; left &= left - 1) {
        int i = __builtin_ctz(left);
        ALU_REG(u32, w, in->dst)[i] = (low >> i & 1) * one | (high >> i & 1) * one << 16;
    }
    return in + 1;
}

const struct insn *op_lop3_pred(struct warp *w, const struct insn *in)
{
    uint32_t bits = 0, c = read_pred(w, in->src[3]) ^ (in->imm & 1 << 10 ? UINT32_MAX : 0);

    for (uint32_t left = w->mask; left; left &= left - 1) {
        int i = __builtin_ctz(left);
        uint32_t r = alu_lop3(ALU_REG(u32, w, in->src[0])[i], ALU_REG(u32, w, in->src[1])[i],
                              ALU_REG(u32, w, in->src[2])[i], in->imm & 0xff);
        bits |= (uint32_t)(r != 0) << i;
        if (in->dst != REG_NONE)
            ALU_REG(u32, w, in->dst)[i] = r;
    }
    alu_store_pred(w, in->dst2, alu_boolean(in->imm >> 8 & 3, bits, c));
    return in + 1;
}
