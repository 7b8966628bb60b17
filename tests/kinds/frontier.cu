// Places drawn from a counter, by threads that claim their work first: which of them gets which place nobody relies on, not even where
// one that has lost a claim draws an earlier one than the winner had before. What is looked up in the counter is another matter.
//
// case frontier expect=silent
// case frontier_blocks expect=silent
// case frontier_stepped expect=silent
// case frontier_looked expect=ordering
// case frontier_last expect=ordering
#include "check.h"
#include <cstring>
#include <cuda_runtime.h>

enum { THREADS = 2, EACH = 3 };

/** A level of a breadth-first search: thread t has the neighbours 2t, 2t + 1 and 2t + 2. */
enum { PLACES, LOOKS, STEPS };
template <int HOW> __global__ void level(int *claimed, int *next, int *count, int *seen)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    for (int e = 0; e < EACH; e++) {
        int v = 2 * t + e;
        if (atomicCAS(&claimed[v], 0, 1) == 0)
            next[HOW == STEPS ? atomicInc((unsigned *)count, 99u) : atomicAdd(count, 1)] = v;
        else if (HOW == LOOKS)
            seen[t] = atomicAdd(count, 0); // frontier_looked
    }
}

/** The last one to come takes the sum: by its number it knows that the other has added. */
__global__ void last(int *sum, int *count, int *out)
{
    atomicAdd(sum, 5);
    if (atomicAdd(count, 1) == THREADS - 1)
        *out = atomicAdd(sum, 0); // frontier_last
}

int main(int argc, char **argv)
{
    int *words;
    CHECK(argc == 2 && cudaMalloc(&words, 256) == cudaSuccess && cudaMemset(words, 0, 256) == cudaSuccess);
    int *claimed = words, *next = words + 16, *count = words + 32, *seen = words + 48;
    if (!strcmp(argv[1], "frontier"))
        level<PLACES><<<1, THREADS>>>(claimed, next, count, seen);
    else if (!strcmp(argv[1], "frontier_blocks"))
        level<PLACES><<<THREADS, 1>>>(claimed, next, count, seen);
    else if (!strcmp(argv[1], "frontier_stepped"))
        level<STEPS><<<1, THREADS>>>(claimed, next, count, seen);
    else if (!strcmp(argv[1], "frontier_looked"))
        level<LOOKS><<<1, THREADS>>>(claimed, next, count, seen);
    else
        last<<<THREADS, 1>>>(next, count, seen);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    cudaFree(words);
    return 0;
}
