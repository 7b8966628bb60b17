/**
 * @file texture.c
 * tex and tld4: each texel that counts is read as memory is, then the results are made of them (PTX ISA 9.7.10).
 */
#include <math.h>

#include "code/image_descriptions.h"
#include "execute/engine.h"
#include "execute/fast_texture.h"
#include "execute/fault.h"
#include "execute/handlers.h"
#include "execute/numerics/convert.h"
#include "execute/texel.h"
#include "execute/texture_place.h"
#include "execute/texture_value.h"
#include "execute/worker.h"
#include "report/reporter.h"

/** Of one warp: 10 KiB. */
struct fetch {
    int most; /**< taps of a lane */
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

/** @param before  the lane before, or NULL: what it has named is not looked up again */
static bool read_request(struct warp *w, const struct insn *in, int lane, const struct texture_request *before, struct texture_request *r)
{
    const struct image_desc *d = in->extra;
    uint64_t handle = ((const uint64_t *)warp_reg(w, d->reg[IMAGE_HANDLE]))[lane];
    r->texture = before && before->texture->handle == handle ? before->texture : texel_object(w, in, lane);
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

static bool type_fits(const struct image_desc *d, const struct texture *t)
{
    return (t->kind == CHANNELS_FLOAT || t->as_float) == (d->type == PTX_F32 || d->type == PTX_F16X2);
}

/** The bits come as they are, which is hardly what the program wants. */
static void check_type(struct warp *w, const struct insn *in, int lane, const struct texture *t)
{
    const struct image_desc *d = in->extra;
    bool real = t->kind == CHANNELS_FLOAT || t->as_float;
    if (!type_fits(d, t))
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
    const struct texture_request *before = NULL;
    f->most = 0;
    FOR_LANES(lane, w->mask)
    {
        struct texture_request *r = &f->request[lane];
        if (!read_request(w, in, (int)lane, before, r))
            return false;
        before = r;
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
        if (f->taps[lane].count > f->most)
            f->most = f->taps[lane].count;
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

/** Channel `channel` of tap `n` alone, or, where `n` is negative, of all taps of a lane. */
static uint32_t result_of(const struct fetch *f, int lane, int channel, int n)
{
    const struct texture_taps *taps = &f->taps[lane];
    const uint8_t *texel[TEXTURE_TAPS];
    int first = n < 0 ? 0 : n, count = n < 0 ? taps->count : 1;
    for (int i = 0; i < count; i++)
        texel[i] = taps->address[first + i] ? f->bytes[first + i][lane] : NULL;
    return texture_value(f->request[lane].texture, texel, taps->weight + first, count, channel);
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

/** The object that all running lanes name, if nobody is told of what they read and it fits the function; else NULL, and each lane looks for itself. */
static const struct texture *object_of_all(struct warp *w, const struct insn *in)
{
    const struct image_desc *d = in->extra;
    const uint64_t *handle = warp_reg(w, d->reg[IMAGE_HANDLE]);
    uint64_t first = handle[__builtin_ctz(w->mask)], differ = 0;
    FOR_LANES(lane, w->mask)
    {
        differ |= handle[lane] ^ first;
    }
    return differ || warp_machine(w)->checked ? NULL : texel_object_fits(w, in, first);
}

/** Without checks, and where all lanes use one object: at once. */
static bool fetch_at_once(struct warp *w, const struct insn *in, uint32_t result[4][WARP_LANES])
{
    const struct texture *t = object_of_all(w, in);
    return t && !unfit(in->extra, t) && type_fits(in->extra, t) && fast_texture(w, in, t, result);
}

/** @return false after a fault */
static bool fetch_by_lanes(struct warp *w, const struct insn *in, uint32_t result[4][WARP_LANES])
{
    const struct image_desc *d = in->extra;
    struct fetch f;
    if (!place_lanes(w, in, &f))
        return false;
    for (int n = 0; n < f.most; n++)
        if (!read_tap(w, in, &f, n))
            return false;
    FOR_LANES(lane, w->mask)
    {
        for (int i = 0; i < 4; i++)
            result[i][lane] = d->gathers ? result_of(&f, (int)lane, d->component, i) : result_of(&f, (int)lane, i, -1);
    }
    return true;
}

const struct insn *op_tex(struct warp *w, const struct insn *in)
{
    const struct image_desc *d = in->extra;
    uint32_t result[4][WARP_LANES];
    if (!fetch_at_once(w, in, result) && !fetch_by_lanes(w, in, result))
        return NULL;
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
