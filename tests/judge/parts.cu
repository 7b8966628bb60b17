// Values of which parts are written apart: halves of 8 bytes, bytes of a word.
#include "judge.cuh"

// case: halves_right grid=1 block=2 expect=silent
KERNEL(halves_right)
{
    __shared__ unsigned long long v;
    ((unsigned *)&v)[TID] = TID + 1;
    __syncthreads();
    if (TID == 0) x[0] = (int)(v >> 32) + (int)v;
}

// case: half_left grid=1 block=2 expect=uninitialized-read
KERNEL(half_left)
{
    __shared__ unsigned long long v;
    if (TID == 0) ((unsigned *)&v)[TID] = TID + 1;
    __syncthreads();
    if (TID == 1) { unsigned long long w = *(volatile unsigned long long *)&v; x[0] = (int)(w >> 32) + 1; }
}

// Only the half that is defined is used.
// case: half_used_right grid=1 block=2 expect=silent
KERNEL(half_used_right)
{
    __shared__ unsigned long long v;
    if (TID == 0) ((unsigned *)&v)[TID] = TID + 1;
    __syncthreads();
    if (TID == 1) { unsigned long long w = *(volatile unsigned long long *)&v; x[0] = (int)w + 1; }
}

// case: halves_race grid=1 block=2 expect=data-race
KERNEL(halves_race)
{
    __shared__ unsigned long long v;
    ((volatile unsigned *)&v)[TID] = TID + 1;
    if (TID == 0) x[0] = (int)(v >> 32) + (int)v;
}

// Strong accesses of another size are not morally strong with these (PTX ISA 8.7).
// case: mixed_width_race grid=2 block=1 expect=data-race
KERNEL(mixed_width_race)
{
    if (BID == 0) { atomicExch((unsigned *)&y[0], 1u); atomicExch((unsigned *)&y[1], 1u); }
    else { unsigned long long w = atomicAdd((unsigned long long *)&y[0], 0ull); x[0] = (int)(w >> 32) + (int)w; }
}

// case: byte_in_word_race grid=2 block=1 expect=data-race
KERNEL(byte_in_word_race)
{
    if (BID == 0) ((volatile unsigned char *)y)[1] = 7;
    else x[0] = VOL(y[0]);
}

// case: bytes_beside_right grid=2 block=1 expect=silent
KERNEL(bytes_beside_right)
{
    ((volatile unsigned char *)y)[BID] = BID + 7;
}

// case: byte_then_word_right grid=2 block=1 expect=silent
KERNEL(byte_then_word_right)
{
    if (BID == 0) { ((volatile unsigned char *)y)[1] = 7; __threadfence(); VOL(flag[0]) = 1; }
    else { while (!VOL(flag[0])) ; __threadfence(); x[0] = VOL(y[0]); }
}

// case: byte_then_word_unreleased grid=2 block=1 expect=missing-release|data-race|missing-acquire
KERNEL(byte_then_word_unreleased)
{
    if (BID == 0) { ((volatile unsigned char *)y)[1] = 7; VOL(flag[0]) = 1; }
    else { while (!VOL(flag[0])) ; __threadfence(); x[0] = VOL(y[0]); }
}

// case: halves_by_two_blocks_right grid=3 block=1 expect=silent
KERNEL(halves_by_two_blocks_right)
{
    if (BID < 2) { ((unsigned *)y)[BID] = 7; __threadfence(); atomicAdd(&flag[0], 1); }
    else { while (atomicAdd(&flag[0], 0) != 2) ; __threadfence(); x[0] = (int)(*(unsigned long long *)y >> 16); }
}

// case: halves_by_two_blocks_early grid=3 block=1 expect=data-race also=missing-acquire also=missing-release
KERNEL(halves_by_two_blocks_early)
{
    if (BID < 2) { ((unsigned *)y)[BID] = 7; __threadfence(); atomicAdd(&flag[0], 1); }
    else { while (atomicAdd(&flag[0], 0) < 1) ; __threadfence(); x[0] = (int)(*(unsigned long long *)y >> 16); }
}
