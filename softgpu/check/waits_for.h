/**
 * @file waits_for.h
 * What a group of lanes waits for, in a finding's terms.
 */
#ifndef SOFTGPU_CHECK_WAITS_FOR_H
#define SOFTGPU_CHECK_WAITS_FOR_H

#include "analyse/acts.h"
#include "code/image.h"
#include "execute/warp.h"
#include "report/facts.h"
#include "report/ptx_line.h"

/** @param in  where it stands */
static inline enum wait_for waits_for(const struct group *g, const struct insn *in)
{
    switch (g->state) {
    case GROUP_AT_BARRIER:
        return WAIT_FOR_BARRIER;
    case GROUP_AT_CLUSTER:
    case GROUP_AT_ALIGNED:
        return WAIT_FOR_CLUSTER;
    case GROUP_AT_WARP_SYNC:
        return insn_row(in) == ROW_wgmma_wait && g->mask == UINT32_MAX ? WAIT_FOR_WARPS : WAIT_FOR_LANES;
    default:
        return in->mem.space == SPACE_SHARED ? WAIT_FOR_SHARED : WAIT_FOR_MEMORY;
    }
}

/** A line that updates what `in` waits for in two steps, so that an update may get lost; 0: none is known. */
static inline int waits_for_lost(const struct image *im, const struct insn *in)
{
    const struct function *f = image_function_at(im, in);
    const struct insn *store = f ? acts_losing(f, in) : NULL;
    return store ? site_line_to_say(insn_site(im, store)) : 0;
}

#endif
