/**
 * @file instant.h
 * Operations that take no steps of a grid.
 */
#ifndef SOFTGPU_RUNTIME_STREAM_INSTANT_H
#define SOFTGPU_RUNTIME_STREAM_INSTANT_H

#include "runtime/state/operation.h"

/** Executes and finishes an operation that is neither a kernel nor a host function. */
void instant_execute(struct operation *op);

/**
 * A launch has failed: what writes device memory and could have been done before or beside it is done yet, in checked mode. Nobody can see that, but
 * where the launch should have waited for one of them, the fault is told with its cause.
 */
void instant_beside_fault(const struct operation *failed);

#endif
