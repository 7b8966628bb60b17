/**
 * @file test_numerics_real.c
 * f32 and f64 arithmetic against the host's own arithmetic in its four rounding modes.
 */
#include "softgpu/numerics_oracle.h"

#define CASES 60000

/* Stamped for both types: T is F32 or F64, N f32 or f64, C the C type, B its bits. */
#define ARITHMETIC(T, N, C, B, TO, FROM, FMA, SQRT)                                                \
    static B N##_expected(C d)                                                                     \
    {                                                                                              \
        return TO(d);                                                                              \
    }                                                                                              \
    static void N##_case(enum numeric_rounding r, B a, B b, B c)                                   \
    {                                                                                              \
        volatile C x = FROM(a), y = FROM(b), z = FROM(c), sum, difference, product, quotient, fused, \
                   root, inverse;                                                                  \
        ORACLE_ROUNDED(r, sum = x + y; difference = x - y; product = x * y; quotient = x / y;      \
                       fused = FMA(x, y, z); root = SQRT(x); inverse = 1 / x);                     \
        const char *text = #N " rounding %d: %llx %llx %llx";                                      \
        unsigned long long la = a, lb = b, lc = c;                                                 \
        if (!N##_is_nan(a) && !N##_is_nan(b)) {                                                    \
            if (sum == sum)                                                                        \
                SAME(N##_add(a, b, r, false, false), N##_expected(sum), text, r, la, lb, lc);      \
            if (difference == difference)                                                          \
                SAME(N##_sub(a, b, r, false, false), N##_expected(difference), text, r, la, lb, lc); \
            if (product == product)                                                                \
                SAME(N##_mul(a, b, r, false, false), N##_expected(product), text, r, la, lb, lc);  \
            if (quotient == quotient)                                                              \
                SAME(N##_div(a, b, r, false), N##_expected(quotient), text, r, la, lb, lc);        \
            if (fused == fused && !N##_is_nan(c))                                                  \
                SAME(N##_fma(a, b, c, r, false, false), N##_expected(fused), text, r, la, lb, lc); \
            if (root == root)                                                                      \
                SAME(N##_sqrt(a, r, false), N##_expected(root), text, r, la, lb, lc);              \
            SAME(N##_rcp(a, r, false), N##_expected(inverse), text, r, la, lb, lc);                \
        }                                                                                          \
        SAME(N##_is_nan(N##_add(a, b, r, false, false)), sum != sum, text, r, la, lb, lc);         \
        SAME(N##_is_nan(N##_mul(a, b, r, false, false)), product != product, text, r, la, lb, lc); \
        SAME(N##_is_nan(N##_div(a, b, r, false)), quotient != quotient, text, r, la, lb, lc);      \
        SAME(N##_is_nan(N##_fma(a, b, c, r, false, false)), fused != fused, text, r, la, lb, lc);  \
        SAME(N##_is_nan(N##_sqrt(a, r, false)), root != root, text, r, la, lb, lc);                \
    }                                                                                              \
    static void test_##N##_arithmetic(void)                                                        \
    {                                                                                              \
        uint64_t state = 1;                                                                        \
        for (unsigned k = 0; k < 4; k++)                                                           \
            for (unsigned i = 0; i < CASES; i++) {                                                 \
                B a = (B)oracle_operand(T_##T, i, edge_count(T_##T), &state);                      \
                B b = (B)oracle_operand(T_##T, i, 1, &state);                                      \
                B c = i % 3 ? (B)random_value(T_##T, &state)                                       \
                            : N##_mul(a, b, ROUND_RN, false, false) ^ (B)1 << (sizeof(B) * 8 - 1); \
                N##_case(all_roundings[k], a, b, c);                                               \
            }                                                                                      \
    }

ARITHMETIC(F32, f32, float, uint32_t, oracle_float_bits, oracle_float, fmaf, sqrtf)
ARITHMETIC(F64, f64, double, uint64_t, oracle_double_bits, oracle_double, fma, sqrt)

static void test_nan_results(void)
{
    const uint32_t inf = 0x7f800000, nan = 0x7f812345;
    for (unsigned k = 0; k < 4; k++) {
        enum numeric_rounding r = all_roundings[k];
        SAME(f32_add(inf, inf ^ 0x80000000, r, false, false), F32_NAN, "inf - inf");
        SAME(f32_mul(0, inf, r, false, false), F32_NAN, "0 * inf");
        SAME(f32_div(0, 0, r, false), F32_NAN, "0 / 0");
        SAME(f32_sqrt(0xbf800000, r, false), F32_NAN, "sqrt(-1)");
        SAME(f32_add(nan, 0x3f800000, r, false, false), F32_NAN, "nan + 1");
        SAME(f32_fma(0x3f800000, nan, 0, r, false, false), F32_NAN, "1 * nan + 0");
        SAME(f32_add(nan, nan, r, false, true), 0, "saturated NaN");
        SAME(f64_add(0x7ff0000000000000, 0xfff0000000000000, r, false, false), F64_NAN, "inf - inf");
        const uint64_t one = 0x7ff0000000000001, two = 0xfff8000000000002;
        SAME(f64_add(one, two, r, false, false), two, "the second NaN of a sum");
        SAME(f64_mul(two, one, r, false, false), 0x7ff8000000000001, "of a product, made quiet");
        SAME(f64_sub(two, one, r, false, false), 0x7ff8000000000001, "of a difference, not negated");
        SAME(f64_add(one, 0, r, false, false), 0x7ff8000000000001, "the only NaN");
        SAME(f64_div(one, two, r, false), 0x7ff8000000000001, "division: the first NaN");
    }
    SAME(f32_sqrt(0x80000000, ROUND_RN, false), 0x80000000, "sqrt(-0)");
    SAME(f32_rcp(0x80000000, ROUND_RP, false), 0xff800000, "1 / -0");
}

/* Flushing is as if subnormal inputs were zeros, and a result below 2^-126, when rounded to 24 bits
 * with no lower end of exponents, became a zero. */
static void test_flush(void)
{
    uint64_t state = 2;
    for (unsigned k = 0; k < 4; k++)
        for (unsigned i = 0; i < CASES; i++) {
            enum numeric_rounding r = all_roundings[k];
            uint32_t a = (uint32_t)oracle_operand(T_F32, i, edge_count(T_F32), &state);
            uint32_t b = (uint32_t)oracle_operand(T_F32, i, 1, &state);
            if (f32_is_nan(a) || f32_is_nan(b))
                continue;
            volatile double x = oracle_float(f32_flush(a, true)), y = oracle_float(f32_flush(b, true));
            /* 24 bits of a double whose exponent is far from its own lower end */
            double scaled = (double)x * (double)y;
            if (scaled != scaled || !scaled)
                continue;
            int e;
            double m = frexp(scaled, &e);
            volatile float significand = (float)m;   /* silences the optimiser in other modes */
            ORACLE_ROUNDED(r, significand = (float)m);
            double unbounded = ldexp((double)significand, e);
            uint32_t got = f32_mul(a, b, r, true, false);
            if (fabs(unbounded) < 0x1p-126)
                SAME(got, scaled < 0 ? 0x80000000 : 0, "mul.ftz %x %x rounding %d", a, b, r);
            else
                SAME(got, f32_mul(f32_flush(a, true), f32_flush(b, true), r, false, false),
                     "mul.ftz %x %x rounding %d", a, b, r);
        }
    SAME(f32_add(0x00000001, 0x80000001, ROUND_RN, true, false), 0, "sub + -sub");
    SAME(f32_add(0x80000001, 0x80000001, ROUND_RN, true, false), 0x80000000, "-sub + -sub");
    SAME(f32_add(0x00800001, 0x80800000, ROUND_RN, true, false), 0, "a difference that is tiny");
    SAME(f32_add(0x00800000, 0x80800001, ROUND_RN, true, false), 0x80000000, "the same, negative");
    SAME(f32_fma(0x00800000, 0x3f7fffff, 0, ROUND_RN, true, false), 0, "tiny before the grid");
    SAME(f32_div(0x00ffffff, 0x40000000, ROUND_RN, true), 0, "tiny before the grid");
    SAME(f32_div(0x00ffffff, 0x40000000, ROUND_RN, false), 0x00800000, "rounded up on the grid");
    SAME(f32_rcp(0x00000001, ROUND_RN, true), 0x7f800000, "1 / sub");
    SAME(f32_sqrt(0x80000001, ROUND_RN, true), 0x80000000, "sqrt(-sub)");
}

static void test_saturate(void)
{
    uint64_t state = 3;
    for (unsigned i = 0; i < CASES; i++) {
        uint32_t a = (uint32_t)oracle_operand(T_F32, i, edge_count(T_F32), &state);
        uint32_t b = (uint32_t)oracle_operand(T_F32, i, 1, &state);
        float sum = oracle_float(f32_add(a, b, ROUND_RN, false, false));
        float want = sum > 0 ? sum < 1 ? sum : 1 : 0;
        SAME(f32_add(a, b, ROUND_RN, false, true), oracle_float_bits(want), "add.sat %x %x", a, b);
    }
}

static void test_min_max(void)
{
    uint64_t state = 4;
    for (unsigned i = 0; i < CASES; i++) {
        uint32_t a = (uint32_t)oracle_operand(T_F32, i, edge_count(T_F32), &state);
        uint32_t b = (uint32_t)oracle_operand(T_F32, i, 1, &state);
        bool na = f32_is_nan(a), nb = f32_is_nan(b);
        /* Sign and magnitude as an integer of the same order puts -0 below +0. */
        int64_t ka = a & 0x80000000 ? -(int64_t)(a & 0x7fffffff) - 1 : a;
        int64_t kb = b & 0x80000000 ? -(int64_t)(b & 0x7fffffff) - 1 : b;
        uint32_t low = na && nb ? F32_NAN : na ? b : nb ? a : ka < kb ? a : b;
        uint32_t high = na && nb ? F32_NAN : na ? b : nb ? a : ka > kb ? a : b;
        SAME(f32_min(a, b, false, false, false), low, "min %x %x", a, b);
        SAME(f32_max(a, b, false, false, false), high, "max %x %x", a, b);
        SAME(f32_min(a, b, false, true, false), na || nb ? F32_NAN : low, "min.NaN %x %x", a, b);
        SAME(f32_max(a, b, false, true, false), na || nb ? F32_NAN : high, "max.NaN %x %x", a, b);
        SAME(f32_min3(a, b, a, false, true, false), na || nb ? F32_NAN : low, "min3.NaN %x %x", a, b);
        SAME(f32_max3(b, b, a, false, false, false), high, "max3 %x %x", a, b);
        if (!na && !nb) {
            uint32_t ma = a & 0x7fffffff, mb = b & 0x7fffffff, sign = (a ^ b) & 0x80000000;
            SAME(f32_min(a, b, false, false, true), (ma < mb ? ma : mb) | sign, "xorsign %x %x", a, b);
            SAME(f32_max(a, b, false, false, true), (ma > mb ? ma : mb) | sign, "xorsign %x %x", a, b);
        }
    }
    SAME(f32_min(0x80000000, 0, false, false, false), 0x80000000, "min(-0, 0)");
    SAME(f32_max(0x80000000, 0, false, false, false), 0, "max(-0, 0)");
    SAME(f64_min(0x8000000000000000, 0, false, false, false), 0x8000000000000000, "min(-0, 0)");
    SAME(f64_max(F64_NAN, 5, false, false, false), 5, "max(NaN, x)");
}

static void test_compare(void)
{
    uint64_t state = 5;
    for (unsigned i = 0; i < CASES; i++) {
        uint64_t a = oracle_operand(T_F64, i, edge_count(T_F64), &state);
        uint64_t b = oracle_operand(T_F64, i, 1, &state);
        double x = oracle_double(a), y = oracle_double(b);
        bool un = isunordered(x, y);
        const bool want[] = {
            [COMPARE_EQ] = x == y,         [COMPARE_NE] = islessgreater(x, y), [COMPARE_LT] = x < y,
            [COMPARE_LE] = x <= y,         [COMPARE_GT] = x > y,               [COMPARE_GE] = x >= y,
            [COMPARE_EQU] = un || x == y,  [COMPARE_NEU] = x != y,             [COMPARE_LTU] = !(x >= y),
            [COMPARE_LEU] = !(x > y),      [COMPARE_GTU] = !(x <= y),          [COMPARE_GEU] = !(x < y),
            [COMPARE_NUM] = !un,           [COMPARE_NAN] = un};
        for (int op = COMPARE_EQ; op <= COMPARE_NAN; op++)
            SAME(f64_compare((enum numeric_compare)op, a, b, false), want[op], "compare %d", op);
    }
    SAME(f32_compare(COMPARE_EQ, 1, 0x80000001, true), true, "subnormals equal under ftz");
    SAME(f32_compare(COMPARE_EQ, 1, 0x80000001, false), false, "and differ without");
}

static void test_classes(void)
{
    static const struct {
        uint32_t a;
        uint8_t classes;   /* bit of each enum numeric_test */
    } rows[] = {
        {0, 0x15}, {0x80000000, 0x15}, {1, 0x25}, {0x807fffff, 0x25}, {0x00800000, 0x15},
        {0x3f800000, 0x15}, {0x7f7fffff, 0x15}, {0x7f800000, 0x06}, {0xff800000, 0x06},
        {0x7fffffff, 0x08}, {0xff800001, 0x08},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        for (int t = TEST_FINITE; t <= TEST_SUBNORMAL; t++)
            SAME(f32_testp((enum numeric_test)t, rows[i].a), rows[i].classes >> t & 1, "testp %x", t);
    SAME(f32_copysign(0x80000000, 0x3f800000), 0xbf800000, "the sign of the first");
    SAME(f32_abs(0xff812345, false), F32_NAN, "abs of a NaN");
    SAME(f32_neg(0x80000001, true), 0, "neg.ftz");
    SAME(f64_abs(0xfff0000000000001, false), 0xfff8000000000001, "abs makes a NaN quiet, no more");
    SAME(f64_neg(0x7ff0000000000001, false), 0x7ff8000000000001, "and so does neg");
    CU_ASSERT(oracle_checks > 1000000);
}

UNIT_MAIN("numerics: f32 and f64", {"f32 arithmetic", test_f32_arithmetic},
          {"f64 arithmetic", test_f64_arithmetic}, {"NaN results", test_nan_results},
          {"flush to zero", test_flush}, {"saturate", test_saturate}, {"min and max", test_min_max},
          {"compare", test_compare}, {"classes and signs", test_classes})
