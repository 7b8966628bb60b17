/**
 * @file rewrite.h
 * What operators see of a statement, and those of them that need more than its opcode.
 */
#ifndef GRADER_MUTANTS_REWRITE_H
#define GRADER_MUTANTS_REWRITE_H

#include "mutants/ptx_text.h"

struct rewrite {
    const struct ptx_text *ptx;
    int statement;
    const struct ptx_instruction *in; /**< the statement, taken apart */
};

/* Each writes the replacement of the statement; false: it is none of the operator's. */

/** An atomic becomes a load, the operation and a store. */
bool rewrite_split_atomic(struct text *out, const struct rewrite *r);
/** `<` becomes `<=`, and so on. */
bool rewrite_shift_bound(struct text *out, const struct rewrite *r);
/** A forward branch or a guard on a bound goes: what it guarded is always done. */
bool rewrite_delete_bound(struct text *out, const struct rewrite *r);
/** A store of 0 (or an exchange with it) goes, and atomicInc no longer wraps. */
bool rewrite_delete_reset(struct text *out, const struct rewrite *r);

#endif
