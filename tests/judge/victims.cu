// Faults that are victims: a barrier is missing, what a thread then reads ends the launch, and whoever was to write first has not had its turn. The race is told, too.
#include "judge.cuh"

// Where each digit's elements begin is written by four threads and read by all, behind one, two, or three barriers: whoever comes last to a barrier goes on first.
#define SCATTER(name, before, between)                                                                                                               \
    KERNEL(name)                                                                                                                                     \
    {                                                                                                                                                \
        __shared__ int count[4], start[4];                                                                                                           \
        int digit = TID * 7 & 3;                                                                                                                     \
        if (TID < 4)                                                                                                                                 \
            count[TID] = 0;                                                                                                                          \
        __syncthreads();                                                                                                                             \
        int rank = atomicAdd(&count[digit], 1);                                                                                                      \
        before __syncthreads();                                                                                                                      \
        if (TID < 4)                                                                                                                                 \
            start[TID] = atomicAdd(&x[TID], count[TID]);                                                                                             \
        between y[start[digit] + rank + 1024 * digit] = TID;                                                                                         \
    }

// case: scatter_without_barrier grid=4 block=128 expect=data-race@1@1 also=out-of-bounds also=uninitialized-read
SCATTER(scatter_without_barrier, , ) // @1

// case: scatter_behind_three grid=4 block=128 expect=data-race@2@2 also=out-of-bounds also=uninitialized-read
SCATTER(scatter_behind_three, __syncthreads();, ) // @2

// case: scatter_behind_four grid=4 block=160 expect=data-race@3@3 also=out-of-bounds also=uninitialized-read
SCATTER(scatter_behind_four, __syncthreads(); __syncthreads();, ) // @3

// case: scatter_right grid=4 block=128 expect=silent
SCATTER(scatter_right, , __syncthreads();)

// An index out of shared memory leads nowhere in the thread that comes first.
// case: led_astray grid=2 block=64 expect=data-race@1@2 also=out-of-bounds
KERNEL(led_astray)
{
    __shared__ int *place;
    if (TID == 0)
        place = NULL;
    __syncthreads();
    __syncthreads();
    if (TID == 0)
        place = &y[64 * BID]; // @1
    if (TID >= 32)
        place[TID] = 1; // @2
}

// case: led_right grid=2 block=64 expect=silent
KERNEL(led_right)
{
    __shared__ int *place;
    if (TID == 0)
        place = NULL;
    __syncthreads();
    if (TID == 0)
        place = &y[64 * BID];
    __syncthreads();
    if (TID >= 32)
        place[TID] = 1;
}

// Another block's flag has not come yet: what looks like a failed check is a race.
// case: checked_early grid=2 block=32 expect=data-race@1@2 also=trap
KERNEL(checked_early)
{
    if (BID == 1)
        x[TID] = 1; // @1
    else if (x[TID] == 0) // @2
        TRAP();
    y[GID] = 1;
}

// No other order of threads mends these: the fault is all.
// case: astray_alone grid=2 block=64 expect=out-of-bounds@1
KERNEL(astray_alone)
{
    __shared__ int at;
    if (TID == 0)
        at = 1 << 28;
    __syncthreads();
    y[at + TID] = 1; // @1
}
