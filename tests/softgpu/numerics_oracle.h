/**
 * @file numerics_oracle.h
 * Second opinions for the numerics tests, reached by other ways than the code under test: the host's
 * own rounding modes, and a search among all values of a narrow format.
 */
#ifndef TESTS_SOFTGPU_NUMERICS_ORACLE_H
#define TESTS_SOFTGPU_NUMERICS_ORACLE_H

#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "execute/numerics/numerics.h"
#include "gpu/operands.h"
#include "unit.h"

static const enum numeric_rounding all_roundings[] = {ROUND_RN, ROUND_RZ, ROUND_RM, ROUND_RP};

static inline int oracle_mode(enum numeric_rounding r)
{
    switch (r) {
    case ROUND_RZ: case ROUND_RZI: return FE_TOWARDZERO;
    case ROUND_RM: case ROUND_RMI: return FE_DOWNWARD;
    case ROUND_RP: case ROUND_RPI: return FE_UPWARD;
    default: return FE_TONEAREST;
    }
}

/** Runs `statement` in the host's rounding mode for `r`; operands and results must be volatile. */
#define ORACLE_ROUNDED(r, statement)                                                               \
    do {                                                                                           \
        fesetround(oracle_mode(r));                                                                \
        statement;                                                                                 \
        fesetround(FE_TONEAREST);                                                                  \
    } while (0)

static inline float oracle_float(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, 4);
    return f;
}

static inline double oracle_double(uint64_t bits)
{
    double d;
    memcpy(&d, &bits, 8);
    return d;
}

static inline uint32_t oracle_float_bits(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, 4);
    return bits;
}

static inline uint64_t oracle_double_bits(double d)
{
    uint64_t bits;
    memcpy(&bits, &d, 8);
    return bits;
}

/** The magnitude `m` of a format with `e` exponent and `f` fraction bits; infinity's pattern counts as
 *  the power of two that would come there. */
static inline __float128 oracle_magnitude(uint32_t m, int e, int f)
{
    int biased = (int)(m >> f), bias = (1 << (e - 1)) - 1;
    __float128 v = biased ? (m & ((1u << f) - 1)) + (1u << f) : m;
    int scale = (biased ? biased : 1) - bias - f;
    for (; scale > 0; scale--)
        v *= 2;
    for (; scale < 0; scale++)
        v /= 2;
    return v;
}

/** Rounds an exact value to such a format by searching it; `top` is infinity's pattern (or what lies
 *  past the largest number). */
static inline uint32_t oracle_narrow(__float128 x, int negative, int e, int f, uint32_t top,
                                     enum numeric_rounding r)
{
    __float128 a = x < 0 ? -x : x;
    uint32_t low = 0, high = top;   /* value(low) <= a < value(high), or a beyond */
    if (a >= oracle_magnitude(top, e, f)) {
        low = top;
    } else {
        while (high - low > 1) {
            uint32_t middle = (low + high) / 2;
            if (oracle_magnitude(middle, e, f) <= a)
                low = middle;
            else
                high = middle;
        }
    }
    __float128 below = oracle_magnitude(low, e, f);
    int up = 0;
    if (low == top) {
        up = r == ROUND_RN || r == ROUND_RNA || (r == ROUND_RM && negative) ||
             (r == ROUND_RP && !negative);
        low = up ? top : top - 1;
        up = 0;
    } else if (a != below) {
        __float128 above = oracle_magnitude(low + 1, e, f);
        if (r == ROUND_RN)
            up = a - below > above - a || (a - below == above - a && (low & 1));
        else if (r == ROUND_RNA)
            up = a - below >= above - a;
        else
            up = (r == ROUND_RM && negative) || (r == ROUND_RP && !negative);
    }
    return (uint32_t)negative << (e + f) | (low + (uint32_t)up);
}

/** Operands: edge values first, then random ones. */
static inline uint64_t oracle_operand(enum operand_type t, unsigned i, unsigned stride, uint64_t *state)
{
    unsigned edges = edge_count(t);
    return i < edges * edges * 2 ? edge_value(t, i / stride % edges) : random_value(t, state);
}

/** Asserts equality and prints what differed; only the first few, as CUnit keeps a list of all. */
#define SAME(got, want, ...)                                                                       \
    do {                                                                                           \
        unsigned long long got_ = (got), want_ = (want);                                           \
        oracle_checks++;                                                                           \
        if (got_ != want_ && oracle_failures++ < 20) {                                             \
            printf("\n    got %llx want %llx for ", got_, want_);                                  \
            printf(__VA_ARGS__);                                                                   \
            CU_FAIL("results differ");                                                             \
        }                                                                                          \
    } while (0)

static int oracle_failures;
static long oracle_checks;

#endif
