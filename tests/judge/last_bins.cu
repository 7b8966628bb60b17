// Words that many blocks add to, and that one thread then reads or writes by itself: its own block's atomics came last, so that they hide the others'.
#include "judge.cuh"

#define BIN(i) flag[(i) & 7]
#define TICKET flag[64]

/** Every thread adds to all bins; thread 0 of each block takes a ticket, and the last block goes on. */
#define COUNT_AND_MEET(before, after)                                                              \
    __shared__ bool last;                                                                          \
    for (unsigned i = 0; i < 16; i++)                                                              \
        ATOM_ADD("relaxed.gpu", &BIN(TID + i), 1); /* @1 */                                        \
    __syncthreads();                                                                               \
    if (TID == 0) {                                                                                \
        before;                                                                                    \
        last = ATOM_ADD("relaxed.gpu", &TICKET, 1) == GRID - 1;                                    \
        after;                                                                                     \
    }                                                                                              \
    __syncthreads();                                                                               \
    if (last && TID < 8)
#define NOTHING (void)0

// case: bins_unfenced grid=16 block=128 expect=missing-release also=data-race,missing-acquire
KERNEL(bins_unfenced)
{
    COUNT_AND_MEET(NOTHING, NOTHING)
        y[TID] = BIN(TID);
}

// case: bins_unreleased grid=16 block=128 expect=missing-release also=data-race
KERNEL(bins_unreleased)
{
    COUNT_AND_MEET(NOTHING, __threadfence())
        y[TID] = BIN(TID);
}

// case: bins_unacquired grid=16 block=128 expect=missing-acquire also=data-race
KERNEL(bins_unacquired)
{
    COUNT_AND_MEET(__threadfence(), NOTHING)
        y[TID] = BIN(TID);
}

// case: bins_fenced grid=16 block=128 expect=silent
KERNEL(bins_fenced)
{
    COUNT_AND_MEET(__threadfence(), __threadfence())
        y[TID] = BIN(TID);
}

// case: bins_set_back_unfenced grid=16 block=128 expect=missing-release also=data-race,missing-acquire
KERNEL(bins_set_back_unfenced)
{
    COUNT_AND_MEET(NOTHING, NOTHING)
        BIN(TID) = 0;
}

// case: bins_set_back grid=16 block=128 expect=silent
KERNEL(bins_set_back)
{
    COUNT_AND_MEET(__threadfence(), __threadfence())
        BIN(TID) = 0;
}

// case: ticket_set_back grid=16 block=128 expect=silent
KERNEL(ticket_set_back)
{
    COUNT_AND_MEET(__threadfence(), __threadfence())
        if (TID == 0)
            TICKET = 0;
}

// ---- Hidden from an atomic of too narrow a scope; one of the threads uses what another word's atomic returns ----
// case: narrow_behind_own grid=2 block=96 expect=data-race
KERNEL(narrow_behind_own)
{
    unsigned g = BID * 96 + TID, seen = ATOM_ADD("relaxed.gpu", &x[g], 1);
    ATOM_ADD("relaxed.gpu", &flag[g + 2], 1);
    __syncthreads();
    ATOM_ADD("relaxed.gpu", &flag[g], 1);
    __syncthreads();
    ATOM_ADD("relaxed.gpu", &flag[g], 1);
    __syncthreads();
    if (TID % 3 == 0)
        ATOM_ADD("relaxed.cta", &flag[g ^ 1], 1);
    y[g] = (int)seen;
}

// case: wide_behind_own grid=2 block=96 expect=silent
KERNEL(wide_behind_own)
{
    unsigned g = BID * 96 + TID, seen = ATOM_ADD("relaxed.gpu", &x[g], 1);
    ATOM_ADD("relaxed.gpu", &flag[g + 2], 1);
    __syncthreads();
    ATOM_ADD("relaxed.gpu", &flag[g], 1);
    __syncthreads();
    if (TID % 3 == 0)
        ATOM_ADD("relaxed.gpu", &flag[g ^ 1], 1);
    y[g] = (int)seen;
}

// What orders the two is asked of far more atomics than lie between them: who is behind the barrier is told what thread 0 is.
// case: bins_of_many grid=16 block=256 expect=missing-release
KERNEL(bins_of_many)
{
    __shared__ bool last;
    for (unsigned i = 0; i < 40; i++)
        ATOM_ADD("relaxed.gpu", &BIN(TID + i), 1);
    __syncthreads();
    if (TID == 0)
        last = ATOM_ADD("relaxed.gpu", &TICKET, 1) == GRID - 1;
    __syncthreads();
    if (last && TID < 8)
        y[TID] = BIN(TID);
}

// case: bins_of_many_fenced grid=16 block=256 expect=silent
KERNEL(bins_of_many_fenced)
{
    __shared__ bool last;
    for (unsigned i = 0; i < 40; i++)
        ATOM_ADD("relaxed.gpu", &BIN(TID + i), 1);
    __syncthreads();
    if (TID == 0) {
        __threadfence();
        last = ATOM_ADD("relaxed.gpu", &TICKET, 1) == GRID - 1;
        __threadfence();
    }
    __syncthreads();
    if (last && TID < 8)
        y[TID] = BIN(TID);
}
