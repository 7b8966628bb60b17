/**
 * @file interleavings.h
 * Every interleaving of a small program: one access after another, each read returning the last write. There are far fewer states
 * of memory and threads than executions under the model, so that this may come to an end where model_enumerate() does not.
 */
#ifndef SOFTGPU_MODEL_INTERLEAVINGS_H
#define SOFTGPU_MODEL_INTERLEAVINGS_H

#include "model/enumerate.h"

/**
 * Calls `found` for each way in which all threads may end, without an execution and its relations.
 * @param points  states that are tried at most
 * @return false if not all were tried: there are more, or something is not followed (barriers that count warps, or at which threads
 *         only arrive)
 */
bool model_interleavings(const struct model_program *p, uint64_t points,
                         void (*found)(void *self, const struct model_outcome *o), void *self);

#endif
