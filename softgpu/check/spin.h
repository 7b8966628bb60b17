/**
 * @file spin.h
 * The loop around an instruction, and the registers that decide whether it goes on.
 *
 * A loop that counts may read the same value of the same place a million times and still end; one in
 * which neither memory nor any of these registers changes never will.
 */
#ifndef SOFTGPU_CHECK_SPIN_H
#define SOFTGPU_CHECK_SPIN_H

#include <stdint.h>

struct insn;
struct warp;

/** Loops found so far, by the instruction that was asked about. */
struct spin_loops;
struct spin_loops *spin_loops_new(void);
void spin_loops_free(struct spin_loops *s);

/** The present values, in the lanes of `mask`, of what decides whether the innermost loop around `in`
 *  goes on, in one word; `w` runs `in`. 0 where `in` stands in no loop of its function: its caller's
 *  loop is not looked at. */
uint64_t spin_state(struct spin_loops *s, const struct warp *w, const struct insn *in, uint32_t mask);
/** The same for all loops around `in` together. */
uint64_t spin_state_of_all(struct spin_loops *s, const struct warp *w, const struct insn *in,
                           uint32_t mask);

#endif
