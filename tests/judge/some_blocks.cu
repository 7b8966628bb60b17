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

// case: last_of_some_unfenced grid=64 block=64 expect=missing-acquire|missing-release@1@1
LAST_SUMS(last_of_some_unfenced, true, BID % 7 != 3) // @1

// case: last_of_one_unfenced grid=48 block=32 expect=missing-acquire|missing-release@2@2
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

// What stands behind the last ticket only the last block comes by, so that no other run has shown which block does without.
#define LAST_ACTS(name, behind_last)                                                                                                                 \
    KERNEL(name)                                                                                                                                     \
    {                                                                                                                                                \
        __shared__ bool last;                                                                                                                        \
        x[GID] = GID;                                                                                                                                \
        __threadfence();                                                                                                                             \
        __syncthreads();                                                                                                                             \
        if (TID == 0)                                                                                                                                \
            last = atomicAdd(&flag[0], 1u) == GRID - 1;                                                                                              \
        __syncthreads();                                                                                                                             \
        if (last) {                                                                                                                                  \
            behind_last;                                                                                                                             \
            int sum = 0;                                                                                                                             \
            for (int i = TID; i < n; i += BLOCK)                                                                                                     \
                sum += x[i];                                                                                                                         \
            atomicAdd(&y[0], sum);                                                                                                                   \
        }                                                                                                                                            \
    }

// case: last_acts_unfenced_in_one grid=48 block=32 expect=missing-acquire|missing-release@4@4
LAST_ACTS(last_acts_unfenced_in_one, if (BID != 20) __threadfence()) // @4

// case: last_acts_unfenced_in_fifth grid=40 block=64 expect=missing-acquire|missing-release@5@5
LAST_ACTS(last_acts_unfenced_in_fifth, if ((BID * 3 + 1) % 5 != 2) __threadfence()) // @5

// case: last_acts_narrow_in_one grid=48 block=32 expect=missing-acquire|missing-release@6@6
LAST_ACTS(last_acts_narrow_in_one, if (BID == 11) __threadfence_block(); else __threadfence()) // @6

// case: last_acts_unfenced_by_data grid=48 block=32 expect=missing-acquire|missing-release@7@7
LAST_ACTS(last_acts_unfenced_by_data, if (x[n + BID] != 0 || BID != 13) __threadfence()) // @7

// case: last_acts_fenced grid=48 block=32 expect=silent
LAST_ACTS(last_acts_fenced, if (BID != 20) __threadfence(); else __threadfence())

// A barrier that only the last block comes by, and one block leaves out.
#define LAST_TELLS(name, with_barrier)                                                                                                               \
    KERNEL(name)                                                                                                                                     \
    {                                                                                                                                                \
        __shared__ bool last;                                                                                                                        \
        __shared__ int sum[128];                                                                                                                     \
        if (TID == 0)                                                                                                                                \
            last = atomicAdd(&flag[0], 1u) == GRID - 1;                                                                                              \
        __syncthreads();                                                                                                                             \
        if (last) {                                                                                                                                  \
            sum[TID] = GID;                                                                                                                          \
            if (with_barrier)                                                                                                                        \
                __syncthreads();                                                                                                                     \
            y[TID] = sum[BLOCK - 1 - TID];                                                                                                           \
        }                                                                                                                                            \
    }

// case: last_tells_unmet_in_one grid=48 block=64 expect=data-race@8@8
LAST_TELLS(last_tells_unmet_in_one, BID != 20) // @8

// case: last_tells_met grid=48 block=64 expect=silent
LAST_TELLS(last_tells_met, BID < GRID)
