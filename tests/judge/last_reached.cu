// Counted by an atomic, and then looked at by another access whether the count has come to a number, or further (>=, >, <=, <): as with == (last_looks.cu), two may find
// that it has, where nobody counts past it.
#include "judge.cuh"

#define PUSH(what) y[64 + atomicAdd(&y[0], 1)] = (int)(what)

// case: reached_at_least grid=8 block=1 expect=ordering@1@2
KERNEL(reached_at_least)
{
    __threadfence();
    atomicAdd(&flag[0], 1);             // @1
    if (atomicAdd(&flag[0], 0) >= 8)    // @2
        PUSH(7);
}

// case: reached_more_than grid=8 block=1 expect=ordering@1@2
KERNEL(reached_more_than)
{
    __threadfence();
    atomicAdd(&flag[0], 1);  // @1
    if (VOL(flag[0]) > 7)    // @2
        PUSH(7);
}

// case: reached_more_than_n grid=40 block=64 expect=ordering@1@2
KERNEL(reached_more_than_n)
{
    __threadfence();
    atomicAdd(&x[0], 1);       // @1
    if (VOL_INT(x[0]) >= n)    // @2
        PUSH(7);
}

// case: reached_else grid=8 block=1 expect=ordering@1@2
KERNEL(reached_else)
{
    atomicAdd(&x[0], 1);         // @1
    if (VOL_INT(x[0]) < n)       // @2
        return;
    PUSH(7);
}

// case: reached_zero grid=1 block=64 expect=ordering@1@2
KERNEL(reached_zero)
{
    __shared__ int left;
    if (TID == 0)
        left = (int)BLOCK;
    __syncthreads();
    atomicSub(&left, 1);                // @1
    if (atomicAdd(&left, 0) <= 0)       // @2
        PUSH(7);
}

// case: reached_less_than_one grid=8 block=1 expect=ordering@1@2
KERNEL(reached_less_than_one) // counted up to n from -n
{
    atomicSub(&x[0], 1);              // @1
    if (VOL_INT(x[0]) < 1 - n)        // @2
        PUSH(7);
}

// case: reached_by_block grid=16 block=64 expect=ordering@1@2
KERNEL(reached_by_block)
{
    if (TID == 0)
        atomicAdd(&flag[0], 1);         // @1
    __syncthreads();
    if (VOL(flag[0]) >= GRID)           // @2
        atomicAdd(&y[TID], 1);
}

// case: reached_of_each_node grid=8 block=32 expect=ordering@1@2
KERNEL(reached_of_each_node)
{
    unsigned node = (GID * 7) % 64;
    atomicAdd(&flag[node], 1);          // @1
    if (VOL(flag[node]) >= 4)           // @2
        PUSH(node);
}

// case: reached_by_its_count grid=8 block=1 expect=silent
KERNEL(reached_by_its_count)
{
    __threadfence();
    if (atomicAdd(&flag[0], 1) >= 7)
        PUSH(7);
}

// case: reached_and_passed grid=8 block=1 expect=silent
KERNEL(reached_and_passed) // more than so many: each that finds it is one of them
{
    atomicAdd(&flag[0], 1);
    if (VOL(flag[0]) > 3)
        atomicAdd(&y[0], 1);
}

// case: reached_and_passed_large grid=200 block=1 expect=silent
KERNEL(reached_and_passed_large)
{
    atomicAdd(&x[0], 1);
    if (VOL_INT(x[0]) >= n / 2)
        atomicAdd(&y[0], 1);
}

// case: reached_marks grid=8 block=1 expect=silent
KERNEL(reached_marks)
{
    atomicAdd(&flag[0], 1);
    if (VOL(flag[0]) >= 8)
        VOL(flag[32]) = 1;
}

// case: reached_one_is_let_in grid=8 block=1 expect=silent
KERNEL(reached_one_is_let_in)
{
    atomicAdd(&flag[0], 1);
    if (VOL(flag[0]) >= 8 && atomicExch(&flag[32], 1) == 0)
        PUSH(7);
}

// case: reached_all_wait grid=8 block=1 expect=silent
KERNEL(reached_all_wait)
{
    atomicAdd(&flag[0], 1);
    while (VOL(flag[0]) < 8)
        ;
    atomicAdd(&y[0], 1);
}

// case: reached_too_few grid=8 block=32 expect=silent
KERNEL(reached_too_few) // nobody comes that far
{
    atomicAdd(&flag[0], 1);
    if (VOL(flag[0]) >= 100000)
        PUSH(7);
}

// case: reached_under_lock grid=8 block=1 expect=silent
KERNEL(reached_under_lock)
{
    while (atomicCAS(&flag[8], 0, 1) != 0)
        ;
    __threadfence();
    atomicAdd(&flag[0], 1);
    if (VOL(flag[0]) >= 8)
        PUSH(7);
    __threadfence();
    atomicExch(&flag[8], 0);
}

// case: reached_full grid=8 block=32 expect=silent
KERNEL(reached_full) // a bound that is looked at before: no count of one's own
{
    if (VOL(flag[0]) >= 200)
        return;
    unsigned at = atomicAdd(&flag[0], 1);
    if (at < 200)
        VOL_INT(y[64 + at]) = (int)GID;
}
