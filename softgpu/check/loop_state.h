/**
 * @file loop_state.h
 * Does a loop get anywhere? The present values of the registers that decide whether it goes on.
 *
 * A loop that counts may read the same value of the same place a million times and still end; one in
 * which neither memory nor any of these registers changes never will.
 */
#ifndef SOFTGPU_CHECK_LOOP_STATE_H
#define SOFTGPU_CHECK_LOOP_STATE_H

#include <stdint.h>

#include "analyse/loops.h"

struct warp;

/** The values, in the lanes of `mask`, of what decides whether the innermost loop around `in`, or all loops
 *  around it together, go on, in one word; `w` runs `in`. Where `in` is in a function that has been called, the loops around the calls
 *  are such, too. 0 where there is none. */
uint64_t loop_state(const struct warp *w, const struct insn *in, uint32_t mask, enum loop_which which);

#endif
