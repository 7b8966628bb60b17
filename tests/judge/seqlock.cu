// A sequence lock: a writer that makes the number odd, writes, makes it even again; a reader that tries until it has seen
// the same even number twice. All accesses are relaxed, so nothing races: what is missing shows in what the reader keeps.
// Its loops are asked of the model where they are short; where they are long, older values are drawn.
#include "judge.cuh"

#define RELAXED_LOAD(v, p) asm volatile("ld.relaxed.gpu.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
#define RELAXED_STORE(p, v) asm volatile("st.relaxed.gpu.s32 [%0], %1;" ::"l"(p), "r"(v) : "memory")

// case: seqlock_right grid=2 block=1 expect=silent
KERNEL(seqlock_right)
{
    if (BID == 0) {
        VOL(flag[0]) = 1;
        __threadfence();
        RELAXED_STORE(&x[0], 1);
        RELAXED_STORE(&x[1], -1);
        __threadfence();
        VOL(flag[0]) = 2;
    } else {
        int first, second, a, b;
        do {
            first = VOL(flag[0]);
            __threadfence();
            RELAXED_LOAD(a, &x[0]);
            RELAXED_LOAD(b, &x[1]);
            __threadfence();
            second = VOL(flag[0]);
        } while (first != second || (first & 1));
        y[0] = a + b;
    }
}

// The data may be seen before the odd number.
// case: seqlock_no_fence_behind_odd grid=2 block=1 expect=ordering
KERNEL(seqlock_no_fence_behind_odd)
{
    if (BID == 0) {
        VOL(flag[0]) = 1;
        RELAXED_STORE(&x[0], 1);
        RELAXED_STORE(&x[1], -1);
        __threadfence();
        VOL(flag[0]) = 2;
    } else {
        int first, second, a, b;
        do {
            first = VOL(flag[0]);
            __threadfence();
            RELAXED_LOAD(a, &x[0]);
            RELAXED_LOAD(b, &x[1]);
            __threadfence();
            second = VOL(flag[0]);
        } while (first != second || (first & 1));
        y[0] = a + b;
    }
}

// The second look may be made before the data are read.
// case: seqlock_no_fence_before_second_look grid=2 block=1 expect=ordering
KERNEL(seqlock_no_fence_before_second_look)
{
    if (BID == 0) {
        VOL(flag[0]) = 1;
        __threadfence();
        RELAXED_STORE(&x[0], 1);
        RELAXED_STORE(&x[1], -1);
        __threadfence();
        VOL(flag[0]) = 2;
    } else {
        int first, second, a, b;
        do {
            first = VOL(flag[0]);
            __threadfence();
            RELAXED_LOAD(a, &x[0]);
            RELAXED_LOAD(b, &x[1]);
            second = VOL(flag[0]);
        } while (first != second || (first & 1));
        y[0] = a + b;
    }
}

// The even number may be seen before the data; tried once, so that all older values agree and only a mixture shows it.
// case: seqlock_once_no_fence_before_even grid=2 block=1 expect=ordering
KERNEL(seqlock_once_no_fence_before_even)
{
    if (BID == 0) {
        VOL(flag[0]) = 1;
        __threadfence();
        RELAXED_STORE(&x[0], 1);
        RELAXED_STORE(&x[1], -1);
        VOL(flag[0]) = 2;
    } else {
        int a, b, first = VOL(flag[0]);
        __threadfence();
        RELAXED_LOAD(a, &x[0]);
        RELAXED_LOAD(b, &x[1]);
        __threadfence();
        int second = VOL(flag[0]);
        if (first == second && !(first & 1))
            y[0] = a + b;
    }
}

// case: seqlock_once_right grid=2 block=1 expect=silent
KERNEL(seqlock_once_right)
{
    if (BID == 0) {
        VOL(flag[0]) = 1;
        __threadfence();
        RELAXED_STORE(&x[0], 1);
        RELAXED_STORE(&x[1], -1);
        __threadfence();
        VOL(flag[0]) = 2;
    } else {
        int a, b, first = VOL(flag[0]);
        __threadfence();
        RELAXED_LOAD(a, &x[0]);
        RELAXED_LOAD(b, &x[1]);
        __threadfence();
        int second = VOL(flag[0]);
        if (first == second && !(first & 1))
            y[0] = a + b;
    }
}

// Long: four writes, three readers; too much for the model.
// case: seqlock_long_no_fence_before_even grid=4 block=32 expect=ordering
KERNEL(seqlock_long_no_fence_before_even)
{
    if (TID != 0)
        return;
    if (BID == 0) {
        for (int i = 1; i <= 4; i++) {
            VOL(flag[0]) = 2 * i - 1;
            __threadfence();
            RELAXED_STORE(&x[0], i);
            RELAXED_STORE(&x[1], -i);
            VOL(flag[0]) = 2 * i;
        }
    } else {
        int first, second, a, b;
        do {
            first = VOL(flag[0]);
            __threadfence();
            RELAXED_LOAD(a, &x[0]);
            RELAXED_LOAD(b, &x[1]);
            __threadfence();
            second = VOL(flag[0]);
        } while (first != second || (first & 1));
        y[BID] = a + b;
    }
}

// case: seqlock_long_right grid=4 block=32 expect=silent
KERNEL(seqlock_long_right)
{
    if (TID != 0)
        return;
    if (BID == 0) {
        for (int i = 1; i <= 4; i++) {
            VOL(flag[0]) = 2 * i - 1;
            __threadfence();
            RELAXED_STORE(&x[0], i);
            RELAXED_STORE(&x[1], -i);
            __threadfence();
            VOL(flag[0]) = 2 * i;
        }
    } else {
        int first, second, a, b;
        do {
            first = VOL(flag[0]);
            __threadfence();
            RELAXED_LOAD(a, &x[0]);
            RELAXED_LOAD(b, &x[1]);
            __threadfence();
            second = VOL(flag[0]);
        } while (first != second || (first & 1));
        y[BID] = a + b;
    }
}

// Four words, too many executions for the model: what comes between two accesses is drawn.
#define WRITE4(behind_odd, before_even)                                                            \
    VOL(flag[0]) = 1;                                                                              \
    behind_odd;                                                                                    \
    for (int i = 0; i < 4; i++)                                                                    \
        RELAXED_STORE(&x[i], i + 1);                                                               \
    before_even;                                                                                   \
    VOL(flag[0]) = 2
#define READ4(behind_first, before_second)                                                         \
    int first, second, a, b, c, d;                                                                 \
    do {                                                                                           \
        first = VOL(flag[0]);                                                                      \
        behind_first;                                                                              \
        RELAXED_LOAD(a, &x[0]);                                                                    \
        RELAXED_LOAD(b, &x[1]);                                                                    \
        RELAXED_LOAD(c, &x[2]);                                                                    \
        RELAXED_LOAD(d, &x[3]);                                                                    \
        before_second;                                                                             \
        second = VOL(flag[0]);                                                                     \
    } while (first != second || (first & 1));                                                      \
    y[0] = a, y[1] = b, y[2] = c, y[3] = d
#define NO_FENCE

// case: seqlock_4_right grid=2 block=32 expect=silent
KERNEL(seqlock_4_right)
{
    if (TID == 0 && BID == 0) {
        WRITE4(__threadfence(), __threadfence());
    } else if (TID == 0) {
        READ4(__threadfence(), __threadfence());
    }
}

// case: seqlock_4_no_fence_behind_odd grid=2 block=32 expect=ordering
KERNEL(seqlock_4_no_fence_behind_odd)
{
    if (TID == 0 && BID == 0) {
        WRITE4(NO_FENCE, __threadfence());
    } else if (TID == 0) {
        READ4(__threadfence(), __threadfence());
    }
}

// case: seqlock_4_no_fence_before_even grid=2 block=32 expect=ordering
KERNEL(seqlock_4_no_fence_before_even)
{
    if (TID == 0 && BID == 0) {
        WRITE4(__threadfence(), NO_FENCE);
    } else if (TID == 0) {
        READ4(__threadfence(), __threadfence());
    }
}

// case: seqlock_4_no_fence_behind_first_look grid=2 block=32 expect=ordering
KERNEL(seqlock_4_no_fence_behind_first_look)
{
    if (TID == 0 && BID == 0) {
        WRITE4(__threadfence(), __threadfence());
    } else if (TID == 0) {
        READ4(NO_FENCE, __threadfence());
    }
}

// case: seqlock_4_no_fence_before_second_look grid=2 block=32 expect=ordering
KERNEL(seqlock_4_no_fence_before_second_look)
{
    if (TID == 0 && BID == 0) {
        WRITE4(__threadfence(), __threadfence());
    } else if (TID == 0) {
        READ4(__threadfence(), NO_FENCE);
    }
}
