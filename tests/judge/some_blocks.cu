// A fence that only some blocks leave out, by their number, in launches where the block that draws the last ticket acts for all: it is missed where one of these is the last.
#include "judge.cuh"

#define LAST_SUMS(name, fence_before, fence_behind)                                                                                                  \
    KERNEL(name)                                                                                                                                     \
    {                                                                                                                                                \
        __shared__ bool last;                                                                                                                        \
        x[GID] = GID;                                                                                                                                \
        if (fence_before)                                                                                                                            \
            __threadfence();                                                                                                                         \
        __syncthreads();                                                                                                                             \
        if (TID == 0) {                                                                                                                              \
            last = atomicAdd(&flag[0], 1u) == GRID - 1;                                                                                              \
            if (fence_behind)                                                                                                                        \
                __threadfence();                                                                                                                     \
        }                                                                                                                                            \
        __syncthreads();                                                                                                                             \
        for (int i = TID; last && i < n; i += BLOCK)                                                                                                 \
            atomicAdd(&y[0], x[i]);                                                                                                                  \
    }

// case: last_of_some_unfenced grid=64 block=64 expect=missing-acquire@1@1 also=missing-release
LAST_SUMS(last_of_some_unfenced, true, BID % 7 != 3) // @1

// case: last_of_one_unfenced grid=48 block=32 expect=missing-acquire@2@2 also=missing-release
LAST_SUMS(last_of_one_unfenced, true, BID != 20) // @2

// case: last_of_all_fenced grid=64 block=64 expect=silent
LAST_SUMS(last_of_all_fenced, true, true)

// case: one_unfenced_before grid=64 block=64 expect=missing-release@3@3
LAST_SUMS(one_unfenced_before, BID != 37, true) // @3

// Two kinds of block that leave out one of two fences, of which either is enough.
// case: last_of_two_kinds grid=48 block=32 expect=silent
KERNEL(last_of_two_kinds)
{
    __shared__ bool last;
    x[GID] = GID;
    __threadfence();
    __syncthreads();
    if (TID == 0) {
        last = atomicAdd(&flag[0], 1u) == GRID - 1;
        if (BID % 2)
            __threadfence();
        if (BID % 3 == 0 || BID % 2 == 0)
            __threadfence();
    }
    __syncthreads();
    for (int i = TID; last && i < n; i += BLOCK)
        atomicAdd(&y[0], x[i]);
}
