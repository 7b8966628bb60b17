// lab00: adding up an array, from one block to the whole grid.
//
// Do the TODOs in order, delete each when it is done, and run ./grade lab00 after it. README.md has the background.

#define MAX_THREADS 1024

// The halving tree: adds up one value of each thread of the block. Thread 0 gets the sum; what the
// others get does not matter. All threads of the block call it together.
__device__ int tree_sum(int value)
{
    __shared__ int shared[MAX_THREADS];
    shared[threadIdx.x] = value;
    // TODO 1 (part A): half of the threads add the value of the thread half a block further on,
    // then a quarter of them, until one is left. Where does the block have to wait, and why there?
    // TODO 4 (part C): blocks whose size is not a power of two. With 7 threads, who adds the 7th?
    return shared[threadIdx.x];
}

// Part A: one block, n at most the number of its threads. *out becomes the sum.
extern "C" __global__ void block_sum(const int *in, unsigned n, int *out)
{
    int sum = tree_sum(threadIdx.x < n ? in[threadIdx.x] : 0);
    if (threadIdx.x == 0)
        *out = sum;
}

// The elements i, i + stride, i + 2 * stride, … where i is the thread's number in the grid and
// stride the number of threads in the grid.
__device__ int thread_sum(const int *in, unsigned n)
{
    // TODO 2 (part B): the grid-stride loop.
    return 0;
}

// Part B: any grid, any n. *out is 0 before the launch and the sum after it.
extern "C" __global__ void grid_sum(const int *in, unsigned n, int *out)
{
    int sum = tree_sum(thread_sum(in, n));
    // TODO 3 (part B): thread 0 of each block adds its block's sum to *out. Others do so too.
}

// Part C: out[b] becomes the sum of block b's elements. Launched twice: over the array with many
// blocks, then over their results with one block.
extern "C" __global__ void partial_sums(const int *in, unsigned n, int *out)
{
    // TODO 5 (part C): as grid_sum, but each block has its own place for its sum.
}
