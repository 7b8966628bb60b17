/**
 * @file texture.c
 * tex and tld4: each texel that counts is read as memory is, then the results are made of them (PTX ISA 9.7.10).
 */
#include <math.h>

#include "code/image_descriptions.h"
#include "execute/engine.h"
#include "execute/fault.h"
#include "execute/handlers.h"
#include "execute/numerics/convert.h"
#include "execute/texel.h"
#include "execute/texture_place.h"
#include "execute/worker.h"
#include "report/reporter.h"

/** Of one warp: 10 KiB. */
struct fetch {
    struct texture_request request[WARP_LANES];
    struct texture_taps taps[WARP_LANES];
    uint8_t bytes[TEXTURE_TAPS][WARP_LANES][16];
};

static float lane_float(const struct warp *w, uint32_t reg, int lane)
{
    return reg == REG_NONE ? 0 : ((const float *)warp_reg(w, reg))[lane];
}

static int32_t lane_whole(const struct warp *w, uint32_t reg, int lane)
{
    return reg == REG_NONE ? 0 : ((const int32_t *)warp_reg(w, reg))[lane];
}

static bool read_request(struct warp *w, const struct insn *in, int lane, struct texture_request *r)
{
    const struct image_desc *d = in->extra;
    r->texture = texel_object(w, in, lane);
    if (!r->texture)
        return false;
    for (int i = 0; i < 3; i++) {
        r->at[i] = d->whole ? 0 : lane_float(w, d->reg[IMAGE_COORDINATE + i], lane);
        r->dx[i] = lane_float(w, d->reg[IMAGE_DX + i], lane);
        r->dy[i] = lane_float(w, d->reg[IMAGE_DY + i], lane);
        r->offset[i] = lane_whole(w, d->reg[IMAGE_OFFSET + i], lane);
    }
    r->whole = d->whole ? lane_whole(w, d->reg[IMAGE_COORDINATE], lane) : 0;
    r->layer = lane_whole(w, d->reg[IMAGE_LAYER], lane);
    r->lod = lane_float(w, d->reg[IMAGE_LOD], lane);
    return true;
}

/** What the function that fetches does not fit. */
static const char *unfit(const struct image_desc *d, const struct texture *t)
{
    if (d->whole != (t->resource == TEXTURE_LINEAR))
        return d->whole ? "fetches by tex1Dfetch from an array: tex1D is for that" : "fetches by coordinates from linear memory: tex1Dfetch is for that";
    if (d->gathers && t->resource == TEXTURE_ARRAY && !t->gathers)
        return "gathers from an array made without cudaArrayTextureGather";
    return NULL;
}

/** The bits come as they are, which is hardly what the program wants. */
static void check_type(struct warp *w, const struct insn *in, int lane, const struct texture *t)
{
    const struct image_desc *d = in->extra;
    bool real = t->kind == CHANNELS_FLOAT || t->as_float;
    if (real != (d->type == PTX_F32 || d->type == PTX_F16X2))
        fault_note(w, in, lane, &(struct fault){.cause = CAUSE_TEXTURE_MISUSE,
                                                .facts.text = real ? "reads a texture of floating-point values as whole numbers"
                                                                   : "reads a texture of whole numbers as floating-point ones"});
}

/** Once, in a checked run, which has one thread. */
static void say_rough(struct machine *m)
{
    static bool told;
    if (m->checked && !told)
        report_incomplete(m->reporter, INCOMPLETE_GRADIENTS);
    told |= m->checked;
}

static bool place_lanes(struct warp *w, const struct insn *in, struct fetch *f)
{
    const struct image_desc *d = in->extra;
    FOR_LANES(lane, w->mask)
    {
        struct texture_request *r = &f->request[lane];
        if (!read_request(w, in, (int)lane, r))
            return false;
        const char *why = unfit(d, r->texture);
        if (why)
            return texel_misuse(w, in, (int)lane, why);
        if (d->level == LEVEL_GRADIENT && r->texture->anisotropy > 1 && r->texture->levels > 1)
            return fault_at(w, in, (int)lane, &(struct fault){.cause = CAUSE_UNKNOWN_INSTRUCTION,
                                                              .facts.text = "anisotropic filtering"});
        check_type(w, in, (int)lane, r->texture);
        if (d->level == LEVEL_GRADIENT && image_dimensions(d) == 3 && r->texture->levels > 1)
            say_rough(warp_machine(w));
        if (d->gathers)
            texture_place_gather(r, &f->taps[lane]);
        else
            texture_place(d, r, &f->taps[lane]);
    }
    return true;
}

static bool same_format(const struct texture *a, const struct texture *b)
{
    return a->bytes == b->bytes && a->channels == b->channels;
}

/** Reads tap number `n` of all lanes that have it; lanes whose texels are of another format go apart. */
static bool read_tap(struct warp *w, const struct insn *in, struct fetch *f, int n)
{
    const struct image_desc *d = in->extra;
    uint32_t left = 0;
    FOR_LANES(lane, w->mask)
    {
        if (n < f->taps[lane].count && f->taps[lane].weight[n] && f->taps[lane].address[n])
            left |= 1u << lane;
    }
    while (left) {
        const struct texture *t = f->request[__builtin_ctz(left)].texture;
        bool own = d->gathers || d->type == PTX_F16X2;
        uint32_t reg[4]; /* where each channel goes, if not to a register of its own */
        struct texels x = {.mask = 0};
        for (int i = 0; i < 4; i++)
            reg[i] = d->gathers ? REG_NONE : d->reg[IMAGE_RESULT + i / 2];
        if (d->gathers && d->component < t->channels)
            reg[d->component] = d->reg[IMAGE_RESULT + n];
        FOR_LANES(lane, left)
        {
            if (!same_format(t, f->request[lane].texture))
                continue;
            x.mask |= 1u << lane;
            x.address[lane] = f->taps[lane].address[n];
        }
        struct insn *access = texel_access(w, in, t->bytes, t->channels, own ? reg : &d->reg[IMAGE_RESULT]);
        access->mem.derives = d->type == PTX_F16X2 || t->linear || t->as_float || (t->kind == CHANNELS_FLOAT && t->bytes == 2);
        if (!texel_load(w, in, &x))
            return false;
        FOR_LANES(lane, x.mask)
        {
            memcpy(f->bytes[n][lane], x.bytes[lane], sizeof x.bytes[lane]);
        }
        left &= ~x.mask;
    }
    return true;
}

/* ---- values */

/** A channel as it lies in memory, or the border's colour in the same form: the low bits of its float's. */
static uint64_t channel_bits(const struct texture *t, const uint8_t *bytes, bool border, int channel)
{
    if (!border)
        return read_bytes(bytes + channel * t->bytes, t->bytes);
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

static int32_t fraction_value(const struct texture *t, const uint8_t *bytes, bool border, int channel)
{
    int32_t most = most_of(t, t->bytes), least = t->kind == CHANNELS_SIGNED ? -most : 0;
    if (border) {
        float v = t->border[channel] * (float)most;
        return v >= (float)most ? most : v <= (float)least ? least : v == v ? (int32_t)v : 0;
    }
    int64_t v = whole_value(t, read_bytes(bytes + channel * t->bytes, t->bytes));
    if (t->linear && t->bytes == 1)
        return (int32_t)v; /* -128 counts as itself, until it is a result */
    return v < least ? least : (int32_t)v;
}

static float real_value(const struct texture *t, const uint8_t *bytes, bool border, int channel)
{
    float v = t->border[channel];
    uint32_t bits;
    if (border)
        return v;
    bits = t->bytes == 2 ? f32_of_f16((uint16_t)read_bytes(bytes + channel * 2, 2)) : (uint32_t)read_bytes(bytes + channel * 4, 4);
    memcpy(&v, &bits, sizeof v);
    return v;
}

/** One channel of a lane's taps, filtered. @return the bits of the result */
static uint32_t filtered(const struct fetch *f, int lane, int channel)
{
    const struct texture *t = f->request[lane].texture;
    const struct texture_taps *taps = &f->taps[lane];
    float real[TEXTURE_TAPS], v;
    int32_t whole[TEXTURE_TAPS];
    uint32_t bits;
    bool srgb = t->srgb && channel < 3;
    bool halves = srgb || (t->bytes == 2 && t->linear);
    for (int i = 0; i < taps->count; i++) {
        const uint8_t *texel = f->bytes[i][lane];
        bool border = !taps->address[i];
        if (!t->as_float)
            real[i] = real_value(t, texel, border, channel);
        else
            whole[i] = fraction_value(t, texel, border, channel);
        if (srgb)
            real[i] = texture_linear_of_srgb((uint8_t)whole[i]);
    }
    if (!t->as_float || srgb)
        v = texture_blend(real, taps->weight, taps->count, halves ? 11 : 24);
    else
        v = texture_blend_whole(whole, taps->weight, taps->count, most_of(t, t->bytes), most_of(t, t->linear ? 2 : t->bytes));
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

/** Channel `channel` of a lane's result; what a texture does not have is 0. */
static uint32_t result_of(const struct fetch *f, int lane, int channel)
{
    const struct texture *t = f->request[lane].texture;
    const struct texture_taps *taps = &f->taps[lane];
    if (channel >= t->channels || !taps->count)
        return 0;
    if (!t->as_float && (t->kind != CHANNELS_FLOAT || (t->bytes == 4 && taps->count == 1 && taps->address[0])))
        return (uint32_t)whole_value(t, channel_bits(t, f->bytes[0][lane], !taps->address[0], channel));
    return filtered(f, lane, channel);
}

static uint32_t gathered(const struct fetch *f, const struct image_desc *d, int lane, int n)
{
    struct fetch one = {.request[0] = f->request[lane]};
    one.taps[0] = (struct texture_taps){.count = 1, .weight = {TEXTURE_ONE}, .address = {f->taps[lane].address[n]}};
    memcpy(one.bytes[0][0], f->bytes[n][lane], sizeof one.bytes[0][0]);
    return result_of(&one, 0, d->component);
}

/** Four results as two pairs of halves: each rounded to nearest even, as on an H200 (256 K places, point and linear filtering). */
static void join_halves(const struct warp *w, uint32_t result[4][WARP_LANES])
{
    FOR_LANES(lane, w->mask)
    {
        for (int i = 0; i < 2; i++)
            result[i][lane] = cvt_pack(PTX_F16X2, ROUND_RN, false, false, result[2 * i + 1][lane], result[2 * i][lane]);
    }
}

const struct insn *op_tex(struct warp *w, const struct insn *in)
{
    const struct image_desc *d = in->extra;
    struct fetch f;
    uint32_t result[4][WARP_LANES];
    if (!place_lanes(w, in, &f))
        return NULL;
    for (int n = 0; n < TEXTURE_TAPS; n++)
        if (!read_tap(w, in, &f, n))
            return NULL;
    FOR_LANES(lane, w->mask)
    {
        for (int i = 0; i < 4; i++)
            result[i][lane] = d->gathers ? gathered(&f, d, (int)lane, i) : result_of(&f, (int)lane, i);
    }
    if (d->type == PTX_F16X2)
        join_halves(w, result);
    for (int i = 0; i < 4; i++)
        FOR_LANES(lane, d->reg[IMAGE_RESULT + i] == REG_NONE ? 0 : w->mask)
        {
            reg_write(w, d->reg[IMAGE_RESULT + i], 4, (int)lane, result[i][lane]);
        }
    if (in->dst2 != REG_NONE) /* everything is resident: softgpu has no sparse arrays */
        *(uint32_t *)warp_reg(w, in->dst2) |= w->mask;
    return in + 1;
}
