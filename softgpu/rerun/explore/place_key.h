/**
 * @file place_key.h
 * One number for each place in memory that threads can share: a device address, or an offset into the shared memory of
 * one block.
 */
#ifndef SOFTGPU_RERUN_EXPLORE_PLACE_KEY_H
#define SOFTGPU_RERUN_EXPLORE_PLACE_KEY_H

#include "execute/owner.h"
#include "execute/reserved.h"
#include "execute/warp.h"

/** Device addresses never have this bit. */
#define PLACE_IS_SHARED (1ull << 63)

/** @param owner  of shared memory: the block whose it is
 *  @param space  global or shared */
static inline uint64_t place_key(const struct block *owner, enum ptx_space space, uint64_t address)
{
    return space == SPACE_SHARED ? PLACE_IS_SHARED | owner->index << 32 | address : address;
}

/** Of the access that a group of lanes stands before, by its first lane. @return false: of memory that threads do not share */
static inline bool place_key_next(const struct warp *w, const struct group *g, uint64_t *key)
{
    const struct insn *in = g->pc;
    int lane = __builtin_ctz(g->mask);
    const uint8_t *base = in->src[0] & CONST_BIT ? w->constants + (in->src[0] & ~CONST_BIT)
                                                 : w->file + g->frame + in->src[0];
    uint64_t address = insn_address(in, base, lane);
    enum ptx_space space = (enum ptx_space)in->mem.space;
    if (space == SPACE_GENERIC)
        space = generic_resolve(&address);
    if (space != SPACE_GLOBAL && space != SPACE_SHARED)
        return false;
    if (space == SPACE_SHARED)
        address = owner_without_rank(w->block, address);
    if (space == SPACE_SHARED)
        address = reserved_placed(w->block->shared_bytes, address);
    *key = place_key(w->block, space, address);
    return true;
}

#endif
