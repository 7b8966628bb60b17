/**
 * @file windows.h
 * Generic addresses (PTX ISA 5.1): a window for each space that has no device addresses, outside every
 * host and device mapping; everything else is global or constant memory.
 */
#ifndef SOFTGPU_MEMORY_WINDOWS_H
#define SOFTGPU_MEMORY_WINDOWS_H

#include <stdint.h>

#include "parse/types.h"

#define SHARED_WINDOW 0x00ff000000000000ull
#define SHARED_WINDOW_BYTES 0x1000000ull
#define LOCAL_WINDOW 0x00ff800000000000ull
#define LOCAL_WINDOW_BYTES 0x100000000ull
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

/** The space that a generic address lies in, GLOBAL for constant memory too; makes it one of that space. */
static inline enum ptx_space generic_resolve(uint64_t *address)
{
    uint64_t a = *address;
    enum ptx_space space = a - SHARED_WINDOW < SHARED_WINDOW_BYTES  ? SPACE_SHARED
                           : a - LOCAL_WINDOW < LOCAL_WINDOW_BYTES ? SPACE_LOCAL
                           : a - PARAM_WINDOW < PARAM_WINDOW_BYTES ? SPACE_PARAM
                                                                   : SPACE_GLOBAL;
    *address -= generic_window(space);
    return space;
}

#endif
