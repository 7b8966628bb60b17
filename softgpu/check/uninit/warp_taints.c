/**
 * @file warp_taints.c
 * See warp_taints.h.
 */
#include "check/uninit/warp_taints.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

#include "check/uninit/unset.h"

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
    free(t->slots);
    free(t->flying);
    bool rare = t->local_bytes || t->any_line;
    memset(t, 0, rare ? sizeof *t : offsetof(struct warp_taint, local));
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
