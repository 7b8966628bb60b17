// Kernels that call: functions, assert(), printf(). What some execution shows is told of them as of others, whatever the runs have met.
#include "judge.cuh"

#include <cassert>
#include <cstdio>

/* Peterson's lock, flag[2] being whose turn it is. */
__device__ __noinline__ void enter_loosely(unsigned *flag, unsigned me)
{
    VOL(flag[me]) = 1;
    VOL(flag[2]) = 1 - me;
    while (VOL(flag[1 - me]) && VOL(flag[2]) == 1 - me)
        ;
    __threadfence();
}

__device__ __noinline__ void enter(unsigned *flag, unsigned me)
{
    VOL(flag[me]) = 1;
    __threadfence();
    VOL(flag[2]) = 1 - me;
    __threadfence();
    while (VOL(flag[1 - me]) && VOL(flag[2]) == 1 - me)
        ;
    __threadfence();
}

__device__ __noinline__ void leave(unsigned *flag, unsigned me)
{
    __threadfence();
    VOL(flag[me]) = 0;
}

// case: lock_called grid=2 block=1 expect=data-race@1@1
KERNEL(lock_called)
{
    enter_loosely(flag, BID);
    x[0] += 1; // @1
    leave(flag, BID);
}

// case: lock_called_fenced grid=2 block=1 expect=silent
KERNEL(lock_called_fenced)
{
    enter(flag, BID);
    x[0] += 1;
    leave(flag, BID);
}

/* A function that calls itself. */
__device__ __noinline__ int descend(int *x, unsigned *flag, unsigned me, unsigned depth)
{
    if (depth)
        return descend(x, flag, me, depth - 1) + 1;
    enter_loosely(flag, me);
    int was = x[0]; // @1
    x[0] = was + 1;    // @1
    leave(flag, me);
    return was;
}

// case: lock_deep grid=2 block=1 expect=data-race
KERNEL(lock_deep)
{
    y[BID] = descend(x, flag, BID, 3);
}

// case: lock_asserted grid=2 block=1 expect=data-race@1@1
KERNEL(lock_asserted)
{
    VOL(flag[BID]) = 1;
    VOL(flag[2]) = 1 - BID;
    while (VOL(flag[1 - BID]) && VOL(flag[2]) == 1 - BID)
        ;
    __threadfence();
    x[0] += 1; // @1
    assert(flag[5] == 0);
    __threadfence();
    VOL(flag[BID]) = 0;
}

// case: lock_asserted_fenced grid=2 block=1 expect=silent
KERNEL(lock_asserted_fenced)
{
    VOL(flag[BID]) = 1;
    __threadfence();
    VOL(flag[2]) = 1 - BID;
    __threadfence();
    while (VOL(flag[1 - BID]) && VOL(flag[2]) == 1 - BID)
        ;
    __threadfence();
    x[0] += 1;
    assert(flag[5] == 0);
    __threadfence();
    VOL(flag[BID]) = 0;
}

/* Store buffering: that both see 0 is in no interleaving. */
// case: looks_printed grid=2 block=1 expect=ordering
KERNEL(looks_printed)
{
    VOL(flag[BID]) = 1;
    unsigned other = VOL(flag[1 - BID]);
    y[BID] = other;
    if (n > 1000)
        printf("%u\n", other);
}

// case: looks_printed_fenced grid=2 block=1 expect=silent
KERNEL(looks_printed_fenced)
{
    VOL(flag[BID]) = 1;
    __threadfence();
    unsigned other = VOL(flag[1 - BID]);
    y[BID] = other;
    if (n > 1000)
        printf("%u\n", other);
}

// case: looks_asserted grid=2 block=1 expect=ordering
KERNEL(looks_asserted)
{
    VOL(flag[BID]) = 1;
    y[BID] = VOL(flag[1 - BID]);
    if (BID == 0)
        assert(VOL(flag[0]) == 1);
}

/* The heap is not what the model is asked about: nothing else than the runs show. */
// case: message_from_heap grid=2 block=1 expect=silent
KERNEL(message_from_heap)
{
    if (BID == 0) {
        unsigned *p = (unsigned *)malloc(16);
        *p = 5;
        x[0] = *p;
        free(p);
        __threadfence();
        VOL(flag[0]) = 1;
    } else {
        while (VOL(flag[0]) == 0)
            ;
        __threadfence();
        y[0] = x[0];
    }
}

// A poll in functions that are called, as atomics are in a debug build: the loop is the caller's.
static __device__ __noinline__ int swap_inner(int *p, int expected, int value)
{
    return atomicCAS(p, expected, value);
}

static __device__ __noinline__ int swap_between(int *p, int expected, int value)
{
    return swap_inner(p, expected, value);
}

static __device__ __noinline__ int swap_called(int *p, int expected, int value)
{
    return swap_between(p, expected, value);
}

// case: poll_called grid=2 block=1 n=1 expect=deadlock
KERNEL(poll_called)
{
    while (swap_called(&x[BID], n - 1, n) != 0)
        ;
    while (swap_called(&x[1 - BID], n - 1, n) != 0)
        ;
}

// … and it may count its turns, and give up.
// case: poll_called_counts grid=1 block=1 n=7 expect=silent
KERNEL(poll_called_counts)
{
    int turns = 0;
    while (swap_called(&x[0], n, 1) != n && turns < 300000)
        turns++;
    y[0] = turns;
}
