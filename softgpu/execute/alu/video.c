/**
 * @file video.c
 * SIMD video instructions (PTX ISA 9.7.18): arithmetic on the halves or bytes of a register.
 *
 * Elements are computed with unlimited range; then either each is saturated or cut to its width, or all
 * are added to the third operand.
 */
#include <stdlib.h>

#include "execute/alu/stamp.h"

static int32_t element(uint32_t word, int shift, unsigned bits, bool is_signed)
{
    uint32_t top = word << (32 - bits - (unsigned)shift);
    return is_signed ? (int32_t)top >> (32 - bits) : (int32_t)(top >> (32 - bits));
}

static bool holds(enum numeric_compare compare, int32_t a, int32_t b)
{
    switch (compare) {
    case COMPARE_EQ: return a == b;
    case COMPARE_NE: return a != b;
    case COMPARE_LT: return a < b;
    case COMPARE_LE: return a <= b;
    case COMPARE_GT: return a > b;
    default: return a >= b;
    }
}

static int32_t combine(const struct video *v, int32_t a, int32_t b)
{
    switch ((enum video_op)v->operation) {
    case VIDEO_ADD: return a + b;
    case VIDEO_SUB: return a - b;
    case VIDEO_ABSDIFF: return a < b ? b - a : a - b;
    case VIDEO_MIN: return a < b ? a : b;
    case VIDEO_MAX: return a > b ? a : b;
    case VIDEO_SET: return holds((enum numeric_compare)v->compare, a, b);
    }
    abort();
}

static int32_t clamp(const struct video *v, int32_t x)
{
    int32_t high = v->d_signed ? (1 << (v->bits - 1)) - 1 : (1 << v->bits) - 1;
    int32_t low = v->d_signed ? -high - 1 : 0;
    return x < low ? low : x > high ? high : x;
}

static uint32_t compute(const struct video *v, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t sum = c, packed = 0, mask = v->bits == 8 ? 0xff : 0xffff;

    for (int shift = 0; shift < 32; shift += v->bits) {
        int32_t x = combine(v, element(a, shift, v->bits, v->a_signed),
                            element(b, shift, v->bits, v->b_signed));
        x = v->saturate ? clamp(v, x) : x;
        sum += (uint32_t)x;
        packed |= ((uint32_t)x & mask) << shift;
    }
    return v->accumulate ? sum : packed;
}

const struct insn *op_video(struct warp *w, const struct insn *in)
{
    const struct video *v = in->extra;

    for (uint32_t left = w->mask; left; left &= left - 1) {
        int i = __builtin_ctz(left);
        ALU_REG(u32, w, in->dst)[i] = compute(v, ALU_REG(u32, w, in->src[0])[i],
                                              ALU_REG(u32, w, in->src[1])[i],
                                              ALU_REG(u32, w, in->src[2])[i]);
    }
    return in + 1;
}
