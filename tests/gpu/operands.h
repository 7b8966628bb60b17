/**
 * @file operands.h
 * The operands that every arithmetic form is tried with: edge values, then numbers from a fixed
 * generator. Plain C, shared by the recording program and the comparison, so that a results file need
 * not store operands.
 *
 * A form's cases in order: the cross product of its operands' edge values (shorter lists of each
 * where there are two or three operands; the first operand varies slowest), then RANDOM_FULL random cases whose
 * results are stored, then RANDOM_HASHED more of which only a hash of each HASH_CHUNK results is
 * stored. Approximate forms have RANDOM_APPROX stored cases and no hashed ones.
 */
#ifndef TESTS_GPU_OPERANDS_H
#define TESTS_GPU_OPERANDS_H

#include <stddef.h>
#include <stdint.h>

#define RANDOM_FULL 128
#define RANDOM_HASHED 4096
#define RANDOM_APPROX 1024
#define HASH_CHUNK 64
#define EDGES_OF_TWO 24
#define EDGES_OF_THREE 10

/** Operand and result types. NONE: no such operand. SHIFT: a u32 that mostly lies in 0..70. ANGLE: an
 *  f32 that mostly lies within the documented range of sin.approx. PRED: a result of one byte. */
enum operand_type {
    T_NONE, T_PRED,
    T_U8, T_S8, T_U16, T_S16, T_U32, T_S32, T_U64, T_S64, T_SHIFT,
    T_F16, T_BF16, T_F16X2, T_BF16X2, T_F32, T_F64, T_ANGLE, T_FP8X2
};

/** Bytes of a result of this type; 8-bit integers are results in a 32-bit register. */
static inline unsigned type_bytes(enum operand_type t)
{
    switch (t) {
    case T_NONE: return 0;
    case T_PRED: return 1;
    case T_U16: case T_S16: case T_F16: case T_BF16: case T_FP8X2: return 2;
    case T_U64: case T_S64: case T_F64: return 8;
    default: return 4;
    }
}

/* The first EDGES_OF_TWO or _THREE of each list stand for it in forms with so many operands. */
static const uint64_t edges_integer[] = {
    0, 1, UINT64_MAX, 0x8000000080008080, 0x7fffffffffffffff, 0x8000000000000000, 2, 0x80, 31,
    0x0123456789abcdef, 3, 7, 8, 15, 16, 17, 32, 33, 63, 64, 0x7f, 0xff, 0x100, 0x7fff, 0x8000, 0xffff,
    0x10000, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000, 0xfffffffffffffffe, 0x5555555555555555,
    0xaaaaaaaaaaaaaaaa, 0xffffffff80000000, 0xffffffffffff8000, 0xffffffffffffff80,
    0xffffffffffff7fff, 0xffffffffffffff7f, 0xffffffff7fffffff, 0x1000001, 0x1000003,
    0x20000000000001, 0x20000000000003, 0x7fffffffffffff80, 0x7fffff7fffffff, 0xfffffdffffffffff, 2049,
    2051, 65519, 65520, 65504, 257, 259
};
static const uint64_t edges_shift[] = {
    0, 1, 8, 31, 32, 33, 63, 64, 255, 0xffffffff, 4, 7, 15, 16, 17, 24, 65, 256, 257, 0x80000000,
    0x1008, 0x10010
};
static const uint64_t edges_f16[] = {
    0x0000, 0x8000, 0x3c00, 0xbc01, 0x0001, 0x8400, 0x7c00, 0xfc00, 0x7e01, 0x7bff, 0x83ff, 0x03ff,
    0x0400, 0x7d55, 0xfe00, 0x7fff, 0xfbff, 0x3bff, 0x3c01, 0x8001, 0x3800, 0x3555, 0x4248, 0xc900,
    0x5bff, 0x6400, 0x7800, 0x0200, 0xbc00
};
static const uint64_t edges_bf16[] = {
    0x0000, 0x8000, 0x3f80, 0xbf81, 0x0001, 0x8080, 0x7f80, 0xff80, 0x7fc1, 0x7f7f, 0x807f, 0x007f,
    0x0080, 0x7f81, 0xffc0, 0x7fff, 0xff7f, 0x3f7f, 0x3f81, 0x8001, 0x3f00, 0x3eab, 0x4049, 0xc120,
    0x437f, 0x4f00, 0x7f00, 0x0040, 0xbf80
};
static const uint64_t edges_f32[] = {
    0x00000000, 0x80000000, 0x3f800000, 0xbf800001, 0x00000001, 0x80800000, 0x7f800000, 0xff800000,
    0x7fc12345, 0x7f7fffff, 0x807fffff, 0x007fffff, 0x00800000, 0x7f812345, 0xffc00000, 0x7fffffff,
    0xff7fffff, 0x3f7fffff, 0x3f800001, 0x80000001, 0x3f000000, 0x3eaaaaab, 0x40490fdb, 0xc1200000,
    0x4f000000, 0x4effffff, 0xcf000000, 0x7f000000, 0x00400000, 0xbf800000, 0x3effffff, 0x7e800001
};
static const uint64_t edges_f64[] = {
    0x0000000000000000, 0x8000000000000000, 0x3ff0000000000000, 0xbff0000000000001,
    0x0000000000000001, 0x8010000000000000, 0x7ff0000000000000, 0xfff0000000000000,
    0x7ff8123456789abc, 0x7fefffffffffffff, 0x800fffffffffffff, 0x000fffffffffffff,
    0x0010000000000000, 0x7ff0123456789abc, 0xfff8000000000000, 0x7fffffffffffffff,
    0xffefffffffffffff, 0x3fefffffffffffff, 0x3ff0000000000001, 0x8000000000000001,
    0x3fe0000000000000, 0x3fd5555555555555, 0x400921fb54442d18, 0xc024000000000000,
    0x41e0000000000000, 0x41dfffffffc00000, 0xc1e0000000000000, 0xc1e0000000200000,
    0x43e0000000000000, 0x43dfffffffffffff, 0x36a0000000000000, 0x47efffffefffffff
};
/* Conversions from one floating operand see these besides the type's own: ties, limits of integers
 * and of narrower formats, as f64; converted to f32 by the comparison's and the recorder's same C. */
static const double edges_convert[] = {
    0.5, -0.5, 1.5, 2.5, -1.5, -2.5, 0.49999999999999994, 0.9999999, 1.0000001, 126.5, 127.4, 127.5, 128,
    -128.5, -129, 254.5, 255.5, 256, 32767.5, 32768, -32768.5, -32769, 65503.99, 65519.99, 65520,
    65535.5, 65536, 2147483646.5, 2147483647.5, 2147483648.0, -2147483648.5, -2147483649.0,
    4294967294.5, 4294967295.5, 4294967296.0, 9223372036854774784.0, 9223372036854775808.0,
    -9223372036854775808.0, -9223372036854777856.0, 18446744073709549568.0, 18446744073709551616.0,
    448, 464, 465, 480, 57344, 61440, 61441, 0.0009765625, 0.00097656250001, 0.001953125, 0.015625,
    0.0146484375, 5.9604644775390625e-8, 2.98023223876953125e-8, 2.98023224e-8, 6.1035156e-5,
    6.0975552e-5, 1.00048828125, 1.00146484375, 1.000488281250001, 1.00390625, 1.01171875,
    1.0000000596046448, 1.0000001788139343, 3.4028235677973366e38, 3.4028235e38, 3.3895313892515355e38,
    3.396e38, 1.1754943508222875e-38, 1.1754942807573643e-38, 7.006492321624085e-46,
    7.0064923216240862e-46, 1.401298464324817e-45, 9.183549615799121e-41, 4.591774807899561e-41
};
static const uint64_t edges_fp8x2[] = {
    0x0000, 0x8080, 0x7f7e, 0xfffe, 0x7c7b, 0xfcfb, 0x7d01, 0x0181, 0x3838, 0x4040, 0x0788, 0x0807
};

#define COUNT_OF(list) (sizeof(list) / sizeof((list)[0]))

static inline unsigned edge_count(enum operand_type t)
{
    switch (t) {
    case T_NONE: return 1;
    case T_SHIFT: return COUNT_OF(edges_shift);
    case T_F16: case T_F16X2: return COUNT_OF(edges_f16);
    case T_BF16: case T_BF16X2: return COUNT_OF(edges_bf16);
    case T_F32: case T_ANGLE: return COUNT_OF(edges_f32);
    case T_F64: return COUNT_OF(edges_f64);
    case T_FP8X2: return COUNT_OF(edges_fp8x2);
    default: return COUNT_OF(edges_integer);
    }
}

static inline uint64_t type_truncate(enum operand_type t, uint64_t v)
{
    switch (t) {
    case T_NONE: return 0;
    case T_U8: case T_S8: return v & 0xff;
    case T_U16: case T_S16: case T_F16: case T_BF16: case T_FP8X2: return v & 0xffff;
    case T_U64: case T_S64: case T_F64: return v;
    default: return v & 0xffffffff;
    }
}

static inline uint64_t edge_value(enum operand_type t, unsigned i)
{
    switch (t) {
    case T_NONE: return 0;
    case T_SHIFT: return edges_shift[i];
    case T_F16: return edges_f16[i];
    case T_BF16: return edges_bf16[i];
    /* The other half is another edge value. */
    case T_F16X2: return edges_f16[i] | edges_f16[(i * 7 + 3) % COUNT_OF(edges_f16)] << 16;
    case T_BF16X2: return edges_bf16[i] | edges_bf16[(i * 7 + 3) % COUNT_OF(edges_bf16)] << 16;
    case T_F32: case T_ANGLE: return edges_f32[i];
    case T_F64: return edges_f64[i];
    case T_FP8X2: return edges_fp8x2[i];
    default: return type_truncate(t, edges_integer[i]);
    }
}

/** splitmix64: the state advances by a constant, the output is a mix of it. */
static inline uint64_t random_next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

/** FNV-1a; the seed of a form is that of its name. */
static inline uint64_t hash_bytes(uint64_t h, const void *data, size_t count)
{
    const unsigned char *p = (const unsigned char *)data;
    for (size_t i = 0; i < count; i++)
        h = (h ^ p[i]) * 0x100000001b3;
    return h;
}
#define HASH_START 0xcbf29ce484222325

/** A float of `e` exponent and `f` fraction bits: any bits, near 1, integer-sized, subnormal or short. */
static inline uint64_t random_float(uint64_t *state, int e, int f)
{
    uint64_t r = random_next(state), bits = random_next(state);
    uint64_t sign = bits >> 63 << (e + f), fraction = bits & ((1ull << f) - 1);
    uint64_t bias = (1ull << (e - 1)) - 1, spread = r >> 8;
    switch (r & 7) {
    case 0: case 1:
        return bits >> (63 - e - f);
    case 2: case 3:
        return sign | (bias - 2 + spread % 5) << f | fraction;
    case 4:
        return sign | ((bias - 4 + spread % (e > 5 ? 72 : 20)) & (2 * bias)) << f | fraction;
    case 5:
        return sign | (spread % 3) << f | fraction;
    case 6:   /* few fraction bits: exact results and ties */
        return sign | (bias - 3 + spread % 9) << f | (fraction & ~((1ull << (f - 3)) - 1));
    default:
        return sign | ((bias - f + spread % (2 * (unsigned)f)) & (2 * bias)) << f | fraction;
    }
}

static inline uint64_t random_integer(uint64_t *state)
{
    uint64_t r = random_next(state), bits = random_next(state);
    uint64_t shorter = bits >> (r >> 8) % 64;
    switch (r & 3) {
    case 0: return bits;
    case 1: return shorter;
    case 2: return 0 - shorter;
    default: return bits & random_next(state);
    }
}

static inline uint64_t random_value(enum operand_type t, uint64_t *state)
{
    uint64_t low, high;
    switch (t) {
    case T_NONE: return 0;
    case T_SHIFT:
        low = random_next(state);
        return low & 3 ? (low >> 8) % 71 : low >> 32;
    case T_F16: return random_float(state, 5, 10);
    case T_BF16: return random_float(state, 8, 7);
    case T_F16X2:
        low = random_float(state, 5, 10);
        high = random_float(state, 5, 10);
        return low | high << 16;
    case T_BF16X2:
        low = random_float(state, 8, 7);
        high = random_float(state, 8, 7);
        return low | high << 16;
    case T_F32: return random_float(state, 8, 23);
    case T_F64: return random_float(state, 11, 52);
    case T_ANGLE:   /* exponents 2^-24 to 2^8 */
        low = random_next(state);
        return (low & 0x80000000) | (103 + (low >> 40) % 33) << 23 | (low & 0x7fffff);
    default: return type_truncate(t, random_integer(state));
    }
}

/** A form as both programs see it. */
struct form {
    const char *name;
    enum operand_type result, operand[3];
    int check;   /**< enum form_check */
};

/** How a result may differ from a GPU's; the bounds are the PTX ISA's (see test_gpu_truth.c). */
enum form_check {
    CHECK_EXACT,
    CHECK_ULP1, CHECK_ULP2,                 /**< units in the last place of f32 */
    CHECK_LG2, CHECK_SIN, CHECK_TANH,       /**< f32 */
    CHECK_F64_UPPER, CHECK_F64_ULP2,        /**< f64: relative 2^-20; units in the last place */
    CHECK_HALF_EX2, CHECK_HALF_TANH,        /**< f16 and bf16, each value */
};

static inline unsigned form_edges(const struct form *f, unsigned operand)
{
    unsigned count = edge_count(f->operand[operand]);
    unsigned most = f->operand[1] == T_NONE && f->operand[2] == T_NONE ? count
                  : f->operand[2] == T_NONE                            ? EDGES_OF_TWO
                                                                       : EDGES_OF_THREE;
    return count > most ? most : count;
}

/** Float operand alone: the list of conversion edges is added. */
static inline unsigned form_extra(const struct form *f)
{
    enum operand_type t = f->operand[0];
    int is_float = t == T_F16 || t == T_BF16 || t == T_F32 || t == T_F64;
    return f->operand[1] == T_NONE && is_float && t >= T_F32 ? COUNT_OF(edges_convert) : 0;
}

static inline unsigned form_stored(const struct form *f)
{
    unsigned random = f->check == CHECK_EXACT ? RANDOM_FULL : RANDOM_APPROX;
    return form_edges(f, 0) * form_edges(f, 1) * form_edges(f, 2) + form_extra(f) + random;
}

static inline unsigned form_hashed(const struct form *f)
{
    return f->check == CHECK_EXACT ? RANDOM_HASHED : 0;
}

static inline uint64_t convert_edge(enum operand_type t, unsigned i)
{
    uint64_t bits = 0;
    if (t == T_F64) {
        __builtin_memcpy(&bits, &edges_convert[i], 8);
    } else {
        float single = (float)edges_convert[i];
        __builtin_memcpy(&bits, &single, 4);
    }
    return bits;
}

/** Fills operand[k][i] for every case; the arrays hold form_stored() + form_hashed() values. */
static inline void form_operands(const struct form *f, uint64_t *operand[3])
{
    unsigned n0 = form_edges(f, 0), n1 = form_edges(f, 1), n2 = form_edges(f, 2);
    unsigned i = 0, total = form_stored(f) + form_hashed(f);
    for (unsigned a = 0; a < n0; a++)
        for (unsigned b = 0; b < n1; b++)
            for (unsigned c = 0; c < n2; c++, i++) {
                operand[0][i] = edge_value(f->operand[0], a);
                operand[1][i] = edge_value(f->operand[1], b);
                operand[2][i] = edge_value(f->operand[2], c);
            }
    for (unsigned e = 0; e < form_extra(f); e++, i++) {
        operand[0][i] = convert_edge(f->operand[0], e);
        operand[1][i] = operand[2][i] = 0;
    }
    size_t length = 0;
    while (f->name[length])
        length++;
    uint64_t state = hash_bytes(HASH_START, f->name, length);
    for (; i < total; i++)
        for (int k = 0; k < 3; k++)
            operand[k][i] = random_value(f->operand[k], &state);
}

#endif
