/**
 * @file reserved.h
 * Shared memory that belongs to the system (%reserved_smem_offset): cooperative groups keep the barriers of tiles of several
 * warps there, and what those exchange. A program's address of it lies where no user's index reaches; in a block, and to all
 * who watch it, it comes behind the block's own shared memory. It holds zeros in the beginning.
 */
#ifndef SOFTGPU_EXECUTE_RESERVED_H
#define SOFTGPU_EXECUTE_RESERVED_H

#include <stdint.h>

#define RESERVED_OFFSET 0xfff000u
#define RESERVED_BYTES 1024u

/** Where it begins in a block with so much shared memory of its own. */
static inline uint32_t reserved_begin(uint32_t shared_bytes)
{
    return (shared_bytes + 63) & ~63u;
}

/** Both together. */
static inline uint32_t reserved_end(uint32_t shared_bytes)
{
    return reserved_begin(shared_bytes) + RESERVED_BYTES;
}

/** An offset in shared memory as the program has it, as the block has it. */
static inline uint64_t reserved_placed(uint32_t shared_bytes, uint64_t offset)
{
    return offset - RESERVED_OFFSET < RESERVED_BYTES ? reserved_begin(shared_bytes) + (offset - RESERVED_OFFSET) : offset;
}

#endif
