/**
 * @file test_numerics_half.c
 * f16, bf16 and their pairs against exact 113-bit arithmetic and a search of all values.
 */
#include "softgpu/numerics_oracle.h"

#define CASES 40000

static __float128 f16_exact(uint16_t a)
{
    __float128 m = oracle_magnitude(a & 0x7fff, 5, 10);
    return a & 0x8000 ? -m : m;
}

static __float128 bf16_exact(uint16_t a)
{
    __float128 m = oracle_magnitude(a & 0x7fff, 8, 7);
    return a & 0x8000 ? -m : m;
}

static uint16_t f16_nearest(__float128 x, int negative)
{
    return (uint16_t)oracle_narrow(x, negative, 5, 10, 0x7c00, ROUND_RN);
}

static uint16_t bf16_nearest(__float128 x, int negative)
{
    return (uint16_t)oracle_narrow(x, negative, 8, 7, 0x7f80, ROUND_RN);
}

static bool f16_finite(uint16_t a) { return (a & 0x7c00) != 0x7c00; }
static bool bf16_finite(uint16_t a) { return (a & 0x7f80) != 0x7f80; }

/* Sums of bf16 can span more than 113 bits; then the smaller only decides ties, as any value of its
 * sign far below does. */
static __float128 wide_sum(__float128 a, __float128 b)
{
    __float128 big = a < 0 ? -a : a, small = b < 0 ? -b : b;
    if (big < small) {
        __float128 t = a;
        a = b;
        b = t;
        t = big;
        big = small;
        small = t;
    }
    if (small != 0 && small < big * 0x1p-60)
        b = b < 0 ? -big * 0x1p-60 : big * 0x1p-60;
    return a + b;
}

#define HALF_CASE(H)                                                                               \
    static void H##_case(uint16_t a, uint16_t b, uint16_t c)                                       \
    {                                                                                              \
        const char *text = #H " %x %x %x";                                                         \
        if (!H##_finite(a) || !H##_finite(b) || !H##_finite(c))                                    \
            return;                                                                                \
        __float128 x = H##_exact(a), y = H##_exact(b), z = H##_exact(c);                           \
        __float128 sum = wide_sum(x, y), product = x * y, fused = wide_sum(product, z);            \
        bool sign = (a ^ b) >> 15;                                                                 \
        uint16_t zero = a & b & 0x8000, fused_zero = (uint16_t)(sign << 15) & c;                   \
        uint16_t want = sum == 0 ? zero : H##_nearest(sum, sum < 0);                               \
        SAME(H##_add(a, b, false, false), want, text, a, b, c);                                    \
        want = H##_nearest(product, sign);                                                         \
        SAME(H##_mul(a, b, false, false), want, text, a, b, c);                                    \
        want = fused == 0 ? (product == 0 || z != 0 ? fused_zero & 0x8000 : 0)                     \
                          : H##_nearest(fused, fused < 0);                                         \
        SAME(H##_fma(a, b, c, false, false, false), want, text, a, b, c);                          \
        SAME(H##_fma(a, b, c, false, false, true), want & 0x8000 ? 0 : want, text, a, b, c);       \
        SAME(H##_sub(a, b, false, false), H##_add(a, b ^ 0x8000, false, false), text, a, b, c);    \
    }                                                                                              \
    static void test_##H(void)                                                                     \
    {                                                                                              \
        uint64_t state = 7;                                                                        \
        bool bf = sizeof(#H) == 5;                                                                 \
        enum operand_type t = bf ? T_BF16 : T_F16;                                                 \
        for (unsigned i = 0; i < CASES; i++) {                                                     \
            uint16_t a = (uint16_t)oracle_operand(t, i, edge_count(t), &state);                    \
            uint16_t b = (uint16_t)oracle_operand(t, i, 1, &state);                                \
            uint16_t c = (uint16_t)random_value(t, &state);                                        \
            if (i % 3 == 0)   /* nearly cancels the product */                                     \
                c = H##_mul(a, b, false, false) ^ 0x8000;                                          \
            H##_case(a, b, c);                                                                     \
        }                                                                                          \
    }

HALF_CASE(f16)
HALF_CASE(bf16)

/* Ties that only a fused, singly rounded sum gets right: a product far below half a unit. */
static void test_double_rounding(void)
{
    /* 1 + 2^-11 is a tie; 2^-24 * 2^-10 above or below it decides. */
    const uint16_t tie = 0x3c01, tiny = 0x0001, one = 0x3c00;
    (void)tie;
    SAME(f16_fma(0x1400, 0x3800, one, false, false, false), 0x3c00, "2^-10 * 1/2 + 1 ties to even");
    SAME(f16_fma(0x7800, 0x6400, tiny, false, false, false), 0x7c00, "overflow");
    /* (2^-12 * (1 + 2^-10)) + (1 + 2^-11 …): the low product bits lie 22 places down */
    SAME(f16_fma(0x1001, 0x4000, one, false, false, false), 0x3c01, "a hair above the tie");
    SAME(f16_fma(0x1001, 0xc000, 0x3c02, false, false, false), 0x3c01, "a hair below the tie");
    SAME(bf16_fma(0x3b81, 0x3f80, 0x3f80, false, false, false), 0x3f81, "bf16, above the tie");
    SAME(bf16_fma(0x0001, 0x3f80, 0x3f80, false, false, false), 0x3f80, "a subnormal under one");
    SAME(bf16_fma(0x0001, 0x0001, 0x3b80, false, false, false), 0x3b80, "2^-266 is not nothing");
}

static void test_special(void)
{
    const uint16_t inf = 0x7c00, nan = 0x7d01, one = 0x3c00;
    SAME(f16_add(inf, inf | 0x8000, false, false), HALF_NAN, "inf - inf");
    SAME(f16_mul(0, inf, false, false), HALF_NAN, "0 * inf");
    SAME(f16_add(nan, one, false, false), HALF_NAN, "nan + 1");
    SAME(f16_add(nan, one, false, true), 0, "nan + 1, saturated");
    SAME(f16_fma(one, nan, one, false, false, true), HALF_NAN, "relu keeps a NaN");
    SAME(f16_add(0x7bff, 0x7bff, false, false), inf, "overflow");
    SAME(f16_add(0x7bff, 0x7bff, false, true), one, "saturated");
    SAME(f16_add(0x8000, 0x8000, false, false), 0x8000, "-0 + -0");
    SAME(f16_sub(one, one, false, false), 0, "1 - 1");
    SAME(f16_add(0x0001, 0x8002, true, false), 0, "flushed inputs");
    SAME(f16_mul(0x0400, 0xb800, true, false), 0x8000, "a flushed result");
    SAME(f16_mul(0x0400, 0xb800, false, false), 0x8200, "and a subnormal one");
    SAME(f16_mul(0x0400, 0x3bff, true, false), 0, "tiny, though rounding would lift it");
    SAME(f16_mul(0x0400, 0x3bff, false, false), 0x0400, "as it does without .ftz");
    SAME(f16_fma(0x0400, 0x3c00, 0, true, false, false), 0x0400, "the least normal number is kept");
    SAME(bf16_mul(0x0080, 0x3f80, true, false), 0x0080, "of bf16 too");
    SAME(bf16_mul(0x8080, 0x3f7f, true, false), 0x8000, "tiny in bf16");
    SAME(f16_min(nan, one, false, false, false), one, "min ignores a NaN");
    SAME(f16_min(nan, one, false, true, false), HALF_NAN, "min.NaN");
    SAME(f16_max(0x8000, 0, false, false, false), 0, "max(-0, 0)");
    SAME(f16_min(0, 0x8000, false, false, false), 0x8000, "min(0, -0)");
    SAME(f16_max(0xc000, one, false, false, true), 0xc000, "max.xorsign.abs(-2, 1) = -2");
    SAME(f16_abs(0xbc00, false), one, "abs");
    SAME(bf16_neg(0x8000, false), 0, "neg -0");
    SAME(f16x2_add(0x3c003c00, 0x40003c00, false, false), 0x42004000, "pairs add half by half");
    SAME(bf16x2_fma(0x3f803f80, 0x40003f80, 0x00003f80, false, false, false), 0x40004000, "pairs");
    SAME(f16_compare(COMPARE_LT, 0x8001, 0, true), false, "compare under ftz");
    SAME(bf16_compare(COMPARE_NAN, 0x7f81, 0, false), true, "unordered");
}

static void test_widen(void)
{
    for (unsigned h = 0; h < 0x10000; h++) {
        uint32_t f = f32_of_f16((uint16_t)h);
        SAME(f32_is_nan(f), f16_is_nan((uint16_t)h), "%x", h);
        if (f16_finite((uint16_t)h)) {
            SAME(f, oracle_float_bits((float)f16_exact((uint16_t)h)), "%x", h);
            SAME(half_narrow(f64_bits((double)f32_real(f)), 10, 15), h, "%x and back", h);
        }
    }
    SAME(f32_of_f16(0xfc00), 0xff800000, "-inf");
    CU_ASSERT(oracle_checks > 200000);
}

UNIT_MAIN("numerics: f16 and bf16", {"f16", test_f16}, {"bf16", test_bf16},
          {"single rounding", test_double_rounding}, {"special values", test_special},
          {"widening", test_widen})
