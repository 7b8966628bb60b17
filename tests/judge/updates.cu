// Results that are fetched by a read-modify-write which changes them: what one that comes too early finds, others add to afterwards.
#include "judge.cuh"

#define SUM flag[0]
#define TICKET flag[64]

/** Thread 0 of the last block fetches the sum. */
#define FETCH(add, before, after)                                                                  \
    if (TID == 0) {                                                                                \
        add;                                                                                       \
        before;                                                                                    \
        if (ATOM_ADD("relaxed.gpu", &TICKET, 1) == GRID - 1) {                                     \
            after;                                                                                 \
            y[0] = atomicExch(&SUM, 0);                                                            \
        }                                                                                          \
    }
#define NOTHING (void)0

// case: fetch_bare grid=4 block=32 expect=ordering
KERNEL(fetch_bare)
{
    FETCH(atomicAdd(&SUM, BID + 1), NOTHING, NOTHING)
}

// case: fetch_bare_many grid=24 block=64 expect=ordering
KERNEL(fetch_bare_many)
{
    FETCH(RED_ADD("relaxed.gpu", &SUM, BID + 1), NOTHING, NOTHING)
}

// case: fetch_released grid=4 block=32 expect=ordering
KERNEL(fetch_released)
{
    FETCH(atomicAdd(&SUM, BID + 1), __threadfence(), NOTHING)
}

// case: fetch_acquired grid=4 block=32 expect=ordering
KERNEL(fetch_acquired)
{
    FETCH(atomicAdd(&SUM, BID + 1), NOTHING, __threadfence())
}

// case: fetch_fenced grid=24 block=64 expect=silent
KERNEL(fetch_fenced)
{
    FETCH(atomicAdd(&SUM, BID + 1), __threadfence(), __threadfence())
}

// case: fetch_narrow grid=4 block=32 expect=ordering
KERNEL(fetch_narrow)
{
    FETCH(atomicAdd(&SUM, BID + 1), __threadfence_block(), __threadfence_block())
}

// case: fetch_other_block grid=3 block=32 expect=ordering
KERNEL(fetch_other_block)
{
    if (TID == 0 && BID < 2) {
        atomicMax(&SUM, 5 + BID);
        ATOM_ADD("relaxed.gpu", &TICKET, 1);
    } else if (TID == 0) {
        while (LD("relaxed.gpu", &TICKET) < 2)
            ;
        y[0] = atomicSub(&SUM, 1);
    }
}

// case: fetch_other_block_fenced grid=3 block=32 expect=silent
KERNEL(fetch_other_block_fenced)
{
    if (TID == 0 && BID < 2) {
        atomicMax(&SUM, 5 + BID);
        __threadfence();
        ATOM_ADD("relaxed.gpu", &TICKET, 1);
    } else if (TID == 0) {
        while (LD("relaxed.gpu", &TICKET) < 2)
            ;
        __threadfence();
        y[0] = atomicSub(&SUM, 1);
    }
}

// A float's sum depends on the order in any case; that one is missing does not.
// case: fetch_float grid=6 block=32 expect=ordering
KERNEL(fetch_float)
{
    if (TID == 0) {
        atomicAdd((float *)&SUM, (float)(BID + 1));
        if (atomicAdd(&TICKET, 1) == GRID - 1)
            y[0] = (int)atomicExch((float *)&SUM, 0.0f);
    }
}

// case: fetch_float_fenced grid=6 block=32 expect=silent
KERNEL(fetch_float_fenced)
{
    if (TID == 0) {
        atomicAdd((float *)&SUM, (float)(BID + 1));
        __threadfence();
        if (atomicAdd(&TICKET, 1) == GRID - 1) {
            __threadfence();
            y[0] = (int)atomicExch((float *)&SUM, 0.0f);
        }
    }
}

// A word that is stored and then taken.
// case: take_stored grid=2 block=1 expect=ordering
KERNEL(take_stored)
{
    if (BID == 0) {
        VOL(SUM) = 7;
        VOL(TICKET) = 1;
    } else {
        while (VOL(TICKET) == 0)
            ;
        y[0] = atomicExch(&SUM, 0);
    }
}

// case: take_stored_fenced grid=2 block=1 expect=silent
KERNEL(take_stored_fenced)
{
    if (BID == 0) {
        VOL(SUM) = 7;
        __threadfence();
        VOL(TICKET) = 1;
    } else {
        while (VOL(TICKET) == 0)
            ;
        __threadfence();
        y[0] = atomicExch(&SUM, 0);
    }
}

// Between warps of a block, in shared memory.
// case: fetch_shared grid=1 block=128 expect=ordering
KERNEL(fetch_shared)
{
    __shared__ unsigned sum, ticket;
    if (TID == 0)
        sum = ticket = 0;
    __syncthreads();
    if (TID % 32 == 0) {
        atomicAdd(&sum, TID + 1);
        if (atomicAdd(&ticket, 1) == 3)
            y[0] = atomicExch(&sum, 0);
    }
}

// case: fetch_shared_fenced grid=1 block=128 expect=silent
KERNEL(fetch_shared_fenced)
{
    __shared__ unsigned sum, ticket;
    if (TID == 0)
        sum = ticket = 0;
    __syncthreads();
    if (TID % 32 == 0) {
        atomicAdd(&sum, TID + 1);
        __threadfence_block();
        if (atomicAdd(&ticket, 1) == 3) {
            __threadfence_block();
            y[0] = atomicExch(&sum, 0);
        }
    }
}

// ---- Nobody relies on an order ----

// Two counters that all draw from: which comes first is one of the schedules.
// case: two_counters grid=8 block=32 expect=silent
KERNEL(two_counters)
{
    if (TID == 0) {
        y[atomicAdd(&SUM, 1)] = 1;
        x[atomicAdd(&TICKET, 1)] = 1;
    }
}

// A count for nobody, and tickets beside it.
// case: count_beside grid=8 block=32 expect=silent
KERNEL(count_beside)
{
    if (TID == 0) {
        atomicAdd(&SUM, 3);
        y[atomicAdd(&TICKET, 1)] = 1;
    }
}

// Locks by exchange: who finds one taken looks again.
// case: locks_by_exchange grid=3 block=1 expect=silent
KERNEL(locks_by_exchange)
{
    while (atomicExch(&flag[0], 1) != 0)
        ;
    __threadfence();
    while (atomicExch(&flag[64], 1) != 0)
        ;
    __threadfence();
    x[0]++;
    __threadfence();
    atomicExch(&flag[64], 0);
    __threadfence();
    atomicExch(&flag[0], 0);
}

// Each draws what is left, until nothing is: tickets in two hands.
// case: credits grid=4 block=1 expect=silent
KERNEL(credits)
{
    atomicAdd(&SUM, 2);
    __threadfence();
    atomicAdd(&TICKET, 1);
    for (int i = 0; i < 2; i++)
        while ((int)atomicSub(&SUM, 1) <= 0)
            atomicAdd(&SUM, 1);
    atomicAdd((unsigned *)&y[0], 2);
}

// What was read decides about an addition in other threads only.
// case: adds_whatever_it_saw grid=3 block=1 expect=silent
KERNEL(adds_whatever_it_saw)
{
    unsigned seen = atomicAdd(&flag[0], 0);
    if (BID == GRID) {
        VOL(flag[1]) = 1;
        if (seen > 5)
            return;
    }
    RED_ADD("relaxed.gpu", &flag[0], 6u);
}

// case: adds_if_it_saw_little grid=3 block=1 expect=ordering
KERNEL(adds_if_it_saw_little)
{
    unsigned seen = atomicAdd(&flag[0], 0);
    VOL(flag[1]) = 1;
    if (seen > 5)
        return;
    RED_ADD("relaxed.gpu", &flag[0], 6u);
}

// ---- A maximum by a look and an exchange: whoever comes between is overwritten ----
// case: maximum_by_exchange grid=4 block=1 expect=ordering
KERNEL(maximum_by_exchange)
{
    int mine = (int)BID;
    if (mine > VOL_INT(y[0]))
        atomicExch(&y[0], mine);
}

// case: maximum_by_swaps grid=4 block=1 expect=silent
KERNEL(maximum_by_swaps)
{
    int mine = (int)BID, there = VOL_INT(y[0]);
    while (mine > there) {
        int found = atomicCAS(&y[0], there, mine);
        if (found == there)
            break;
        there = found;
    }
}

// In a loop: nobody uses what the exchange returns, in the next turn neither.
// case: maximum_by_exchange_in_loop grid=4 block=1 expect=ordering@1@2
KERNEL(maximum_by_exchange_in_loop)
{
    int mine = (int)BID;
#pragma unroll 1
    for (int i = 0; i < 3; i++)
        if (mine > VOL_INT(y[i]))       // @1
            atomicExch(&y[i], mine);    // @2
}

// Who has taken out a larger one puts it back, in the next turn.
// case: maximum_put_back_in_loop grid=4 block=1 expect=silent
KERNEL(maximum_put_back_in_loop)
{
    int mine = (int)BID, got = 0;
#pragma unroll 1
    for (int i = 0; i < 4; i++) {
        if (got > mine)
            atomicMax(&y[i - 1], got);
        got = 0;
        if (i < 3 && mine > VOL_INT(y[i]))
            got = atomicExch(&y[i], mine);
    }
}

// The compiler compares with `mine - 1` here (`<=` for `<`), and stores `mine`.
// case: maximum_of_sum grid=3 block=1 expect=ordering
KERNEL(maximum_of_sum)
{
    int mine = (int)BID * 3 % 4 + 1;
    if (VOL_INT(y[0]) < mine)
        VOL_INT(y[0]) = mine;
}

// case: maximum_of_sum_by_atomics grid=3 block=1 expect=ordering
KERNEL(maximum_of_sum_by_atomics)
{
    int mine = (int)BID * 3 % 4 + 1;
    if (atomicAdd(&y[0], 0) < mine)
        atomicExch(&y[0], mine);
}

// case: minimum_of_sum grid=3 block=32 expect=ordering
KERNEL(minimum_of_sum)
{
    int mine = -((int)GID * 5 % 7) - 2;
    if (VOL_INT(y[0]) > mine)
        atomicExch(&y[0], mine);
}

// case: maximum_of_sum_right grid=3 block=32 expect=silent
KERNEL(maximum_of_sum_right)
{
    int mine = (int)GID * 3 % 4 + 1;
    if (VOL_INT(y[0]) < mine)
        atomicMax(&y[0], mine);
}

// An atomic's unused result may get the register that was compared with.
// case: limit_from_memory grid=3 block=1 n=4 expect=ordering
KERNEL(limit_from_memory)
{
    int limit = x[5] + n;
    if (atomicAdd(&y[0], 0) < limit)
        atomicAdd(&y[0], 3);
}

// case: limit_never_met grid=3 block=1 n=1000 expect=silent
KERNEL(limit_never_met)
{
    int limit = x[5] + n;
    if (atomicAdd(&y[0], 0) < limit)
        atomicAdd(&y[0], 3);
}

// Counting up and down within bounds is adding, too, and so is turning a bit round.
// case: limit_of_inc grid=3 block=1 n=2 expect=ordering
KERNEL(limit_of_inc)
{
    if (atomicAdd(&y[0], 0) < n)
        atomicInc((unsigned *)&y[0], 1000);
}

// case: limit_of_inc_right grid=3 block=1 n=1000 expect=silent
KERNEL(limit_of_inc_right)
{
    if (atomicAdd(&y[0], 0) < n)
        atomicInc((unsigned *)&y[0], 1000);
}

// case: taken_by_dec grid=3 block=1 expect=ordering
KERNEL(taken_by_dec)
{
    if (VOL_INT(y[0]) == 0)
        atomicDec((unsigned *)&y[0], 100);
}

// case: taken_by_dec_right grid=3 block=1 expect=silent
KERNEL(taken_by_dec_right)
{
    atomicDec((unsigned *)&y[0], 100);
}

// case: turned_round grid=3 block=1 expect=ordering
KERNEL(turned_round)
{
    if (atomicAdd(&y[0], 0) == 0)
        atomicXor(&y[0], 1);
}

// case: turned_round_right grid=3 block=1 expect=silent
KERNEL(turned_round_right)
{
    if (atomicAdd(&y[0], 0) == 0)
        atomicOr(&y[0], 1);
}

// All store one number: who comes late changes nothing.
// case: floor_of_sum grid=3 block=32 expect=silent
KERNEL(floor_of_sum)
{
    if (VOL_INT(y[0]) < n + 1)
        VOL_INT(y[0]) = n + 3;
}

// A row of stores that nothing orders ends with each of them: looking for these orders is bounded (it took minutes).
// case: lost_by_a_warp grid=1 block=32 expect=ordering@1@2
KERNEL(lost_by_a_warp)
{
    unsigned v = VOL(flag[0]); // @1
    VOL(flag[0]) = v + 1; // @2
}

// case: added_by_a_warp grid=1 block=32 expect=silent
KERNEL(added_by_a_warp)
{
    atomicAdd(&flag[0], 1);
}

// A bit set by hand: another thread's is lost.
// case: bit_by_hand grid=4 block=4 expect=ordering
KERNEL(bit_by_hand)
{
    unsigned bits = VOL(flag[0]);
    VOL(flag[0]) = bits | 1u << GID;
}

// case: bit_by_hand_own_right grid=4 block=4 expect=silent
KERNEL(bit_by_hand_own_right)
{
    unsigned bits = VOL(flag[GID]);
    VOL(flag[GID]) = bits | 1u << GID;
}

// case: bit_by_atomic_right grid=4 block=4 expect=silent
KERNEL(bit_by_atomic_right)
{
    unsigned bits = VOL(flag[0]);
    if (!(bits & 1u << GID))
        atomicOr(&flag[0], 1u << GID);
}
