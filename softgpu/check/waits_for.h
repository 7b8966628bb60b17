/**
 * @file waits_for.h
 * What a group of lanes waits for, in a finding's terms.
 */
#ifndef SOFTGPU_CHECK_WAITS_FOR_H
#define SOFTGPU_CHECK_WAITS_FOR_H

#include "code/insn.h"
#include "execute/warp.h"
#include "report/facts.h"

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
        return WAIT_FOR_LANES;
    default:
        return in->mem.space == SPACE_SHARED ? WAIT_FOR_SHARED : WAIT_FOR_MEMORY;
    }
}

#endif
