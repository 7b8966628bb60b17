/**
 * @file together.h
 * Checked mode: kernels of several streams or devices that may communicate, run at once in all schedules.
 */
#ifndef SOFTGPU_RUNTIME_STREAM_TOGETHER_H
#define SOFTGPU_RUNTIME_STREAM_TOGETHER_H

#include "rerun/replay.h"
#include "runtime/state/operation.h"

/** May the kernel `op`, which is ready, communicate with another issued kernel that nothing orders with it? Then that one is
 *  needed now: what it comes after is to be executed before `op` begins. */
bool together_needed(struct operation *op);
/**
 * The kernels, `op` the first, that are ready and may communicate with each other, where none of them can be waiting for
 * anything else.
 * @return how many; 1: it is to run as others do
 */
int together_find(struct operation *op, struct operation *ops[MAX_TOGETHER]);

#endif
