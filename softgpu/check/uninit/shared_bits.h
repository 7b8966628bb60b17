/**
 * @file shared_bits.h
 * What is known of a block's shared memory: which of it holds something; and a row of words more of any memory that does.
 */
#ifndef SOFTGPU_CHECK_UNINIT_SHARED_BITS_H
#define SOFTGPU_CHECK_UNINIT_SHARED_BITS_H

#include <string.h>

#include "execute/grid.h"
#include "execute/reserved.h"
#include "memory/memory.h"

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

/** Of an allocation: bytes of each of the two bitmaps of allocation->initialised (uninit.h); what is behind the allocation's end can be asked for, too. */
static inline uint64_t cells_half(const struct allocation *a)
{
    return a->bytes / 8 + 3;
}
/** 16 words from byte `at` on, a multiple of 4, hold something from now on: mostly that is a word of the bitmap; a row of a padded tile begins and ends
 *  within a byte. */
static inline void bits_set_row(uint8_t *bits, uint32_t at)
{
    const uint64_t all = UINT64_MAX;
    bits += at / 8;
    if (at % 8 == 0) {
        memcpy(bits, &all, sizeof all);
        return;
    }
    bits[0] |= 0xf0;
    memcpy(bits + 1, &all, sizeof all - 1);
    bits[8] |= 0x0f;
}

#endif
