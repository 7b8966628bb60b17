/**
 * @file numerics.h
 * What a GPU computes: PTX floating-point arithmetic and conversions as pure functions on bits.
 *
 * Values are raw bit patterns: uint16_t (f16, bf16), uint32_t (f32, f16x2, bf16x2), uint64_t (f64,
 * f32x2). Modifiers are ordinary arguments. Everything common is `static inline` and folds to a few
 * instructions when the modifiers are constants, so a handler stamped as
 *
 *     for (int i = 0; i < 32; i++)
 *         d[i] = mask[i] ? f32_add(a[i], b[i], ROUND_RN, false, false) : d[i];
 *
 * vectorises; the rest goes to exact integer arithmetic (soft.h), so that no result depends on the
 * host's floating-point environment, on -O3 or on -ffast-math.
 *
 * Files: modes.h (the modifiers), f32.h f64.h (arithmetic, min/max, compare, testp), half.h (f16, bf16 and their pairs),
 * approx.h (.approx and .full forms), convert.h (cvt), soft.h (the exact core).
 *
 * Invariants: no function has state or fails. `ftz` flushes subnormal inputs and results to a zero of
 * the same sign. `sat` clamps to [0, 1] and makes +0.0 of NaN. A NaN result of f32 is 0x7fffffff, of
 * f16 and bf16 0x7fff; that of f64 is f64_nan()'s business.
 * Source: PTX ISA 9.0, 9.7.3 to 9.7.5 and 9.7.9.21 (cvt); bits of an H200 in tests/gpu/.
 *
 * The forms, T one of f32 and f64 (r is ROUND_RN, _RZ, _RM or _RP):
 *
 *   T_add T_sub T_mul     (a, b, r, ftz, sat)
 *   T_fma                 (a, b, c, r, ftz, sat)         also mad
 *   T_div                 (a, b, r, ftz)
 *   T_rcp T_sqrt          (a, r, ftz)
 *   T_min T_max           (a, b, ftz, nan, xorsign_abs)
 *   f32_min3 f32_max3     (a, b, c, ftz, nan, abs)
 *   T_abs T_neg           (a, ftz)
 *   T_copysign            (a, b)                         b with the sign of a, as PTX has it
 *   T_testp               (enum numeric_test, a) -> bool
 *   T_compare             (enum numeric_compare, a, b, ftz) -> bool    for set, setp, selp-like uses
 *   f32x2_add f32x2_mul f32x2_fma  (…, r, ftz)
 *
 *   f32_div_approx f32_div_full (a, b, ftz)
 *   f32_rcp_approx f32_sqrt_approx f32_rsqrt_approx f32_sin_approx f32_cos_approx f32_lg2_approx
 *   f32_ex2_approx        (a, ftz)
 *   f32_tanh_approx       (a)
 *   f64_rcp_approx f64_rsqrt_approx (a, ftz)
 *
 * H one of f16, bf16 (one value in a uint16_t) and f16x2, bf16x2 (two in a uint32_t):
 *
 *   H_add H_sub H_mul     (a, b, ftz, sat)
 *   H_fma                 (a, b, c, ftz, sat, relu)
 *   H_min H_max           (a, b, ftz, nan, xorsign_abs)
 *   H_min3 H_max3         (a, b, c, ftz, nan, abs)       not in PTX for pairs; here for both
 *   H_abs H_neg           (a, ftz)
 *   H_ex2_approx          (a, ftz)
 *   H_tanh_approx         (a)
 *   f16_compare bf16_compare (enum numeric_compare, a, b, ftz) -> bool; pairs: compare each half
 *
 * Conversion, every pair of types and every modifier through one function that picks the fast way
 * when its arguments are constants (see convert.h):
 *
 *   uint64_t cvt(enum ptx_type dst, enum ptx_type src, enum numeric_rounding r,
 *                bool ftz, bool sat, bool relu, uint64_t bits)
 *   bits: the source, upper bits ignored. Result: dst's bits, zero-extended above its width (sign
 *   extension into a wider register is the caller's: use cvt_widen).
 *   uint32_t cvt_pack(dst PTX_F16X2 or PTX_BF16X2, r, relu, satfinite, a, b)   a: upper half
 *   uint16_t cvt_pack_small(enum numeric_small, r, relu, satfinite, a, b)  cvt.rn.satfinite.e4m3x2.f32 d, a, b
 *   uint16_t cvt_small_of_pair(enum numeric_small, r, relu, satfinite, pair)  cvt.rn.satfinite.e4m3x2.f16x2
 *   uint32_t cvt_pair_of_small(enum numeric_small, relu, pair)   cvt.rn.f16x2.e4m3x2
 *   uint32_t cvt_pack_int(…)                                  cvt.pack.sat, see convert.h
 */
#ifndef SOFTGPU_EXECUTE_NUMERICS_NUMERICS_H
#define SOFTGPU_EXECUTE_NUMERICS_NUMERICS_H

#include "execute/numerics/modes.h"
#include "execute/numerics/f32.h"
#include "execute/numerics/f64.h"
#include "execute/numerics/half.h"
#include "execute/numerics/approx.h"
#include "execute/numerics/convert.h"

#endif
