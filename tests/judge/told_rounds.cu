// Rounds that go on until nobody has anything left to do. How far one gets hangs on who comes first; a thread that reads too early waits for the next round, and
// says so, or whoever it has missed does. What it does with an early read otherwise counts.
#include "judge.cuh"

#define RANK(v) ((v) * 37 % 61)
#define AROUND(v, k) (((v) + 32 + ((k) & 1 ? 1 : 3) * ((k) & 2 ? 1 : -1)) % 32)
#define DO_COLOUR(at, waits, ...)                                                                                      \
    do {                                                                                                               \
        unsigned used = 1, v = TID;                                                                                    \
        bool wait = false;                                                                                             \
        if (at[v])                                                                                                     \
            return;                                                                                                    \
        for (unsigned k = 0; k < 4; k++) {                                                                             \
            unsigned u = AROUND(v, k);                                                                                 \
            if (RANK(u) > RANK(v)) {                                                                                   \
                int c = at[u];                                                                                         \
                if (c == 0)                                                                                            \
                    wait = true;                                                                                       \
                else                                                                                                   \
                    used |= 1u << c;                                                                                   \
            }                                                                                                          \
        }                                                                                                              \
        if (wait) {                                                                                                    \
            waits;                                                                                                     \
        } else {                                                                                                       \
            at[v] = __ffs(~used) - 1;                                                                                  \
            __VA_ARGS__;                                                                                               \
        }                                                                                                              \
    } while (0)

// case: told_colour_flag grid=1 block=32 expect=silent
KERNEL(told_colour_flag)
{
    volatile int *colour = y;
    DO_COLOUR(colour, VOL(flag[0]) = 1);
}

// case: told_colour_waiting_counted grid=1 block=32 expect=silent
KERNEL(told_colour_waiting_counted)
{
    volatile int *colour = y;
    DO_COLOUR(colour, atomicAdd(&flag[0], 1u));
}

// case: told_colour_flag_if_unset grid=1 block=32 expect=silent
KERNEL(told_colour_flag_if_unset)
{
    volatile int *colour = y;
    DO_COLOUR(colour, if (!VOL(flag[0])) VOL(flag[0]) = 1);
}

// Who waits looks at the flag of another round, which is set.
// case: told_colour_other_flag grid=1 block=32 expect=ordering
KERNEL(told_colour_other_flag)
{
    volatile int *colour = y;
    if (TID == 0)
        VOL(flag[1]) = 1;
    __syncthreads();
    DO_COLOUR(colour, if (!VOL(flag[1])) VOL(flag[0]) = 1);
}

// Who has been coloured is counted, so that whoever calls knows when all are.
// case: told_colour_done_counted grid=1 block=32 expect=silent
KERNEL(told_colour_done_counted)
{
    volatile int *colour = y;
    DO_COLOUR(colour, , atomicAdd(&flag[0], 1u));
}

// Nobody is told: one round must do.
// case: told_colour_nobody grid=1 block=32 expect=ordering
KERNEL(told_colour_nobody)
{
    volatile int *colour = y;
    DO_COLOUR(colour, );
}

// case: told_colour_by_some grid=1 block=32 expect=ordering
KERNEL(told_colour_by_some)
{
    volatile int *colour = y;
    DO_COLOUR(colour, if (v % 4) VOL(flag[0]) = 1);
}

// Of a place for each node nobody hears by one flag.
// case: told_colour_own_place grid=1 block=32 expect=ordering
KERNEL(told_colour_own_place)
{
    volatile int *colour = y;
    DO_COLOUR(colour, colour[32 + v] = 1);
}

// In a block, until no thread has to wait any more; the rounds are not counted.
// case: told_colour_in_block grid=2 block=32 expect=silent
KERNEL(told_colour_in_block)
{
    __shared__ volatile int colour[32];
    unsigned v = TID;
    bool wait;
    colour[v] = 0;
    __syncthreads();
    do {
        wait = false;
        if (!colour[v]) {
            unsigned used = 1;
            for (unsigned k = 0; k < 4; k++) {
                unsigned u = AROUND(v, k);
                if (RANK(u) > RANK(v)) {
                    int c = colour[u];
                    wait |= c == 0;
                    used |= 1u << c;
                }
            }
            if (!wait)
                colour[v] = __ffs(~used) - 1;
        }
    } while (__syncthreads_or(wait));
    y[GID] = colour[v];
}

// Two nodes a thread.
// case: told_colour_two_each grid=1 block=16 expect=silent
KERNEL(told_colour_two_each)
{
    __shared__ volatile int colour[32];
    bool wait;
    colour[TID] = colour[TID + 16] = 0;
    __syncthreads();
    do {
        wait = false;
        for (unsigned v = TID; v < 32; v += 16) {
            unsigned used = 1;
            bool later = false;
            if (colour[v])
                continue;
            for (unsigned k = 0; k < 4; k++) {
                unsigned u = AROUND(v, k);
                if (RANK(u) > RANK(v)) {
                    int c = colour[u];
                    later |= c == 0;
                    used |= 1u << c;
                }
            }
            wait |= later;
            if (!later)
                colour[v] = __ffs(~used) - 1;
        }
    } while (__syncthreads_or(wait));
    y[TID] = colour[TID];
    y[TID + 16] = colour[TID + 16];
}

// Colours as it likes, and says so only where it sees that a neighbour has the same: who reads too early sees none.
// case: told_conflict grid=1 block=32 expect=ordering
KERNEL(told_conflict)
{
    volatile int *colour = y;
    unsigned v = TID;
    if (colour[(v + 1) % 32] == 1 + v % 2 / 2)
        VOL(flag[0]) = 1;
    else
        colour[v] = 1;
}

// An independent set: a node waits for its betters, is out beside one that is in, and in else.
#define IN 1
#define OUT 2
#define DO_SET(waits, undecided)                                                                                       \
    do {                                                                                                               \
        volatile int *state = y;                                                                                       \
        unsigned v = TID;                                                                                              \
        bool wait = false, out = false;                                                                                \
        if (state[v])                                                                                                  \
            return;                                                                                                    \
        for (unsigned k = 0; k < 4; k++) {                                                                             \
            unsigned u = AROUND(v, k);                                                                                 \
            if (RANK(u) > RANK(v)) {                                                                                   \
                int s = state[u];                                                                                      \
                out |= s == IN;                                                                                        \
                wait |= s == undecided;                                                                                \
            }                                                                                                          \
        }                                                                                                              \
        if (out)                                                                                                       \
            state[v] = OUT;                                                                                            \
        else if (wait)                                                                                                 \
            waits;                                                                                                     \
        else                                                                                                           \
            state[v] = IN;                                                                                             \
    } while (0)

// case: told_set grid=1 block=32 expect=silent
KERNEL(told_set)
{
    DO_SET(VOL(flag[0]) = 1, 0);
}

// It does not wait for those who are undecided, and is in beside them.
// case: told_set_too_early grid=1 block=32 expect=ordering
KERNEL(told_set_too_early)
{
    DO_SET(VOL(flag[0]) = 1, 7);
}

// Labels go from node to node; what is stored is told.
// case: told_labels grid=1 block=32 expect=silent
KERNEL(told_labels)
{
    volatile int *label = y;
    int least = min(label[(TID + 1) % 32] - 1, label[(TID + 31) % 32] - 1);
    if (least < label[TID] - (int)TID) {
        label[TID] = least + (int)TID;
        VOL(flag[0]) = 1;
    }
}

// A sum that is told is no better for that: a neighbour's part is in it or not.
// case: told_sums grid=1 block=32 expect=ordering
KERNEL(told_sums)
{
    volatile int *sum = y;
    if (sum[(TID + 1) % 32] < 100) {
        sum[TID] = sum[TID] + sum[(TID + 1) % 32] + 1;
        VOL(flag[0]) = 1;
    }
}

// What was read goes on behind the barrier.
// case: told_and_kept grid=1 block=64 expect=ordering
KERNEL(told_and_kept)
{
    __shared__ volatile int s[64];
    s[TID] = (int)TID % 7;
    __syncthreads();
    int next = s[(TID + 1) % 64];
    if (next == 3)
        VOL(flag[0]) = 1;
    else
        s[TID] = 3;
    __syncthreads();
    y[TID] = next;
}

// Of zeros every sum is the same, whoever comes first: of these data, not of the program.
// case: told_zeros grid=1 block=32 expect=ordering:warning
KERNEL(told_zeros)
{
    __shared__ volatile int s[64];
    s[TID] = x[TID];
    s[TID + 32] = 0;
    __syncwarp();
    s[TID] += s[TID + 16];
    s[TID] += s[TID + 8];
    s[TID] += s[TID + 4];
    y[TID] = s[0];
}

// A level of a breadth-first search: as many neighbours as the data have, so that nvcc unrolls the loop, and what is new is told for each.
#define DO_LEVEL(found)                                                                                         \
    do {                                                                                                               \
        volatile int *level = y;                                                                                       \
        if (TID % 2 || level[TID] > 1)                                                                                 \
            return;                                                                                                    \
        for (int k = 0; k < n; k++) {                                                                              \
            unsigned u = 2 * ((TID * 5 + k * (x[0] + 3)) % 31) + 1;                                                    \
            if (level[u] == 0) {                                                                                       \
                level[u] = 1;                                                                                          \
                found;                                                                                                 \
            }                                                                                                          \
        }                                                                                                              \
    } while (0)

// case: told_level grid=1 block=32 n=6 expect=silent
KERNEL(told_level)
{
    DO_LEVEL(VOL(flag[0]) = 1);
}

// Whoever looks never comes by such a store again: nobody has a next round, and what it says is the result.
// case: told_never_again grid=1 block=32 expect=ordering
KERNEL(told_never_again)
{
    VOL(y[TID]) = 1;
    if (VOL(y[(TID + 1) % 32]) == 0)
        VOL(flag[0]) = 1;
}
// case: told_level_many grid=1 block=32 n=29 expect=silent
KERNEL(told_level_many)
{
    DO_LEVEL(VOL(flag[0]) = 1);
}


// Labels along edges, by atomics of all blocks. An older label improves less, and whoever has made the newer one has told that another round is needed.
#define DO_EDGES(update)                                                                                               \
    do {                                                                                                               \
        for (int i = (int)GID; i < n; i += GRID * BLOCK) {                                                             \
            unsigned u = i % 61, w = (i * 29 + i / 61 * 7 + x[0]) % 61;                                                \
            unsigned mine = VOL(y[u]);                                                                                 \
            update;                                                                                                    \
        }                                                                                                              \
    } while (0)
#define LABEL(v) (-(int)((v) * 37 % 61))

// case: told_edges grid=2 block=32 n=256 expect=silent
KERNEL(told_edges)
{
    DO_EDGES(int l = min((int)mine, LABEL(u)); if (atomicMin(&y[w], l) > l) VOL(flag[0]) = 1);
}

// case: told_edges_looked grid=2 block=32 n=256 expect=silent
KERNEL(told_edges_looked)
{
    DO_EDGES(int l = min((int)mine, LABEL(u)); if (VOL_INT(y[w]) > l) { atomicMin(&y[w], l); atomicExch(&flag[0], 1u); });
}

// case: told_edges_nobody grid=2 block=32 n=256 expect=ordering:warning
KERNEL(told_edges_nobody)
{
    DO_EDGES(int l = min((int)mine, LABEL(u)); atomicMin(&y[w], l));
}

// case: told_edges_summed grid=2 block=32 n=256 expect=ordering:warning
KERNEL(told_edges_summed)
{
    DO_EDGES(int l = mine + u; atomicAdd(&y[w], l); VOL(flag[0]) = 1);
}

// case: told_edges_stored grid=2 block=32 n=256 expect=ordering:warning
KERNEL(told_edges_stored)
{
    DO_EDGES(int l = min((int)mine, LABEL(u)); atomicMin(&y[w], l); VOL(x[64 + i]) = l; VOL(flag[0]) = 1);
}
