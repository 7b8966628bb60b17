// Accesses of different sizes to the same memory, and values that lanes pass on: morally strong are only accesses that
// overlap completely; shuffles and votes order no memory.
#include "judge.cuh"

#define ST64(how, p, v) asm volatile("st." how ".u64 [%0], %1;" ::"l"(p), "l"(v) : "memory")
#define LD64(how, p)                                                                               \
    ({                                                                                             \
        unsigned long long got_;                                                                   \
        asm volatile("ld." how ".u64 %0, [%1];" : "=l"(got_) : "l"(p) : "memory");                 \
        got_;                                                                                      \
    })
#define BOTH 0x100000001ull

// case: widths_wide_store grid=2 block=1 expect=data-race@1@2 also=data-race@1@3
KERNEL(widths_wide_store)
{
    if (BID == 0) {
        ST64("relaxed.gpu", flag, BOTH); // @1
    } else {
        x[0] = LD("relaxed.gpu", flag); // @2
        x[1] = LD("relaxed.gpu", flag + 1); // @3
    }
}

// case: widths_wide_load grid=2 block=1 expect=data-race@1@2 also=data-race@3@2
KERNEL(widths_wide_load)
{
    if (BID == 0) {
        ST("relaxed.gpu", flag, 1); // @1
        ST("relaxed.gpu", flag + 1, 1); // @3
    } else {
        x[0] = LD64("relaxed.gpu", flag) >> 16; // @2
    }
}

// The writer looks at half of what it has stored itself; who else looks takes the whole.
// case: widths_own_half_right grid=2 block=1 expect=silent
KERNEL(widths_own_half_right)
{
    if (BID == 0) {
        ST64("relaxed.gpu", flag, BOTH);
        x[0] = LD("relaxed.gpu", flag + 1);
    } else {
        x[1] = LD64("relaxed.gpu", flag) >> 16;
    }
}

// case: widths_atomics grid=2 block=1 expect=data-race@1@2
KERNEL(widths_atomics)
{
    if (BID == 0)
        atomicAdd((unsigned long long *)flag, BOTH); // @1
    else
        x[0] = atomicAdd(flag, 1); // @2
}

// case: widths_ordered_right grid=2 block=1 expect=silent
KERNEL(widths_ordered_right)
{
    if (BID == 0) {
        y[0] = 1;
        y[1] = 2;
        ST("release.gpu", flag, 1);
    } else if (LD("acquire.gpu", flag)) {
        *(long long *)x = *(long long *)y;
    }
}

// case: widths_no_release grid=2 block=1 expect=missing-release@1@2 also=missing-release@3@2
KERNEL(widths_no_release)
{
    if (BID == 0) {
        y[0] = 1; // @1
        y[1] = 2; // @3
        ST("relaxed.gpu", flag, 1);
    } else if (LD("acquire.gpu", flag)) {
        *(long long *)x = *(long long *)y; // @2
    }
}

// A lane acquires, and hands the flag to its neighbour by a shuffle.
// case: lanes_shuffled_flag grid=2 block=2 expect=data-race@1@2
KERNEL(lanes_shuffled_flag)
{
    if (BID == 0) {
        if (TID == 0) {
            x[0] = 1; // @1
            ST("release.gpu", flag, 1);
        }
    } else {
        unsigned f = TID == 0 ? LD("acquire.gpu", flag) : 0;
        f = __shfl_sync(3u, f, 0);
        if (TID == 1 && f)
            y[0] = x[0]; // @2
    }
}

// case: lanes_shuffled_flag_syncwarp grid=2 block=2 expect=silent
KERNEL(lanes_shuffled_flag_syncwarp)
{
    if (BID == 0) {
        if (TID == 0) {
            x[0] = 1;
            ST("release.gpu", flag, 1);
        }
    } else {
        unsigned f = TID == 0 ? LD("acquire.gpu", flag) : 0;
        __syncwarp(3u);
        f = __shfl_sync(3u, f, 0);
        if (TID == 1 && f)
            y[0] = x[0];
    }
}

// A vector is read element by element: at the second one its thread has not come back to where it was at the first.
// case: widths_vector_passed grid=2 block=1 expect=silent
KERNEL(widths_vector_passed)
{
    if (BID == 0) {
        *(int4 *)x = make_int4(1, 2, 3, 4);
        __threadfence();
        atomicExch(flag, 1);
    } else {
        while (VOL(flag[0]) == 0) {
        }
        __threadfence();
        *(int4 *)y = *(int4 *)x;
    }
}

// case: widths_vector_passed_bare grid=2 block=1 expect=missing-release@1@2
KERNEL(widths_vector_passed_bare)
{
    if (BID == 0) {
        *(int4 *)x = make_int4(1, 2, 3, 4); // @1
        atomicExch(flag, 1);
    } else {
        while (VOL(flag[0]) == 0) {
        }
        __threadfence();
        *(int4 *)y = *(int4 *)x; // @2
    }
}

// A loop waits for both halves of a vector.
// case: widths_vector_polled grid=2 block=1 expect=silent
KERNEL(widths_vector_polled)
{
    if (BID == 0) {
        ST("relaxed.gpu", &flag[0], 1);
        ST("relaxed.gpu", &flag[1], 1);
    } else {
        unsigned a, b;
        do
            asm volatile("ld.relaxed.gpu.v2.u32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "l"(flag) : "memory");
        while (a + b < 2);
    }
}

// case: widths_vector_polled_in_vain grid=2 block=1 expect=deadlock@1
KERNEL(widths_vector_polled_in_vain)
{
    if (BID == 0) {
        ST("relaxed.gpu", &flag[0], 1);
    } else {
        unsigned a, b;
        do
            asm volatile("ld.relaxed.gpu.v2.u32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "l"(flag) : "memory"); // @1
        while (a + b < 2);
    }
}

// Whole warps read one byte of a word together, then half of it; some thread of any of them may write there next, or beside it.
// case: widths_warps_read_byte grid=2 block=128 n=67 expect=data-race@1@2
KERNEL(widths_warps_read_byte)
{
    __shared__ unsigned char part[4];
    if (TID == 0)
        part[1] = part[2] = 1;
    __syncthreads();
    x[GID] = part[1]; // @1
    if (TID == n)
        part[1] = 2; // @2
}

// case: widths_warps_read_half grid=2 block=128 n=127 expect=data-race@1@2
KERNEL(widths_warps_read_half)
{
    __shared__ unsigned short part[2];
    if (TID == 0)
        part[1] = 1;
    __syncthreads();
    x[GID] = part[1]; // @1
    if (TID == n)
        part[1] = 2; // @2
}

// case: widths_warps_read_early grid=2 block=128 expect=data-race@1@2
KERNEL(widths_warps_read_early)
{
    __shared__ unsigned char part[4];
    if (TID == 0)
        part[1] = 1;
    __syncthreads();
    if (TID == 5)
        part[1] = 2; // @1
    x[GID] = part[1]; // @2
}

// case: widths_warps_read_byte_right grid=2 block=128 n=67 expect=silent
KERNEL(widths_warps_read_byte_right)
{
    __shared__ unsigned char part[4];
    if (TID == 0)
        part[1] = part[3] = 1;
    __syncthreads();
    x[GID] = part[1];
    if (TID == n)
        part[0] = part[2] = 2;
    __syncthreads();
    x[GID] += part[1];
    __syncthreads();
    if (TID == n)
        part[1] = 2;
}

// A thread that has read a word looks at half of it, too, before it stores there; who has read the word strongly before is still morally strong with that.
#define HALF_LOOK(name, how)                                                                       \
    KERNEL(name)                                                                                   \
    {                                                                                              \
        unsigned short half;                                                                       \
        if (BID == 0) {                                                                            \
            x[0] = LD(how, flag);                                                                  \
        } else {                                                                                   \
            x[1] = LD("weak", flag);                                                               \
            asm volatile("ld.acquire.sys.u16 %0, [%1];" : "=h"(half) : "l"((short *)flag + 1) : "memory"); \
            x[2] = half;                                                                           \
            ST("relaxed.gpu", flag, 1);                                                            \
        }                                                                                          \
    }
// case: widths_half_looked_at_right grid=2 block=1 expect=silent
HALF_LOOK(widths_half_looked_at_right, "relaxed.gpu")
// case: widths_half_looked_at_weak grid=2 block=1 expect=data-race
HALF_LOOK(widths_half_looked_at_weak, "weak")

// The writer of a signal looks at half of it; what the signal passes on, and to whom, is as before.
#define HALF_OF_SIGNAL(name, how)                                                                  \
    KERNEL(name)                                                                                   \
    {                                                                                              \
        if (BID == 0) {                                                                            \
            y[0] = 7; /* @1 */                                                                     \
            ST(how, flag, 1);                                                                      \
            x[2] = *((volatile short *)flag + 1);                                                  \
        } else {                                                                                   \
            while (LD("acquire.gpu", flag) == 0)                                                   \
                ;                                                                                  \
            x[0] = y[0]; /* @2 */                                                                  \
        }                                                                                          \
    }
// case: widths_half_of_signal_right grid=2 block=1 expect=silent
HALF_OF_SIGNAL(widths_half_of_signal_right, "release.gpu")
// case: widths_half_of_signal_relaxed grid=2 block=1 expect=missing-release
HALF_OF_SIGNAL(widths_half_of_signal_relaxed, "relaxed.gpu")

// Whoever has seen the whole signal comes after it, looks at half of it, and may reset it by a plain store; not who has not seen it.
#define HALF_THEN_RESET(name, look)                                                                \
    KERNEL(name)                                                                                   \
    {                                                                                              \
        if (BID == 0) {                                                                            \
            ST("relaxed.gpu", flag, 0x10001);                                                      \
        } else {                                                                                   \
            look;                                                                                  \
            x[2] = *((volatile short *)flag + 1);                                                  \
            *flag = 0;                                                                             \
        }                                                                                          \
    }
// case: widths_half_then_reset_right grid=2 block=1 expect=silent
HALF_THEN_RESET(widths_half_then_reset_right, while (LD("relaxed.gpu", flag) == 0))
// case: widths_half_then_reset_unseen grid=2 block=1 expect=data-race
HALF_THEN_RESET(widths_half_then_reset_unseen, )
