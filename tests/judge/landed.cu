// A store lies over another thread's, of whose later signal its thread has heard without any order: the other one may land after it, and stay. In launches
// that are too long to be asked as a whole.
#include "judge.cuh"

#define DATA flag[0]
#define SIGNAL flag[64]
#define BACK flag[128]
#define FIRST if (BID == 0 && TID == 0)
#define LAST if (BID == GRID - 1 && TID == 0)

// case: landed_store grid=64 block=32 expect=ordering:warning@1@2
KERNEL(landed_store)
{
    FIRST {
        VOL(DATA) = 1; // @1
        VOL(SIGNAL) = 1;
    }
    LAST {
        while (VOL(SIGNAL) == 0)
            ;
        VOL(DATA) = 2; // @2
    }
}

// case: landed_fenced grid=64 block=32 expect=silent
KERNEL(landed_fenced)
{
    FIRST {
        VOL(DATA) = 1;
        __threadfence();
        VOL(SIGNAL) = 1;
    }
    LAST {
        while (VOL(SIGNAL) == 0)
            ;
        __threadfence();
        VOL(DATA) = 2;
    }
}

// Released, and not acquired: the model orders no store behind a look.
// case: landed_not_acquired grid=64 block=32 expect=ordering:warning@1@2
KERNEL(landed_not_acquired)
{
    FIRST {
        VOL(DATA) = 1; // @1
        __threadfence();
        VOL(SIGNAL) = 1;
    }
    LAST {
        while (VOL(SIGNAL) == 0)
            ;
        VOL(DATA) = 2; // @2
    }
}

// case: landed_not_released grid=64 block=32 expect=ordering:warning@1@2
KERNEL(landed_not_released)
{
    FIRST {
        VOL(DATA) = 1; // @1
        VOL(SIGNAL) = 1;
    }
    LAST {
        while (VOL(SIGNAL) == 0)
            ;
        __threadfence();
        VOL(DATA) = 2; // @2
    }
}

// case: landed_released grid=64 block=32 expect=silent
KERNEL(landed_released)
{
    FIRST {
        ST("relaxed.gpu", &DATA, 1);
        ST("release.gpu", &SIGNAL, 1);
    }
    LAST {
        while (LD("acquire.gpu", &SIGNAL) == 0)
            ;
        ST("relaxed.gpu", &DATA, 2);
    }
}

// What it leaves is what is there: whichever lands last.
// case: landed_same grid=64 block=32 expect=silent
KERNEL(landed_same)
{
    FIRST {
        VOL(DATA) = 1;
        VOL(SIGNAL) = 1;
    }
    LAST {
        while (VOL(SIGNAL) == 0)
            ;
        VOL(DATA) = 1;
    }
}

// Who has read the store comes after it.
// case: landed_read grid=64 block=32 expect=silent
KERNEL(landed_read)
{
    FIRST {
        VOL(DATA) = 1;
        VOL(SIGNAL) = 1;
    }
    LAST {
        while (VOL(DATA) == 0)
            ;
        VOL(DATA) = 2;
    }
}

// No signal: any of the two may stay.
// case: landed_unheard grid=64 block=32 expect=silent
KERNEL(landed_unheard)
{
    FIRST {
        VOL(DATA) = 1;
    }
    LAST {
        VOL(DATA) = 2;
    }
}

// A slot that is cleared by its consumer, who then says so: the clearing may land on what is put there next.
// case: landed_cleared grid=64 block=32 expect=ordering:warning@1@2 also=ordering
KERNEL(landed_cleared)
{
    FIRST
        for (unsigned i = 1; i < 4; i++) {
            while (VOL(SIGNAL) != i - 1)
                ;
            VOL(DATA) = i; // @2
            VOL(BACK) = i;
        }
    LAST
        for (unsigned i = 1; i < 4; i++) {
            while (VOL(BACK) != i)
                ;
            y[i] = VOL(DATA);
            VOL(DATA) = 0; // @1
            VOL(SIGNAL) = i;
        }
}

// case: landed_cleared_right grid=64 block=32 expect=silent
KERNEL(landed_cleared_right)
{
    FIRST
        for (unsigned i = 1; i < 4; i++) {
            while (LD("acquire.gpu", &SIGNAL) != i - 1)
                ;
            ST("relaxed.gpu", &DATA, i);
            ST("release.gpu", &BACK, i);
        }
    LAST
        for (unsigned i = 1; i < 4; i++) {
            while (LD("acquire.gpu", &BACK) != i)
                ;
            y[i] = LD("relaxed.gpu", &DATA);
            ST("relaxed.gpu", &DATA, 0);
            ST("release.gpu", &SIGNAL, i);
        }
}

// It is waited for itself: who has read the clearing comes after it.
// case: landed_box grid=64 block=32 expect=silent
KERNEL(landed_box)
{
    FIRST
        for (unsigned i = 1; i < 4; i++) {
            while (VOL(DATA) != 0)
                ;
            VOL(DATA) = i;
        }
    LAST
        for (unsigned i = 1, got; i < 4; i++) {
            while ((got = VOL(DATA)) == 0)
                ;
            y[i] = got;
            VOL(DATA) = 0;
        }
}

// Heard from a third thread.
// case: landed_told_on grid=64 block=32 expect=ordering:warning@1@2
KERNEL(landed_told_on)
{
    FIRST {
        VOL(DATA) = 1; // @1
        VOL(SIGNAL) = 1;
    }
    if (BID == 1 && TID == 0) {
        while (VOL(SIGNAL) == 0)
            ;
        VOL(BACK) = 1;
    }
    LAST {
        while (VOL(BACK) == 0)
            ;
        VOL(DATA) = 2; // @2
    }
}

// case: landed_told_on_right grid=64 block=32 expect=silent
KERNEL(landed_told_on_right)
{
    FIRST {
        VOL(DATA) = 1;
        __threadfence();
        VOL(SIGNAL) = 1;
    }
    if (BID == 1 && TID == 0) {
        while (VOL(SIGNAL) == 0)
            ;
        __threadfence();
        VOL(BACK) = 1;
    }
    LAST {
        while (VOL(BACK) == 0)
            ;
        __threadfence();
        VOL(DATA) = 2;
    }
}

// A barrier of the block on either side.
// case: landed_barriers grid=64 block=64 expect=silent
KERNEL(landed_barriers)
{
    if (TID == 40)
        VOL(flag[BID]) = 1;
    __syncthreads();
    if (TID == 3)
        VOL(flag[BID]) = 2;
}

// By an exchange whose result nobody uses, as by a store.
// case: landed_exch grid=64 block=32 expect=ordering:warning@1@2
KERNEL(landed_exch)
{
    FIRST {
        VOL(DATA) = 1; // @1
        VOL(SIGNAL) = 1;
    }
    LAST {
        while (VOL(SIGNAL) == 0)
            ;
        atomicExch(&DATA, 2u); // @2
    }
}

// A lock by a queue of waiters (Mellor-Crummey and Scott): set to wait only behind being known, the store may land on the one that lets it go on.
#define MCS(before, taken, behind, acquire)                                                               \
    unsigned me = BID + 1;                                                                         \
    volatile unsigned *next = flag + 1024, *locked = flag + 2048;                                  \
    if (TID)                                                                                       \
        return;                                                                                    \
    next[me] = 0;                                                                                  \
    before;                                                                                        \
    __threadfence();                                                                               \
    unsigned other = atomicExch(&flag[0], me);                                                     \
    taken;                                                                                         \
    behind;                                                                                        \
    if (other) {                                                                                   \
        next[other] = me;                                                                          \
        while (locked[me])                                                                         \
            ;                                                                                      \
    }                                                                                              \
    __threadfence();                                                                               \
    x[0]++;                                                                                        \
    __threadfence();                                                                               \
    if (next[me] == 0) {                                                                           \
        if (atomicCAS(&flag[0], me, 0) == me)                                                      \
            return;                                                                                \
        while (next[me] == 0)                                                                      \
            ;                                                                                      \
    }                                                                                              \
    acquire

// case: landed_mcs grid=40 block=32 expect=silent
KERNEL(landed_mcs)
{
    MCS(locked[me] = 1, __threadfence(), , __threadfence());
    locked[next[me]] = 0;
}

// Who has got another's number by the exchange has not acquired: that one's clearing of its link may land on what is linked there.
// case: landed_mcs_relaxed grid=40 block=32 expect=ordering:warning@1@1
KERNEL(landed_mcs_relaxed)
{
    MCS(locked[me] = 1, , , __threadfence()); // @1
    locked[next[me]] = 0;
}

// case: landed_mcs_late grid=40 block=32 expect=ordering:warning@1@2 also=deadlock
KERNEL(landed_mcs_late)
{
    MCS(, __threadfence(), locked[me] = 1, __threadfence()); // @1
    locked[next[me]] = 0; // @2
}
