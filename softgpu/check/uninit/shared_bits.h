/**
 * @file shared_bits.h
 * What is known of a block's shared memory: which of it holds something.
 */
#ifndef SOFTGPU_CHECK_UNINIT_SHARED_BITS_H
#define SOFTGPU_CHECK_UNINIT_SHARED_BITS_H

#include "execute/grid.h"
#include "execute/reserved.h"

/** A store of `bytes` widens what counts as one piece, 16 bytes at the most. */
static inline void widen(uint8_t *widest, unsigned bytes)
{
    if (bytes > *widest)
        *widest = bytes >= 16 ? 16 : (uint8_t)bytes;
}
/** Of a block's shared memory: a bit a byte, and behind them how wide the widest store was, and whether all of it holds something:
 *  WHOLE, or a number of looks since that was asked last. */
static inline uint8_t *shared_widest(const struct block *b, int slot)
{
    return (uint8_t *)b->check[slot] + reserved_end(b->shared_bytes) / 8 + 1;
}
#define WHOLE 64
static inline uint8_t *shared_whole(const struct block *b, int slot)
{
    return shared_widest(b, slot) + 1;
}

#endif
