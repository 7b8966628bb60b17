// Numbers that threads draw by an atomic: what each does by its number meets others or not, by who has drawn first; and whoever has observed another's
// atomic comes after it. Both orders are looked at, whichever block the schedules happen to let go first.
#include "judge.cuh"

#define MET flag[64]
#define TURN flag[128]
#define NUMBER flag[192]
#define DONE flag[256]

/** Both blocks are there; the first has more to do, and waits for others of its own, before it draws numbers. */
#define BEGIN_TOGETHER(busy)                                                                       \
    __syncthreads();                                                                               \
    if (TID == 0)                                                                                  \
        RED_ADD("relaxed.gpu", &MET, 1);                                                           \
    while (LD("relaxed.gpu", &MET) < 2)                                                            \
        ;                                                                                          \
    __syncthreads();                                                                               \
    for (unsigned i = 1; BID == (busy) && i < 4; i++) {                                            \
        if (TID == 32)                                                                             \
            ST("release.gpu", &TURN, i);                                                           \
        if (TID == 0)                                                                              \
            while (LD("acquire.gpu", &TURN) < i)                                                   \
                ;                                                                                  \
        __syncthreads();                                                                           \
    }
/** Each stores by its number; then all have. */
#define DRAW_AND_MEET(fence)                                                                       \
    x[ATOM_ADD("relaxed.gpu", &NUMBER, 1)] = GID; /* @1 */                                         \
    __syncthreads();                                                                               \
    fence;                                                                                         \
    if (TID == 0)                                                                                  \
        RED_ADD("relaxed.gpu", &DONE, 1);                                                          \
    while (LD("relaxed.gpu", &DONE) < 2)                                                           \
        ;                                                                                          \
    FENCE("acq_rel.gpu");                                                                          \
    __syncthreads()

// case: claims_the_first_is_late grid=2 block=64 expect=missing-release also=data-race
KERNEL(claims_the_first_is_late)
{
    BEGIN_TOGETHER(0)
    DRAW_AND_MEET(FENCE("acq_rel.cta"));
    y[GID] = x[127 - GID]; // others' only where the first block has drawn the first numbers
}

// case: claims_the_last_is_late grid=2 block=64 expect=missing-release also=data-race
KERNEL(claims_the_last_is_late)
{
    BEGIN_TOGETHER(1)
    DRAW_AND_MEET(FENCE("acq_rel.cta"));
    y[GID] = x[GID]; // others' only where the last block has
}

// case: claims_first_released grid=2 block=64 expect=silent
KERNEL(claims_first_released)
{
    BEGIN_TOGETHER(0)
    DRAW_AND_MEET(FENCE("acq_rel.gpu"));
    y[GID] = x[127 - GID];
}

// case: claims_last_released grid=2 block=64 expect=silent
KERNEL(claims_last_released)
{
    BEGIN_TOGETHER(1)
    DRAW_AND_MEET(FENCE("acq_rel.gpu"));
    y[GID] = x[GID];
}

// case: claims_neighbour_is_late grid=1 block=128 expect=data-race@1@2
KERNEL(claims_neighbour_is_late)
{
    int sum = TID % 32 == 31 ? atomicAdd(&x[TID + 1], 1) : 0; // @1
    for (int i = 0; i < 4; i++)
        sum += atomicAdd(&x[TID], 1);
    if (TID == 96)
        sum += x[TID]; // @2
    y[TID] = sum;
}

// case: claims_neighbour_is_waited_for grid=1 block=128 expect=silent
KERNEL(claims_neighbour_is_waited_for)
{
    int sum = TID % 32 == 31 ? atomicAdd(&x[TID + 1], 1) : 0;
    __syncthreads();
    for (int i = 0; i < 4; i++)
        sum += atomicAdd(&x[TID], 1);
    if (TID == 96)
        sum += x[TID];
    y[TID] = sum;
}

// More blocks than a schedule chooses from at a time: whoever would have to wait for one beyond them goes on.
// case: claims_of_many grid=1100 block=32 expect=silent
KERNEL(claims_of_many)
{
    int number = ATOM_ADD("relaxed.gpu", &NUMBER, 1);
    if (number < 64)
        x[number] = GID;
}

// case: claims_of_many_late grid=1100 block=32 expect=data-race
KERNEL(claims_of_many_late)
{
    int number = ATOM_ADD("relaxed.gpu", &NUMBER, 1);
    if (number < 64)
        x[number / 2] = GID;
}

// One kind of threads claims by a swap that says whose it is, the other by a look and a store.
// case: claimed_by_swap_and_store grid=4 block=1 expect=ordering
KERNEL(claimed_by_swap_and_store)
{
    bool mine = false;
    if (BID % 2 == 0) {
        mine = atomicCAS(&flag[0], 0, 1) == 0;
    } else if (VOL(flag[0]) == 0) {
        VOL(flag[0]) = 1;
        mine = true;
    }
    if (mine)
        atomicAdd(&y[0], 1);
}

// case: claimed_by_swaps grid=4 block=1 expect=silent
KERNEL(claimed_by_swaps)
{
    bool mine = false;
    if (BID % 2 == 0)
        mine = atomicCAS(&flag[0], 0, 1) == 0;
    else if (VOL(flag[0]) == 0)
        mine = atomicCAS(&flag[0], 0, 1) == 0;
    if (mine)
        atomicAdd(&y[0], 1);
}
