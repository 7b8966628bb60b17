/**
 * @file texture_filter.h
 * What a texture unit computes: weights of 8 bits, and texels blended by them.
 *
 * Where the CUDA guide leaves things open, the rules are an H200's, as its results tell
 * (tests/runtime/texture_facts.gpu.txt, of which softgpu's are the same bits).
 */
#ifndef SOFTGPU_EXECUTE_NUMERICS_TEXTURE_FILTER_H
#define SOFTGPU_EXECUTE_NUMERICS_TEXTURE_FILTER_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define TEXTURE_ONE 256 /**< the whole weight */
#define TEXTURE_TAPS 16

/** 2^e, a normal number. */
static inline __attribute__((always_inline)) double power_of_two(int e)
{
    uint64_t bits = (uint64_t)(1023 + e) << 52;
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

/** A coordinate in 256ths of a texel, to the nearest; what is no number is 0, what is far away stays far away. */
int64_t texture_fixed(double coordinate);
/** Shares `total` among the eight corners of a cell at fractions of 256: bit 0 of a corner is x, then y, then z. */
void texture_weights(int total, const int fraction[3], uint16_t weight[8]);
/** The sum of values times weights of 256; `bits` of the result's significand are kept. */
float texture_blend(const float *value, const uint16_t *weight, int count, int bits);
/** The same of whole numbers of which `one` stands for 1; the result is a fraction of `most`. */
float texture_blend_whole(const int32_t *value, const uint16_t *weight, int count, int32_t one, int32_t most);
/** A byte of an sRGB texture as light. */
float texture_linear_of_srgb(uint8_t byte);

#endif
