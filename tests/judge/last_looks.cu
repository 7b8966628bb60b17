// Counted by an atomic, and then looked at by another access whether it was the last count: two may find that, or none. Reference counts, the
// predecessors of a node, arrivals that the last one is to act on.
#include "judge.cuh"

#define PUSH(what) y[64 + atomicAdd(&y[0], 1)] = (int)(what)

// A node's predecessors are counted up to their number: who sees it, pushes the node.
// case: last_looked grid=8 block=1 expect=ordering@1@2
KERNEL(last_looked)
{
    __threadfence();
    atomicAdd(&flag[0], 1);                 // @1
    if (atomicAdd(&flag[0], 0) == 8)        // @2
        PUSH(7);
}

// case: last_by_its_count grid=8 block=1 expect=silent
KERNEL(last_by_its_count)
{
    __threadfence();
    if (atomicAdd(&flag[0], 1) == 7)
        PUSH(7);
}

// What two do that find it leaves what one leaves.
// case: last_looked_marks grid=8 block=1 expect=silent
KERNEL(last_looked_marks)
{
    atomicAdd(&flag[0], 1);
    if (atomicAdd(&flag[0], 0) == 8)
        atomicExch(&flag[32], 1);
}

// case: last_looked_volatile grid=8 block=32 expect=ordering@1@2
KERNEL(last_looked_volatile)
{
    atomicAdd(&flag[GID / 4], 1u);          // @1
    if (VOL(flag[GID / 4]) == 4)            // @2
        PUSH(GID / 4);
}

// case: last_looked_between_fences grid=8 block=1 expect=ordering@1@2
KERNEL(last_looked_between_fences)
{
    x[BID] = (int)BID;
    __threadfence();
    RED_ADD("relaxed.gpu", &flag[0], 1);     // @1
    if (LD("acquire.gpu", &flag[0]) == 8) {  // @2
        int sum = 0;
        for (int i = 0; i < 8; i++)
            sum += x[i];
        atomicAdd(&y[0], sum);
    }
}

// Who finds it is let in one by one.
// case: last_looked_then_claimed grid=8 block=1 expect=silent
KERNEL(last_looked_then_claimed)
{
    atomicAdd(&flag[0], 1);
    if (atomicAdd(&flag[0], 0) == 8 && atomicExch(&flag[32], 1) == 0)
        PUSH(7);
}

// case: last_looked_then_swapped grid=8 block=1 expect=silent
KERNEL(last_looked_then_swapped)
{
    atomicAdd(&flag[0], 1);
    if (atomicAdd(&flag[0], 0) == 8 && atomicCAS(&flag[0], 8, 0) == 8)
        PUSH(7);
}

// A number on the way: who is overtaken does not see it.
// case: some_looked grid=8 block=1 expect=ordering@1@2
KERNEL(some_looked)
{
    atomicAdd(&flag[0], 1);                 // @1
    if (atomicAdd(&flag[0], 0) == 5)        // @2
        atomicExch(&flag[32], 1);
}

// All wait for it.
// case: all_wait_for_last grid=8 block=1 expect=silent
KERNEL(all_wait_for_last)
{
    atomicAdd(&flag[0], 1);
    while (atomicAdd(&flag[0], 0) != 8) {
    }
    PUSH(BID);
}

// Under a lock nobody counts in between.
// case: last_looked_locked grid=8 block=1 expect=silent
KERNEL(last_looked_locked)
{
    while (atomicCAS(&flag[64], 0, 1) != 0) {
    }
    __threadfence();
    atomicAdd(&flag[0], 1);
    if (atomicAdd(&flag[0], 0) == 8)
        PUSH(7);
    __threadfence();
    atomicExch(&flag[64], 0);
}

// Behind a barrier all see the same; one acts.
// case: last_looked_behind_barrier grid=1 block=64 expect=silent
KERNEL(last_looked_behind_barrier)
{
    __shared__ unsigned count;
    if (TID == 0)
        count = 0;
    __syncthreads();
    if (TID % 3 == 0)
        atomicAdd(&count, 1);
    __syncthreads();
    if (VOL(count) == 22 && TID == 0)
        PUSH(7);
}

// Each a count of its own.
// case: own_count_looked grid=8 block=1 expect=silent
KERNEL(own_count_looked)
{
    atomicAdd(&flag[BID], 1);
    if (atomicAdd(&flag[BID], 0) == 1)
        PUSH(7);
}

// A reference count: who lets go last frees what it counts.
#define LET_GO(count, last)                                                                        \
    {                                                                                              \
        __threadfence();                                                                           \
        if (last)                                                                                  \
            PUSH(1);                                                                               \
    }

// case: let_go_looked grid=4 block=32 expect=ordering
KERNEL(let_go_looked)
{
    unsigned *count = &flag[TID];
    atomicAdd(&count[0], 1);
    LET_GO(count, (atomicSub(&count[0], 1), VOL(count[0]) == 0))
}

// case: let_go grid=4 block=32 expect=silent
KERNEL(let_go)
{
    unsigned *count = &flag[TID];
    atomicAdd(&count[0], 1);
    LET_GO(count, atomicSub(&count[0], 1) == 1)
}

// A barrier of the grid by hand: who looks and finds all there begins the count anew, and with it drops who has come to the next one.
// case: arrivals_looked grid=4 block=1 expect=ordering@1@2 also=deadlock
KERNEL(arrivals_looked)
{
    for (int round = 0; round < 3; round++) {
        __threadfence();
        unsigned now = VOL(flag[32]);
        atomicAdd(&flag[0], 1);             // @1
        if (VOL(flag[0]) == 4) {            // @2
            VOL(flag[0]) = 0;
            __threadfence();
            atomicAdd(&flag[32], 1);
        } else {
            while (VOL(flag[32]) == now) {
            }
        }
        __threadfence();
    }
}

// The number is the launch's.
// case: last_block_looked grid=8 block=1 expect=ordering@1@2
KERNEL(last_block_looked)
{
    __threadfence();
    atomicAdd(&flag[0], 1);                 // @1
    if (VOL(flag[0]) == GRID)               // @2
        PUSH(7);
}

// case: last_of_some_looked n=8 grid=8 block=1 expect=ordering@1@2
KERNEL(last_of_some_looked)
{
    atomicInc(&flag[0], 1000);              // @1
    if (atomicOr(&flag[0], 0) == (unsigned)n) // @2
        PUSH(7);
}

// case: last_block_by_its_count grid=8 block=1 expect=silent
KERNEL(last_block_by_its_count)
{
    __threadfence();
    if (atomicAdd(&flag[0], 1) == GRID - 1)
        PUSH(7);
}

// One thread counts for its block, and all of it look behind a barrier: two blocks may find that all have come.
// case: last_block_looked_by_all grid=4 block=64 expect=ordering@1@2
KERNEL(last_block_looked_by_all)
{
    __threadfence();
    __syncthreads();
    if (TID == 0)
        atomicAdd(&flag[0], 1);             // @1
    __syncthreads();
    if (VOL(flag[0]) == GRID)               // @2
        atomicAdd(&y[TID], 1);
}

// case: last_block_by_ticket grid=4 block=64 expect=silent
KERNEL(last_block_by_ticket)
{
    __shared__ unsigned ticket;
    __threadfence();
    __syncthreads();
    if (TID == 0)
        ticket = atomicAdd(&flag[0], 1);
    __syncthreads();
    if (ticket == GRID - 1)
        atomicAdd(&y[TID], 1);
}

// All blocks have come before anybody looks: all find the same, as is meant.
#define MEET(word)                                                                                 \
    __threadfence();                                                                               \
    atomicAdd(word, 1);                                                                            \
    while (VOL(*(word)) < GRID) {                                                                  \
    }                                                                                              \
    __threadfence()

// case: all_meet_then_look grid=4 block=1 expect=silent
KERNEL(all_meet_then_look)
{
    atomicAdd(&flag[0], 1);
    MEET(&flag[32]);
    if (VOL(flag[0]) == GRID)
        atomicAdd(&y[0], 1);
}

// case: all_blocks_meet_then_look grid=4 block=64 expect=silent
KERNEL(all_blocks_meet_then_look)
{
    if (TID == 0) {
        atomicAdd(&flag[0], 1);
        MEET(&flag[32]);
    }
    __syncthreads();
    if (VOL(flag[0]) == GRID)
        atomicAdd(&y[TID], 1);
}

// The published guard with volatile partials: what the last block may miss its own fence shows where that comes before all others', though it draws last.
// Code of -G and of clang has that run as well, and is warned of it by some seeds all the same; that it is an error in other code is in tests/kinds (last_without_fence).
#define LAST_SUM(behind)                                                                           \
    __shared__ bool last;                                                                          \
    if (TID == 0) {                                                                                \
        VOL_INT(x[BID]) = (int)BID + 1; /* @1 */                                                   \
        __threadfence();                                                                           \
        last = atomicInc(flag, GRID - 1) == GRID - 1;                                              \
        behind                                                                                     \
    }                                                                                              \
    __syncthreads();                                                                               \
    if (last && TID < GRID)                                                                        \
        atomicAdd(&y[0], VOL_INT(x[TID]))

// case: last_volatile_partials grid=40 block=128 expect=ordering:any
KERNEL(last_volatile_partials)
{
    LAST_SUM();
}

// case: last_volatile_partials_fenced grid=40 block=128 expect=silent
KERNEL(last_volatile_partials_fenced)
{
    LAST_SUM(__threadfence(););
}
