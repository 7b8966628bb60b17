// Waiting for what cannot come, beside waiting for what can.
#include "judge.cuh"

// Nobody sets the flag.
// case: flag_never_set grid=2 block=1 expect=deadlock
KERNEL(flag_never_set)
{
    if (BID == 0)
        while (VOL(flag[0]) == 0)
            ;
}

// case: flag_set_late grid=2 block=1 expect=silent
KERNEL(flag_set_late)
{
    if (BID == 0) {
        while (VOL(flag[0]) == 0)
            ;
    } else {
        for (int i = 0; i < 200; i++)
            VOL(y[i]) = i;
        VOL(flag[0]) = 1;
    }
}

// The device holds one such block on an SM; all the others must come after.
// case: grid_barrier_does_not_fit grid=140 block=32 shared=200000 expect=deadlock
KERNEL(grid_barrier_does_not_fit)
{
    if (TID == 0) {
        atomicAdd(flag, 1);
        while (VOL(flag[0]) < GRID)
            ;
    }
}

// case: grid_barrier_fits grid=132 block=32 shared=200000 expect=silent
KERNEL(grid_barrier_fits)
{
    if (TID == 0) {
        atomicAdd(flag, 1);
        while (VOL(flag[0]) < GRID)
            ;
    }
}

// The first block waits for the last, which is not resident yet; others leave, so it will be.
// case: wait_for_last_block grid=140 block=32 shared=200000 expect=silent
KERNEL(wait_for_last_block)
{
    if (BID == 0 && TID == 0)
        while (VOL(flag[0]) == 0)
            ;
    if (BID == GRID - 1 && TID == 0)
        VOL(flag[0]) = 1;
}

// A lock that is never given back.
// case: lock_kept grid=2 block=1 expect=deadlock
KERNEL(lock_kept)
{
    while (atomicCAS(flag, 0, 1) != 0)
        ;
    __threadfence();
    x[0] += 1;
}

// case: lock_given_back grid=2 block=1 expect=silent
KERNEL(lock_given_back)
{
    while (atomicCAS(flag, 0, 1) != 0)
        ;
    __threadfence();
    x[0] += 1;
    __threadfence();
    atomicExch(flag, 0);
}

// Two locks, taken in opposite order; flag[2] counts who holds the first.
// case: locks_crossed grid=2 block=1 expect=deadlock
KERNEL(locks_crossed)
{
    while (atomicCAS(&flag[BID], 0, 1) != 0)
        ;
    atomicAdd(&flag[2], 1);
    while (VOL(flag[2]) < 2)
        ;
    while (atomicCAS(&flag[1 - BID], 0, 1) != 0)
        ;
    atomicExch(&flag[0], 0);
    atomicExch(&flag[1], 0);
}

// case: locks_in_one_order grid=2 block=1 expect=silent
KERNEL(locks_in_one_order)
{
    while (atomicCAS(&flag[0], 0, 1) != 0)
        ;
    while (atomicCAS(&flag[1], 0, 1) != 0)
        ;
    atomicExch(&flag[1], 0);
    atomicExch(&flag[0], 0);
}

// Opposite order without a handshake: some schedule runs into it.
// case: locks_crossed_by_chance grid=2 block=1 schedules=40 expect=deadlock
KERNEL(locks_crossed_by_chance)
{
    for (int i = 0; i < 4; i++) {
        while (atomicCAS(&flag[BID], 0, 1) != 0)
            ;
        while (atomicCAS(&flag[1 - BID], 0, 1) != 0)
            ;
        atomicExch(&flag[1 - BID], 0);
        atomicExch(&flag[BID], 0);
    }
}

// A named barrier that waits for more threads than will come.
// case: named_barrier_short grid=1 block=96 expect=deadlock
KERNEL(named_barrier_short)
{
    if (TID < 64)
        BAR_SYNC(1, 96);
    else
        BAR_SYNC(2, 96);
}

// case: named_barrier_enough grid=1 block=96 expect=silent
KERNEL(named_barrier_enough)
{
    if (TID < 64)
        BAR_SYNC(1, 96);
    else
        BAR_ARRIVE(1, 96);
}

// Two warps, each at the barrier the other reaches second.
// case: named_barriers_crossed grid=1 block=64 expect=deadlock
KERNEL(named_barriers_crossed)
{
    if (TID < 32) {
        BAR_SYNC(1, 64);
        BAR_SYNC(2, 64);
    } else {
        BAR_SYNC(2, 64);
        BAR_SYNC(1, 64);
    }
}

// case: named_barriers_in_order grid=1 block=64 expect=silent
KERNEL(named_barriers_in_order)
{
    if (TID < 32) {
        BAR_SYNC(1, 64);
        BAR_SYNC(2, 64);
    } else {
        BAR_SYNC(1, 64);
        BAR_SYNC(2, 64);
    }
}

// One warp polls what another will write only behind the barrier that the first must reach.
// case: poll_before_barrier grid=1 block=64 expect=deadlock
KERNEL(poll_before_barrier)
{
    if (TID < 32)
        while (VOL(flag[0]) == 0)
            ;
    __syncthreads();
    if (TID == 32)
        VOL(flag[0]) = 1;
}

// case: poll_behind_barrier grid=1 block=64 expect=silent
KERNEL(poll_behind_barrier)
{
    __syncthreads();
    if (TID == 32)
        VOL(flag[0]) = 1;
    if (TID < 32)
        while (VOL(flag[0]) == 0)
            ;
}

// Lanes of one warp wait for each other, in both directions, and finish.
// case: lanes_ping_pong grid=1 block=32 expect=silent
KERNEL(lanes_ping_pong)
{
    if (TID < 2) {
        for (unsigned i = 0; i < 5; i++) {
            while (VOL(flag[0]) != 2 * i + TID)
                ;
            VOL(flag[0]) = 2 * i + TID + 1;
        }
    }
}

// Both lanes wait first.
// case: lanes_both_wait grid=1 block=32 expect=deadlock
KERNEL(lanes_both_wait)
{
    if (TID < 2) {
        while (VOL(flag[1 - TID]) == 0)
            ;
        VOL(flag[TID]) = 1;
    }
}

// A ring of blocks, each waiting for its neighbour; one starts, or none does.
// case: ring_of_blocks grid=4 block=1 expect=silent
KERNEL(ring_of_blocks)
{
    if (BID > 0)
        while (VOL(flag[BID - 1]) == 0)
            ;
    VOL(flag[BID]) = 1;
}

// case: ring_of_blocks_closed grid=4 block=1 expect=deadlock
KERNEL(ring_of_blocks_closed)
{
    while (VOL(flag[(BID + GRID - 1) % GRID]) == 0)
        ;
    VOL(flag[BID]) = 1;
}

// Reads the same place half a million times, and ends: the loop counts.
// case: long_loop_one_place grid=1 block=1 schedules=1 expect=silent
KERNEL(long_loop_one_place)
{
    int sum = 0;
    for (int i = 0; i < 500000; i++)
        sum = sum * 5 + VOL(x[0]);
    y[0] = sum;
}

// Gives up waiting after half a million looks.
// case: bounded_wait grid=1 block=1 schedules=1 expect=silent
KERNEL(bounded_wait)
{
    int i = 0;
    while (i < 500000 && VOL(flag[0]) == 0)
        i++;
    y[0] = i;
}

// Counting how long it waits does not make it end.
// case: counted_wait grid=1 block=1 schedules=1 expect=deadlock@1
KERNEL(counted_wait)
{
    int i = 0;
    while (VOL(flag[0]) == 0) // @1
        i++;
    y[0] = i;
}

// The same two with a comparison that gives a number: what it compares decides as well.
// case: bounded_wait_by_set grid=1 block=1 schedules=1 expect=silent
KERNEL(bounded_wait_by_set)
{
    int i = 0;
    unsigned more;
    do {
        unsigned seen = VOL(flag[0]);
        i += seen == 0;
        asm volatile("set.lt.u32.s32 %0, %1, 500000;" : "=r"(more) : "r"(i));
    } while (more);
    y[0] = i;
}

// case: counted_wait_by_set grid=1 block=1 schedules=1 expect=deadlock@1
KERNEL(counted_wait_by_set)
{
    int i = 0;
    unsigned more;
    do {
        unsigned seen = VOL(flag[0]); // @1
        i++;
        asm volatile("set.eq.u32.u32 %0, %1, 0;" : "=r"(more) : "r"(seen));
    } while (more);
    y[0] = i;
}

// Nor does sleeping longer each time, up to a bound.
// case: backed_off_wait grid=1 block=1 schedules=1 expect=deadlock
KERNEL(backed_off_wait)
{
    unsigned ns = 8;
    flag[0] = 1;
    while (atomicCAS(flag, 0, 1) != 0) {
        __nanosleep(ns);
        if (ns < 256)
            ns *= 2;
    }
}

// Half a warp waits at the shuffle for lanes that poll with an atomic that always writes.
// case: atomic_poll_forever grid=1 block=32 schedules=1 expect=deadlock
KERNEL(atomic_poll_forever)
{
    int v = TID;
    if (TID < 16)
        v = __shfl_xor_sync(~0u, v, 1);
    else
        while (atomicAdd(flag, 0) == 0)
            ;
    y[TID] = v;
}

// Neither volatile nor atomic: the compiler reads the flag once and makes an endless loop.
// case: hoisted_flag grid=1 block=64 expect=deadlock@1 expect=data-race
KERNEL(hoisted_flag)
{
    if (TID == 0)
        x[0] = 0;
    __syncthreads();
    if (TID == 0) {
        while (x[0] == 0) // @1
            ;
        y[0] = 1;
    } else if (TID == 32) {
        x[0] = 1;
    }
}

// Met only where the other block comes first, and then in whatever schedule.
// case: hoisted_flag_of_block grid=2 block=1 schedules=8 expect=deadlock@1 expect=data-race
KERNEL(hoisted_flag_of_block)
{
    if (BID == 0) {
        x[0] = 1;
    } else {
        while (x[0] == 0) // @1
            ;
        y[0] = 1;
    }
}

// ---- Polls of several places ----

// Every block raises its flag, and one thread goes over all flags until all are up.
#define RAISE_AND_POLL                                                                             \
    if (TID == 0) {                                                                                \
        __threadfence();                                                                           \
        VOL(flag[BID]) = 1;                                                                        \
        bool all;                                                                                  \
        do {                                                                                       \
            all = true;                                                                            \
            for (unsigned b = 0; b < GRID; b++)                                                    \
                all &= VOL(flag[b]) != 0;                                                          \
        } while (!all);                                                                            \
        __threadfence();                                                                           \
    }                                                                                              \
    __syncthreads();

// case: flags_polled_fit grid=40 block=32 schedules=1 expect=silent
KERNEL(flags_polled_fit)
{
    x[GID] = 1;
    __syncthreads();
    RAISE_AND_POLL
    y[GID] = x[n - 1 - GID];
}

// case: flags_polled_do_not_fit grid=140 block=32 shared=200000 schedules=1 expect=deadlock
KERNEL(flags_polled_do_not_fit)
{
    x[GID] = 1;
    __syncthreads();
    RAISE_AND_POLL
    y[GID] = x[n - 1 - GID];
}

// The lecture's form: a warp goes over the flags, and votes.
#define RAISE_AND_VOTE                                                                             \
    if (TID == 0) {                                                                                \
        __threadfence();                                                                           \
        VOL(flag[BID]) = 1;                                                                        \
    }                                                                                              \
    if (TID < 32) {                                                                                \
        bool mine;                                                                                 \
        do {                                                                                       \
            mine = true;                                                                           \
            for (unsigned b = TID; b < GRID; b += 32)                                              \
                mine &= VOL(flag[b]) != 0;                                                         \
        } while (!__all_sync(0xffffffff, mine));                                                   \
        __threadfence();                                                                           \
    }                                                                                              \
    __syncthreads();

// case: flags_voted_fit grid=100 block=64 schedules=1 expect=silent
KERNEL(flags_voted_fit)
{
    x[GID] = 1;
    __syncthreads();
    RAISE_AND_VOTE
    y[GID] = x[n - 1 - GID];
}

// case: flags_voted_do_not_fit grid=140 block=32 shared=200000 schedules=1 expect=deadlock
KERNEL(flags_voted_do_not_fit)
{
    x[GID] = 1;
    __syncthreads();
    RAISE_AND_VOTE
    y[GID] = x[n - 1 - GID];
}

// Two words that nobody writes, read in turn.
// case: two_words_polled grid=2 block=1 schedules=1 expect=deadlock
KERNEL(two_words_polled)
{
    if (BID == 0)
        while (VOL(flag[0]) + VOL(flag[1]) < 2)
            ;
    y[BID] = 1;
}

// The same reads over and over, counted by the loop around them: it ends.
// case: same_sums_counted grid=1 block=1 schedules=1 expect=silent
KERNEL(same_sums_counted)
{
    int sum = 0;
    for (int round = 0; round < 100000; round++)
        for (int i = 0; i < 8; i++)
            sum += VOL(flag[i]);
    y[0] = sum;
}

// A poll that gives up.
// case: poll_gives_up grid=1 block=1 schedules=1 expect=silent
KERNEL(poll_gives_up)
{
    int rounds = 0;
    bool all;
    do {
        all = true;
        for (int i = 0; i < 8; i++)
            all &= VOL(flag[i]) != 0;
    } while (!all && ++rounds < 100000);
    y[0] = rounds;
}

// One polls two words while the other works long before it writes them, without a store on the way.
// case: poll_of_long_work grid=2 block=1 schedules=1 expect=silent
KERNEL(poll_of_long_work)
{
    if (BID == 0) {
        while (VOL(flag[0]) + VOL(flag[1]) < 2)
            ;
        y[0] = 1;
    } else {
        unsigned sum = 0;
        for (int i = 0; i < 600000; i++)
            sum += VOL(x[(i * 7) & 16383]) + i;
        VOL(flag[0]) = 1;
        VOL(flag[1]) = 1;
        y[1] = sum;
    }
}

// Ninety-nine blocks poll while one computes for long, without a read or a store on the way.
// case: polled_while_one_computes grid=100 block=1 schedules=1 expect=silent
KERNEL(polled_while_one_computes)
{
    if (BID == 0) {
        unsigned sum = 1;
        for (int i = 0; i < 20000000; i++)
            sum = sum * 1664525u + (sum >> 7);
        y[0] = sum;
        __threadfence();
        VOL(flag[0]) = 1;
    } else {
        while (VOL(flag[0]) == 0)
            ;
        __threadfence();
        y[BID] = y[0];
    }
}

// ---- Grids at a barrier of their own, which poll with read-modify-writes: 264 blocks of 1,024 threads fit ----

#define ARRIVE_AND_POLL(arrive, poll)                                                              \
    __syncthreads();                                                                               \
    if (TID == 0) {                                                                                \
        __threadfence();                                                                           \
        arrive;                                                                                    \
        while (poll)                                                                               \
            ;                                                                                      \
        __threadfence();                                                                           \
    }                                                                                              \
    __syncthreads();

// case: count_polled_by_add grid=300 block=1024 schedules=1 expect=deadlock
KERNEL(count_polled_by_add)
{
    ARRIVE_AND_POLL(atomicAdd(flag, 1), atomicAdd(flag, 0) < GRID)
}

// case: count_polled_by_add_fits grid=264 block=1024 schedules=1 expect=silent
KERNEL(count_polled_by_add_fits)
{
    ARRIVE_AND_POLL(atomicAdd(flag, 1), atomicAdd(flag, 0) < GRID)
}

// case: count_polled_by_every_warp grid=300 block=1024 schedules=1 expect=deadlock
KERNEL(count_polled_by_every_warp)
{
    __syncthreads();
    if (TID % 32 == 0) {
        atomicAdd(flag, 1);
        while (atomicAdd(flag, 0) < GRID * 32)
            ;
    }
}

// The last one resets the count, which the others wait for.
// case: count_reset grid=300 block=1024 schedules=1 expect=deadlock
KERNEL(count_reset)
{
    unsigned last = 0;
    ARRIVE_AND_POLL(if (atomicAdd(flag, 1) == GRID - 1) { atomicExch(flag, 0); last = 1; },
                    !last && atomicAdd(flag, 0) != 0)
}

// case: count_reset_fits grid=64 block=1024 schedules=1 expect=silent
KERNEL(count_reset_fits)
{
    unsigned last = 0;
    ARRIVE_AND_POLL(if (atomicAdd(flag, 1) == GRID - 1) { atomicExch(flag, 0); last = 1; },
                    !last && atomicAdd(flag, 0) != 0)
}

// One count for all rounds.
// case: count_used_again grid=300 block=1024 schedules=1 expect=deadlock
KERNEL(count_used_again)
{
    for (unsigned round = 1; round <= 3; round++) {
        ARRIVE_AND_POLL(atomicAdd(flag, 1), atomicAdd(flag, 0) < round * GRID)
    }
}

// case: count_used_again_fits grid=64 block=1024 schedules=1 expect=silent
KERNEL(count_used_again_fits)
{
    for (unsigned round = 1; round <= 3; round++) {
        ARRIVE_AND_POLL(atomicAdd(flag, 1), atomicAdd(flag, 0) < round * GRID)
    }
}

// Rounds told apart by a sense that the last one turns.
#define TURN_SENSE                                                                                 \
    unsigned sense = atomicAdd(&flag[1], 0);                                                       \
    __threadfence();                                                                               \
    if (atomicInc(&flag[0], GRID - 1) == GRID - 1)                                                 \
        atomicAdd(&flag[1], 1)

// case: sense_polled grid=300 block=1024 schedules=1 expect=deadlock
KERNEL(sense_polled)
{
    for (int round = 0; round < 3; round++) {
        ARRIVE_AND_POLL(TURN_SENSE, atomicOr(&flag[1], 0) == sense)
    }
}

// case: sense_polled_fits grid=64 block=1024 schedules=1 expect=silent
KERNEL(sense_polled_fits)
{
    for (int round = 0; round < 3; round++) {
        ARRIVE_AND_POLL(TURN_SENSE, atomicOr(&flag[1], 0) == sense)
    }
}

// ---- How long to sleep between two looks, read from a clock or counted, decides nothing. When to give up does. ----

// case: flag_never_set_backing_off grid=2 block=1 expect=deadlock
KERNEL(flag_never_set_backing_off)
{
    long long began = clock64();
    if (BID == 0)
        while (LD("acquire.gpu", &flag[0]) == 0) {
            long long elapsed = clock64() - began;
            if (elapsed > 4000)
                __nanosleep(1000);
            else if (elapsed > 40)
                __nanosleep((unsigned)elapsed / 4);
        }
}

// So do turns that are counted for it alone.
// case: flag_never_set_counting_turns grid=2 block=1 expect=deadlock
KERNEL(flag_never_set_counting_turns)
{
    int turns = 0;
    if (BID == 0)
        while (LD("acquire.gpu", &flag[0]) == 0)
            if (++turns % 64 == 0)
                __nanosleep(20);
}

// case: flag_given_up grid=2 block=1 expect=silent
KERNEL(flag_given_up)
{
    long long began = clock64();
    if (BID == 0)
        while (LD("acquire.gpu", &flag[0]) == 0) {
            long long elapsed = clock64() - began;
            if (elapsed > 3000000)
                break;
            if (elapsed > 40)
                __nanosleep(10);
        }
}

// The clock decides about a count, and the count about the end.
// case: flag_given_up_by_turns grid=2 block=1 expect=silent
KERNEL(flag_given_up_by_turns)
{
    long long began = clock64();
    int turns = 0;
    if (BID == 0)
        while (LD("acquire.gpu", &flag[0]) == 0 && turns < 40) {
            if (clock64() - began > 100000) {
                began = clock64();
                turns++;
            }
        }
}

// It sets the flag itself when it has waited for long.
// case: flag_helped grid=2 block=1 expect=silent
KERNEL(flag_helped)
{
    long long began = clock64();
    if (BID == 0)
        while (LD("acquire.gpu", &flag[0]) == 0)
            if (clock64() - began > 3000000)
                ST("release.gpu", &flag[0], 1);
}

// ---- Waits without an end that only an unlucky order of the threads brings: no run needs to show them ----

// Block 1 puts back what it has found, though block 0 may have raised the flag since.
// case: flag_put_back grid=3 block=1 expect=deadlock
KERNEL(flag_put_back)
{
    if (BID == 0) {
        VOL(flag[0]) = 1;
    } else if (BID == 1) {
        unsigned found = atomicExch(&flag[0], 2);
        VOL(flag[0]) = found;
    } else {
        while (VOL(flag[0]) == 0)
            ;
    }
}

// case: flag_put_back_if_up grid=3 block=1 expect=silent
KERNEL(flag_put_back_if_up)
{
    if (BID == 0) {
        VOL(flag[0]) = 1;
    } else if (BID == 1) {
        unsigned found = atomicExch(&flag[0], 2);
        if (found)
            VOL(flag[0]) = found;
    } else {
        while (VOL(flag[0]) == 0)
            ;
    }
}

// The first of two takes a turn that is for the second.
// case: wrong_one_may_take_it grid=3 block=1 expect=deadlock
KERNEL(wrong_one_may_take_it)
{
    if (BID == 0)
        VOL(flag[0]) = 1;
    else if (BID == 1)
        atomicCAS(&flag[0], 1, 0);
    else
        while (atomicCAS(&flag[0], 1, 2) != 1)
            ;
}

// case: each_takes_its_own grid=3 block=1 expect=silent
KERNEL(each_takes_its_own)
{
    if (BID == 0)
        VOL(flag[0]) = 1;
    else if (BID == 1)
        atomicCAS(&flag[0], 2, 0);
    else
        while (atomicCAS(&flag[0], 1, 2) != 1)
            ;
}

// ---- A launch is small, however long its threads wait for each other ----

#define WAIT_THEN(fence)                                                                           \
    do {                                                                                           \
        __shared__ unsigned data, ready;                                                           \
        if (TID == 0)                                                                              \
            data = ready = 0;                                                                      \
        __syncthreads();                                                                           \
        if (TID == 0) {                                                                            \
            y[0] = (int)VOL(data);                                                                 \
            fence;                                                                                 \
            atomicExch(&ready, 6);                                                                 \
        } else if (TID == 32) {                                                                    \
            unsigned got;                                                                          \
            while (!(got = VOL(ready)))                                                            \
                ;                                                                                  \
            fence;                                                                                 \
            atomicAdd(&data, got);                                                                 \
        }                                                                                          \
    } while (0)

// case: wait_then_old_value grid=1 block=33 expect=ordering
KERNEL(wait_then_old_value)
{
    WAIT_THEN((void)0);
}

// case: wait_then_fence grid=1 block=33 expect=silent
KERNEL(wait_then_fence)
{
    WAIT_THEN(__threadfence_block());
}

// ---- A count that is made by a load and a store: an arrival is lost ----
// case: counted_in_two_steps grid=3 block=1 expect=deadlock also=ordering
KERNEL(counted_in_two_steps)
{
    VOL(flag[0])++;
    while (VOL(flag[0]) < GRID) {
    }
    y[BID] = 1;
}

// case: counted_by_atomic grid=3 block=1 expect=silent
KERNEL(counted_by_atomic)
{
    atomicAdd(&flag[0], 1);
    while (VOL(flag[0]) < GRID) {
    }
    y[BID] = 1;
}

// A count of readers that a writer has set to 0 while they were in: as they leave, it falls below, and no writer finds it at 0 again. The two
// readers that come back count up and down for ever. flag[0]: readers, [1]: the writer, [2]: who is in, [3]: may they leave?, [4]: the writer waits.
#define READERS_AND_WRITER(leave)                                                                      \
    if (BID == 0) {                                                                                    \
        while (atomicAdd(&flag[2], 0) < 3)                                                             \
            ;                                                                                          \
        leave;                                                                                         \
        atomicExch(&flag[3], 1);                                                                       \
        atomicExch(&flag[1], 1);                                                                       \
        atomicExch(&flag[4], 1);                                                                       \
        while (atomicAdd(&flag[0], 0) != 0)                                                            \
            ;                                                                                          \
        atomicExch(&flag[1], 0);                                                                       \
        return;                                                                                        \
    }                                                                                                  \
    atomicAdd(&flag[0], 1);                                                                            \
    atomicAdd(&flag[2], 1);                                                                            \
    while (atomicAdd(&flag[3], 0) == 0)                                                                \
        ;                                                                                              \
    atomicSub(&flag[0], 1);                                                                            \
    if (BID == 1)                                                                                      \
        return;                                                                                        \
    while (atomicAdd(&flag[4], 0) == 0)                                                                \
        ;                                                                                              \
    for (;;) {                                                                                         \
        atomicAdd(&flag[0], 1);                                                                        \
        if (atomicAdd(&flag[1], 0) == 0)                                                               \
            break;                                                                                     \
        atomicSub(&flag[0], 1);                                                                        \
    }                                                                                                  \
    atomicSub(&flag[0], 1)

// case: readers_wiped grid=4 block=1 schedules=3 expect=deadlock also=ordering
KERNEL(readers_wiped)
{
    READERS_AND_WRITER(atomicExch(&flag[0], 0));
}

// case: readers_left_alone grid=4 block=1 schedules=3 expect=silent
KERNEL(readers_left_alone)
{
    READERS_AND_WRITER((void)0);
}

// Two threads that swap a word for their own number until they get what nobody puts there, and until they get the other's.
// case: swapped_for_ever grid=2 block=1 schedules=3 expect=deadlock
KERNEL(swapped_for_ever)
{
    while (atomicExch(&flag[0], BID + 1) != 3)
        ;
}

// case: swapped_until_met grid=2 block=1 schedules=3 expect=silent
KERNEL(swapped_until_met)
{
    while (atomicExch(&flag[0], BID + 1) != 2 - BID)
        ;
}

// Two locks in opposite order, and who finds the second taken gives the first back: in step that goes on for ever, but any other order ends it.
// case: locks_given_back_in_step grid=1 block=2 schedules=3 expect=silent
KERNEL(locks_given_back_in_step)
{
    unsigned *first = &flag[TID], *second = &flag[1 - TID];
    for (;;) {
        while (atomicCAS(first, 0, 1) != 0)
            ;
        if (atomicCAS(second, 0, 1) == 0)
            break;
        atomicExch(first, 0);
    }
    __threadfence();
    x[0] += 1;
    __threadfence();
    atomicExch(second, 0);
    atomicExch(first, 0);
}

// The same, where a third thread has kept one of them and left.
// case: locks_given_back_in_vain grid=1 block=3 schedules=3 expect=deadlock
KERNEL(locks_given_back_in_vain)
{
    if (TID == 2) {
        while (atomicCAS(&flag[1], 0, 1) != 0)
            ;
        atomicExch(&flag[2], 1);
        return;
    }
    while (atomicAdd(&flag[2], 0) == 0)
        ;
    for (;;) {
        while (atomicCAS(&flag[0], 0, 1) != 0)
            ;
        if (atomicCAS(&flag[1], 0, 1) == 0)
            break;
        atomicExch(&flag[0], 0);
    }
    atomicExch(&flag[1], 0);
    atomicExch(&flag[0], 0);
}

// A word that goes to and fro for long, and rounds that are counted in registers: memory comes back, the threads do not.
// case: to_and_fro_counted grid=2 block=1 schedules=2 expect=silent
KERNEL(to_and_fro_counted)
{
    for (int i = 0; i < 30000; i++) {
        while (atomicAdd(&flag[0], 0) != BID)
            ;
        atomicExch(&flag[0], 1 - BID);
    }
}

// With a barrier in the round: the block votes for ever, and nobody has the votes.
// case: votes_for_ever grid=1 block=2 schedules=2 expect=deadlock
KERNEL(votes_for_ever)
{
    __shared__ unsigned votes;
    for (;;) {
        if (TID == 0)
            votes = 0;
        __syncthreads();
        atomicAdd(&votes, 1);
        __syncthreads();
        if (VOL(votes) == 3)
            break;
        __syncthreads();
    }
}

// What a thread does for others after very many looks decides nothing about its loop, or is done by a function.
#define AFTER_TRIES(tries, set) while (VOL(flag[0]) == 0) if (++tries == 7000) set

// case: sets_after_tries grid=1 block=1 expect=silent
KERNEL(sets_after_tries)
{
    unsigned tries = 0;
    AFTER_TRIES(tries, VOL(flag[0]) = 1);
}

__device__ __noinline__ void set_at(unsigned tries, unsigned most, unsigned *where)
{
    if (tries == most)
        VOL(*where) = 1;
}

// case: called_after_tries grid=1 block=1 expect=silent
KERNEL(called_after_tries)
{
    for (unsigned tries = 0; VOL(flag[0]) == 0; tries++)
        set_at(tries, 7000, flag);
}

// case: called_for_another_word grid=1 block=1 expect=deadlock
KERNEL(called_for_another_word)
{
    for (unsigned tries = 0; VOL(flag[0]) == 0; tries += tries < 9000)
        set_at(tries, 7000, flag + 1);
}

// Tries are counted in local memory.
// case: counted_locally grid=1 block=32 expect=silent
KERNEL(counted_locally)
{
    volatile unsigned tries[2] = {0, 0};
    while (VOL(flag[0]) == 0) {
        tries[n & 1]++;
        if (tries[n & 1] == 7000)
            VOL(flag[0]) = 1;
    }
}

// The poller's turn comes again and again before another block has counted so far.
// case: another_counts_first grid=2 block=64 expect=silent
KERNEL(another_counts_first)
{
    if (BID == 0)
        while (VOL(flag[0]) == 0)
            ;
    else if (TID == 0) {
        unsigned seen = 0;
        for (unsigned i = 0; i < 20000; i++)
            seen += VOL(flag[32]) == 0;
        VOL(flag[0]) = seen;
    }
}

// Two lanes that count by turns and tell each other by shuffles whose turn it is: while one counts the other goes round as before, and yet goes on.
#define COUNTS_BY_TURNS(other, begins, turns, set)                                                 \
    unsigned has = begins, left = turns, total = 0;                                                \
    while (VOL(flag[0]) == 0) {                                                                    \
        unsigned gives = has && --left == 0;                                                       \
        total += has;                                                                              \
        has = gives ? 0 : has;                                                                     \
        left = gives ? turns : left;                                                               \
        has |= __shfl_sync(3, gives, other);                                                       \
        if (total == 20000)                                                                        \
            set;                                                                                   \
    }

// case: counted_by_turns grid=1 block=2 expect=silent
KERNEL(counted_by_turns)
{
    if (TID == 0) {
        COUNTS_BY_TURNS(1, 1, 16, VOL(flag[0]) = 1)
    } else {
        COUNTS_BY_TURNS(0, 0, 19, )
    }
}

// Warps that meet in each round of a loop, and wait in the second one for what never comes.
// case: second_round_of_warps grid=2 block=64 expect=deadlock
KERNEL(second_round_of_warps)
{
    for (unsigned r = 1; r <= n; r++) {
        __syncwarp();
        if (TID % 32 == 0) {
            __threadfence();
            atomicAdd(&flag[0], 1);
            while (atomicAdd(&flag[0], 0) < 4 * r + (r == 2))
                ;
            __threadfence();
        }
        __syncwarp();
    }
}

// case: all_rounds_of_warps grid=2 block=64 expect=silent
KERNEL(all_rounds_of_warps)
{
    for (unsigned r = 1; r <= n; r++) {
        __syncwarp();
        if (TID % 32 == 0) {
            __threadfence();
            atomicAdd(&flag[0], 1);
            while (atomicAdd(&flag[0], 0) < 4 * r)
                ;
            __threadfence();
        }
        __syncwarp();
    }
}
