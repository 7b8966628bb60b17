// A look that may be stale: nothing is doubted where the thread would do the same with the older value, or would only look again.
#include "judge.cuh"

#define PUSH(v)                                                                                                                \
    do {                                                                                                                       \
        unsigned at_ = atomicAdd(&flag[1], 1);                                                                                 \
        y[at_] = (v);                                                                                                          \
        __threadfence();                                                                                                       \
        VOL(flag[8 + at_]) = 1;                                                                                                \
    } while (0)

// Items add items: a stale look at the queue's tail costs a turn.
// case: stale_turn_right grid=6 block=1 n=256 expect=silent
KERNEL(stale_turn_right)
{
    if (BID == 0) {
        atomicAdd(&flag[2], 1);
        PUSH(1);
        __threadfence();
        VOL(flag[3]) = 1;
    }
    while (VOL(flag[3]) == 0) {
    }
    __threadfence();
    while (VOL(flag[2]) > 0) {
        unsigned i = VOL(flag[0]);
        if (i >= VOL(flag[1]) || atomicCAS(&flag[0], i, i + 1) != i)
            continue;
        while (VOL(flag[8 + i]) == 0) {
        }
        __threadfence();
        int item = y[i];
        if (2 * item < n) {
            atomicAdd(&flag[2], 2);
            PUSH(2 * item);
            PUSH(2 * item + 1);
        } else {
            atomicAdd(&x[0], item);
        }
        atomicSub(&flag[2], 1);
    }
}

// One look, and no other: it gives up.
// case: gives_up_at_once grid=2 block=1 expect=ordering:any@1@2
KERNEL(gives_up_at_once)
{
    if (BID == 0) {
        VOL(flag[1]) = 1; // @1
        VOL(flag[3]) = 1;
        return;
    }
    while (VOL(flag[3]) == 0) {
    }
    if (VOL(flag[1]) == 0) // @2
        x[1] = 7;
}

// It gives up after as many looks as it likes: each may be stale.
// case: gives_up_after_some grid=2 block=1 expect=ordering:any@1@2
KERNEL(gives_up_after_some)
{
    if (BID == 0) {
        VOL(flag[1]) = 1; // @1
        VOL(flag[3]) = 1;
        return;
    }
    while (VOL(flag[3]) == 0) {
    }
    for (int i = 0; i < 3; i++)
        if (VOL(flag[1]) != 0) { // @2
            x[1] = 7;
            break;
        }
}

// The reader has seen 5 or 6, and does not care which.
// case: same_way_right grid=2 block=1 expect=silent
KERNEL(same_way_right)
{
    if (BID == 0) {
        VOL(flag[1]) = 5;
        while (VOL(flag[2]) == 0) {
        }
        VOL(flag[1]) = 6;
        VOL(flag[3]) = 1;
        return;
    }
    while (VOL(flag[1]) == 0) {
    }
    VOL(flag[2]) = 1;
    while (VOL(flag[3]) == 0) {
    }
    if (VOL(flag[1]) > 4)
        x[1] = 7;
}

// It does.
// case: other_way grid=2 block=1 expect=ordering:any@1@2
KERNEL(other_way)
{
    if (BID == 0) {
        VOL(flag[1]) = 5;
        while (VOL(flag[2]) == 0) {
        }
        VOL(flag[1]) = 6; // @1
        VOL(flag[3]) = 1;
        return;
    }
    while (VOL(flag[1]) == 0) {
    }
    VOL(flag[2]) = 1;
    while (VOL(flag[3]) == 0) {
    }
    if (VOL(flag[1]) > 5) // @2
        x[1] = 7;
}
