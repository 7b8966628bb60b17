// Locks that wait by several loops, or by slots: looked at before they are swapped, with growing pauses; Anderson's array.
#include "judge.cuh"

// The lock is polled, then swapped; a swap that fails leads back to the poll. A thread may come back by either way.
// case: looked_at_right grid=4 block=1 expect=silent
KERNEL(looked_at_right)
{
    unsigned pause = 8;
    do
        while (LD("relaxed.gpu", flag)) {
            __nanosleep(pause);
            if (pause < 256)
                pause *= 2;
        }
    while (ATOM_EXCH("acquire.gpu", flag, 1));
    x[0]++;
    ST("release.gpu", flag, 0);
}

// case: looked_at_relaxed grid=4 block=1 expect=missing-acquire@1@1
KERNEL(looked_at_relaxed)
{
    unsigned pause = 8;
    do
        while (LD("relaxed.gpu", flag)) {
            __nanosleep(pause);
            if (pause < 256)
                pause *= 2;
        }
    while (ATOM_EXCH("relaxed.gpu", flag, 1));
    x[0]++; // @1
    ST("release.gpu", flag, 0);
}

// case: looked_at_never_given_back grid=2 block=1 expect=deadlock
KERNEL(looked_at_never_given_back)
{
    do
        while (LD("relaxed.gpu", flag))
            ;
    while (ATOM_EXCH("acquire.gpu", flag, 1));
    x[0]++;
}

/* Slots 1 to n - 1 are open when they hold 1, slot 0 when it holds 0. Who takes a slot again has to know that it was shut. */
#define OPEN(slot) ((slot) ? 1u : 0u)
#define SLOT(slot) (&flag[32 + 32 * (slot)])
#define ARRAY(take)                                                                                                                        \
    for (int k = 0; k < 2; k++) {                                                                                                          \
        unsigned slot = ATOM_ADD(take, flag, 1) % GRID, next = (slot + 1) % GRID;                                                          \
        while (LD("acquire.gpu", SLOT(slot)) != OPEN(slot))                                                                                \
            ;                                                                                                                              \
        ST("relaxed.gpu", SLOT(slot), 1 - OPEN(slot));                                                                                        \
        x[0]++;                                                                                                                            \
        ST("release.gpu", SLOT(next), OPEN(next));                                                                                         \
    }

// case: array_right grid=3 block=1 expect=silent
KERNEL(array_right)
{
    ARRAY("acq_rel.gpu")
}

// case: array_relaxed_ticket grid=3 block=1 expect=data-race|missing-acquire|missing-release also=*
KERNEL(array_relaxed_ticket)
{
    ARRAY("relaxed.gpu")
}

// What is read in a loop that another turn would read again, but what stood there before ends the loop, too, and is used behind it.
#define ENDED_BY(word, empty, signal_first, acquire)                                                                           \
    do {                                                                                                                       \
        if (BID == 0) {                                                                                                        \
            VOL_INT(x[0]) = 42; /* the macro's lines are those of its use */                                                   \
            signal_first;                                                                                                      \
            VOL(flag[0]) = 1;                                                                                                  \
        } else {                                                                                                               \
            for (;;) {                                                                                                         \
                if (VOL(flag[0]) == 0)                                                                                         \
                    continue;                                                                                                  \
                acquire;                                                                                                       \
                int t = VOL_INT(x[word]);                                                                                      \
                if (t empty)                                                                                                   \
                    continue;                                                                                                  \
                y[BID] = t;                                                                                                    \
                break;                                                                                                         \
            }                                                                                                                  \
        }                                                                                                                      \
    } while (0)

// case: ended_by_older grid=64 block=1 expect=ordering@1@1
KERNEL(ended_by_older)
{
    ENDED_BY(0, < 0, , ); // @1
}

// case: ended_by_older_fenced grid=64 block=1 expect=silent
KERNEL(ended_by_older_fenced)
{
    ENDED_BY(0, < 0, __threadfence(), __threadfence());
}

// The older value is the one that it waits to see gone.
// case: ended_by_newest_only grid=64 block=1 expect=silent
KERNEL(ended_by_newest_only)
{
    ENDED_BY(0, == 0, , );
}
