/**
 * @file function.h
 * What a kernel needs and may take: limits that launches and occupancy share.
 */
#ifndef SOFTGPU_RUNTIME_FUNCTION_H
#define SOFTGPU_RUNTIME_FUNCTION_H

#include "runtime/code/kernel.h"
#include "runtime/state/runtime.h"

struct operation;

/** Most threads in a block of this kernel: its launch bounds and its registers decide. */
int function_max_threads(const struct function *f);
/** Dynamic shared memory that a launch may ask for, in bytes. */
int function_max_dynamic_shared(const struct kernel *k);
struct launch_shape {
    dim3 grid, block;
    size_t shared;
    bool cooperative;
    bool programmatic;             /**< may begin before the kernel before it in its stream has ended */
};
/** Checks a launch and makes an operation of it, with arguments as pointers, or `packed`, which it takes
 *  over when it succeeds. */
cudaError_t launch_make(const char *name, const void *func, const struct launch_shape *shape,
                        void **args, void *packed, struct operation **out);
/** Fills in what the grid of a launch that begins is started with. */
void launch_configure(struct operation *op);

#endif
