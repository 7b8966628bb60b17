/**
 * @file surface.c
 * suld, sust, sured: texels by whole coordinates, x in bytes but for the formatted forms (PTX ISA 9.7.11).
 */
#include <math.h>

#include "code/image_descriptions.h"
#include "execute/traffic.h"
#include "execute/atomic_compute.h"
#include "execute/engine.h"
#include "execute/fault.h"
#include "execute/handlers.h"
#include "execute/numerics/convert.h"
#include "execute/texel.h"
#include "execute/worker.h"

/** Outside: what the instruction's boundary mode leaves to do. */
enum inside { INSIDE, OUTSIDE, FAULTED };

static int32_t lane_whole(const struct warp *w, uint32_t reg, int lane)
{
    return reg == REG_NONE ? 0 : ((const int32_t *)warp_reg(w, reg))[lane];
}

static int64_t clamped(int64_t v, int64_t most)
{
    return v < 0 ? 0 : v > most ? most : v;
}

static enum inside refuse(struct warp *w, const struct insn *in, int lane, const struct texture *t, const int64_t at[4],
                          const int64_t size[4], unsigned bytes)
{
    static const char *const axes[] = {"byte x", "y", "z", "layer"};
    int axis = 0;
    while (at[axis] >= 0 && at[axis] < size[axis])
        axis++;
    fault_at(w, in, lane, &(struct fault){.cause = CAUSE_SURFACE_OUTSIDE, .space = SPACE_GLOBAL, .address = t->level[0].base,
                                          .facts = {.text = axes[axis], .bytes = bytes, .offset = at[axis],
                                                    .size = (uint64_t)size[axis]}});
    return FAULTED;
}

/** Where a lane's access goes: `bytes` at the address. */
static enum inside place(struct warp *w, const struct insn *in, int lane, const struct texture *t, unsigned bytes,
                         uint64_t *address)
{
    const struct image_desc *d = in->extra;
    const struct texture_level *l = &t->level[0];
    int64_t texel = (int64_t)t->channels * t->bytes, unit = d->formatted ? texel : 1;
    int64_t size[4] = {l->size[0] * texel, l->size[1], l->size[2], t->layers}, at[4] = {0};
    bool inside = true;
    for (unsigned i = 0; i < image_dimensions(d); i++)
        at[i] = (int64_t)lane_whole(w, d->reg[IMAGE_COORDINATE + i], lane) * (i ? 1 : unit);
    at[3] = lane_whole(w, d->reg[IMAGE_LAYER], lane);
    if (at[0] % bytes) {
        fault_at(w, in, lane, &(struct fault){.cause = CAUSE_MISALIGNED, .space = SPACE_GLOBAL, .address = l->base,
                                              .facts.bytes = bytes});
        return FAULTED;
    }
    for (int i = 0; i < 4; i++)
        inside &= at[i] >= 0 && at[i] < size[i] && (i || at[i] <= size[i] - (int64_t)bytes);
    if (!inside && d->boundary == BOUNDARY_TRAP)
        return refuse(w, in, lane, t, at, size, bytes);
    if (!inside && d->boundary == BOUNDARY_ZERO)
        return OUTSIDE;
    for (int i = 0; i < 4; i++)
        at[i] = clamped(at[i], i ? size[i] - 1 : size[i] - (int64_t)bytes);
    *address = l->base + (uint64_t)(at[2] + at[3]) * l->slice + (uint64_t)at[1] * l->pitch + (uint64_t)at[0];
    return INSIDE;
}

/** All lanes' places; those outside are not in the mask. @return false after a fault */
static bool place_lanes(struct warp *w, const struct insn *in, unsigned bytes, struct texels *t)
{
    t->mask = 0;
    FOR_LANES(lane, w->mask)
    {
        const struct texture *s = texel_object(w, in, (int)lane);
        enum inside where = s ? place(w, in, (int)lane, s, bytes, &t->address[lane]) : FAULTED;
        if (where == FAULTED)
            return false;
        t->mask |= (uint32_t)(where == INSIDE) << lane;
    }
    return true;
}

const struct insn *op_suld(struct warp *w, const struct insn *in)
{
    const struct image_desc *d = in->extra;
    struct texels t;
    memset(&t, 0, sizeof t);
    texel_access(w, in, d->bytes, d->count, &d->reg[IMAGE_RESULT]);
    if (!place_lanes(w, in, (unsigned)d->bytes * d->count, &t) || !texel_load(w, in, &t))
        return NULL;
    for (int i = 0; i < d->count; i++)
        FOR_LANES(lane, d->reg[IMAGE_RESULT + i] == REG_NONE ? 0 : w->mask)
        {
            reg_write(w, d->reg[IMAGE_RESULT + i], d->reg_bytes, (int)lane, read_bytes(t.bytes[lane] + i * d->bytes, d->bytes));
        }
    return in + 1;
}

/* ---- formatted stores: 32 bits become a channel, saturated */

static uint64_t whole_channel(const struct texture *t, uint32_t bits)
{
    bool is_signed = t->kind == CHANNELS_SIGNED;
    int64_t v = is_signed ? (int32_t)bits : (int64_t)bits;
    int64_t most = (1ll << (8 * t->bytes - is_signed)) - 1, least = is_signed ? -most - 1 : 0;
    return (uint64_t)(v > most ? most : v < least ? least : v);
}

static uint64_t channel_of(const struct texture *t, uint32_t bits)
{
    float v;
    if (t->kind != CHANNELS_FLOAT)
        return whole_channel(t, bits);
    if (t->bytes == 4)
        return bits;
    memcpy(&v, &bits, sizeof v);
    if (v != v)
        return bits >> 16 | 0x7fff;
    v = v > 65504 ? 65504 : v < -65504 ? -65504 : v;
    memcpy(&bits, &v, sizeof bits);
    return cvt(PTX_F16, PTX_F32, ROUND_RN, false, false, false, bits);
}

static bool store_formatted(struct warp *w, const struct insn *in, int lane)
{
    const struct image_desc *d = in->extra;
    const struct texture *s = texel_object(w, in, lane);
    struct texels t;
    if (!s)
        return false;
    memset(&t, 0, sizeof t);
    texel_access(w, in, s->bytes, s->channels, &d->reg[IMAGE_STORED]);
    enum inside where = place(w, in, lane, s, (unsigned)s->bytes * s->channels, &t.address[lane]);
    t.mask = (uint32_t)(where == INSIDE) << lane;
    for (int i = 0; i < s->channels; i++) {
        uint64_t v = i < d->count ? channel_of(s, (uint32_t)reg_read(w, d->reg[IMAGE_STORED + i], d->reg_bytes, lane)) : 0;
        memcpy(t.bytes[lane] + i * s->bytes, &v, s->bytes);
    }
    return where != FAULTED && texel_store(w, in, &t);
}

const struct insn *op_sust(struct warp *w, const struct insn *in)
{
    const struct image_desc *d = in->extra;
    struct texels t;
    if (d->formatted) {
        FOR_LANES(lane, w->mask)
        {
            if (!store_formatted(w, in, (int)lane))
                return NULL;
        }
        return in + 1;
    }
    texel_access(w, in, d->bytes, d->count, &d->reg[IMAGE_STORED]);
    if (!place_lanes(w, in, (unsigned)d->bytes * d->count, &t))
        return NULL;
    FOR_LANES(lane, t.mask)
    {
        for (int i = 0; i < d->count; i++) {
            uint64_t v = reg_read(w, d->reg[IMAGE_STORED + i], d->reg_bytes, (int)lane);
            memcpy(t.bytes[lane] + i * d->bytes, &v, d->bytes);
        }
    }
    return texel_store(w, in, &t) ? in + 1 : NULL;
}

/* ---- reductions */

/** By elements the surface's own type decides. */
static uint8_t reduced_type(const struct image_desc *d, const struct texture *s)
{
    if (!d->formatted || d->atom == ATOM_AND || d->atom == ATOM_OR)
        return d->type;
    return s->kind == CHANNELS_SIGNED ? PTX_S32 : PTX_U32;
}

static bool reduce(struct warp *w, const struct insn *in, int lane)
{
    const struct image_desc *d = in->extra;
    const struct texture *s = texel_object(w, in, lane);
    struct machine *m = warp_machine(w);
    struct place p;
    uint64_t address;
    if (!s)
        return false;
    if (d->formatted && (s->bytes != 4 || s->channels != 1 || s->kind == CHANNELS_FLOAT))
        return texel_misuse(w, in, lane, "reduces by elements in a surface whose elements are no whole number of 32 bits");
    enum inside where = place(w, in, lane, s, d->bytes, &address);
    if (where != INSIDE)
        return where == OUTSIDE;
    struct insn *x = texel_access(w, in, d->bytes, 1, &d->reg[IMAGE_STORED]);
    x->dst = REG_NONE;
    x->mem.order = ORDER_RELAXED;
    x->mem.scope = SCOPE_GPU;
    x->mem.atom = d->atom;
    x->mem.type = reduced_type(d, s);
    if (!texel_place(w, in, lane, address, true, &p))
        return false;
    struct mem_access *a = worker_access(w->worker, x);
    a->mask = a->wrote = 1u << lane;
    a->space = SPACE_GLOBAL;
    a->address[lane] = p.address;
    a->host[lane] = p.host;
    a->allocation[lane] = p.allocation;
    a->old[0][lane] = read_bytes(p.host, d->bytes);
    uint64_t operand = reg_read(w, d->reg[IMAGE_STORED], d->reg_bytes, lane);
    operand &= d->bytes < 8 ? (1ull << 8 * d->bytes) - 1 : UINT64_MAX;
    a->value[0][lane] = atomic_compute(&x->mem, a->old[0][lane], operand, true);
    memcpy(p.host, &a->value[0][lane], d->bytes);
    if (m->checked) {
        note_access(w, a->insn);
        OBSERVE(&m->observers, atomic, w, a);
    }
    return true;
}

const struct insn *op_sured(struct warp *w, const struct insn *in)
{
    FOR_LANES(lane, w->mask)
    {
        if (!reduce(w, in, (int)lane))
            return NULL;
    }
    return in + 1;
}
