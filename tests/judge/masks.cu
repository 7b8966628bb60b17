// Member masks: who comes is named, and with the same mask; who is named comes, or has left.
#include <cooperative_groups.h>

#include "judge.cuh"

#define FULL 0xffffffffu

// case: mask_without_self_sync grid=1 block=32 expect=warp-mask@1
KERNEL(mask_without_self_sync)
{
    __syncwarp(0x0000ffffu); // @1
    y[TID] = TID;
}

// case: mask_with_all_sync grid=1 block=32 expect=silent
KERNEL(mask_with_all_sync)
{
    __syncwarp(FULL);
    y[TID] = TID;
}

// case: mask_without_self_shuffle grid=1 block=32 expect=warp-mask@1 also=uninitialized-read
KERNEL(mask_without_self_shuffle)
{
    y[TID] = __shfl_xor_sync(0xfffffffeu, (int)TID, 2); // @1
}

// case: mask_of_who_comes_shuffle grid=1 block=32 expect=silent
KERNEL(mask_of_who_comes_shuffle)
{
    if (TID > 1)
        y[TID] = __shfl_xor_sync(0xfffffffcu, (int)TID, 1);
}

// case: mask_without_self_vote grid=1 block=64 expect=warp-mask@1
KERNEL(mask_without_self_vote)
{
    y[TID] = __any_sync(0x00ff00ffu, x[TID] > 3); // @1
}

// case: mask_of_who_comes_vote grid=1 block=64 expect=silent
KERNEL(mask_of_who_comes_vote)
{
    if (TID % 16 < 8)
        y[TID] = __any_sync(0x00ff00ffu, x[TID] > 3);
}

// case: mask_without_self_ballot grid=1 block=32 expect=warp-mask@1
KERNEL(mask_without_self_ballot)
{
    if (TID < 20)
        y[TID] = __ballot_sync(0x000000ffu, TID & 1); // @1
}

// Old sums name the lanes that have gone on in the loop, and all lanes go on.
// case: mask_shrinks_lanes_stay grid=1 block=32 expect=warp-mask@1 also=uninitialized-read
KERNEL(mask_shrinks_lanes_stay)
{
    int v = TID;
    for (unsigned d = 16; d > 0; d /= 2)
        v += __shfl_down_sync((1ull << 2 * d) - 1, v, d); // @1
    if (TID == 0)
        y[0] = v;
}

// case: mask_shrinks_lanes_leave grid=1 block=32 expect=silent
KERNEL(mask_shrinks_lanes_leave)
{
    int v = TID;
    for (unsigned d = 16; d > 0; d /= 2)
        if (TID < 2 * d)
            v += __shfl_down_sync((1ull << 2 * d) - 1, v, d);
    if (TID == 0)
        y[0] = v;
}

// The lanes of one warp come together and name different masks, which overlap.
// case: masks_overlap grid=1 block=32 expect=warp-mask@1
KERNEL(masks_overlap)
{
    unsigned mask = TID < 16 ? FULL : 0xffff0000u;
    __syncwarp(mask); // @1
    y[TID] = TID;
}

// case: masks_of_tiles grid=1 block=32 expect=silent
KERNEL(masks_of_tiles)
{
    unsigned mask = 0xffu << (TID & 24);
    __syncwarp(mask);
    y[TID] = __shfl_xor_sync(mask, (int)TID, 3) + __popc(__ballot_sync(mask, x[TID] == 0));
}

// Two branches wait for each other with masks that differ.
// case: masks_differ_in_branches grid=1 block=32 expect=warp-mask@1@2 also=deadlock
KERNEL(masks_differ_in_branches)
{
    if (TID & 1) {
        x[TID] = 1;
        __syncwarp(FULL); // @1
    } else {
        y[TID] = 1;
        __syncwarp(0x7fffffffu); // @2
    }
}

// case: masks_same_in_branches grid=1 block=32 expect=silent
KERNEL(masks_same_in_branches)
{
    if (TID & 1) {
        x[TID] = 1;
        __syncwarp(FULL);
    } else {
        y[TID] = 1;
        __syncwarp(FULL);
    }
    x[64 + TID] = x[TID | 1] + y[TID & ~1u];
}

// A part meets by itself on its way to where all meet: the others wait there already.
// case: part_before_all grid=1 block=32 expect=silent
KERNEL(part_before_all)
{
    if (TID >= 16) {
        x[TID] = TID;
        __syncwarp(0xffff0000u);
        y[TID] = x[TID ^ 1];
    }
    __syncwarp(FULL);
    x[64 + TID] = y[31 - TID];
}

// All lanes are named, half of them come, and the others go past.
// case: named_and_gone_past grid=1 block=32 expect=warp-mask@1@2
KERNEL(named_and_gone_past)
{
    int v = TID;
    if (TID < 16) // @2
        v = __shfl_xor_sync(FULL, v, 1); // @1
    y[TID] = v;
}

// The same before a barrier of the block, at which the others wait: it is the mask that is wrong, and the barrier stands in no branch.
// case: named_and_at_barrier grid=1 block=64 expect=warp-mask@1@2 also=deadlock
KERNEL(named_and_at_barrier)
{
    int v = TID;
    if (TID % 32 < 16) // @2
        v = __shfl_xor_sync(FULL, v, 1); // @1
    __syncthreads();
    y[TID] = v;
}

// case: synced_and_at_barrier grid=1 block=64 expect=warp-mask@1@2 also=deadlock
KERNEL(synced_and_at_barrier)
{
    x[TID] = TID;
    if (TID % 32 < 16) // @2
        __syncwarp(FULL); // @1
    __syncthreads();
    y[TID] = x[63 - TID];
}

// case: voted_and_at_barrier grid=1 block=64 expect=warp-mask@1@2 also=deadlock
KERNEL(voted_and_at_barrier)
{
    int v = TID;
    if (TID % 32 < 16) // @2
        v = __any_sync(FULL, x[TID] > 3); // @1
    __syncthreads();
    y[TID] = v;
}

// case: half_and_at_barrier grid=1 block=64 expect=silent
KERNEL(half_and_at_barrier)
{
    int v = TID;
    if (TID % 32 < 16)
        v = __shfl_xor_sync(0xffff, v, 1);
    __syncthreads();
    y[TID] = v;
}

// Here it is the barrier: it stands in the other branch, behind what the mask names.
// case: barrier_in_a_branch grid=1 block=32 expect=barrier-divergence also=deadlock
KERNEL(barrier_in_a_branch)
{
    int v = TID;
    if (TID < 16) {
        __syncthreads();
        x[TID] = v;
    }
    v = __shfl_xor_sync(FULL, v, 1);
    y[TID] = v;
}

// case: ballot_names_who_comes grid=1 block=32 expect=silent
KERNEL(ballot_names_who_comes)
{
    int v = TID;
    unsigned mask = __ballot_sync(FULL, TID < 16);
    if (TID < 16)
        v = __shfl_xor_sync(mask, v, 1);
    y[TID] = v;
}

// They come to the next one instead, which is of the same form: the first of one half meets the second of the
// other.
// case: named_and_one_further grid=1 block=32 expect=warp-mask@1@2
KERNEL(named_and_one_further)
{
    int v = TID;
    if (TID < 16) { // @2
        v = __shfl_xor_sync(FULL, v, 1); // @1
        x[TID] = v;
    }
    y[TID] = __shfl_xor_sync(FULL, v, 1);
}

// case: named_in_both_branches grid=1 block=32 expect=silent
KERNEL(named_in_both_branches)
{
    int v = TID;
    if (TID < 16) {
        v = __shfl_xor_sync(FULL, v, 1);
        x[TID] = v;
    } else {
        v = __shfl_xor_sync(FULL, v + 1, 1);
        x[TID] = v + 3;
    }
    y[TID] = __shfl_xor_sync(FULL, v, 1);
}

// Who has left the kernel is not waited for.
// case: named_and_left grid=1 block=32 n=20 expect=silent
KERNEL(named_and_left)
{
    if ((int)TID >= n) {
        x[TID] = 7;
        return;
    }
    int sum = TID;
    __syncwarp(FULL);
    y[TID] = sum + __popc(__ballot_sync(FULL, sum > 3));
}

// The last warp has 20 lanes.
// case: named_and_not_there grid=1 block=52 expect=silent
KERNEL(named_and_not_there)
{
    y[TID] = __popc(__ballot_sync(FULL, TID & 1));
    __syncwarp();
}

// Lanes leave a loop one after the other, and name each other while they are in it.
// case: loop_by_ballot grid=1 block=32 expect=silent
KERNEL(loop_by_ballot)
{
    unsigned mask = FULL, left = TID % 5 + 1;
    while (true) {
        y[TID] += __popc(__ballot_sync(mask, left & 1));
        mask = __ballot_sync(mask, --left > 0);
        if (left == 0)
            break;
    }
    __syncwarp();
    x[TID] = y[31 - TID];
}

// The same with the mask of the start.
// case: loop_by_full_mask grid=1 block=32 expect=warp-mask also=deadlock
KERNEL(loop_by_full_mask)
{
    unsigned left = TID % 5 + 1;
    while (true) {
        y[TID] += __popc(__ballot_sync(FULL, left & 1));
        if (--left == 0)
            break;
    }
    x[TID] = y[TID];
}

// case: coalesced_group grid=1 block=64 expect=silent
KERNEL(coalesced_group)
{
    if (x[TID] == 0 && TID % 3) {
        auto g = cooperative_groups::coalesced_threads();
        y[TID] = g.shfl((int)TID, 0) * 0 + (int)g.size();
        g.sync();
    }
}

// case: tiled_partition grid=1 block=64 expect=silent
KERNEL(tiled_partition)
{
    auto tile = cooperative_groups::tiled_partition<8>(cooperative_groups::this_thread_block());
    int v = TID;
    if (TID & 8)
        v += tile.shfl_down(v, 1) + tile.any(v > 5);
    tile.sync();
    y[TID] = v;
}

// One function's shuffle for tiles, and then for all: lanes of one tile may be a call behind the others.
static __device__ __noinline__ int across(unsigned mask, int v, int by)
{
    return v + __shfl_xor_sync(mask, v, by); // @1
}

// case: masks_by_calls grid=1 block=32 expect=silent
KERNEL(masks_by_calls)
{
    unsigned tile = 0xffu << (TID & 24);
    int v = TID;
    if (TID < 8)
        for (int i = 0; i < n % 5 + 9; i++)
            v += x[i] & 1;
    v = across(tile, v, 1);
    v = across(tile, v, 2);
    v = across(tile, v, 4);
    v = across(FULL, v, 8);
    y[TID] = across(FULL, v, 16);
}

// The same function, called with two masks in two branches: the lanes of one wait for those of the other.
// case: masks_by_branches grid=1 block=32 expect=warp-mask also=deadlock|uninitialized-read
KERNEL(masks_by_branches)
{
    int v = TID;
    if (TID < 8)
        v = across(0xff, v, 1);
    else
        v = across(FULL, v, 8);
    y[TID] = v;
}

// A lane that another's mask names may have gone round there at any branch, not only at the last one at which the warp parted.
// case: named_and_round_else_if grid=1 block=32 expect=warp-mask@1@2
KERNEL(named_and_round_else_if)
{
    int v = TID;
    if (TID % 4 == 0) // @2
        __syncwarp(0x11111111u);
    else if (TID % 4 == 1)
        __syncwarp(0x33333333u); // @1
    else
        y[32 + TID] = 1;
    y[TID] = v;
}

// case: named_else_if grid=1 block=32 expect=silent
KERNEL(named_else_if)
{
    int v = TID;
    if (TID % 4 == 0)
        __syncwarp(0x11111111u);
    else if (TID % 4 == 1)
        __syncwarp(0x22222222u);
    else
        y[32 + TID] = 1;
    y[TID] = v;
}

// case: named_and_stored_else_if grid=1 block=32 expect=warp-mask@1@2
KERNEL(named_and_stored_else_if)
{
    int v = TID;
    if (TID % 4 == 0) // @2
        y[64 + TID] = 2;
    else if (TID % 4 == 1)
        v = __shfl_sync(0x33333333u, v, 1, 4); // @1
    else
        y[32 + TID] = 1;
    y[TID] = v;
}

// case: named_and_round_switch grid=1 block=32 expect=warp-mask@1
KERNEL(named_and_round_switch)
{
    int v = TID;
    switch (x[TID] + TID % 4) {
    case 0:
        __syncwarp(0x11111111u);
        break;
    case 1:
        __syncwarp(0x33333333u); // @1
        break;
    default:
        y[32 + TID] = 1;
    }
    y[TID] = v;
}

// Lanes that leave early, each after something of its own, are waited for by nobody.
// case: named_and_left_else_if grid=1 block=32 expect=silent
KERNEL(named_and_left_else_if)
{
    if (TID >= 16) {
        if (TID >= 24)
            y[64 + TID] = 2;
        return;
    }
    int v = TID;
    if (TID % 4 == 0)
        y[32 + TID] = 1;
    __syncwarp(FULL);
    y[TID] = v;
}

// Lanes with one mask may come together at different places.
// case: named_in_three_branches grid=1 block=32 expect=silent
KERNEL(named_in_three_branches)
{
    int v = TID;
    if (TID % 4 == 0) {
        y[64 + TID] = 2;
        __syncwarp(FULL);
    } else if (TID % 4 == 1) {
        __syncwarp(FULL);
        v++;
    } else {
        y[32 + TID] = 1;
        __syncwarp(FULL);
    }
    y[TID] = v;
}

// A branch around it that is the same for all is not where it has gone round.
// case: named_and_round_inside grid=1 block=32 n=1 expect=warp-mask@1@2
KERNEL(named_and_round_inside)
{
    int v = TID;
    if (n == 1) {
        if (TID % 4 == 0) // @2
            y[64 + TID] = 2;
        else if (TID % 4 == 1)
            __syncwarp(0x33333333u); // @1
        else
            y[32 + TID] = 1;
    }
    y[TID] = v;
}

// Lanes of a branch name the whole warp, whose other lanes wait for the whole warp behind it: whoever comes first.
// case: mask_branch_and_behind grid=1 block=32 expect=warp-mask@1 also=deadlock
KERNEL(mask_branch_and_behind)
{
    if (TID % 3 == 0) {
        int first = 0;
        if (TID == 0)
            first = atomicAdd(&y[0], 11);
        first = __shfl_sync(~0u, first, 0); // @1
        x[TID] = first;
    }
    __syncwarp();
    y[TID + 1] = __shfl_sync(~0u, (int)TID, 1);
}

// case: mask_branch_named grid=1 block=32 expect=silent
KERNEL(mask_branch_named)
{
    unsigned those = __ballot_sync(~0u, TID % 3 == 0);
    if (TID % 3 == 0) {
        int first = 0;
        if (TID == 0)
            first = atomicAdd(&y[0], 11);
        first = __shfl_sync(those, first, 0);
        x[TID] = first;
    }
    __syncwarp();
    y[TID + 1] = __shfl_sync(~0u, (int)TID, 1);
}

// The others take the same mask in the other half of the branch, a turn later: nobody goes round.
// case: mask_turns_of_two grid=1 block=32 expect=silent
KERNEL(mask_turns_of_two)
{
    int sum = 0;
    for (int i = 0; i < 4; i++) {
        sum += __shfl_xor_sync(~0u, (int)TID, 1);
        if (TID % 2)
            sum += i;
        __syncwarp();
        sum += __shfl_xor_sync(~0u, (int)TID, 2);
    }
    x[TID] = sum;
}
