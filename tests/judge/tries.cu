// Threads that wait for a signal and give up after some tries: what they do then must be right, too.
#include "judge.cuh"

#define PRODUCE                                                                                    \
    x[0] = 42; /* @1 */                                                                            \
    __threadfence();                                                                               \
    VOL(flag[0]) = 1;

// Whether the flag has come is not asked behind the loop.
// case: goes_on_anyway grid=2 block=1 expect=data-race
KERNEL(goes_on_anyway)
{
    if (BID == 0) {
        PRODUCE
    } else {
        for (int i = 0; i < 100 && !VOL(flag[0]); i++) {
        }
        __threadfence();
        y[0] = x[0];
    }
}

// case: asks_behind_loop grid=2 block=1 expect=silent
KERNEL(asks_behind_loop)
{
    if (BID == 0) {
        PRODUCE
    } else {
        bool came = false;
        for (int i = 0; i < 100 && !came; i++)
            came = VOL(flag[0]);
        __threadfence();
        y[0] = came ? VOL_INT(x[0]) : -1;
    }
}

// case: waits_first_in_grid grid=2 block=1 expect=data-race
KERNEL(waits_first_in_grid)
{
    if (BID == 1) {
        PRODUCE
    } else {
        for (int i = 0; i < 1000 && !VOL(flag[0]); i++) {
        }
        __threadfence();
        y[0] = x[0];
    }
}

// Without a bound it comes.
// case: waits_for_ever grid=2 block=1 expect=silent
KERNEL(waits_for_ever)
{
    if (BID == 1) {
        PRODUCE
    } else {
        int i = 0;
        for (; !VOL(flag[0]); i++) {
        }
        __threadfence();
        y[0] = x[0];
    }
}

// The last try is told from success.
// case: leaves_when_tries_are_over grid=2 block=1 expect=silent
KERNEL(leaves_when_tries_are_over)
{
    if (BID == 0) {
        PRODUCE
    } else {
        for (int i = 0; !VOL(flag[0]); i++)
            if (i == 1000)
                return;
        __threadfence();
        y[0] = x[0];
    }
}

// Sleeping between two tries; the signal is an atomic's.
// case: sleeps_and_goes_on grid=2 block=32 expect=data-race
KERNEL(sleeps_and_goes_on)
{
    if (BID == 0) {
        x[TID] = 42;
        __threadfence();
        __syncthreads();
        if (TID == 0)
            atomicExch(flag, 1);
    } else {
        if (TID == 0)
            for (int i = 0; i < 200 && atomicAdd(flag, 0) == 0; i++)
                __nanosleep(100);
        __syncthreads();
        __threadfence();
        y[TID] = x[TID];
    }
}

// All threads are told whether it came.
// case: sleeps_and_tells grid=2 block=32 expect=silent
KERNEL(sleeps_and_tells)
{
    __shared__ int came;
    if (BID == 0) {
        x[TID] = 42;
        __threadfence();
        __syncthreads();
        if (TID == 0)
            atomicExch(flag, 1);
    } else {
        if (TID == 0) {
            came = 0;
            for (int i = 0; i < 200 && !came; i++, __nanosleep(100))
                came = atomicAdd(flag, 0);
            __threadfence();
        }
        __syncthreads();
        if (came)
            y[TID] = x[TID];
    }
}

// Who has tried in vain does nothing.
// case: does_nothing_without_lock grid=8 block=1 expect=silent
KERNEL(does_nothing_without_lock)
{
    bool mine = false;
    for (int i = 0; i < 100 && !mine; i++)
        mine = atomicCAS(flag, 0, 1) == 0;
    if (!mine)
        return;
    __threadfence();
    x[0] += 1;
    __threadfence();
    atomicExch(flag, 0);
}
