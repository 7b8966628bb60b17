// Structures of which not all ways can be tried, and in which an older value, read past what its thread has written itself, costs a try at worst: nothing is said of what was
// cut short. Where such a look decides who goes first (`bare`), it is.
//
// case stack expect=silent complete
// case tasks expect=silent complete
// case maximum expect=silent complete
// case bare expect=silent incomplete=no.fence.sc
#include <cstring>
#include <cuda_runtime.h>

#include "check.h"

typedef unsigned long long u64;

/** Pops and pushes: a count in the head's upper half. */
__device__ void move_nodes(u64 *head, unsigned *next, int turns)
{
    unsigned node = blockIdx.x + 1;
    for (int k = 0; k < turns; k++) {
        u64 was = *(volatile u64 *)head, old;
        for (;; was = old) {
            *(volatile unsigned *)&next[node] = (unsigned)was;
            __threadfence();
            old = atomicCAS(head, was, node | (((was >> 32) + 1) << 32));
            if (old == was)
                break;
        }
        for (;;) {
            was = *(volatile u64 *)head;
            __threadfence();
            if (!(unsigned)was)
                continue;
            unsigned then = *(volatile unsigned *)&next[(unsigned)was];
            if (atomicCAS(head, was, then | (((was >> 32) + 1) << 32)) == was)
                break;
        }
        __threadfence();
        node = (unsigned)was;
    }
}

__global__ void stack(u64 *head, unsigned *next)
{
    move_nodes(head, next, 2);
}

/** The same, and whoever has not seen the other come takes what is to be taken once. */
__global__ void bare(u64 *head, unsigned *next, unsigned *want, unsigned *taken)
{
    move_nodes(head, next, 2);
    if (blockIdx.x < 2) {
        atomicExch(&want[32 * blockIdx.x], 1);
        if (!*(volatile unsigned *)&want[32 * (1 - blockIdx.x)])
            atomicAdd(taken, 1);
    }
}

__global__ void tasks(unsigned *state, unsigned *left, int count)
{
    while (*(volatile unsigned *)left < count)
        for (int i = 0; i < count; i++)
            if (*(volatile unsigned *)&state[i] == 0 && atomicCAS(&state[i], 0, 1) == 0) {
                atomicExch(&state[i], 2);
                atomicAdd(left, 1);
            }
}

__global__ void maximum(unsigned *most)
{
    unsigned first = blockIdx.x & 1, mine = 1000 - blockIdx.x * 100 + threadIdx.x;
    for (int i = 0; i < 2; i++)
        if (*(volatile unsigned *)&most[32 * (first ^ i)] < mine)
            atomicMax(&most[32 * (first ^ i)], mine);
}

int main(int n, char **argument)
{
    unsigned *words;
    const char *name = n > 1 ? argument[1] : "";
    CHECK(cudaMalloc(&words, 512 * sizeof *words) == cudaSuccess && cudaMemset(words, 0, 512 * sizeof *words) == cudaSuccess);
    if (!strcmp(name, "stack"))
        stack<<<3, 1>>>((u64 *)words, words + 64);
    else if (!strcmp(name, "bare"))
        bare<<<3, 1>>>((u64 *)words, words + 64, words + 128, words + 256);
    else if (!strcmp(name, "tasks"))
        tasks<<<3, 1>>>(words, words + 64, 6);
    else if (!strcmp(name, "maximum"))
        maximum<<<4, 2>>>(words);
    CHECK(cudaDeviceSynchronize() == cudaSuccess && cudaFree(words) == cudaSuccess);
    return 0;
}
