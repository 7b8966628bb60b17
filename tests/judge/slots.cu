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

// The loop is unrolled: each turn has a look of its own, and one store is for all of them.
// case: slots_unrolled grid=64 block=32 expect=ordering:warning@1@2
KERNEL(slots_unrolled)
{
    for (int i = 0; i < 4; i++)
        if (VOL_INT(x[i]) == 0) { // @1
            VOL_INT(x[i]) = ME; // @2
            break;
        }
}

// case: slots_unrolled_all grid=64 block=32 expect=ordering:warning@1@2
KERNEL(slots_unrolled_all)
{
    for (int i = 0; i < 4; i++) {
        if (VOL_INT(x[i]) == 0) { // @1
            VOL_INT(x[i]) = ME; // @2
            y[GID] = i;
            return;
        }
    }
    y[GID] = -1;
}

// case: slots_relaxed grid=64 block=32 expect=ordering:warning@1@2
KERNEL(slots_relaxed)
{
    for (int i = 0; i < 4; i++)
        if (LD("relaxed.gpu", &x[i]) == 0) { // @1
            ST("relaxed.gpu", &x[i], ME); // @2
            break;
        }
}

// case: slots_exch grid=64 block=32 expect=ordering:warning@1@2
KERNEL(slots_exch)
{
    for (int i = 0; i < 4; i++)
        if (VOL_INT(x[i]) == 0) { // @1
            atomicExch(&x[i], ME); // @2
            break;
        }
}

// All leave the same, but what is counted is counted once too often.
// case: slots_counted grid=64 block=32 expect=ordering:warning@1@2
KERNEL(slots_counted)
{
    for (int i = 0; i < 4; i++)
        if (VOL_INT(x[i]) == 0) { // @1
            VOL_INT(x[i]) = -1; // @2
            atomicAdd(&y[0], 1);
            return;
        }
}

// A mark: whoever stays, it is the same.
// case: slots_mark grid=64 block=32 expect=silent
KERNEL(slots_mark)
{
    for (int i = 0; i < 4; i++)
        if (VOL_INT(x[i]) == 0) {
            VOL_INT(x[i]) = -1;
            return;
        }
}

// case: slots_swap grid=64 block=32 expect=silent
KERNEL(slots_swap)
{
    for (int i = 0; i < 4; i++)
        if (VOL_INT(x[i]) == 0 && atomicCAS(&x[i], 0, ME) == 0) {
            y[GID] = i;
            break;
        }
}

// Looked for from a place of its own on, round the end.
// case: slots_wrapped grid=16 block=32 expect=ordering:warning
KERNEL(slots_wrapped)
{
    unsigned h = GID * 2654435761u % 64;
    for (int i = 0; i < 8; i++) {
        unsigned s = (h + i) % 64;
        if (VOL(flag[s]) == 0) {
            VOL(flag[s]) = ME;
            y[GID] = s;
            break;
        }
    }
}

// case: slots_wrapped_swap grid=16 block=32 expect=silent
KERNEL(slots_wrapped_swap)
{
    unsigned h = GID * 2654435761u % 64;
    for (int i = 0; i < 8; i++) {
        unsigned s = (h + i) % 64;
        if (VOL(flag[s]) == 0 && atomicCAS(&flag[s], 0, ME) == 0) {
            y[GID] = s;
            break;
        }
    }
}

// case: slots_key grid=16 block=32 expect=ordering:warning
KERNEL(slots_key)
{
    unsigned key = 1 + GID / 2, h = key * 2654435761u % 64;
    for (int i = 0; i < 4; i++) {
        unsigned k = LD("relaxed.gpu", &flag[h + i]);
        if (k == key) { atomicAdd(&y[h + i], 1); return; }
        if (k == 0) {
            ST("relaxed.gpu", &flag[h + i], key);
            atomicAdd(&y[h + i], 1);
            return;
        }
    }
}

// case: slots_key_swap grid=16 block=32 expect=silent
KERNEL(slots_key_swap)
{
    unsigned key = 1 + GID / 2, h = key * 2654435761u % 64;
    for (int i = 0; i < 4; i++) {
        unsigned k = atomicCAS(&flag[h + i], 0, key);
        if (k == key || k == 0) { atomicAdd(&y[h + i], 1); return; }
    }
}

// Each thread has slots of its own.
// case: slots_own grid=16 block=32 expect=silent
KERNEL(slots_own)
{
    for (int i = 0; i < 4; i++)
        if (VOL_INT(x[GID * 4 + i]) == 0) {
            VOL_INT(x[GID * 4 + i]) = ME;
            break;
        }
}

// Given back behind it: a lock. One thread a block: no run shows two in it, but that one would come.
// case: slots_locked grid=300 block=1 expect=ordering:error
KERNEL(slots_locked)
{
    for (int i = 0; i < 4; i++)
        if (VOL_INT(x[i]) == 0) {
            VOL_INT(x[i]) = 1;
            atomicAdd(&y[i], 1);
            VOL_INT(x[i]) = 0;
            break;
        }
}

// case: slots_locked_swap grid=16 block=32 expect=silent
KERNEL(slots_locked_swap)
{
    int got = -1;
    for (int i = 0; i < 4 && got < 0; i++)
        if (VOL_INT(x[i]) == 0 && atomicCAS(&x[i], 0, 1) == 0)
            got = i;
    if (got >= 0) {
        atomicAdd(&y[got], 1);
        atomicExch(&x[got], 0);
    }
}

// A free bit is looked for, and set by an atomic whose result nobody looks at: two find the same.
// case: free_bit_set grid=8 block=1 expect=ordering
KERNEL(free_bit_set)
{
    unsigned bit = __ffs(~VOL(flag[0])) - 1;
    atomicOr(&flag[0], 1u << bit);
    atomicAdd(&y[bit], 1);
}

// case: free_bit_cleared grid=8 block=1 expect=ordering
KERNEL(free_bit_cleared)
{
    if (BID == 0) {
        atomicExch(&flag[0], 0xffu);
    } else {
        unsigned free = VOL(flag[0]), bit = __ffs(free) - 1;
        if (free != 0) {
            atomicAnd(&flag[0], ~(1u << bit));
            atomicAdd(&y[bit], 1);
        }
    }
}

// case: free_bit_checked grid=8 block=1 expect=silent
KERNEL(free_bit_checked)
{
    for (;;) {
        unsigned bit = __ffs(~VOL(flag[0])) - 1;
        if (!(atomicOr(&flag[0], 1u << bit) >> bit & 1)) {
            atomicAdd(&y[bit], 1);
            break;
        }
    }
}

// Each a bit of its own.
// case: own_bit_set grid=8 block=1 expect=silent
KERNEL(own_bit_set)
{
    if (!(VOL(flag[0]) >> BID & 1))
        atomicOr(&flag[0], 1u << BID);
    atomicAdd(&y[BID], 1);
}

// What is missing is set: who sets it twice has set it.
// case: missing_bits_set grid=8 block=1 expect=silent
KERNEL(missing_bits_set)
{
    unsigned missing = ~VOL(flag[0]) & 0xff;
    atomicOr(&flag[0], missing);
}

// case: free_bit_locked grid=8 block=1 expect=silent
KERNEL(free_bit_locked)
{
    while (atomicCAS(&flag[32], 0, 1) != 0) {
    }
    __threadfence();
    unsigned bit = __ffs(~VOL(flag[0])) - 1;
    atomicOr(&flag[0], 1u << bit);
    atomicAdd(&y[bit], 1);
    __threadfence();
    atomicExch(&flag[32], 0);
}
