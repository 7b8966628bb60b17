/**
 * @file modes.h
 * The modifiers of floating-point instructions, as arguments of the functions in numerics.h.
 */
#ifndef SOFTGPU_EXECUTE_NUMERICS_MODES_H
#define SOFTGPU_EXECUTE_NUMERICS_MODES_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A product and a sum fused by the compiler would be rounded once where the GPU rounds twice. The
 * Makefile passes -ffp-contract=off; beyond that, no function here adds to a product that is not
 * exact, and each result leaves as bits through a NaN test, which no compiler can fuse across.
 */
#ifdef __FAST_MATH__
#error "numerics needs exact IEEE arithmetic: build without -ffast-math"
#endif

/** Rounding modifiers. ROUND_NONE: the PTX text has none. */
enum numeric_rounding {
    ROUND_NONE = 0,
    ROUND_RN,   /**< to nearest, ties to even */
    ROUND_RZ,   /**< towards zero */
    ROUND_RM,   /**< towards minus infinity */
    ROUND_RP,   /**< towards plus infinity */
    ROUND_RNA,  /**< to nearest, ties away from zero (cvt to tf32) */
    ROUND_RNI,  /**< to an integer: nearest, ties to even */
    ROUND_RZI, ROUND_RMI, ROUND_RPI
};

/** Comparison operators of set and setp; the U forms are true when either operand is NaN. */
enum numeric_compare {
    COMPARE_EQ, COMPARE_NE, COMPARE_LT, COMPARE_LE, COMPARE_GT, COMPARE_GE,
    COMPARE_EQU, COMPARE_NEU, COMPARE_LTU, COMPARE_LEU, COMPARE_GTU, COMPARE_GEU,
    COMPARE_NUM, COMPARE_NAN
};

/** Classes of testp. */
enum numeric_test {
    TEST_FINITE, TEST_INFINITE, TEST_NUMBER, TEST_NOTANUMBER, TEST_NORMAL, TEST_SUBNORMAL
};

/** Floating formats of eight, six and four bits, always in pairs; UE8M0 is a power of two without a sign. */
enum numeric_small { FP8_E4M3, FP8_E5M2, FP6_E2M3, FP6_E3M2, FP4_E2M1, FP8_UE8M0 };

/** Inlined even where GCC's heuristics would not, so that constant modifiers fold. */
#define NUMERICS_INLINE static inline __attribute__((always_inline, unused))

#endif
