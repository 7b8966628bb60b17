/**
 * @file texture_filter.c
 * See texture_filter.h.
 */
#include "execute/numerics/texture_filter.h"

#include <math.h>

#define FAR ((int64_t)1 << 40)
#define GUARD_BITS 4
#define HALF_BITS 11
#define HALF_LEAST (-13)

int64_t texture_fixed(double coordinate)
{
    double v = floor(coordinate * TEXTURE_ONE + 0.5);
    return v >= FAR ? FAR : v <= -FAR ? -FAR : v == v ? (int64_t)v : 0;
}

static int share(int whole, int fraction)
{
    return (whole * fraction + TEXTURE_ONE / 2) / TEXTURE_ONE;
}

/* First along z, each half along x, each quarter along y: what is rounded up differs from side to side. */
void texture_weights(int total, const int fraction[3], uint16_t weight[8])
{
    int z[2] = {0, share(total, fraction[2])};
    z[0] = total - z[1];
    for (int i = 0; i < 2; i++) {
        int right = share(z[i], fraction[0]), left = z[i] - right;
        int left_near = share(left, TEXTURE_ONE - fraction[1]), right_far = share(right, fraction[1]);
        weight[4 * i] = (uint16_t)left_near;
        weight[4 * i + 1] = (uint16_t)(right - right_far);
        weight[4 * i + 2] = (uint16_t)(left - left_near);
        weight[4 * i + 3] = (uint16_t)right_far;
    }
}

/** Half away from zero, to so many bits of a significand. */
static double round_to(double v, int bits)
{
    int e;
    frexp(v, &e);
    if (bits == HALF_BITS && e < HALF_LEAST)
        e = HALF_LEAST; /* a half that is no normal one */
    double scale = ldexp(1, bits - e), r = floor(fabs(v) * scale + 0.5) / scale;
    return v < 0 ? -r : r;
}

/* The values that count are cut to a few bits below the significand of the largest; then all is exact. */
float texture_blend(const float *value, const uint16_t *weight, int count, int bits)
{
    int most = -1000, e;
    double sum = 0;
    for (int i = 0; i < count; i++) {
        if (!weight[i] || value[i] == 0)
            continue;
        if (!isfinite(value[i])) {
            sum += (double)value[i];
            continue;
        }
        frexpf(value[i], &e);
        most = e > most ? e : most;
    }
    if (sum != 0 || sum != sum || most == -1000)
        return (float)sum;
    for (int i = 0; i < count; i++)
        if (weight[i])
            sum += ldexp(trunc(ldexp(value[i], bits + GUARD_BITS - most)), most - bits - GUARD_BITS) * weight[i];
    return sum == 0 ? 0 : (float)round_to(sum / TEXTURE_ONE, bits);
}

/* To the nearest value of 16 bits. */
float texture_blend_whole(const int32_t *value, const uint16_t *weight, int count, int32_t one, int32_t most)
{
    int64_t sum = 0;
    for (int i = 0; i < count; i++)
        sum += (int64_t)value[i] * weight[i];
    return (float)(floor((double)sum * most / ((double)one * TEXTURE_ONE) + 0.5) / most);
}

int32_t texture_linear_of_srgb(uint8_t byte)
{
    double c = byte / 255.0;
    return (int32_t)floor((c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4)) * 65535 + 0.5);
}
