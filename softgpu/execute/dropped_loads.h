/**
 * @file dropped_loads.h
 * What follows from a value that is loaded, computed ahead: which lanes drop it, as a predicate says (analyse/thrown_away.h), and
 * which way a lane goes (analyse/decides.h). Registers are as they were when these return.
 */
#ifndef SOFTGPU_EXECUTE_DROPPED_LOADS_H
#define SOFTGPU_EXECUTE_DROPPED_LOADS_H

#include "analyse/decides.h"
#include "analyse/thrown_away.h"
#include "execute/warp.h"

/** Lanes in which `in`, which selects or combines predicates, drops its source `index`, going by the other one. */
uint32_t lanes_dropping(const struct warp *w, const struct insn *in, unsigned index);

/** May a lane drop what this load gets, as a predicate says? */
bool load_may_be_dropped(const struct warp *w, const struct insn *load);

/** The running lanes that will have dropped what they are about to load. */
uint32_t lanes_throwing_away(struct warp *w, const struct insn *load);

/** Would the lane, which is about to load or has just loaded, go to the branch's target if it got `value`? */
bool lane_would_branch(const struct warp *w, const struct insn *load, const struct decision *d, int lane, uint64_t value);

/** Would the update that the lane comes to if it got `older` (d->side[…].spared) be of the location that it looks at, and leave `newest`
 *  there as it is? And, if it is a minimum or maximum, is that what the branch asks: does a value that it would change lead to it? */
bool lane_update_is_vain(const struct warp *w, const struct insn *load, const struct decision *d, int lane, uint64_t older, uint64_t newest);

/** load_observed() of a load whose value may be dropped. */
const struct insn *load_perhaps_dropped(struct warp *w, const struct insn *in);

#endif
