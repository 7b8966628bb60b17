// Lanes are threads: without __syncwarp nothing orders them, whatever order they happen to run in.
#include "judge.cuh"

#define FULL 0xffffffffu

// case: warp_reduce_right grid=1 block=32 expect=silent
KERNEL(warp_reduce_right)
{
    __shared__ int s[32];
    s[TID] = x[TID];
    __syncwarp();
    for (unsigned h = 16; h > 0; h >>= 1) {
        if (TID < h)
            s[TID] += s[TID + h];
        __syncwarp();
    }
    y[TID] = s[0];
}

// case: warp_reduce_no_sync grid=1 block=32 expect=data-race@1@1 also=data-race
KERNEL(warp_reduce_no_sync)
{
    __shared__ int s[32];
    s[TID] = x[TID];
    __syncwarp();
    for (unsigned h = 16; h > 0; h >>= 1) {
        if (TID < h)
            s[TID] += s[TID + h]; // @1
    }
    __syncwarp();
    y[TID] = s[0];
}

// All lanes add: lane 16 writes its element while lane 0 reads it.
// case: warp_reduce_all_lanes_one_sync grid=1 block=32 expect=data-race@1@1
KERNEL(warp_reduce_all_lanes_one_sync)
{
    __shared__ int s[64];
    s[TID] = x[TID];
    s[TID + 32] = 0;
    __syncwarp();
    for (unsigned h = 16; h > 0; h >>= 1) {
        s[TID] += s[TID + h]; // @1
        __syncwarp();
    }
    y[TID] = s[TID];
}

// case: warp_reduce_all_lanes_two_syncs grid=1 block=32 expect=silent
KERNEL(warp_reduce_all_lanes_two_syncs)
{
    __shared__ int s[64];
    s[TID] = x[TID];
    s[TID + 32] = 0;
    __syncwarp();
    int v = s[TID];
    for (unsigned h = 16; h > 0; h >>= 1) {
        v += s[TID + h];
        __syncwarp();
        s[TID] = v;
        __syncwarp();
    }
    y[TID] = v;
}

// case: warp_exchange_right grid=2 block=64 expect=silent
KERNEL(warp_exchange_right)
{
    __shared__ int s[64];
    s[TID] = x[GID];
    __syncwarp();
    y[GID] = s[TID ^ 1];
}

// case: warp_exchange_no_sync grid=2 block=64 expect=data-race@1@2 also=uninitialized-read
KERNEL(warp_exchange_no_sync)
{
    __shared__ int s[64];
    s[TID] = x[GID]; // @1
    y[GID] = s[TID ^ 1]; // @2
}

// __syncwarp reaches one warp only.
// case: warp_sync_across_warps grid=1 block=64 expect=data-race@1@2 also=uninitialized-read
KERNEL(warp_sync_across_warps)
{
    __shared__ int s[64];
    s[TID] = x[GID]; // @1
    __syncwarp();
    y[GID] = s[TID ^ 32]; // @2
}

// case: warp_tail_with_block_barrier grid=1 block=64 expect=silent
KERNEL(warp_tail_with_block_barrier)
{
    __shared__ int s[64];
    s[TID] = x[GID];
    __syncthreads();
    y[GID] = s[TID ^ 32];
}

// Global memory is ordered by __syncwarp as well.
// case: warp_global_right grid=1 block=32 expect=silent
KERNEL(warp_global_right)
{
    x[TID] = TID;
    __syncwarp();
    y[TID] = x[31 - TID];
}

// case: warp_global_no_sync grid=1 block=32 expect=data-race@1@2
KERNEL(warp_global_no_sync)
{
    x[TID] = TID; // @1
    y[TID] = x[31 - TID]; // @2
}

// Shuffles carry values from lane to lane and need no memory.
// case: shuffle_reduce grid=1 block=32 expect=silent
KERNEL(shuffle_reduce)
{
    int v = x[TID];
    for (int h = 16; h > 0; h >>= 1)
        v += __shfl_down_sync(FULL, v, h);
    if (TID == 0)
        y[0] = v;
}

// A shuffle makes lanes meet and orders no memory.
// case: shuffle_is_no_fence grid=1 block=32 expect=data-race@1@2 also=uninitialized-read
KERNEL(shuffle_is_no_fence)
{
    __shared__ int s[32];
    s[TID] = x[TID]; // @1
    int v = __shfl_xor_sync(FULL, (int)TID, 1);
    y[TID] = s[v]; // @2
}

// Nor does a vote.
// case: ballot_is_no_fence grid=1 block=32 expect=data-race@1@2 also=uninitialized-read
KERNEL(ballot_is_no_fence)
{
    __shared__ int s[32];
    s[TID] = x[TID]; // @1
    unsigned all = __ballot_sync(FULL, 1);
    y[TID] = s[TID ^ 1] + all; // @2
}

// case: ballot_then_sync grid=1 block=32 expect=silent
KERNEL(ballot_then_sync)
{
    __shared__ int s[32];
    s[TID] = x[TID];
    unsigned all = __ballot_sync(FULL, 1);
    __syncwarp();
    y[TID] = s[TID ^ 1] + all;
}

// Half warps that sync by their own mask may exchange within their half.
// case: half_mask_within grid=1 block=32 expect=silent
KERNEL(half_mask_within)
{
    __shared__ int s[32];
    unsigned mask = TID < 16 ? 0xffffu : 0xffff0000u;
    s[TID] = x[TID];
    __syncwarp(mask);
    y[TID] = s[TID ^ 8];
}

// case: half_mask_across grid=1 block=32 expect=data-race@1@2 also=uninitialized-read
KERNEL(half_mask_across)
{
    __shared__ int s[32];
    unsigned mask = TID < 16 ? 0xffffu : 0xffff0000u;
    s[TID] = x[TID]; // @1
    __syncwarp(mask);
    y[TID] = s[TID ^ 16]; // @2
}

// Masks in two branches.
// case: branch_mask_right grid=1 block=32 expect=silent
KERNEL(branch_mask_right)
{
    __shared__ int s[32];
    s[TID] = 0;
    __syncwarp();
    if (TID < 8) {
        s[TID] = x[TID];
        __syncwarp(0xffu);
        y[TID] = s[7 - TID];
    } else {
        y[TID] = 5;
    }
}

// case: branch_without_sync grid=1 block=32 expect=data-race@1@2 also=uninitialized-read
KERNEL(branch_without_sync)
{
    __shared__ int s[32];
    s[TID] = 0;
    __syncwarp();
    if (TID < 8) {
        s[TID] = x[TID]; // @1
        y[TID] = s[7 - TID]; // @2
    } else {
        y[TID] = 5;
    }
}

// A branch ends and lanes look joined; only __syncwarp says so.
// case: after_branch_right grid=1 block=32 expect=silent
KERNEL(after_branch_right)
{
    __shared__ int s;
    if (TID == 0)
        s = x[0];
    __syncwarp();
    y[TID] = s;
}

// case: after_branch_no_sync grid=1 block=32 expect=data-race@1@2 also=uninitialized-read
KERNEL(after_branch_no_sync)
{
    __shared__ int s;
    if (TID == 0)
        s = x[0]; // @1
    y[TID] = s; // @2
}

// All lanes store to one word, different values.
// case: lanes_store_one_word grid=1 block=32 expect=data-race@1@1
KERNEL(lanes_store_one_word)
{
    x[0] = TID; // @1
}

// The same value: a race still, told as a warning.
// case: lanes_store_same_value grid=1 block=32 expect=data-race:warning@1@1
KERNEL(lanes_store_same_value)
{
    x[0] = 7; // @1
}

// case: one_lane_stores grid=1 block=32 expect=silent
KERNEL(one_lane_stores)
{
    if (TID == 0)
        x[0] = 7;
}

// A whole block, one winner by atomicCAS.
// case: one_winner_stores grid=2 block=64 expect=silent
KERNEL(one_winner_stores)
{
    if (atomicCAS(flag, 0, 1) == 0)
        x[0] = GID;
}

// Lane 1 waits for lane 0 of the same warp: independent thread scheduling lets both go on.
// case: lanes_signal_right grid=1 block=32 expect=silent
KERNEL(lanes_signal_right)
{
    __shared__ unsigned ready;
    __shared__ int s;
    if (TID == 0)
        ready = 0;
    __syncwarp();
    if (TID == 1) {
        while (VOL(ready) == 0)
            ;
        __threadfence_block();
        y[0] = s;
    } else if (TID == 0) {
        s = x[0];
        __threadfence_block();
        VOL(ready) = 1;
    }
}

// case: lanes_signal_no_release grid=1 block=32 expect=missing-release@1@2 also=uninitialized-read
KERNEL(lanes_signal_no_release)
{
    __shared__ unsigned ready;
    __shared__ int s;
    if (TID == 0)
        ready = 0;
    __syncwarp();
    if (TID == 1) {
        while (VOL(ready) == 0)
            ;
        __threadfence_block();
        y[0] = s; // @2
    } else if (TID == 0) {
        s = x[0]; // @1
        VOL(ready) = 1;
    }
}

// case: lanes_signal_no_acquire grid=1 block=32 expect=missing-acquire@1@2 also=uninitialized-read
KERNEL(lanes_signal_no_acquire)
{
    __shared__ unsigned ready;
    __shared__ int s;
    if (TID == 0)
        ready = 0;
    __syncwarp();
    if (TID == 1) {
        while (VOL(ready) == 0)
            ;
        y[0] = s; // @2
    } else if (TID == 0) {
        s = x[0]; // @1
        __threadfence_block();
        VOL(ready) = 1;
    }
}

// The tail of a block reduction by one warp, as old code writes it.
// case: last_warp_plain grid=1 block=64 expect=data-race@1@1 also=data-race
KERNEL(last_warp_plain)
{
    __shared__ int s[64];
    s[TID] = x[TID];
    __syncthreads();
    if (TID < 32) {
        s[TID] += s[TID + 32];
        __syncwarp();
        for (unsigned h = 16; h > 0; h >>= 1)
            if (TID < h)
                s[TID] += s[TID + h]; // @1
    }
    __syncthreads();
    y[TID] = s[0];
}

// case: last_warp_synced grid=1 block=64 expect=silent
KERNEL(last_warp_synced)
{
    __shared__ int s[64];
    s[TID] = x[TID];
    __syncthreads();
    if (TID < 32) {
        s[TID] += s[TID + 32];
        for (unsigned h = 16; h > 0; h >>= 1) {
            __syncwarp();
            if (TID < h)
                s[TID] += s[TID + h];
        }
    }
    __syncthreads();
    y[TID] = s[0];
}

// Scan within a warp through shared memory.
// case: warp_scan_right grid=1 block=32 expect=silent
KERNEL(warp_scan_right)
{
    __shared__ int s[32];
    s[TID] = x[TID];
    __syncwarp();
    for (unsigned d = 1; d < 32; d <<= 1) {
        int v = TID >= d ? s[TID - d] : 0;
        __syncwarp();
        s[TID] += v;
        __syncwarp();
    }
    y[TID] = s[TID];
}

// case: warp_scan_no_sync_after_read grid=1 block=32 expect=data-race@1@2
KERNEL(warp_scan_no_sync_after_read)
{
    __shared__ int s[32];
    s[TID] = x[TID];
    __syncwarp();
    for (unsigned d = 1; d < 32; d <<= 1) {
        int v = TID >= d ? s[TID - d] : 0; // @1
        s[TID] += v; // @2
        __syncwarp();
    }
    y[TID] = s[TID];
}

// ---- A shuffle or a vote orders lanes in time, not their memory: volatile and relaxed accesses on both sides ----

// case: relaxed_by_shuffle grid=1 block=32 expect=ordering@1@2
KERNEL(relaxed_by_shuffle)
{
    if (TID == 0)
        VOL_INT(x[0]) = 1; // @1
    int at = __shfl_sync(FULL, (int)TID, 0);
    if (TID == 1)
        y[0] = VOL_INT(x[at]); // @2
}

// case: relaxed_by_shuffle_and_barrier grid=1 block=32 expect=silent
KERNEL(relaxed_by_shuffle_and_barrier)
{
    if (TID == 0)
        VOL_INT(x[0]) = 1;
    int at = __shfl_sync(FULL, (int)TID, 0);
    __syncwarp();
    if (TID == 1)
        y[0] = VOL_INT(x[at]);
}

// case: relaxed_by_vote grid=1 block=32 expect=ordering@1@2
KERNEL(relaxed_by_vote)
{
    if (TID == 3)
        ST("relaxed.cta", &x[0], 1); // @1
    if (__any_sync(FULL, TID == 3) && TID == 7)
        y[0] = (int)LD("relaxed.cta", &x[0]); // @2
}

// case: relaxed_before_vote grid=1 block=32 expect=silent
KERNEL(relaxed_before_vote)
{
    unsigned seen = 0;
    if (TID == 3)
        seen = LD("relaxed.cta", &x[0]);
    if (__any_sync(FULL, seen == 0) && TID == 7)
        ST("relaxed.cta", &x[0], 1); // rests on what was read
    y[TID] = (int)seen;
}

// Fences on both sides come in either order: they do not stand in for a barrier.
// case: relaxed_by_ballot_fences grid=1 block=32 expect=ordering@1@2
KERNEL(relaxed_by_ballot_fences)
{
    if (TID == 0)
        VOL_INT(x[0]) = 1; // @1
    __threadfence_block();
    unsigned who = __ballot_sync(FULL, TID == 0);
    __threadfence_block();
    if (TID == 31)
        y[0] = VOL_INT(x[0]) + (int)who; // @2
}

// The value itself comes by the shuffle, or is the only one.
// case: ticket_by_shuffle grid=2 block=32 expect=silent
KERNEL(ticket_by_shuffle)
{
    unsigned ticket = 0;
    if (TID == 0)
        ticket = atomicAdd(&flag[0], 1);
    ticket = __shfl_sync(FULL, ticket, 0);
    if (TID == 9 && ticket == 1)
        y[0] = 1;
}

// case: tiles_by_shuffle grid=1 block=4 expect=ordering@1@2
KERNEL(tiles_by_shuffle)
{
    unsigned tile = TID < 2 ? 3 : 12;
    int v = 0;
    if (TID == 2)
        VOL_INT(x[0]) = 5; // @1
    v = __shfl_xor_sync(tile, (int)TID, 1);
    if (TID == 3)
        y[0] = VOL_INT(x[v - 2]); // @2
}

// case: tiles_by_barrier grid=1 block=4 expect=silent
KERNEL(tiles_by_barrier)
{
    unsigned tile = TID < 2 ? 3 : 12;
    if (TID == 2)
        VOL_INT(x[0]) = 5;
    __syncwarp(tile);
    if (TID == 3)
        y[0] = VOL_INT(x[0]);
}

// ---- A word for each warp, which all its lanes read: also where the warp before it has read one ----

// case: warp_word_then_lane_stores grid=1 block=64 expect=data-race@1@2
KERNEL(warp_word_then_lane_stores)
{
    int v = x[TID / 32]; // @1
    if (TID == 32)
        x[1] = 7; // @2
    y[TID] = v;
}

// case: warp_word_then_lane_adds grid=1 block=128 expect=data-race@1@2
KERNEL(warp_word_then_lane_adds)
{
    int v = x[TID / 32]; // @1
    if (TID == 97)
        atomicAdd(&x[3], 7); // @2
    y[TID] = v;
}

// case: warp_word_read_only_then_stored grid=1 block=96 expect=data-race@1@2
KERNEL(warp_word_read_only_then_stored)
{
    int v = __ldg(&x[8 + TID / 32]); // @1
    if (TID == 64)
        x[9] = 7; // @2
    y[TID] = v;
}

// case: warp_word_then_barrier grid=1 block=128 expect=silent
KERNEL(warp_word_then_barrier)
{
    int v = x[TID / 32];
    __syncthreads();
    if (TID % 32 == 1)
        x[TID / 32] = 7;
    y[TID] = v;
}

// case: warp_word_then_warp_barrier grid=1 block=128 expect=silent
KERNEL(warp_word_then_warp_barrier)
{
    int v = x[TID / 32];
    __syncwarp();
    if (TID % 32 == 1)
        x[TID / 32] = 7;
    y[TID] = v;
}
