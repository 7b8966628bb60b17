// lab07: barriers that all blocks of a grid pass together, and a kernel that lives on such a barrier.
//
// Do the TODOs in order, delete each when it is done, and run ./grade lab07 after it. README.md has the background.
// Any block size, any grid that fits on the device at once (part C: any grid).

#include <cooperative_groups.h>
#include <cuda/atomic>

// 0 before the first launch, and not touched by the host after that: the next launch finds what this one leaves, and may
// have another number of blocks.
struct grid_barrier {
    unsigned count;   // blocks that have come in this round
    unsigned sense;   // changes each time that all have come
    unsigned tickets; // part C: blocks that have enlisted
    unsigned spare;   // yours
};

// Part A: all blocks of the grid come here once, and nobody goes on before all have come. What anybody wrote before is
// then visible to all. *count is 0 before.
__device__ void wait_for_all(unsigned *count)
{
    // TODO 1 (part A): one thread a block counts its block in, and waits until all are there. Is everything that the
    // other threads of its block have written included? Who makes it visible, and who looks?
    // TODO 2 (part A): and the other threads, how do they wait?
}

// The thread of the next block that this one looks at.
__device__ unsigned partner()
{
    return (blockIdx.x + 1) % gridDim.x * blockDim.x + blockDim.x - 1 - threadIdx.x;
}

extern "C" __global__ void meet(const int *in, int *slots, unsigned *count, int *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    slots[i] = in[i];
    wait_for_all(count);
    out[i] = slots[partner()];
}

// Part B: as wait_for_all(), but for `blocks` blocks, and they come again and again.
__device__ void grid_sync(grid_barrier *b, unsigned blocks)
{
    // TODO 3 (part B): whoever comes last sets the count back and changes the sense; the others wait for the sense to
    // change. When must a block look which sense it is to wait for, and in which order does the last one do the two?
}

// Everybody writes, all wait, everybody reads, all wait.
extern "C" __global__ void turns(const int *in, int *slots, grid_barrier *b, unsigned rounds,
                                 int *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    int mine = in[i];
    for (unsigned r = 0; r < rounds; r++) {
        slots[i] = mine;
        grid_sync(b, gridDim.x);
        mine = slots[partner()] + 1;
        grid_sync(b, gridDim.x);
    }
    out[i] = mine;
}

// What a cell becomes: the mean of its four neighbours, in whole numbers.
__device__ int relaxed(const int *from, unsigned w, unsigned i)
{
    return (from[i - 1] + from[i + 1] + from[i - w] + from[i + w]) / 4;
}

// This worker's share of one step, a part of the cells of `to`. Cells of the border stay as they are.
__device__ void one_step(const int *from, int *to, unsigned w, unsigned h, unsigned worker,
                         unsigned workers)
{
    // TODO 4 (part C): for any w and h (at least 3) and any number of workers, each of which is a block. Cell (x, y) is
    // element y * w + x.
}

// The number of this block among those that work, from 0 up, by order of arrival.
__device__ unsigned enlist(grid_barrier *b)
{
    // TODO 5 (part C): a ticket, the same for all threads of the block. The next launch wants to find tickets at 0.
    return blockIdx.x;
}

// Part C: `steps` steps in one launch, from a to b, from b to a, and so on. Both have the border. Only `fit` blocks are
// sure to run at the same time; there may be more, and nobody must wait for those, or fewer.
extern "C" __global__ void jacobi(int *a, int *b, unsigned w, unsigned h, unsigned steps,
                                  unsigned fit, grid_barrier *barrier)
{
    // TODO 6 (part C): who works, and who leaves? Then the steps, with a barrier where one is needed.
}

// Part D: the same with cooperative_groups::this_grid().sync(). The launch is a cooperative one, so all blocks fit.
extern "C" __global__ void jacobi_cooperative(int *a, int *b, unsigned w, unsigned h,
                                              unsigned steps)
{
    // TODO 7 (part D)
}
