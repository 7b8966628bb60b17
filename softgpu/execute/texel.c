/**
 * @file texel.c
 * Texels in memory: reads are non-coherent, writes are plain stores (CUDA C++ Programming Guide, "Read/Write Coherency").
 */
#include "execute/texel.h"

#include "code/image_descriptions.h"
#include "execute/engine.h"
#include "execute/fault.h"
#include "execute/traffic.h"
#include "execute/worker.h"

const struct insn *texel_misuse(struct warp *w, const struct insn *in, int lane, const char *why)
{
    return fault_at(w, in, lane, &(struct fault){.cause = CAUSE_TEXTURE_MISUSE, .facts.text = why});
}

static const char *no_object(const struct texture *t, const struct image_desc *d, bool surface, uint64_t op)
{
    static const uint8_t dimensions[] = {[IMAGE_1D] = 1, [IMAGE_2D] = 2, [IMAGE_3D] = 3, [IMAGE_A1D] = 1, [IMAGE_A2D] = 2,
                                         [IMAGE_CUBE] = 2, [IMAGE_ACUBE] = 2};
    if (!t)
        return surface ? "uses a surface object that was never made" : "uses a texture object that was never made";
    if (t->surface != surface)
        return surface ? "takes a texture object for a surface object" : "takes a surface object for a texture object";
    if (t->destroyed && op > t->destroyed)
        return surface ? "uses a surface object after it was destroyed" : "uses a texture object after it was destroyed";
    if (surface ? t->dimensions != dimensions[d->geometry] || (t->layered || t->cube) != image_is_layered(d)
                : t->dimensions != dimensions[d->geometry] || t->layered != image_is_layered(d) ||
                      t->cube != image_is_cube(d))
        return "reads or writes an object of another shape than the function's: dimensions, layers and faces must be the array's";
    return NULL;
}

/** The object of a handle. @param why  what keeps it from being used by `in`, or NULL */
static const struct texture *object_of(struct warp *w, const struct insn *in, uint64_t handle, const char **why)
{
    const struct texture *t = memory_texture(warp_machine(w)->memory, handle);
    bool surface = insn_row(in) != ROW_tex && insn_row(in) != ROW_tld4;
    *why = no_object(t, in->extra, surface, w->block->grid->config.op);
    return t;
}

const struct texture *texel_object(struct warp *w, const struct insn *in, int lane)
{
    const struct image_desc *d = in->extra;
    const char *why;
    const struct texture *t = object_of(w, in, ((const uint64_t *)warp_reg(w, d->reg[IMAGE_HANDLE]))[lane], &why);
    if (why)
        texel_misuse(w, in, lane, why);
    return why ? NULL : t;
}

const struct texture *texel_object_fits(struct warp *w, const struct insn *in, uint64_t handle)
{
    const char *why;
    const struct texture *t = object_of(w, in, handle, &why);
    return why ? NULL : t;
}

static struct insn *texel_of(struct warp *w, const struct insn *in)
{
    return warp_machine(w)->checked ? ((const struct image_desc *)in->extra)->texel : &w->worker->texel;
}

struct insn *texel_access(struct warp *w, const struct insn *in, unsigned bytes, unsigned count, const uint32_t *reg)
{
    const struct image_desc *d = in->extra;
    struct insn *x = texel_of(w, in);
    *x = (struct insn){.op = in->op, .site = in->site, .guard = REG_NONE, .dst = reg[0], .dst2 = REG_NONE,
                       .src = {REG_NONE, reg[0], REG_NONE, REG_NONE}, .extra = reg};
    x->mem = (struct mem_desc){.space = SPACE_GLOBAL, .order = in->op->defines ? ORDER_NC : ORDER_WEAK, .bytes = (uint8_t)bytes,
                               .count = (uint8_t)count, .type = d->type, .reg_bytes = d->reg_bytes, .texture = true};
    return x;
}

bool texel_place(struct warp *w, const struct insn *in, int lane, uint64_t address, bool write, struct place *out)
{
    const struct insn *x = texel_of(w, in);
    return access_place(w, x, lane, address, (unsigned)x->mem.bytes * x->mem.count, write, out);
}

/** All lanes' places into the worker's access. @return false after a fault */
static bool place_all(struct warp *w, const struct insn *in, const struct texels *t, bool write)
{
    struct mem_access *a = worker_access(w->worker, texel_of(w, in));
    uintptr_t last = 0;
    a->mask = t->mask;
    a->space = SPACE_GLOBAL;
    FOR_LANES(lane, t->mask)
    {
        struct place p;
        if (!texel_place(w, in, (int)lane, t->address[lane], write, &p))
            return false;
        a->address[lane] = p.address;
        a->host[lane] = p.host;
        a->allocation[lane] = p.allocation;
        w->worker->moved += (uintptr_t)p.host >> SECTOR_BITS != last ? 1u << SECTOR_BITS : 0;
        last = (uintptr_t)p.host >> SECTOR_BITS;
    }
    w->worker->loads += !write;
    return true;
}

static void note_values(struct mem_access *a, const struct texels *t)
{
    const struct mem_desc *mem = &a->insn->mem;
    for (unsigned e = 0; e < mem->count; e++)
        FOR_LANES(lane, a->mask)
        {
            a->value[e][lane] = read_bytes(t->bytes[lane] + e * mem->bytes, mem->bytes);
        }
}

bool texel_load(struct warp *w, const struct insn *in, struct texels *t)
{
    struct machine *m = warp_machine(w);
    struct mem_access *a = &w->worker->access;
    if (!t->mask || !place_all(w, in, t, false))
        return !t->mask;
    size_t bytes = (size_t)a->insn->mem.bytes * a->insn->mem.count;
    FOR_LANES(lane, t->mask)
    {
        memcpy(t->bytes[lane], a->host[lane], bytes);
    }
    if (!m->checked)
        return true;
    note_values(a, t);
    memset(a->older, 0, sizeof a->older);
    count_access(w, a, true, false);
    note_access(w, a->insn);
    OBSERVE(&m->observers, load, w, a);
    return true;
}

bool texel_store(struct warp *w, const struct insn *in, struct texels *t)
{
    struct machine *m = warp_machine(w);
    struct mem_access *a = &w->worker->access;
    if (!t->mask || !place_all(w, in, t, true))
        return !t->mask;
    if (m->checked) {
        note_values(a, t);
        count_access(w, a, false, true);
        note_access(w, a->insn);
        OBSERVE(&m->observers, store, w, a);
    }
    size_t bytes = (size_t)a->insn->mem.bytes * a->insn->mem.count;
    FOR_LANES(lane, t->mask)
    {
        memcpy(a->host[lane], t->bytes[lane], bytes);
    }
    return true;
}
