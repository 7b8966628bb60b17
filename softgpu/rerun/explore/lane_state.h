/**
 * @file lane_state.h
 * What a thread holds, in one word.
 */
#ifndef SOFTGPU_RERUN_EXPLORE_LANE_STATE_H
#define SOFTGPU_RERUN_EXPLORE_LANE_STATE_H

#include "base/mix.h"
#include "execute/block.h"
#include "execute/warp.h"

/** Registers and local memory of a lane that does not run at the moment, and where it stands. */
static inline uint64_t lane_state(const struct warp *w, int lane, const struct insn *at)
{
    uint64_t h = (uint64_t)(uintptr_t)at;
    for (int a = 0; a < w->activation_count; a++) {
        const struct activation *act = &w->activations[a];
        uint32_t slot = act->function->width_from[0];
        while (slot < act->bytes) {
            unsigned width = function_register_width(act->function, slot);
            h = mix_in(h, warp_lane_word(w->file + act->offset + slot, width, lane));
            slot += width == 1 ? 4 : width * WARP_LANES;
        }
    }
    for (uint32_t i = 0; i < w->local_top[lane]; i++)
        h = mix_in(h, w->local[(size_t)lane * w->local_stride + i]);
    return h;
}

#endif
