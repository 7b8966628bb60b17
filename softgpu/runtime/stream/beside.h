/**
 * @file beside.h
 * Checked mode: kernels that wait for each other run at the same time.
 */
#ifndef SOFTGPU_RUNTIME_BESIDE_H
#define SOFTGPU_RUNTIME_BESIDE_H

#include "runtime/state/operation.h"

/**
 * May the kernel `op`, which is ready, poll memory that another issued kernel writes, of another stream or another
 * device? Then that one is needed now: what it comes after is to be executed before `op` begins, and they run together.
 */
bool beside_needed(struct operation *op);
/** May anything that has been issued, a copy or a fill, too, come to pass while the kernel polls? */
bool beside_waits(const struct operation *op);

#endif
