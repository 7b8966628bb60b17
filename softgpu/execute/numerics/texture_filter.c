/**
 * @file texture_filter.c
 * See texture_filter.h.
 */
#include "execute/numerics/texture_filter.h"

#include <math.h>
#include <string.h>

#define FAR ((int64_t)1 << 40)
#define GUARD_BITS 4
#define HALF_BITS 11
#define HALF_LEAST (-13)

int64_t texture_fixed(double coordinate)
{
    double v = coordinate * TEXTURE_ONE + 0.5;
    if (fabs(v) < (double)FAR)
        return (int64_t)v - (v < (double)(int64_t)v);
    return v > 0 ? FAR : v < 0 ? -FAR : 0;
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

/** floor() of what fits in an int64_t. */
static double floor_of(double v)
{
    int64_t whole = (int64_t)v;
    return (double)(whole - (v < (double)whole));
}

/** The exponent as frexp() has it, of a normal number. */
static int exponent_of(double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return (int)(bits >> 52 & 0x7ff) - 1022;
}

/** Half away from zero, to so many bits of a significand. */
static double round_to(double v, int bits)
{
    int e = exponent_of(v);
    if (bits == HALF_BITS && e < HALF_LEAST)
        e = HALF_LEAST; /* a half that is no normal one */
    double r = floor_of(fabs(v) * power_of_two(bits - e) + 0.5) * power_of_two(e - bits);
    return v < 0 ? -r : r;
}

/* The values that count are cut to a few bits below the significand of the largest; then all is exact: whole numbers of at most 28 bits, times weights.
 * Doubles hold every float as a normal number, so that powers of two are exact, too. */
float texture_blend(const float *value, const uint16_t *weight, int count, int bits)
{
    double largest = 0, sum = 0;
    for (int i = 0; i < count; i++) {
        if (!weight[i])
            continue;
        if (value[i] != value[i])
            sum = (double)value[i]; /* the last one's payload stays */
        else if (!isfinite(value[i]))
            sum += (double)value[i];
        else if (fabs((double)value[i]) > largest)
            largest = fabs((double)value[i]);
    }
    if (sum != 0 || sum != sum || largest == 0)
        return (float)sum;
    int most = exponent_of(largest);
    double scale = power_of_two(bits + GUARD_BITS - most);
    int64_t whole = 0;
    for (int i = 0; i < count; i++)
        if (weight[i])
            whole += (int64_t)((double)value[i] * scale) * weight[i];
    return whole ? (float)round_to((double)whole * power_of_two(most - bits - GUARD_BITS) / TEXTURE_ONE, bits) : 0;
}

/* To the nearest value of 16 bits. */
float texture_blend_whole(const int32_t *value, const uint16_t *weight, int count, int32_t one, int32_t most)
{
    int64_t sum = 0;
    for (int i = 0; i < count; i++)
        sum += (int64_t)value[i] * weight[i];
    double rounded = floor_of((double)sum * most / ((double)one * TEXTURE_ONE) + 0.5);
    return (float)((rounded < -most ? -most : rounded) / most);
}

/** As an H200 gave them, in 131072ths. */
static const int32_t linear_of_srgb[256] = {
    0, 40, 80, 120, 160, 200, 240, 280, 320, 360, 400, 440, 480, 528, 576, 624,
    680, 736, 792, 856, 920, 984, 1048, 1120, 1200, 1272, 1352, 1440, 1520, 1608, 1704, 1792,
    1888, 2000, 2096, 2208, 2320, 2432, 2544, 2656, 2784, 2912, 3040, 3168, 3296, 3440, 3584, 3728,
    3872, 4032, 4192, 4352, 4512, 4672, 4832, 4992, 5184, 5376, 5536, 5728, 5920, 6112, 6304, 6528,
    6720, 6912, 7168, 7360, 7552, 7808, 8000, 8256, 8512, 8704, 8960, 9216, 9472, 9728, 9984, 10240,
    10496, 10816, 11072, 11328, 11648, 11904, 12224, 12480, 12800, 13120, 13376, 13696, 14016, 14336, 14656, 14976,
    15360, 15616, 16000, 16384, 16640, 17024, 17408, 17792, 18176, 18560, 18944, 19328, 19712, 20096, 20480, 20864,
    21248, 21632, 22016, 22528, 22912, 23296, 23808, 24192, 24576, 25088, 25472, 25984, 26368, 26880, 27392, 27776,
    28288, 28800, 29312, 29696, 30208, 30720, 31232, 31744, 32256, 32768, 33280, 33792, 34304, 34816, 35328, 36096,
    36608, 37120, 37632, 38144, 38912, 39424, 39936, 40448, 41216, 41728, 42240, 43008, 43520, 44288, 44800, 45568,
    46080, 46592, 47360, 48128, 48640, 49408, 49920, 50688, 51200, 51968, 52736, 53504, 54016, 54784, 55552, 56064,
    56832, 57600, 58368, 59136, 59904, 60672, 61440, 61952, 62976, 63488, 64512, 65024, 66048, 66560, 67584, 68096,
    69120, 70144, 70656, 71680, 72192, 73216, 74240, 74752, 75776, 76800, 77312, 78336, 79360, 79872, 80896, 81920,
    82432, 83456, 84480, 85504, 86528, 87040, 88064, 89088, 90112, 91136, 91648, 92672, 93696, 94720, 95744, 96768,
    97792, 98816, 99840, 100864, 101888, 102912, 103936, 104960, 105984, 107008, 108032, 109056, 110080, 111104, 112128, 113152,
    114176, 115200, 116224, 117248, 118784, 119808, 120832, 121856, 122880, 123904, 124928, 125952, 128000, 129024, 130048, 131072,
};

float texture_linear_of_srgb(uint8_t byte)
{
    return (float)linear_of_srgb[byte] / 131072;
}
