/**
 * @file live.h
 * Registers of a decoded function whose value is still read.
 */
#ifndef SOFTGPU_ANALYSE_LIVE_H
#define SOFTGPU_ANALYSE_LIVE_H

#include "analyse/flow.h"

/** The slots (offset / FLOW_SLOT), one bit each, whose value is read where the instruction begins, or later; NULL: that is not known, as of what is none of the function's. */
const uint64_t *live_slots(const struct function *f, const struct insn *in);

/** Is the register at that offset of the frame among them? */
static inline bool live_in(const uint64_t *slots, size_t offset)
{
    return !slots || slots[offset / FLOW_SLOT / 64] >> (offset / FLOW_SLOT % 64) & 1;
}

#endif
