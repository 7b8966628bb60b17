// Addresses: out of bounds, misaligned, past the end of shared memory. Buffers have 65,536 words.
#include "judge.cuh"

#define WORDS 65536

// case: read_last grid=1 block=32 expect=silent
KERNEL(read_last)
{
    y[TID] = x[WORDS - 1];
}

// case: read_past_end grid=1 block=32 n=65536 expect=out-of-bounds@1
KERNEL(read_past_end)
{
    y[TID] = x[n + TID]; // @1
}

// case: write_last grid=1 block=32 expect=silent
KERNEL(write_last)
{
    x[WORDS - 32 + TID] = 1;
}

// case: write_past_end grid=1 block=32 n=65536 expect=out-of-bounds@1
KERNEL(write_past_end)
{
    x[n - 31 + (int)TID] = 1; // @1
}

// case: read_before_start grid=1 block=32 n=1 expect=out-of-bounds@1
KERNEL(read_before_start)
{
    y[TID] = x[(int)TID - n]; // @1
}

// An unsigned index that goes below 0 is 16 GiB off: told with the array that was meant.
// case: unsigned_below_zero grid=1 block=32 n=0 expect=out-of-bounds@1
KERNEL(unsigned_below_zero)
{
    unsigned before = TID + n;
    y[TID] = x[before - 1]; // @1
}

// A grid that is larger than the data, with and without the test.
// case: tail_tested grid=3 block=32 n=65500 expect=silent
KERNEL(tail_tested)
{
    unsigned i = WORDS - 64 + GID;
    if (i < WORDS)
        x[i] = 1;
}

// case: tail_untested grid=3 block=32 n=65500 expect=out-of-bounds@1
KERNEL(tail_untested)
{
    unsigned i = WORDS - 64 + GID;
    x[i] = 1; // @1
}

// case: atomic_past_end grid=1 block=32 n=65536 expect=out-of-bounds@1
KERNEL(atomic_past_end)
{
    atomicAdd(&flag[n], 1); // @1
}

// case: atomic_last grid=1 block=32 n=65535 expect=silent
KERNEL(atomic_last)
{
    atomicAdd(&flag[n], 1);
}

// case: null_pointer grid=1 block=1 n=4 expect=out-of-bounds@1
KERNEL(null_pointer)
{
    int *nowhere = (int *)(size_t)n;
    *nowhere = 1; // @1
}

// A vector whose last word lies outside.
// case: vector_past_end grid=1 block=1 n=16384 expect=out-of-bounds@1
KERNEL(vector_past_end)
{
    ((int4 *)x)[n] = make_int4(1, 2, 3, 4); // @1
}

// case: vector_last grid=1 block=1 n=16384 expect=silent
KERNEL(vector_last)
{
    ((int4 *)x)[n - 1] = make_int4(1, 2, 3, 4);
}

// ---- Alignment ----

// case: word_at_odd_byte grid=1 block=1 expect=misaligned@1
KERNEL(word_at_odd_byte)
{
    *(int *)((char *)x + n) = 1; // @1
}

// case: word_at_word grid=1 block=1 n=4 expect=silent
KERNEL(word_at_word)
{
    *(int *)((char *)x + n) = 1;
}

// case: vector_at_word grid=1 block=1 n=1 expect=misaligned@1
KERNEL(vector_at_word)
{
    *(int4 *)(x + n) = make_int4(1, 2, 3, 4); // @1
}

// case: vector_at_vector grid=1 block=1 n=4 expect=silent
KERNEL(vector_at_vector)
{
    *(int4 *)(x + n) = make_int4(1, 2, 3, 4);
}

// case: double_at_word grid=1 block=1 n=1 expect=misaligned@1
KERNEL(double_at_word)
{
    *(double *)(x + n) = 1.0; // @1
}

// case: atomic_misaligned grid=1 block=1 n=1 expect=misaligned@1
KERNEL(atomic_misaligned)
{
    atomicAdd((unsigned long long *)(flag + n), 1ull); // @1
}

// It begins in the buffer and ends behind it: that its address is no multiple of its size is what is wrong.
// case: word_across_the_end grid=1 block=1 n=262143 expect=misaligned@1
KERNEL(word_across_the_end)
{
    *(int *)((char *)x + n) = 1; // @1
}

// case: vector_across_the_end grid=1 block=1 n=65534 expect=misaligned@1
KERNEL(vector_across_the_end)
{
    *(int4 *)(x + n) = make_int4(1, 2, 3, 4); // @1
}

// case: word_behind_the_end grid=1 block=1 n=262145 expect=out-of-bounds@1
KERNEL(word_behind_the_end)
{
    *(int *)((char *)x + n) = 1; // @1
}

// ---- Shared memory ----

// case: shared_within grid=1 block=64 shared=256 expect=silent
KERNEL(shared_within)
{
    extern __shared__ int s[];
    s[TID] = TID;
    __syncthreads();
    y[TID] = s[63 - TID];
}

// Half of what is needed was asked for at launch.
// case: shared_too_small grid=1 block=64 shared=128 expect=out-of-bounds@1
KERNEL(shared_too_small)
{
    extern __shared__ int s[];
    s[TID] = TID; // @1
    __syncthreads();
    y[TID] = s[63 - TID];
}

// case: shared_off_by_one grid=1 block=64 shared=256 expect=out-of-bounds@1
KERNEL(shared_off_by_one)
{
    extern __shared__ int s[];
    s[TID] = TID;
    __syncthreads();
    y[TID] = s[TID + 1]; // @1
}

// case: shared_static_past_end grid=1 block=64 expect=out-of-bounds@1
KERNEL(shared_static_past_end)
{
    __shared__ int s[64];
    s[TID] = TID;
    __syncthreads();
    y[TID] = s[TID + n]; // @1
}

// ---- Asserts and traps ----

// case: trap_reached grid=2 block=32 expect=trap@1
KERNEL(trap_reached)
{
    if (GID == 40)
        TRAP(); // @1
}

// case: trap_not_reached grid=2 block=32 expect=silent
KERNEL(trap_not_reached)
{
    if (GID == 400)
        TRAP();
}
