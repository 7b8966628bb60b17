/**
 * @file atomic_operands.h
 * Operands of atomics that are undefined.
 */
#ifndef SOFTGPU_CHECK_UNINIT_ATOMIC_OPERANDS_H
#define SOFTGPU_CHECK_UNINIT_ATOMIC_OPERANDS_H

#include "check/uninit/uninit.h"

/** What an undefined operand leaves in global memory is told, what it leaves in a block's own is undefined. */
void operands_of_atomic(struct uninit *u, const struct warp *w, const struct mem_access *a);

/** Marks what a lane stores to global memory, which is watched, as undefined, by what came to `undefined`, or not (NULL); in uninit.c. */
void uninit_mark(struct uninit *u, const struct warp *w, const struct mem_access *a, int lane, const struct taint *undefined);

#endif
