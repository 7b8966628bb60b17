// Claims by a look and a store, beside others that take the same place by an atomic which says what it has found: another may come between the two,
// whichever of them a run happens to let go first, and however many threads there are.
#include "judge.cuh"

#define SLOT flag[0]
#define TAIL flag[0]
#define NEXT(t) flag[100 + (t)]
#define WAITS(t) flag[400 + (t)]

// case: claimed_beside_swaps grid=2 block=1 expect=ordering@1@2
KERNEL(claimed_beside_swaps)
{
    if (TID == 0 && BID % 2 == 0) {
        if (VOL(SLOT) == 0) { // @1
            VOL(SLOT) = GID + 1; // @2
            atomicAdd(&y[0], 1);
        }
    } else if (atomicCAS(&SLOT, 0, GID + 1) == 0) {
        atomicAdd(&y[0], 1);
    }
}

// case: claimed_beside_swaps_large grid=40 block=128 expect=ordering@1@2
KERNEL(claimed_beside_swaps_large)
{
    if (GID == 0) {
        if (VOL(SLOT) == 0) { // @1
            VOL(SLOT) = GID + 1; // @2
            atomicAdd(&y[0], 1);
        }
    } else if (atomicCAS(&SLOT, 0, GID + 1) == 0) {
        atomicAdd(&y[0], 1);
    }
}

// case: claimed_beside_swaps_last grid=40 block=128 expect=ordering@1@2
KERNEL(claimed_beside_swaps_last)
{
    if (GID == n - 1) {
        if (VOL(SLOT) == 0) { // @1
            VOL(SLOT) = GID + 1; // @2
            atomicAdd(&y[0], 1);
        }
    } else if (atomicCAS(&SLOT, 0, GID + 1) == 0) {
        atomicAdd(&y[0], 1);
    }
}

// case: claimed_all_by_swaps grid=40 block=128 expect=silent
KERNEL(claimed_all_by_swaps)
{
    if (atomicCAS(&SLOT, 0, GID + 1) == 0)
        atomicAdd(&y[0], 1);
}

// case: claimed_in_shared grid=4 block=64 expect=ordering@1@2
KERNEL(claimed_in_shared)
{
    __shared__ unsigned slot;
    if (TID == 0)
        slot = 0;
    __syncthreads();
    if (TID == 40) {
        if (VOL(slot) == 0) { // @1
            VOL(slot) = TID + 1; // @2
            atomicAdd(&y[BID], 1);
        }
    } else if (TID % 3 == 0 && atomicCAS(&slot, 0, TID + 1) == 0) {
        atomicAdd(&y[BID], 1);
    }
}

// case: claimed_before_barrier grid=4 block=64 expect=silent
KERNEL(claimed_before_barrier)
{
    __shared__ unsigned slot;
    if (TID == 0)
        slot = 0;
    __syncthreads();
    if (TID == 40 && VOL(slot) == 0) {
        VOL(slot) = TID + 1;
        atomicAdd(&y[BID], 1);
    }
    __syncthreads();
    if (TID % 3 == 0 && atomicCAS(&slot, 0, TID + 1) == 0)
        atomicAdd(&y[BID], 1);
}

// case: claimed_and_handed_on grid=8 block=1 expect=silent
KERNEL(claimed_and_handed_on) // the others have waited for who claims first
{
    if (BID == 0) {
        if (VOL(SLOT) == 0)
            VOL(SLOT) = GID + 1;
        __threadfence();
        VOL(flag[8]) = 1;
        return;
    }
    while (VOL(flag[8]) == 0)
        ;
    __threadfence();
    if (atomicCAS(&SLOT, 0, GID + 1) == 0)
        atomicAdd(&y[0], 1);
}

// case: claimed_own_lock grid=8 block=1 expect=silent
KERNEL(claimed_own_lock) // who holds it asks whether it does: nobody else changes that
{
    while (atomicCAS(&SLOT, 0, GID + 1) != 0)
        ;
    __threadfence();
    x[0]++;
    __threadfence();
    if (VOL(SLOT) == GID + 1)
        VOL(SLOT) = 0;
}

// case: claimed_mail_box grid=8 block=1 expect=silent
KERNEL(claimed_mail_box) // one puts where there is nothing; others take what is there
{
    if (BID == 0) {
        for (int i = 1; i <= 4; i++)
            if (VOL(SLOT) == 0)
                VOL(SLOT) = i;
    } else {
        unsigned got = atomicExch(&SLOT, 0);
        if (got)
            atomicAdd(&y[got], 1);
    }
}

// case: claimed_mail_box_of_two grid=2 block=1 expect=ordering@1@2
KERNEL(claimed_mail_box_of_two)
{
    if (BID == 0) {
        if (VOL(SLOT) == 0) // @1
            VOL(SLOT) = 7; // @2
    } else {
        unsigned pushed_out = atomicExch(&SLOT, 9);
        if (pushed_out)
            atomicAdd(&y[pushed_out], 1);
    }
}

// case: claimed_mail_box_of_many grid=33 block=32 expect=ordering@1@2
KERNEL(claimed_mail_box_of_many)
{
    if (GID == 77) {
        if (VOL(SLOT) == 0) // @1
            VOL(SLOT) = 7000; // @2
    } else if (GID % 9 == 0) {
        unsigned pushed_out = atomicExch(&SLOT, GID + 1);
        if (pushed_out)
            atomicAdd(&y[pushed_out], 1);
    }
}

// case: claimed_mark grid=8 block=32 expect=silent
KERNEL(claimed_mark) // all leave the same: it is marked
{
    if (GID % 5 == 0) {
        if (VOL(SLOT) == 0)
            VOL(SLOT) = 1;
    } else if (atomicExch(&SLOT, 1) == 0) {
        y[0] = GID;
    }
}

#define MCS_LOCK                                                                                   \
    unsigned me = GID + 1;                                                                         \
    VOL(WAITS(me)) = 1;                                                                            \
    VOL(NEXT(me)) = 0;                                                                             \
    __threadfence();                                                                               \
    unsigned before = atomicExch(&TAIL, me);                                                       \
    __threadfence();                                                                               \
    if (before) {                                                                                  \
        VOL(NEXT(before)) = me;                                                                    \
        while (VOL(WAITS(me)))                                                                     \
            ;                                                                                      \
    }                                                                                              \
    __threadfence();                                                                               \
    x[0]++;                                                                                        \
    __threadfence()
#define MCS_HAND_ON                                                                                \
    while (VOL(NEXT(me)) == 0)                                                                     \
        ;                                                                                          \
    __threadfence();                                                                               \
    VOL(WAITS(VOL(NEXT(me)))) = 0

// case: claimed_mcs_unlock grid=2 block=1 expect=ordering@1@2 also=deadlock
KERNEL(claimed_mcs_unlock)
{
    MCS_LOCK;
    if (VOL(NEXT(me)) == 0 && VOL(TAIL) == me) { // @1
        VOL(TAIL) = 0; // @2
        return;
    }
    MCS_HAND_ON;
}

// case: claimed_mcs_unlock_large grid=130 block=1 expect=ordering@1@2 also=deadlock
KERNEL(claimed_mcs_unlock_large)
{
    MCS_LOCK;
    if (VOL(NEXT(me)) == 0 && VOL(TAIL) == me) { // @1
        VOL(TAIL) = 0; // @2
        return;
    }
    MCS_HAND_ON;
}

// case: claimed_mcs_swaps grid=2 block=1 expect=silent
KERNEL(claimed_mcs_swaps)
{
    MCS_LOCK;
    if (VOL(NEXT(me)) == 0 && atomicCAS(&TAIL, me, 0) == me)
        return;
    MCS_HAND_ON;
}

// case: claimed_mcs_swaps_large grid=130 block=1 expect=silent
KERNEL(claimed_mcs_swaps_large)
{
    MCS_LOCK;
    if (VOL(NEXT(me)) == 0 && atomicCAS(&TAIL, me, 0) == me)
        return;
    MCS_HAND_ON;
}

// case: claimed_list_begun grid=8 block=32 expect=ordering@1@2
KERNEL(claimed_list_begun) // nobody is on the list yet, so it need not be swapped?
{
    unsigned me = GID + 1, top, seen;
    if (GID == 3 && VOL(SLOT) == 0) { // @1
        VOL(SLOT) = me; // @2
        return;
    }
    top = VOL(SLOT);
    do {
        seen = top;
        VOL(flag[1000 + me]) = seen;
        __threadfence();
        top = atomicCAS(&SLOT, seen, me);
    } while (top != seen);
}

// case: claimed_list_begun_by_swap grid=8 block=32 expect=silent
KERNEL(claimed_list_begun_by_swap)
{
    unsigned me = GID + 1, top = VOL(SLOT), seen;
    do {
        seen = top;
        VOL(flag[1000 + me]) = seen;
        __threadfence();
        top = atomicCAS(&SLOT, seen, me);
    } while (top != seen);
}

// case: claimed_next_by_look grid=40 block=1 expect=ordering@1@2
KERNEL(claimed_next_by_look) // a number that others swap for the next one
{
    unsigned number = VOL(SLOT); // @1
    if (BID == 0) {
        if (number == 0)
            VOL(SLOT) = 1; // @2
    } else if (atomicCAS(&SLOT, number, number + 1) == number) {
        atomicAdd(&y[number], 1);
    }
}

// case: claimed_and_then_said grid=8 block=1 expect=silent
KERNEL(claimed_and_then_said) // who swaps has seen that it has been claimed
{
    if (BID == 0) {
        if (VOL(SLOT) == 0)
            VOL(SLOT) = 5;
        __threadfence();
        VOL(flag[1]) = 1;
    } else {
        unsigned seen = VOL(SLOT);
        if (VOL(flag[1]) && seen == 5 && atomicCAS(&SLOT, seen, 9) == seen)
            atomicAdd(&y[0], 1);
    }
}

// case: claimed_in_turns_of_a_warp grid=1 block=32 expect=silent
KERNEL(claimed_in_turns_of_a_warp)
{
    if (TID == 0 && VOL(SLOT) == 0)
        VOL(SLOT) = 5;
    __syncwarp();
    if (TID == 1 && atomicCAS(&SLOT, 0, 9) == 0)
        atomicAdd(&y[0], 1);
}

// case: claimed_slots_of_lanes grid=8 block=32 expect=ordering@1@2
KERNEL(claimed_slots_of_lanes) // lanes of one warp find the same slot free, and others take it by a swap
{
    for (unsigned i = 0; i < 512; i++) {
        if (BID == 0) {
            if (VOL(flag[i]) == 0) { // @1
                VOL(flag[i]) = GID + 1; // @2
                break;
            }
        } else if (atomicCAS(&flag[i], 0, GID + 1) == 0) {
            break;
        }
    }
}
