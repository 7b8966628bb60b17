/**
 * @file dropped_loads.h
 * Which lanes drop a value, as a predicate says (analyse/thrown_away.h).
 */
#ifndef SOFTGPU_EXECUTE_DROPPED_LOADS_H
#define SOFTGPU_EXECUTE_DROPPED_LOADS_H

#include "analyse/thrown_away.h"
#include "execute/warp.h"

/** Lanes in which `in`, which selects or combines predicates, drops its source `index`, going by the other one. */
uint32_t lanes_dropping(const struct warp *w, const struct insn *in, unsigned index);

/** The running lanes that will have dropped what they are about to load. Registers are as they were when it returns. */
uint32_t lanes_throwing_away(struct warp *w, const struct insn *load);

/** load_observed() of a load whose value may be dropped. */
const struct insn *load_perhaps_dropped(struct warp *w, const struct insn *in);

#endif
