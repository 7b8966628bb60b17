// Threads add by atomics whose results nobody uses, and one of them reads or stores there plainly. Its own atomic puts nobody else's before that: which came first is chance,
// and no schedule may hide it. schedules=1: the plain run has to tell.
#include "judge.cuh"

#define WIDE(i) (*(unsigned long long *)&x[2 * (i)])
#define ADD_WIDE(i) atomicAdd(&WIDE(i), 1ull << 32 | 1)

// case: both_add_last_reads grid=2 block=32 schedules=1 expect=data-race@1@2
KERNEL(both_add_last_reads)
{
    if (TID == 0)
        atomicAdd(&x[0], 1); // @1
    __syncthreads();
    if (BID == 1)
        y[TID] = x[0]; // @2
}

// case: both_add_first_reads grid=2 block=32 schedules=1 expect=data-race@1@2
KERNEL(both_add_first_reads)
{
    if (TID == 0)
        atomicAdd(&x[0], 1); // @1
    __syncthreads();
    if (BID == 0)
        y[TID] = x[0]; // @2
}

// case: each_adds_and_reads_its_own grid=3 block=64 schedules=1 expect=silent
KERNEL(each_adds_and_reads_its_own)
{
    atomicAdd(&x[BID], 1);
    __syncthreads();
    y[GID] = x[BID];
}

// case: many_add_last_reads grid=40 block=64 schedules=1 expect=data-race@1@2
KERNEL(many_add_last_reads)
{
    atomicAdd(&x[0], 1); // @1
    __syncthreads();
    if (BID == GRID - 1 && TID == 0)
        y[0] = x[0]; // @2
}

// case: reds_and_a_read grid=2 block=32 schedules=1 expect=data-race@1@2
KERNEL(reds_and_a_read)
{
    RED_ADD("relaxed.sys.global", &flag[0], 1); // @1
    __syncthreads();
    if (BID == 1)
        y[TID] = flag[0]; // @2
}

// case: maxima_and_a_read grid=2 block=32 schedules=1 expect=data-race@1@2
KERNEL(maxima_and_a_read)
{
    atomicMax(&x[3], (int)GID); // @1
    __syncthreads();
    if (BID == 1)
        y[TID] = x[3]; // @2
}

// case: exchanges_and_a_read grid=2 block=32 schedules=1 expect=data-race@1@2
KERNEL(exchanges_and_a_read)
{
    if (TID == 0)
        atomicExch(&x[0], BID); // @1
    __syncthreads();
    if (BID == 1 && TID == 1)
        y[0] = x[0]; // @2
}

// case: unlike_atomics_and_a_read grid=2 block=32 schedules=1 expect=data-race@1@3
KERNEL(unlike_atomics_and_a_read)
{
    if (BID == 0)
        atomicOr(&x[0], 1); // @1
    else
        atomicAnd(&x[0], 6);
    __syncthreads();
    if (BID == 1)
        y[TID] = x[0]; // @3
}

// case: added_and_cleared grid=2 block=32 schedules=1 expect=data-race@1@2
KERNEL(added_and_cleared)
{
    if (TID == 0)
        atomicAdd(&x[0], 1); // @1
    __syncthreads();
    if (BID == 1 && TID == 7)
        x[0] = 0; // @2
}

// case: own_added_and_cleared grid=2 block=32 schedules=1 expect=silent
KERNEL(own_added_and_cleared)
{
    atomicAdd(&x[BID], 1);
    __syncthreads();
    if (TID == 7)
        x[BID] = 0;
    __syncthreads();
    atomicAdd(&x[BID], 2);
}

// case: wide_added_and_read grid=2 block=32 schedules=1 expect=data-race@1@2
KERNEL(wide_added_and_read)
{
    if (TID == 0)
        ADD_WIDE(0); // @1
    __syncthreads();
    if (BID == 1)
        y[TID] = (int)(WIDE(0) >> 16); // @2
}

// case: wide_added_and_low_read grid=2 block=32 schedules=1 expect=data-race@1@2
KERNEL(wide_added_and_low_read)
{
    if (TID == 0)
        ADD_WIDE(0); // @1
    __syncthreads();
    if (BID == 1)
        y[TID] = x[0]; // @2
}

// case: wide_added_and_high_read grid=2 block=32 schedules=1 expect=data-race@1@2
KERNEL(wide_added_and_high_read)
{
    if (TID == 0)
        ADD_WIDE(0); // @1
    __syncthreads();
    if (BID == 1)
        y[TID] = x[1]; // @2
}

// case: wide_added_own_halves_read grid=2 block=32 schedules=1 expect=silent
KERNEL(wide_added_own_halves_read)
{
    ADD_WIDE(BID);
    __syncthreads();
    y[GID] = x[2 * BID] + x[2 * BID + 1];
}

// case: added_and_byte_read grid=2 block=32 schedules=1 expect=data-race@1@2
KERNEL(added_and_byte_read)
{
    if (TID == 0)
        atomicAdd(&x[0], 1); // @1
    __syncthreads();
    if (BID == 1)
        y[TID] = ((unsigned char *)x)[2]; // @2
}

// case: added_and_byte_stored grid=2 block=32 schedules=1 expect=data-race@1@2
KERNEL(added_and_byte_stored)
{
    if (TID == 0)
        atomicAdd(&x[0], 1); // @1
    __syncthreads();
    if (BID == 1 && TID == 3)
        ((unsigned char *)x)[1] = 4; // @2
}

// case: own_added_and_byte_read grid=2 block=32 schedules=1 expect=silent
KERNEL(own_added_and_byte_read)
{
    atomicAdd(&x[BID], 1);
    __syncthreads();
    y[GID] = ((unsigned char *)&x[BID])[0];
}

// case: bytes_then_wide_atomics grid=1 block=64 schedules=1 expect=silent
KERNEL(bytes_then_wide_atomics)
{
    if (TID < 8)
        ((unsigned char *)x)[TID] = 1;
    __syncthreads();
    ADD_WIDE(0);
    atomicAdd(&x[2], 1);
    __syncthreads();
    y[TID] = x[1] + ((unsigned char *)x)[9];
}

// case: bytes_then_added_and_read grid=2 block=32 schedules=1 expect=data-race@1@2 also=data-race
KERNEL(bytes_then_added_and_read)
{
    if (TID == 0)
        y[BID] = ((unsigned char *)x)[2];
    __syncthreads();
    if (TID == 0)
        atomicAdd(&x[BID == 3], 1); // @1
    __syncthreads();
    if (BID == 1)
        y[TID + 4] = x[0]; // @2
}

// case: added_and_vector_read grid=2 block=32 schedules=1 expect=data-race@1@2
KERNEL(added_and_vector_read)
{
    if (TID == 0)
        atomicAdd(&x[2], 1); // @1
    __syncthreads();
    if (BID == 1) {
        int4 v = *(int4 *)x; // @2
        y[TID] = v.x + v.z;
    }
}

// case: narrow_behind_wide grid=2 block=32 schedules=1 expect=data-race@1@2
KERNEL(narrow_behind_wide)
{
    if (TID == 0)
        atomicAdd(&x[0], 1); // @1
    if (BID == 1 && TID == 0)
        atomicAdd_block(&x[0], 1); // @2
}

// case: wide_behind_narrow grid=2 block=32 schedules=1 expect=data-race@1@2
KERNEL(wide_behind_narrow)
{
    if (BID == 0 && TID == 0)
        atomicAdd_block(&x[0], 1); // @1
    if (TID == 0)
        atomicAdd(&x[0], 1); // @2
}

// case: narrow_each_its_own grid=2 block=64 schedules=1 expect=silent
KERNEL(narrow_each_its_own)
{
    for (int i = 0; i < 4; i++)
        atomicAdd_block(&x[BID], 1);
    atomicAdd(&x[BID], 1);
    __syncthreads();
    y[GID] = x[BID];
}

// case: halves_behind_wide grid=2 block=32 schedules=1 expect=data-race@1@2
KERNEL(halves_behind_wide)
{
    if (TID == 0)
        ADD_WIDE(0); // @1
    if (BID == 1 && TID == 0)
        atomicAdd(&x[0], 1); // @2
}

// case: left_before_the_barrier grid=1 block=64 schedules=1 expect=data-race@1@2
KERNEL(left_before_the_barrier)
{
    if (TID == 5 || TID == 40)
        atomicAdd(&x[0], 1); // @1
    if (TID < 32)
        return;
    __syncthreads();
    if (TID == 40)
        y[0] = x[0]; // @2
}

// case: own_added_in_turns grid=2 block=64 schedules=1 expect=silent
KERNEL(own_added_in_turns)
{
    int sum = 0;
    for (int i = 0; i < 50; i++) {
        atomicAdd(&x[GID], i);
        sum += x[GID];
    }
    y[GID] = sum;
}

// case: added_in_phases grid=2 block=64 schedules=1 expect=silent
KERNEL(added_in_phases)
{
    for (int i = 0; i < 5; i++) {
        atomicAdd(&x[BID], i);
        __syncthreads();
        y[GID] += x[BID];
        __syncthreads();
    }
}

// case: added_by_the_launch_before grid=2 block=64 schedules=1 then=reads_behind expect=silent
KERNEL(added_by_the_launch_before)
{
    atomicAdd(&x[0], 1);
}

KERNEL(reads_behind)
{
    y[GID] = x[0];
}

// case: last_block_reads_sum grid=4 block=64 expect=silent
KERNEL(last_block_reads_sum)
{
    __shared__ bool last;
    atomicAdd(&x[0], 1);
    __syncthreads();
    if (TID == 0) {
        __threadfence();
        last = atomicAdd(&flag[0], 1) == GRID - 1;
        __threadfence();
    }
    __syncthreads();
    if (last && TID == 0)
        y[0] = x[0];
}

// case: last_block_reads_sum_unfenced grid=4 block=64 expect=data-race|missing-acquire|missing-release@1@2
KERNEL(last_block_reads_sum_unfenced)
{
    __shared__ bool last;
    atomicAdd(&x[0], 1); // @1
    __syncthreads();
    if (TID == 0)
        last = atomicAdd(&flag[0], 1) == GRID - 1;
    __syncthreads();
    if (last && TID == 0)
        y[0] = x[0]; // @2
}

/* ---- Behind two stores of one value, which are a warning ---- */

// case: same_stored_then_added grid=1 block=32 schedules=1 expect=data-race@1@3 also=data-race:warning@1@2
KERNEL(same_stored_then_added)
{
    x[TID + 1] = 5; // @1
    x[TID] = 5; // @2
    if (TID % 4 == 0)
        atomicAdd(&x[TID], 3); // @3
}

// case: same_stored_then_another grid=1 block=32 schedules=1 expect=data-race@1@3 also=data-race:warning@1@2
KERNEL(same_stored_then_another)
{
    x[TID + 1] = 5; // @1
    x[TID] = 5; // @2
    x[TID] = 6; // @3
}

// case: same_stored_then_read grid=1 block=32 schedules=1 expect=data-race@1@3 also=data-race:warning@1@2
KERNEL(same_stored_then_read)
{
    x[TID + 1] = 5; // @1
    x[TID] = 5; // @2
    __threadfence_block();
    y[TID + 1] = x[TID]; // @3
}

// case: same_stored_then_met grid=1 block=32 schedules=1 expect=data-race:warning@1@2
KERNEL(same_stored_then_met)
{
    x[TID + 1] = 5; // @1
    x[TID] = 5; // @2
    __syncthreads();
    atomicAdd(&x[TID], 3);
    y[TID] = x[TID];
}

// case: same_stored_by_all_then_met grid=1 block=128 schedules=1 expect=data-race:warning
KERNEL(same_stored_by_all_then_met)
{
    __shared__ int any;
    any = 1;
    __syncthreads();
    y[TID] = any;
    __syncthreads();
    if (TID == 0)
        any = 2;
    __syncthreads();
    y[TID] += any;
}

/* ---- In shared memory ---- */

#define COUNT                                                                                      \
    __shared__ int count[64];                                                                      \
    count[TID] = 0;                                                                                \
    __syncthreads()

// case: shared_added_last_reads grid=1 block=64 schedules=1 expect=data-race@1@2
KERNEL(shared_added_last_reads)
{
    COUNT;
    atomicAdd(&count[0], 1); // @1
    if (TID == 63)
        y[0] = count[0]; // @2
}

// case: shared_added_last_reads_behind_barrier grid=1 block=64 schedules=1 expect=silent
KERNEL(shared_added_last_reads_behind_barrier)
{
    COUNT;
    atomicAdd(&count[0], 1);
    __syncthreads();
    if (TID == 63)
        y[0] = count[0];
}

// case: shared_added_last_stores grid=1 block=64 schedules=1 expect=data-race@1@2
KERNEL(shared_added_last_stores)
{
    COUNT;
    atomicAdd(&count[0], 1); // @1
    if (TID == 63)
        count[0] = 9; // @2
    __syncthreads();
    y[TID] = count[0];
}

// case: shared_added_in_a_warp grid=1 block=32 schedules=1 expect=data-race@1@2
KERNEL(shared_added_in_a_warp)
{
    COUNT;
    atomicAdd(&count[0], 1); // @1
    if (TID == 31)
        y[0] = count[0]; // @2
}

// case: shared_added_in_a_warp_that_meets grid=1 block=32 schedules=1 expect=silent
KERNEL(shared_added_in_a_warp_that_meets)
{
    COUNT;
    atomicAdd(&count[0], 1);
    __syncwarp();
    if (TID == 31)
        y[0] = count[0];
}

// case: shared_added_by_two_warps_that_meet grid=1 block=64 schedules=1 expect=data-race@1@2
KERNEL(shared_added_by_two_warps_that_meet)
{
    COUNT;
    atomicAdd(&count[0], 1); // @1
    __syncwarp();
    if (TID == 63)
        y[0] = count[0]; // @2
}

// case: shared_added_often_by_the_last grid=1 block=64 schedules=1 expect=data-race@1@2
KERNEL(shared_added_often_by_the_last)
{
    COUNT;
    if (TID == 0 || TID > 60)
        for (int i = 0; i < 3; i++)
            atomicAdd(&count[1], 1); // @1
    __syncwarp();
    if (TID == 63)
        y[0] = count[1]; // @2
}

// case: shared_added_each_its_own grid=1 block=64 schedules=1 expect=silent
KERNEL(shared_added_each_its_own)
{
    COUNT;
    for (int i = 0; i < 3; i++)
        atomicAdd(&count[TID], i);
    y[TID] = count[TID];
}

// case: shared_added_in_phases grid=2 block=64 schedules=1 expect=silent
KERNEL(shared_added_in_phases)
{
    COUNT;
    for (int i = 0; i < 3; i++) {
        atomicAdd(&count[i], 1);
        __syncthreads();
        if (TID == 63)
            atomicAdd(&count[i], 1);
        __syncwarp();
        if (TID == 63)
            y[GID] += count[i];
        __syncthreads();
    }
}

// case: shared_added_byte_read grid=1 block=64 schedules=1 expect=data-race@1@2
KERNEL(shared_added_byte_read)
{
    COUNT;
    atomicAdd(&count[0], 1); // @1
    if (TID == 63)
        y[0] = ((volatile char *)count)[0] + ((char *)count)[1]; // @2
}

// case: shared_maxima_and_a_read grid=1 block=64 schedules=1 expect=data-race@1@2
KERNEL(shared_maxima_and_a_read)
{
    COUNT;
    atomicMax(&count[0], (int)TID); // @1
    if (TID == 63)
        y[0] = count[0]; // @2
}

/* ---- Where a thread uses what its atomic returns ---- */

// case: returned_and_stored_beside grid=1 block=32 expect=data-race@1@2
KERNEL(returned_and_stored_beside)
{
    if (TID % 4 == 0)
        y[TID] = atomicMax(&x[TID + 1], 3) > 100; // @1
    atomicMax(&x[TID], 5);
    x[TID] = 7; // @2
}

// ---- Beside another launch ----

// Each of the two reads, or stores, where both have added: whichever goes first, one of the two comes behind both additions, of which its own is the last.
// case: reads_beside_adding grid=1 block=1 schedules=1 beside=adds_beside_reading expect=stream-race@1 expect=stream-race@2
KERNEL(reads_beside_adding)
{
    atomicMax(&x[0], 5); // @1
    atomicMax(&x[1], 5);
    y[0] = x[1]; // @2
}

KERNEL(adds_beside_reading)
{
    atomicAdd(&x[1], 1);
    atomicAdd(&x[0], 1);
    y[1] = x[0];
}

// case: stores_beside_adding grid=1 block=1 schedules=1 beside=adds_beside_storing expect=stream-race@1 expect=stream-race@2
KERNEL(stores_beside_adding)
{
    atomicMax(&x[0], 5); // @1
    atomicMax(&x[1], 5);
    x[1] = 0; // @2
}

KERNEL(adds_beside_storing)
{
    atomicAdd(&x[1], 1);
    atomicAdd(&x[0], 1);
    x[0] = 0;
}

// case: adds_and_reads_behind grid=2 block=64 schedules=1 then=adds_and_reads_behind expect=silent
KERNEL(adds_and_reads_behind)
{
    atomicAdd(&x[GID], 1);
    y[GID] = x[GID];
}

// case: adds_beside_adding grid=1 block=1 schedules=1 beside=adds_elsewhere expect=silent
KERNEL(adds_beside_adding)
{
    atomicAdd(&x[0], 1);
    atomicAdd(&x[1], 1);
    y[0] = x[2];
}

KERNEL(adds_elsewhere)
{
    atomicMax(&x[0], 1);
    atomicMax(&x[1], 1);
    atomicAdd(&x[3], 1);
    y[1] = x[3];
}
