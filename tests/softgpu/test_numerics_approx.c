/**
 * @file test_numerics_approx.c
 * The .approx forms: within the PTX ISA's error of the true value, and its tables of special values.
 */
#include <float.h>

#include "softgpu/numerics_oracle.h"

#define CASES 100000

static uint32_t of(float f)
{
    return oracle_float_bits(f);
}

/** Distance in units of the last place of the f32 nearest to the true value. */
static double ulps(uint32_t got, long double want)
{
    int e;
    frexpl(want, &e);
    long double ulp = ldexpl(1, e - 24 < -149 ? -149 : e - 24);
    return (double)(fabsl((long double)oracle_float(got) - want) / ulp);
}

static void test_errors(void)
{
    uint64_t state = 21;
    double div = 0, rcp = 0, root = 0, rsqrt = 0, sine = 0, cosine = 0, lg2 = 0, ex2 = 0, tanh_max = 0;
    for (unsigned i = 0; i < CASES; i++) {
        uint32_t a = (uint32_t)random_value(T_F32, &state), b = (uint32_t)random_value(T_F32, &state);
        uint32_t angle = (uint32_t)random_value(T_ANGLE, &state);
        long double x = oracle_float(a), y = oracle_float(b), t = oracle_float(angle);
        bool finite = x - x == 0, wide = fabsl(y) >= 0x1p-126L && fabsl(y) <= 0x1p126L;
        if (finite && wide && fabsl(x / y) <= FLT_MAX)
            div = fmax(div, ulps(f32_div_approx(a, b, false), x / y));
        if (wide)
            rcp = fmax(rcp, ulps(f32_rcp_approx(b, false), 1 / y));
        if (finite && x > 0) {
            root = fmax(root, ulps(f32_sqrt_approx(a, false), sqrtl(x)));
            rsqrt = fmax(rsqrt, ulps(f32_rsqrt_approx(a, false), 1 / sqrtl(x)));
            long double log = log2l(x), error = fabsl(oracle_float(f32_lg2_approx(a, false)) - log);
            lg2 = fmax(lg2, x > 0.5 && x < 2 ? (double)(error * 0x1p22L) : ulps(f32_lg2_approx(a, false), log));
        }
        if (x > -149 && x < 128)
            ex2 = fmax(ex2, ulps(f32_ex2_approx(a, false), exp2l(x)));
        if (finite && fabsl(x) > 0x1p-100L)
            tanh_max = fmax(tanh_max, (double)fabsl(oracle_float(f32_tanh_approx(a)) / tanhl(x) - 1));
        long double bound = fabsl(t) <= 2 * M_PI ? 0x1p-20L : 0x1.4p-15L;
        if (fabsl(t) <= 100 * M_PI) {
            sine = fmax(sine, (double)(fabsl(oracle_float(f32_sin_approx(angle, false)) - sinl(t)) / bound));
            cosine = fmax(cosine, (double)(fabsl(oracle_float(f32_cos_approx(angle, false)) - cosl(t)) / bound));
        }
    }
    CU_ASSERT(div <= 2);
    CU_ASSERT(rcp <= 1);
    CU_ASSERT(root <= 1);
    CU_ASSERT(rsqrt <= 2);
    CU_ASSERT(lg2 <= 2);
    CU_ASSERT(ex2 <= 2);
    CU_ASSERT(tanh_max <= 0x1p-11);
    CU_ASSERT(sine <= 1 && cosine <= 1);
    CU_ASSERT(div > 0 && ex2 > 0 && sine > 0);   /* something was measured */
}

/* The tables of special inputs in PTX ISA 9.7.3. */
static void test_special(void)
{
    const uint32_t inf = 0x7f800000, ninf = 0xff800000, nan = 0x7fc00000, nzero = 0x80000000;
    static const struct {
        uint32_t (*f)(uint32_t, bool);
        const char *name;
        uint32_t of_ninf, of_nsub_ftz, of_nzero, of_zero, of_sub_ftz, of_inf;
    } rows[] = {
        {f32_rcp_approx, "rcp", 0x80000000, 0xff800000, 0xff800000, 0x7f800000, 0x7f800000, 0},
        {f32_sqrt_approx, "sqrt", F32_NAN, 0x80000000, 0x80000000, 0, 0, 0x7f800000},
        {f32_rsqrt_approx, "rsqrt", F32_NAN, 0xff800000, 0xff800000, 0x7f800000, 0x7f800000, 0},
        {f32_sin_approx, "sin", F32_NAN, 0x80000000, 0x80000000, 0, 0, F32_NAN},
        {f32_cos_approx, "cos", F32_NAN, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, F32_NAN},
        {f32_lg2_approx, "lg2", F32_NAN, 0xff800000, 0xff800000, 0xff800000, 0xff800000, 0x7f800000},
        {f32_ex2_approx, "ex2", 0, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x7f800000},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        SAME(rows[i].f(ninf, false), rows[i].of_ninf, "%s(-inf)", rows[i].name);
        SAME(rows[i].f(0x80000001, true), rows[i].of_nsub_ftz, "%s(-sub)", rows[i].name);
        SAME(rows[i].f(nzero, false), rows[i].of_nzero, "%s(-0)", rows[i].name);
        SAME(rows[i].f(0, false), rows[i].of_zero, "%s(0)", rows[i].name);
        SAME(rows[i].f(1, true), rows[i].of_sub_ftz, "%s(sub)", rows[i].name);
        SAME(rows[i].f(inf, false), rows[i].of_inf, "%s(inf)", rows[i].name);
        SAME(rows[i].f(nan, false), F32_NAN, "%s(NaN)", rows[i].name);
    }
    SAME(f32_lg2_approx(of(-1), false), F32_NAN, "lg2(-1)");
    SAME(f32_lg2_approx(of(8), false), of(3), "lg2(8)");
    SAME(f32_lg2_approx(1, false), of(-149), "lg2 of a subnormal");
    SAME(f32_ex2_approx(of(-149), false), 1, "ex2 to a subnormal");
    SAME(f32_ex2_approx(of(-149), true), 0, "flushed");
    SAME(f32_ex2_approx(of(200), false), inf, "ex2 overflows");
    SAME(f32_tanh_approx(inf), of(1), "tanh(inf)");
    SAME(f32_tanh_approx(nzero), nzero, "tanh(-0)");
    SAME(f32_tanh_approx(1), 1, "tanh of a subnormal");
    SAME(f32_div_approx(of(1), of(0x1p127f), false), 0, "div.approx by more than 2^126");
    SAME(f32_div_approx(inf, of(0x1p127f), false), F32_NAN, "an infinity by more than 2^126");
    SAME(f32_div_approx(of(-6), of(2), false), of(-3), "-6 / 2");
    SAME(f32_div_full(of(0x1p127f), of(0x1p127f), false), of(1), "div.full scales");
    SAME(f32_sin_approx(0x40490fdb, false), 0, "sin(pi)");
    SAME(f32_sin_approx(0xc0490fdb, false), nzero, "sin(-pi)");
    SAME(f32_cos_approx(0x40490fdb, false), of(-1), "cos(pi)");
    SAME(f32_sin_approx(0x338660ad, false), 0, "an angle below 2^-25 of a turn");
}

static void test_wide_and_half(void)
{
    uint64_t state = 22;
    double rcp = 0, rsqrt = 0, full = 0;
    for (unsigned i = 0; i < CASES; i++) {
        uint64_t a = random_value(T_F64, &state);
        double x = oracle_double(a);
        if (!(fabs(x) > 0x1p-1000 && fabs(x) < 0x1p1000))
            continue;
        rcp = fmax(rcp, fabs(oracle_double(f64_rcp_approx(a, true)) * x - 1));
        CU_ASSERT_FATAL((f64_rcp_approx(a, true) & 0xffffffff) == 0);
        if (x > 0) {
            rsqrt = fmax(rsqrt, fabs(oracle_double(f64_rsqrt_approx(a, true)) * sqrt(x) - 1));
            full = fmax(full, fabs(oracle_double(f64_rsqrt_approx(a, false)) * sqrt(x) - 1));
        }
    }
    CU_ASSERT(rcp > 0 && rcp < 0x1p-19 && rsqrt < 0x1p-19 && full < 0x1p-50);
    for (unsigned h = 0; h < 0x10000; h++) {
        double x = f16_value((uint16_t)h), y = bf16_value((uint16_t)h);
        if (x - x == 0) {
            CU_ASSERT_FATAL(fabs(f16_value(f16_tanh_approx((uint16_t)h)) - tanh(x)) <= 0x1p-10);
            if (x > -14 && x < 15.9)
                CU_ASSERT_FATAL(fabs(f16_value(f16_ex2_approx((uint16_t)h, false)) / exp2(x) - 1) < 0x1p-9);
        }
        if (y - y == 0) {
            CU_ASSERT_FATAL(fabs(bf16_value(bf16_tanh_approx((uint16_t)h)) - tanh(y)) <= 0x1p-8);
            if (y > -126 && y < 127.9)
                CU_ASSERT_FATAL(fabs(bf16_value(bf16_ex2_approx((uint16_t)h, true)) / exp2(y) - 1) < 0x1p-7);
        }
    }
    SAME(f64_rcp_approx(0x8000000000000000, true), 0xfff0000000000000, "rcp(-0)");
    SAME(f64_rcp_approx(0xfff0000000000000, true), 0x8000000000000000, "rcp(-inf)");
    SAME(f64_rsqrt_approx(0xbff0000000000000, false), F64_NAN, "rsqrt(-1)");
    SAME(f64_rsqrt_approx(0xbff0000000000000, true), 0x7fffffff00000000, "rsqrt.ftz(-1)");
    SAME(f64_rcp_approx(0xfff8123456789abc, true), 0x7fffffff00000000, "rcp of a NaN");
    SAME(f64_rcp_approx(0x4008000000000000, true), 0x3fd5555500000000, "a third, cut");
    SAME(f16_ex2_approx(0xfc00, false), 0, "ex2(-inf)");
    SAME(f16x2_ex2_approx(0x3c008000, false), 0x40003c00, "a pair");
    SAME(bf16_tanh_approx(0xff80), 0xbf80, "tanh(-inf)");
    SAME(bf16_tanh_approx(0xc120), 0xbf80, "tanh(-10)");
    SAME(bf16_ex2_approx(0xad0a, true), 0x3f80, "ex2 of nearly nothing");
    SAME(f16_ex2_approx(0x3800, false), 0x3da8, "the root of 2, cut");
    SAME(f16_ex2_approx(0x4c00, false), 0x7c00, "ex2(16) overflows");
}

UNIT_MAIN("numerics: approximations", {"errors", test_errors}, {"special values", test_special},
          {"f64, f16, bf16", test_wide_and_half})
