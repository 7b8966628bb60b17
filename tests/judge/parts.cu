// Values of which parts are written apart: halves of 8 bytes, bytes of a word.
#include "judge.cuh"

#define ST8(how, p, v) asm volatile("st." how ".u8 [%0], %1;" ::"l"(p), "r"(v) : "memory")

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

// Plain stores that leave the same bytes are told as a warning, of whatever sizes they are; one byte that differs makes it an error.
// case: same_bytes_by_sizes grid=2 block=1 expect=data-race:warning
KERNEL(same_bytes_by_sizes)
{
    if (BID == 0) x[0] = 0x07070707;
    else for (int i = 0; i < 4; i++) ST8("weak", (char *)x + i, 7);
}

// case: same_bytes_but_one grid=2 block=1 expect=data-race
KERNEL(same_bytes_but_one)
{
    if (BID == 0) x[0] = 0x07070707;
    else for (int i = 0; i < 4; i++) ST8("weak", (char *)x + i, i == 2 ? 6 : 7);
}

// case: same_half_of_wide_word grid=2 block=1 expect=data-race:warning
KERNEL(same_half_of_wide_word)
{
    if (BID == 0) *(unsigned long long *)x = 0x700000009ull;
    else x[1] = 7;
}

// case: other_half_of_wide_word grid=2 block=1 expect=data-race
KERNEL(other_half_of_wide_word)
{
    if (BID == 0) *(unsigned long long *)x = 0x700000009ull;
    else x[1] = 9;
}

// The last of many that store has another value.
// case: same_value_but_one grid=600 block=1 expect=data-race schedules=1
KERNEL(same_value_but_one)
{
    int v = x[1] + 1;
    for (int i = 0; i < (BID == 599 ? 4000 : 1); i++)
        v += VOL(y[i & 15]);
    x[0] = v + (BID == 599);
}

// What block 2 stores is what block 1 has stored, and ordered behind that; but not behind what block 0 has.
// case: same_value_as_another grid=3 block=1 expect=data-race|missing-acquire@1@2 also=data-race
KERNEL(same_value_as_another)
{
    if (BID == 0) {
        x[0] = 5; // @1
        ST("release.gpu", &flag[0], 1);
    } else if (BID == 1) {
        while (!LD("acquire.gpu", &flag[0]));
        ST("relaxed.gpu", &x[0], 7);
    } else {
        while (LD("relaxed.gpu", &x[0]) != 7);
        x[0] = 7; // @2
    }
}

// Block 0's store is the same value, but block 1 reads, too.
// case: same_value_read_between grid=3 block=1 expect=missing-release|data-race@1@2 also=data-race|missing-release|missing-acquire
KERNEL(same_value_read_between)
{
    if (BID == 0) {
        x[0] = 1;
        ST("release.gpu", &flag[0], 1);
    } else if (BID == 1) {
        while (!LD("acquire.gpu", &flag[0]));
        y[0] = x[0]; // @1
        ST("relaxed.gpu", &flag[1], 1);
    } else {
        while (!LD("relaxed.gpu", &flag[1]));
        x[0] = 1; // @2
    }
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

// ---- Data and its state in one vector, which is polled: written by one store, or by two

#define LD2(how, p, a, b) asm volatile("ld." how ".v2.u32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "l"(p) : "memory")
#define ST2(how, p, a, b) asm volatile("st." how ".v2.u32 [%0], {%1, %2};" ::"l"(p), "r"(a), "r"(b) : "memory")
#define PAIR(name, put, get)                                                                       \
    KERNEL(name)                                                                                   \
    {                                                                                              \
        unsigned d, f;                                                                             \
        if (BID == 0) {                                                                            \
            put;                                                                                   \
        } else if (BID == 1) {                                                                     \
            get;                                                                                   \
            y[0] = d;                                                                              \
        }                                                                                          \
    }
#define POLL do LD2("relaxed.gpu", &flag[0], d, f); while (!f)
#define POLL_STATE_FIRST do LD2("relaxed.gpu", &flag[0], f, d); while (!f)
#define HALVES(order) ST("relaxed.gpu", &flag[0], 7); order; ST("relaxed.gpu", &flag[1], 1)
#define HALVES_STATE_FIRST ST("relaxed.gpu", &flag[1], 7); ST("relaxed.gpu", &flag[0], 1)

// case: vector_whole grid=2 block=1 expect=silent
PAIR(vector_whole, ST2("relaxed.gpu", &flag[0], 7, 1), POLL)

// case: vector_whole_of_many grid=300 block=1 expect=silent
PAIR(vector_whole_of_many, ST2("relaxed.gpu", &flag[0], 7, 1), POLL)

// case: vector_halves grid=2 block=1 expect=ordering:any
PAIR(vector_halves, HALVES(), POLL)

// case: vector_halves_of_many grid=300 block=1 expect=ordering:any
PAIR(vector_halves_of_many, HALVES(), POLL)

// case: vector_halves_state_first grid=2 block=1 expect=ordering:any
PAIR(vector_halves_state_first, HALVES_STATE_FIRST, POLL_STATE_FIRST)

// case: vector_halves_state_first_of_many grid=300 block=1 expect=ordering:any
PAIR(vector_halves_state_first_of_many, HALVES_STATE_FIRST, POLL_STATE_FIRST)

// The vector is read whole: who has the state has what was stored before a fence.
// case: vector_halves_fenced grid=2 block=1 expect=silent
PAIR(vector_halves_fenced, HALVES(__threadfence()), POLL)

// case: vector_halves_fenced_of_many grid=300 block=1 expect=silent
PAIR(vector_halves_fenced_of_many, HALVES(__threadfence()), POLL)

// case: vector_read_again_right grid=300 block=1 expect=silent
PAIR(vector_read_again_right, HALVES(__threadfence()), POLL; __threadfence(); d = LD("relaxed.gpu", &flag[0]))

// Each half is waited for.
// case: vector_both_decide grid=300 block=1 expect=silent
PAIR(vector_both_decide, HALVES(), do LD2("relaxed.gpu", &flag[0], d, f); while (!f || !d))

// case: vector_data_unused grid=300 block=1 expect=silent
PAIR(vector_data_unused, HALVES(), POLL; d = 0)
