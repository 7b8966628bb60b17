/**
 * @file last.h
 * Checked mode: with which launches something is unordered, now or later.
 */
#ifndef SOFTGPU_RUNTIME_STREAM_LAST_H
#define SOFTGPU_RUNTIME_STREAM_LAST_H

#include "runtime/state/operation.h"

/**
 * A kernel that is about to run alone: does all that has been issued and is not done come after it, and will all that is issued from now on? So it is where
 * the program has one thread, which waits for it, or for what comes after it.
 */
bool operation_is_last(const struct operation *op);

/** Operations below it come before all that is still to begin, and all that is issued from now on. */
uint64_t operations_settled(void);

#endif
