/**
 * @file loop_state.c
 * See loop_state.h.
 */
#include "check/loop_state.h"

#include "base/mix.h"
#include "execute/grid.h"

uint64_t loop_state(const struct warp *w, const struct insn *in, uint32_t mask, enum loop_which which)
{
    const struct image *image = w->block->grid->config.kernel->image;
    if (in->mem.texture) /* one texel of an instruction */
        in = image_site_insn(image, in->site);
    const struct function *f = image_function_at(image, in);
    struct loop *l = f ? loop_around(f, in, which) : NULL;
    uint64_t h = mask;
    if (!l)
        return 0;
    const struct deciders *d = loop_deciders(f, l);
    if (d->too_many) /* as if it got somewhere each time */
        return mix_in(w->instructions, 1) | 1;
    for (uint64_t needed = loop_needs_behind(l, d, in); needed; needed &= needed - 1) {
        int i = __builtin_ctzll(needed);
        unsigned width = function_register_width(f, d->reg[i]);
        for (uint32_t m = mask; m; m &= m - 1)
            h = mix_in(h, warp_lane_word(warp_reg(w, d->reg[i]), width, __builtin_ctz(m)));
    }
    return h | 1;
}
