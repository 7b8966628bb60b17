/**
 * @file interrupt.h
 * A host that asks for ever is held up now and then.
 */
#ifndef SOFTGPU_RUNTIME_STREAM_INTERRUPT_H
#define SOFTGPU_RUNTIME_STREAM_INTERRUPT_H

#include "runtime/state/operation.h"

/** The host asks whether `op` is done: its clock may move on. */
void interrupt_host(const struct operation *op);

#endif
