// What others have added is taken, and the place emptied by hand: what comes in between is lost. And amounts that are computed from what was read.
#include "judge.cuh"

#define GIVE if (BID > 0) { atomicAdd(&x[0], 1); return; }

// case: taken_exch grid=4 block=1 expect=ordering@1@2
KERNEL(taken_exch)
{
    GIVE
    int v = atomicAdd(&x[0], 0); // @1
    y[0] = v;
    atomicExch(&x[0], 0); // @2
}

// Another number empties nothing: which update stays is the program's to say.
// case: taken_other_number grid=4 block=1 expect=silent
KERNEL(taken_other_number)
{
    GIVE
    int v = atomicAdd(&x[0], 0);
    y[0] = v;
    atomicExch(&x[0], 2);
}

// case: taken_minus_one grid=4 block=1 expect=ordering@1@2
KERNEL(taken_minus_one)
{
    GIVE
    int v = atomicAdd(&x[0], 0); // @1
    y[0] = v;
    atomicExch(&x[0], -1); // @2
}

// case: taken_store grid=4 block=1 expect=ordering@1@2
KERNEL(taken_store)
{
    GIVE
    int v = VOL_INT(x[0]); // @1
    VOL_INT(x[0]) = 0; // @2
    y[0] = v;
}

// case: taken_relaxed grid=4 block=1 expect=ordering@1@2
KERNEL(taken_relaxed)
{
    GIVE
    int v = LD("relaxed.gpu", &x[0]); // @1
    ST("relaxed.gpu", &x[0], 0); // @2
    atomicAdd(&y[0], v);
}

// case: taken_right grid=4 block=1 expect=silent
KERNEL(taken_right)
{
    GIVE
    y[0] = atomicExch(&x[0], 0);
}

// case: taken_sub grid=4 block=1 expect=silent
KERNEL(taken_sub)
{
    GIVE
    int v = atomicAdd(&x[0], 0);
    y[0] = v;
    atomicSub(&x[0], v);
}

// case: taken_if grid=4 block=1 expect=ordering@1@2
KERNEL(taken_if)
{
    GIVE
    int v = VOL_INT(x[0]); // @1
    if (v > 0) {
        VOL_INT(x[0]) = 0; // @2
        y[0] = v;
    }
}

// case: taken_loop grid=4 block=1 expect=ordering@1@2
KERNEL(taken_loop)
{
    GIVE
    int sum = 0;
    for (int i = 0; i < 8; i++) {
        sum += atomicAdd(&x[0], 0); // @1
        atomicExch(&x[0], 0); // @2
    }
    y[0] = sum;
}

// case: taken_loop_right grid=4 block=1 expect=silent
KERNEL(taken_loop_right)
{
    GIVE
    int sum = 0;
    for (int i = 0; i < 8; i++)
        sum += atomicExch(&x[0], 0);
    y[0] = sum;
}

// case: taken_done grid=4 block=1 expect=silent
KERNEL(taken_done)
{
    if (BID > 0) { atomicAdd(&x[0], 1); __threadfence(); atomicAdd(&x[1], 1); return; }
    while (atomicAdd(&x[1], 0) < 3)
        ;
    __threadfence();
    int v = atomicAdd(&x[0], 0);
    y[0] = v;
    atomicExch(&x[0], 0);
}

// case: taken_locked grid=4 block=1 expect=silent
KERNEL(taken_locked)
{
    while (atomicCAS(&flag[1], 0u, 1u) != 0)
        ;
    __threadfence();
    if (BID > 0) {
        atomicAdd(&x[0], 1);
    } else {
        int v = VOL_INT(x[0]);
        VOL_INT(x[0]) = 0;
        y[0] = v;
    }
    __threadfence();
    atomicExch(&flag[1], 0u);
}

// A bell that is rung again and again: who has heard it once need not count.
// case: taken_bell grid=4 block=1 expect=silent
KERNEL(taken_bell)
{
    if (BID > 0) { atomicExch(&x[0], 1); return; }
    if (VOL_INT(x[0])) {
        VOL_INT(x[0]) = 0;
        y[0] = 1;
    }
}

// case: taken_reset_unused grid=4 block=1 expect=silent
KERNEL(taken_reset_unused)
{
    GIVE
    atomicExch(&x[0], 0);
}

// case: taken_block grid=2 block=32 expect=ordering@1@2
KERNEL(taken_block)
{
    __shared__ int sum;
    if (TID == 0)
        sum = 0;
    __syncthreads();
    if (TID > 0) {
        atomicAdd(&sum, 1);
    } else {
        y[BID] = *(volatile int *)&sum; // @1
        *(volatile int *)&sum = 0; // @2
    }
}

// case: taken_two grid=4 block=1 expect=ordering@1@2
KERNEL(taken_two)
{
    atomicAdd(&x[0], 1);
    int v = atomicAdd(&x[0], 0); // @1
    atomicAdd(&y[0], v);
    atomicExch(&x[0], 0); // @2
}

// case: taken_two_right grid=4 block=1 expect=silent
KERNEL(taken_two_right)
{
    atomicAdd(&x[0], 1);
    atomicAdd(&y[0], atomicExch(&x[0], 0));
}

// case: taken_bits_taken grid=4 block=1 expect=ordering@1@2
KERNEL(taken_bits_taken)
{
    if (BID > 0) { atomicOr(&x[0], 1 << BID); return; }
    int v = VOL_INT(x[0]); // @1
    VOL_INT(x[0]) = 0; // @2
    y[0] = v;
}

// case: taken_bits_taken_right grid=4 block=1 expect=silent
KERNEL(taken_bits_taken_right)
{
    if (BID > 0) { atomicOr(&x[0], 1 << BID); return; }
    y[0] = atomicExch(&x[0], 0);
}

// case: taken_min_want grid=4 block=1 then=taken_min_want_takes expect=ordering@1@2
KERNEL(taken_min_want)
{
    if (BID == 0)
        x[0] = 5;
}
KERNEL(taken_min_want_takes)
{
    int left = atomicAdd(&x[0], 0); // @1
    int take = min(left, 3);
    atomicSub(&x[0], take); // @2
    y[BID] = take;
}

// An amount that is looked up: only one takes.
// case: taken_all_one grid=3 block=1 expect=silent
KERNEL(taken_all_one)
{
    if (BID > 0) {
        atomicAdd(&x[0], 3);
    } else {
        int all = atomicAdd(&x[0], 0);
        atomicSub(&x[0], all);
        y[0] = all;
    }
}

// case: taken_all_two grid=4 block=1 expect=ordering@1@2
KERNEL(taken_all_two)
{
    if (BID < 2) {
        atomicAdd(&x[0], 3);
    } else {
        int all = atomicAdd(&x[0], 0); // @1
        atomicSub(&x[0], all); // @2
        y[BID] = all;
    }
}

// A flag that is taken down by whoever handles it: a bell, also by `or`.
// case: taken_bell_or grid=3 block=1 expect=silent
KERNEL(taken_bell_or)
{
    if (BID > 0) {
        VOL(flag[0]) = 1;
    } else if (VOL(flag[0])) {
        VOL(flag[0]) = 0;
        y[0] = 1;
    }
}

// The latest value of a box: what is put there anew is meant to be lost.
// case: taken_box grid=3 block=1 expect=silent
KERNEL(taken_box)
{
    if (BID > 0) {
        atomicExch(&x[0], BID);
    } else {
        int v = VOL_INT(x[0]);
        if (v) {
            y[0] = v;
            VOL_INT(x[0]) = 0;
        }
    }
}

// A list that is taken whole by hand.
// case: taken_list grid=3 block=1 expect=ordering@1@2
KERNEL(taken_list)
{
    if (BID > 0) {
        unsigned head = VOL(flag[0]);
        for (;;) {
            VOL(flag[10 + BID]) = head;
            unsigned was = atomicCAS(&flag[0], head, BID);
            if (was == head)
                break;
            head = was;
        }
    } else {
        unsigned head = atomicAdd(&flag[0], 0u); // @1
        VOL(flag[0]) = 0; // @2
        y[0] = head;
    }
}

// case: taken_list_right grid=3 block=1 expect=silent
KERNEL(taken_list_right)
{
    if (BID > 0) {
        unsigned head = VOL(flag[0]);
        for (;;) {
            VOL(flag[10 + BID]) = head;
            unsigned was = atomicCAS(&flag[0], head, BID);
            if (was == head)
                break;
            head = was;
        }
    } else {
        y[0] = atomicExch(&flag[0], 0u) != 0;
    }
}

// The last block reads the sum and empties it: all have added.
// case: taken_last_resets grid=4 block=1 expect=silent
KERNEL(taken_last_resets)
{
    atomicAdd(&x[0], BID);
    __threadfence();
    if (atomicAdd(&flag[0], 1u) == GRID - 1) {
        __threadfence();
        y[0] = atomicAdd(&x[0], 0);
        atomicExch(&x[0], 0);
        atomicExch(&flag[0], 0u);
    }
}

// The block that read 3 tickets resets without waiting for the adds of all: lost.
// case: taken_early_resets grid=4 block=1 expect=ordering@1@2
KERNEL(taken_early_resets)
{
    if (atomicAdd(&flag[0], 1u) == 1) {
        y[0] = atomicAdd(&x[0], 0); // @1
        atomicExch(&x[0], 0); // @2
    } else
        atomicAdd(&x[0], 1);
}

// Steps of a gradient: none is wrong for good.
// case: taken_gradient grid=4 block=1 expect=ordering:warning
KERNEL(taken_gradient)
{
    float *w = (float *)x;
    for (int i = 0; i < 3; i++)
        atomicAdd(w, 0.1f * (1.0f - *(volatile float *)w));
}

// A list's head is read, kept as the next of what is put in its place: an exchange by hand, to which another's is lost.
// case: taken_push grid=4 block=1 expect=ordering@1@2
KERNEL(taken_push)
{
    unsigned head = VOL(flag[0]); // @1
    VOL(flag[10 + BID]) = head;
    __threadfence();
    VOL(flag[0]) = BID + 1; // @2
}

// case: taken_push_lanes grid=1 block=8 expect=ordering@1@2
KERNEL(taken_push_lanes)
{
    unsigned head = VOL(flag[0]); // @1
    VOL(flag[10 + TID]) = head;
    VOL(flag[0]) = TID + 1; // @2
}

// case: taken_push_atomics grid=4 block=1 expect=ordering@1@2
KERNEL(taken_push_atomics)
{
    unsigned head = atomicAdd(&flag[0], 0u); // @1
    atomicExch(&flag[0], BID + 1); // @2
    atomicExch(&flag[10 + BID], head);
}

// case: taken_push_right grid=4 block=2 expect=silent
KERNEL(taken_push_right)
{
    VOL(flag[10 + 2 * BID + TID]) = atomicExch(&flag[0], 2 * BID + TID + 1);
}

// case: taken_push_locked grid=4 block=1 expect=silent
KERNEL(taken_push_locked)
{
    while (atomicCAS(&flag[1], 0u, 1u) != 0)
        ;
    __threadfence();
    unsigned head = VOL(flag[0]);
    VOL(flag[10 + BID]) = head;
    VOL(flag[0]) = BID + 1;
    __threadfence();
    atomicExch(&flag[1], 0u);
}

// Each thread's own place.
// case: taken_push_own grid=4 block=1 expect=silent
KERNEL(taken_push_own)
{
    for (int i = 0; i < 3; i++) {
        unsigned was = VOL(flag[BID]);
        VOL(flag[10 + BID]) = was;
        VOL(flag[BID]) = 10 * i + BID;
    }
}

// What was read only decides.
// case: taken_push_only_looks grid=4 block=1 expect=silent
KERNEL(taken_push_only_looks)
{
    unsigned was = VOL(flag[0]);
    VOL(flag[0]) = BID + 1;
    y[BID] = was > 100;
}

// The way to a root is shortened, and what is kept is what no store was made for.
// case: taken_push_root grid=4 block=1 then=taken_push_root_finds expect=silent
KERNEL(taken_push_root)
{
    if (BID == 0)
        for (int i = 0; i < 6; i++)
            x[i] = i ? i - 1 : 0;
}
KERNEL(taken_push_root_finds)
{
    int v = 5 - (int)BID % 2;
    for (;;) {
        int up = VOL_INT(x[v]);
        if (up == v) {
            y[BID] = up;
            return;
        }
        int above = VOL_INT(x[up]);
        VOL_INT(x[v]) = above;
        v = above;
    }
}
