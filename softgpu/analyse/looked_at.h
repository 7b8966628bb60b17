/**
 * @file looked_at.h
 * Does anything hang on what an atomic returns? And how a value is followed on one way through the code.
 */
#ifndef SOFTGPU_ANALYSE_LOOKED_AT_H
#define SOFTGPU_ANALYSE_LOOKED_AT_H

#include "analyse/carried.h"

#define MOST_FOLLOWED 128   /* instructions of a way */

/** Past one instruction. `copies`: only what copies the value keeps it. */
void value_follow(struct carried *r, const struct insn *in, bool copies);
/** Where it goes on from `in`; of a branch that may be taken, behind it. NULL: nowhere, or back. */
const struct insn *way_next(const struct insn *in);

/** Does the result of an atomic decide anything, or leave the registers' sight? What is returned as it is, is none that the
 *  caller would check: the function has. */
bool result_is_looked_at(const struct function *f, const struct insn *atomic);

#endif
