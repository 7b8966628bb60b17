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

/** One line of a against one column of b, elements that meet side by side. */
struct pairing {
    const struct tensor_desc *form;
    unsigned count;
    uint64_t a[MAX_ALONG], b[MAX_ALONG];
};

/** Floats up to 32 bits: one line of a, and FUSED_COLUMNS columns of b. Each element is taken apart once, not for each that it meets. */
struct block {
    const struct tensor_desc *form;
    struct fusing how;
    unsigned count, along;              /* elements of the line, of a column */
    const uint64_t *bits;               /* of b: [column][along] */
    const struct number_columns *b;     /* [along] */
    const struct number *a;
    const uint8_t *place;               /* which of b an element of a meets; NULL: in order */
    bool odd;                           /* an element is infinite or a NaN */
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

/** fp8 in mma.sync. */
static bool are_halves(const struct tensor_desc *t)
{
    return tensor_is_fp8(t->type[PART_A]) && !t->group;
}

/** Elements of a or b. @return whether one is infinite or a NaN */
static bool take_apart(const struct tensor_desc *t, enum tensor_part p, const uint64_t *bits, unsigned count, struct number *out)
{
    enum tensor_type type = (enum tensor_type)t->type[p];
    uint64_t half[MAX_ALONG];
    if (!are_halves(t))
        return numbers_of(type, bits, count, out);
    for (unsigned i = 0; i < count; i++)
        half[i] = half_of_fp8(type, bits[i]);
    return numbers_of(TENSOR_F16, half, count, out);
}

static bool some_not_finite(bool half, const uint32_t *c)
{
    uint32_t top = half ? 0x7c00 : 0x7f800000;
    bool some = false;
    for (unsigned j = 0; j < FUSED_COLUMNS; j++)
        some |= (c[j] & top) == top;
    return some;
}

/** Adds the products of `count` elements of the line, a[i] and the one of b that it meets, place[i] (NULL: first + i), to each column's sum. */
static void add_products(const struct block *x, const struct number *a, const uint8_t *place, unsigned first, unsigned count, uint32_t *sum)
{
    if (!x->odd && !some_not_finite(x->how.half, sum)) {
        fused_sums(&x->how, a, x->b + (place ? 0 : first), place, count, sum, sum);
        return;
    }
    for (unsigned j = 0; j < FUSED_COLUMNS; j++) {
        uint64_t bits[MAX_ALONG];
        struct number met[MAX_ALONG];
        for (unsigned i = 0; i < count; i++)
            bits[i] = x->bits[(size_t)j * x->along + (place ? place[i] : first + i)];
        take_apart(x->form, PART_B, bits, count, met);
        sum[j] = fused_sum(&x->how, a, met, count, sum[j]);
    }
}

/** fp8 in mma.sync: as halves, the registers' lower halves first. */
static void add_fp8(const struct block *x, uint32_t *c)
{
    uint32_t sum[FUSED_COLUMNS] = {0};
    for (unsigned step = 0; step < 2; step++) {
        struct number a[MAX_ALONG];
        uint8_t place[MAX_ALONG];
        unsigned n = 0;
        for (unsigned i = 0; i < x->count; i++)
            if (i / 2 % 2 == step) {
                a[n] = x->a[i];
                place[n++] = x->place ? x->place[i] : (uint8_t)i;
            }
        add_products(x, a, place, 0, n, sum);
    }
    for (unsigned j = 0; j < FUSED_COLUMNS; j++)
        c[j] = x->how.half ? f16_add((uint16_t)sum[j], (uint16_t)c[j], false, false) : f32_add(sum[j], c[j], ROUND_RN, false, false);
}

static struct fusing fusing_of(const struct tensor_desc *t)
{
    enum tensor_type type = (enum tensor_type)t->type[PART_A];
    bool halves = are_halves(t), few = tensor_is_fp8(type) && !halves;
    unsigned fraction = halves ? 2 * fraction_bits(TENSOR_F16) : fraction_bits(type) + fraction_bits((enum tensor_type)t->type[PART_B]);
    return (struct fusing){.fraction = (uint8_t)fraction,
                           .kept = few ? HOPPER_FP8_KEPT : HOPPER_KEPT,
                           .result_kept = few ? HOPPER_FP8_KEPT : 23,
                           .half = t->type[PART_C] == TENSOR_F16 && result_is_half(t)};
}

static void real_sums(const struct block *x, const uint64_t *c, uint64_t *d)
{
    const struct tensor_desc *t = x->form;
    unsigned step = t->step ? t->step : x->count;
    uint32_t sum[FUSED_COLUMNS];
    for (unsigned j = 0; j < FUSED_COLUMNS; j++)
        sum[j] = converted((uint32_t)c[j], t->type[PART_C] == TENSOR_F16, x->how.half);
    if (are_halves(t))
        add_fp8(x, sum);
    else
        for (unsigned k = 0; k < x->count; k += step)
            add_products(x, x->a + k, x->place ? x->place + k : NULL, k, step, sum);
    for (unsigned j = 0; j < FUSED_COLUMNS; j++)
        d[j] = converted(sum[j], x->how.half, result_is_half(t));
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

static int16_t integer_of(enum tensor_type t, uint64_t v)
{
    switch (t) {
    case TENSOR_S8:
        return (int8_t)v;
    case TENSOR_S4:
        return (int16_t)((v ^ 8) - 8);
    default:
        return (int16_t)v;
    }
}

static uint32_t integer_result(bool satfinite, int32_t products, uint32_t c)
{
    int64_t sum = (int64_t)products + (int32_t)c;
    if (satfinite)
        sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
    return (uint32_t)sum;
}

/** Elements of eight bits or four, each taken out once: MAX_ALONG products stay below 2^31. */
static void multiply_integers(const struct product *p, uint64_t *d)
{
    const struct tensor_desc *t = p->form;
    unsigned lines = fragment_lines(t, PART_A), columns = fragment_lines(t, PART_B), count = tensor_length(t, PART_A),
             along = tensor_length(t, PART_B);
    int16_t a[MAX_ALONG], b[MAX_OF_B], met[MAX_ALONG];
    assert(count <= MAX_ALONG && columns * along <= MAX_OF_B);
    for (unsigned k = 0; k < columns * along; k++)
        b[k] = integer_of((enum tensor_type)t->type[PART_B], p->b[k]);
    for (unsigned i = 0; i < lines; i++) {
        for (unsigned k = 0; k < count; k++)
            a[k] = integer_of((enum tensor_type)t->type[PART_A], p->a[i * count + k]);
        for (unsigned j = 0; j < columns; j++) {
            const int16_t *column = b + (size_t)j * along;
            int32_t sum = 0;
            for (unsigned k = 0; p->place && k < count; k++)
                met[k] = column[p->place[i * count + k]];
            column = p->place ? met : column;
            for (unsigned k = 0; k < count; k++)
                sum += a[k] * column[k];
            d[i * columns + j] = integer_result(t->satfinite, sum, (uint32_t)p->c[i * columns + j]);
        }
    }
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
    default: /* multiply_reals(), multiply_integers() */
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

static bool is_integer(const struct tensor_desc *t)
{
    return t->type[PART_A] >= TENSOR_S8 && t->type[PART_A] <= TENSOR_U4;
}

/** Columns of b, FUSED_COLUMNS side by side. @return whether an element is infinite or a NaN */
static bool take_columns(const struct tensor_desc *t, const uint64_t *bits, unsigned along, struct number_columns *out)
{
    bool odd = false;
    for (unsigned j = 0; j < FUSED_COLUMNS; j++) {
        struct number column[MAX_ALONG];
        odd |= take_apart(t, PART_B, bits + (size_t)j * along, along, column);
        for (unsigned k = 0; k < along; k++) {
            out[k].significand[j] = column[k].significand;
            out[k].exponent[j] = column[k].exponent;
        }
    }
    return odd;
}

static void multiply_reals(const struct product *p, uint64_t *d)
{
    const struct tensor_desc *t = p->form;
    unsigned lines = fragment_lines(t, PART_A), columns = fragment_lines(t, PART_B);
    struct number_columns b[MAX_OF_B / FUSED_COLUMNS];
    struct number a[MAX_ALONG];
    bool odd_b[MAX_OF_B / FUSED_COLUMNS];
    struct block x = {.form = t, .how = fusing_of(t), .count = tensor_length(t, PART_A), .along = tensor_length(t, PART_B), .a = a};
    assert(x.count <= MAX_ALONG && columns * x.along <= MAX_OF_B && columns % FUSED_COLUMNS == 0);
    for (unsigned j = 0; j < columns; j += FUSED_COLUMNS)
        odd_b[j / FUSED_COLUMNS] = take_columns(t, p->b + (size_t)j * x.along, x.along, b + j / FUSED_COLUMNS * x.along);
    for (unsigned i = 0; i < lines; i++) {
        bool odd_a = take_apart(t, PART_A, p->a + (size_t)i * x.count, x.count, a);
        x.place = p->place ? p->place + i * x.count : NULL;
        for (unsigned j = 0; j < columns; j += FUSED_COLUMNS) {
            x.b = b + j / FUSED_COLUMNS * x.along;
            x.bits = p->b + (size_t)j * x.along;
            x.odd = odd_a || odd_b[j / FUSED_COLUMNS];
            real_sums(&x, p->c + i * columns + j, d + i * columns + j);
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
    if (is_integer(t)) {
        multiply_integers(p, d);
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
