/**
 * @file passed_by.c
 * See passed_by.h.
 */
#include "check/passed_by.h"

#include "analyse/flow.h"
#include "analyse/paths.h"
#include "analyse/varies.h"

const struct frame_header *frame_at(const struct warp *w, uint32_t frame)
{
    return (const struct frame_header *)(w->file + frame);
}

uint32_t passed_by(const struct warp *w, const struct group *g, const struct insn *place, uint32_t others)
{
    const struct function *f = w->block->grid->config.kernel;
    uint32_t lanes = g->members & others & g->parted_others;
    bool round = g->parted && lanes && flow_holds(f, g->parted) && flow_holds(f, place) &&
                 path_passes_by(f, g->parted, g->parted_to, place, NULL) && !branch_is_uniform(f, g->parted);
    return round ? lanes : 0;
}

const struct insn *place_in_kernel(const struct warp *w, const struct group *g)
{
    const struct insn *place = g->pc;
    for (uint32_t frame = g->frame; frame; frame = frame_at(w, frame)->caller_frame[__builtin_ctz(g->mask)])
        place = frame_at(w, frame)->return_pc[__builtin_ctz(g->mask)] - 1;
    return place;
}
