// Counting together: warp-aggregated atomics, compaction, histograms.
#include "judge.cuh"

#define FULL 0xffffffffu

// ---- One atomic a warp; the leader's result reaches the others by shuffle ----

// case: aggregate_right grid=3 block=64 expect=silent
KERNEL(aggregate_right)
{
    if (GID % 3 == 0)
        return;
    unsigned active = __activemask();
    unsigned lane = TID % 32, leader = __ffs(active) - 1;
    unsigned rank = __popc(active & ((1u << lane) - 1)), base = 0;
    if (lane == leader)
        base = atomicAdd(flag, __popc(active));
    base = __shfl_sync(active, base, leader);
    x[base + rank] = GID;
}

// All lanes store at the leader's place: the rank is forgotten.
// case: aggregate_no_rank grid=3 block=64 expect=data-race@1@1
KERNEL(aggregate_no_rank)
{
    if (GID % 3 == 0)
        return;
    unsigned active = __activemask();
    unsigned lane = TID % 32, leader = __ffs(active) - 1, base = 0;
    if (lane == leader)
        base = atomicAdd(flag, __popc(active));
    base = __shfl_sync(active, base, leader);
    x[base] = GID; // @1
}

// The leader's result through shared memory needs __syncwarp.
// case: aggregate_shared_right grid=2 block=64 expect=silent
KERNEL(aggregate_shared_right)
{
    __shared__ unsigned base[2];
    unsigned warp = TID / 32, lane = TID % 32;
    if (lane == 0)
        base[warp] = atomicAdd(flag, 32);
    __syncwarp();
    x[base[warp] + lane] = GID;
}

// case: aggregate_shared_no_sync grid=2 block=64 expect=data-race@1@2 also=uninitialized-read also=out-of-bounds also=data-race@2@2
KERNEL(aggregate_shared_no_sync)
{
    __shared__ unsigned base[2];
    unsigned warp = TID / 32, lane = TID % 32;
    if (lane == 0)
        base[warp] = atomicAdd(flag, 32); // @1
    x[base[warp] + lane] = GID; // @2
}

// Counted too few: the next warp's range begins within this one's.
// case: aggregate_adds_too_few grid=2 block=64 expect=data-race@1@1
KERNEL(aggregate_adds_too_few)
{
    unsigned lane = TID % 32, base = 0;
    if (lane == 0)
        base = atomicAdd(flag, 31);
    base = __shfl_sync(FULL, base, 0);
    x[base + lane] = GID; // @1
}

// ---- Compaction by a block: ranks by ballot, warps' offsets in shared memory ----

// case: compact_right grid=2 block=96 expect=silent
KERNEL(compact_right)
{
    __shared__ unsigned count[3], base;
    unsigned warp = TID / 32, lane = TID % 32;
    unsigned votes = __ballot_sync(FULL, GID % 5 < 2);
    if (lane == 0)
        count[warp] = __popc(votes);
    __syncthreads();
    if (TID == 0)
        base = atomicAdd(flag, count[0] + count[1] + count[2]);
    __syncthreads();
    unsigned at = base;
    for (unsigned w = 0; w < warp; w++)
        at += count[w];
    if (GID % 5 < 2)
        x[at + __popc(votes & ((1u << lane) - 1))] = GID;
}

// case: compact_no_first_barrier grid=2 block=96 expect=data-race@1@2 also=uninitialized-read also=data-race@3@3 also=out-of-bounds
KERNEL(compact_no_first_barrier)
{
    __shared__ unsigned count[3], base;
    unsigned warp = TID / 32, lane = TID % 32;
    unsigned votes = __ballot_sync(FULL, GID % 5 < 2);
    if (TID < 3)
        count[TID] = 0;
    __syncthreads();
    if (lane == 0)
        count[warp] = __popc(votes); // @1
    if (TID == 0)
        base = atomicAdd(flag, count[0] + count[1] + count[2]); // @2
    __syncthreads();
    unsigned at = base;
    for (unsigned w = 0; w < warp; w++)
        at += count[w];
    if (GID % 5 < 2)
        x[at + __popc(votes & ((1u << lane) - 1))] = GID; // @3
}

// case: compact_no_second_barrier grid=2 block=96 expect=data-race@1@2 also=uninitialized-read also=data-race@3@3 also=out-of-bounds
KERNEL(compact_no_second_barrier)
{
    __shared__ unsigned count[3], base;
    unsigned warp = TID / 32, lane = TID % 32;
    unsigned votes = __ballot_sync(FULL, GID % 5 < 2);
    if (lane == 0)
        count[warp] = __popc(votes);
    if (TID == 0)
        base = 0;
    __syncthreads();
    if (TID == 0)
        base = atomicAdd(flag, count[0] + count[1] + count[2]); // @1
    unsigned at = base; // @2
    for (unsigned w = 0; w < warp; w++)
        at += count[w];
    if (GID % 5 < 2)
        x[at + __popc(votes & ((1u << lane) - 1))] = GID; // @3
}

// ---- Histograms: bins in shared memory, then added to the grid's ----

// case: histogram_right grid=3 block=64 expect=silent
KERNEL(histogram_right)
{
    __shared__ int bins[16];
    if (TID < 16)
        bins[TID] = 0;
    __syncthreads();
    atomicAdd(&bins[GID * 7 % 16], 1);
    __syncthreads();
    if (TID < 16)
        atomicAdd(&x[TID], bins[TID]);
}

// case: histogram_plain_add grid=1 block=64 expect=data-race@1@1
KERNEL(histogram_plain_add)
{
    __shared__ int bins[16];
    if (TID < 16)
        bins[TID] = 0;
    __syncthreads();
    bins[GID * 7 % 16]++; // @1
    __syncthreads();
    if (TID < 16)
        atomicAdd(&x[TID], bins[TID]);
}

// case: histogram_zero_no_barrier grid=1 block=64 expect=data-race@1@2 also=uninitialized-read
KERNEL(histogram_zero_no_barrier)
{
    __shared__ int bins[16];
    if (TID < 16)
        bins[TID] = 0; // @1
    atomicAdd(&bins[GID * 7 % 16], 1); // @2
    __syncthreads();
    if (TID < 16)
        atomicAdd(&x[TID], bins[TID]);
}

// case: histogram_merge_no_barrier grid=1 block=64 expect=data-race@1@2
KERNEL(histogram_merge_no_barrier)
{
    __shared__ int bins[16];
    if (TID < 16)
        bins[TID] = 0;
    __syncthreads();
    atomicAdd(&bins[GID * 7 % 16], 1); // @1
    if (TID < 16)
        atomicAdd(&x[TID], bins[TID]); // @2
}

// case: histogram_global_plain grid=3 block=64 expect=data-race@1@1
KERNEL(histogram_global_plain)
{
    __shared__ int bins[16];
    if (TID < 16)
        bins[TID] = 0;
    __syncthreads();
    atomicAdd(&bins[GID * 7 % 16], 1);
    __syncthreads();
    if (TID < 16)
        x[TID] += bins[TID]; // @1
}

// Block scope is enough for bins in shared memory and too little for the grid's.
// case: histogram_block_scope_shared grid=2 block=64 expect=silent
KERNEL(histogram_block_scope_shared)
{
    __shared__ int bins[16];
    if (TID < 16)
        bins[TID] = 0;
    __syncthreads();
    atomicAdd_block(&bins[GID * 7 % 16], 1);
    __syncthreads();
    if (TID < 16)
        atomicAdd(&x[TID], bins[TID]);
}

// case: histogram_block_scope_global grid=2 block=64 expect=data-race@1@1
KERNEL(histogram_block_scope_global)
{
    __shared__ int bins[16];
    if (TID < 16)
        bins[TID] = 0;
    __syncthreads();
    atomicAdd(&bins[GID * 7 % 16], 1);
    __syncthreads();
    if (TID < 16)
        atomicAdd_block(&x[TID], bins[TID]); // @1
}

// A private histogram for each thread's own column needs no atomics.
// case: histogram_private_columns grid=1 block=64 expect=silent
KERNEL(histogram_private_columns)
{
    __shared__ unsigned char bins[16][64];
    for (int i = 0; i < 16; i++)
        bins[i][TID] = 0;
    for (unsigned k = 0; k < 8; k++)
        bins[(TID * 7 + k) % 16][TID]++;
    __syncthreads();
    if (TID < 16) {
        int sum = 0;
        for (int i = 0; i < 64; i++)
            sum += bins[TID][i];
        x[TID] = sum;
    }
}

// case: histogram_columns_no_barrier grid=1 block=64 expect=data-race@1@2 also=data-race@2@3 also=uninitialized-read
KERNEL(histogram_columns_no_barrier)
{
    __shared__ unsigned char bins[16][64];
    for (int i = 0; i < 16; i++)
        bins[i][TID] = 0; // @3
    for (unsigned k = 0; k < 8; k++)
        bins[(TID * 7 + k) % 16][TID]++; // @1
    if (TID < 16) {
        int sum = 0;
        for (int i = 0; i < 64; i++)
            sum += bins[TID][i]; // @2
        x[TID] = sum;
    }
}

// ---- A grid's sum ----

// case: sum_atomic_right grid=4 block=64 expect=silent
KERNEL(sum_atomic_right)
{
    int v = x[GID];
    for (int h = 16; h > 0; h >>= 1)
        v += __shfl_down_sync(FULL, v, h);
    if (TID % 32 == 0)
        atomicAdd(y, v);
}

// case: sum_plain_add grid=4 block=64 expect=data-race@1@1
KERNEL(sum_plain_add)
{
    int v = x[GID];
    for (int h = 16; h > 0; h >>= 1)
        v += __shfl_down_sync(FULL, v, h);
    if (TID % 32 == 0)
        y[0] += v; // @1
}

// Read back by the same kernel, plainly, while other blocks still add.
// case: sum_read_early grid=4 block=64 expect=data-race@1@2
KERNEL(sum_read_early)
{
    if (TID == 0) {
        atomicAdd(y, x[BID]); // @1
        x[64 + BID] = y[0]; // @2
    }
}

// case: sum_read_by_atomic_result grid=4 block=64 expect=silent
KERNEL(sum_read_by_atomic_result)
{
    if (TID == 0)
        x[64 + BID] = atomicAdd(y, x[BID]);
}

// case: max_by_cas_loop grid=4 block=32 expect=silent
KERNEL(max_by_cas_loop)
{
    unsigned mine = GID * 2654435761u >> 16, seen = VOL(flag[0]);
    while (seen < mine) {
        unsigned was = atomicCAS(flag, seen, mine);
        if (was == seen)
            break;
        seen = was;
    }
}

// case: max_by_plain_compare grid=4 block=32 expect=data-race@1@2 also=data-race@1@1
KERNEL(max_by_plain_compare)
{
    unsigned mine = GID * 2654435761u >> 16;
    if (flag[0] < mine) // @2
        flag[0] = mine; // @1
}
