/**
 * @file bit_rules.c
 * Which bits of a result are undefined, given those of the sources: exact for what moves bits or combines them one by one, for sums and
 * comparisons of integers whatever values the undefined bits may have. Of what is not here (bits_pass() says so) bytes alone are known.
 */
#include "check/uninit/bit_rules.h"

#include "check/uninit/elements.h"
#include "execute/alu/functions.h"
#include "execute/lane_values.h"

/** A lane's value of a source: bits that may be either way are 0 in `value` and 1 in `unknown`. */
struct partly_known {
    uint64_t value, unknown;
};

static struct partly_known source_of(const struct warp *w, const struct warp_taint *t, const struct insn *in, unsigned source, int lane)
{
    uint32_t reg = in->src[source];
    const struct taint *from = reg_taint(w, t, reg);
    uint64_t width = low_bits(8 * operand_class_bytes((enum operand_class)in->op->src[source]));
    struct partly_known k = {0};
    if (reg == REG_NONE)
        return k;
    k.unknown = from && from->lanes >> lane & 1 ? taint_bits(from, lane) & width : 0;
    k.value = reg_read(w, reg, operand_class_bytes((enum operand_class)in->op->src[source]), lane) & width & ~k.unknown;
    return k;
}

/* ---- What moves bits to other places ---- */

/** Bits go where the row's own expression takes them: that of the undefined ones, with the places that other sources say.
 *  @return false where it is no such row, or the places are not known */
static bool moved(const struct insn *in, const struct partly_known s[3], uint64_t *bits)
{
#define TYPE_u16 uint16_t
#define TYPE_s16 int16_t
#define TYPE_u32 uint32_t
#define TYPE_s32 int32_t
#define TYPE_u64 uint64_t
#define TYPE_s64 int64_t
#define ROW_IS(id, D, e)                                                                           \
    case ROW_##id:                                                                                 \
        *bits = (TYPE_##D)(e);                                                                     \
        return true;
#define ONE(id, mn, pat, sec, D, A, e) ROW_IS(id, D, ({ TYPE_##A a = (TYPE_##A)s[0].unknown; (e); }))
#define SHIFT(id, mn, pat, sec, D, A, B, e)                                                        \
    ROW_IS(id, D, ({ TYPE_##A a = (TYPE_##A)s[0].unknown; TYPE_##B b = (TYPE_##B)s[1].value; (e); }))
#define TWO(id, mn, pat, sec, D, A, B, C, e)                                                       \
    ROW_IS(id, D, ({ TYPE_##A a = (TYPE_##A)s[0].unknown; TYPE_##B b = (TYPE_##B)s[1].unknown; TYPE_##C c = (TYPE_##C)s[2].value; (e); }))
#define V1F_COPIES(...) ONE(__VA_ARGS__)
#define V3F_COPIES(...) TWO(__VA_ARGS__)
#define V2F_SHIFTS_UP(...) SHIFT(__VA_ARGS__)
#define V2F_SHIFTS_DOWN(...) SHIFT(__VA_ARGS__)
#define V2F_COPIES(...)
#define V2F_MASKS(...)
#define V2F_PACKS(...)
#define V3F_CHOOSES(...)
#define V1F(how, ...) V1F_##how(__VA_ARGS__)
#define V2F(how, ...) V2F_##how(__VA_ARGS__)
#define V3F(how, ...) V3F_##how(__VA_ARGS__)
#define S3F(how, ...) V3F_##how(__VA_ARGS__)
#define cvt(...) ((void)a, 0) /* conversions between numbers stand behind those between widths, and move nothing */
    bool shifts = in->op->defined == DEFINED_SHIFTS_UP || in->op->defined == DEFINED_SHIFTS_DOWN;
    if ((shifts ? s[1].unknown : s[2].unknown) || insn_row(in) > ROW_ext_s32_64_64)
        return false;
    switch (insn_row(in)) {
#include "code/ops.def"
    case ROW_brev_32:
        *bits = alu_brev_32((uint32_t)s[0].unknown);
        return true;
    case ROW_brev_64:
        *bits = (uint64_t)alu_brev_32((uint32_t)s[0].unknown) << 32 | alu_brev_32((uint32_t)(s[0].unknown >> 32));
        return true;
    default:
        return false;
    }
}

/** A funnel shift of b:a. */
static bool funnelled(const struct insn *in, const struct partly_known s[3], uint64_t *bits)
{
    uint64_t both = s[1].unknown << 32 | s[0].unknown, by = s[2].value;
    bool clamps = insn_row(in) == ROW_shf_l_clamp || insn_row(in) == ROW_shf_r_clamp;
    by = clamps ? (by > 32 ? 32 : by) : by & 31;
    *bits = (uint32_t)(insn_row(in) == ROW_shf_l_clamp || insn_row(in) == ROW_shf_l_wrap ? both << by >> 32 : both >> by);
    return !s[2].unknown;
}

/** A field of the first source, from the place and of the length that the next two say. */
static bool extracted(const struct insn *in, const struct partly_known s[3], uint64_t *bits)
{
    uint32_t at = (uint32_t)s[1].value, length = (uint32_t)s[2].value;
    uint64_t unknown = s[0].unknown;
    switch (insn_row(in)) {
    case ROW_bfe_u32: *bits = alu_bfe_u32((uint32_t)unknown, at, length); break;
    case ROW_bfe_s32: *bits = (uint32_t)alu_bfe_s32((int32_t)unknown, at, length); break;
    case ROW_bfe_u64: *bits = alu_bfe_u64(unknown, at, length); break;
    default: *bits = (uint64_t)alu_bfe_s64((int64_t)unknown, at, length);
    }
    return !s[1].unknown && !s[2].unknown;
}

/** The first source's low bits become a field of the second. */
static bool inserted(const struct insn *in, const struct partly_known s[4], uint64_t *bits)
{
    uint32_t at = (uint32_t)s[2].value, length = (uint32_t)s[3].value;
    bool whole = insn_row(in) == ROW_bfi_64;
    *bits = whole ? alu_bfi_64(s[0].unknown, s[1].unknown, at, length) : alu_bfi_32((uint32_t)s[0].unknown, (uint32_t)s[1].unknown, at, length);
    return !s[2].unknown && !s[3].unknown;
}

/* ---- What combines them ---- */

/** A function of three bits, as lop3 has it, bit by bit: undefined where it may come out both ways. */
static uint64_t combined(const struct partly_known s[3], unsigned lut)
{
    uint64_t may_be[2] = {0, 0};
    for (unsigned i = 0; i < 8; i++) {
        uint64_t possible = UINT64_MAX;
        for (unsigned k = 0; k < 3; k++)
            possible &= s[k].unknown | (i >> (2 - k) & 1 ? s[k].value : ~s[k].value);
        may_be[lut >> i & 1] |= possible;
    }
    return may_be[0] & may_be[1];
}

/** Of a sum with a carry: the carry may come or not where the least and the greatest operands differ in it. *same: the undefined bits
 *  are those of `first` as they were. */
static uint64_t summed(struct partly_known first, struct partly_known second, uint64_t carry, bool *same)
{
    uint64_t most_first = first.value | first.unknown, most_second = second.value | second.unknown;
    uint64_t least = (first.value + second.value + carry) ^ first.value ^ second.value;
    uint64_t most = (most_first + most_second + carry) ^ most_first ^ most_second;
    *same = !(first.unknown & ((least ^ most) | (second.value ^ least))) && !second.unknown;
    return first.unknown | second.unknown | (least ^ most);
}

static struct partly_known inverted(struct partly_known k)
{
    return (struct partly_known){~(k.value | k.unknown), k.unknown};
}

/** A product, and what is added to it: whatever lies below all undefined bits is known. */
static uint64_t multiplied(const struct partly_known s[3])
{
    uint64_t any = s[0].unknown | s[1].unknown | s[2].unknown;
    return any ? ~((any & -any) - 1) : 0;
}

/* ---- Comparisons ---- */

/** With its sign turned about, so that signed values compare as unsigned ones. */
static struct partly_known biased(struct partly_known k, unsigned width)
{
    k.value ^= ~k.unknown & 1ull << (width - 1);
    return k;
}

static bool less_is_decided(struct partly_known a, struct partly_known b)
{
    return (a.value | a.unknown) < b.value || a.value >= (b.value | b.unknown);
}

static bool comparison_is_decided(const struct insn *in, const struct partly_known s[2])
{
    unsigned width = 8 * operand_class_bytes((enum operand_class)in->op->src[0]);
    switch (insn_row(in)) {
    case ROW_is_eq_16: case ROW_is_eq_32: case ROW_is_eq_64:
        return (s[0].value ^ s[1].value) & ~(s[0].unknown | s[1].unknown);
    case ROW_is_lt_u16: case ROW_is_lt_u32: case ROW_is_lt_u64:
        return less_is_decided(s[0], s[1]);
    case ROW_is_lt_s16: case ROW_is_lt_s32: case ROW_is_lt_s64:
        return less_is_decided(biased(s[0], width), biased(s[1], width));
    default:
        return false;
    }
}

/* ---- An instruction ---- */

bool bits_pass(const struct warp *w, const struct warp_taint *t, const struct insn *in, unsigned source, int lane, uint64_t *bits, bool *same)
{
    unsigned width = 8 * operand_class_bytes((enum operand_class)in->op->dst);
    struct partly_known s[4] = {{0}};
    for (unsigned i = 0; i < in->op->sources && i < 4; i++)
        s[i] = source_of(w, t, in, i, lane);
    *same = true;
    switch (insn_row(in)) {
    case ROW_and_16: case ROW_and_32: case ROW_and_64:
        *bits = combined(s, 0xc0);
        break;
    case ROW_or_16: case ROW_or_32: case ROW_or_64:
        *bits = combined(s, 0xfc);
        break;
    case ROW_xor_16: case ROW_xor_32: case ROW_xor_64:
        *bits = s[0].unknown | s[1].unknown;
        *same = !((s[0].value | s[0].unknown) & s[1].unknown) && !((s[1].value | s[1].unknown) & s[0].unknown);
        break;
    case ROW_not_16: case ROW_not_32: case ROW_not_64:
        *bits = s[0].unknown;
        *same = false;
        break;
    case ROW_lop3_lut:
        *bits = combined(s, (unsigned)in->imm);
        *same = false;
        break;
    case ROW_shf_l_clamp: case ROW_shf_l_wrap: case ROW_shf_r_clamp: case ROW_shf_r_wrap:
        return funnelled(in, s, bits);
    case ROW_bfe_u32: case ROW_bfe_u64: case ROW_bfe_s32: case ROW_bfe_s64:
        return extracted(in, s, bits);
    case ROW_bfi_32: case ROW_bfi_64:
        return inserted(in, s, bits);
    case ROW_add_16: case ROW_add_32: case ROW_add_64:
        *bits = summed(s[source & 1], s[!(source & 1)], 0, same);
        break;
    case ROW_sub_16: case ROW_sub_32: case ROW_sub_64:
        *bits = summed(s[0], inverted(s[1]), 1, same);
        break;
    case ROW_neg_s16: case ROW_neg_s32: case ROW_neg_s64:
        *bits = summed((struct partly_known){0}, inverted(s[0]), 1, same);
        break;
    case ROW_mul_lo_16: case ROW_mul_lo_32: case ROW_mul_lo_64: case ROW_mad_lo_16: case ROW_mad_lo_32: case ROW_mad_lo_64:
    case ROW_mul_wide_u16: case ROW_mul_wide_s16: case ROW_mul_wide_u32: case ROW_mul_wide_s32:
    case ROW_mad_wide_u16: case ROW_mad_wide_s16: case ROW_mad_wide_u32: case ROW_mad_wide_s32:
        *bits = multiplied(s);
        *same = false;
        break;
    case ROW_is_eq_16: case ROW_is_eq_32: case ROW_is_eq_64: case ROW_is_lt_u16: case ROW_is_lt_u32: case ROW_is_lt_u64:
    case ROW_is_lt_s16: case ROW_is_lt_s32: case ROW_is_lt_s64:
        if (!comparison_is_decided(in, s))
            return false;
        *bits = 0;
        return true;
    default:
        if (moved(in, s, bits))
            break;
        *same = false;
        if (elements_pass(in, source, bits))
            return true;
        return in->op->defined == DEFINED_CHOOSES && source < 2;
    }
    *bits &= low_bits(width);
    return true;
}
