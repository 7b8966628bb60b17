/**
 * @file wide.c
 * Carries, packing, 128-bit moves and general conversions: the handlers that alu.h lists.
 */
#include <stdlib.h>
#include <string.h>

#include "execute/alu/stamp.h"

/** Lane `i` of a register of `bytes` bytes, zero-extended. */
static uint64_t read_lane(const struct warp *w, uint32_t reg, unsigned bytes, int i)
{
    switch (bytes) {
    case 2: return ALU_REG(u16, w, reg)[i];
    case 4: return ALU_REG(u32, w, reg)[i];
    default: return ALU_REG(u64, w, reg)[i];
    }
}

static void write_lane(struct warp *w, uint32_t reg, unsigned bytes, int i, uint64_t value)
{
    switch (bytes) {
    case 2: ALU_REG(u16, w, reg)[i] = (uint16_t)value; break;
    case 4: ALU_REG(u32, w, reg)[i] = (uint32_t)value; break;
    default: ALU_REG(u64, w, reg)[i] = value; break;
    }
}

static uint64_t product(uint64_t imm, uint64_t a, uint64_t b)
{
    bool is_signed = imm & CARRY_SIGNED;

    if (imm & CARRY_64) {
        if (!(imm & CARRY_HI))
            return a * b;
        return is_signed ? alu_mul_hi_s64((int64_t)a, (int64_t)b) : alu_mul_hi_u64(a, b);
    }
    uint64_t wide = is_signed ? (uint64_t)((int64_t)(int32_t)a * (int32_t)b) : a * b;
    return imm & CARRY_HI ? (uint32_t)(wide >> 32) : (uint32_t)wide;
}

/**
 * One addition with carry in and out. Subtraction adds the complement, and CC.CF holds the carry of that, which is the negated borrow: PTX ISA 9.7.2.3
 * calls it the borrow, and among subtractions it makes no difference; an H200 has the adder's, which shows where an addition comes behind, as in nvcc's
 * division of 128 bits (tests/runtime/carry_facts.cu).
 */
static uint64_t add_carry(uint64_t imm, uint64_t a, uint64_t b, uint32_t *flag)
{
    unsigned width = imm & CARRY_64 ? 64 : 32;
    bool subtract = imm & CARRY_SUB;
    unsigned __int128 mask = ((unsigned __int128)1 << width) - 1, sum;
    uint64_t in = imm & CARRY_IN ? *flag : subtract;

    sum = (unsigned __int128)a + (subtract ? (unsigned __int128)~b & mask : b) + in;
    *flag = (uint32_t)(sum >> width) & 1;
    return (uint64_t)(sum & mask);
}

const struct insn *op_carry(struct warp *w, const struct insn *in)
{
    unsigned bytes = in->imm & CARRY_64 ? 8 : 4;
    uint32_t *cc = warp_reg(w, in->dst2), flags = *cc;

    for (uint32_t left = w->mask; left; left &= left - 1) {
        int i = __builtin_ctz(left);
        uint32_t flag = flags >> i & 1;
        uint64_t a = read_lane(w, in->src[0], bytes, i), b = read_lane(w, in->src[1], bytes, i);
        if (in->imm & CARRY_MAD) {
            a = product(in->imm, a, b);
            b = read_lane(w, in->src[2], bytes, i);
        }
        uint64_t sum = add_carry(in->imm, a, b, &flag);
        if (in->imm & CARRY_OUT)
            flags = (flags & ~(1u << i)) | flag << i;
        write_lane(w, in->dst, bytes, i, sum);
    }
    *cc = flags;
    return in + 1;
}

const struct insn *op_pack(struct warp *w, const struct insn *in)
{
    const struct pack_desc *p = in->extra;
    unsigned element = p->element_bytes, width = element < 2 ? 2 : element;
    unsigned per_word = element >= 8 ? 1 : 8 / element;

    for (uint32_t left = w->mask; left; left &= left - 1) {
        int i = __builtin_ctz(left);
        uint64_t words[2] = {0, 0};
        for (unsigned e = 0; e < p->count; e++) {
            uint64_t v = read_lane(w, p->element[e], width, i);
            v &= element < 8 ? (1ull << 8 * element) - 1 : UINT64_MAX;
            words[e / per_word] |= v << 8 * element * (e % per_word);
        }
        write_lane(w, in->dst, in->mem.reg_bytes, i, words[0]);
        if (in->mem.reg_bytes == 16)
            ALU_REG(u64, w, in->dst)[WARP_LANES + i] = words[1];
    }
    return in + 1;
}

/** The words of 64 bits, the commonest: all lanes at once. */
static const struct insn *unpack_words(struct warp *w, const struct insn *in, const struct pack_desc *p)
{
    const int32_t *on = w->lane_mask;
    uint64_t from[WARP_LANES]; /* a register of its own: one of the words may lie in its place */
    memcpy(from, warp_reg(w, in->src[0]), sizeof from);
    for (unsigned e = 0; e < 2; e++) {
        if (p->element[e] == REG_NONE)
            continue;
        uint32_t *to = warp_reg(w, p->element[e]);
        for (int i = 0; i < WARP_LANES; i++)
            to[i] = ((uint32_t)(from[i] >> 32 * e) & (uint32_t)on[i]) | (to[i] & ~(uint32_t)on[i]);
    }
    return in + 1;
}

const struct insn *op_unpack(struct warp *w, const struct insn *in)
{
    const struct pack_desc *p = in->extra;
    unsigned element = p->element_bytes, width = element < 2 ? 2 : element;
    unsigned per_word = element >= 8 ? 1 : 8 / element;
    if (element == 4 && in->mem.reg_bytes == 8 && p->count == 2)
        return unpack_words(w, in, p);

    for (uint32_t left = w->mask; left; left &= left - 1) {
        int i = __builtin_ctz(left);
        uint64_t words[2] = {read_lane(w, in->src[0], in->mem.reg_bytes, i), 0};
        if (in->mem.reg_bytes == 16)
            words[1] = ALU_REG(u64, w, in->src[0])[WARP_LANES + i];
        for (unsigned e = 0; e < p->count; e++) {
            uint64_t v = words[e / per_word] >> (element < 8 ? 8 * element * (e % per_word) : 0);
            if (element == 1)
                v &= 0xff;
            if (p->element[e] != REG_NONE)
                write_lane(w, p->element[e], width, i, v);
        }
    }
    return in + 1;
}

const struct insn *op_mov_128(struct warp *w, const struct insn *in)
{
    for (uint32_t left = w->mask; left; left &= left - 1) {
        int i = __builtin_ctz(left);
        ALU_REG(u64, w, in->dst)[i] = ALU_REG(u64, w, in->src[0])[i];
        ALU_REG(u64, w, in->dst)[WARP_LANES + i] = ALU_REG(u64, w, in->src[0])[WARP_LANES + i];
    }
    return in + 1;
}

/** What programs convert whole matrices with. */
static void convert_to_tf32(const struct warp *w, const struct insn *in, bool satfinite)
{
    const uint32_t *from = ALU_REG(u32, w, in->src[0]), *on = (const uint32_t *)w->lane_mask;
    uint32_t *to = ALU_REG(u32, w, in->dst);
    for (int i = 0; i < WARP_LANES; i++)
        to[i] = (cvt_tf32_away(satfinite, from[i]) & on[i]) | (to[i] & ~on[i]);
}

/** Integers of at most 16 bits as floats, which hold them whatever the rounding: what textures and images give. */
static void convert_short_integers(const struct warp *w, const struct insn *in, enum ptx_type src)
{
    const uint16_t *from = ALU_REG(u16, w, in->src[0]);
    uint32_t *to = ALU_REG(u32, w, in->dst);
    for (int i = 0; i < WARP_LANES; i++) {
        int v = src == PTX_U16 ? from[i] : src == PTX_S16 ? (int16_t)from[i] : src == PTX_U8 ? (uint8_t)from[i] : (int8_t)from[i];
        to[i] = w->lane_mask[i] ? f32_bits((float)v) : to[i];
    }
}

const struct insn *op_cvt(struct warp *w, const struct insn *in)
{
    uint64_t m = in->imm;
    enum ptx_type dst = (enum ptx_type)(m & 0xff), src = (enum ptx_type)(m >> 8 & 0xff);
    unsigned to = m >> 16 & 0xff, from = m >> 24 & 0xff;
    enum numeric_rounding round = (enum numeric_rounding)(m >> 32 & 0xff);
    bool integers = cvt_is_integer(dst) && cvt_is_integer(src), sat = m >> 41 & 1;

    if (dst == PTX_TF32 && round == ROUND_RNA && to == 4) {
        convert_to_tf32(w, in, m >> 43 & 1);
        return in + 1;
    }
    bool bounded = m >> 41 & 7;   /* .sat, .relu, .satfinite */
    if (dst == PTX_F32 && (src == PTX_U16 || src == PTX_S16 || src == PTX_U8 || src == PTX_S8) && from == 2 && to == 4 && !bounded) {
        convert_short_integers(w, in, src);
        return in + 1;
    }
    for (uint32_t left = w->mask; left; left &= left - 1) {
        int i = __builtin_ctz(left);
        uint64_t v = read_lane(w, in->src[0], from, i);
        v = integers ? cvt_integer(dst, src, sat, v)
                     : convert_exact(dst, src, round, m >> 40 & 1, sat, m >> 42 & 1, m >> 43 & 1, v);
        write_lane(w, in->dst, to, i, cvt_widen(dst, to, v));
    }
    return in + 1;
}

static uint32_t convert_special(const struct cvt_desc *c, uint32_t a, uint32_t b, uint32_t old)
{
    enum numeric_small format = (enum numeric_small)c->type;
    enum numeric_rounding round = (enum numeric_rounding)c->round;

    switch ((enum cvt_kind)c->kind) {
    case CVT_PAIR:
        return cvt_pack((enum ptx_type)c->type, round, c->relu, c->satfinite, a, b);
    case CVT_TO_SMALL:
        return cvt_pack_small(format, round, c->relu, c->satfinite, a, b);
    case CVT_SMALL_OF_PAIR:
        return cvt_small_of_pair(format, round, c->relu, c->satfinite, a);
    case CVT_PAIR_OF_SMALL:
        return cvt_pair_of_small(format, c->relu, (uint16_t)a);
    case CVT_PACK_INT:
        return cvt_pack_int(c->bits, c->is_signed, a, b, old);
    }
    abort();
}

const struct insn *op_cvt_special(struct warp *w, const struct insn *in)
{
    const struct cvt_desc *c = in->extra;
    unsigned from = c->kind == CVT_PAIR_OF_SMALL ? 2 : 4;
    bool one = c->kind == CVT_PAIR_OF_SMALL || c->kind == CVT_SMALL_OF_PAIR;

    for (uint32_t left = w->mask; left; left &= left - 1) {
        int i = __builtin_ctz(left);
        uint32_t a = (uint32_t)read_lane(w, in->src[0], from, i);
        uint32_t b = one ? 0 : ALU_REG(u32, w, in->src[1])[i];
        uint32_t old = c->kind == CVT_PACK_INT ? ALU_REG(u32, w, in->src[2])[i] : 0;
        write_lane(w, in->dst, in->mem.reg_bytes, i, convert_special(c, a, b, old));
    }
    return in + 1;
}
