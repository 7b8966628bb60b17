/**
 * @file unset.c
 * Variables that nobody sets, `int v; if (c) v = 1; out[i] = v;`: nvcc keeps them in a register that some way through the kernel
 * reads before anything has written it (PTX ISA 5.2: registers have no initial values). They are followed as what was loaded from memory
 * that nobody has written. Those of functions that are called, not inlined, are not known; neither are those that nvcc has found
 * out itself, for it may give them whatever value it likes.
 */
#include "check/uninit/unset.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/clear.h"
#include "code/ops.h"

/** Marks what the threads of a warp that begins may read before they write it. */
static void unset_begin(const struct warp *w, struct warp_taint *t)
{
    const struct function *kernel = w->block->grid->config.kernel;
    for (int i = 0; i < kernel->unset_count; i++) {
        struct taint *r = reg_taint_open(w, t, kernel->unset[i]);
        *r = (struct taint){.lanes = w->full, .site = UNSET, .bits = r->bits};
        memset(r->bytes, 0xff, sizeof r->bytes);
        for (int l = 0; l < WARP_LANES; l++)
            r->origin[l] = (uint8_t)l;
    }
}

static bool is_difference(const struct insn *in)
{
    switch (insn_row(in)) {
    case ROW_sub_16: case ROW_sub_32: case ROW_sub_64: case ROW_xor_16: case ROW_xor_32: case ROW_xor_64:
        return true;
    default:
        return false;
    }
}

static uint32_t lanes_of(const struct uninit *u, const struct taint *t)
{
    bool unset = t && (t->site & DEFERRED ? u->deferred.data[t->site & ~DEFERRED].finding.cause == CAUSE_UNSET : t->site == UNSET);
    return unset ? t->lanes : 0;
}

uint32_t unset_cancelled(const struct uninit *u, const struct warp *w, const struct warp_taint *t, const struct insn *in)
{
    return is_difference(in) ? lanes_of(u, reg_taint(w, t, in->src[0])) & lanes_of(u, reg_taint(w, t, in->src[1])) : 0;
}

/* ---- What is known of a block's warps ---- */

void taints_begin(struct uninit *u, struct block *b)
{
    struct warp_taint *all = u->spare.count == b->warp_count ? u->spare.of : calloc((size_t)b->warp_count, sizeof *all);
    assert(all);
    if (all == u->spare.of)
        u->spare.of = NULL, u->spare.count = 0;
    for (int i = 0; i < b->warp_count; i++) {
        struct warp_taint *t = &all[i];
        t->block = u->blocks;
        b->warps[i].check[u->slot] = t;
        b->warps[i].closely = &t->closely;
        unset_begin(&b->warps[i], t);
    }
}

/** As it began. */
static void empty(struct warp_taint *t)
{
    for (int l = 0; t->local_bytes && l < WARP_LANES; l++)
        free(t->local[l]);
    for (uint32_t r = 0; r < t->count; r++)
        free(t->slots[r].bits);
    if (t->slots)
        free(t->slots);
    if (t->passed)
        passed_end(t);
    if (t->flying)
        free(t->flying);
    if (t->local_bytes || t->any_line)
        memset(t, 0, sizeof *t);
    else
        clear(t, offsetof(struct warp_taint, local));
}

void taints_end(struct uninit *u, const struct block *b)
{
    struct warp_taint *all = b->warps[0].check[u->slot];
    for (int i = 0; i < b->warp_count; i++)
        empty(&all[i]);
    free(u->spare.of);
    u->spare.of = all;
    u->spare.count = b->warp_count;
}
