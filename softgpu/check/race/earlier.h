/**
 * @file earlier.h
 * A read-modify-write comes before writes of its location that have been made already: it need not see them, and nobody has
 * read what they left, so that they can be made again on top of it. The checker says for which this is so;
 * whether it is done is the chooser's to decide (rerun/adversary.c). Compare-and-swaps are not asked.
 *
 * Only where the program relies on an order: the thread has seen a signal of such a write. An order of atomics that
 * nobody relies on is one of the schedules.
 */
#ifndef SOFTGPU_CHECK_RACE_EARLIER_H
#define SOFTGPU_CHECK_RACE_EARLIER_H

#include <stdbool.h>
#include <stdint.h>

#include "check/race/shadow/shadow_word.h"

struct insn;
struct mem_access;
struct race;
struct warp;

struct earlier {
    uint64_t reads;       /**< what the read-modify-write reads then */
    int count;            /**< of the writes that are made again, the oldest first */
    struct { const struct insn *in; uint64_t operand; } again[MAX_PAST];
};

/** Does nobody read the register that gets the atomic's result? Compilers give those an atom, too. `agent`: whose instruction it is. */
bool atomic_is_unused(struct race *race, const struct insn *in, uint32_t agent);
/** May the lane's read-modify-write, which leaves another value than it finds, be so? Asked before the access's hook. */
bool race_earlier(struct race *race, const struct warp *w, const struct mem_access *a, int lane, struct earlier *out);
/** What the location holds after the writes in `e`, if they find `value`. */
uint64_t earlier_again(const struct earlier *e, uint64_t value, bool global);

#endif
