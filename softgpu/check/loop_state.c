/**
 * @file loop_state.c
 * See loop_state.h.
 */
#include "check/loop_state.h"

#include "base/mix.h"
#include "execute/machine.h"

static uint64_t lane_value(const struct warp *w, uint32_t reg, unsigned width, int lane)
{
    const void *r = warp_reg(w, reg);
    switch (width) {
    case 1:
        return *(const uint32_t *)r >> lane & 1;
    case 2:
        return ((const uint16_t *)r)[lane];
    case 4:
        return ((const uint32_t *)r)[lane];
    case 16:
        return mix_in(((const uint64_t *)r)[lane], ((const uint64_t *)r)[WARP_LANES + lane]);
    default:
        return ((const uint64_t *)r)[lane];
    }
}

uint64_t loop_state(const struct warp *w, const struct insn *in, uint32_t mask, enum loop_which which)
{
    const struct function *f = image_function_at(w->block->grid->config.kernel->image, in);
    struct loop *l = f ? loop_around(f, in, which) : NULL;
    uint64_t h = mask;
    if (!l)
        return 0;
    const struct deciders *d = loop_deciders(f, l);
    if (d->too_many) /* as if it got somewhere each time */
        return mix_in(w->instructions, 1) | 1;
    for (int i = 0; i < d->count; i++) {
        unsigned width = function_register_width(f, d->reg[i]);
        for (uint32_t m = mask; m; m &= m - 1)
            h = mix_in(h, lane_value(w, d->reg[i], width, __builtin_ctz(m)));
    }
    return h | 1;
}
