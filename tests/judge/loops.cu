// What a loop reads, however a warp's lanes lie beside each other, and somebody who writes one of the words afterwards, or one that the loop has left out.
#include "judge.cuh"

// ---- A product's two operands: words for half a warp each, and a row for both halves ----

// case: loop_row_for_both_halves grid=2 block=32 expect=data-race@1@2
KERNEL(loop_row_for_both_halves)
{
    int sum = 0;
    if (BID == 1) {
        if (TID == 0)
            x[20 * 16 + 7] = 1; // @2
        return;
    }
    for (int k = 0; k < 32; k++)
        sum += x[k * 16 + TID % 16]; // @1
    y[TID] = sum;
}

// case: loop_row_for_both_halves_right grid=2 block=32 expect=silent
KERNEL(loop_row_for_both_halves_right)
{
    int sum = 0;
    if (BID == 1) {
        if (TID == 0)
            x[20 * 32 + 16 + 7] = 1;
        return;
    }
    for (int k = 0; k < 32; k++)
        sum += x[k * 32 + TID % 16];
    y[TID] = sum;
}

// case: loop_word_for_each_half grid=2 block=32 expect=data-race@1@2
KERNEL(loop_word_for_each_half)
{
    int sum = 0;
    if (BID == 1) {
        if (TID == 0)
            x[300 + 29] = 1; // @2
        return;
    }
    for (int k = 0; k < 30; k++)
        sum += x[TID / 16 * 300 + k]; // @1
    y[TID] = sum;
}

// case: loop_word_for_each_half_right grid=2 block=32 expect=silent
KERNEL(loop_word_for_each_half_right)
{
    int sum = 0;
    if (BID == 1) {
        if (TID == 0)
            x[300 + 30] = 1;
        return;
    }
    for (int k = 0; k < 30; k++)
        sum += x[TID / 16 * 300 + k];
    y[TID] = sum;
}

// ---- Some of the lanes, backwards, anyhow, one word for all ----

// case: loop_backwards grid=2 block=20 expect=data-race@1@2
KERNEL(loop_backwards)
{
    int sum = 0;
    if (BID == 1) {
        if (TID == 3)
            x[3] = 1; // @2
        return;
    }
    for (int k = 30; k-- > 0;)
        sum += x[k * 20 + TID]; // @1
    y[TID] = sum;
}

// case: loop_anyhow grid=2 block=32 expect=data-race@1@2
KERNEL(loop_anyhow)
{
    int sum = 0, own = TID * 37 % 32 * 5;
    if (BID == 1) {
        if (TID == 0)
            x[31 * 5 + 12] = 1; // @2
        return;
    }
    for (int k = 0; k < 15; k += 3)
        sum += x[own + k]; // @1
    y[TID] = sum;
}

// case: loop_anyhow_right grid=2 block=32 expect=silent
KERNEL(loop_anyhow_right)
{
    int sum = 0, own = TID * 37 % 32 * 5;
    if (BID == 1) {
        if (TID == 0)
            x[31 * 5 + 11] = 1;
        return;
    }
    for (int k = 0; k < 15; k += 5)
        sum += x[own + k];
    y[TID] = sum;
}

// case: loop_one_word_for_all grid=2 block=64 expect=data-race@1@2
KERNEL(loop_one_word_for_all)
{
    int sum = 0;
    if (BID == 1) {
        if (TID == 0)
            x[2] = 1; // @2
        return;
    }
    for (int k = 0; k < 40; k++)
        sum += x[k]; // @1
    y[TID] = sum;
}

// The thread's own words, which it has read in a loop, and another warp's.
// case: loop_then_own_write grid=1 block=64 expect=silent
KERNEL(loop_then_own_write)
{
    int sum = 0;
    for (int k = 0; k < 16; k++)
        sum += x[k * 64 + TID];
    x[9 * 64 + TID] = sum;
}

// case: loop_then_write_of_another_warp grid=1 block=64 expect=data-race@1@2
KERNEL(loop_then_write_of_another_warp)
{
    int sum = 0;
    for (int k = 0; k < 16; k++)
        sum += x[k * 64 + TID]; // @1
    x[9 * 64 + 63 - TID] = sum; // @2
}

// case: loop_then_write_behind_a_barrier grid=1 block=64 expect=silent
KERNEL(loop_then_write_behind_a_barrier)
{
    int sum = 0;
    for (int k = 0; k < 16; k++)
        sum += x[k * 64 + TID];
    __syncthreads();
    x[9 * 64 + 63 - TID] = sum;
}

// Read once before a barrier and once behind it: the later one counts.
// case: loop_twice_and_written_between grid=1 block=64 expect=data-race@1@2
KERNEL(loop_twice_and_written_between)
{
    int sum = 0;
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 16; k++)
            sum += x[k * 64 + TID]; // @1
        if (i == 0)
            __syncthreads();
    }
    x[9 * 64 + 63 - TID] = sum; // @2
}

// ---- Through the other cache, by vectors, by bytes ----

// case: loop_not_coherent grid=2 block=32 expect=data-race@1@2
KERNEL(loop_not_coherent)
{
    int sum = 0;
    if (BID == 1) {
        if (TID == 0)
            x[5 * 33 + 30] = 1; // @2
        return;
    }
    for (int k = 0; k < 20; k++)
        sum += __ldg(&x[k * 33 + TID]); // @1
    y[TID] = sum;
}

// case: loop_not_coherent_right grid=2 block=32 expect=silent
KERNEL(loop_not_coherent_right)
{
    int sum = 0;
    if (BID == 1) {
        if (TID == 0)
            x[5 * 33 + 32] = 1;
        return;
    }
    for (int k = 0; k < 20; k++)
        sum += __ldg(&x[k * 33 + TID]);
    y[TID] = sum;
}

// case: loop_by_vectors grid=2 block=8 expect=data-race@1@2
KERNEL(loop_by_vectors)
{
    int sum = 0;
    if (BID == 1) {
        if (TID == 0)
            x[6 * 32 + 31] = 1; // @2
        return;
    }
    for (int k = 0; k < 20; k++) {
        int4 v = ((int4 *)x)[k * 8 + TID]; // @1
        sum += v.x + v.w;
    }
    y[TID] = sum;
}

// case: loop_by_bytes grid=2 block=32 expect=data-race@1@2
KERNEL(loop_by_bytes)
{
    const signed char *bytes = (const signed char *)x;
    int sum = 0;
    if (BID == 1) {
        if (TID == 0)
            ((volatile signed char *)x)[6 * 34 + 31] = 1; // @2
        return;
    }
    for (int k = 0; k < 20; k++)
        sum += bytes[k * 34 + TID]; // @1
    y[TID] = sum;
}

// case: loop_by_bytes_right grid=2 block=32 expect=silent
KERNEL(loop_by_bytes_right)
{
    const signed char *bytes = (const signed char *)x;
    int sum = 0;
    if (BID == 1) {
        if (TID == 0)
            ((volatile signed char *)x)[6 * 34 + 32] = 1;
        return;
    }
    for (int k = 0; k < 20; k++)
        sum += bytes[k * 34 + TID];
    y[TID] = sum;
}
