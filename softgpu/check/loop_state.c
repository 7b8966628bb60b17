/**
 * @file loop_state.c
 * See loop_state.h.
 */
#include "check/loop_state.h"

#include "base/mix.h"
#include "code/frame.h"
#include "execute/grid.h"

/** Where lanes of a warp are in one activation of a function. */
struct place {
    const struct insn *at;
    const uint8_t *frame;
    uint32_t lanes;
};

/** Of the loops in that function; 0: it stands in none. */
static uint64_t state_in(const struct warp *w, const struct place *p, enum loop_which which)
{
    const struct function *f = image_function_at(w->block->grid->config.kernel->image, p->at);
    struct loop *l = f ? loop_around(f, p->at, which) : NULL;
    uint64_t h = p->lanes;
    if (!l)
        return 0;
    const struct deciders *d = loop_deciders(f, l);
    if (d->too_many) /* as if it got somewhere each time */
        return mix_in(w->instructions, 1) | 1;
    for (uint64_t needed = loop_needs_behind(l, d, p->at); needed; needed &= needed - 1) {
        int i = __builtin_ctzll(needed);
        unsigned width = function_register_width(f, d->reg[i]);
        const void *reg = d->reg[i] & CONST_BIT ? warp_reg(w, d->reg[i]) : p->frame + d->reg[i];
        for (uint32_t m = p->lanes; m; m &= m - 1)
            h = mix_in(h, warp_lane_word(reg, width, __builtin_ctz(m)));
    }
    return h | 1;
}

/** Of the loops in which a lane's calls stand, from the innermost call on. */
static uint64_t state_of_callers(const struct warp *w, int lane, enum loop_which which)
{
    uint64_t h = 0;
    for (uint32_t frame = w->frame_offset; frame && !(h && which == LOOP_INNERMOST);) {
        const struct frame_header *called = (const struct frame_header *)(w->file + frame);
        frame = called->caller_frame[lane];
        uint64_t state = state_in(w, &(struct place){called->return_pc[lane] - 1, w->file + frame, 1u << lane}, which);
        h = state ? mix_in(h, state) | 1 : h;
    }
    return h;
}

uint64_t loop_state(const struct warp *w, const struct insn *in, uint32_t mask, enum loop_which which)
{
    if (in->mem.texture) /* one texel of an instruction */
        in = image_site_insn(w->block->grid->config.kernel->image, in->site);
    uint64_t h = state_in(w, &(struct place){in, w->frame, mask}, which);
    if (h && which == LOOP_INNERMOST)
        return h;
    for (uint32_t m = w->frame_offset ? mask : 0; m; m &= m - 1) {
        uint64_t state = state_of_callers(w, __builtin_ctz(m), which);
        h = state ? mix_in(h, state) | 1 : h;
    }
    return h;
}
