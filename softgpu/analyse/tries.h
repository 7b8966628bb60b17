/**
 * @file tries.h
 * Threads that poll, and give up: the loop may end although what they wait for has not come.
 */
#ifndef SOFTGPU_ANALYSE_TRIES_H
#define SOFTGPU_ANALYSE_TRIES_H

#include "code/image.h"

/** Has the function a loop that polls by a strong load or an atomic and may also end by something that it counts? That may say yes
 *  of one that does not, where registers share a place in the frame; not of what its callees do. */
bool function_counts_tries(const struct function *f);

/** Does a load poll, weak or strong, in a loop that nothing it counts may end? What others store is then all that lets the thread go on. */
bool load_waits(const struct function *f, const struct insn *load);

#endif
