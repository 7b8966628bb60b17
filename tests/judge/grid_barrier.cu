// Barriers of the whole grid: by hand, right and with each part left out; by cooperative groups.
#include <cooperative_groups.h>

#include "judge.cuh"

// case: grid_right grid=4 block=64 expect=silent
KERNEL(grid_right)
{
    x[GID] = GID;
    __syncthreads();
    if (TID == 0) {
        __threadfence();
        atomicAdd(flag, 1);
        while (VOL(flag[0]) < GRID)
            ;
        __threadfence();
    }
    __syncthreads();
    y[GID] = x[n - 1 - GID];
}

// case: grid_no_release grid=4 block=64 expect=missing-release@1@2
KERNEL(grid_no_release)
{
    x[GID] = GID; // @1
    __syncthreads();
    if (TID == 0) {
        atomicAdd(flag, 1);
        while (VOL(flag[0]) < GRID)
            ;
        __threadfence();
    }
    __syncthreads();
    y[GID] = x[n - 1 - GID]; // @2
}

// case: grid_no_acquire grid=4 block=64 expect=missing-acquire@1@2
KERNEL(grid_no_acquire)
{
    x[GID] = GID; // @1
    __syncthreads();
    if (TID == 0) {
        __threadfence();
        atomicAdd(flag, 1);
        while (VOL(flag[0]) < GRID)
            ;
    }
    __syncthreads();
    y[GID] = x[n - 1 - GID]; // @2
}

// case: grid_no_fences grid=4 block=64 expect=missing-release@1@2
KERNEL(grid_no_fences)
{
    x[GID] = GID; // @1
    __syncthreads();
    if (TID == 0) {
        atomicAdd(flag, 1);
        while (VOL(flag[0]) < GRID)
            ;
    }
    __syncthreads();
    y[GID] = x[n - 1 - GID]; // @2
}

// Thread 0 announces the block before its other threads have stored.
// case: grid_no_first_barrier grid=4 block=64 expect=data-race@1@2 also=missing-release|missing-acquire@1@2
KERNEL(grid_no_first_barrier)
{
    x[GID] = GID; // @1
    if (TID == 0) {
        __threadfence();
        atomicAdd(flag, 1);
        while (VOL(flag[0]) < GRID)
            ;
        __threadfence();
    }
    __syncthreads();
    y[GID] = x[n - 1 - GID]; // @2
}

// The other threads do not wait for thread 0.
// case: grid_no_second_barrier grid=4 block=64 expect=data-race@1@2
KERNEL(grid_no_second_barrier)
{
    x[GID] = GID; // @1
    __syncthreads();
    if (TID == 0) {
        __threadfence();
        atomicAdd(flag, 1);
        while (VOL(flag[0]) < GRID)
            ;
        __threadfence();
    }
    y[GID] = x[n - 1 - GID]; // @2
}

// case: grid_block_fences grid=4 block=64 expect=missing-release@1@2
KERNEL(grid_block_fences)
{
    x[GID] = GID; // @1
    __syncthreads();
    if (TID == 0) {
        __threadfence_block();
        atomicAdd(flag, 1);
        while (VOL(flag[0]) < GRID)
            ;
        __threadfence_block();
    }
    __syncthreads();
    y[GID] = x[n - 1 - GID]; // @2
}

// Every thread fences before and behind: fence.sc and the barriers make the order.
// case: grid_all_threads_fence grid=4 block=64 expect=silent
KERNEL(grid_all_threads_fence)
{
    x[GID] = GID;
    __threadfence();
    __syncthreads();
    if (TID == 0) {
        atomicAdd(flag, 1);
        while (VOL(flag[0]) < GRID)
            ;
    }
    __syncthreads();
    __threadfence();
    y[GID] = x[n - 1 - GID];
}

// The same with fence.acq_rel: the readers' fences acquire nothing.
// case: grid_all_threads_acq_rel grid=4 block=64 expect=missing-acquire|missing-release@1@2 also=missing-acquire|missing-release@1@2
KERNEL(grid_all_threads_acq_rel)
{
    x[GID] = GID; // @1
    FENCE("acq_rel.gpu");
    __syncthreads();
    if (TID == 0) {
        atomicAdd(flag, 1);
        while (VOL(flag[0]) < GRID)
            ;
    }
    __syncthreads();
    FENCE("acq_rel.gpu");
    y[GID] = x[n - 1 - GID]; // @2
}

// case: grid_acquire_release grid=4 block=64 expect=silent
KERNEL(grid_acquire_release)
{
    x[GID] = GID;
    __syncthreads();
    if (TID == 0) {
        RED_ADD("release.gpu", flag, 1);
        while (LD("acquire.gpu", flag) < GRID)
            ;
    }
    __syncthreads();
    y[GID] = x[n - 1 - GID];
}

// case: grid_relaxed_acquire grid=4 block=64 expect=missing-release@1@2
KERNEL(grid_relaxed_acquire)
{
    x[GID] = GID; // @1
    __syncthreads();
    if (TID == 0) {
        RED_ADD("relaxed.gpu", flag, 1);
        while (LD("acquire.gpu", flag) < GRID)
            ;
    }
    __syncthreads();
    y[GID] = x[n - 1 - GID]; // @2
}

// Polled by a plain load. (The compiler may read it once only; inline PTX keeps the loop.)
// case: grid_polled_plainly grid=2 block=32 expect=data-race@3@4 also=*
KERNEL(grid_polled_plainly)
{
    x[GID] = GID;
    __syncthreads();
    if (TID == 0) {
        __threadfence();
        atomicAdd(flag, 1); // @3
        while (LD("global", flag) < GRID) // @4
            ;
        __threadfence();
    }
    __syncthreads();
    y[GID] = x[n - 1 - GID];
}

// Rounds: the count goes on, the target with it.
// case: grid_rounds_right grid=3 block=32 expect=silent
KERNEL(grid_rounds_right)
{
    for (unsigned round = 1; round <= 3; round++) {
        x[round * 256 + GID] = x[(round - 1) * 256 + (GID + 32) % n] + 1;
        __syncthreads();
        if (TID == 0) {
            __threadfence();
            atomicAdd(flag, 1);
            while (VOL(flag[0]) < round * GRID)
                ;
            __threadfence();
        }
        __syncthreads();
    }
}

// The target stays: from the second round on nobody waits.
// case: grid_rounds_same_target grid=3 block=32 schedules=24 expect=data-race@1@1 also=missing-release|missing-acquire@1@1
KERNEL(grid_rounds_same_target)
{
    for (unsigned round = 1; round <= 3; round++) {
        x[round * 256 + GID] = x[(round - 1) * 256 + (GID + 32) % n] + 1; // @1
        __syncthreads();
        if (TID == 0) {
            __threadfence();
            atomicAdd(flag, 1);
            while (VOL(flag[0]) < GRID)
                ;
            __threadfence();
        }
        __syncthreads();
    }
}

// One buffer for all rounds, one barrier a round: reads and the next round's writes collide.
// case: grid_rounds_in_place grid=3 block=32 expect=data-race@1@2
KERNEL(grid_rounds_in_place)
{
    for (unsigned round = 1; round <= 3; round++) {
        int v = x[(GID + 32) % n]; // @1
        x[GID] = v + 1; // @2
        __syncthreads();
        if (TID == 0) {
            __threadfence();
            atomicAdd(flag, 1);
            while (VOL(flag[0]) < round * GRID)
                ;
            __threadfence();
        }
        __syncthreads();
    }
}

// Twice launched: the counter is still at its end, so the second launch does not wait.
// case: grid_not_reset grid=4 block=64 twice expect=data-race@1@2 also=missing-release|missing-acquire@1@2
KERNEL(grid_not_reset)
{
    x[GID] = GID; // @1
    __syncthreads();
    if (TID == 0) {
        __threadfence();
        atomicAdd(flag, 1);
        while (VOL(flag[0]) < GRID)
            ;
        __threadfence();
    }
    __syncthreads();
    y[GID] = x[n - 1 - GID]; // @2
}

// A second counter says when all have left; the last one resets both.
// case: grid_reset_by_last grid=4 block=64 twice expect=silent
KERNEL(grid_reset_by_last)
{
    x[GID] = GID;
    __syncthreads();
    if (TID == 0) {
        __threadfence();
        atomicAdd(&flag[0], 1);
        while (VOL(flag[0]) < GRID)
            ;
        __threadfence();
    }
    __syncthreads();
    y[GID] = x[n - 1 - GID];
    if (TID == 0) {
        __threadfence();
        if (atomicAdd(&flag[1], 1) == GRID - 1) {
            __threadfence();
            flag[0] = 0;
            flag[1] = 0;
        }
    }
}

// Sense reversal: the last to arrive resets the count and flips the sense the others poll.
// case: grid_sense_right grid=3 block=32 expect=silent
KERNEL(grid_sense_right)
{
    for (unsigned round = 0; round < 3; round++) {
        x[(round + 1) * 256 + GID] = x[round * 256 + (GID + 32) % n] + 1;
        __syncthreads();
        if (TID == 0) {
            unsigned sense = VOL(flag[1]);
            __threadfence();
            if (atomicAdd(&flag[0], 1) == GRID - 1) {
                VOL(flag[0]) = 0;
                __threadfence();
                VOL(flag[1]) = sense + 1;
            } else {
                while (VOL(flag[1]) == sense)
                    ;
            }
            __threadfence();
        }
        __syncthreads();
    }
}

// The last one opens without a fence between the tickets it has read and the sense it writes: what
// came before the other tickets reaches it, and not those it lets go.
// case: grid_sense_no_fence_in_last grid=3 block=32 expect=missing-release|missing-acquire|data-race@1@2
KERNEL(grid_sense_no_fence_in_last)
{
    x[GID] = GID; // @1
    __syncthreads();
    if (TID == 0) {
        __threadfence();
        if (atomicAdd(&flag[0], 1) == GRID - 1) {
            VOL(flag[1]) = 1;
        } else {
            while (VOL(flag[1]) == 0)
                ;
        }
        __threadfence();
    }
    __syncthreads();
    y[GID] = x[(GID + 32) % n]; // @2
}

// case: grid_cooperative grid=4 block=64 cooperative expect=silent
KERNEL(grid_cooperative)
{
    x[GID] = GID;
    cooperative_groups::this_grid().sync();
    y[GID] = x[n - 1 - GID];
}

// case: grid_cooperative_rounds grid=3 block=64 cooperative twice expect=silent
KERNEL(grid_cooperative_rounds)
{
    for (int round = 0; round < 3; round++) {
        int v = x[(GID + 64) % n];
        cooperative_groups::this_grid().sync();
        x[GID] = v + 1;
        cooperative_groups::this_grid().sync();
    }
}

// case: grid_cooperative_one_sync grid=3 block=64 cooperative expect=data-race@1@2
KERNEL(grid_cooperative_one_sync)
{
    for (int round = 0; round < 3; round++) {
        int v = x[(GID + 64) % n]; // @1
        cooperative_groups::this_grid().sync();
        x[GID] = v + 1; // @2
    }
}

// Only the block is synchronised.
// case: grid_cooperative_block_sync grid=4 block=64 cooperative expect=data-race@1@2
KERNEL(grid_cooperative_block_sync)
{
    x[GID] = GID; // @1
    cooperative_groups::this_thread_block().sync();
    y[GID] = x[n - 1 - GID]; // @2
}

// A part of each block, and then all of them.
// case: grid_cooperative_in_branch grid=2 block=64 cooperative expect=barrier-divergence:warning
KERNEL(grid_cooperative_in_branch)
{
    if (TID % 2 == 0) {
        y[GID] = GID;
        cooperative_groups::this_grid().sync();
    }
    x[GID] = 1;
}

// case: grid_cooperative_behind_branch grid=2 block=64 cooperative expect=silent
KERNEL(grid_cooperative_behind_branch)
{
    if (TID % 2 == 0)
        y[GID] = GID;
    cooperative_groups::this_grid().sync();
    x[GID] = y[n - 2 - GID / 2 * 2];
}

// case: block_sync_in_branch grid=1 block=64 expect=barrier-divergence:warning
KERNEL(block_sync_in_branch)
{
    if (TID < 32)
        cooperative_groups::this_thread_block().sync();
    x[TID] = 1;
}

// case: block_sync_behind_branch grid=1 block=64 expect=silent
KERNEL(block_sync_behind_branch)
{
    if (TID < 32)
        y[TID] = 1;
    cooperative_groups::this_thread_block().sync();
    x[TID] = y[TID % 32];
}
