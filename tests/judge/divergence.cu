// Barriers that not all threads reach, or not together; threads that leave.
#include "judge.cuh"

// Both arms of a branch within a warp: two barriers in the code, and the lanes wait at each.
// case: arms_within_warp grid=1 block=64 expect=barrier-divergence also=deadlock
KERNEL(arms_within_warp)
{
    if (TID & 1) {
        x[TID] = 1;
        __syncthreads();
        x[TID] += 2;
    } else {
        y[TID] = 3;
        __syncthreads();
        y[TID] += 4;
    }
}

// Along warp boundaries each warp reaches one barrier whole.
// case: arms_by_warp grid=1 block=64 expect=barrier-divergence:warning@1@2
KERNEL(arms_by_warp)
{
    if (TID < 32) {
        x[TID] = 1;
        __syncthreads(); // @1
        x[TID] += 2;
    } else {
        y[TID] = 3;
        __syncthreads(); // @2
        y[TID] += 4;
    }
}

// case: uniform_condition grid=2 block=64 expect=silent
KERNEL(uniform_condition)
{
    if (BID == 0)
        __syncthreads();
    y[GID] = 1;
}

// Half of a warp stands at the barrier inside, the other half at the one behind.
// case: half_warp_inside grid=1 block=64 expect=barrier-divergence also=deadlock also=data-race
KERNEL(half_warp_inside)
{
    if (TID % 32 < 16)
        __syncthreads();
    y[TID] = 1;
    __syncthreads();
    x[TID] = y[63 - TID];
}

// case: barrier_behind_branch grid=1 block=64 expect=silent
KERNEL(barrier_behind_branch)
{
    if (TID % 32 < 16)
        y[TID] = 2;
    __syncthreads();
    x[TID] = y[63 - TID];
}

// Trip counts differ from lane to lane.
// case: loop_by_lane grid=1 block=32 expect=barrier-divergence also=deadlock
KERNEL(loop_by_lane)
{
    for (unsigned i = 0; i < 1 + TID % 3; i++) {
        y[TID] += i;
        __syncthreads();
    }
    x[TID] = y[TID];
    __syncthreads();
    x[TID] += y[31 - TID];
}

// case: loop_uniform grid=1 block=64 expect=silent
KERNEL(loop_uniform)
{
    for (int i = 0; i < 3 + (int)GRID; i++) {
        y[TID] += i;
        __syncthreads();
    }
    x[TID] = y[63 - TID];
}

// barrier.sync (cooperative groups, inline PTX) is not aligned: lanes may come from two places.
// case: unaligned_arms grid=1 block=64 expect=silent
KERNEL(unaligned_arms)
{
    if (TID & 1) {
        x[TID] = 1;
        asm volatile("barrier.sync 0;" ::: "memory");
    } else {
        y[TID] = 3;
        asm volatile("barrier.sync 0;" ::: "memory");
    }
    x[64 + TID] = x[TID ^ 1] + y[TID ^ 1];
}

// … but all threads of the block are to come to one.
// case: unaligned_passed_by grid=1 block=64 expect=barrier-divergence:warning@1@2
KERNEL(unaligned_passed_by)
{
    y[TID] = 1;
    if (TID % 4 == 0) // @2
        asm volatile("barrier.sync 0;" ::: "memory"); // @1
    x[TID] = y[TID] + 1;
}

// case: unaligned_passed_by_warp grid=1 block=64 expect=barrier-divergence:warning@1@2
KERNEL(unaligned_passed_by_warp)
{
    y[TID] = 1;
    if (TID >= 32)
        asm volatile("barrier.sync 0;" ::: "memory"); // @1
    x[TID] = y[TID] + 1; // @2
}

// case: unaligned_turns grid=1 block=64 expect=barrier-divergence:warning
KERNEL(unaligned_turns)
{
    for (unsigned i = 0; i < 1 + TID % 3; i++) {
        y[TID] += i;
        asm volatile("barrier.sync 0;" ::: "memory");
    }
    x[TID] = y[TID];
}

// case: unaligned_turns_alike grid=1 block=64 expect=silent
KERNEL(unaligned_turns_alike)
{
    for (unsigned i = 0; i < 1 + TID / 64; i++) {
        y[TID] += i;
        asm volatile("barrier.sync 0;" ::: "memory");
    }
    x[TID] = y[63 - TID];
}

// Those who do not come have nothing more to do; a count takes threads from anywhere.
// case: unaligned_to_the_end grid=1 block=64 expect=silent
KERNEL(unaligned_to_the_end)
{
    y[TID] = 1;
    if (TID % 2 == 0) {
        asm volatile("barrier.sync 0;" ::: "memory");
        x[TID] = y[62 - TID];
    }
}

// case: unaligned_counted grid=1 block=96 expect=silent
KERNEL(unaligned_counted)
{
    y[TID] = 1;
    if (TID < 64) {
        asm volatile("barrier.sync 1, 64;" ::: "memory");
        x[TID] = y[63 - TID];
    }
    x[128 + TID] = 2;
}

// Lanes of a warp that name two barriers: a warp takes one as a whole, and a GPU ends the kernel by an illegal instruction.
// case: unaligned_numbers grid=1 block=64 expect=barrier-divergence@1@1
KERNEL(unaligned_numbers)
{
    y[TID] = TID;
    asm volatile("barrier.sync %0, 32;" ::"r"(1 + TID % 2) : "memory"); // @1
    x[TID] = y[(TID + 32) % 64];
}

// case: unaligned_numbers_in_arms grid=1 block=64 expect=barrier-divergence@1@2
KERNEL(unaligned_numbers_in_arms)
{
    if (TID % 2) {
        VOL(y[TID]) = 1;
        asm volatile("barrier.sync 1, 32;" ::: "memory"); // @1
    } else {
        asm volatile("barrier.sync 2, 32;" ::: "memory"); // @2
    }
}

// case: unaligned_counts grid=1 block=96 expect=barrier-divergence@1@1
KERNEL(unaligned_counts)
{
    asm volatile("barrier.sync 1, %0;" ::"r"(TID == 5 ? 96 : 64) : "memory"); // @1
}

// One after the other: those who have passed the first stand nowhere.
// case: unaligned_numbers_in_turn grid=1 block=64 expect=silent
KERNEL(unaligned_numbers_in_turn)
{
    y[TID] = TID;
    for (int i = 1; i < 3; i++)
        asm volatile("barrier.sync %0, 64;" ::"r"(i) : "memory");
    x[TID] = y[63 - TID];
}

// case: aligned_numbers grid=1 block=64 expect=barrier-divergence
KERNEL(aligned_numbers)
{
    y[TID] = TID;
    asm volatile("bar.sync %0, 32;" ::"r"(1 + TID % 2) : "memory");
    x[TID] = y[(TID + 32) % 64];
}

// case: aligned_numbers_by_warp grid=1 block=64 expect=silent
KERNEL(aligned_numbers_by_warp)
{
    y[TID] = TID;
    asm volatile("bar.sync %0, 32;" ::"r"(1 + TID / 32) : "memory");
    x[TID] = y[TID ^ 31];
}

// Arms of whole warps, each with one of its own, turn by turn.
// case: unaligned_arms_by_warp grid=1 block=64 expect=silent
KERNEL(unaligned_arms_by_warp)
{
    for (int i = 0; i < 3; i++) {
        if (TID / 32 == (unsigned)i % 2)
            asm volatile("barrier.sync 0;" ::: "memory");
        else {
            x[TID] += i;
            asm volatile("barrier.sync 0;" ::: "memory");
        }
    }
    y[TID] = x[TID];
}

// ---- Leaving early ----

// Threads beyond the end leave, the others go on; barriers do not wait for who has left.
// case: leave_early grid=2 block=64 n=100 expect=silent also=barrier-divergence
KERNEL(leave_early)
{
    if ((int)GID >= n)
        return;
    y[GID] = x[GID];
    __syncthreads();
    x[GID] = y[BID * 64];
}

// Whole warps leave.
// case: leave_by_warp grid=1 block=96 n=64 expect=silent
KERNEL(leave_by_warp)
{
    if ((int)GID >= n)
        return;
    y[GID] = x[GID];
    __syncthreads();
    x[GID] = y[63 - TID];
}

// What a thread wrote before it left is not ordered by a barrier it never reached.
// case: leave_after_write grid=1 block=64 n=48 expect=data-race@1@2 also=barrier-divergence
KERNEL(leave_after_write)
{
    y[TID] = TID; // @1
    if ((int)TID >= n)
        return;
    __syncthreads();
    x[TID] = y[63 - TID]; // @2
}

// case: leave_after_barrier grid=1 block=64 n=48 expect=silent
KERNEL(leave_after_barrier)
{
    y[TID] = TID;
    __syncthreads();
    if ((int)TID >= n)
        return;
    x[TID] = y[63 - TID];
}

// Whole warps that leave take no part either.
// case: leave_by_warp_after_write grid=1 block=96 n=64 expect=data-race@1@2
KERNEL(leave_by_warp_after_write)
{
    y[TID] = TID; // @1
    if ((int)TID >= n)
        return;
    __syncthreads();
    x[TID] = y[95 - TID]; // @2
}

// ---- Warp barriers ----

// Lanes meet at __syncwarp from two places with one mask: no alignment is asked for.
// case: syncwarp_two_places grid=1 block=32 expect=silent
KERNEL(syncwarp_two_places)
{
    __shared__ int s[32];
    if (TID & 1) {
        s[TID] = 1;
        __syncwarp();
    } else {
        s[TID] = 2;
        __syncwarp();
    }
    y[TID] = s[TID ^ 1];
}

// Half a warp waits for the other half, which waits at the block's barrier.
// case: syncwarp_against_barrier grid=1 block=32 expect=deadlock|barrier-divergence also=deadlock|barrier-divergence
KERNEL(syncwarp_against_barrier)
{
    if (TID < 16) {
        y[TID] = 1;
        __syncwarp();
        y[TID] += 1;
    } else {
        x[TID] = 1;
        __syncthreads();
        x[TID] += 1;
    }
}

// case: syncwarp_half_masks grid=1 block=32 expect=silent
KERNEL(syncwarp_half_masks)
{
    if (TID < 16) {
        y[TID] = 1;
        __syncwarp(0xffffu);
        x[64 + TID] = y[TID ^ 1];
    }
    __syncthreads();
    x[TID] = y[TID];
}

// A lane that waits long for another block, while the others of its warp stand at the barrier behind.
// case: lane_waits_long grid=2 block=64 expect=silent
KERNEL(lane_waits_long)
{
    if (BID == 1) {
        unsigned hash = TID;
        for (int i = 0; i < 100000; i++)
            hash = hash * 1664525u + (hash >> 7);
        x[TID] = (int)hash;
        __syncthreads();
        if (TID == 0) {
            __threadfence();
            VOL(flag[0]) = 1;
        }
        return;
    }
    if (TID == 0) {
        while (VOL(flag[0]) == 0) {
        }
        __threadfence();
    }
    __syncthreads();
    y[TID] = x[TID];
}

// The others of the warp go past the barrier, and then leave the kernel.
// case: passed_by_and_left grid=1 block=64 expect=barrier-divergence@1@2
KERNEL(passed_by_and_left)
{
    for (unsigned half = 32; half > 0; half /= 2)
        if (TID < half) { // @2
            y[TID] += x[TID + half];
            __syncthreads(); // @1
        }
    x[64 + TID] = 1;
}

// Who does not come to the barrier has nothing more to do: that is to leave before it.
// case: passed_by_to_the_end grid=1 block=64 expect=silent
KERNEL(passed_by_to_the_end)
{
    y[TID] = 1;
    if (TID < 48) {
        __syncthreads();
        x[TID] = y[47 - TID];
    }
}

// … and here it has.
// case: passed_by_part_of_warp grid=1 block=64 expect=barrier-divergence@1@2
KERNEL(passed_by_part_of_warp)
{
    y[TID] = 1;
    if (TID < 48) // @2
        __syncthreads(); // @1
    x[TID] = y[TID] + 1;
}

// case: passed_by_by_warps grid=1 block=64 expect=barrier-divergence:warning@1@2
KERNEL(passed_by_by_warps)
{
    if (TID < 32) {
        y[TID] += x[TID + 32];
        __syncthreads(); // @1
    }
    x[64 + TID] = 1; // @2
}

// Warps that have nothing to do leave before the barrier: they take no part in it.
// case: left_by_warps grid=1 block=96 expect=silent
KERNEL(left_by_warps)
{
    x[TID] = 3;
    if (TID >= 64) {
        x[TID] = 4;
        return;
    }
    y[TID] = x[TID];
    __syncthreads();
    y[63 - TID] += 1;
}

// In a loop that some warps go round less often.
// case: turns_by_warps grid=1 block=64 expect=barrier-divergence:warning also=data-race
KERNEL(turns_by_warps)
{
    int sum = 0;
    for (unsigned i = 0; i < 2 + TID / 32; i++) {
        sum += x[i];
        __syncthreads();
    }
    y[TID] = sum;
}

// case: turns_alike grid=1 block=64 expect=silent
KERNEL(turns_alike)
{
    int sum = 0;
    for (unsigned i = 0; i < 2 + TID / 64; i++) {
        sum += x[i];
        __syncthreads();
    }
    y[TID] = sum;
}

// Producers and consumers by warps, with a barrier of their own: a number and a count say who comes.
// case: arms_by_warp_counted grid=1 block=64 expect=silent
KERNEL(arms_by_warp_counted)
{
    if (TID < 32) {
        x[TID] = 1;
        BAR_SYNC(1, 64);
        y[TID] = x[TID + 32];
    } else {
        x[TID] = 3;
        BAR_SYNC(1, 64);
        y[TID] = x[TID - 32];
    }
}

// The barrier stands in a function that both arms call.
__device__ __forceinline__ void meet(int *at)
{
    *at += 1;
    __syncthreads();
}
// case: arms_that_call grid=1 block=64 expect=silent
KERNEL(arms_that_call)
{
    if (TID < 32)
        meet(&x[TID]);
    else
        meet(&y[TID]);
    y[64 + TID] = x[TID % 32];
}

// They come round to the same barrier, in a later turn.
// case: passed_by_till_later grid=1 block=32 expect=barrier-divergence
KERNEL(passed_by_till_later)
{
    for (unsigned j = 1; j < 32; j *= 2)
        if (TID < (TID ^ j)) {
            y[TID] += j;
            __syncthreads();
        }
}

// Either condition leads to the barrier, and one of them is the same for all.
// case: either_condition grid=1 block=64 n=100 expect=silent
KERNEL(either_condition)
{
    for (int i = 0; i < 3; i++) {
        if (TID % 32 == 5 || n > 50) {
            y[TID] += i;
            __syncthreads();
        }
        x[TID] = y[63 - TID];
        __syncthreads();
    }
}

// Leaving in a loop, where the others go on to the barrier.
// case: leave_in_loop grid=1 block=64 expect=silent
KERNEL(leave_in_loop)
{
    for (unsigned i = 0; i < 64; i++) {
        if (TID > 40 + i)
            return;
        y[TID] += i;
        __syncthreads();
    }
    x[TID] = y[TID];
}

// ---- Arrivals that do not wait ----

// One lane of each of two warps hands on; the other lanes leave, whenever.
// case: lane_arrives grid=1 block=64 expect=silent
KERNEL(lane_arrives)
{
    if (TID == 0) {
        x[0] = 1;
        BAR_ARRIVE(1, 64);
    } else if (TID == 32) {
        BAR_SYNC(1, 64);
        y[0] = x[0];
    } else if (TID % 3)
        y[TID] = 2;
}

// They wait for their warp at the next barrier: bar.arrive, too, is for the whole warp.
// case: lane_arrives_others_stay grid=1 block=64 expect=barrier-divergence also=deadlock
KERNEL(lane_arrives_others_stay)
{
    if (TID == 0)
        BAR_ARRIVE(1, 64);
    else if (TID >= 32)
        BAR_SYNC(1, 64);
    __syncthreads();
    y[TID] += 1;
}

// ---- Turns of a loop ----

// Lanes that are a turn ahead meet the others at a branch which all take the same way each time: nobody passes the barrier by.
// case: every_third_turn grid=2 block=32 n=7 expect=silent
KERNEL(every_third_turn)
{
    for (int k = 0; k < n; k++) {
        if (TID == 0)
            while (atomicAdd(x, 1) < 40) {
            }
        if (k % 3 == 2)
            __syncthreads();
    }
}

// case: every_second_turn_unaligned grid=2 block=64 n=6 expect=silent
KERNEL(every_second_turn_unaligned)
{
    for (int k = 0; k < n; k++) {
        if ((int)GID % 3 == k)
            atomicAdd(x, k);
        if (k % 2)
            asm volatile("barrier.sync 0;" ::: "memory");
    }
}

// case: every_second_turn_shuffle grid=1 block=32 n=6 expect=silent
KERNEL(every_second_turn_shuffle)
{
    int v = TID;
    for (int k = 0; k < n; k++) {
        for (int j = 0; j < (v & 3); j++)
            atomicAdd(x, k);
        if (k % 2)
            v += __shfl_xor_sync(~0u, v, 1);
    }
    y[TID] = v;
}

// The number of turns is the thread's own.
// case: every_second_turn_of_its_own grid=1 block=64 n=5 expect=barrier-divergence also=deadlock
KERNEL(every_second_turn_of_its_own)
{
    int turns = n + (TID > 7);
    for (int k = 0; k < turns; k++) {
        atomicAdd(x, k);
        if (k % 2)
            __syncthreads();
    }
    y[TID] = 1;
    __syncthreads();
}

// Turns are counted alike, by threads of which each has left out some.
// case: turns_counted_apart grid=1 block=32 n=5 expect=barrier-divergence also=deadlock
KERNEL(turns_counted_apart)
{
    int k = 0;
    for (int j = 0; j < n; j++) {
        if ((TID + j) % 8)
            k++;
        if (k % 2)
            __syncthreads();
        atomicAdd(x, 1);
    }
    y[TID] = 1;
}

// case: turn_left_out grid=1 block=32 n=5 expect=barrier-divergence also=deadlock
KERNEL(turn_left_out)
{
    for (int k = 0; k < n; k++) {
        if ((int)TID < 20 + k)
            continue;
        if (k % 2)
            __syncthreads();
        atomicAdd(x, 1);
    }
    y[TID] = 1;
}

// An `else` at the kernel's end is an early return: one PTX, unless both ways end in one store.
// case: else_at_end grid=1 block=64 expect=silent
KERNEL(else_at_end)
{
    __shared__ int s[64];
    if (TID < 40) {
        s[TID] = TID;
        __syncthreads();
        y[TID] = s[0];
    } else {
        x[TID] = -1;
    }
}

// … and before more work it is none.
// case: else_before_work grid=1 block=64 expect=barrier-divergence
KERNEL(else_before_work)
{
    __shared__ int s[64];
    if (TID < 40) {
        s[TID] = TID;
        __syncthreads();
        y[TID] = s[0];
    } else {
        y[TID] = -1;
    }
    VOL_INT(y[64 + TID]) = VOL_INT(y[TID]) + 1;
}
