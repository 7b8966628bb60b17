/**
 * @file lane_ahead.h
 * What one lane would do up to the end of its phase, with some value from its load: computed ahead, nothing is changed.
 */
#ifndef SOFTGPU_EXECUTE_LANE_AHEAD_H
#define SOFTGPU_EXECUTE_LANE_AHEAD_H

#include "execute/warp.h"

/** Writes that are followed, */
#define AHEAD_CHANGES 64
/** and strong loads that are put down. */
#define AHEAD_LOOKS 16

struct ahead_change {
    const struct insn *in;      /**< a store, or an atomic other than a compare-and-swap */
    uint64_t address, operand;
    bool leaves;                /**< the memory as it was */
};

struct ahead_look {
    const struct insn *in;
    uint64_t address, value;
};

struct lane_ahead {
    const struct insn *end;     /**< where the phase ends: a barrier, a fence, an exit … */
    bool carries;               /**< there a register that is read behind holds something else than at the load */
    bool brings;                /**< the barrier asks whether any (all) threads say so, and the lane says yes (no), as it has computed on the way */
    int count;
    struct ahead_change change[AHEAD_CHANGES];
    int looked;                 /**< strong loads in all */
    int looks;
    struct ahead_look look[AHEAD_LOOKS];    /**< the first of them */
};

/**
 * Follows the lane from `load`, a load or an atomic that it is about to execute or has just executed and that gives it `value`. What it looks up further on is what stands
 * there now. Registers and memory are as they were when this returns.
 * @return false where it is not followed to the end: after 1,024 instructions or 64 writes, at calls, compare-and-swaps, vectors, local memory, special registers
 */
bool lane_goes_ahead(const struct warp *w, const struct insn *load, int lane, uint64_t value, struct lane_ahead *out);

struct ahead_swap {
    const struct insn *in;
    const uint8_t *host;        /**< where the bytes are that it would swap */
    uint64_t expects, puts;
};

/** The same up to the first compare-and-swap, past fences. @return false where it does not come to one, or looks at something else by a strong load before */
bool lane_goes_to_swap(const struct warp *w, const struct insn *load, int lane, uint64_t value, struct ahead_swap *out);

/** The same up to the first write, past fences, with `value` wherever it looks at that place again. *out has the other strong looks on the way.
 *  @return the store, or the exchange, of that place, and what it *puts there; NULL where the first write is another, or it comes to none, or has made more such looks than are put down */
const struct insn *lane_goes_to_store(const struct warp *w, const struct insn *load, int lane, uint64_t value, struct lane_ahead *out, uint64_t *puts);

/** These are executed for the lane alone: what computes from registers to a register, and loads, which get what stands now, and nobody is told of, or
 *  where that is not followed, as above, 0. It counts for nothing. */
void lane_executes(struct warp *w, const struct insn *const *steps, int count, int lane);
/** What a register of so many bytes would hold behind them. Nothing is changed. */
uint64_t lane_would_hold(const struct warp *w, const struct insn *const *steps, int count, int lane, uint32_t reg, unsigned bytes);

#endif
