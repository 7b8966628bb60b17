// Histograms: atomics whose results nobody uses. What each leaves behind is one more contribution to its word's chain; what plain accesses
// lie before, beside and behind them is judged all the same.
#include "judge.cuh"

// case: counted_right grid=4 block=64 expect=silent
KERNEL(counted_right)
{
    __shared__ unsigned bins[64];
    bins[TID] = 0;
    __syncthreads();
    for (int i = 0; i < 8; i++)
        atomicAdd(&bins[(TID * 7 + i) % 64], 1);
    __syncthreads();
    atomicAdd(&flag[TID], bins[TID]);
}

// case: counted_several_kinds grid=4 block=64 expect=silent
KERNEL(counted_several_kinds)
{
    __shared__ unsigned low, high;
    __shared__ float sum;
    if (TID == 0) {
        low = high = 0;
        sum = 0;
    }
    __syncthreads();
    atomicMin(&low, TID);
    atomicMax(&high, TID);
    atomicAdd(&sum, 1.0f);
    __syncthreads();
    atomicMax(&flag[0], high - low + (unsigned)sum);
}

// case: counted_not_cleared_yet grid=4 block=64 expect=data-race@1@2 also=uninitialized-read
KERNEL(counted_not_cleared_yet)
{
    __shared__ unsigned bins[64];
    bins[TID] = 0; // @1
    atomicAdd(&bins[(TID + 32) % 64], 1); // @2
    __syncthreads();
    atomicAdd(&flag[TID], bins[TID]);
}

// case: counted_read_too_early grid=4 block=64 expect=data-race@1@2
KERNEL(counted_read_too_early)
{
    __shared__ unsigned bins[64];
    bins[TID] = 0;
    __syncthreads();
    for (int i = 0; i < 8; i++)
        atomicAdd(&bins[(TID * 7 + i) % 64], 1); // @1
    atomicAdd(&flag[TID], bins[TID]); // @2
}

// case: counted_cleared_again grid=4 block=64 expect=data-race@1@2
KERNEL(counted_cleared_again)
{
    __shared__ unsigned bins[64];
    bins[TID] = 0;
    __syncthreads();
    for (int i = 0; i < 8; i++)
        atomicAdd(&bins[(TID * 7 + i) % 64], 1); // @1
    if (TID == 5)
        bins[60] = 0; // @2
    __syncthreads();
    atomicAdd(&flag[TID], bins[TID]);
}

// A plain write behind the barrier, not before it: the atomics behind it do not hide it from who is ordered after them alone.
// case: counted_written_between grid=1 block=64 expect=data-race@1@2
KERNEL(counted_written_between)
{
    __shared__ unsigned bins[64];
    bins[TID] = 0;
    __syncthreads();
    if (TID == 40)
        bins[0] = 5; // @1
    if (TID < 32)
        atomicAdd(&bins[0], 1); // @2
    __syncthreads();
    y[TID] = bins[TID];
}

// One that leaves before the barrier is not ordered by it.
// case: counted_left_before grid=1 block=64 expect=data-race@1@2
KERNEL(counted_left_before)
{
    __shared__ unsigned bins[64];
    bins[TID] = 0;
    __syncthreads();
    if (TID >= 32) {
        bins[TID - 32] = 1; // @1
        return;
    }
    __syncthreads();
    for (int i = 0; i < 8; i++)
        atomicAdd(&bins[(TID + i) % 32], 1); // @2
}

// Who does not look at what an atomic returns has heard of nobody by it: no fence would help.
// case: counted_result_unused grid=2 block=32 expect=data-race@1@2
KERNEL(counted_result_unused)
{
    if (GID == 0)
        x[0] = 1; // @1
    atomicAdd(flag, 1);
    if (GID == 32)
        y[0] = x[0]; // @2
}

// case: counted_result_used grid=2 block=32 expect=missing-release|data-race@1@2
KERNEL(counted_result_used)
{
    if (GID == 0)
        x[0] = 1; // @1
    unsigned before = TID == 0 ? atomicAdd(flag, 1) : 0;
    if (GID == 32 && before == 1)
        y[0] = x[0]; // @2
}

// A fence makes of it what the model says, used or not.
// case: counted_behind_fence grid=2 block=32 expect=missing-release|data-race@1@2
KERNEL(counted_behind_fence)
{
    if (GID == 0)
        x[0] = 1; // @1
    if (TID == 0)
        atomicAdd(flag, 1);
    __threadfence();
    if (GID == 32)
        y[0] = x[0]; // @2
}

// ---- Who drops what an atomic returns has not been told anything ----

// Both results are right: the reader cannot know that the count was before its own.
// case: count_dropped_right grid=2 block=1 expect=silent
KERNEL(count_dropped_right)
{
    if (BID == 0) {
        atomicExch(&flag[1], 1);
        atomicAdd(&flag[0], 1);
    } else {
        atomicAdd(&flag[0], 1);
        y[0] = (int)VOL(flag[1]);
    }
}

// case: count_used_is_a_signal grid=2 block=1 expect=ordering:any
KERNEL(count_used_is_a_signal)
{
    if (BID == 0) {
        atomicExch(&flag[1], 1);
        atomicAdd(&flag[0], 1);
    } else if (atomicAdd(&flag[0], 1) == 1) {
        y[0] = 1 + (int)VOL(flag[1]);
    }
}

// The atomic's result is dropped, but the count is read behind it.
// case: count_dropped_then_read grid=2 block=1 expect=ordering:any
KERNEL(count_dropped_then_read)
{
    if (BID == 0) {
        atomicExch(&flag[1], 1);
        atomicAdd(&flag[0], 1);
    } else {
        atomicAdd(&flag[0], 1);
        if (VOL(flag[0]) == 2)
            y[0] = 1 + (int)VOL(flag[1]);
    }
}

// The writer's own result shows that it was first, and so that the reader came after it.
// case: count_dropped_but_told grid=2 block=1 expect=ordering:any
KERNEL(count_dropped_but_told)
{
    if (BID == 0) {
        atomicExch(&flag[1], 1);
        y[1] = 1 + (int)atomicAdd(&flag[0], 1);
    } else {
        atomicAdd(&flag[0], 1);
        y[0] = 1 + (int)VOL(flag[1]);
    }
}

// A launch too long to be asked as a whole: what others took from the count before says nothing about what they marked.
// case: sums_dropped_right grid=3 block=1 expect=silent
KERNEL(sums_dropped_right)
{
    unsigned seen = 0;
    for (unsigned i = 0; i < 40; i++) {
        if (BID > 0)
            atomicMax(&flag[1], i + 1);
        atomicAdd(&flag[0], 1);
        if (BID == 0)
            seen += VOL(flag[1]);
    }
    if (BID == 0)
        y[0] = (int)seen;
}

// case: sums_used_are_signals grid=3 block=1 expect=ordering:any
KERNEL(sums_used_are_signals)
{
    unsigned seen = 0;
    for (unsigned i = 0; i < 40; i++) {
        if (BID > 0)
            atomicMax(&flag[1], i + 1);
        unsigned before = atomicAdd(&flag[0], 1);
        if (BID == 0)
            seen += before * VOL(flag[1]);
    }
    if (BID == 0)
        y[0] = (int)seen;
}
