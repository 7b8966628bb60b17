// Waits, polls, retries, claims and counted looks in loops of unusual form: with goto, a switch, two latches, exits from within. What is told does not hang on how a
// compiler lays them out.
#include "judge.cuh"

// A wait with its test in the midst, by goto.
#define WAIT_GOTO(fence)                                                                           \
    if (BID == 0) {                                                                                \
        x[0] = 42;                                                                                 \
        __threadfence();                                                                           \
        VOL(flag[0]) = 1;                                                                          \
    } else {                                                                                       \
        goto look;                                                                                 \
    again:                                                                                         \
        __nanosleep(20);                                                                           \
    look:                                                                                          \
        if (VOL(flag[0]) == 0)                                                                     \
            goto again;                                                                            \
        fence;                                                                                     \
        y[BID] = x[0];                                                                             \
    }

// case: wait_by_goto grid=4 block=1 expect=silent
KERNEL(wait_by_goto)
{
    WAIT_GOTO(__threadfence())
}

// case: wait_by_goto_bare grid=4 block=1 expect=missing-acquire
KERNEL(wait_by_goto_bare)
{
    WAIT_GOTO(;)
}

// A switch in a loop: states of a thread.
#define STATES(fence)                                                                              \
    int state = BID == 0 ? 0 : 2, got = 0;                                                         \
    while (state != 5) {                                                                           \
        switch (state) {                                                                           \
        case 0:                                                                                    \
            x[0] = 42;                                                                             \
            state = 1;                                                                             \
            break;                                                                                 \
        case 1:                                                                                    \
            __threadfence();                                                                       \
            VOL(flag[0]) = 1;                                                                      \
            state = 5;                                                                             \
            break;                                                                                 \
        case 2:                                                                                    \
            if (VOL(flag[0]))                                                                      \
                state = 3;                                                                         \
            break;                                                                                 \
        case 3:                                                                                    \
            fence;                                                                                 \
            state = 4;                                                                             \
            break;                                                                                 \
        default:                                                                                   \
            got = x[0];                                                                            \
            state = 5;                                                                             \
        }                                                                                          \
    }                                                                                              \
    y[BID] = got;

// case: states grid=4 block=1 expect=silent
KERNEL(states)
{
    STATES(__threadfence())
}

// case: states_bare grid=4 block=1 expect=missing-acquire
KERNEL(states_bare)
{
    STATES(;)
}

// A lock whose loop has the critical section in its midst.
#define SECTION_IN_LOOP(enter, leave)                                                              \
    for (;;) {                                                                                     \
        if (atomicCAS(&flag[0], 0, 1) != 0)                                                        \
            continue;                                                                              \
        enter;                                                                                     \
        y[0] = y[0] + 1;                                                                           \
        leave;                                                                                     \
        atomicExch(&flag[0], 0);                                                                   \
        break;                                                                                     \
    }

// case: section_in_loop grid=6 block=1 expect=silent
KERNEL(section_in_loop)
{
    SECTION_IN_LOOP(__threadfence(), __threadfence())
}

// case: section_in_loop_no_release grid=6 block=1 expect=missing-release also=*
KERNEL(section_in_loop_no_release)
{
    SECTION_IN_LOOP(__threadfence(), ;)
}

// A maximum by hand, with an early continue and two latches.
// case: max_two_latches grid=8 block=1 expect=silent
KERNEL(max_two_latches)
{
    unsigned mine = BID + 1, seen = VOL(flag[0]);
    for (;;) {
        if (seen >= mine)
            break;
        unsigned was = atomicCAS(&flag[0], seen, mine);
        if (was == seen)
            return;
        if (was & 1) {
            seen = was;
            continue;
        }
        __nanosleep(10);
        seen = VOL(flag[0]);
    }
}

// case: max_looked_two_latches grid=8 block=1 expect=ordering
KERNEL(max_looked_two_latches)
{
    unsigned mine = BID + 1;
    for (int k = 0;; k++) {
        unsigned seen = VOL(flag[0]);
        if (seen >= mine)
            break;
        if (k > 3 && (seen & 1))
            continue;
        VOL(flag[0]) = mine;
        if (seen & 2)
            break;
    }
}

// A search through nested loops that is left from the inside, by a claim.
#define SEARCH(claim)                                                                              \
    int found = -1;                                                                                \
    for (int round = 0; round < 4; round++)                                                        \
        for (int i = 0; i < 16; i++) {                                                             \
            if (VOL(flag[i]))                                                                      \
                continue;                                                                          \
            if (claim) {                                                                           \
                found = i;                                                                         \
                goto out;                                                                          \
            }                                                                                      \
        }                                                                                          \
out:                                                                                               \
    if (found >= 0)                                                                                \
        x[found] = (int)BID;

// case: search_claims grid=6 block=1 expect=silent
KERNEL(search_claims)
{
    SEARCH(atomicCAS(&flag[i], 0, 1) == 0)
}

// case: search_stores grid=6 block=1 expect=data-race also=*
KERNEL(search_stores)
{
    SEARCH((VOL(flag[i]) = 1, true))
}

// A wait in a function of its own, left in two ways.
__device__ __noinline__ static bool waited(volatile unsigned *at, unsigned turns)
{
    for (unsigned k = 0; k < turns; k++) {
        if (at[0] == 2)
            return true;
        if (at[1])
            return false;
    }
    return at[0] == 2;
}

#define CALLED(fence)                                                                              \
    if (BID == 0) {                                                                                \
        x[0] = 42;                                                                                 \
        __threadfence();                                                                           \
        VOL(flag[0]) = 2;                                                                          \
    } else if (waited((volatile unsigned *)flag, 1000)) {                                                               \
        fence;                                                                                     \
        y[BID] = x[0];                                                                             \
    }

// case: called_wait grid=3 block=1 expect=silent
KERNEL(called_wait)
{
    CALLED(__threadfence())
}

// case: called_wait_bare grid=3 block=1 expect=missing-acquire
KERNEL(called_wait_bare)
{
    CALLED(;)
}

// The last to count, in a loop that is unrolled.
// case: last_unrolled grid=8 block=1 expect=ordering
KERNEL(last_unrolled)
{
#pragma unroll
    for (int k = 0; k < 3; k++) {
        atomicAdd(&flag[k], 1);
        if (VOL(flag[k]) == GRID)
            atomicAdd(&y[k], 1);
    }
}

// case: last_unrolled_right grid=8 block=1 expect=silent
KERNEL(last_unrolled_right)
{
#pragma unroll
    for (int k = 0; k < 3; k++)
        if (atomicAdd(&flag[k], 1) == GRID - 1)
            atomicAdd(&y[k], 1);
}

// case: last_in_do_while grid=8 block=1 expect=ordering
KERNEL(last_in_do_while)
{
    int k = 0;
    do {
        atomicAdd(&flag[k], 1);
        if (VOL(flag[k]) != GRID)
            break;
        atomicAdd(&y[k], 1);
    } while (++k < n % 5 + 2);
}
