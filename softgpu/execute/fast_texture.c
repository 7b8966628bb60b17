/**
 * @file fast_texture.c
 * Texture fetches without observers by lanes that all use one object of one level, which lies wholly in one allocation: coordinates, weights and
 * blends of floats are made for all lanes at once, by what texture_place.c and texture_filter.c say lane by lane: the same bits.
 */
#include "execute/fast_texture.h"

#include <float.h>
#include <math.h>

#include "base/vectors.h"
#include "code/image_descriptions.h"
#include "execute/access.h"
#include "execute/texture_place.h"
#include "execute/texture_value.h"
#include "execute/traffic.h"

#pragma GCC optimize("O3")
#define INLINE static inline __attribute__((always_inline))

#define CORNERS 8
#define FAR (1 << 30)             /* in 256ths of a texel: beyond every texture */
#define MOST_TEXELS (1 << 20)     /* along an axis */
#define INFINITE 0x7f800000u
#define LEAST_NORMAL 0x00800000u

/** One axis of the cells. */
struct axes {
    int32_t texel[2][WARP_LANES]; /**< -1: the border */
    int32_t fraction[WARP_LANES];
};

/** What counts of each lane's cell, in the order of its corners. */
struct cell_taps {
    int32_t count[WARP_LANES], most;
    int32_t at[CORNERS][WARP_LANES];      /**< bytes from the first texel; negative: the border */
    int32_t weight[CORNERS][WARP_LANES];  /**< 0 behind the last */
};

/* ---- places */

/** Brings a texel that is at most one beyond either end of a period to where it is. */
INLINE int32_t addressed(int32_t i, int32_t n, enum texture_address mode)
{
    int32_t period = mode == ADDRESS_MIRROR ? 2 * n : n;
    if (mode == ADDRESS_BORDER)
        return i < 0 || i >= n ? -1 : i;
    if (mode == ADDRESS_CLAMP)
        return i < 0 ? 0 : i >= n ? n - 1 : i;
    i = i < 0 ? i + period : i;
    i = i >= period ? i - period : i;
    i = i >= period ? i - period : i; /* one texel alone is one period */
    return mode == ADDRESS_MIRROR && i >= n ? period - 1 - i : i;
}

INLINE double near_zero(double at)
{
    return fabs(at) < FLT_MIN ? 0 : at;
}

/** Where on an axis a lane's fetch is, in 256ths of a texel, as texture_place.c's texel_at() of periodic(). */
INLINE int32_t fixed_at(float coordinate, int32_t n, enum texture_address mode, bool linear, bool normalised)
{
    double at = near_zero(coordinate);
    if (mode == ADDRESS_WRAP)
        at = near_zero(at - floor(at));
    if (mode == ADDRESS_MIRROR)
        at = near_zero(at - 2 * floor(at / 2));
    if (normalised)
        at = floor(at * (1 << 21)) * n / (1 << 21);
    at = linear ? floor(at * TEXTURE_ONE + 0.5) : floor(at) * TEXTURE_ONE;
    at = at == at ? at : 0;
    at = at > FAR ? FAR : at < -FAR ? -FAR : at;
    return (int32_t)at - (linear ? TEXTURE_ONE / 2 : 0);
}

INLINE void axis_by(const float *coordinate, int32_t n, enum texture_address mode, bool linear, bool normalised, struct axes *x)
{
    int32_t last = (n - 1) * TEXTURE_ONE + (linear ? 0 : TEXTURE_ONE - 1);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        int32_t k = fixed_at(coordinate[lane], n, mode, linear, normalised);
        if (mode == ADDRESS_CLAMP)
            k = k < 0 ? 0 : k > last ? last : k;
        x->fraction[lane] = linear ? k & (TEXTURE_ONE - 1) : 0;
        x->texel[0][lane] = addressed(k >> 8, n, mode);
        x->texel[1][lane] = addressed((k >> 8) + 1, n, mode);
    }
}

/** Wrapped and mirrored coordinates are normalised. */
INLINE void axis_of(const struct texture *t, int axis, const float *coordinate, struct axes *x)
{
    int32_t n = (int32_t)t->level[0].size[axis];
    bool linear = t->linear;
    enum texture_address mode = t->address[axis];
    if (mode == ADDRESS_BORDER && t->normalised)
        axis_by(coordinate, n, ADDRESS_BORDER, linear, true, x);
    else if (mode == ADDRESS_BORDER)
        axis_by(coordinate, n, ADDRESS_BORDER, linear, false, x);
    else if (!t->normalised)
        axis_by(coordinate, n, ADDRESS_CLAMP, linear, false, x);
    else if (mode == ADDRESS_WRAP)
        axis_by(coordinate, n, ADDRESS_WRAP, linear, true, x);
    else if (mode == ADDRESS_MIRROR)
        axis_by(coordinate, n, ADDRESS_MIRROR, linear, true, x);
    else
        axis_by(coordinate, n, ADDRESS_CLAMP, linear, true, x);
}

INLINE int32_t share(int32_t whole, int32_t fraction)
{
    return (whole * fraction + TEXTURE_ONE / 2) >> 8;
}

/** texture_weights() of every lane. */
INLINE void weigh(const struct axes x[3], int32_t weight[CORNERS][WARP_LANES])
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        for (unsigned i = 0; i < 2; i++) {
            int32_t far = x[2].fraction[lane], z = i ? far : TEXTURE_ONE - far;
            int32_t right = share(z, x[0].fraction[lane]), left = z - right;
            int32_t near = share(left, TEXTURE_ONE - x[1].fraction[lane]), right_far = share(right, x[1].fraction[lane]);
            weight[4 * i][lane] = near;
            weight[4 * i + 1][lane] = right - right_far;
            weight[4 * i + 2][lane] = left - near;
            weight[4 * i + 3][lane] = right_far;
        }
}

/** Bytes from the first texel to a corner of each lane's cell. */
INLINE void corner_of(const struct texture *t, const struct axes x[3], const int32_t *layer, unsigned corner, int32_t at[WARP_LANES])
{
    const struct texture_level *l = &t->level[0];
    int32_t bytes = t->channels * t->bytes, pitch = (int32_t)l->pitch, slice = (int32_t)l->slice;
    const int32_t *column = x[0].texel[corner & 1], *row = x[1].texel[corner >> 1 & 1], *plane = x[2].texel[corner >> 2];
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        int32_t border = (column[lane] | row[lane] | plane[lane]) < 0 ? -1 : 0;
        uint32_t planes = (uint32_t)(plane[lane] + layer[lane]) * (uint32_t)slice;
        at[lane] = (int32_t)(planes + (uint32_t)row[lane] * (uint32_t)pitch + (uint32_t)column[lane] * (uint32_t)bytes) | border;
    }
}

/** Leaves out the corners that do not count. */
INLINE void gather_taps(uint32_t mask, unsigned corners, int32_t at[CORNERS][WARP_LANES], int32_t weight[CORNERS][WARP_LANES], struct cell_taps *taps)
{
    memset(taps->weight, 0, sizeof taps->weight);
    taps->most = 0;
    FOR_LANES(lane, mask)
    {
        int32_t n = 0;
        for (unsigned i = 0; i < corners; i++) {
            taps->at[n & (CORNERS - 1)][lane] = n < CORNERS ? at[i][lane] : 0;
            taps->weight[n & (CORNERS - 1)][lane] = weight[i][lane];
            n += weight[i][lane] != 0;
        }
        taps->count[lane] = n;
        taps->most = n > taps->most ? n : taps->most;
    }
}

INLINE void place_taps(const struct texture *t, uint32_t mask, const float *const coordinate[3], const int32_t *layer, struct cell_taps *taps)
{
    static const struct axes none;
    struct axes x[3];
    int axes = t->dimensions < 2 ? 2 : t->dimensions;
    for (int i = 0; i < axes; i++)
        axis_of(t, i, coordinate[i], &x[i]);
    if (axes < 3)
        x[2] = none;
    if (!t->linear) {
        corner_of(t, x, layer, 0, taps->at[0]);
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            taps->count[lane] = 1;
            taps->weight[0][lane] = TEXTURE_ONE;
        }
        taps->most = 1;
        return;
    }
    int32_t at[CORNERS][WARP_LANES], weight[CORNERS][WARP_LANES];
    unsigned corners = axes < 3 ? 4 : 8;
    weigh(x, weight);
    for (unsigned i = 0; i < corners; i++)
        corner_of(t, x, layer, i, at[i]);
    gather_taps(mask, corners, at, weight, taps);
}

/** What the taps cost: each one of all lanes that have it is a load. */
INLINE void note_taps(struct warp *w, const uint8_t *host, const struct cell_taps *taps)
{
    for (int n = 0; n < taps->most; n++) {
        uintptr_t last = 0;
        uint64_t sectors = 0;
        FOR_LANES(lane, w->mask)
        {
            if (n >= taps->count[lane] || taps->at[n][lane] < 0)
                continue;
            uintptr_t here = (uintptr_t)(host + taps->at[n][lane]) >> SECTOR_BITS;
            sectors += here != last;
            last = here;
        }
        w->worker->loads += sectors != 0;
        w->worker->moved += sectors << SECTOR_BITS;
    }
}

/* ---- values */

static uint32_t value_of(const struct texture *t, const uint8_t *host, const struct cell_taps *taps, unsigned lane, int channel)
{
    const uint8_t *texel[CORNERS];
    uint16_t weight[CORNERS];
    for (int n = 0; n < taps->count[lane]; n++) {
        texel[n] = taps->at[n][lane] < 0 ? NULL : host + taps->at[n][lane];
        weight[n] = (uint16_t)taps->weight[n][lane];
    }
    return texture_value(t, texel, weight, taps->count[lane], channel);
}

/** texture_blend() to 24 bits of a lane's floats, given as bits, of which the largest is normal and finite. */
INLINE uint32_t blended(const uint32_t value[CORNERS][WARP_LANES], const struct cell_taps *taps, unsigned lane, uint32_t largest)
{
    int32_t most = (int32_t)(largest >> 23) - 126;
    double scale = power_of_two(28 - most), sum = 0;
    for (int n = 0; n < taps->most; n++) {
        float v;
        memcpy(&v, &value[n][lane], sizeof v);
        sum += (double)((int32_t)(v * scale) * (int64_t)taps->weight[n][lane]);
    }
    uint64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    int32_t e = (int32_t)(bits >> 52 & 0x7ff) - 1022;
    double kept = (double)(int64_t)(fabs(sum) * power_of_two(24 - e) + 0.5) * power_of_two(e - 24) * power_of_two(most - 36);
    float v = (float)(sum < 0 ? -kept : sum > 0 ? kept : 0);
    uint32_t out;
    memcpy(&out, &v, sizeof out);
    return out;
}

/** A channel of floats of 32 bits, filtered. */
INLINE void blend_floats(const struct texture *t, uint32_t mask, const uint8_t *host, const struct cell_taps *taps, int channel, uint32_t *out)
{
    uint32_t value[CORNERS][WARP_LANES], largest[WARP_LANES] = {0}, border;
    memcpy(&border, &t->border[channel], sizeof border);
    FOR_LANES(lane, mask)
    {
        for (int n = 0; n < taps->most; n++) {
            bool counts = n < taps->count[lane];
            int32_t at = counts ? taps->at[n][lane] : -1;
            value[n][lane] = counts ? border : 0;
            if (at >= 0)
                memcpy(&value[n][lane], host + at + 4 * channel, 4);
            uint32_t size = value[n][lane] & ~(1u << 31);
            largest[lane] = size > largest[lane] ? size : largest[lane];
        }
        if (taps->count[lane] == 1 && taps->at[0][lane] >= 0)
            out[lane] = value[0][lane];
        else if (largest[lane] >= LEAST_NORMAL && largest[lane] < INFINITE)
            out[lane] = blended(value, taps, lane, largest[lane]);
        else
            out[lane] = largest[lane] ? value_of(t, host, taps, lane, channel) : 0;
    }
}

INLINE void values(const struct texture *t, uint32_t mask, const uint8_t *host, const struct cell_taps *taps, uint32_t result[4][WARP_LANES])
{
    for (int c = 0; c < 4; c++)
        if (c >= t->channels)
            memset(result[c], 0, sizeof result[c]);
        else if (t->bytes == 4 && t->kind == CHANNELS_FLOAT)
            blend_floats(t, mask, host, taps, c, result[c]);
        else
            FOR_LANES(lane, mask)
            {
                result[c][lane] = value_of(t, host, taps, lane, c);
            }
}

/* ---- the whole */

/** Where the host has the texture; NULL: not in one piece, or not as it is needed here. */
static const uint8_t *host_of(struct warp *w, const struct texture *t)
{
    const struct texture_level *l = &t->level[0];
    uint64_t texel = (uint64_t)t->channels * t->bytes, planes = t->layered ? t->layers : l->size[2];
    if (l->size[0] > MOST_TEXELS || l->size[1] > MOST_TEXELS || l->pitch > INT32_MAX || l->slice > INT32_MAX || ((l->base | l->pitch | l->slice) & (texel - 1)))
        return NULL;
    uint64_t span = (planes - 1) * l->slice + (l->size[1] - 1) * l->pitch + l->size[0] * texel;
    return span <= INT32_MAX ? global_host_any(w->worker, l->base, span) : NULL;
}

INLINE void fetch(struct warp *w, const struct image_desc *d, const struct texture *t, const uint8_t *host, uint32_t result[4][WARP_LANES])
{
    static const float nowhere[WARP_LANES];
    const float *coordinate[3];
    struct cell_taps taps;
    int32_t layer[WARP_LANES] = {0};
    for (int i = 0; i < 3; i++)
        coordinate[i] = d->reg[IMAGE_COORDINATE + i] == REG_NONE ? nowhere : warp_reg(w, d->reg[IMAGE_COORDINATE + i]);
    if (t->layered && d->reg[IMAGE_LAYER] != REG_NONE) {
        const uint32_t *asked = warp_reg(w, d->reg[IMAGE_LAYER]);
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            layer[lane] = (int32_t)(asked[lane] < t->layers ? asked[lane] : t->layers - 1);
    }
    place_taps(t, w->mask, coordinate, layer, &taps);
    note_taps(w, host, &taps);
    values(t, w->mask, host, &taps, result);
}

static void fetch_any(struct warp *w, const struct image_desc *d, const struct texture *t, const uint8_t *host, uint32_t result[4][WARP_LANES])
{
    fetch(w, d, t, host, result);
}

#ifdef __x86_64__
USES_VECTORS("avx2") static void fetch_avx2(struct warp *w, const struct image_desc *d, const struct texture *t, const uint8_t *host, uint32_t result[4][WARP_LANES])
{
    fetch(w, d, t, host, result);
}
#else
#define fetch_avx2 fetch_any
#endif

bool fast_texture(struct warp *w, const struct insn *in, const struct texture *t, uint32_t result[4][WARP_LANES])
{
    const struct image_desc *d = in->extra;
    const uint8_t *host;
    for (int i = 0; i < 3; i++)
        if (d->reg[IMAGE_OFFSET + i] != REG_NONE)
            return false;
    if (d->gathers || d->whole || t->cube || t->levels != 1 || t->resource == TEXTURE_LINEAR || !(host = host_of(w, t)))
        return false;
    (vectors_level() >= VECTORS_AVX2 ? fetch_avx2 : fetch_any)(w, d, t, host, result);
    return true;
}
