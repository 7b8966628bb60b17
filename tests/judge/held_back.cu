// A block has more threads than elements, and the others load, too, as Triton lays out a tensor: what they get goes only where a guard
// holds them back, and they have read nothing. Where one of them lets its value go anywhere the load is the program's, at its line.
#include "judge.cuh"

#define LOAD_IF(v, p, who)                                                                         \
    asm volatile("{ .reg .pred q; setp.ne.b32 q, %2, 0; @q ld.global.b32 %0, [%1]; }"              \
                 : "+r"(v) : "l"(p), "r"((int)(who)) : "memory")
#define STORE_IF(p, v, who)                                                                        \
    asm volatile("{ .reg .pred q; setp.ne.b32 q, %2, 0; @q st.global.b32 [%0], %1; }"              \
                 ::"l"(p), "r"(v), "r"((int)(who)) : "memory")
#define ADD_IF(p, v, who)                                                                          \
    asm volatile("{ .reg .pred q; setp.ne.b32 q, %2, 0; @q red.relaxed.gpu.global.add.u32 [%0], %1; }" \
                 ::"l"(p), "r"(v), "r"((int)(who)) : "memory")

// case: held_back_right grid=1 block=128 expect=silent
KERNEL(held_back_right)
{
    int *place = y + TID % 64;
    int v = LD("global", place);
    v = v * 2 + 1;
    STORE_IF(place, v, TID < 64);
}

// case: held_back_taken grid=1 block=128 expect=data-race@1@2
KERNEL(held_back_taken)
{
    int *place = y + TID % 64;
    int v = LD("global", place); // @1
    v = v * 2 + 1;
    STORE_IF(place, v, TID < 64); // @2
    STORE_IF(x + TID, v, TID == 100);
}

// The load has a guard of its own.
// case: held_back_masked_right grid=1 block=128 n=60 expect=silent
KERNEL(held_back_masked_right)
{
    int *place = y + TID % 64, v = 0;
    LOAD_IF(v, place, TID % 64 < (unsigned)n);
    STORE_IF(place, v + 1, TID < (unsigned)n);
}

// case: held_back_masked_taken grid=1 block=128 n=60 expect=data-race@1@2
KERNEL(held_back_masked_taken)
{
    int *place = y + TID % 64, v = 0;
    LOAD_IF(v, place, TID % 64 < (unsigned)n); // @1
    STORE_IF(place, v + 1, TID < (unsigned)n); // @2
    x[TID] = v;
}

// Two values, of which each goes into both stores.
// case: held_back_two_right grid=1 block=128 expect=silent
KERNEL(held_back_two_right)
{
    int *low = y + TID % 64, *high = low + 64;
    int a = LD("global", low), b = LD("global", high);
    STORE_IF(low, a - b, TID < 64);
    STORE_IF(high, a + b, TID < 64);
}

// case: held_back_two_taken grid=1 block=128 expect=data-race@1@2
KERNEL(held_back_two_taken)
{
    int *low = y + TID % 64, *high = low + 64;
    int a = LD("global", low), b = LD("global", high); // @1
    STORE_IF(low, a - b, TID < 64); // @2
    STORE_IF(x + TID, a + b, TID < 128);
}

// The guard is made of what is loaded: whether the thread stores is what it has read.
// case: held_back_decides grid=1 block=128 expect=data-race@1@2
KERNEL(held_back_decides)
{
    int *place = y + TID % 64;
    int v = LD("global", place); // @1
    STORE_IF(place, 1, TID < 64 + v / 2); // @2
}

// Behind a barrier, and by an atomic.
// case: held_back_added_right grid=1 block=128 expect=silent
KERNEL(held_back_added_right)
{
    int *place = y + TID % 64;
    int v = LD("global", place);
    STORE_IF(place, v + 1, TID < 64);
    __syncthreads();
    ADD_IF(x, v, TID < 64);
}

// case: held_back_added_taken grid=1 block=128 expect=data-race@1@2
KERNEL(held_back_added_taken)
{
    int *place = y + TID % 64;
    int v = LD("global", place); // @1
    STORE_IF(place, v + 1, TID < 64); // @2
    __syncthreads();
    ADD_IF(x, v, TID < 66);
}

// Another lane gets it.
// case: held_back_handed grid=1 block=128 expect=data-race@1@2
KERNEL(held_back_handed)
{
    int *place = y + TID % 64;
    int v = LD("global", place); // @1
    int got = __shfl_xor_sync(~0u, v, 1);
    STORE_IF(place, v + 1, TID < 64); // @2
    STORE_IF(x + TID, got, TID == 101);
}

// The next turn of a loop takes it.
// case: held_back_turns grid=1 block=128 n=3 expect=data-race@1@2
KERNEL(held_back_turns)
{
    int *place = y + TID % 64, sum = 0;
#pragma unroll 1
    for (int k = 0; k < n; k++) {
        STORE_IF(x + TID, sum, k > 0);
        int v = LD("global", place); // @1
        sum += v;
        STORE_IF(place, k, TID < 64); // @2
        __syncthreads();
    }
}

// Whether who stores has loaded before a barrier, or a store has come before all loads, makes a race or none for him.
// case: held_back_own grid=1 block=128 expect=data-race@1@2
KERNEL(held_back_own)
{
    int *place = y + (TID + 1) % 64;
    int v = LD("global", place); // @1
    STORE_IF(y + TID, v + 1, TID < 64); // @2
}
