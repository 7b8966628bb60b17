// A free slot is looked for, one after another, and taken by hand: between the look and the store another thread may take it, too.
#include "judge.cuh"

#define ME ((int)GID + 1)

// What runs with older values doubt at the same two lines comes to nothing; that the slot is taken twice stays.
// case: slots_rolled grid=64 block=32 expect=ordering:warning@1@2
KERNEL(slots_rolled)
{
#pragma unroll 1
    for (int i = 0; i < 4; i++)
        if (VOL_INT(x[i]) == 0) { // @1
            VOL_INT(x[i]) = ME; // @2
            break;
        }
}

// case: slots_many grid=64 block=32 n=13 expect=ordering:warning@1@2
KERNEL(slots_many)
{
    for (int i = 0; i < n; i++)
        if (VOL_INT(x[i]) == 0) { // @1
            VOL_INT(x[i]) = ME; // @2
            break;
        }
}

// case: slots_rolled_swap grid=64 block=32 expect=silent
KERNEL(slots_rolled_swap)
{
#pragma unroll 1
    for (int i = 0; i < 4; i++)
        if (VOL_INT(x[i]) == 0 && atomicCAS(&x[i], 0, ME) == 0)
            break;
}
