/**
 * @file lane_state.h
 * What a thread holds, in one word.
 */
#ifndef SOFTGPU_RERUN_EXPLORE_LANE_STATE_H
#define SOFTGPU_RERUN_EXPLORE_LANE_STATE_H

#include "analyse/live.h"
#include "base/mix.h"
#include "code/frame.h"
#include "execute/block.h"
#include "execute/warp.h"

/** What of an activation's frame counts: registers whose slots are live (NULL: all). */
struct lane_frame {
    const uint8_t *begin;
    const uint64_t *live;
};

/** Takes a lane's predicates into a hash, 32 in one word. */
static inline uint64_t lane_predicates(uint64_t h, const struct lane_frame *f, const uint8_t *slot, const uint8_t *end, int lane)
{
    while (slot < end) {
        uint32_t bits = 0;
        for (int i = 0; i < 32 && slot < end; i++, slot += FLAG_BYTES)
            bits = bits << 1 | (live_in(f->live, (size_t)(slot - f->begin)) && warp_lane_word(slot, 1, lane));
        h = mix_in(h, bits);
    }
    return h;
}

/** And its registers of one width: all that have room as a whole. @return behind the last */
static inline const uint8_t *lane_registers(uint64_t *h, const struct lane_frame *f, const uint8_t *slot, const uint8_t *end, unsigned width, int lane)
{
    for (; end - slot >= (ptrdiff_t)(width * WARP_LANES); slot += width * WARP_LANES)
        *h = mix_in(*h, live_in(f->live, (size_t)(slot - f->begin)) ? warp_lane_word(slot, width, lane) : 0);
    return slot;
}

/** Those of one activation: predicates, registers by their widths, and behind them what adds with carry and the like keep. */
static inline uint64_t lane_frame(uint64_t h, const struct warp *w, const struct activation *act, const uint64_t *live, int lane)
{
    const struct lane_frame f = {w->file + act->offset, live}, all = {f.begin, NULL};
    const uint32_t *from = act->function->width_from;
    const uint8_t *end[5];
    for (int i = 0; i < 5; i++)
        end[i] = f.begin + (i < 4 && from[i + 1] < act->bytes ? from[i + 1] : act->bytes);
    if (from[0] >= act->bytes)
        return h;
    h = lane_predicates(h, &f, f.begin + from[0], end[0], lane);
    lane_registers(&h, &f, end[0], end[1], 4, lane);
    lane_registers(&h, &f, end[1], end[2], 8, lane);
    lane_registers(&h, &f, end[2], end[3], 2, lane);
    const uint8_t *rest = lane_registers(&h, &f, end[3], end[4], 16, lane);
    return lane_predicates(h, &all, rest, end[4], lane);
}

/** The lane's registers, its local memory, and where it stands; it does not run at the moment. @param live  only registers that it may still read; all those of functions that have called others */
static inline uint64_t lane_state(const struct warp *w, int lane, const struct insn *at, bool live)
{
    uint64_t h = (uint64_t)(uintptr_t)at;
    for (int a = 0; a < w->activation_count; a++) {
        const struct activation *act = &w->activations[a];
        h = lane_frame(h, w, act, live && a + 1 == w->activation_count ? live_slots(act->function, at) : NULL, lane);
    }
    for (uint32_t i = 0; i < w->local_top[lane]; i++)
        h = mix_in(h, w->local[(size_t)lane * w->local_stride + i]);
    return h;
}

#endif
