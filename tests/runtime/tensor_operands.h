// What tensor_facts.cu and wgmma_facts.cu share: operands, drawn from a fixed seed, and lines of hashes.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

enum kind { F16, BF16, TF32, F32, F64, E4M3, E5M2, S32, BITS, H, T };

static uint64_t state;
static uint64_t draw()
{
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}
static unsigned below(unsigned n)
{
    return (unsigned)(draw() >> 32) % n;
}

struct format { int exponent, fraction; }; // bits
static format format_of(kind k)
{
    switch (k) {
    case F16: return {5, 10};
    case BF16: return {8, 7};
    case F64: return {11, 52};
    case E4M3: return {4, 3};
    case E5M2: return {5, 2};
    default: return {8, 23};
    }
}

// A number of a format: around 1 times two to the power of `around`, within `spread` to both sides.
static uint64_t number(format f, int around, int spread)
{
    int bias = (1 << (f.exponent - 1)) - 1, most = 2 * bias;
    int e = bias + around + (int)below(2 * (unsigned)spread + 1) - spread;
    e = e < 0 ? 0 : e > most ? most : e;
    uint64_t fraction = draw() & ((1ull << f.fraction) - 1);
    return (below(2) << 0 ? 1ull << (f.exponent + f.fraction) : 0) | (uint64_t)e << f.fraction | fraction;
}

static uint64_t special(format f)
{
    uint64_t top = (uint64_t)((1 << f.exponent) - 1) << f.fraction, sign = (uint64_t)below(2) << (f.exponent + f.fraction);
    return sign | top | (below(2) ? 0 : below(2) ? 1ull << (f.fraction - 1) : 1);
}

enum { STYLES = 10 };

// Styles: 0 near one; 1 any exponent; 2 spread; 3 subnormal and small; 4 with infinities and NaNs; 5 that cancel;
// 6 mostly zeros of both signs; 7 any bits; 8 spread far, few; 9 small against a large addend.
static uint64_t element(kind k, int style, bool addend)
{
    format f = format_of(k);
    int bias = (1 << (f.exponent - 1)) - 1, sign = f.exponent + f.fraction;
    uint64_t one = (uint64_t)bias << f.fraction, minus = (uint64_t)below(2) << sign;
    if (k == S32)
        return style == 0 ? draw() & 0xffff : style == 1 ? 0x7fffff00 + below(256) : style == 2 ? 0x80000000 + below(256)
               : (uint32_t)draw();
    if (k == BITS)
        return style == 6 ? draw() & draw() & draw() : style == 1 ? 0x7f7f7f7f : style == 2 ? 0x80808080 | draw() : draw();
    switch (style) {
    case 0: return number(f, 0, 2);
    case 1: return number(f, 0, bias);
    case 2: return number(f, 0, f.exponent > 5 ? 12 : bias / 2);
    case 3: return addend || below(2) ? number(f, 1 - bias, 1) : number(f, -bias / 2, bias / 2);
    case 4: return below(16) ? below(8) ? number(f, 0, 2) : minus : special(f);
    case 5: return below(8) ? minus | (one + below(4)) : minus | (one + ((uint64_t)(bias / 3) << f.fraction));
    case 6: return below(8) ? minus : number(f, 0, 3);
    case 7: return draw();
    case 8: return below(4) ? minus : number(f, 0, f.exponent > 5 ? 30 : bias);
    default: return addend ? number(f, f.exponent > 5 ? 8 : 4, 4) : number(f, -3, 3);
    }
}

static unsigned bits_of(kind k)
{
    return k == F16 || k == BF16 ? 16 : k == E4M3 || k == E5M2 ? 8 : k == F64 ? 64 : 32;
}

// `bytes` bytes of elements.
static void fill(void *to, size_t bytes, kind k, int style, bool addend)
{
    unsigned size = bits_of(k) / 8;
    for (size_t at = 0; at < bytes; at += size) {
        uint64_t v = element(k, style, addend);
        memcpy((char *)to + at, &v, size);
    }
}

// ---- Results

static FILE *dump;
static uint32_t hash_of(const void *p, size_t bytes)
{
    uint32_t h = 2166136261;
    for (size_t i = 0; i < bytes; i++)
        h = (h ^ ((const uint8_t *)p)[i]) * 16777619;
    return h;
}

static void check(cudaError_t e, const char *name)
{
    if (e == cudaSuccess)
        return;
    printf("%s: %s\n", name, cudaGetErrorString(e));
    exit(1);
}

// Two NaNs are different where their bits are: tensor cores give one NaN only, but for double precision.
static void say(const char *name, int part, const void *p, size_t bytes)
{
    if (part == 0)
        printf("%s:", name);
    printf(" %08x", hash_of(p, bytes));
    if (dump)
        fwrite(p, 1, bytes, dump);
}
