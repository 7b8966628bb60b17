/**
 * @file texture_value.c
 * See texture_value.h.
 */
#include "execute/texture_value.h"

#include "execute/lane_values.h"
#include "execute/numerics/convert.h"
#include "execute/numerics/texture_filter.h"

/** A channel as it lies in memory, or the border's colour in the same form: the low bits of its float's. */
static uint64_t channel_bits(const struct texture *t, const uint8_t *texel, int channel)
{
    if (texel)
        return read_bytes(texel + channel * t->bytes, t->bytes);
    uint32_t bits;
    memcpy(&bits, &t->border[channel], sizeof bits);
    return bits;
}

static int64_t whole_value(const struct texture *t, uint64_t bits)
{
    unsigned shift = 64 - 8u * t->bytes;
    return t->kind == CHANNELS_SIGNED ? (int64_t)(bits << shift) >> shift : (int64_t)(bits << shift >> shift);
}

/** What stands for 1 in so many bytes. */
static int32_t most_of(const struct texture *t, int bytes)
{
    return (1 << (8 * bytes - (t->kind == CHANNELS_SIGNED))) - 1;
}

static int32_t fraction_value(const struct texture *t, const uint8_t *texel, int channel)
{
    int32_t most = most_of(t, t->bytes), least = t->kind == CHANNELS_SIGNED ? -most : 0;
    if (!texel) {
        float v = t->border[channel] * (float)most;
        return v >= (float)most ? most : v <= (float)least ? least : v == v ? (int32_t)v : 0;
    }
    int64_t v = whole_value(t, read_bytes(texel + channel * t->bytes, t->bytes));
    if (t->linear && t->bytes == 1)
        return (int32_t)v; /* -128 counts as itself, until it is a result */
    return v < least ? least : (int32_t)v;
}

static float real_value(const struct texture *t, const uint8_t *texel, int channel)
{
    float v = t->border[channel];
    uint32_t bits;
    if (!texel)
        return v;
    bits = t->bytes == 2 ? f32_of_f16((uint16_t)read_bytes(texel + channel * 2, 2)) : (uint32_t)read_bytes(texel + channel * 4, 4);
    memcpy(&v, &bits, sizeof v);
    return v;
}

/** One channel of some taps, filtered. @return the bits of the result */
static uint32_t filtered(const struct texture *t, const uint8_t *const *texel, const uint16_t *weight, int count, int channel)
{
    float real[TEXTURE_TAPS], v;
    int32_t whole[TEXTURE_TAPS];
    uint32_t bits;
    bool srgb = t->srgb && channel < 3;
    bool halves = srgb || (t->bytes == 2 && t->linear);
    for (int i = 0; i < count; i++) {
        if (!t->as_float)
            real[i] = real_value(t, texel[i], channel);
        else
            whole[i] = fraction_value(t, texel[i], channel);
        if (srgb)
            real[i] = texture_linear_of_srgb((uint8_t)whole[i]);
    }
    if (!t->as_float || srgb)
        v = texture_blend(real, weight, count, halves ? 11 : 24);
    else
        v = texture_blend_whole(whole, weight, count, most_of(t, t->bytes), most_of(t, t->linear ? 2 : t->bytes));
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

uint32_t texture_value(const struct texture *t, const uint8_t *const *texel, const uint16_t *weight, int count, int channel)
{
    if (channel >= t->channels || !count)
        return 0;
    if (!t->as_float && (t->kind != CHANNELS_FLOAT || (t->bytes == 4 && count == 1 && texel[0])))
        return (uint32_t)whole_value(t, channel_bits(t, texel[0], channel));
    return filtered(t, texel, weight, count, channel);
}
