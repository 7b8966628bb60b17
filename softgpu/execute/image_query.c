/**
 * @file image_query.c
 * txq, suq: the extents of what a texture or surface object stands for, as an H200 gives them; istypep (PTX ISA 9.7.10, 9.7.11).
 */
#include "code/ops.h"
#include "execute/alu/stamp.h"
#include "execute/engine.h"
#include "execute/handlers.h"
#include "execute/lane_values.h"
#include "execute/machine.h"
#include "execute/texel.h"
#include "memory/memory.h"

enum { QUERY_WIDTH, QUERY_HEIGHT, QUERY_DEPTH }; /**< insn->imm: decode/decode_image.c */

/** Layers stand where the next dimension would; a texture's faces do not count, and a surface's do. */
static uint32_t extent_of(const struct texture *t, int query, int level)
{
    const uint32_t *size = t->level[level].size;
    uint32_t layers = t->cube && !t->surface ? (t->layered ? t->layers / 6 : 0) : t->layered || t->cube ? t->layers : 0;
    switch (query) {
    case QUERY_WIDTH: return size[0];
    case QUERY_HEIGHT: return t->dimensions > 1 ? size[1] : t->layered ? layers : t->surface || t->resource == TEXTURE_LINEAR ? 0 : 1;
    default: return t->dimensions == 3 ? size[2] : t->dimensions == 2 ? layers : 0;
    }
}

static const char *no_answer(const struct texture *t, bool surface, uint64_t op)
{
    if (!t)
        return surface ? "asks about a surface object that was never made" : "asks about a texture object that was never made";
    if (t->surface != surface)
        return surface ? "takes a texture object for a surface object" : "takes a surface object for a texture object";
    if (t->destroyed && op > t->destroyed)
        return surface ? "asks about a surface object after it was destroyed" : "asks about a texture object after it was destroyed";
    return NULL;
}

const struct insn *op_query(struct warp *w, const struct insn *in)
{
    const uint64_t *handle = warp_reg(w, in->src[0]);
    const int32_t *level = in->src[1] == REG_NONE ? NULL : warp_reg(w, in->src[1]);
    uint32_t *out = warp_reg(w, in->dst);
    FOR_LANES(lane, w->mask)
    {
        const struct texture *t = memory_texture(machine_memory(w->block->grid->machine), handle[lane]);
        const char *why = no_answer(t, insn_row(in) == ROW_suq, w->block->grid->config.op);
        if (why)
            return texel_misuse(w, in, (int)lane, why);
        int at = level ? level[lane] : 0;
        out[lane] = at < 0 || at >= t->levels ? 0 : extent_of(t, (int)in->imm, at);
    }
    return in + 1;
}

const struct insn *op_istypep(struct warp *w, const struct insn *in)
{
    alu_store_pred(w, in->dst, 0);
    return in + 1;
}
