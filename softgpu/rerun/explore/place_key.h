/**
 * @file place_key.h
 * One number for each place in memory that threads can share: a device address, or an offset into the shared memory of
 * one block.
 */
#ifndef SOFTGPU_RERUN_EXPLORE_PLACE_KEY_H
#define SOFTGPU_RERUN_EXPLORE_PLACE_KEY_H

#include "execute/warp.h"

/** Device addresses never have this bit. */
#define PLACE_IS_SHARED (1ull << 63)

/** @param owner  of shared memory: the block whose it is
 *  @param space  global or shared */
static inline uint64_t place_key(const struct block *owner, enum ptx_space space, uint64_t address)
{
    return space == SPACE_SHARED ? PLACE_IS_SHARED | owner->index << 32 | address : address;
}

#endif
