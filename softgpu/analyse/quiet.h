/**
 * @file quiet.h
 * Between which barriers of the whole block no thread of it can store to its shared memory. What is read there cannot race: all that comes
 * before the barrier that all have left is ordered before, and all behind the next one after it.
 */
#ifndef SOFTGPU_ANALYSE_QUIET_H
#define SOFTGPU_ANALYSE_QUIET_H

#include "code/image.h"

/**
 * Does nothing of the kernel store to shared memory, or may do so, from behind this barrier up to the next one of the whole block? That is: on no way from it without
 * such a barrier is there
 *   - a store to or an atomic on shared memory or a generic address, also of a matrix,
 *   - a call, or anything else of which that is not known.
 * Nor do some threads leave the kernel there and others come to one more barrier, which does not order what the first have read. Asynchronous copies
 * and barrier objects, which act on shared memory when they like, are nowhere in the kernel or what it may call.
 * `barrier`: any instruction of `kernel`; of what is no barrier of the whole block it is not said. Found once.
 */
bool quiet_behind(const struct function *kernel, const struct insn *barrier);
/** Does the kernel load matrices, which can be such reads also where nothing is compiled? */
bool quiet_matrices(const struct function *kernel);

/** Does a thread come to the load, a weak one of shared memory, from such a barrier without another one? */
bool quiet_load(const struct function *kernel, const struct insn *load);

#endif
