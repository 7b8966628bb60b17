/**
 * @file settled.c
 * See settled.h: variables that nobody had set have been set by now, or what was loaded has been written over. Instructions need not be
 * looked at one by one then, and run as machine code again, until something undefined is loaded.
 */
#include "check/uninit/settled.h"

static uint32_t undefined_lanes(const struct warp_taint *t)
{
    uint32_t lanes = 0;
    for (uint32_t r = 0; r < t->count; r++)
        lanes |= t->slots[r].lanes;
    return lanes;
}

bool any_undefined(struct warp_taint *t, const struct insn *in)
{
    bool asked = insn_class(in) == INSN_BARRIER || (insn_class(in) == INSN_BRANCH && in->target <= in);
    if (!asked || !t->any || passed_any(t) || undefined_lanes(t))
        return t->any;
    t->any = false;
    t->closely = t->flying_count > 0;
    return false;
}
