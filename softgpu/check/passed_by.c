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
                 path_passes_by(f, g->parted, g->parted_to, place, NULL, false) && !branch_is_uniform(f, g->parted);
    return round ? lanes : 0;
}

bool may_meet_at(const struct insn *in)
{
    return insn_class(in) == INSN_MEETING || insn_class(in) == INSN_TENSOR || insn_class(in) == INSN_CALL;
}

static bool may_meet_behind(const struct function *f, const struct insn *from)
{
    for (const struct insn *in = f->entry; in < f->end; in++)
        if (may_meet_at(in) && path_find(f, from, in, NULL, NULL) != PATH_NONE)
            return true;
    return false;
}

const struct insn *round_by(const struct function *f, const struct insn *place, const struct insn *where)
{
    bool known = flow_holds(f, place) && flow_holds(f, where) && !may_meet_behind(f, where);
    return known ? path_gone_round(f, place, where, branch_is_uniform) : NULL;
}

/** Where the first lane of the group has come back to when it leaves the function that it is in; NULL: the kernel. */
static const struct insn *leave(const struct warp *w, const struct group *g, uint32_t *frame)
{
    int lane = __builtin_ctz(g->mask);
    const struct frame_header *h = frame_at(w, *frame);
    const struct insn *back = *frame ? h->return_pc[lane] : NULL;
    *frame = *frame ? h->caller_frame[lane] : 0;
    return back;
}

const struct insn *place_in_kernel(const struct warp *w, const struct group *g)
{
    const struct insn *place = g->pc;
    for (uint32_t frame = g->frame; frame;)
        place = leave(w, g, &frame) - 1;
    return place;
}

struct place_in_function place_in_function(const struct warp *w, const struct group *g, const struct function *f)
{
    struct place_in_function p = {.at = g->pc};
    uint32_t frame = g->frame;
    while (frame && !flow_holds(f, p.at))
        p.at = leave(w, g, &frame) - 1;
    p.known = flow_holds(f, p.at);
    for (const struct insn *back; !p.goes_on && (back = leave(w, g, &frame));)
        p.goes_on = insn_class(back) != INSN_RETURN && insn_class(back) != INSN_EXIT;
    return p;
}
