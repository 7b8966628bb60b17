/**
 * @file test_numerics_convert.c
 * cvt between all types, roundings and modifiers against host conversions, long double and search.
 */
#include "softgpu/numerics_oracle.h"

#define CASES 2000

static const enum ptx_type integers[] = {PTX_U8, PTX_U16, PTX_U32, PTX_U64,
                                         PTX_S8, PTX_S16, PTX_S32, PTX_S64};
static const enum operand_type integer_operands[] = {T_U8, T_U16, T_U32, T_U64,
                                                     T_S8, T_S16, T_S32, T_S64};

static __int128 value_of(enum ptx_type t, uint64_t bits)
{
    switch (t) {
    case PTX_U8: return (uint8_t)bits;
    case PTX_U16: return (uint16_t)bits;
    case PTX_U32: return (uint32_t)bits;
    case PTX_S8: return (int8_t)bits;
    case PTX_S16: return (int16_t)bits;
    case PTX_S32: return (int32_t)bits;
    case PTX_S64: return (int64_t)bits;
    default: return bits;
    }
}

static void limits(enum ptx_type t, __int128 *low, __int128 *high)
{
    unsigned width = 8u << ((t - PTX_U8) % 4);
    bool is_signed = t >= PTX_S8;
    *high = ((__int128)1 << (width - is_signed)) - 1;
    *low = is_signed ? -*high - 1 : 0;
}

static uint64_t low_bits(enum ptx_type t, __int128 v)
{
    unsigned width = 8u << ((t - PTX_U8) % 4);
    return (uint64_t)v & (width == 64 ? UINT64_MAX : (1ull << width) - 1);
}

static void test_integers(void)
{
    uint64_t state = 11;
    for (unsigned s = 0; s < 8; s++)
        for (unsigned d = 0; d < 8; d++)
            for (unsigned i = 0; i < CASES; i++) {
                uint64_t a = oracle_operand(integer_operands[s], i, 1, &state);
                __int128 v = value_of(integers[s], a), low, high;
                limits(integers[d], &low, &high);
                uint64_t plain = cvt(integers[d], integers[s], ROUND_NONE, false, false, false, a);
                SAME(plain, low_bits(integers[d], v), "%u from %u: %lx", d, s, a);
                v = v < low ? low : v > high ? high : v;
                SAME(cvt(integers[d], integers[s], ROUND_NONE, false, true, false, a),
                     low_bits(integers[d], v), "%u from %u, sat: %lx", d, s, a);
            }
    SAME(cvt_widen(PTX_S8, 4, 0x80), 0xffffff80, "sign extension to 32 bits");
    SAME(cvt_widen(PTX_U8, 8, 0x80), 0x80, "zero extension");
}

/** A real, rounded to an integer and clamped. */
static uint64_t clamped(enum ptx_type t, long double v, enum numeric_rounding r)
{
    long double whole = r == ROUND_RNI ? rintl(v) : r == ROUND_RZI ? truncl(v)
                      : r == ROUND_RMI ? floorl(v) : ceill(v);
    __int128 low, high;
    limits(t, &low, &high);
    if (whole <= (long double)low)
        return low_bits(t, low);
    return low_bits(t, whole >= (long double)high ? high : (__int128)whole);
}

static void test_to_integer(void)
{
    uint64_t state = 12;
    static const enum numeric_rounding modes[] = {ROUND_RNI, ROUND_RZI, ROUND_RMI, ROUND_RPI};
    for (unsigned d = 0; d < 8; d++)
        for (unsigned m = 0; m < 4; m++)
            for (unsigned i = 0; i < CASES; i++) {
                double x = i < COUNT_OF(edges_convert) ? edges_convert[i]
                                                       : oracle_double(random_value(T_F64, &state));
                float y = i < COUNT_OF(edges_convert)
                              ? (float)x : oracle_float((uint32_t)random_value(T_F32, &state));
                uint16_t h = (uint16_t)random_value(T_F16, &state);
                uint16_t b = (uint16_t)random_value(T_BF16, &state);
                enum ptx_type t = integers[d];
                if (x == x)
                    SAME(cvt(t, PTX_F64, modes[m], false, false, false, oracle_double_bits(x)),
                         clamped(t, x, modes[m]), "%u from f64 %a mode %u", d, x, m);
                if (y == y)
                    SAME(cvt(t, PTX_F32, modes[m], false, false, false, oracle_float_bits(y)),
                         clamped(t, y, modes[m]), "%u from f32 %a mode %u", d, y, m);
                if (!f16_is_nan(h))
                    SAME(cvt(t, PTX_F16, modes[m], false, false, false, h),
                         clamped(t, f16_value(h), modes[m]), "%u from f16 %x mode %u", d, h, m);
                if (!bf16_is_nan(b))
                    SAME(cvt(t, PTX_BF16, modes[m], false, false, false, b),
                         clamped(t, bf16_value(b), modes[m]), "%u from bf16 %x mode %u", d, b, m);
            }
    SAME(cvt(PTX_S32, PTX_F32, ROUND_RZI, false, false, false, 0x7fc00000), 0, "NaN to s32");
    SAME(cvt(PTX_U64, PTX_F32, ROUND_RZI, false, false, false, 0x7fc00000), 1ull << 63, "NaN to u64");
    SAME(cvt(PTX_S32, PTX_F64, ROUND_RZI, false, false, false, F64_NAN), 0x80000000, "f64 NaN to s32");
    SAME(cvt(PTX_S32, PTX_F32, ROUND_RPI, true, false, false, 1), 0, "a flushed subnormal");
    SAME(cvt(PTX_S32, PTX_F32, ROUND_RPI, false, false, false, 1), 1, "and not flushed");
}

static void test_from_integer(void)
{
    uint64_t state = 13;
    for (unsigned s = 0; s < 8; s++)
        for (unsigned k = 0; k < 4; k++)
            for (unsigned i = 0; i < CASES; i++) {
                enum numeric_rounding r = all_roundings[k];
                uint64_t a = oracle_operand(integer_operands[s], i, 1, &state);
                __int128 v = value_of(integers[s], a);
                volatile int64_t sv = (int64_t)v;
                volatile uint64_t uv = (uint64_t)v;
                volatile float f;
                volatile double d;
                bool negative = v < 0;
                ORACLE_ROUNDED(r, if (negative) { f = (float)sv; d = (double)sv; }
                                  else if (uv >> 63) { f = 0; d = 0; }
                                  else { f = (float)(int64_t)uv; d = (double)(int64_t)uv; });
                const char *text = "from %u rounding %d: %lx";
                if (negative || !(uv >> 63)) {
                    SAME(cvt(PTX_F32, integers[s], r, false, false, false, a), oracle_float_bits(f),
                         text, s, r, a);
                    SAME(cvt(PTX_F64, integers[s], r, false, false, false, a), oracle_double_bits(d),
                         text, s, r, a);
                } else {   /* 2^63 and above: half of it, with the lost bit kept, has the same digits */
                    uint64_t half = uv >> 1 | (uv & 1);
                    uint32_t f_half = (uint32_t)cvt(PTX_F32, PTX_U64, r, false, false, false, half);
                    SAME(cvt(PTX_F32, integers[s], r, false, false, false, a),
                         f_half + 0x00800000, text, s, r, a);
                    uint64_t d_half = cvt(PTX_F64, PTX_U64, r, false, false, false, half);
                    SAME(cvt(PTX_F64, integers[s], r, false, false, false, a),
                         d_half + 0x0010000000000000, text, s, r, a);
                }
                uint32_t sign = negative;
                SAME(cvt(PTX_F16, integers[s], r, false, false, false, a),
                     oracle_narrow((__float128)v, (int)sign, 5, 10, 0x7c00, r), text, s, r, a);
                SAME(cvt(PTX_BF16, integers[s], r, false, false, false, a),
                     oracle_narrow((__float128)v, (int)sign, 8, 7, 0x7f80, r), text, s, r, a);
            }
}

static uint64_t negated(uint64_t bits, unsigned sign_at)
{
    return bits >> sign_at & 1;
}

static void test_narrow(void)
{
    uint64_t state = 14;
    for (unsigned k = 0; k < 4; k++)
        for (unsigned i = 0; i < 4 * CASES; i++) {
            enum numeric_rounding r = all_roundings[k];
            double x = i < COUNT_OF(edges_convert) ? edges_convert[i]
                                                   : oracle_double(random_value(T_F64, &state));
            uint64_t a = oracle_double_bits(x);
            uint32_t b = i < COUNT_OF(edges_convert) ? oracle_float_bits((float)x)
                                                     : (uint32_t)random_value(T_F32, &state);
            volatile double source = x;
            volatile float single;
            ORACLE_ROUNDED(r, single = (float)source);
            const char *text = "%lx %x rounding %d";
            if (x == x && x - x == 0) {
                SAME(cvt(PTX_F32, PTX_F64, r, false, false, false, a), oracle_float_bits(single), text,
                     a, b, r);
                int negative = (int)negated(a, 63);
                if (fabs(x) < 0x1p130 && (x == 0 || fabs(x) > 0x1p-150)) {
                    SAME(cvt(PTX_F16, PTX_F64, r, false, false, false, a),
                         oracle_narrow(x, negative, 5, 10, 0x7c00, r), text, a, b, r);
                    SAME(cvt(PTX_BF16, PTX_F64, r, false, false, false, a),
                         oracle_narrow(x, negative, 8, 7, 0x7f80, r), text, a, b, r);
                }
            }
            float y = oracle_float(b);
            if (y != y || y - y != 0)
                continue;
            int negative = (int)negated(b, 31);
            uint32_t h = oracle_narrow(y, negative, 5, 10, 0x7c00, r);
            uint32_t f = oracle_narrow(y, negative, 8, 7, 0x7f80, r);
            SAME(cvt(PTX_F16, PTX_F32, r, false, false, false, b), h, text, a, b, r);
            SAME(cvt(PTX_BF16, PTX_F32, r, false, false, false, b), f, text, a, b, r);
            SAME(cvt(PTX_F16, PTX_F32, r, false, false, true, b), negative ? 0 : h, text, a, b, r);
            SAME(cvt(PTX_TF32, PTX_F32, r, false, false, false, b),
                 oracle_narrow(y, negative, 8, 10, 0x3fc00, r) << 13, text, a, b, r);
            SAME(cvt_pack(PTX_F16X2, r, false, false, b, 0x3f800000), h << 16 | 0x3c00, text, a, b, r);
            SAME(convert_exact(PTX_F16, PTX_F32, r, false, false, false, true, b),
                 (h & 0x7fff) == 0x7c00 ? h - 1 : h, text, a, b, r);
            SAME(cvt(PTX_TF32, PTX_F32, ROUND_RNA, false, false, false, b),
                 oracle_narrow(y, negative, 8, 10, 0x3fc00, ROUND_RNA) << 13, text, a, b, r);
        }
}

static void test_integral(void)
{
    uint64_t state = 15;
    for (unsigned i = 0; i < 8 * CASES; i++) {
        uint32_t b = (uint32_t)random_value(T_F32, &state);
        uint64_t a = random_value(T_F64, &state);
        float y = oracle_float(b);
        double x = oracle_double(a);
        if (y == y) {
            SAME(cvt(PTX_F32, PTX_F32, ROUND_RNI, 0, 0, 0, b), oracle_float_bits(rintf(y)), "rni %a", y);
            SAME(cvt(PTX_F32, PTX_F32, ROUND_RZI, 0, 0, 0, b), oracle_float_bits(truncf(y)), "rzi %a", y);
            SAME(cvt(PTX_F32, PTX_F32, ROUND_RMI, 0, 0, 0, b), oracle_float_bits(floorf(y)), "rmi %a", y);
            SAME(cvt(PTX_F32, PTX_F32, ROUND_RPI, 0, 0, 0, b), oracle_float_bits(ceilf(y)), "rpi %a", y);
        }
        if (x == x)
            SAME(cvt(PTX_F64, PTX_F64, ROUND_RMI, 0, 0, 0, a), oracle_double_bits(floor(x)), "%a", x);
    }
    SAME(cvt(PTX_F32, PTX_F32, ROUND_NONE, 0, 1, 0, 0x40000000), 0x3f800000, "cvt.sat.f32.f32");
    SAME(cvt(PTX_F32, PTX_F32, ROUND_NONE, 1, 0, 0, 0x80000001), 0x80000000, "cvt.ftz.f32.f32");
    SAME(cvt(PTX_F16, PTX_F16, ROUND_RNI, 0, 0, 0, 0x3e00), 0x4000, "rni of 1.5 as f16");
}

static void test_widening(void)
{
    SAME(cvt(PTX_F64, PTX_F32, ROUND_NONE, 0, 0, 0, 1), oracle_double_bits(0x1p-149), "subnormal");
    SAME(cvt(PTX_F64, PTX_F32, ROUND_NONE, 1, 0, 0, 0x80000001), 1ull << 63, "flushed");
    SAME(cvt(PTX_F32, PTX_F16, ROUND_NONE, 0, 0, 0, 0x0001), oracle_float_bits(0x1p-24f), "f16 to f32");
    SAME(cvt(PTX_F32, PTX_F16, ROUND_NONE, 0, 0, 0, 0xfe01), F32_NAN, "NaN");
    SAME(cvt(PTX_F32, PTX_BF16, ROUND_NONE, 0, 0, 0, 0x7f81), 0x7f810000, "bf16 NaN: a shift");
    SAME(cvt(PTX_F64, PTX_F16, ROUND_NONE, 0, 0, 0, 0x7d55), 0x7ffd540000000000, "f16 NaN to f64");
    SAME(cvt(PTX_F64, PTX_BF16, ROUND_NONE, 0, 0, 0, 0xff81), 0xfff8200000000000, "bf16 NaN to f64");
    SAME(cvt(PTX_F64, PTX_F32, ROUND_NONE, 0, 0, 0, 0xff812345), 0xfff82468a0000000, "f32 NaN to f64");
    SAME(cvt(PTX_F64, PTX_F32, ROUND_NONE, 1, 0, 0, 0xff812345), 0x7fffffffe0000000, "under .ftz");
    for (unsigned k = 0; k < 4; k++) {
        const uint64_t nan = 0xfff0123456789abc;
        SAME(cvt(PTX_F32, PTX_F64, all_roundings[k], k & 1, 0, 0, nan), 0xffc091a2, "f64 NaN to f32");
        SAME(cvt(PTX_F16, PTX_F64, all_roundings[k], 0, 0, 0, nan), 0xfe04, "f64 NaN to f16");
        SAME(cvt(PTX_BF16, PTX_F64, all_roundings[k], 0, 0, 0, nan), 0xffc0, "f64 NaN to bf16");
        SAME(cvt(PTX_TF32, PTX_F32, all_roundings[k], 0, 0, 0, 0xffc00000), 0x7fffe000, "tf32 NaN");
    }
    SAME(cvt(PTX_F16, PTX_F32, ROUND_RP, 1, 0, 0, 1), 1, ".ftz does not flush what f16 rounds up");
    SAME(cvt(PTX_F64, PTX_F16, ROUND_NONE, 0, 0, 0, 0xc000), oracle_double_bits(-2), "f16 to f64");
    SAME(cvt(PTX_F32, PTX_F64, ROUND_RN, 1, 0, 0, oracle_double_bits(0x1.fffffep-127)), 0, "tiny");
    SAME(cvt(PTX_F32, PTX_F64, ROUND_RN, 1, 0, 0, oracle_double_bits(0x1.fffffffp-127)), 0x00800000,
         "not tiny with 24 bits");
}

static void test_fp8(void)
{
    uint64_t state = 16;
    for (unsigned i = 0; i < 8 * CASES; i++) {
        uint32_t b = i < COUNT_OF(edges_convert) ? oracle_float_bits((float)edges_convert[i])
                                                 : (uint32_t)random_value(T_F32, &state);
        float y = oracle_float(b);
        if (y != y)
            continue;
        __float128 exact = isinf(y) ? 1e30 : (__float128)y;   /* what counts is that it is too large */
        uint32_t e4 = oracle_narrow(exact, (int)(b >> 31), 4, 3, 0x7f, ROUND_RN);
        uint32_t e5 = oracle_narrow(exact, (int)(b >> 31), 5, 2, 0x7c, ROUND_RN);
        e4 -= (e4 & 0x7f) == 0x7f;
        e5 -= (e5 & 0x7f) == 0x7c;
        SAME(cvt_pack_small(FP8_E4M3, ROUND_RN, false, true, b, 0x3f800000), e4 << 8 | 0x38, "e4m3 %a", y);
        SAME(cvt_pack_small(FP8_E5M2, ROUND_RN, false, true, b, 0x3f800000), e5 << 8 | 0x3c, "e5m2 %a", y);
        SAME(cvt_pack_small(FP8_E4M3, ROUND_RN, true, true, b, 0), y < 0 || b >> 31 ? 0 : e4 << 8, "relu %a", y);
    }
    for (unsigned v = 0; v < 256; v++) {
        uint32_t pair = cvt_pair_of_small(FP8_E4M3, false, (uint16_t)(v << 8 | 0x38));
        SAME(pair & 0xffff, 0x3c00, "one");
        if ((v & 0x7f) != 0x7f)
            SAME(pair >> 16, oracle_narrow(oracle_magnitude(v & 0x7f, 4, 3), (int)(v >> 7), 5, 10, 0x7c00,
                                           ROUND_RN), "e4m3 %x", v);
        if ((v & 0x7f) <= 0x7c)
            SAME(cvt_pair_of_small(FP8_E5M2, false, (uint16_t)v), v << 8, "e5m2 is a short f16: %x", v);
        if ((v & 0x7f) < 0x7c)
            SAME(cvt_small_of_pair(FP8_E5M2, ROUND_RN, false, true, v << 8), v, "and back: %x", v);
    }
    SAME(cvt_pack_small(FP8_E4M3, ROUND_RN, false, true, 0x7fc00000, 0xff800000), 0x7ffe, "NaN, -inf");
    SAME(cvt_pair_of_small(FP8_E4M3, false, 0x7fff), 0x7fff7fff, "NaNs");
    SAME(cvt_pack_int(16, true, 0x7fffffff, 0x80000000, 0), 0x7fff8000, "s16");
    SAME(cvt_pack_int(8, false, 300, (uint32_t)-5, 0xaabbccdd), 0xccddff00, "u8");
    SAME(cvt_pack_int(4, true, 100, (uint32_t)-100, 0x12345678), 0x34567878, "s4");
    CU_ASSERT(oracle_checks > 700000);
}

/* Without infinities and NaNs: what is too large, and what is no number, becomes the largest. */
static void test_six_and_four_bits(void)
{
    static const struct {
        enum numeric_small format;
        int exponent, fraction;
        uint32_t largest;
    } formats[] = {{FP6_E2M3, 2, 3, 0x1f}, {FP6_E3M2, 3, 2, 0x1f}, {FP4_E2M1, 2, 1, 7}};
    uint64_t state = 17;
    for (unsigned k = 0; k < COUNT_OF(formats); k++) {
        int width = formats[k].exponent + formats[k].fraction;
        unsigned up = formats[k].format == FP4_E2M1 ? 4 : 8;
        for (unsigned i = 0; i < CASES; i++) {
            uint32_t b = i < COUNT_OF(edges_convert) ? oracle_float_bits((float)edges_convert[i])
                                                     : (uint32_t)random_value(T_F32, &state);
            float y = fabsf(oracle_float(b));
            if (y != y)
                continue;
            __float128 exact = y > 1e30f ? 1e30 : (__float128)y;
            uint32_t d = oracle_narrow(exact, 0, formats[k].exponent, formats[k].fraction, 1ull << width, ROUND_RN);
            d = (d > formats[k].largest ? formats[k].largest : d) | (b >> 31) << width;
            SAME(cvt_pack_small(formats[k].format, ROUND_RN, false, true, b, 0), d << up, "%d: %a", width, y);
            SAME(cvt_pack_small(formats[k].format, ROUND_RN, true, true, 0, b), b >> 31 ? 0 : d, "relu %a", y);
        }
        SAME(cvt_pack_small(formats[k].format, ROUND_RN, false, true, 0x7fc00000, 0xffc00000),
             formats[k].largest << up | formats[k].largest, "NaN");
        for (uint32_t v = 0; v < 2u << width; v++)
            SAME(cvt_small_of_pair(formats[k].format, ROUND_RN, false, true,
                                   cvt_pair_of_small(formats[k].format, false, (uint16_t)v)), v, "and back: %x", v);
    }
    SAME(cvt_pair_of_small(FP4_E2M1, false, 0xe1), 0xc4003800, "-4, 0.5");
    SAME(cvt_pair_of_small(FP6_E2M3, false, 0x3f08), 0xc7803c00, "-7.5, 1");
    SAME(cvt_pair_of_small(FP6_E3M2, true, 0x3f0c), 0x3c00, "-28 and relu, 1");
}

static uint32_t power(float y, enum numeric_rounding r, bool satfinite)
{
    return cvt_pack_small(FP8_UE8M0, r, false, satfinite, 0, oracle_float_bits(y));
}

static void test_powers(void)
{
    for (int e = -126; e < 127; e++) {
        float y = ldexpf(1, e);
        SAME(power(y, ROUND_RP, false), (uint32_t)e + 127, "2^%d", e);
        SAME(power(-1.5f * y, ROUND_RZ, false), (uint32_t)e + 127, "down from 1.5 2^%d", e);
        SAME(power(nextafterf(y, INFINITY), ROUND_RP, true), (uint32_t)e + 128, "up from above 2^%d", e);
        SAME(cvt_pair_of_small(FP8_UE8M0, false, (uint16_t)(e + 127)) & 0xffff, oracle_float_bits(y) >> 16, "%d", e);
    }
    SAME(power(0, ROUND_RP, true), 0, "zero");
    SAME(power(0x1p-127f, ROUND_RP, true), 0, "the least");
    SAME(power(0x1.8p-127f, ROUND_RP, true), 1, "above the least");
    SAME(power(0x1p-149f, ROUND_RP, true), 0, "below the least");
    SAME(power(INFINITY, ROUND_RZ, false), 0xff, "infinity");
    SAME(power(INFINITY, ROUND_RZ, true), 0xfe, "infinity, finite");
    SAME(power(0x1.8p127f, ROUND_RP, false), 0xff, "2^128");
    SAME(power(0x1.8p127f, ROUND_RP, true), 0xfe, "2^128, finite");
    SAME(power(NAN, ROUND_RZ, true), 0xff, "NaN");
    SAME(cvt_small_of_pair(FP8_UE8M0, ROUND_RZ, false, false, 0xc0003f80), 0x807f, "-2 and 1 of bf16");
    SAME(cvt_pair_of_small(FP8_UE8M0, false, 0xff00), 0x7fff0040, "NaN, 2^-127");
}

UNIT_MAIN("numerics: cvt", {"integers", test_integers}, {"real to integer", test_to_integer},
          {"integer to real", test_from_integer}, {"narrowing", test_narrow},
          {"to an integral real", test_integral}, {"widening", test_widening},
          {"e4m3, e5m2, packed integers", test_fp8},
          {"e2m3, e3m2, e2m1", test_six_and_four_bits}, {"ue8m0", test_powers})
