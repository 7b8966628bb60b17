// lab03: the sum of an array in ONE launch, finished by whichever block comes last.
//
// Do the TODOs in order, delete each when it is done, and run ./grade lab03 after it. README.md has the background.
// Any grid and block size (1 to 1024 threads, not only powers of two), any n from 0 up.

#define MAX_THREADS 1024

// Adds up one value of each thread of the block. Thread 0 gets the block's sum; what the others get
// does not matter. All threads of the block call it together, perhaps more than once.
__device__ long long block_sum(long long value)
{
    // TODO 2 (part A): share the values through `__shared__ long long shared[MAX_THREADS]` and let
    // half of the threads add, then half of those, until one is left. Who must wait for whom?
    return value;
}

// The part of the array that this thread adds up: elements i, i + stride, i + 2 * stride, …
// where i is the thread's number in the grid and stride the number of threads in the grid.
__device__ long long thread_sum(const int *in, unsigned n)
{
    // TODO 1 (part A): the loop. Add in 64 bits: the sum of ints need not fit in an int.
    return 0;
}

// Part A: partial[b] becomes the sum of block b's elements.
extern "C" __global__ void block_sums(const int *in, unsigned n, long long *partial)
{
    long long sum = block_sum(thread_sum(in, n));
    if (threadIdx.x == 0)
        partial[blockIdx.x] = sum;
}

// True in every thread of the block that is the last of the grid to come here, false in all others.
// What the other blocks wrote before they came is then visible to all threads of the last block.
__device__ bool last_block(unsigned *counter)
{
    // TODO 3 (part B): thread 0 takes a ticket from *counter. Which ticket is the last? How do the
    // other threads of the block learn of it? And what makes the partial sums visible: on the side
    // of those who wrote them, and on the side of the one who reads them?
    return false;
}

// Parts B and C: *out becomes the sum of in[0] … in[n-1]. *counter is 0 before the first launch and
// must be so again before the next one, which may have another number of blocks. partial has one element
// for each block, in which anything may stand before.
extern "C" __global__ void sum(const int *in, unsigned n, long long *partial, unsigned *counter,
                               long long *out)
{
    long long sum = block_sum(thread_sum(in, n));
    if (threadIdx.x == 0)
        partial[blockIdx.x] = sum;
    if (!last_block(counter))
        return;
    // TODO 4 (part B): add up the partial sums of all blocks (there may be more blocks than
    // threads) and let thread 0 write *out.
    // TODO 5 (part C): leave everything as the next launch wants to find it.
}

// TODO 6 (part D), when all else is right: make block_sum() faster with __shfl_down_sync(), so that
// a call waits at one __syncthreads() only.
