/**
 * @file fused.c
 * See fused.h.
 */
#include "execute/tensor/fused.h"

#include <limits.h>

#define NO_EXPONENT SHRT_MIN   /* of zeros: they align nothing */
#define NAN_F32 0x7fffffffu
#define NAN_F16 0x7fffu

static const struct {
    uint8_t exponent, fraction, dropped;   /* bits; of the operand's low bits */
} formats[] = {
    [TENSOR_F16] = {5, 10, 0}, [TENSOR_BF16] = {8, 7, 0}, [TENSOR_TF32] = {8, 10, 13}, [TENSOR_F32] = {8, 23, 0},
    [TENSOR_E4M3] = {4, 3, 0}, [TENSOR_E5M2] = {5, 2, 0},
};

unsigned fraction_bits(enum tensor_type t)
{
    return formats[t].fraction;
}

/** `formats[t]`, which its callers know: what is shifted by is then no matter of a table. */
static inline __attribute__((always_inline)) struct number taken_apart(enum tensor_type t, uint64_t bits)
{
    unsigned e = formats[t].exponent, f = formats[t].fraction, top = (1u << e) - 1;
    uint32_t v = (uint32_t)(bits >> formats[t].dropped);
    uint32_t exponent = v >> f & top, fraction = v & ((1u << f) - 1);
    bool negative = v >> (e + f) & 1;
    struct number n = {.exponent = (int16_t)((int)(exponent ? exponent : 1) - (int)(top >> 1))};
    n.significand = (int32_t)(exponent ? fraction | 1u << f : fraction);
    if (t == TENSOR_E4M3)
        n.kind = exponent == top && fraction == 7 ? NUMBER_NAN : NUMBER_FINITE;
    else
        n.kind = exponent < top ? NUMBER_FINITE : fraction ? NUMBER_NAN : NUMBER_INFINITE;
    n.significand = negative ? -n.significand : n.significand;
    return n;
}

struct number number_of(enum tensor_type t, uint64_t bits)
{
    return taken_apart(t, bits);
}

unsigned numbers_of(enum tensor_type t, const uint64_t *bits, unsigned count, struct number *out)
{
    unsigned odd = 0;
#define EACH(type)                                                                                 \
    case type:                                                                                     \
        for (unsigned i = 0; i < count; i++) {                                                     \
            out[i] = taken_apart(type, bits[i]);                                                   \
            odd |= out[i].kind;                                                                    \
        }                                                                                          \
        return odd;
    switch (t) {
        EACH(TENSOR_F16)
        EACH(TENSOR_BF16)
        EACH(TENSOR_TF32)
        EACH(TENSOR_E4M3)
        EACH(TENSOR_E5M2)
    default:
        EACH(TENSOR_F32)
    }
#undef EACH
}

/* ---- Results */

/** sum · 2 to the power of `unit`, not 0: its leading bit's exponent, and the significand's magnitude above `least`. */
static uint64_t magnitude_of(int64_t sum)
{
    return sum < 0 ? 0 - (uint64_t)sum : (uint64_t)sum;
}

/** Cut to f32; what is too small becomes +0. */
static uint32_t cut_f32(int64_t sum, int unit, unsigned kept)
{
    uint64_t m = magnitude_of(sum);
    if (!m)
        return 0;
    uint32_t sign = sum < 0 ? 0x80000000u : 0;
    int top = 63 - __builtin_clzll(m), exponent = top + unit;
    if (exponent > 127)
        return sign | 0x7f800000;
    int shift = (exponent < -126 ? -149 : exponent - 23) - unit;
    uint64_t q = shift >= 64 ? 0 : shift >= 0 ? m >> shift : m << -shift;
    q = q >> (23 - kept) << (23 - kept);
    if (!q)
        return 0;
    return sign | (uint32_t)(exponent < -126 ? q : (uint64_t)(exponent + 126) * (1u << 23) + q);
}

/** Rounded to f16, to nearest even; what is too small becomes +0. */
static uint32_t round_f16(int64_t sum, int unit)
{
    uint64_t m = magnitude_of(sum);
    if (!m)
        return 0;
    uint32_t sign = sum < 0 ? 0x8000u : 0;
    int top = 63 - __builtin_clzll(m), exponent = top + unit;
    if (exponent > 15)
        return sign | 0x7c00;
    int shift = (exponent < -14 ? -24 : exponent - 10) - unit;
    uint64_t q = shift <= 0 ? m << -shift : shift > 62 ? 0 : m >> shift;
    if (shift > 0 && shift <= 62) {
        uint64_t rest = m & ((1ull << shift) - 1), half = 1ull << (shift - 1);
        q += rest > half || (rest == half && (q & 1));
    }
    if (!q)
        return 0;
    uint32_t r = (uint32_t)(exponent < -14 ? q : (uint64_t)(exponent + 14) * 1024 + q);
    return sign | (r < 0x7c00 ? r : 0x7c00);
}

uint32_t fused_result(const struct fusing *f, int64_t sum, int unit)
{
    return f->half ? round_f16(sum, unit) : cut_f32(sum, unit, f->result_kept);
}

/* ---- Sums */

struct flags {
    bool nan, above, below;   /* a NaN; infinities of either sign */
};

static void note(struct flags *f, bool infinite, bool negative)
{
    f->above |= infinite && !negative;
    f->below |= infinite && negative;
}

static void note_product(struct flags *f, const struct number *a, const struct number *b)
{
    bool infinite = a->kind == NUMBER_INFINITE || b->kind == NUMBER_INFINITE;
    f->nan |= a->kind == NUMBER_NAN || b->kind == NUMBER_NAN ||
              (infinite && ((a->kind == NUMBER_FINITE && !a->significand) || (b->kind == NUMBER_FINITE && !b->significand)));
    note(f, infinite, (a->significand < 0) != (b->significand < 0));
}

/** A significand moved to the sum's unit, cut towards 0. */
static int64_t aligned(int64_t significand, int shift)
{
    uint64_t m = magnitude_of(significand);
    m = shift >= 0 ? m << shift : shift > -64 ? m >> -shift : 0;
    return significand < 0 ? -(int64_t)m : (int64_t)m;
}

/** Products of one sum, side by side. */
struct terms {
    int32_t product[FUSED_TERMS];   /* of significands of at most 11 bits */
    int32_t exponent[FUSED_TERMS];  /* NO_EXPONENT of zeros */
};

/** @return whether some operand is infinite or a NaN */
static bool multiply(const struct number *a, const struct number *b, unsigned count, struct terms *t)
{
    unsigned odd = 0;
    for (unsigned i = 0; i < count; i++) {
        odd |= a[i].kind | b[i].kind;
        t->product[i] = a[i].significand * b[i].significand;
        t->exponent[i] = t->product[i] ? a[i].exponent + b[i].exponent : NO_EXPONENT;
    }
    return odd;
}

static int largest(const struct terms *t, unsigned count, int most)
{
    for (unsigned i = 0; i < count; i++)
        most = t->exponent[i] > most ? t->exponent[i] : most;
    return most;
}

/** The products, each cut towards 0 at the unit: moved by `base` and its exponent. None has a larger exponent than the one that `base` is
 *  made for, so that 28 bits hold each. */
static int64_t sum_of(const struct terms *t, unsigned count, int base)
{
    int64_t sum = 0;
    for (unsigned i = 0; i < count; i++) {
        int shift = base + t->exponent[i], left = shift > 0 ? shift : 0, right = shift < 0 ? -shift : 0;
        int32_t p = t->product[i], sign = p >> 31;
        uint32_t m = (uint32_t)((p ^ sign) - sign) << (left & 31) >> (right < 31 ? right : 31);
        sum += (int32_t)((m ^ (uint32_t)sign) - (uint32_t)sign);
    }
    return sum;
}

uint32_t fused_sum(const struct fusing *f, const struct number *a, const struct number *b, unsigned count, uint32_t c)
{
    enum tensor_type type = f->half ? TENSOR_F16 : TENSOR_F32;
    struct number addend = number_of(type, c);
    struct flags flags = {.nan = addend.kind == NUMBER_NAN};
    struct terms terms;
    note(&flags, addend.kind == NUMBER_INFINITE, addend.significand < 0);
    bool odd = multiply(a, b, count, &terms);
    for (unsigned i = 0; odd && i < count; i++)
        note_product(&flags, &a[i], &b[i]);
    if (flags.nan || (flags.above && flags.below))
        return f->half ? NAN_F16 : NAN_F32;
    if (flags.above || flags.below)
        return f->half ? (flags.below ? 0xfc00 : 0x7c00) : (flags.below ? 0xff800000 : 0x7f800000);

    int most = largest(&terms, count, addend.significand ? addend.exponent : NO_EXPONENT);
    if (most == NO_EXPONENT)
        return 0;
    int kept = f->kept;
    int64_t sum = addend.significand ? aligned(addend.significand, kept - (int)fraction_bits(type) + addend.exponent - most) : 0;
    sum += sum_of(&terms, count, kept - f->fraction - most);
    return fused_result(f, sum, most - kept);
}
