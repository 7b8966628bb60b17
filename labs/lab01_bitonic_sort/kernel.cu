// lab01: bitonic sort, first within a block, then across blocks, then for any n.
//
// Do the TODOs in order and run ./grade lab01 after each. README.md has the network drawn.

#define MAX_THREADS 1024

// Part A: each block sorts its own blockDim.x values, ascending. blockDim.x is a power of two.
extern "C" __global__ void sort_block(int *values)
{
    __shared__ int shared[MAX_THREADS];
    int *mine = values + blockIdx.x * blockDim.x;
    unsigned tid = threadIdx.x;
    shared[tid] = mine[tid];
    __syncthreads();

    // TODO 1 (part A): the merges, k = 2, 4, 8, …, blockDim.x. Which way does k have to move?
    // TODO 2 (part A): in each merge the steps, j = k/2, k/4, …, 1. The partner of tid is tid ^ j;
    //   the lower of the two compares, and swaps so that the pair ascends where (tid & k) == 0 and
    //   descends elsewhere.
    // TODO 3 (part A): who must wait for whom between two steps?

    mine[tid] = shared[tid];
}

// Part B: one step (k, j) of the network over gridDim.x * blockDim.x values, a power of two. The
// harness launches it for each step.
extern "C" __global__ void sort_step(int *values, unsigned j, unsigned k)
{
    // TODO 4 (part B): as in part A, with the thread's number in the grid. Why is no barrier needed?
}

// Part C: the same for any n. Think of the values from n on as being larger than all others: they
// have to stay where they are, so no pair may descend. The first step of a merge (j == k/2) then
// pairs i with i ^ (k - 1), its mirror image, and all pairs ascend.
extern "C" __global__ void sort_any(int *values, unsigned n, unsigned j, unsigned k)
{
    // TODO 5 (part C).
}
