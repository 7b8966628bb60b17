/**
 * @file owner.h
 * Whose shared or local memory a generic address is (memory/windows.h).
 */
#ifndef SOFTGPU_EXECUTE_OWNER_H
#define SOFTGPU_EXECUTE_OWNER_H

#include "execute/cluster.h"
#include "execute/warp.h"
#include "memory/windows.h"

/** Of the lane's local variables. */
static inline uint64_t owner_of_lane(const struct warp *w, int lane)
{
    const struct grid *g = w->block->grid;
    uint64_t thread = (uint64_t)w->index * WARP_LANES + (uint64_t)lane;
    return generic_owner(g->config.op + g->member, w->block->index * g->threads_per_block + thread);
}

/** Of the shared memory of the block, and of the others of its cluster: their addresses hold a rank, too. */
static inline uint64_t owner_of_block(const struct block *b)
{
    return generic_owner(b->grid->config.op + b->grid->member, cluster_mate(b, 0));
}

/** A resolved address of shared memory: the block's own as an offset in it, without its rank. */
static inline uint64_t owner_without_rank(const struct block *b, uint64_t address)
{
    return shared_rank(address, b->rank) == b->rank ? address % SHARED_WINDOW_BYTES : address;
}

#endif
