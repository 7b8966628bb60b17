/**
 * @file occupancy.h
 * What a block takes of an SM.
 */
#ifndef SOFTGPU_EXECUTE_OCCUPANCY_H
#define SOFTGPU_EXECUTE_OCCUPANCY_H

#include "execute/grid_run.h"

/** Threads, registers and shared memory that one block of `f` occupies. */
struct sm_use occupancy_need(const struct device_model *d, const struct function *f, int threads,
                             uint64_t dynamic_shared);
/** Keeps the estimates of an image's kernels within what lets as many blocks share an SM as their launch bounds promise. */
void occupancy_keep_bounds(const struct device_model *d, struct image *im);
/** Registers of a thread that ptxas gives a kernel whose text fixes them, as it must where setmaxnreg changes them: by `.maxnreg`, or by
 *  `.minnctapersm` blocks of `.maxntid` or `.reqntid` threads; at most. @return 0: the text fixes none */
unsigned occupancy_fixed_registers(const struct device_model *d, const struct function *f);

#endif
