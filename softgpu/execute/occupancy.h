/**
 * @file occupancy.h
 * Private to execute/: what a block takes of an SM.
 */
#ifndef SOFTGPU_EXECUTE_OCCUPANCY_H
#define SOFTGPU_EXECUTE_OCCUPANCY_H

#include "execute/grid_run.h"

/** Threads, registers and shared memory that one block of `f` occupies. */
struct sm_use occupancy_need(const struct device_model *d, const struct function *f, int threads,
                             uint64_t dynamic_shared);
/** Keeps the estimates of an image's kernels within what lets as many blocks share an SM as their launch bounds promise. */
void occupancy_keep_bounds(const struct device_model *d, struct image *im);

#endif
