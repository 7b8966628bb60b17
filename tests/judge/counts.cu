// Counting by atomics in shared memory whose results nobody uses: what is told of the last one on a word is all that is kept of them.
#include "judge.cuh"

#define COUNTS __shared__ int count[64]
#define CLEAR count[TID] = 0

// case: counted_between_barriers grid=3 block=64 expect=silent
KERNEL(counted_between_barriers)
{
    COUNTS;
    CLEAR;
    __syncthreads();
    for (int i = 0; i < 3; i++)
        atomicAdd(&count[(TID * 7 + i) & 15], 1);
    if (TID & 1)
        atomicMax(&count[TID & 31], 4);
    __syncthreads();
    atomicAdd(&x[TID], count[TID]);
}

// case: counted_in_two_phases grid=2 block=64 expect=silent
KERNEL(counted_in_two_phases)
{
    COUNTS;
    CLEAR;
    for (int i = 0; i < 2; i++) {
        __syncthreads();
        atomicAdd(&count[TID & 7], 1);
        __syncthreads();
        y[GID] = count[TID & 7];
        __syncthreads();
        count[TID] = 0;
    }
}

// case: counted_and_read_at_once grid=1 block=64 expect=data-race@1@2
KERNEL(counted_and_read_at_once)
{
    COUNTS;
    CLEAR;
    __syncthreads();
    atomicAdd(&count[TID & 15], 1); // @1
    y[TID] = count[TID]; // @2
}

// case: counted_and_cleared_at_once grid=1 block=64 expect=data-race@1@2
KERNEL(counted_and_cleared_at_once)
{
    COUNTS;
    CLEAR; // @1
    atomicAdd(&count[63 - TID], 1); // @2
    __syncthreads();
    y[TID] = count[TID];
}

// case: counted_and_stored_at_once grid=1 block=64 expect=data-race@1@2
KERNEL(counted_and_stored_at_once)
{
    COUNTS;
    CLEAR;
    __syncthreads();
    if (TID & 1)
        atomicAdd(&count[TID ^ 32], 1); // @1
    if (TID & 1)
        count[TID] = 5; // @2
    __syncthreads();
    y[TID] = count[TID];
}

// case: read_and_counted_at_once grid=1 block=64 expect=data-race@1@2
KERNEL(read_and_counted_at_once)
{
    COUNTS;
    CLEAR;
    __syncthreads();
    atomicAdd(&count[TID & 15], 1);
    __syncthreads();
    y[TID] = count[TID & 15]; // @1
    atomicAdd(&count[TID], 1); // @2
}

// case: counted_then_own_store grid=1 block=64 expect=silent
KERNEL(counted_then_own_store)
{
    COUNTS;
    CLEAR;
    __syncthreads();
    atomicAdd(&count[TID], 1);
    count[TID] += 2;
    atomicExch(&count[TID], 3);
    y[TID] = count[TID];
}

// case: counted_and_swapped grid=1 block=64 expect=silent
KERNEL(counted_and_swapped)
{
    COUNTS;
    CLEAR;
    __syncthreads();
    atomicAdd(&count[TID & 15], 1);
    atomicCAS(&count[TID & 15], 3, 4);
    __syncthreads();
    y[TID] = count[TID];
}
