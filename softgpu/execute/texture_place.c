/**
 * @file texture_place.c
 * See texture_place.h. Address modes: CUDA C++ Programming Guide, "Texture Object API" and "Texture Fetching".
 */
#include "code/image_descriptions.h"
#include "execute/texture_place.h"

#include <float.h>
#include <math.h>

#define FRACTION_BITS 21

/** One axis of a cell: its two texels, and how far the second counts. */
struct axis {
    int64_t texel[2];    /**< -1: the border */
    int fraction;
};

static int64_t clamped(int64_t v, int64_t least, int64_t most)
{
    return v < least ? least : v > most ? most : v;
}

static int64_t remainder_of(int64_t v, int64_t n)
{
    return ((v % n) + n) % n;
}

static int64_t addressed(int64_t i, int64_t n, enum texture_address mode)
{
    switch (mode) {
    case ADDRESS_WRAP:
        return remainder_of(i, n);
    case ADDRESS_MIRROR:
        i = remainder_of(i, 2 * n);
        return i < n ? i : 2 * n - 1 - i;
    case ADDRESS_CLAMP:
        return clamped(i, 0, n - 1);
    default:
        return i < 0 || i >= n ? -1 : i;
    }
}

/** Coordinates that repeat are brought near 0 while they are fractions. */
static double periodic(float at, enum texture_address mode)
{
    if (fabsf(at) < FLT_MIN)
        return 0;
    if (mode == ADDRESS_WRAP)
        return isfinite(at) ? at - floor(at) : 0;
    if (mode == ADDRESS_MIRROR)
        return isfinite(at) ? at - 2 * floor(at / 2.0) : 0;
    return at;
}

/** Where on an axis a fetch is, in 256ths of a texel. A fraction of the whole is cut to 21 bits before it is multiplied. */
static int64_t texel_at(const struct texture *t, double at, int64_t n)
{
    if (fabs(at) < FLT_MIN)
        at = 0;
    if (t->normalised)
        at = floor(at * (1 << FRACTION_BITS)) * (double)n / (1 << FRACTION_BITS);
    return t->linear ? texture_fixed(at) - TEXTURE_ONE / 2 : texture_fixed(floor(at));
}

static struct axis axis_of(const struct texture *t, double at, int64_t n, enum texture_address mode, int32_t offset)
{
    struct axis x = {.fraction = 0};
    int64_t k = texel_at(t, at, n) + (int64_t)offset * TEXTURE_ONE;
    if (mode == ADDRESS_CLAMP)
        k = clamped(k, 0, (n - 1) * TEXTURE_ONE + (t->linear ? 0 : TEXTURE_ONE - 1));
    if (t->linear)
        x.fraction = (int)(k & (TEXTURE_ONE - 1));
    k >>= 8;
    for (int i = 0; i < 2; i++)
        x.texel[i] = addressed(k + i, n, mode);
    return x;
}

static enum texture_address mode_of(const struct texture *t, int axis)
{
    enum texture_address mode = t->address[axis];
    return !t->normalised && (mode == ADDRESS_WRAP || mode == ADDRESS_MIRROR) ? ADDRESS_CLAMP : mode;
}

static uint64_t texel_address(const struct texture *t, const struct texture_level *l, const int64_t at[3], int64_t layer)
{
    if (at[0] < 0 || at[1] < 0 || at[2] < 0)
        return 0;
    return l->base + (uint64_t)(at[2] + layer) * l->slice + (uint64_t)at[1] * l->pitch +
           (uint64_t)at[0] * t->channels * t->bytes;
}

/** The corners of a cell; those that do not count are left out. Beyond the first two axes and without filtering there are fewer of them. */
static void add_cell(const struct texture_request *r, const struct texture_level *l, const struct axis axis[3], int64_t layer,
                     int total, struct texture_taps *taps)
{
    const struct texture *t = r->texture;
    int fraction[3] = {axis[0].fraction, axis[1].fraction, axis[2].fraction};
    int corners = !t->linear ? 1 : t->dimensions < 3 ? 4 : 8;
    uint16_t weight[8] = {(uint16_t)total};
    if (t->linear)
        texture_weights(total, fraction, weight);
    for (int i = 0; i < corners; i++) {
        int64_t at[3] = {axis[0].texel[i & 1], axis[1].texel[i >> 1 & 1], axis[2].texel[i >> 2]};
        if (!weight[i])
            continue;
        taps->weight[taps->count] = weight[i];
        taps->address[taps->count++] = texel_address(t, l, at, layer);
    }
}

/** The last one for those that are too high, and for negative ones. */
static int64_t layer_of(int32_t layer, uint32_t count)
{
    return (uint32_t)layer < count ? layer : (int64_t)count - 1;
}

static void add_level(const struct texture_request *r, const struct texture_level *l, int total, struct texture_taps *taps)
{
    const struct texture *t = r->texture;
    struct axis axis[3] = {{{0, 0}, 0}, {{0, 0}, 0}, {{0, 0}, 0}};
    /* One dimension is a single row of two: with a border, half of it is above. */
    for (int i = 0; i < (t->dimensions < 2 ? 2 : t->dimensions); i++) {
        enum texture_address mode = mode_of(t, i);
        axis[i] = axis_of(t, periodic(r->at[i], mode), l->size[i], mode, r->offset[i]);
    }
    add_cell(r, l, axis, t->layered ? layer_of(r->layer, t->layers) : 0, total, taps);
}

/* ---- cube maps */

void texture_face_axes(int face, const float v[3], double out[3])
{
    double x = v[0], y = v[1], z = v[2];
    double all[6][3] = {{-z, -y, x}, {z, -y, -x}, {x, z, y}, {x, -z, -y}, {x, -y, z}, {-x, -y, -z}};
    for (int i = 0; i < 3; i++)
        out[i] = all[face][i];
}

int texture_face(const float d[3], double st[2])
{
    float ax = fabsf(d[0]), ay = fabsf(d[1]), az = fabsf(d[2]);
    int axis = az >= ax && az >= ay ? 2 : ay >= ax ? 1 : 0, face = 2 * axis + (d[axis] < 0);
    double at[3];
    texture_face_axes(face, d, at);
    st[0] = (at[0] / at[2] + 1) / 2;
    st[1] = (at[1] / at[2] + 1) / 2;
    return face;
}

/** A point in space of a texel's centre, in halves of texels: on the face's plane, at most one beyond an edge. */
static void point_of(int face, int64_t s, int64_t t, int64_t m, int64_t p[3])
{
    int64_t all[6][3] = {{m, -t, -s}, {-m, -t, s}, {s, m, t}, {s, -m, -t}, {s, -t, m}, {-s, -t, -m}};
    for (int i = 0; i < 3; i++)
        p[i] = all[face][i];
}

/** Moves a texel that lies beyond one edge of a face to where it is on the neighbour. */
static int texture_neighbour(int face, int64_t at[2], int64_t n)
{
    int64_t p[3];
    int axis = face / 2, beyond = -1;
    point_of(face, 2 * at[0] + 1 - n, 2 * at[1] + 1 - n, n, p);
    for (int i = 0; i < 3; i++)
        if (i != axis && (p[i] > n || p[i] < -n))
            beyond = i;
    if (beyond < 0)
        return face;
    p[axis] += p[axis] < 0 ? 1 : -1;
    p[beyond] += p[beyond] < 0 ? 1 : -1;
    float d[3] = {(float)p[0], (float)p[1], (float)p[2]};
    int64_t sc[6] = {-p[2], p[2], p[0], p[0], p[0], -p[0]}, tc[6] = {-p[1], -p[1], p[2], -p[2], -p[1], -p[1]};
    int to = 2 * beyond + (d[beyond] < 0);
    at[0] = (sc[to] + n - 1) / 2;
    at[1] = (tc[to] + n - 1) / 2;
    return to;
}

/** Beyond two edges there is no texel: the other three share its weight. */
static void share_corner(struct texture_taps *taps, int from, int corner)
{
    int weight = taps->weight[corner], others = taps->count - from - 1, given = 0;
    for (int i = from; i < taps->count; i++) {
        if (i == corner)
            continue;
        int part = weight * (given + 1) / others - weight * given / others;
        taps->weight[i] = (uint16_t)(taps->weight[i] + part);
        given++;
    }
    taps->weight[corner] = 0;
}

static void add_cube_level(const struct texture_request *r, const struct texture_level *l, int total, struct texture_taps *taps)
{
    const struct texture *t = r->texture;
    double st[2];
    int64_t n = l->size[0], cube = t->layered ? layer_of(r->layer, t->layers / 6) * 6 : 0;
    int face = texture_face(r->at, st), from = taps->count, corner = -1, fraction[3] = {0};
    uint16_t weight[8];
    int64_t first[2];
    for (int i = 0; i < 2; i++) {
        int64_t k = t->linear ? texture_fixed(st[i] * (double)n) - TEXTURE_ONE / 2 : texture_fixed(floor(st[i] * (double)n));
        if (!t->linear || !t->seamless)
            k = clamped(k, 0, (n - 1) * TEXTURE_ONE + (t->linear ? 0 : TEXTURE_ONE - 1));
        first[i] = k >> 8;
        fraction[i] = t->linear ? (int)(k & (TEXTURE_ONE - 1)) : 0;
    }
    texture_weights(total, fraction, weight);
    for (int i = 0; i < 4; i++) {
        int64_t at[3] = {first[0] + (i & 1), first[1] + (i >> 1), 0};
        if (!weight[i])
            continue;
        bool outside = (at[0] < 0 || at[0] >= n) && (at[1] < 0 || at[1] >= n);
        int on = outside ? face : texture_neighbour(face, at, n);
        if (outside)
            corner = taps->count;
        taps->weight[taps->count] = weight[i];
        taps->address[taps->count++] = outside ? 0 : texel_address(t, l, at, cube + on);
    }
    if (corner >= 0)
        share_corner(taps, from, corner);
}

/* ---- levels */

/** In 256ths of a level. */
static int64_t level_fixed(float level)
{
    return (int64_t)floor(fmin(fmax(level, -64), 64) * TEXTURE_ONE);
}

static void add_at(const struct image_desc *d, const struct texture_request *r, int level, int total, struct texture_taps *taps)
{
    if (total)
        (image_is_cube(d) ? add_cube_level : add_level)(r, &r->texture->level[level], total, taps);
}

void texture_place(const struct image_desc *d, const struct texture_request *r, struct texture_taps *taps)
{
    const struct texture *t = r->texture;
    taps->count = 0;
    if (t->resource == TEXTURE_LINEAR) {
        bool inside = r->whole >= 0 && r->whole < (int64_t)t->level[0].size[0];
        taps->count = inside; /* outside of it a fetch gives 0 */
        taps->weight[0] = TEXTURE_ONE;
        taps->address[0] = t->level[0].base + (uint64_t)r->whole * t->channels * t->bytes;
        return;
    }
    if (t->levels == 1) {
        add_at(d, r, 0, TEXTURE_ONE, taps);
        return;
    }
    float lod = d->level == LEVEL_GRADIENT ? texture_gradient_level(d, r) : d->level == LEVEL_GIVEN ? r->lod : 0;
    int64_t fixed = clamped(level_fixed(lod + (float)level_fixed(t->bias) / TEXTURE_ONE), level_fixed(t->least_level), level_fixed(t->most_level));
    fixed = clamped(fixed, 0, (int64_t)(t->levels - 1) * TEXTURE_ONE);
    if (!t->between_levels)
        fixed = (fixed + TEXTURE_ONE / 2) & ~(int64_t)(TEXTURE_ONE - 1);
    int level = (int)(fixed >> 8), share = (int)(fixed & (TEXTURE_ONE - 1));
    add_at(d, r, level, TEXTURE_ONE - share, taps);
    add_at(d, r, level + 1, share, taps);
}

void texture_place_gather(const struct texture_request *r, struct texture_taps *taps)
{
    static const uint8_t order[4] = {2, 3, 1, 0};
    struct texture t = *r->texture;
    struct axis axis[2];
    t.linear = true;
    for (int i = 0; i < 2; i++) {
        enum texture_address mode = mode_of(&t, i);
        int64_t n = t.level[0].size[i];
        double at = periodic(r->at[i], mode) * (t.normalised ? (double)n : 1);
        int64_t k = (texture_fixed(at) + (int64_t)r->offset[i] * TEXTURE_ONE - TEXTURE_ONE / 2) >> 8;
        axis[i].texel[0] = addressed(k, n, mode);
        axis[i].texel[1] = addressed(k + 1, n, mode);
    }
    taps->count = 4;
    for (int i = 0; i < 4; i++) {
        int64_t at[3] = {axis[0].texel[order[i] & 1], axis[1].texel[order[i] >> 1], 0};
        taps->weight[i] = TEXTURE_ONE;
        taps->address[i] = texel_address(&t, &t.level[0], at, t.layered ? layer_of(r->layer, t.layers) : 0);
    }
}
