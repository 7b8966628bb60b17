// A counter in shared memory that one thread resets, all add to and somebody reads, turn by turn: three barriers. With a loop that is left in the code,
// and with one that is unrolled.
#include "judge.cuh"

#define COUNTER __shared__ unsigned count

// case: reset_in_turn n=4 grid=2 block=64 expect=silent
KERNEL(reset_in_turn)
{
    COUNTER;
    for (int turn = 0; turn < n; turn++) {
        if (TID == 0)
            count = 0;
        __syncthreads();
        atomicAdd(&count, 1);
        __syncthreads();
        y[turn * 128 + GID] = count;
        __syncthreads();
    }
}

// case: reset_and_added n=4 grid=2 block=64 expect=data-race@1@2
KERNEL(reset_and_added)
{
    COUNTER;
    for (int turn = 0; turn < n; turn++) {
        if (TID == 0)
            count = 0; // @1
        atomicAdd(&count, 1); // @2
        __syncthreads();
        y[turn * 128 + GID] = count;
        __syncthreads();
    }
}

// case: added_and_read n=4 grid=2 block=64 expect=data-race@1@2
KERNEL(added_and_read)
{
    COUNTER;
    for (int turn = 0; turn < n; turn++) {
        if (TID == 0)
            count = 0;
        __syncthreads();
        atomicAdd(&count, 1); // @1
        y[turn * 128 + GID] = count; // @2
        __syncthreads();
    }
}

// case: read_and_reset n=4 grid=2 block=64 expect=data-race@1@2
KERNEL(read_and_reset)
{
    COUNTER;
    for (int turn = 0; turn < n; turn++) {
        if (TID == 0)
            count = 0; // @1
        __syncthreads();
        atomicAdd(&count, 1);
        __syncthreads();
        y[turn * 128 + GID] = count; // @2
    }
}

// Only one barrier of the three.
// case: reset_and_added_and_read n=4 grid=2 block=64 expect=data-race also=data-race
KERNEL(reset_and_added_and_read)
{
    COUNTER;
    for (int turn = 0; turn < n; turn++) {
        if (TID == 0)
            count = 0;
        atomicAdd(&count, 1);
        y[turn * 128 + GID] = count;
        __syncthreads();
    }
}

// case: barrier_behind_reset_only n=4 grid=2 block=64 expect=data-race also=data-race
KERNEL(barrier_behind_reset_only)
{
    COUNTER;
    for (int turn = 0; turn < n; turn++) {
        if (TID == 0)
            count = 0;
        __syncthreads();
        atomicAdd(&count, 1);
        y[turn * 128 + GID] = count;
    }
}

// case: barrier_behind_add_only n=4 grid=2 block=64 expect=data-race also=data-race
KERNEL(barrier_behind_add_only)
{
    COUNTER;
    for (int turn = 0; turn < n; turn++) {
        if (TID == 0)
            count = 0;
        atomicAdd(&count, 1);
        __syncthreads();
        y[turn * 128 + GID] = count;
    }
}

// The reset at the turn's end.
// case: reset_at_end n=4 grid=2 block=64 expect=silent
KERNEL(reset_at_end)
{
    COUNTER;
    if (TID == 0)
        count = 0;
    __syncthreads();
    for (int turn = 0; turn < n; turn++) {
        atomicAdd(&count, 1);
        __syncthreads();
        y[turn * 128 + GID] = count;
        __syncthreads();
        if (TID == 0)
            count = 0;
        __syncthreads();
    }
}

// case: reset_at_end_unwaited n=4 grid=2 block=64 expect=data-race@1@2
KERNEL(reset_at_end_unwaited)
{
    COUNTER;
    if (TID == 0)
        count = 0;
    __syncthreads();
    for (int turn = 0; turn < n; turn++) {
        atomicAdd(&count, 1); // @1
        __syncthreads();
        y[turn * 128 + GID] = count;
        __syncthreads();
        if (TID == 0)
            count = 0; // @2
    }
}

// case: reset_at_end_too_early n=4 grid=2 block=64 expect=data-race@1@2
KERNEL(reset_at_end_too_early)
{
    COUNTER;
    if (TID == 0)
        count = 0;
    __syncthreads();
    for (int turn = 0; turn < n; turn++) {
        atomicAdd(&count, 1);
        __syncthreads();
        y[turn * 128 + GID] = count; // @1
        if (TID == 0)
            count = 0; // @2
        __syncthreads();
    }
}

// case: reset_at_end_no_first n=4 grid=2 block=64 expect=data-race@1@2
KERNEL(reset_at_end_no_first)
{
    COUNTER;
    if (TID == 0)
        count = 0; // @1
    for (int turn = 0; turn < n; turn++) {
        atomicAdd(&count, 1); // @2
        __syncthreads();
        y[turn * 128 + GID] = count;
        __syncthreads();
        if (TID == 0)
            count = 0;
        __syncthreads();
    }
}

// One thread reads for all.
// case: one_reads n=4 grid=2 block=64 expect=silent
KERNEL(one_reads)
{
    COUNTER;
    for (int turn = 0; turn < n; turn++) {
        if (TID == 0)
            count = 0;
        __syncthreads();
        if (x[TID] <= turn)
            atomicAdd(&count, 1);
        __syncthreads();
        if (TID == 0)
            y[turn * 128 + GID] = count;
    }
}

// case: one_reads_reset_and_added n=4 grid=2 block=64 expect=data-race@1@2 also=data-race@2@3
KERNEL(one_reads_reset_and_added)
{
    COUNTER;
    for (int turn = 0; turn < n; turn++) {
        if (TID == 0)
            count = 0; // @1
        if (x[TID] <= turn)
            atomicAdd(&count, 1); // @2
        __syncthreads();
        if (TID == 0)
            y[turn * 128 + GID] = count; // @3
    }
}

// case: one_reads_added_and_read n=4 grid=2 block=64 expect=data-race@1@2
KERNEL(one_reads_added_and_read)
{
    COUNTER;
    for (int turn = 0; turn < n; turn++) {
        if (TID == 0)
            count = 0;
        __syncthreads();
        if (x[TID] <= turn)
            atomicAdd(&count, 1); // @1
        if (TID == 0)
            y[turn * 128 + GID] = count; // @2
        __syncthreads();
    }
}

// Slots of an array, by a counter: what it gives twice is a consequence.
// case: slots_in_turn n=4 grid=1 block=64 expect=silent
KERNEL(slots_in_turn)
{
    COUNTER;
    for (int turn = 0; turn < n; turn++) {
        if (TID == 0)
            count = 0;
        __syncthreads();
        y[turn * 64 + atomicAdd(&count, 1)] = TID;
        __syncthreads();
    }
}

// case: slots_reset_and_taken n=4 grid=1 block=64 expect=data-race@1@2 also=data-race@3@3
KERNEL(slots_reset_and_taken)
{
    COUNTER;
    if (TID == 0)
        count = 0; // also what lies there before the first turn
    __syncthreads();
    for (int turn = 0; turn < n; turn++) {
        if (TID == 0)
            count = 0; // @1
        unsigned slot = atomicAdd(&count, 1); // @2
        y[turn * 64 + slot] = TID; // @3
        __syncthreads();
    }
}

// case: slots_taken_and_reset n=4 grid=1 block=64 expect=data-race@1@2 also=data-race@3@3
KERNEL(slots_taken_and_reset)
{
    COUNTER;
    for (int turn = 0; turn < n; turn++) {
        if (TID == 0)
            count = 0; // @1
        __syncthreads();
        unsigned slot = atomicAdd(&count, 1); // @2
        y[turn * 64 + slot] = TID; // @3
    }
}

// case: slots_counted n=4 grid=1 block=64 expect=silent
KERNEL(slots_counted)
{
    COUNTER;
    for (int turn = 0; turn < n; turn++) {
        if (TID == 0)
            count = 0;
        __syncthreads();
        if ((TID + turn) % 3 == 0)
            y[turn * 64 + atomicAdd(&count, 1)] = TID;
        __syncthreads();
        x[turn * 64 + TID] = TID < count ? y[turn * 64 + TID] : 0;
        __syncthreads();
    }
}

// case: slots_counted_unwaited n=4 grid=1 block=64 expect=data-race@1@2 also=data-race@2@2
KERNEL(slots_counted_unwaited)
{
    COUNTER;
    if (TID == 0)
        count = 0;
    __syncthreads();
    for (int turn = 0; turn < n; turn++) {
        if (TID == 0)
            count = 0; // @1
        if ((TID + turn) % 3 == 0)
            y[turn * 64 + atomicAdd(&count, 1)] = TID; // @2
        __syncthreads();
        x[turn * 64 + TID] = TID < count ? y[turn * 64 + TID] : 0;
        __syncthreads();
    }
}

// case: read_and_reset_unrolled grid=2 block=64 expect=data-race@1@2
KERNEL(read_and_reset_unrolled)
{
    COUNTER;
    for (int turn = 0; turn < 4; turn++) {
        if (TID == 0)
            count = 0; // @1
        __syncthreads();
        atomicAdd(&count, 1);
        __syncthreads();
        y[turn * 128 + GID] = count; // @2
    }
}

// case: barrier_behind_reset_only_unrolled grid=2 block=64 expect=data-race also=data-race
KERNEL(barrier_behind_reset_only_unrolled)
{
    COUNTER;
    for (int turn = 0; turn < 4; turn++) {
        if (TID == 0)
            count = 0;
        __syncthreads();
        atomicAdd(&count, 1);
        y[turn * 128 + GID] = count;
    }
}

// case: barrier_behind_add_only_unrolled grid=2 block=64 expect=data-race also=data-race
KERNEL(barrier_behind_add_only_unrolled)
{
    COUNTER;
    for (int turn = 0; turn < 4; turn++) {
        if (TID == 0)
            count = 0;
        atomicAdd(&count, 1);
        __syncthreads();
        y[turn * 128 + GID] = count;
    }
}

// case: slots_taken_and_reset_unrolled grid=1 block=64 expect=data-race@1@2 also=data-race@3@3
KERNEL(slots_taken_and_reset_unrolled)
{
    COUNTER;
    for (int turn = 0; turn < 4; turn++) {
        if (TID == 0)
            count = 0; // @1
        __syncthreads();
        unsigned slot = atomicAdd(&count, 1); // @2
        y[turn * 64 + slot] = TID; // @3
    }
}

// case: added_and_read_in_parts n=4 grid=1 block=64 expect=data-race@1@2
KERNEL(added_and_read_in_parts)
{
    COUNTER;
    for (int turn = 0; turn < n; turn++) {
        if (TID == 0)
            count = 0;
        __syncthreads();
        atomicAdd(&count, 1); // @1
        y[turn * BLOCK + TID] = count; // @2
        __syncthreads();
    }
}
