// A value raised by look and store, as in a breadth-first search that goes on until nothing changes: what another thread overwrites is
// made again in the next round, if who stores says so. Whether there is a next round is not seen: said, it is a warning, and an error else.
#include "judge.cuh"

#define BEST(v) ((unsigned *)&y[v])
#define LOOK(v) LD("relaxed.gpu", BEST(v))
#define RAISE(v, to) ST("relaxed.gpu", BEST(v), to)
#define MINE(v) (100 - (BID * 3 + (v)) % 5)

// case: round_flag_set grid=4 block=1 schedules=10 expect=ordering:warning
KERNEL(round_flag_set)
{
    if (LOOK(1) < MINE(1)) {
        RAISE(1, MINE(1));
        ST("relaxed.gpu", &flag[0], 1);
    }
}

// case: round_flag_set_plain grid=4 block=1 schedules=10 expect=data-race|ordering:warning also=data-race:warning also=ordering:warning
KERNEL(round_flag_set_plain)
{
    if (LOOK(1) < MINE(1)) {
        RAISE(1, MINE(1));
        flag[0] = 1;
    }
}

// Each place is raised by a look that may be stale, though the thread has seen what was raised behind it: a better value is lost as by a look
// that came too early, and is made again.
#define RAISE_TWO(first, second, told)                                                                                 \
    do {                                                                                                               \
        if (LOOK(first) < MINE(first)) {                                                                               \
            RAISE(first, MINE(first));                                                                                 \
            told;                                                                                                      \
        }                                                                                                              \
        if (LOOK(second) < MINE(second)) {                                                                             \
            RAISE(second, MINE(second));                                                                               \
            told;                                                                                                      \
        }                                                                                                              \
    } while (0)
// case: round_two_places grid=2 block=1 schedules=10 expect=ordering:warning
KERNEL(round_two_places)
{
    unsigned first = 1 + BID, second = 2 - BID;
    RAISE_TWO(first, second, ST("relaxed.gpu", &flag[0], 1));
}

// case: round_two_places_not_told grid=2 block=1 schedules=10 expect=ordering
KERNEL(round_two_places_not_told)
{
    unsigned first = 1 + BID, second = 2 - BID;
    RAISE_TWO(first, second, (void)0);
}

// case: round_many_places grid=4 block=32 schedules=10 expect=ordering:warning
KERNEL(round_many_places)
{
#pragma unroll 1
    for (unsigned k = 0; k < 6; k++) {
        unsigned first = (GID * 7 + k * k) % 40, second = (GID * 3 + k) % 40;
        RAISE_TWO(first, second, ST("relaxed.gpu", &flag[0], 1));
    }
}

// case: round_many_places_not_told grid=4 block=32 schedules=10 expect=ordering also=ordering:warning
KERNEL(round_many_places_not_told)
{
#pragma unroll 1
    for (unsigned k = 0; k < 6; k++) {
        unsigned first = (GID * 7 + k * k) % 40, second = (GID * 3 + k) % 40;
        RAISE_TWO(first, second, (void)0);
    }
}

// The flag is not set.
// case: round_flag_not_set grid=4 block=1 schedules=10 expect=ordering
KERNEL(round_flag_not_set)
{
    if (LOOK(1) < MINE(1))
        RAISE(1, MINE(1));
}

// It is set by whoever comes by.
// case: round_flag_of_all grid=4 block=1 schedules=10 expect=ordering
KERNEL(round_flag_of_all)
{
    if (LOOK(1) < MINE(1))
        RAISE(1, MINE(1));
    ST("relaxed.gpu", &flag[0], 1);
}

// It is set by those who have not updated.
// case: round_flag_of_others grid=4 block=1 schedules=10 expect=ordering
KERNEL(round_flag_of_others)
{
    if (LOOK(1) < MINE(1))
        RAISE(1, MINE(1));
    else
        ST("relaxed.gpu", &flag[0], 1);
}

// case: round_count grid=4 block=1 schedules=10 expect=ordering:warning
KERNEL(round_count)
{
    if (LOOK(1) < MINE(1)) {
        RAISE(1, MINE(1));
        atomicAdd(&flag[0], 1);
    }
}

// case: round_flag_later grid=4 block=1 schedules=10 expect=ordering:warning
KERNEL(round_flag_later)
{
    bool changed = false;
    for (unsigned v = 0; v < 3; v++)
        if (LOOK(v) < MINE(v)) {
            RAISE(v, MINE(v));
            changed = true;
        }
    if (changed)
        VOL(flag[8]) = 1;
}

// case: round_count_later grid=4 block=1 n=3 schedules=10 expect=ordering:warning
KERNEL(round_count_later)
{
    unsigned changed = 0;
    for (unsigned v = 0; v < (unsigned)n; v++)
        if (LOOK(v) < MINE(v)) {
            RAISE(v, MINE(v));
            changed++;
        }
    if (changed)
        atomicAdd(&flag[8], changed);
}

// What it has found goes elsewhere, whether it has updated or not.
// case: round_found_later grid=4 block=1 n=3 schedules=10 expect=ordering
KERNEL(round_found_later)
{
    unsigned found = 0;
    for (unsigned v = 0; v < (unsigned)n; v++) {
        unsigned now = LOOK(v);
        if (now < MINE(v))
            RAISE(v, MINE(v));
        found += now;
    }
    if (found)
        atomicAdd(&flag[8], found & 0);
}

// Which one it was is kept.
// case: round_which_later grid=4 block=1 schedules=10 expect=ordering
KERNEL(round_which_later)
{
    unsigned best = 0;
    for (unsigned v = 0; v < 3; v++)
        if (LOOK(v) < MINE(v)) {
            RAISE(v, MINE(v));
            best = v;
        }
    x[BID] = (int)best;
}

// The thread goes round once more by itself: it has looked again when another one, that has looked before, overwrites it.
// case: round_by_itself grid=4 block=1 schedules=10 expect=ordering
KERNEL(round_by_itself)
{
    bool again;
    do {
        again = false;
        if (LOOK(1) < MINE(1)) {
            RAISE(1, MINE(1));
            again = true;
        }
    } while (again);
}

// The block goes on together until nobody updates any more.
// case: round_of_block grid=1 block=64 schedules=10 also=ordering:warning
KERNEL(round_of_block)
{
    bool changed;
    do {
        changed = false;
        unsigned mine = 100 - TID * 7 % 64;
        if (LOOK(TID & 3) < mine) {
            RAISE(TID & 3, mine);
            changed = true;
        }
    } while (__syncthreads_or(changed));
}

// case: round_of_block_once grid=1 block=64 schedules=10 expect=ordering
KERNEL(round_of_block_once)
{
    unsigned mine = 100 - TID * 7 % 64;
    if (LOOK(TID & 3) < mine)
        RAISE(TID & 3, mine);
    __syncthreads();
}

// A counter that is raised by what was read: whoever is told raises it no more. The flag changes nothing.
// case: round_sum_flag_set grid=4 block=1 schedules=10 expect=ordering
KERNEL(round_sum_flag_set)
{
    unsigned now = LOOK(1);
    if (now < 100) {
        RAISE(1, now + 1);
        ST("relaxed.gpu", &flag[0], 1);
    }
}

// The look is plain: it races with the stores, round or no round.
// case: round_plain_look grid=4 block=1 schedules=10 expect=data-race
KERNEL(round_plain_look)
{
    if (*BEST(1) < MINE(1)) {
        RAISE(1, MINE(1));
        ST("relaxed.gpu", &flag[0], 1);
    }
}

// Maxima by atomics lose nothing. A stale look sets the flag once too often, at worst.
// case: round_atomic grid=4 block=1 schedules=10 also=ordering:warning
KERNEL(round_atomic)
{
    if (LOOK(1) < MINE(1)) {
        atomicMax(BEST(1), MINE(1));
        ST("relaxed.gpu", &flag[0], 1);
    }
}

// case: round_atomic_right grid=4 block=1 schedules=10 expect=silent
KERNEL(round_atomic_right)
{
    if (atomicMax(BEST(1), MINE(1)) < MINE(1))
        ST("relaxed.gpu", &flag[0], 1);
}

// The same of numbers of floating point: the better value of another thread is lost.
// case: least_float grid=8 block=1 schedules=40 expect=ordering
KERNEL(least_float)
{
    volatile float *least = (volatile float *)x;
    for (unsigned i = 0; i < 6; i++) {
        float mine = -(float)((BID * 3 + i) % 8 + 1);
        if (least[i] > mine)
            least[i] = mine;
    }
}

// case: least_float_told grid=8 block=1 schedules=40 expect=ordering:warning
KERNEL(least_float_told)
{
    volatile float *least = (volatile float *)x;
    for (unsigned i = 0; i < 6; i++) {
        float mine = -(float)((BID * 3 + i) % 8 + 1);
        if (least[i] > mine) {
            least[i] = mine;
            VOL(flag[0]) = 1;
        }
    }
}

// case: most_double grid=8 block=1 schedules=40 expect=ordering
KERNEL(most_double)
{
    volatile double *most = (volatile double *)x;
    for (unsigned i = 0; i < 6; i++) {
        double mine = (double)((BID * 3 + i) % 8 + 1);
        if (mine >= most[i])
            most[i] = mine;
    }
}

// case: least_float_swapped_right grid=4 block=1 schedules=10 expect=silent
KERNEL(least_float_swapped_right)
{
    float mine = -(float)(BID * 7 % 5 + 1);
    int old = VOL_INT(x[0]), seen;
    while (__int_as_float(old) > mine && (seen = atomicCAS(x, old, __float_as_int(mine))) != old)
        old = seen;
}

// Each has a place of its own, and looks at another's.
// case: least_float_own_right grid=4 block=1 schedules=10 expect=silent
KERNEL(least_float_own_right)
{
    volatile float *least = (volatile float *)x;
    float mine = -(float)(BID * 7 % 5 + 1);
    if (least[BID] > mine)
        least[BID] = mine;
}
