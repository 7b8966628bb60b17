// Strong accesses without a signal: threads that exchange by volatile memory as if they went in step. No race by the
// letter, and found all the same, in every run; and what needs no step.
#include "judge.cuh"

// The classic warp-synchronous reduction.
// case: in_step_reduction grid=2 block=64 expect=ordering@1@1 also=ordering
KERNEL(in_step_reduction)
{
    __shared__ volatile int s[128];
    s[TID] = (int)TID + 1;
    s[TID + 64] = 0;
    __syncthreads();
    if (TID < 32) {
#pragma unroll
        for (int k = 32; k; k /= 2)
            s[TID] += s[TID + k]; // @1
    }
    if (TID == 0)
        y[BID] = s[0];
}

// case: in_step_reduction_rolled grid=1 block=32 expect=ordering@1@1 also=ordering
KERNEL(in_step_reduction_rolled)
{
    __shared__ volatile int s[64];
    s[TID] = (int)TID + 1;
    s[TID + 32] = 0;
    __syncwarp();
#pragma unroll 1
    for (int k = 16; k; k /= 2)
        s[TID] += s[TID + k]; // @1
    y[TID] = s[TID];
}

// case: in_step_reduction_synced grid=2 block=64 expect=silent
KERNEL(in_step_reduction_synced)
{
    __shared__ volatile int s[128];
    s[TID] = x[TID];
    s[TID + 64] = 0;
    __syncthreads();
    if (TID < 32)
        for (int k = 32; k; k /= 2) {
            int v = s[TID] + s[TID + k];
            __syncwarp();
            s[TID] = v;
            __syncwarp();
        }
    if (TID == 0)
        y[BID] = s[0];
}

// case: in_step_scan grid=1 block=32 expect=ordering@1@1 also=ordering
KERNEL(in_step_scan)
{
    __shared__ volatile int s[64];
    s[TID] = 0;
    s[TID + 32] = x[TID] + 1;
    __syncwarp();
    for (int k = 1; k < 32; k *= 2)
        s[TID + 32] += s[TID + 32 - k]; // @1
    y[TID] = s[TID + 32];
}

// In global memory.
// case: in_step_exchange grid=2 block=32 expect=ordering@1@2
KERNEL(in_step_exchange)
{
    VOL(x[GID]) = TID + 7; // @1
    y[GID] = VOL(x[GID ^ 5]); // @2
}

// case: in_step_exchange_synced grid=2 block=32 expect=silent
KERNEL(in_step_exchange_synced)
{
    VOL(x[GID]) = TID + 7;
    __syncwarp();
    y[GID] = VOL(x[GID ^ 5]);
}

// case: in_step_own_place grid=1 block=64 expect=silent
KERNEL(in_step_own_place)
{
    __shared__ volatile int s[64];
    s[TID] = x[TID];
    s[TID] += 3;
    y[TID] = s[TID];
}

// Across the warps of a block; the barrier behind the reads is missing.
// case: in_step_one_barrier grid=1 block=64 expect=ordering@1@2
KERNEL(in_step_one_barrier)
{
    __shared__ volatile int s[64];
    int v = x[TID];
    for (int i = 0; i < 4; i++) {
        s[TID] = v + i; // @1
        __syncthreads();
        v = s[63 - TID]; // @2
    }
    y[TID] = v;
}

// A warp's, with __syncwarp().
// case: in_step_one_syncwarp grid=1 block=32 expect=ordering@1@2
KERNEL(in_step_one_syncwarp)
{
    __shared__ volatile int s[32];
    int v = x[TID];
    for (int i = 0; i < 4; i++) {
        s[TID] = v + i; // @1
        __syncwarp();
        v = s[31 - TID]; // @2
    }
    y[TID] = v;
}

// case: in_step_two_buffers grid=1 block=64 expect=silent
KERNEL(in_step_two_buffers)
{
    __shared__ volatile int s[2][64];
    int v = x[TID];
    for (int i = 0; i < 4; i++) {
        s[i & 1][TID] = v + i;
        __syncthreads();
        v = s[i & 1][63 - TID];
    }
    y[TID] = v;
}

// case: in_step_two_barriers grid=1 block=64 expect=silent
KERNEL(in_step_two_barriers)
{
    __shared__ volatile int s[64];
    int v = x[TID];
    for (int i = 0; i < 4; i++) {
        s[TID] = v + i;
        __syncthreads();
        v = s[63 - TID];
        __syncthreads();
    }
    y[TID] = v;
}

// Each raises its flag and waits for its neighbour's: the reads are polls.
// case: in_step_flags grid=1 block=64 expect=silent
KERNEL(in_step_flags)
{
    __shared__ volatile int up[64];
    up[TID] = 0;
    __syncthreads();
    up[TID] = 1;
    while (!up[TID ^ 1])
        ;
    y[TID] = 1;
}

// case: in_step_flags_counted grid=1 block=64 expect=silent
KERNEL(in_step_flags_counted)
{
    __shared__ volatile int up[64];
    up[TID] = 0;
    __syncthreads();
    up[TID] = 1;
    for (int i = 0; i < 1000000; i++)
        if (up[TID ^ 32])
            break;
    y[TID] = 1;
}

// Of two that raise a flag and look at the other's, one at least sees it: the fences see to that.
// case: in_step_fenced grid=1 block=64 expect=silent
KERNEL(in_step_fenced)
{
    __shared__ volatile int up[64];
    up[TID] = 0;
    __syncthreads();
    up[TID] = 1;
    __threadfence_block();
    if (!up[TID ^ 1])
        atomicAdd(&flag[0], 1);
}

// case: in_step_counters grid=2 block=64 expect=silent
KERNEL(in_step_counters)
{
    atomicAdd(&flag[TID % 4], 1u);
    if (atomicAdd(&flag[TID % 4], 0u) > 1000000)
        y[0] = 1;
}

// ---- What decides about a line of the loop, and not about the loop, is no poll ----

// case: skipped_values grid=2 block=32 expect=ordering@1@2
KERNEL(skipped_values)
{
    if (BID == 0) {
        VOL(x[TID]) = (int)TID - 5; // @1
        __syncwarp();
        if (TID == 0)
            VOL(flag[0]) = 1;
    } else if (TID == 0) {
        while (VOL(flag[0]) == 0)
            ;
        int sum = 0;
#pragma unroll 1
        for (int i = 0; i < 32; i++) {
            int t = VOL(x[i]); // @2
            if (t < 0)
                continue;
            sum += t;
        }
        y[0] = sum;
    }
}

// case: skipped_values_fenced grid=2 block=32 expect=silent
KERNEL(skipped_values_fenced)
{
    if (BID == 0) {
        VOL(x[TID]) = (int)TID - 5;
        __syncwarp();
        if (TID == 0) {
            __threadfence();
            VOL(flag[0]) = 1;
        }
    } else if (TID == 0) {
        while (VOL(flag[0]) == 0)
            ;
        __threadfence();
        int sum = 0;
#pragma unroll 1
        for (int i = 0; i < 32; i++) {
            int t = VOL(x[i]);
            if (t < 0)
                continue;
            sum += t;
        }
        y[0] = sum;
    }
}

// A search from place to place ends by what it reads.
// case: searched_values grid=2 block=32 expect=ordering@1@2
KERNEL(searched_values)
{
    if (BID == 0) {
        VOL(x[TID]) = TID == 9 ? 77 : -1; // @1
        __syncwarp();
        if (TID == 0)
            VOL(flag[0]) = 1;
    } else if (TID == 0) {
        while (VOL(flag[0]) == 0)
            ;
        int i = 0;
#pragma unroll 1
        while (i < 32 && VOL(x[i]) != 77) // @2
            i++;
        y[0] = i;
    }
}

// ---- Nobody waits: which comes first must not matter ----

// case: looked_at_early grid=2 block=32 expect=ordering:any@1@2
KERNEL(looked_at_early)
{
    if (BID == 1 && TID == 0) {
        VOL(x[0]) = 42; // @1
        VOL(flag[0]) = 1;
    } else if (BID == 0 && TID == 0 && VOL(flag[0])) {
        y[0] = VOL(x[0]) + 1; // @2
    }
}

// case: looked_at_late grid=2 block=32 expect=ordering:any@1@2
KERNEL(looked_at_late)
{
    if (BID == 0 && TID == 0) {
        VOL(x[0]) = 42; // @1
        VOL(flag[0]) = 1;
    } else if (BID == 1 && TID == 0 && VOL(flag[0])) {
        y[0] = VOL(x[0]) + 1; // @2
    }
}

// case: looked_at_fenced grid=2 block=32 expect=silent
KERNEL(looked_at_fenced)
{
    if (BID == 1 && TID == 0) {
        VOL(x[0]) = 42;
        __threadfence();
        VOL(flag[0]) = 1;
    } else if (BID == 0 && TID == 0 && VOL(flag[0])) {
        __threadfence();
        y[0] = VOL(x[0]) + 1;
    }
}

// A read-modify-write that fetches is a read, and an exchange stores.
// case: in_step_exchanged grid=2 block=32 expect=ordering@1@2
KERNEL(in_step_exchanged)
{
    atomicExch(&x[GID], (int)TID + 5); // @1
    y[GID] = atomicAdd(&x[GID ^ 1], 0); // @2
}

// case: in_step_stored_fetched grid=1 block=32 expect=ordering@1@2
KERNEL(in_step_stored_fetched)
{
    __shared__ int s[32];
    s[TID] = 0;
    __syncthreads();
    VOL_INT(s[TID]) = (int)TID + 5; // @1
    y[TID] = atomicOr(&s[TID ^ 1], 0); // @2
}

// case: in_step_exchanged_synced grid=2 block=32 expect=silent
KERNEL(in_step_exchanged_synced)
{
    atomicExch(&x[GID], (int)TID + 5);
    __syncwarp();
    y[GID] = atomicAdd(&x[GID ^ 1], 0);
}

// Behind a fence the read is more than an exchange of values.
// case: in_step_exchanged_fenced grid=2 block=32 expect=silent
KERNEL(in_step_exchanged_fenced)
{
    atomicExch(&x[GID], 1);
    __threadfence();
    if (atomicAdd(&x[GID ^ 1], 0) == 0)
        y[GID] = 0;
}
