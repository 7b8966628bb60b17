/**
 * @file node_update.h
 * Kernel nodes of graphs that kernels update (CUDA Runtime API, cudaLaunchAttributeDeviceUpdatableKernelNode). What the next
 * launch of such a node is lies in device memory, whose address is the handle: an update stores there, a launch reads it, and
 * both are judged as such. Facts are an H200's (tests/runtime/device_update_facts.gpu.txt).
 */
#ifndef SOFTGPU_EXECUTE_NODE_UPDATE_H
#define SOFTGPU_EXECUTE_NODE_UPDATE_H

#include "execute/grid.h"

#define NODE_STATE_NAME "cudaGraphDeviceNode_t"

/** The parameters follow it. */
struct node_state {
    uint32_t ready;       /**< some upload or launch has filled it in; before, updates are refused */
    uint32_t param_bytes, room; /**< of parameters; of these at most */
    uint32_t cluster[3];  /**< that the grid is counted in; 0: in blocks */
    uint32_t grid[3], enabled; /**< what updates change, from here on */
};
#define NODE_STATE_CHANGES ((uint64_t)offsetof(struct node_state, grid))

/** What a handle stands for; NULL: it is none. */
struct node_state *node_state_at(struct machine *m, uint64_t handle);
/** Makes a launch of the node what it is to be now. Its parameters, which are the caller's, are changed in place. */
void node_state_apply(struct machine *m, struct grid_config *c);

#endif
