/**
 * @file spared.h
 * Updates that a look spares: `if (*p < v) atomicMax(p, v)`, `if (!*p) *p = 1`.
 */
#ifndef SOFTGPU_ANALYSE_SPARED_H
#define SOFTGPU_ANALYSE_SPARED_H

#include "analyse/carried.h"

/** An atomic minimum or maximum. */
static inline bool insn_is_bound(const struct insn *in)
{
    return insn_class(in) == INSN_ATOMIC && (in->mem.atom == ATOM_MIN || in->mem.atom == ATOM_MAX);
}

#define SPARED_STEPS 16   /* instructions before the update; more are not followed */
#define SPARED_LOADS 4

/** An update and what becomes of its result. */
struct spared {
    const struct insn *update;   /**< NULL: there is none */
    const struct insn *asks;     /**< NULL, or the branch behind it about which its result may decide: on one way the thread goes on to what it does without */
    bool jumps;                  /**< … where it branches, else behind it */
    const struct insn *again[SPARED_LOADS];   /**< plain loads on the way whose results are used where the thread comes to without it, too: nvcc
                                      loads anew behind an update what that might have changed. The registers must hold it already */
    int agains;
};

/**
 * The one thing that the thread does between `from` and `other` beside computing: a relaxed minimum, maximum, exchange, `or` or `and` whose result
 * is used at `other` by nobody, or a relaxed store, of whose operands none is made of `value`. It may load plainly, too, from where `value` does not
 * lead. None: there is none, it does more, or what it computes is used at `other`. That it is of the location that was looked at, and leaves it as it is, and that what it returns then leads to `other`, is to be asked
 * where it is executed.
 */
struct spared spared_update(const struct function *f, const struct insn *from, const struct insn *other, struct carried value);

#endif
