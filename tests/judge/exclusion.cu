// Mutual exclusion by loads and stores alone: who stores that it wants, and then looks whether another does, needs a fence.sc between.
#include "judge.cuh"

#define ENTER __threadfence()
#define EXIT __threadfence()

// ---- Peterson's lock: flag[0] and flag[1] say who wants, flag[2] whose turn it is ----

// case: peterson_bare grid=2 block=1 expect=data-race@1@1
KERNEL(peterson_bare)
{
    unsigned he = 1 - BID;
    for (int i = 0; i < 2; i++) {
        VOL(flag[BID]) = 1;
        VOL(flag[2]) = he;
        while (VOL(flag[he]) && VOL(flag[2]) == he)
            ;
        ENTER;
        x[0] += 1; // @1
        EXIT;
        VOL(flag[BID]) = 0;
    }
}

// case: peterson_fenced grid=2 block=1 expect=silent
KERNEL(peterson_fenced)
{
    unsigned he = 1 - BID;
    for (int i = 0; i < 2; i++) {
        VOL(flag[BID]) = 1;
        __threadfence();
        VOL(flag[2]) = he;
        __threadfence();
        while (VOL(flag[he]) && VOL(flag[2]) == he)
            ;
        ENTER;
        x[0] += 1;
        EXIT;
        VOL(flag[BID]) = 0;
    }
}

// case: peterson_half grid=2 block=1 expect=data-race@1@1
KERNEL(peterson_half)
{
    unsigned he = 1 - BID;
    VOL(flag[BID]) = 1;
    VOL(flag[2]) = he;
    __threadfence();
    while (VOL(flag[he]) && VOL(flag[2]) == he)
        ;
    ENTER;
    x[0] += 1; // @1
    EXIT;
    VOL(flag[BID]) = 0;
}

// A fence.acq_rel between orders nothing here.
// case: peterson_acq_rel grid=2 block=1 expect=data-race@1@1
KERNEL(peterson_acq_rel)
{
    unsigned he = 1 - BID;
    VOL(flag[BID]) = 1;
    FENCE("acq_rel.gpu");
    VOL(flag[2]) = he;
    FENCE("acq_rel.gpu");
    while (VOL(flag[he]) && VOL(flag[2]) == he)
        ;
    ENTER;
    x[0] += 1; // @1
    EXIT;
    VOL(flag[BID]) = 0;
}

// Too small a scope between blocks.
// case: peterson_block_fence grid=2 block=1 expect=data-race@1@1
KERNEL(peterson_block_fence)
{
    unsigned he = 1 - BID;
    VOL(flag[BID]) = 1;
    __threadfence();
    VOL(flag[2]) = he;
    __threadfence_block();
    while (VOL(flag[he]) && VOL(flag[2]) == he)
        ;
    ENTER;
    x[0] += 1; // @1
    EXIT;
    VOL(flag[BID]) = 0;
}

// Enough within one.
// case: peterson_in_block grid=1 block=64 expect=silent
KERNEL(peterson_in_block)
{
    unsigned me = TID / 32, he = 1 - me;
    if (TID % 32)
        return;
    VOL(flag[me]) = 1;
    __threadfence_block();
    VOL(flag[2]) = he;
    __threadfence_block();
    while (VOL(flag[he]) && VOL(flag[2]) == he)
        ;
    __threadfence_block();
    x[0] += 1;
    __threadfence_block();
    VOL(flag[me]) = 0;
}

// case: peterson_in_block_bare grid=1 block=64 expect=data-race@1@1
KERNEL(peterson_in_block_bare)
{
    unsigned me = TID / 32, he = 1 - me;
    if (TID % 32)
        return;
    VOL(flag[me]) = 1;
    VOL(flag[2]) = he;
    while (VOL(flag[he]) && VOL(flag[2]) == he)
        ;
    __threadfence_block();
    x[0] += 1; // @1
    __threadfence_block();
    VOL(flag[me]) = 0;
}

// ---- Dekker's lock ----

// case: dekker_bare grid=2 block=1 expect=data-race@1@1 also=deadlock
KERNEL(dekker_bare)
{
    unsigned he = 1 - BID;
    VOL(flag[BID]) = 1;
    while (VOL(flag[he])) {
        if (VOL(flag[2]) != BID) {
            VOL(flag[BID]) = 0;
            while (VOL(flag[2]) != BID)
                ;
            VOL(flag[BID]) = 1;
        }
    }
    ENTER;
    x[0] += 1; // @1
    EXIT;
    VOL(flag[2]) = he;
    VOL(flag[BID]) = 0;
}

// case: dekker_fenced grid=2 block=1 expect=silent
KERNEL(dekker_fenced)
{
    unsigned he = 1 - BID;
    VOL(flag[BID]) = 1;
    __threadfence();
    while (VOL(flag[he])) {
        if (VOL(flag[2]) != BID) {
            VOL(flag[BID]) = 0;
            while (VOL(flag[2]) != BID)
                ;
            VOL(flag[BID]) = 1;
            __threadfence();
        }
    }
    ENTER;
    x[0] += 1;
    EXIT;
    VOL(flag[2]) = he;
    VOL(flag[BID]) = 0;
}

// Only who finds nobody may enter; the others leave.
// case: first_come_bare grid=2 block=1 expect=data-race@1@1
KERNEL(first_come_bare)
{
    unsigned he = 1 - BID;
    VOL(flag[BID]) = 1;
    if (VOL(flag[he]))
        return;
    ENTER;
    x[0] += 1; // @1
}

// case: first_come_fenced grid=2 block=1 expect=silent
KERNEL(first_come_fenced)
{
    unsigned he = 1 - BID;
    VOL(flag[BID]) = 1;
    __threadfence();
    if (VOL(flag[he]))
        return;
    ENTER;
    x[0] += 1;
}

// Two roles: each looks at what the other has stored, on lines of its own.
// case: two_roles_bare grid=2 block=1 expect=data-race@1@2
KERNEL(two_roles_bare)
{
    if (BID == 0) {
        VOL(flag[0]) = 1;
        if (!VOL(flag[1]))
            x[0] = 1; // @1
    } else {
        VOL(flag[1]) = 1;
        if (!VOL(flag[0]))
            x[0] = 2; // @2
    }
}

// case: two_roles_fenced grid=2 block=1 expect=silent
KERNEL(two_roles_fenced)
{
    if (BID == 0) {
        VOL(flag[0]) = 1;
        __threadfence();
        if (!VOL(flag[1]))
            x[0] = 1;
    } else {
        VOL(flag[1]) = 1;
        __threadfence();
        if (!VOL(flag[0]))
            x[0] = 2;
    }
}

// The race is there in every order: fences do not mend it.
// case: race_beside grid=2 block=1 expect=data-race@1@1
KERNEL(race_beside)
{
    unsigned he = 1 - BID;
    VOL(flag[BID]) = 1;
    y[BID] = VOL(flag[he]);
    x[0] += 1; // @1
}

// Lamport's bakery. flag[0 ...]: who is choosing a number; flag[8 ...]: the numbers, 0 again behind the lock. Who chooses may read the 0 of before
// somebody's number, where the newest value is 0 again, too: that misleads nobody.
#define BAKERY(fence)                                                                              \
    unsigned me = BID, most = 0;                                                                   \
    VOL(flag[me]) = 1;                                                                             \
    fence;                                                                                         \
    for (unsigned i = 0; i < 3; i++)                                                               \
        most = max(most, VOL(flag[8 + i]));                                                        \
    VOL(flag[8 + me]) = most + 1;                                                                  \
    fence;                                                                                         \
    VOL(flag[me]) = 0;                                                                             \
    fence;                                                                                         \
    for (unsigned i = 0; i < 3; i++) {                                                             \
        if (i == me)                                                                               \
            continue;                                                                              \
        while (VOL(flag[i])) {                                                                     \
        }                                                                                          \
        fence;                                                                                     \
        for (;;) {                                                                                 \
            unsigned number = VOL(flag[8 + i]);                                                    \
            if (number == 0 || number > most + 1 || (number == most + 1 && i > me))                \
                break;                                                                             \
        }                                                                                          \
    }                                                                                              \
    __threadfence();                                                                               \
    x[0]++;                                                                                        \
    __threadfence();                                                                               \
    VOL(flag[8 + me]) = 0;

// case: bakery_right grid=3 block=1 expect=silent
KERNEL(bakery_right)
{
    BAKERY(__threadfence())
}

// case: bakery_acq_rel grid=3 block=1 expect=data-race|missing-release|missing-acquire|ordering:any
KERNEL(bakery_acq_rel)
{
    BAKERY(asm volatile("fence.acq_rel.gpu;" ::: "memory"))
}

// case: bakery_bare grid=3 block=1 expect=data-race|missing-release|missing-acquire|ordering:any
KERNEL(bakery_bare)
{
    BAKERY((void)0)
}
