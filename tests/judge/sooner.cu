// Check, then act, by threads that do not meet: in each order of blocks that is run one is done before another looks. Nothing orders them, so that the
// other could have looked before. Too many for schedules in which each thread takes its turns anew (late.cu has those).
#include "judge.cuh"

#define MINE ((int)(BID * 37u % 301u) + 1)

// case: sooner_max_store grid=300 block=32 expect=ordering@1@2
KERNEL(sooner_max_store)
{
    int mine = MINE;
    if (TID == 0 && VOL_INT(y[0]) < mine) // @1
        VOL_INT(y[0]) = mine; // @2
}

// case: sooner_max_exch grid=300 block=32 expect=ordering@1@2
KERNEL(sooner_max_exch)
{
    int mine = MINE;
    if (TID == 0 && VOL_INT(y[0]) < mine) // @1
        atomicExch(&y[0], mine); // @2
}

// case: sooner_max_once grid=300 block=32 expect=ordering@1@2
KERNEL(sooner_max_once)
{
    int mine = BID == 5 ? 7 : BID == 200 ? 3 : 0;
    if (TID == 0 && VOL_INT(y[0]) < mine) // @1
        VOL_INT(y[0]) = mine; // @2
}

// case: sooner_max_other grid=300 block=32 expect=ordering@1@2
KERNEL(sooner_max_other)
{
    int mine = BID == 5 ? 3 : BID == 200 ? 7 : 0;
    if (TID == 0 && VOL_INT(y[0]) < mine) // @1
        VOL_INT(y[0]) = mine; // @2
}

// case: sooner_max_right grid=300 block=32 expect=silent
KERNEL(sooner_max_right)
{
    int mine = MINE;
    if (TID == 0 && VOL_INT(y[0]) < mine)
        atomicMax(&y[0], mine);
}

// case: sooner_max_swapped grid=300 block=32 expect=silent
KERNEL(sooner_max_swapped)
{
    int mine = MINE;
    if (TID == 0) {
        int there = VOL_INT(y[0]);
        while (there < mine) {
            int was = atomicCAS(&y[0], there, mine);
            if (was == there)
                break;
            there = was;
        }
    }
}

// All store one number.
// case: sooner_max_same grid=300 block=32 expect=silent
KERNEL(sooner_max_same)
{
    if (TID == 0 && VOL_INT(y[0]) < n - 3)
        VOL_INT(y[0]) = n - 3;
}

// case: sooner_max_locked grid=300 block=32 expect=silent
KERNEL(sooner_max_locked)
{
    int mine = MINE;
    if (TID == 0) {
        while (atomicCAS(&flag[0], 0u, 1u) != 0)
            ;
        __threadfence();
        if (VOL_INT(y[0]) < mine)
            VOL_INT(y[0]) = mine;
        __threadfence();
        atomicExch(&flag[0], 0u);
    }
}

// case: sooner_max_turns grid=300 block=32 expect=silent
KERNEL(sooner_max_turns)
{
    int mine = MINE;
    if (TID == 0) {
        while (LD("acquire.gpu", &flag[0]) != BID)
            ;
        if (VOL_INT(y[0]) < mine)
            VOL_INT(y[0]) = mine;
        ST("release.gpu", &flag[0], BID + 1);
    }
}

// case: sooner_max_own grid=300 block=32 expect=silent
KERNEL(sooner_max_own)
{
    int mine = MINE;
    for (int i = 0; i < 3; i++)
        if (VOL_INT(y[GID]) < mine + i)
            VOL_INT(y[GID]) = mine + i;
}

// Each looks behind a barrier.
// case: sooner_max_barriers grid=300 block=64 expect=silent
KERNEL(sooner_max_barriers)
{
    __shared__ int best;
    if (TID == 0)
        best = 0;
    __syncthreads();
    for (unsigned i = 0; i < 64; i++) {
        int mine = (int)(TID * 7 % 64);
        if (TID == i && VOL_INT(best) < mine)
            VOL_INT(best) = mine;
        __syncthreads();
    }
    y[GID] = best;
}

// case: sooner_max_shared grid=300 block=64 expect=ordering@1@2
KERNEL(sooner_max_shared)
{
    __shared__ int best;
    if (TID == 0)
        best = 0;
    __syncthreads();
    int mine = (int)(TID / 32 * 7);
    if (TID % 32 == 0 && VOL_INT(best) < mine + 3) // @1
        VOL_INT(best) = mine + 3; // @2
    __syncthreads();
    y[GID] = best;
}

// case: sooner_max_shared_right grid=300 block=64 expect=silent
KERNEL(sooner_max_shared_right)
{
    __shared__ int best;
    if (TID == 0)
        best = 0;
    __syncthreads();
    int mine = (int)(TID / 32 * 7);
    if (TID % 32 == 0 && VOL_INT(best) < mine + 3)
        atomicMax(&best, mine + 3);
    __syncthreads();
    y[GID] = best;
}

// case: sooner_count grid=300 block=32 expect=ordering@1@2
KERNEL(sooner_count)
{
    if (TID == 0 && VOL(flag[0]) < 20u) // @1
        atomicAdd(&flag[0], 1u); // @2
}

// case: sooner_count_enough grid=300 block=32 expect=silent
KERNEL(sooner_count_enough)
{
    if (TID == 0 && VOL(flag[0]) < 2000u)
        atomicAdd(&flag[0], 1u);
}

// case: sooner_count_looked grid=300 block=32 expect=silent
KERNEL(sooner_count_looked)
{
    if (TID == 0 && VOL(flag[0]) < 20u) {
        unsigned mine = atomicAdd(&flag[0], 1u);
        if (mine < 20u)
            y[mine] = 1;
    }
}

// case: sooner_budget grid=300 block=32 expect=ordering@1@2
KERNEL(sooner_budget)
{
    if (TID == 0 && BID == 150)
        atomicAdd(&x[0], 2);
    else if (TID == 0 && VOL_INT(x[0]) > 0) // @1
        atomicSub(&x[0], 1); // @2
}

// case: sooner_budget_enough grid=300 block=32 expect=silent
KERNEL(sooner_budget_enough)
{
    if (TID == 0 && BID == 150)
        atomicAdd(&x[0], 299);
    else if (TID == 0 && VOL_INT(x[0]) > 0)
        atomicSub(&x[0], 1);
}

// case: sooner_increment grid=300 block=32 expect=ordering@1@2
KERNEL(sooner_increment)
{
    if (TID == 0) {
        unsigned v = VOL(flag[0]); // @1
        VOL(flag[0]) = v + 1; // @2
    }
}

// case: sooner_increment_turns grid=300 block=32 expect=silent
KERNEL(sooner_increment_turns)
{
    if (TID == 0) {
        while (LD("acquire.gpu", &flag[64]) != BID)
            ;
        unsigned v = VOL(flag[0]);
        VOL(flag[0]) = v + 1;
        ST("release.gpu", &flag[64], BID + 1);
    }
}

// case: sooner_bit grid=300 block=32 expect=ordering@1@2
KERNEL(sooner_bit)
{
    if (TID == 0) {
        unsigned v = VOL(flag[BID / 32]); // @1
        VOL(flag[BID / 32]) = v | 1u << BID % 32; // @2
    }
}

// case: sooner_swap_ignored grid=300 block=32 expect=ordering@1@2
KERNEL(sooner_swap_ignored)
{
    if (TID == 0) {
        unsigned v = VOL(flag[0]); // @1
        atomicCAS(&flag[0], v, v + 1); // @2
    }
}

// case: sooner_swap_again grid=300 block=32 expect=silent
KERNEL(sooner_swap_again)
{
    if (TID == 0) {
        unsigned v = VOL(flag[0]), was;
        do {
            was = v;
            v = atomicCAS(&flag[0], was, was + 1);
        } while (v != was);
    }
}

// case: sooner_set_once grid=300 block=32 expect=silent
KERNEL(sooner_set_once)
{
    if (TID == 0 && VOL(flag[0]) == 0)
        atomicCAS(&flag[0], 0u, BID + 1);
}

// case: sooner_mark grid=300 block=32 expect=silent
KERNEL(sooner_mark)
{
    if (TID == 0 && VOL(flag[BID % 7]) == 0)
        VOL(flag[BID % 7]) = 1;
}

// case: sooner_mark_counted grid=300 block=32 expect=ordering:warning@1@2
KERNEL(sooner_mark_counted)
{
    if (TID == 0 && VOL(flag[0]) == 0) { // @1
        VOL(flag[0]) = 1; // @2
        atomicAdd(&flag[1], 1u);
    }
}

// case: sooner_mark_counted_right grid=300 block=32 expect=silent
KERNEL(sooner_mark_counted_right)
{
    if (TID == 0 && VOL(flag[0]) == 0 && atomicExch(&flag[0], 1u) == 0)
        atomicAdd(&flag[1], 1u);
}

// case: sooner_try_lock grid=300 block=32 expect=ordering@1@2
KERNEL(sooner_try_lock)
{
    if (TID == 0 && VOL(flag[0]) == 0) { // @1
        VOL(flag[0]) = 1; // @2
        __threadfence();
        atomicAdd(&flag[1], 5u);
        atomicAdd(&flag[2], 5u);
        __threadfence();
        VOL(flag[0]) = 0;
    }
}

// It says so, too: who is told may look again.
// case: sooner_max_told grid=300 block=32 expect=ordering:warning@1@2
KERNEL(sooner_max_told)
{
    int mine = MINE;
    if (TID == 0 && VOL_INT(y[0]) < mine) { // @1
        VOL_INT(y[0]) = mine; // @2
        VOL(flag[9]) = 1;
    }
}

// Others raise it by an atomic.
// case: sooner_max_mixed grid=300 block=32 expect=ordering@1@2
KERNEL(sooner_max_mixed)
{
    if (TID == 0 && BID == 5)
        atomicMax(&y[0], 7);
    else if (TID == 0 && VOL_INT(y[0]) < 3) // @1
        VOL_INT(y[0]) = 3; // @2
}

// The other has been waited for.
// case: sooner_max_after_signal grid=300 block=32 expect=silent
KERNEL(sooner_max_after_signal)
{
    if (TID == 0 && BID == 5) {
        VOL_INT(y[0]) = 7;
        __threadfence();
        VOL(flag[0]) = 1;
    } else if (TID == 0 && BID == 7) {
        while (VOL(flag[0]) == 0)
            ;
        __threadfence();
        if (VOL_INT(y[0]) < 3)
            VOL_INT(y[0]) = 3;
    }
}

// Who has the last ticket comes after all.
// case: sooner_max_last_block grid=300 block=32 expect=silent
KERNEL(sooner_max_last_block)
{
    if (TID == 0) {
        atomicMax(&y[0], MINE);
        __threadfence();
        if (atomicAdd(&flag[0], 1u) == GRID - 1) {
            __threadfence();
            if (VOL_INT(y[0]) < 500)
                VOL_INT(y[0]) = 500;
        }
    }
}

// case: sooner_max_warp_loop grid=300 block=64 expect=ordering@1@2
KERNEL(sooner_max_warp_loop)
{
    int mine = MINE;
#pragma unroll 1
    for (unsigned i = TID; i < 300; i += 64)
        if (VOL_INT(y[(i * 17 + BID) % 300]) < mine) // @1
            atomicExch(&y[(i * 17 + BID) % 300], mine); // @2
}

// Lanes meet, and one of them acts for all.
// case: sooner_max_warp_leader grid=300 block=32 expect=silent
KERNEL(sooner_max_warp_leader)
{
    __shared__ int best;
    if (TID == 0)
        best = 0;
    __syncwarp();
    for (int i = 0; i < 8; i++) {
        int mine = (int)(TID * 13 + i * 7) % 64;
        unsigned who = __ballot_sync(~0u, VOL_INT(best) < mine);
        if (who && TID == 31 - __clz(who))
            VOL_INT(best) = mine;
        __syncwarp();
    }
    y[GID] = best;
}

// case: sooner_tagged grid=300 block=32 expect=silent
KERNEL(sooner_tagged)
{
    if (TID == 0) {
        unsigned long long *top = (unsigned long long *)flag, old, was = *(volatile unsigned long long *)top;
        do {
            old = was;
            was = atomicCAS(top, old, ((old >> 32) + 1) << 32 | (BID + 1));
        } while (was != old);
    }
}

// case: sooner_max_wide grid=300 block=32 expect=ordering@1@2
KERNEL(sooner_max_wide)
{
    long long mine = (long long)MINE << 33, *best = (long long *)y;
    if (TID == 0 && *(volatile long long *)best < mine) // @1
        *(volatile long long *)best = mine; // @2
}

// case: sooner_min_float grid=300 block=32 expect=ordering@1@2
KERNEL(sooner_min_float)
{
    float mine = -(float)MINE, *best = (float *)y;
    if (TID == 0 && *(volatile float *)best > mine) // @1
        *(volatile float *)best = mine; // @2
}

// What it is compared with is read behind the look.
// case: sooner_max_late_value grid=300 block=32 expect=ordering@1@2
KERNEL(sooner_max_late_value)
{
    if (TID == 0) {
        VOL_INT(x[BID]) = MINE % 101;
        int there = VOL_INT(y[0]), mine = VOL_INT(x[BID]); // @1
        if (there < mine)
            VOL_INT(y[0]) = mine; // @2
    }
}

// case: sooner_max_late_value_right grid=300 block=32 expect=silent
KERNEL(sooner_max_late_value_right)
{
    if (TID == 0) {
        VOL_INT(x[BID]) = MINE % 101;
        int there = VOL_INT(y[0]), mine = VOL_INT(x[BID]);
        if (there < mine)
            atomicMax(&y[0], mine);
    }
}

// case: sooner_max_by_atomics grid=300 block=32 expect=ordering@1@2
KERNEL(sooner_max_by_atomics)
{
    int mine = BID == 5 ? 7 : BID == 200 ? 3 : 0;
    if (TID == 0 && mine && atomicAdd(&y[0], 0) < mine) // @1
        atomicExch(&y[0], mine); // @2
}

// case: sooner_max_by_atomics_other grid=300 block=32 expect=ordering@1@2
KERNEL(sooner_max_by_atomics_other)
{
    int mine = BID == 5 ? 3 : BID == 200 ? 7 : 0;
    if (TID == 0 && mine && atomicAdd(&y[0], 0) < mine) // @1
        atomicExch(&y[0], mine); // @2
}

// case: sooner_pool grid=300 block=32 expect=ordering@1@2
KERNEL(sooner_pool)
{
    if (TID == 0 && BID % 64 == 3 && atomicAdd(&flag[0], 0u) < 4) { // @1
        unsigned slot = atomicAdd(&flag[0], 1u); // @2
        atomicAdd(&y[slot], 1);
    }
}

// case: sooner_pool_enough grid=300 block=32 expect=silent
KERNEL(sooner_pool_enough)
{
    if (TID == 0 && BID % 64 == 3 && atomicAdd(&flag[0], 0u) < 5) {
        unsigned slot = atomicAdd(&flag[0], 1u);
        atomicAdd(&y[slot], 1);
    }
}

// case: sooner_claim_same grid=300 block=32 expect=silent
KERNEL(sooner_claim_same)
{
    if (TID == 0 && VOL(flag[0]) == 0)
        VOL(flag[0]) = n;
}

// case: sooner_claim_agreed grid=300 block=64 expect=silent
KERNEL(sooner_claim_agreed)
{
    __shared__ unsigned owner;
    if (TID == 0)
        owner = 0;
    __syncthreads();
    if (TID % 32 == 0 && VOL(owner) == 0)
        VOL(owner) = TID + 1;
    __syncthreads();
    if (VOL(owner) == TID + 1)
        y[BID] = 1;
}

// Behind a barrier of the grid all of it is seen.
// case: sooner_max_grid_barrier grid=30 block=256 expect=silent
KERNEL(sooner_max_grid_barrier)
{
    for (unsigned i = 0; i < 12; i++) {
        if (TID == 0 && BID == i * 7 % 30 && VOL_INT(y[0]) < (int)(i * 5 % 12))
            VOL_INT(y[0]) = i * 5 % 12;
        __syncthreads();
        if (TID == 0) {
            __threadfence();
            atomicAdd(&flag[0], 1u);
            while (VOL(flag[0]) < (i + 1) * GRID)
                ;
            __threadfence();
        }
        __syncthreads();
    }
}

// A lock of tickets.
// case: sooner_increment_by_ticket grid=300 block=32 expect=silent
KERNEL(sooner_increment_by_ticket)
{
    if (TID == 0) {
        unsigned mine = ATOM_ADD("relaxed.gpu", &flag[64], 1u);
        while (LD("relaxed.gpu", &flag[128]) != mine)
            ;
        FENCE("acq_rel.gpu");
        VOL(flag[0]) = VOL(flag[0]) + 3;
        FENCE("acq_rel.gpu");
        VOL(flag[128]) = VOL(flag[128]) + 1;
    }
}

// Lanes take turns.
// case: sooner_increment_by_lanes grid=300 block=32 expect=silent
KERNEL(sooner_increment_by_lanes)
{
    for (unsigned i = 0; i < 4; i++) {
        if (TID % 32 == i)
            VOL(flag[GID / 32]) = VOL(flag[GID / 32]) + 1;
        __syncwarp();
    }
}

// It only rises: a stale look costs an atomic.
// case: sooner_relax grid=300 block=64 expect=silent
KERNEL(sooner_relax)
{
    unsigned mine = BID * 37u % 301u + 1;
    for (unsigned i = TID; i < 200; i += 64)
        if (VOL(flag[i * 7 % 100]) < mine)
            atomicMax(&flag[i * 7 % 100], mine);
}
