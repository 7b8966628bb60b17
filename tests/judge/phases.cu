// What comes between two barriers comes in any order. Strong accesses there race by no letter; where it changes what is left whether a
// lane has come to its store or another to its read, it is told, under each seed. Where it changes nothing, it is not.
#include "judge.cuh"

// ---- One barrier a step: a lane may store before another has read ----

// case: phase_reduction grid=1 block=32 expect=ordering@1@1 also=ordering
KERNEL(phase_reduction)
{
    __shared__ volatile int s[64];
    s[TID] = (int)TID + 1;
    s[TID + 32] = 0;
    __syncwarp();
    s[TID] += s[TID + 16];
    __syncwarp();
    s[TID] += s[TID + 8]; // @1
    __syncwarp();
    s[TID] += s[TID + 4];
    __syncwarp();
    s[TID] += s[TID + 2];
    __syncwarp();
    s[TID] += s[TID + 1];
    __syncwarp();
    y[TID] = s[0];
}

// case: phase_reduction_two grid=1 block=32 expect=silent
KERNEL(phase_reduction_two)
{
    __shared__ volatile int s[64];
    int v = (int)TID + 1;
    s[TID] = v;
    s[TID + 32] = 0;
    __syncwarp();
    v += s[TID + 16];
    __syncwarp();
    s[TID] = v;
    __syncwarp();
    v += s[TID + 8];
    __syncwarp();
    s[TID] = v;
    __syncwarp();
    y[TID] = s[0];
}

// Who stores is read by nobody in the same step.
// case: phase_reduction_half grid=2 block=32 expect=silent
KERNEL(phase_reduction_half)
{
    __shared__ volatile int s[32];
    s[TID] = x[GID] + 1;
    __syncwarp();
    if (TID < 16)
        s[TID] += s[TID + 16];
    __syncwarp();
    if (TID < 8)
        s[TID] += s[TID + 8];
    __syncwarp();
    if (TID == 0)
        y[BID] = s[0];
}

// case: phase_reduction_read_first grid=1 block=32 expect=ordering
KERNEL(phase_reduction_read_first)
{
    __shared__ volatile int s[64];
    s[TID] = (int)TID + 1;
    s[TID + 32] = 3;
    __syncthreads();
    for (int k = 16; k; k /= 2) {
        int other = s[TID + k];
        s[TID] = s[TID] + other;
        __syncwarp();
    }
    if (TID == 0)
        y[BID] = s[0];
}

// More threads than go in step one by one.
// case: phase_reduction_blocks grid=2 block=256 expect=ordering@1@1
KERNEL(phase_reduction_blocks)
{
    __shared__ volatile int s[256];
    s[TID] = (int)TID + 1;
    __syncthreads();
    for (int k = 128; k >= 32; k /= 2) {
        if (TID < k)
            s[TID] += s[TID + k];
        __syncthreads();
    }
    if (TID < 32)
        for (int k = 16; k; k /= 2) {
            s[TID] += s[TID + k]; // @1
            __syncwarp();
        }
    if (TID == 0)
        y[BID] = s[0];
}

// A minimum is the same in any order.
// case: phase_minimum grid=1 block=64 expect=silent
KERNEL(phase_minimum)
{
    __shared__ volatile int s[64];
    s[TID] = (int)(TID * 37 + 11) % 64;
    __syncthreads();
    for (int k = 32; k; k /= 2) {
        int other = s[(TID + k) % 64];
        if (other < s[TID])
            s[TID] = other;
        __syncthreads();
    }
    if (TID == 0)
        y[0] = s[0];
}

// case: phase_reset grid=1 block=64 expect=ordering@1@2
KERNEL(phase_reset)
{
    __shared__ volatile int c;
    if (TID == 0)
        c = 7;
    __syncthreads();
    y[TID] = c; // @1
    if (TID == 0)
        c = 0; // @2
}

// case: phase_reset_later grid=1 block=64 expect=silent
KERNEL(phase_reset_later)
{
    __shared__ volatile int c;
    if (TID == 0)
        c = 7;
    __syncthreads();
    y[TID] = c;
    __syncthreads();
    if (TID == 0)
        c = 0;
}

// ---- The store stands first, and nothing waits for it ----

// case: phase_broadcast grid=1 block=32 expect=ordering@1@2
KERNEL(phase_broadcast)
{
    if (TID == 0)
        VOL(x[0]) = 42; // @1
    y[TID] = VOL(x[0]); // @2
}

// case: phase_broadcast_synced grid=1 block=32 expect=silent
KERNEL(phase_broadcast_synced)
{
    if (TID == 0)
        VOL(x[0]) = 42;
    __syncwarp();
    y[TID] = VOL(x[0]);
}

// case: phase_broadcast_block grid=2 block=64 expect=ordering@1@2
KERNEL(phase_broadcast_block)
{
    __shared__ volatile int s;
    if (TID == 0)
        s = 42; // @1
    y[GID] = s; // @2
}

// case: phase_broadcast_block_synced grid=2 block=64 expect=silent
KERNEL(phase_broadcast_block_synced)
{
    __shared__ volatile int s;
    if (TID == 0)
        s = 42;
    __syncthreads();
    y[GID] = s;
}

// Between the store and the read each lane stores something else.
// case: phase_two_stores grid=1 block=32 expect=ordering@1@2
KERNEL(phase_two_stores)
{
    __shared__ volatile int s[32], r[32];
    s[TID] = 0;
    r[TID] = 0;
    __syncwarp();
    s[TID] = (int)TID; // @1
    r[TID] = 5;
    y[TID] = s[TID ^ 3]; // @2
}

// case: phase_count grid=1 block=64 expect=ordering@1@2
KERNEL(phase_count)
{
    __shared__ int c;
    if (TID == 0)
        c = 0;
    __syncthreads();
    if (TID % 3 == 0)
        atomicAdd(&c, 1); // @1
    y[TID] = VOL_INT(c); // @2
}

// case: phase_count_synced grid=1 block=64 expect=silent
KERNEL(phase_count_synced)
{
    __shared__ int c;
    if (TID == 0)
        c = 0;
    __syncthreads();
    if (TID % 3 == 0)
        atomicAdd(&c, 1);
    __syncthreads();
    y[TID] = VOL_INT(c);
}

// ---- Nothing hangs on it ----

// case: phase_found grid=1 block=64 expect=silent
KERNEL(phase_found)
{
    __shared__ volatile int found;
    if (TID == 0)
        found = 0;
    __syncthreads();
    if (x[TID] == (int)TID - 5) {
        y[0] = TID;
        found = 1;
    }
    if (found)
        return;
    for (int i = 0; i < 4; i++)
        if (x[TID + i] == 99)
            y[1] = 1;
}

// case: phase_bound grid=1 block=32 expect=silent
KERNEL(phase_bound)
{
    __shared__ int best;
    if (TID == 0)
        best = 0;
    __syncthreads();
    int v = (int)(TID * 37) % 101;
    if (v > VOL_INT(best))
        atomicMax(&best, v);
    if (VOL_INT(best) > 1000)
        y[1] = 1;
    __syncthreads();
    if (TID == 0)
        y[0] = best;
}

// case: phase_rounds grid=1 block=32 expect=silent
KERNEL(phase_rounds)
{
    __shared__ volatile int d[32], changed;
    d[TID] = TID == 0 ? 0 : 1000;
    __syncthreads();
    for (;;) {
        if (TID == 0)
            changed = 0;
        __syncthreads();
        if (TID > 0 && d[TID - 1] + 1 < d[TID]) {
            d[TID] = d[TID - 1] + 1;
            changed = 1;
        }
        __syncthreads();
        int more = changed;
        __syncthreads();
        if (!more)
            break;
    }
    y[TID] = d[TID];
}

// case: phase_slots grid=1 block=64 expect=silent
KERNEL(phase_slots)
{
    unsigned slot = atomicAdd(&flag[0], 1u);
    VOL(x[slot]) = TID;
    if (VOL(flag[0]) > 64)
        y[0] = 1;
}

// Fences are between the two: they make an order that somebody may wait for.
// case: phase_signalled grid=1 block=64 expect=silent
KERNEL(phase_signalled)
{
    __shared__ volatile int data, up;
    if (TID == 0)
        data = up = 0;
    __syncthreads();
    if (TID == 0) {
        data = 42;
        __threadfence_block();
        up = 1;
    }
    while (!up)
        ;
    __threadfence_block();
    y[TID] = data;
}

// ---- Two writes ----

// case: phase_reset_then_set grid=1 block=64 expect=ordering@1@2
KERNEL(phase_reset_then_set)
{
    __shared__ volatile int again;
    if (TID == 0)
        again = 0; // @1
    if (TID == 5)
        again = 1; // @2
    __syncthreads();
    y[TID] = again;
}

// The same, as the compiler may have it: each in a way of its own.
// case: phase_reset_or_set grid=1 block=64 expect=ordering@1@2
KERNEL(phase_reset_or_set)
{
    __shared__ volatile int again;
    if (TID == 5)
        again = 1; // @2
    else if (TID == 0)
        again = 0; // @1
    __syncthreads();
    y[TID] = again;
}

// case: phase_set_or_set grid=1 block=64 expect=silent
KERNEL(phase_set_or_set)
{
    __shared__ volatile int again;
    if (TID == 0)
        again = 0;
    __syncthreads();
    if (TID == 5)
        again = 1;
    else if (TID == 0)
        again = 1;
    __syncthreads();
    y[TID] = again;
}

// case: phase_reset_then_set_synced grid=1 block=64 expect=silent
KERNEL(phase_reset_then_set_synced)
{
    __shared__ volatile int again;
    if (TID == 0)
        again = 0;
    __syncthreads();
    if (TID == 5)
        again = 1;
    __syncthreads();
    y[TID] = again;
}

// case: phase_zero_then_count grid=1 block=64 expect=ordering@1@2
KERNEL(phase_zero_then_count)
{
    if (TID == 0)
        VOL(flag[0]) = 100; // @1
    atomicAdd(&flag[0], 1u); // @2
}

// Whoever stores last stays, and any will do.
// case: phase_any_winner grid=1 block=64 expect=silent
KERNEL(phase_any_winner)
{
    __shared__ volatile int winner;
    if (x[TID] == 0)
        winner = (int)TID;
    __syncthreads();
    if (winner == (int)TID)
        y[0] = 1;
}

// case: phase_set_twice grid=1 block=64 expect=silent
KERNEL(phase_set_twice)
{
    if (x[TID] == 0)
        VOL(flag[0]) = 1;
    if (x[TID] < 5)
        VOL(flag[0]) = 1;
}

// ---- Round a loop: the next turn's store may come before the others have read in this one ----

// case: phase_tiles grid=2 block=64 expect=ordering@1@2
KERNEL(phase_tiles)
{
    __shared__ volatile unsigned tile;
    for (;;) {
        if (TID == 0)
            tile = atomicAdd(&flag[0], 1u); // @1
        __syncthreads();
        unsigned t = tile; // @2
        if (t >= 5)
            break;
        y[t * 64 + TID] = t + 1;
    }
}

// case: phase_tiles_two grid=2 block=64 expect=silent
KERNEL(phase_tiles_two)
{
    __shared__ volatile unsigned tile;
    for (;;) {
        if (TID == 0)
            tile = atomicAdd(&flag[0], 1u);
        __syncthreads();
        unsigned t = tile;
        __syncthreads();
        if (t >= 5)
            break;
        y[t * 64 + TID] = t + 1;
    }
}

// The thread that stores is another one in each turn.
// case: phase_relay grid=1 block=64 expect=silent
KERNEL(phase_relay)
{
    __shared__ volatile int v;
    if (TID == 0)
        v = 0;
    __syncthreads();
    for (int k = 0; k < 5; k++) {
        if ((int)TID == k)
            v = v + k;
        __syncthreads();
        y[TID] += v;
        __syncthreads();
    }
}

// Who gets a lock first is nobody's business.
// case: phase_lock grid=1 block=32 expect=silent
KERNEL(phase_lock)
{
    if (TID % 16 == 0) {
        while (ATOM_CAS("acquire.cta", &flag[0], 0u, 1u))
            ;
        x[0] = (int)TID + 5;
        ST("release.cta", &flag[0], 0u);
    }
}

// ---- Many threads: in a short launch up to 1,024 go in step one by one ----

// case: phase_word_of_many grid=1 block=1024 expect=ordering@1@2
KERNEL(phase_word_of_many)
{
    __shared__ volatile int word;
    if (TID == 0)
        word = 42; // @1
    y[TID] = word; // @2
}

// case: phase_word_of_many_synced grid=1 block=1024 expect=silent
KERNEL(phase_word_of_many_synced)
{
    __shared__ volatile int word;
    if (TID == 0)
        word = 42;
    __syncthreads();
    y[TID] = word;
}

// Whoever comes last stays, and each may see another, in step, too.
// case: phase_any_of_many grid=1 block=1024 expect=silent
KERNEL(phase_any_of_many)
{
    __shared__ volatile int word;
    if (TID == 0)
        word = 0;
    __syncthreads();
    if (TID % 32 == 0)
        word = (int)TID;
    __syncthreads();
    y[TID] = word;
}

// ---- More than that: those of a block, and block after block ----

// case: phase_word_of_blocks grid=40 block=64 expect=ordering@1@2
KERNEL(phase_word_of_blocks)
{
    __shared__ volatile int word;
    if (TID == 0)
        word = 42; // @1
    y[GID] = word; // @2
}

// case: phase_word_of_blocks_synced grid=40 block=64 expect=silent
KERNEL(phase_word_of_blocks_synced)
{
    __shared__ volatile int word;
    if (TID == 0)
        word = 42;
    __syncthreads();
    y[GID] = word;
}

// Which one stays is anybody's, and which block comes first.
// case: phase_any_of_blocks grid=40 block=64 expect=silent
KERNEL(phase_any_of_blocks)
{
    __shared__ volatile int word, place;
    if (TID == 0)
        word = 0;
    if (TID == 0)
        place = (int)atomicAdd(&flag[0], 1);
    __syncthreads();
    if (TID % 32 == 0)
        word = (int)TID;
    __syncthreads();
    y[place * 64 + TID] = word;
}

// case: phase_place_of_blocks grid=40 block=64 expect=silent
KERNEL(phase_place_of_blocks)
{
    __shared__ volatile int first;
    if (TID == 0)
        first = -1;
    __syncthreads();
    if (first < 0) /* others may have it, or not yet */
        first = (int)atomicAdd(&flag[0], 1);
    __syncthreads();
    y[GID] = first;
}

// ---- Longer ones: their warps do ----

// case: phase_turns_many grid=2 block=512 expect=ordering@1@2
KERNEL(phase_turns_many)
{
    __shared__ volatile int s[512];
    int sum = 0;
    for (int round = 0; round < 3; round++) {
        s[TID] = round * 100 + (int)TID; // @1
        __syncthreads();
        int left = s[(TID + 511) % 512]; // @2
        sum += left * (round + 1);
    }
    y[GID] = sum;
}

// case: phase_turns_many_synced grid=2 block=512 expect=silent
KERNEL(phase_turns_many_synced)
{
    __shared__ volatile int s[512];
    int sum = 0;
    for (int round = 0; round < 3; round++) {
        s[TID] = round * 100 + (int)TID;
        __syncthreads();
        int left = s[(TID + 511) % 512];
        sum += left * (round + 1);
        __syncthreads();
    }
    y[GID] = sum;
}

// Windows of a scan, each of which begins where the others may still read what the last one left.
// case: phase_windows grid=4 block=256 expect=ordering@1@2 also=ordering
KERNEL(phase_windows)
{
    __shared__ volatile int s[512];
    for (int window = 0; window < 2; window++) {
        s[TID + 256] = window * 7 + (int)TID; // @1
        s[TID] = 0;
        __syncthreads();
        for (unsigned step = 1; step < 256; step *= 2) {
            int before = s[TID + 256 - step];
            __syncthreads();
            s[TID + 256] += before;
            __syncthreads();
        }
        y[GID] += s[TID + 255]; // @2
    }
}

// case: phase_windows_synced grid=4 block=256 expect=silent
KERNEL(phase_windows_synced)
{
    __shared__ volatile int s[512];
    for (int window = 0; window < 2; window++) {
        s[TID + 256] = window * 7 + (int)TID;
        s[TID] = 0;
        __syncthreads();
        for (unsigned step = 1; step < 256; step *= 2) {
            int before = s[TID + 256 - step];
            __syncthreads();
            s[TID + 256] += before;
            __syncthreads();
        }
        y[GID] += s[TID + 255];
        __syncthreads();
    }
}

// Who stays is whoever comes last, in step, too.
// case: phase_last_stays grid=1 block=512 expect=silent
KERNEL(phase_last_stays)
{
    __shared__ volatile int last, seen;
    if (TID % 32 == 0)
        last = (int)TID;
    __syncthreads();
    if (TID == 0)
        seen = last;
    __syncthreads();
    y[GID] = seen;
}

// What is unrolled are several stores of one line: what they leave is the same, and how far the search gets in one launch is chance.
// case: phase_mark_unrolled grid=1 block=64 expect=silent
KERNEL(phase_mark_unrolled)
{
    if (TID == 0)
        VOL_INT(y[0]) = 1000;
    __syncthreads();
    int d = VOL_INT(y[TID]) - 1;
    if (d > 0)
        for (int k = 1; k < 5; k++)
            if (atomicMax(&y[(TID * 5 + k) % 64], d) < d)
                VOL(flag[0]) = 1;
}

// case: phase_winner_unrolled grid=1 block=64 expect=silent
KERNEL(phase_winner_unrolled)
{
    if (TID == 0)
        VOL_INT(y[0]) = 1000;
    __syncthreads();
    int d = VOL_INT(y[TID]) - 1;
    if (d > 0)
        for (int k = 1; k < 5; k++)
            if (atomicMax(&y[(TID * 5 + k) % 64], d) < d)
                VOL(flag[0]) = 1 + TID;
}

// Who polls by an atomic that changes nothing comes again until the store is there: that another lane's read hangs on who is first is not its doing.
// case: phase_polled_update grid=1 block=32 expect=data-race@1@2
KERNEL(phase_polled_update)
{
    __shared__ int f, s;
    if (TID == 0)
        f = s = 0;
    __syncwarp();
    if (TID == 10) {
        s = 1; // @1
        *(volatile int *)&f = 1;
    }
    if (TID == 20)
        y[BID + 1] = s; // @2
    if (TID == 0) {
        while (atomicAnd(&f, -1) == 0) {
        }
        y[BID] = 1;
    }
}

// An update that polls nothing: which of the two stays hangs on who is first.
// case: phase_stored_update grid=1 block=32 expect=ordering@1@2
KERNEL(phase_stored_update)
{
    __shared__ int f;
    if (TID == 0)
        f = 0;
    __syncwarp();
    if (TID == 10)
        *(volatile int *)&f = 1; // @1
    if (TID == 0)
        y[BID + 1] = atomicAdd(&f, 4); // @2
    __syncwarp();
    if (TID == 0)
        y[BID] = f;
}

// ---- Of very many threads the first blocks' go in step ----

// case: phase_broadcast_of_many grid=60 block=1024 expect=ordering@1@2
KERNEL(phase_broadcast_of_many)
{
    __shared__ volatile int s;
    if (TID == 0)
        s = 1;
    __syncthreads();
    if (TID == 0)
        s = 42; // @1
    y[GID] = s; // @2
}

// case: phase_broadcast_of_many_synced grid=60 block=1024 expect=silent
KERNEL(phase_broadcast_of_many_synced)
{
    __shared__ volatile int s;
    if (TID == 0)
        s = 1;
    __syncthreads();
    if (TID == 0)
        s = 42;
    __syncthreads();
    y[GID] = s;
}

// What the first blocks leave differs, but not what all do.
// case: phase_broadcast_of_many_mended grid=60 block=1024 expect=silent
KERNEL(phase_broadcast_of_many_mended)
{
    __shared__ volatile int s;
    if (TID == 0)
        s = 1;
    __syncthreads();
    if (TID == 0)
        s = 42;
    int v = s;
    atomicMax(&y[TID], BID == GRID - 1 ? 100 : v);
}

// The first blocks wait for the last, and do not come to their end without it.
// case: phase_broadcast_of_many_waiting grid=60 block=1024 expect=silent
KERNEL(phase_broadcast_of_many_waiting)
{
    __shared__ volatile int s;
    if (TID == 0)
        s = 42;
    if (BID == GRID - 1 && TID == 0)
        ST("release.gpu", flag, 1);
    if (TID == 0)
        while (!LD("acquire.gpu", flag))
            ;
    __syncthreads();
    y[GID] = s;
}
