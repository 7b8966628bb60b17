// A run with an older value that never ends is given up: what it has shown stands, and whether it ends is not known.
#include "judge.cuh"

// case: endless_by_an_older_value grid=2 block=32 schedules=2 expect=ordering:any
KERNEL(endless_by_an_older_value)
{
    if (TID)
        return;
    if (BID == 0) {
        VOL_INT(x[0]) = 5;
        VOL_INT(x[1]) = 1;
        return;
    }
    while (!VOL_INT(x[1]))
        ;
    int end = VOL_INT(x[0]) - 5;
    for (int i = 0; i != end; i += 2)
        atomicAdd(&y[0], 1);
}

// case: ends_with_every_value grid=2 block=32 expect=silent
KERNEL(ends_with_every_value)
{
    if (TID)
        return;
    if (BID == 0) {
        VOL_INT(x[0]) = 5;
        __threadfence();
        VOL_INT(x[1]) = 1;
        return;
    }
    while (!VOL_INT(x[1]))
        ;
    __threadfence();
    int end = VOL_INT(x[0]) - 5;
    for (int i = 0; i != end; i += 2)
        atomicAdd(&y[0], 1);
}

// ---- Two ways back to the loop's beginning, of which one pauses: turns counted for that decide nothing, those that end it do ----

// case: endless_pausing grid=2 block=1 expect=deadlock
KERNEL(endless_pausing)
{
    int turns = 0;
    if (BID == 0)
        while (LD("acquire.gpu", &flag[0]) == 0)
            if (++turns % 64 == 0)
                __nanosleep(20);
}

// case: endless_pausing_given_up grid=2 block=1 expect=silent
KERNEL(endless_pausing_given_up)
{
    int turns = 0;
    if (BID == 0)
        while (LD("acquire.gpu", &flag[0]) == 0 && turns < 4000)
            if (++turns % 64 == 0)
                __nanosleep(20);
}
