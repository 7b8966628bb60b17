// A list of tasks: a look at each one's state, and a compare-and-swap that claims it. A stale look costs a swap in vain, or skips nothing that
// the newest value would not.
#include "judge.cuh"

#define LEFT flag[64]
#define STATE flag
#define DONE 2

/** Task after task until all are done. `looked`: behind the look that has found it free; `claimed`, `finished`: fences. */
#define WORK(name, looked, claimed, finished, work)                                                \
    KERNEL(name)                                                                                   \
    {                                                                                              \
        while (VOL(LEFT) < (unsigned)n)                                                                  \
            for (unsigned i = 0; i < (unsigned)n; i++) {                                                 \
                if (VOL(STATE[i]) != 0)                                                            \
                    continue;                                                                      \
                looked;                                                                            \
                if (atomicCAS(&STATE[i], 0, 1) != 0)                                               \
                    continue;                                                                      \
                claimed;                                                                           \
                work;                                                                              \
                finished;                                                                          \
                atomicExch(&STATE[i], DONE);                                                       \
                atomicAdd(&LEFT, 1);                                                               \
            }                                                                                      \
    }

// case: tasks_right grid=3 block=1 n=6 expect=silent
WORK(tasks_right, , __threadfence(), __threadfence(), x[i] = 100 + i)

// case: tasks_of_many_right grid=24 block=32 n=6 expect=silent
WORK(tasks_of_many_right, , __threadfence(), __threadfence(), x[i] = 100 + i)

// A task's place is taken up by whoever is next: each needs what the one before it has left.
#define BEFORE                                                                                     \
    if (i && VOL(STATE[i - 1]) != DONE)                                                            \
        continue

// case: tasks_in_order_no_acquire grid=3 block=1 n=6 expect=missing-acquire also=ordering
WORK(tasks_in_order_no_acquire, BEFORE, , __threadfence(), x[i] = (i ? x[i - 1] : 0) + 1)

// case: tasks_in_order_no_release grid=3 block=1 n=6 expect=missing-release also=ordering
WORK(tasks_in_order_no_release, BEFORE, __threadfence(), , x[i] = (i ? x[i - 1] : 0) + 1)

// Who has seen the signal of the claim's thread, and yet finds the task free.
#define CLAIMED(name, ...)                                                                         \
    KERNEL(name)                                                                                   \
    {                                                                                              \
        if (BID == 0) {                                                                            \
            atomicExch(&STATE[0], 1);                                                              \
            __threadfence();                                                                       \
            VOL(LEFT) = 1;                                                                         \
        } else {                                                                                   \
            while (!VOL(LEFT))                                                                     \
                ;                                                                                  \
            int kept = n;                                                                          \
            unsigned state = VOL(STATE[0]);                                                        \
            __VA_ARGS__;                                                                           \
            y[1] = kept;                                                                           \
        }                                                                                          \
    }

// case: claimed_swapped_right grid=2 block=1 expect=silent
CLAIMED(claimed_swapped_right, if (state == 0) y[0] = atomicCAS(&STATE[0], 0, 3) == 0)

// case: claimed_swapped_or_not_right grid=2 block=1 expect=silent
CLAIMED(claimed_swapped_or_not_right, if (state == 0 && VOL(STATE[1]) == 0 && atomicCAS(&STATE[0], 0, 3) == 0) y[0] = 1)

// case: claimed_and_another_look_right grid=2 block=1 expect=silent
CLAIMED(claimed_and_another_look_right, if (state == 0 && VOL(STATE[1]) != 0 && atomicCAS(&STATE[0], 0, 3) == 0) y[0] = 1)

// The swap expects something else than what was found,
// case: claimed_swapped_from_else grid=2 block=1 expect=ordering:any
CLAIMED(claimed_swapped_from_else, if (state == 0) y[0] = atomicCAS(&STATE[0], 1, 3) == 1)

// something is made of it, too,
// case: claimed_told grid=2 block=1 expect=ordering:any
CLAIMED(claimed_told, if (state == 0 && VOL(STATE[1]) == 0) { atomicCAS(&STATE[0], 0, 3); } y[2] = state)

// something is kept on a way that passes the swap by,
// case: claimed_kept grid=2 block=1 expect=ordering:any
CLAIMED(claimed_kept, if (state == 0) { kept = VOL(STATE[1]); if (kept == 0) atomicCAS(&STATE[0], 0, 3); })

// done,
// case: claimed_done grid=2 block=1 expect=ordering:any
CLAIMED(claimed_done, if (state == 0) { if (VOL(STATE[1]) != 0) atomicCAS(&STATE[0], 0, 3); else VOL(STATE[2]) = 5; })

// or waited for.
// case: claimed_waits grid=2 block=1 expect=ordering|deadlock:any
CLAIMED(claimed_waits, if (state == 0) { while (VOL(STATE[1]) == 0) ; atomicCAS(&STATE[0], 0, 3); })

// The swap is of another task.
// case: claimed_another grid=2 block=1 expect=ordering:any
CLAIMED(claimed_another, if (state == 0) y[0] = atomicCAS(&STATE[1], 0, 3) == 0)

// Whoever finds it taken passes it by for good: not swapped is no more than seen.
// case: claimed_passed_by grid=2 block=1 expect=ordering:any
CLAIMED(claimed_passed_by, if (state != 1) y[0] = 7)
