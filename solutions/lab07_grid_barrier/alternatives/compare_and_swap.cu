// Blocks count themselves by compare-and-swap, and watch by it; fences in place of orders.

#include <cooperative_groups.h>
#include <cuda/atomic>

using word = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

// 0 before the first launch, and not touched by the host after that.
struct grid_barrier {
    unsigned count; // blocks that have come in this round; the top bit changes each time that all have come
    unsigned sense; // not needed here
    unsigned tickets;
    unsigned spare;
};

// Part A: used once.
__device__ void wait_for_all(unsigned *count)
{
    if (__syncthreads_count(1) && threadIdx.x + 1 == blockDim.x) {
        __threadfence();
        atomicOr(count, 0u), atomicAdd(count, 1u);
        while (atomicCAS(count, gridDim.x, gridDim.x) != gridDim.x)
            __nanosleep(20);
        __threadfence();
    }
    __syncthreads();
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

// Part B: used again and again, by `blocks` blocks, of which this one is number `block`. One word is count and sense: number 0 adds
// what is missing to 2^31, every other one 1, so that when all have come the top bit has changed and the rest is 0 again.
__device__ void grid_sync(grid_barrier *b, unsigned blocks, unsigned block)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned turn = atomicAdd(&b->sense, 0), seen, old = 0;
        __threadfence(); // the look at the turn, too, comes before the count
        while ((seen = atomicCAS(&b->count, old, old + 1 == blocks ? 0 : old + 1)) != old)
            old = seen;
        if (old + 1 == blocks)
            __threadfence(), atomicAdd(&b->sense, 1);
        else
            while (atomicAdd(&b->sense, 0) == turn)
                ;
        __threadfence();
    }
    __syncthreads();
}

extern "C" __global__ void turns(const int *in, int *slots, grid_barrier *b, unsigned rounds,
                                 int *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    int mine = in[i];
    for (unsigned r = 0; r < rounds; r++) {
        slots[i] = mine;
        grid_sync(b, gridDim.x, blockIdx.x); // all have written
        mine = slots[partner()] + 1;
        grid_sync(b, gridDim.x, blockIdx.x); // all have read
    }
    out[i] = mine;
}

// What a cell becomes: the mean of its four neighbours, in whole numbers.
__device__ int relaxed(const int *from, unsigned w, unsigned i)
{
    return (from[i - 1] + from[i + 1] + from[i - w] + from[i + w]) / 4;
}

// This worker's share of one step: cells of the border stay as they are.
__device__ void one_step(const int *from, int *to, unsigned w, unsigned h, unsigned worker,
                         unsigned workers)
{
    unsigned cells = w * h;
    for (unsigned i = worker * blockDim.x + threadIdx.x; i < cells; i += workers * blockDim.x) {
        unsigned x = i % w, y = i / w;
        if (x > 0 && x < w - 1 && y > 0 && y < h - 1)
            to[i] = relaxed(from, w, i);
    }
}

// The number of this block among those that work, by order of arrival.
__device__ unsigned enlist(grid_barrier *b)
{
    __shared__ unsigned ticket;
    if (threadIdx.x == 0)
        ticket = atomicInc(&b->tickets, gridDim.x - 1); // 0 again when everybody has one
    __syncthreads();
    return ticket;
}

// Part C: `steps` steps in one launch, from a to b, from b to a, and so on.
extern "C" __global__ void jacobi(int *a, int *b, unsigned w, unsigned h, unsigned steps,
                                  unsigned fit, grid_barrier *barrier)
{
    unsigned workers = min(fit, gridDim.x), worker = enlist(barrier);
    if (worker >= workers)
        return;
    for (unsigned s = 0; s < steps; s++) {
        one_step(s % 2 ? b : a, s % 2 ? a : b, w, h, worker, workers);
        grid_sync(barrier, workers, worker);
    }
}

// Part D: the same with the barrier that CUDA has; the launch is a cooperative one.
extern "C" __global__ void jacobi_cooperative(int *a, int *b, unsigned w, unsigned h,
                                              unsigned steps)
{
    for (unsigned s = 0; s < steps; s++) {
        one_step(s % 2 ? b : a, s % 2 ? a : b, w, h, blockIdx.x, gridDim.x);
        cooperative_groups::this_grid().sync();
    }
}
