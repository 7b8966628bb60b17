/**
 * @file fast_shuffle.c
 * See fast_shuffle.h: sources are found for all lanes at once. meeting.c does the others.
 */
#include "execute/fast_shuffle.h"

#include <string.h>

#include "base/vectors.h"

#pragma GCC optimize("O3")
#define INLINE static inline __attribute__((always_inline))

INLINE void shuffle_as(enum shfl_mode mode, struct warp *w, const struct insn *in)
{
    const uint32_t *a = warp_reg(w, in->src[0]), *b = warp_reg(w, in->src[1]), *c = warp_reg(w, in->src[2]);
    uint32_t out[WARP_LANES], ranges[WARP_LANES], all = 0;
    int32_t from[WARP_LANES];
    for (int lane = 0; lane < WARP_LANES; lane++) {
        bool in_range;
        from[lane] = shfl_source(mode, lane, b[lane], c[lane], &in_range) & 31;
        ranges[lane] = (uint32_t)in_range << lane;
    }
    for (int lane = 0; lane < WARP_LANES; lane++)
        out[lane] = a[from[lane]];
    if (in->dst != REG_NONE)
        memcpy(warp_reg(w, in->dst), out, sizeof out);
    if (in->dst2 == REG_NONE)
        return;
    for (int lane = 0; lane < WARP_LANES; lane++)
        all |= ranges[lane];
    *(uint32_t *)warp_reg(w, in->dst2) = all;
}

INLINE void shuffle(struct warp *w, const struct insn *in)
{
    switch ((enum shfl_mode)in->imm) {
    case SHFL_UP:
        return shuffle_as(SHFL_UP, w, in);
    case SHFL_DOWN:
        return shuffle_as(SHFL_DOWN, w, in);
    case SHFL_BFLY:
        return shuffle_as(SHFL_BFLY, w, in);
    default:
        return shuffle_as(SHFL_IDX, w, in);
    }
}

static void shuffle_any(struct warp *w, const struct insn *in)
{
    shuffle(w, in);
}

#ifdef __x86_64__
USES_VECTORS("avx2") static void shuffle_avx2(struct warp *w, const struct insn *in)
{
    shuffle(w, in);
}
#else
#define shuffle_avx2 shuffle_any
#endif

void fast_shuffle(struct warp *w, const struct insn *in)
{
    (vectors_level() >= VECTORS_AVX2 ? shuffle_avx2 : shuffle_any)(w, in);
}
