/**
 * @file instant.h
 * Operations that take no steps of a grid.
 */
#ifndef SOFTGPU_RUNTIME_STREAM_INSTANT_H
#define SOFTGPU_RUNTIME_STREAM_INSTANT_H

#include "runtime/state/operation.h"

/** Executes and finishes an operation that is neither a kernel nor a host function. */
void instant_execute(struct operation *op);

#endif
