/**
 * @file clear.h
 * Sets some tens or hundreds of bytes to 0. Where the compiler knows how many they are it may write `rep stos` (GCC 12 does), which takes longer to begin than
 * the C library's vectors take in all; so it does not know whom this calls.
 */
#ifndef SOFTGPU_BASE_CLEAR_H
#define SOFTGPU_BASE_CLEAR_H

#include <string.h>

static void *(*const volatile clear_with)(void *, int, size_t) = memset;

/** All of `bytes` bytes are 0 from here on. */
static inline void clear(void *p, size_t bytes)
{
    clear_with(p, 0, bytes);
}

#endif
