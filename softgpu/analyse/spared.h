/**
 * @file spared.h
 * Updates that a look spares: `if (*p < v) atomicMax(p, v)`.
 */
#ifndef SOFTGPU_ANALYSE_SPARED_H
#define SOFTGPU_ANALYSE_SPARED_H

#include "analyse/carried.h"

#define SPARED_STEPS 16   /* computations before the update; more are not followed */

/**
 * The one thing that the thread does between `from` and `other` beside computing: a relaxed minimum or maximum whose result nobody
 * uses, and of whose operands none is made of `value`. NULL: there is none, it does more, or what it computes is used at `other`.
 * That it is of the location that was looked at, and leaves it as it is, is to be asked where it is executed.
 */
const struct insn *spared_update(const struct function *f, const struct insn *from, const struct insn *other, struct carried value);

#endif
