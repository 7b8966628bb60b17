// Check, then act, where what is checked is computed from what was read: is there room for so many? Whether the check would come out otherwise
// with what stands there when the thread acts is computed anew, whatever stands between.
#include "judge.cuh"

// case: room_sum_le grid=8 block=1 expect=ordering@1@2
KERNEL(room_sum_le)
{
    unsigned size = BID % 3 + 1;
    if (atomicAdd(&flag[0], 0u) + size <= 7) // @1
        atomicAdd(&flag[0], size); // @2
}

// case: room_sum_le_arg grid=8 block=1 n=7 expect=ordering@1@2
KERNEL(room_sum_le_arg)
{
    unsigned size = BID % 3 + 1;
    if (atomicAdd(&flag[0], 0u) + size <= (unsigned)n) // @1
        atomicAdd(&flag[0], size); // @2
}

// case: room_sum_le_enough grid=8 block=1 n=1000 expect=silent
KERNEL(room_sum_le_enough)
{
    unsigned size = BID % 3 + 1;
    if (atomicAdd(&flag[0], 0u) + size <= (unsigned)n)
        atomicAdd(&flag[0], size);
}

// case: room_room grid=8 block=1 n=7 expect=ordering@1@2
KERNEL(room_room)
{
    unsigned size = BID % 3 + 1;
    if ((unsigned)n - atomicAdd(&flag[0], 0u) >= size) // @1
        atomicAdd(&flag[0], size); // @2
}

// case: room_room_enough grid=8 block=1 n=100 expect=silent
KERNEL(room_room_enough)
{
    unsigned size = BID % 3 + 1;
    if ((unsigned)n - atomicAdd(&flag[0], 0u) >= size)
        atomicAdd(&flag[0], size);
}

// case: room_room_min grid=8 block=1 n=7 expect=ordering@1@2
KERNEL(room_room_min)
{
    int size = BID % 3 + 1;
    if (min(n - atomicAdd(&x[0], 0), 5) >= size) // @1
        atomicAdd(&x[0], size); // @2
}

// case: room_room_max grid=8 block=1 n=7 expect=ordering@1@2
KERNEL(room_room_max)
{
    int size = BID % 3 + 1;
    if (max(n - atomicAdd(&x[0], 0), 0) >= size) // @1
        atomicAdd(&x[0], size); // @2
}

// case: room_times grid=8 block=1 n=40 expect=ordering@1@2
KERNEL(room_times)
{
    int size = BID % 3 + 1;
    if (atomicAdd(&x[0], 0) * 5 + size <= n) // @1
        atomicAdd(&x[0], size); // @2
}

// case: room_times_four grid=8 block=1 n=40 expect=ordering@1@2
KERNEL(room_times_four)
{
    int size = BID % 3 + 1;
    if ((atomicAdd(&x[0], 0) + size) * 4 <= n) // @1
        atomicAdd(&x[0], size); // @2
}

// case: room_select grid=8 block=1 n=7 expect=ordering@1@2
KERNEL(room_select)
{
    int size = BID % 3 + 1;
    int used = atomicAdd(&x[0], 0); // @1
    int room = used < n ? n - used : 0;
    if (room >= size)
        atomicAdd(&x[0], size); // @2
}

// case: room_select_other grid=8 block=1 n=7 expect=ordering@1@2
KERNEL(room_select_other)
{
    int size = BID % 3 + 1;
    int used = atomicAdd(&x[0], 0); // @1
    int cost = y[BID] ? 2 : used;
    if (cost + size <= n)
        atomicAdd(&x[0], size); // @2
}

// case: room_sum_checked_again grid=8 block=1 n=7 expect=silent
KERNEL(room_sum_checked_again)
{
    unsigned size = BID % 3 + 1;
    if (atomicAdd(&flag[0], 0u) + size <= (unsigned)n) {
        unsigned old = atomicAdd(&flag[0], size);
        if (old + size > (unsigned)n)
            atomicSub(&flag[0], size);
    }
}

// case: room_sum_cas grid=8 block=1 n=7 expect=silent
KERNEL(room_sum_cas)
{
    unsigned size = BID % 3 + 1, old = VOL(flag[0]);
    while (old + size <= (unsigned)n) {
        unsigned was = atomicCAS(&flag[0], old, old + size);
        if (was == old)
            break;
        old = was;
    }
}

// case: room_sum_single grid=8 block=1 n=7 expect=silent
KERNEL(room_sum_single)
{
    for (unsigned i = 0; BID == 0 && i < 6; i++) {
        unsigned size = i % 3 + 1;
        if (atomicAdd(&flag[0], 0u) + size <= (unsigned)n)
            atomicAdd(&flag[0], size);
    }
}

// case: room_sum_locked grid=4 block=1 n=7 expect=silent
KERNEL(room_sum_locked)
{
    unsigned size = BID % 3 + 1;
    while (atomicCAS(&flag[1], 0u, 1u) != 0)
        ;
    __threadfence();
    if (VOL(flag[0]) + size <= 5)
        atomicAdd(&flag[0], size);
    __threadfence();
    atomicExch(&flag[1], 0u);
}

// case: room_vol_sum grid=8 block=1 n=7 expect=ordering@1@2
KERNEL(room_vol_sum)
{
    unsigned size = BID % 3 + 1;
    if (VOL(flag[0]) + size <= (unsigned)n) // @1
        atomicAdd(&flag[0], size); // @2
}

// case: room_relaxed_sum grid=8 block=32 n=7 expect=ordering@1@2
KERNEL(room_relaxed_sum)
{
    unsigned size = BID % 3 + 1;
    if (LD("relaxed.gpu", &flag[0]) + size <= (unsigned)n) // @1
        RED_ADD("relaxed.gpu", &flag[0], size); // @2
}

// case: room_slot_sum grid=8 block=1 n=7 expect=ordering@1@2
KERNEL(room_slot_sum)
{
    unsigned size = BID % 3 + 1;
    if (atomicAdd(&flag[0], 0u) + size <= (unsigned)n) { // @1
        unsigned at = atomicAdd(&flag[0], size); // @2
        for (unsigned i = 0; i < size; i++)
            y[at + i] = BID;
    }
}

// case: room_minus grid=8 block=1 n=7 expect=ordering@1@2
KERNEL(room_minus)
{
    int size = BID % 3 + 1;
    if (BID == 7)
        atomicAdd(&x[0], 5);
    else if (atomicAdd(&x[0], 0) - size >= 0) // @1
        atomicSub(&x[0], size); // @2
}

// case: room_wide grid=8 block=1 n=7 expect=ordering@1@2
KERNEL(room_wide)
{
    unsigned long long size = BID % 3 + 1, *p = (unsigned long long *)x;
    if (atomicAdd(p, 0ull) + size <= 7) // @1
        atomicAdd(p, size); // @2
}

// case: room_wide_narrow grid=8 block=1 n=7 expect=ordering@1@2
KERNEL(room_wide_narrow)
{
    unsigned size = BID % 3 + 1;
    if ((unsigned long long)atomicAdd(&flag[0], 0u) + size <= (unsigned)n) // @1
        atomicAdd(&flag[0], size); // @2
}

// case: room_float grid=8 block=1 n=7 expect=ordering@1@2
KERNEL(room_float)
{
    float size = BID % 3 + 1, *p = (float *)x;
    if (atomicAdd(p, 0.0f) + size <= 7.0f) // @1
        atomicAdd(p, size); // @2
}

// case: room_and grid=8 block=1 n=7 expect=ordering@1@2
KERNEL(room_and)
{
    int size = BID % 3 + 1;
    int used = atomicAdd(&x[0], 0); // @1
    if (used >= 0 && used + size <= n)
        atomicAdd(&x[0], size); // @2
}

// case: room_loop grid=4 block=1 n=7 expect=ordering@1@2
KERNEL(room_loop)
{
    while (atomicAdd(&x[0], 0) < n) // @1
        atomicAdd(&x[0], 1); // @2
}

// case: room_loop_sum grid=4 block=1 n=7 expect=ordering@1@2
KERNEL(room_loop_sum)
{
    int size = BID % 3 + 1;
    while (atomicAdd(&x[0], 0) + size <= n) // @1
        atomicAdd(&x[0], size); // @2
}

// case: room_loop_for grid=4 block=1 n=7 expect=ordering@1@2
KERNEL(room_loop_for)
{
    for (int i = 0; i < 4; i++)
        if (atomicAdd(&x[0], 0) < n) // @1
            atomicAdd(&x[0], 1); // @2
}

// case: room_loop_break grid=4 block=1 n=7 expect=ordering@1@2
KERNEL(room_loop_break)
{
    for (int i = 0; i < 4; i++) {
        if (atomicAdd(&x[0], 0) >= n) // @1
            break;
        atomicAdd(&x[0], 1); // @2
    }
}

// case: room_loop_wait grid=4 block=1 n=7 expect=ordering@1@2
KERNEL(room_loop_wait)
{
    if (BID == 3) {
        for (int i = 0; i < 3; i++)
            atomicAdd(&x[0], 1);
    } else {
        while (atomicAdd(&x[0], 0) == 0) // @1
            ;
        atomicSub(&x[0], 1); // @2
    }
}

// case: room_loop_claim grid=4 block=1 n=7 expect=silent
KERNEL(room_loop_claim)
{
    for (;;) {
        int i = atomicAdd(&x[0], 1);
        if (i >= n)
            break;
        y[i] = BID;
    }
}

// case: room_queue grid=4 block=1 n=7 then=room_queue_pops expect=ordering@1@2
KERNEL(room_queue)
{
    if (GID == 0)
        flag[1] = 3;
}
KERNEL(room_queue_pops)
{
    if (VOL(flag[0]) < VOL(flag[1])) { // @1
        unsigned i = atomicAdd(&flag[0], 1u); // @2
        y[i] = x[i] + 1;
    }
}

// case: room_two_words grid=8 block=1 n=3 expect=ordering@1@2
KERNEL(room_two_words)
{
    if (atomicAdd(&flag[0], 0u) < (unsigned)n) { // @1
        unsigned slot = atomicAdd(&flag[1], 1u);
        VOL(y[slot]) = BID;
        atomicAdd(&flag[0], 1u); // @2
    }
}

// case: room_two_words_first grid=8 block=1 n=3 expect=silent
KERNEL(room_two_words_first)
{
    if (atomicAdd(&flag[0], 1u) < (unsigned)n) {
        unsigned slot = atomicAdd(&flag[1], 1u);
        VOL(y[slot]) = BID;
    } else
        atomicSub(&flag[0], 1u);
}
