// What threads have done that leave before a barrier: the barrier does not speak for them, and tells on what others have heard of them.
// arch compute_80
#include "judge.cuh"

#define LEAVE_TOLD(tell)                                                                                                                         \
    __shared__ int data;                                                                                                                         \
    __shared__ volatile int told;                                                                                                                \
    if (TID == 0)                                                                                                                                \
        told = 0;                                                                                                                                \
    __syncthreads();                                                                                                                             \
    if (TID == 0) {                                                                                                                              \
        data = x[0] + 1;                                                                                                                               \
        tell;                                                                                                                                    \
    }                                                                                                                                            \
    if (TID < 32)                                                                                                                                \
        return

// case: gone_told grid=1 block=96 expect=silent
KERNEL(gone_told)
{
    LEAVE_TOLD(__threadfence_block(); told = 1);
    if (TID == 32) {
        while (!told) {
        }
        __threadfence_block();
    }
    __syncthreads();
    y[TID] = data;
}

// Nobody waits for what it says.
// case: gone_unheard grid=1 block=96 expect=data-race
KERNEL(gone_unheard)
{
    LEAVE_TOLD(__threadfence_block(); told = 1);
    __syncthreads();
    y[TID] = data;
}

// What it does behind that is not told.
// case: gone_told_early grid=1 block=96 expect=data-race
KERNEL(gone_told_early)
{
    LEAVE_TOLD(__threadfence_block(); told = 1; y[100] = 5);
    if (TID == 32) {
        while (!told) {
        }
        __threadfence_block();
    }
    __syncthreads();
    y[TID] = data + y[100];
}

// Lanes of one warp: neither a barrier of the block nor one of the warp speaks for the one that has left.
// case: lane_gone grid=1 block=32 expect=data-race@1@2
KERNEL(lane_gone)
{
    __shared__ int data;
    if (TID == 0) {
        data = x[0] + 1; // @1
        return;
    }
    __syncthreads();
    y[TID] = data; // @2
}

// case: lane_gone_from_warp grid=1 block=64 expect=data-race@1@2
KERNEL(lane_gone_from_warp)
{
    __shared__ int data[2];
    if (TID % 32 == 0) {
        data[TID / 32] = x[TID] + 1; // @1
        return;
    }
    __syncthreads();
    __syncwarp(~1u);
    y[TID] = data[TID / 32]; // @2
}

// case: lane_gone_behind_warp grid=1 block=64 expect=silent
KERNEL(lane_gone_behind_warp)
{
    __shared__ int data[2];
    if (TID % 32 == 0)
        data[TID / 32] = x[TID] + 1;
    __syncwarp();
    if (TID % 32 == 0)
        return;
    __syncthreads();
    y[TID] = data[0] + data[1];
}

// The others' warps have heard of it by the barrier, and tell blocks that wait.
// case: lane_gone_to_grid grid=2 block=64 expect=data-race@1@2
KERNEL(lane_gone_to_grid)
{
    if (blockIdx.x == 0) {
        if (TID == 0) {
            y[0] = 1; // @1
            return;
        }
        __syncthreads();
        if (TID == 1) {
            __threadfence();
            *(volatile unsigned *)&flag[0] = 1;
        }
    } else if (TID == 0) {
        while (!*(volatile unsigned *)&flag[0]) {
        }
        __threadfence();
        y[1] = y[0]; // @2
    }
}

// case: lane_gone_to_grid_right grid=2 block=64 expect=silent
KERNEL(lane_gone_to_grid_right)
{
    if (blockIdx.x == 0) {
        if (TID == 0)
            y[0] = 1;
        __syncwarp();
        if (TID == 0)
            return;
        __syncthreads();
        if (TID == 33) {
            __threadfence();
            *(volatile unsigned *)&flag[0] = 1;
        }
    } else if (TID == 0) {
        while (!*(volatile unsigned *)&flag[0]) {
        }
        __threadfence();
        y[1] = y[0];
    }
}
