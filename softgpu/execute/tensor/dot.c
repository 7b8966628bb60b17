/**
 * @file dot.c
 * See dot.h.
 */
#include "execute/tensor/dot.h"

#include <assert.h>
#include <string.h>

#include "execute/numerics/convert.h"
#include "execute/numerics/f32.h"
#include "execute/numerics/f64.h"
#include "execute/numerics/half.h"
#include "execute/tensor/fused.h"

#define MAX_ALONG 128         /* elements of a line */
#define HOPPER_KEPT 25
#define HOPPER_FP8_KEPT 13   /* wgmma */

#define MAX_OF_B (256 * 64)   /* elements: wgmma's, beside a sparse a of bytes */

/** One line of a against one column of b, elements that meet side by side. Of floats up to 32 bits as numbers, else as bits. */
struct pairing {
    const struct tensor_desc *form;
    unsigned count;
    uint64_t a[MAX_ALONG], b[MAX_ALONG];
    struct number x[MAX_ALONG];
    const struct number *y;
};

static bool result_is_half(const struct tensor_desc *t)
{
    return t->type[PART_D] == TENSOR_F16;
}

/* ---- Floating point */

static uint64_t half_of_fp8(enum tensor_type t, uint64_t byte)
{
    return cvt_pair_of_small(t == TENSOR_E4M3 ? FP8_E4M3 : FP8_E5M2, false, (uint16_t)byte) & 0xffff;
}

/** An addend or a result, as the other format of it. */
static uint32_t converted(uint32_t v, bool from_half, bool to_half)
{
    if (from_half == to_half)
        return v;
    return (uint32_t)(from_half ? cvt(PTX_F32, PTX_F16, ROUND_NONE, false, false, false, v)
                                : cvt(PTX_F16, PTX_F32, ROUND_RN, false, false, false, v));
}

/** Halves of eight lanes, which no tensor core of this device knows. */
static uint32_t quad_sum(const struct pairing *p, uint32_t c)
{
    uint32_t a[4], b[4];
    for (unsigned i = 0; i < 4; i++) {
        a[i] = converted((uint32_t)p->a[i], true, false);
        b[i] = converted((uint32_t)p->b[i], true, false);
    }
    c = converted(c, p->form->type[PART_C] == TENSOR_F16, false);
    if (!result_is_half(p->form)) {
        uint32_t sum = 0;
        for (unsigned i = 0; i < 4; i++)
            sum = f32_fma(a[i], b[i], sum, ROUND_RN, false, false);
        return f32_add(c, sum, ROUND_RN, false, false);
    }
    for (unsigned i = 0; i < 4; i += 2) {
        uint32_t first = f32_mul(a[i], b[i], ROUND_RN, false, false);
        c = f32_add(c, f32_fma(a[i + 1], b[i + 1], first, ROUND_RN, false, false), ROUND_RN, false, false);
    }
    return converted(c, false, true);
}

/** fp8 in mma.sync: as halves, the registers' lower halves first. */
static uint32_t fp8_sum(const struct fusing *f, const struct number *a, const struct number *b, unsigned count, uint32_t c)
{
    uint32_t sum = 0;
    for (unsigned step = 0; step < 2; step++) {
        struct number x[MAX_ALONG], y[MAX_ALONG];
        unsigned n = 0;
        for (unsigned i = 0; i < count; i++)
            if (i / 2 % 2 == step) {
                x[n] = a[i];
                y[n++] = b[i];
            }
        sum = fused_sum(f, x, y, n, sum);
    }
    return f->half ? f16_add((uint16_t)sum, (uint16_t)c, false, false) : f32_add(sum, c, ROUND_RN, false, false);
}

static bool is_fp8(enum tensor_type t)
{
    return t == TENSOR_E4M3 || t == TENSOR_E5M2;
}

static void numbers_of(enum tensor_type t, const uint64_t *bits, unsigned count, bool as_halves, struct number *out)
{
    for (unsigned i = 0; i < count; i++)
        out[i] = as_halves && is_fp8(t) ? number_of(TENSOR_F16, half_of_fp8(t, bits[i])) : number_of(t, bits[i]);
}

/** fp8 in mma.sync. */
static bool are_halves(const struct tensor_desc *t)
{
    return is_fp8((enum tensor_type)t->type[PART_A]) && !t->group;
}

static uint32_t real_sum(const struct pairing *p, uint32_t c)
{
    const struct tensor_desc *t = p->form;
    enum tensor_type type = (enum tensor_type)t->type[PART_A];
    bool fp8 = is_fp8(type), halves = are_halves(t);
    struct fusing f = {.fraction = (uint8_t)(halves ? 2 * fraction_bits(TENSOR_F16)
                                                    : fraction_bits(type) + fraction_bits((enum tensor_type)t->type[PART_B])),
                       .kept = fp8 && !halves ? HOPPER_FP8_KEPT : HOPPER_KEPT,
                       .result_kept = fp8 && !halves ? HOPPER_FP8_KEPT : 23,
                       .half = t->type[PART_C] == TENSOR_F16 && result_is_half(t)};
    c = converted(c, t->type[PART_C] == TENSOR_F16, f.half);
    if (halves)
        return fp8_sum(&f, p->x, p->y, p->count, c);
    unsigned step = t->step ? t->step : p->count;
    for (unsigned k = 0; k < p->count; k += step)
        c = fused_sum(&f, p->x + k, p->y + k, step, c);
    return converted(c, f.half, result_is_half(t));
}

static uint64_t double_sum(const struct pairing *p, uint64_t c)
{
    enum numeric_rounding rounding = (enum numeric_rounding)p->form->rounding;
    for (unsigned k = 0; k < p->count; k++) {
        uint64_t next = f64_fma(p->a[k], p->b[k], c, rounding, false, false);
        c = f64_is_nan(next) ? f64_nan(p->a[k], c, p->b[k]) : next;
    }
    return c;
}

/* ---- Integers */

static int64_t integer_of(enum tensor_type t, uint64_t v)
{
    switch (t) {
    case TENSOR_S8:
        return (int8_t)v;
    case TENSOR_S4:
        return (int64_t)(v ^ 8) - 8;
    default:
        return (int64_t)v;
    }
}

static uint32_t integer_sum(const struct pairing *p, uint32_t c)
{
    const struct tensor_desc *t = p->form;
    int64_t sum = (int32_t)c;
    for (unsigned k = 0; k < p->count; k++)
        sum += integer_of((enum tensor_type)t->type[PART_A], p->a[k]) * integer_of((enum tensor_type)t->type[PART_B], p->b[k]);
    if (t->satfinite)
        sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
    return (uint32_t)sum;
}

static uint32_t bit_sum(const struct pairing *p, uint32_t c)
{
    for (unsigned k = 0; k < p->count; k++)
        c += (uint32_t)__builtin_popcountll(p->form->conjunction ? p->a[k] & p->b[k] : p->a[k] ^ p->b[k]);
    return c;
}

/* ---- Matrices */

static uint64_t sum_of(const struct pairing *p, uint64_t c)
{
    if (p->form->quads)
        return quad_sum(p, (uint32_t)c);
    switch ((enum tensor_type)p->form->type[PART_A]) {
    case TENSOR_F64:
        return double_sum(p, c);
    case TENSOR_B1:
        return bit_sum(p, (uint32_t)c);
    case TENSOR_S8:
    case TENSOR_U8:
    case TENSOR_S4:
    case TENSOR_U4:
        return integer_sum(p, (uint32_t)c);
    default: /* multiply_reals() */
        assert(false);
        return 0;
    }
}

static bool is_real(const struct tensor_desc *t)
{
    switch ((enum tensor_type)t->type[PART_A]) {
    case TENSOR_F16:
    case TENSOR_BF16:
    case TENSOR_TF32:
    case TENSOR_E4M3:
    case TENSOR_E5M2:
        return !t->quads;
    default:
        return false;
    }
}

/** Floats up to 32 bits: each element is taken apart once, not for each that it meets. */
static void multiply_reals(const struct product *p, uint64_t *d)
{
    const struct tensor_desc *t = p->form;
    unsigned lines = fragment_lines(t, PART_A), columns = fragment_lines(t, PART_B), along_b = tensor_length(t, PART_B);
    struct number all_b[MAX_OF_B], met[MAX_ALONG];
    struct pairing pair = {.form = t, .count = tensor_length(t, PART_A)};
    assert(pair.count <= MAX_ALONG && columns * along_b <= MAX_OF_B);
    numbers_of((enum tensor_type)t->type[PART_B], p->b, columns * along_b, are_halves(t), all_b);
    for (unsigned i = 0; i < lines; i++) {
        numbers_of((enum tensor_type)t->type[PART_A], p->a + (size_t)i * pair.count, pair.count, are_halves(t), pair.x);
        for (unsigned j = 0; j < columns; j++) {
            const struct number *b = all_b + (size_t)j * along_b;
            for (unsigned k = 0; p->place && k < pair.count; k++)
                met[k] = b[p->place[i * pair.count + k]];
            pair.y = p->place ? met : b;
            d[i * columns + j] = real_sum(&pair, (uint32_t)p->c[i * columns + j]);
        }
    }
}

void tensor_multiply(const struct product *p, uint64_t *d)
{
    const struct tensor_desc *t = p->form;
    unsigned lines = fragment_lines(t, PART_A), columns = fragment_lines(t, PART_B);
    struct pairing pair = {.form = t, .count = tensor_length(t, PART_A)};
    unsigned along_b = tensor_length(t, PART_B);
    assert(pair.count <= MAX_ALONG);
    if (is_real(t)) {
        multiply_reals(p, d);
        return;
    }
    for (unsigned i = 0; i < lines; i++) {
        memcpy(pair.a, p->a + (size_t)i * pair.count, pair.count * sizeof pair.a[0]);
        for (unsigned j = 0; j < columns; j++) {
            const uint64_t *b = p->b + (size_t)j * along_b;
            if (t->quads && i / 8 != j / 8)
                continue;
            for (unsigned k = 0; k < pair.count; k++)
                pair.b[k] = b[p->place ? p->place[i * pair.count + k] : k];
            d[i * columns + j] = sum_of(&pair, p->c[i * columns + j]);
        }
    }
}
