// Handed over again and again: who hands over anew must know that the last has been taken. In blocks that are too large to be asked as a whole.
#include "judge.cuh"

#define TURNS 4

// Block 0 stores, and says so; block 1 reads. `again`: what block 0 waits for before it stores once more.
#define HAND_OVER(slot, again)                                                                                                 \
    if (BID == 0) {                                                                                                            \
        for (unsigned turn = 0; turn < TURNS; turn++) {                                                                        \
            if (TID == 0) {                                                                                                    \
                again;                                                                                                         \
            }                                                                                                                  \
            __syncthreads();                                                                                                   \
            x[(slot) * BLOCK + TID] = (int)(turn + TID);                                                                       \
            __syncthreads();                                                                                                   \
            if (TID == 0)                                                                                                      \
                ST("release.gpu", &flag[0], turn + 1);                                                                         \
        }                                                                                                                      \
    } else {                                                                                                                   \
        int sum = 0;                                                                                                           \
        for (unsigned turn = 0; turn < TURNS; turn++) {                                                                        \
            if (TID == 0)                                                                                                      \
                while (LD("acquire.gpu", &flag[0]) < turn + 1) {                                                               \
                }                                                                                                              \
            __syncthreads();                                                                                                   \
            sum += x[(slot) * BLOCK + TID ^ 1];                                                                                \
            __syncthreads();                                                                                                   \
            if (TID == 0)                                                                                                      \
                ST("release.gpu", &flag[1], turn + 1);                                                                         \
        }                                                                                                                      \
        y[TID] = sum;                                                                                                          \
    }

// case: waits_until_taken_right grid=2 block=160 expect=silent
KERNEL(waits_until_taken_right)
{
    HAND_OVER(0, while (LD("acquire.gpu", &flag[1]) < turn) {})
}

// case: stores_over_untaken grid=2 block=160 expect=data-race
KERNEL(stores_over_untaken)
{
    HAND_OVER(0, (void)0)
}

// Two places by turns: one that has not been taken may be left behind, and no more.
// case: two_places_right grid=2 block=160 expect=silent
KERNEL(two_places_right)
{
    HAND_OVER(turn % 2, while (LD("acquire.gpu", &flag[1]) + 1 < turn) {})
}

// case: two_places_one_too_early grid=2 block=160 expect=data-race
KERNEL(two_places_one_too_early)
{
    HAND_OVER(turn % 2, while (LD("acquire.gpu", &flag[1]) + 2 < turn) {})
}

// From warp to warp, by volatile flags: the reader has the lower number, or the higher.
#define IN_BLOCK(first, second, again)                                                                                         \
    do {                                                                                                                       \
        __shared__ int data[32];                                                                                               \
        __shared__ unsigned given, taken;                                                                                      \
        if (TID == 0)                                                                                                          \
            given = taken = 0;                                                                                                 \
        __syncthreads();                                                                                                       \
        if (TID / 32 == (first))                                                                                               \
            for (unsigned turn = 0; turn < TURNS; turn++) {                                                                    \
                again;                                                                                                         \
                data[TID % 32] = (int)(turn + TID);                                                                            \
                __threadfence_block();                                                                                         \
                __syncwarp();                                                                                                  \
                __threadfence_block();                                                                                         \
                if (TID % 32 == 0)                                                                                             \
                    VOL(given) = turn + 1;                                                                                     \
            }                                                                                                                  \
        if (TID / 32 == (second)) {                                                                                            \
            int sum = 0;                                                                                                       \
            for (unsigned turn = 0; turn < TURNS; turn++) {                                                                    \
                while (VOL(given) < turn + 1) {                                                                                \
                }                                                                                                              \
                __threadfence_block();                                                                                         \
                sum += data[TID % 32];                                                                                         \
                __threadfence_block();                                                                                         \
                __syncwarp();                                                                                                  \
                __threadfence_block();                                                                                         \
                if (TID % 32 == 0)                                                                                             \
                    VOL(taken) = turn + 1;                                                                                     \
            }                                                                                                                  \
            y[TID] = sum;                                                                                                      \
        }                                                                                                                      \
    } while (0)
#define TAKEN                                                                                                                  \
    while (VOL(taken) < turn) {                                                                                                \
    }                                                                                                                          \
    __threadfence_block()

// case: warp_waits_right grid=1 block=320 expect=silent
KERNEL(warp_waits_right)
{
    IN_BLOCK(0, 9, TAKEN);
}

// case: warp_waits_back_right grid=1 block=320 expect=silent
KERNEL(warp_waits_back_right)
{
    IN_BLOCK(9, 0, TAKEN);
}

// case: warp_stores_over grid=1 block=320 expect=data-race
KERNEL(warp_stores_over)
{
    IN_BLOCK(0, 9, (void)taken);
}

// case: warp_stores_over_back grid=1 block=320 expect=data-race
KERNEL(warp_stores_over_back)
{
    IN_BLOCK(9, 0, (void)taken);
}

// One thread tells another, and no barrier gives anybody a turn between.
#define ONE_THREAD(first, second, again)                                                                                       \
    if (GID == (first)) {                                                                                                      \
        for (unsigned turn = 0; turn < TURNS; turn++) {                                                                        \
            again;                                                                                                             \
            x[0] = (int)turn + 10;                                                                                             \
            ST("release.gpu", &flag[0], turn + 1);                                                                             \
        }                                                                                                                      \
    } else if (GID == (second)) {                                                                                              \
        int sum = 0;                                                                                                           \
        for (unsigned turn = 0; turn < TURNS; turn++) {                                                                        \
            while (LD("acquire.gpu", &flag[0]) < turn + 1) {                                                                   \
            }                                                                                                                  \
            sum += x[0];                                                                                                       \
            ST("release.gpu", &flag[1], turn + 1);                                                                             \
        }                                                                                                                      \
        y[0] = sum;                                                                                                            \
    } else {                                                                                                                   \
        y[GID] = 1;                                                                                                            \
    }
#define TAKEN_BY_ONE                                                                                                           \
    while (LD("acquire.gpu", &flag[1]) < turn) {                                                                               \
    }

// case: one_waits_right grid=4 block=1024 expect=silent
KERNEL(one_waits_right)
{
    ONE_THREAD(0, 32, TAKEN_BY_ONE)
}

// case: one_waits_back_right grid=4 block=1024 expect=silent
KERNEL(one_waits_back_right)
{
    ONE_THREAD(32, 0, TAKEN_BY_ONE)
}

// case: one_stores_over grid=4 block=1024 schedules=3 expect=data-race
KERNEL(one_stores_over)
{
    ONE_THREAD(0, 32, (void)0)
}

// case: one_stores_over_back grid=4 block=1024 schedules=3 expect=data-race
KERNEL(one_stores_over_back)
{
    ONE_THREAD(32, 0, (void)0)
}

// case: one_stores_over_in_block grid=4 block=1024 schedules=3 expect=data-race
KERNEL(one_stores_over_in_block)
{
    ONE_THREAD(0, 32, (void)0)
}

// The counter that says so is added to.
// case: added_over_untaken grid=2 block=160 expect=data-race
KERNEL(added_over_untaken)
{
    int sum = 0;
    for (unsigned turn = 0; turn < TURNS; turn++) {
        if (BID == 0) {
            x[TID] = (int)(turn + TID);
            __syncthreads();
            if (TID == 0)
                ATOM_ADD("release.gpu", &flag[0], 1);
        } else {
            if (TID == 0)
                while (LD("acquire.gpu", &flag[0]) < turn + 1) {
                }
            __syncthreads();
            sum += x[TID];
        }
    }
    y[GID] = sum;
}
