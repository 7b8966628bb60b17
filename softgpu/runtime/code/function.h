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
/** An event that a launch records at a point within the kernel. */
struct launch_event {
    cudaEvent_t event;
    int flags;
    bool begun;                    /**< when all blocks have begun; else when all have triggered it */
    bool awaited;                  /**< griddepcontrol.wait of a kernel that comes after it waits for this one */
};
struct launch_shape {
    dim3 grid, block;
    size_t shared;
    bool cooperative;
    dim3 cluster;                  /**< of the launch attribute; 0 x 0 x 0: not given */
    bool programmatic;             /**< may begin before the kernel before it in its stream has ended */
    struct launch_event events[2];
    int event_count;
    const cudaLaunchAttribute *updatable; /**< deviceUpdatableKernelNode, which only a capture may have; NULL: not given */
    const struct sm_part *part;    /**< of the stream's green context; NULL: all SMs */
};
/* cluster_launch.c */

/** Blocks of a cluster in such a launch, all 0 where it has none: the launch's word must agree with the kernel's.
 *  @return cudaErrorInvalidClusterSize where there can be no such clusters */
cudaError_t cluster_shape(const struct kernel *k, dim3 grid, dim3 asked, uint32_t out[3]);
/** The grid in blocks: some kernels count theirs in clusters. */
dim3 cluster_grid(const struct kernel *k, dim3 grid);
cudaError_t cluster_set_attribute(struct kernel *k, enum cudaFuncAttribute attr, int value);

/** Checks a launch and makes an operation of it, with arguments as pointers, or `packed`, which it takes
 *  over when it succeeds. */
cudaError_t launch_make(const char *name, const void *func, const struct launch_shape *shape,
                        void **args, void *packed, struct operation **out);
/** Fills in what the grid of a launch that begins is started with. */
void launch_configure(struct operation *op);

#endif
