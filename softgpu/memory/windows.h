/**
 * @file windows.h
 * Generic addresses (PTX ISA 5.1): a window for each space that has no device addresses, outside every
 * host and device mapping; everything else is global or constant memory.
 */
#ifndef SOFTGPU_MEMORY_WINDOWS_H
#define SOFTGPU_MEMORY_WINDOWS_H

#include <stdbool.h>
#include <stdint.h>

#include "parse/types.h"

#define SHARED_WINDOW 0x1000000000000000ull
#define SHARED_WINDOW_BYTES 0x1000000ull
/** Behind a block's own shared memory lie those of all blocks of its cluster, by rank, so many bytes apart (mapa): an
 *  address in them means the same in each block. A rank that no block has leads to none of them. */
#define SHARED_RANK_SHIFT 24
#define SHARED_RANKS 127u
#define SHARED_CLUSTER_BYTES ((SHARED_RANKS + 1) * SHARED_WINDOW_BYTES)
#define LOCAL_WINDOW 0x2000000000000000ull
/** Behind the windows of shared and of local memory lie those of single clusters (blocks, where there are none) and threads, as many bytes apart: an
 *  address there leads to the memory of whoever uses it, as on a GPU, and tells whose variable it was taken of, and in which launch. In the
 *  window itself an address is anybody's. */
#define OWNER_BYTES 0x100000000ull
/** Launches that are OWNER_LAUNCHES apart share one, and so do threads or clusters that are OWNERS_OF_LAUNCH apart. */
#define OWNER_LAUNCHES 255ull
#define OWNERS_OF_LAUNCH 0x100000ull
#define OWNERS (OWNER_LAUNCHES * OWNERS_OF_LAUNCH)
/** A kernel's parameters, for cvta.param (`__grid_constant__`): read-only. */
#define PARAM_WINDOW 0x00fd000000000000ull
#define PARAM_WINDOW_BYTES 0x10000ull
/** Code addresses of device functions: WINDOW + 16 * function index. */
#define CODE_WINDOW 0x00fe000000000000ull

/** Where a space's window begins; 0 for those whose addresses are generic ones already. */
static inline uint64_t generic_window(enum ptx_space space)
{
    return space == SPACE_SHARED  ? SHARED_WINDOW
           : space == SPACE_LOCAL ? LOCAL_WINDOW
           : space == SPACE_PARAM ? PARAM_WINDOW
                                  : 0;
}

/** @return  1..OWNERS */
static inline uint64_t generic_owner(uint64_t launch, uint64_t number)
{
    return launch % OWNER_LAUNCHES * OWNERS_OF_LAUNCH + number % OWNERS_OF_LAUNCH + 1;
}

/** Two owners: of different launches? */
static inline bool generic_launches_differ(uint64_t a, uint64_t b)
{
    return (a - 1) / OWNERS_OF_LAUNCH != (b - 1) / OWNERS_OF_LAUNCH;
}

/** Whose shared or local memory a generic address was taken of; 0: anybody's */
static inline uint64_t generic_owner_of(uint64_t address)
{
    return (address - (address < LOCAL_WINDOW ? SHARED_WINDOW : LOCAL_WINDOW)) / OWNER_BYTES;
}

/** The rank of the block whose shared memory an address there names; `own`: the block's own. */
static inline uint64_t shared_rank(uint64_t address, uint64_t own)
{
    return address >> SHARED_RANK_SHIFT ? (address >> SHARED_RANK_SHIFT) - 1 : own;
}

/** The space that a generic address lies in, GLOBAL for constant memory too; makes it one of that space. */
static inline enum ptx_space generic_resolve(uint64_t *address)
{
    uint64_t a = *address;
    enum ptx_space space = a - SHARED_WINDOW < (OWNERS + 1) * OWNER_BYTES && a % OWNER_BYTES < SHARED_CLUSTER_BYTES ? SPACE_SHARED
                           : a - LOCAL_WINDOW < (OWNERS + 1) * OWNER_BYTES ? SPACE_LOCAL
                           : a - PARAM_WINDOW < PARAM_WINDOW_BYTES ? SPACE_PARAM
                                                                   : SPACE_GLOBAL;
    *address -= generic_window(space);
    if (space == SPACE_LOCAL || space == SPACE_SHARED)
        *address %= OWNER_BYTES;
    return space;
}

#endif
