/**
 * @file video.c
 * Video instructions (PTX ISA 9.7.18): arithmetic on a part of each register, or on the halves or bytes of them.
 *
 * Elements are computed with unlimited range. Then each is saturated, if that is asked for, and put in its place in the
 * result, between what stays of the third operand, or combined with that.
 */
#include <stdlib.h>

#include "execute/alu/stamp.h"

/** An element as a number. `words`: both registers, the first one low. */
static int64_t element(const struct video_source *s, uint64_t words, int i)
{
    uint64_t top = words >> (s->pick[i] * s->bits) << (64 - s->bits);
    return s->is_signed ? (int64_t)top >> (64 - s->bits) : (int64_t)(top >> (64 - s->bits));
}

static bool holds(enum numeric_compare compare, int64_t a, int64_t b)
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

/** By at most 32, or by what the lower five bits say. */
static int shift_of(const struct video *v, int64_t by)
{
    return v->wrap ? (int)(by & 31) : by > 32 ? 32 : (int)by;
}

static int64_t combine(const struct video *v, int64_t a, int64_t b)
{
    switch ((enum video_op)v->operation) {
    case VIDEO_ADD: return a + b;
    case VIDEO_SUB: return a - b;
    case VIDEO_ABSDIFF: return a < b ? b - a : a - b;
    case VIDEO_MIN: return a < b ? a : b;
    case VIDEO_MAX: return a > b ? a : b;
    case VIDEO_AVRG: return (a + b + (a + b >= 0)) >> 1;
    case VIDEO_SET: return holds((enum numeric_compare)v->compare, a, b);
    case VIDEO_SHL: return a * (1ll << shift_of(v, b));
    case VIDEO_SHR: return a >> shift_of(v, b);
    case VIDEO_MAD: break;
    }
    abort();
}

static int64_t clamp(int64_t x, unsigned bits, bool is_signed)
{
    int64_t high = is_signed ? (1ll << (bits - 1)) - 1 : (1ll << bits) - 1;
    int64_t low = is_signed ? -high - 1 : 0;
    return x < low ? low : x > high ? high : x;
}

/** The element in its place, or combined with the addend, which is a number of the result's kind. */
static uint32_t finish(const struct video *v, int64_t x, int place, uint32_t so_far)
{
    uint32_t mask = v->bits == 32 ? UINT32_MAX : (1u << v->bits) - 1;
    int64_t c = v->is_signed ? (int64_t)(int32_t)so_far : (int64_t)so_far;
    switch ((enum video_second)v->second) {
    case VIDEO_PLUS: return so_far + (uint32_t)x;
    case VIDEO_LESSER: return (uint32_t)(x < c ? x : c);
    case VIDEO_GREATER: return (uint32_t)(x > c ? x : c);
    case VIDEO_MERGE: break;
    }
    return (so_far & ~(mask << (place * v->bits))) | ((uint32_t)x & mask) << (place * v->bits);
}

/**
 * vmad (PTX ISA 9.7.18.1.3): a negated product is its complement and one, a negated addend likewise, .po adds one. The result is
 * signed as soon as a factor is, or a sign was turned.
 */
static uint32_t multiply(const struct video *v, int64_t a, int64_t b, uint32_t addend)
{
    bool turned = v->a.negated != v->b.negated;
    bool is_signed = v->a.is_signed || v->b.is_signed || turned || v->c_negated;
    __int128 c = is_signed ? (__int128)(int32_t)addend : (__int128)addend, x = (__int128)a * b;
    if (v->plus_one)
        x += 1;
    else if (turned)
        x = -x;
    else if (v->c_negated) /* the complement is of 32 bits, before they are widened */
        c = (__int128)(int32_t)~addend + 1;
    x = (x + c) >> v->scale;
    if (v->saturate) {
        __int128 high = is_signed ? INT32_MAX : (__int128)UINT32_MAX, low = is_signed ? INT32_MIN : 0;
        x = x < low ? low : x > high ? high : x;
    }
    return (uint32_t)x;
}

static uint32_t compute(const struct video *v, uint32_t a, uint32_t b, uint32_t c)
{
    uint64_t words = (uint64_t)b << 32 | a;
    uint32_t result = c;

    if (v->operation == VIDEO_MAD)
        return multiply(v, element(&v->a, words, 0), element(&v->b, words, 0), c);
    for (int i = 0; i < v->count; i++) {
        if (!(v->mask >> i & 1))
            continue;
        int64_t x = combine(v, element(&v->a, words, i), element(&v->b, words, i));
        result = finish(v, v->saturate ? clamp(x, v->bits, v->is_signed) : x, v->first + i, result);
    }
    return result;
}

const struct insn *op_video(struct warp *w, const struct insn *in)
{
    const struct video *v = in->extra;

    for (uint32_t left = w->mask; left; left &= left - 1) {
        int i = __builtin_ctz(left);
        uint32_t c = in->src[2] == REG_NONE ? 0 : ALU_REG(u32, w, in->src[2])[i];
        ALU_REG(u32, w, in->dst)[i] = compute(v, ALU_REG(u32, w, in->src[0])[i], ALU_REG(u32, w, in->src[1])[i], c);
    }
    return in + 1;
}
