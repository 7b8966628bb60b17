/**
 * @file fast_shuffle.h
 * Private to execute/: shuffles of whole warps, of which nobody is told.
 */
#ifndef SOFTGPU_EXECUTE_FAST_SHUFFLE_H
#define SOFTGPU_EXECUTE_FAST_SHUFFLE_H

#include "execute/warp.h"

enum shfl_mode { SHFL_UP, SHFL_DOWN, SHFL_BFLY, SHFL_IDX };

/** The lane that `lane` reads from; *in_range is the predicate result (PTX ISA 9.7.9.6). */
static inline __attribute__((always_inline)) int shfl_source(enum shfl_mode mode, int lane, uint32_t b, uint32_t c, bool *in_range)
{
    int segment = (int)(c >> 8 & 31), clamp = (int)(c & 31), delta = (int)(b & 31);
    int most = (lane & segment) | (clamp & ~segment), least = lane & segment;
    int from = mode == SHFL_UP     ? lane - delta
               : mode == SHFL_DOWN ? lane + delta
               : mode == SHFL_BFLY ? lane ^ delta
                                   : (least | (delta & ~segment));
    *in_range = mode == SHFL_UP ? from >= most : from <= most;
    return *in_range ? from : lane;
}

/** The shuffle `in` by all 32 lanes, each of which names them all, where nobody watches. */
void fast_shuffle(struct warp *w, const struct insn *in);

#endif
