// Atomics that change nothing are looks: add 0, or 0, a compare-and-swap of a value for itself. What they miss costs a turn.
#include "judge.cuh"

// ---- A queue whose items add items: flag[0] head, flag[1] tail, flag[2] items done, then a flag for each item ----
#define ITEMS 7
#define READY(i) flag[8 + x[63] + (i)] /* where the flags lie is read anew in each turn */

#define PUSH(weight, publish)                                                                                                  \
    do {                                                                                                                       \
        unsigned at = atomicAdd(&flag[1], 1);                                                                                  \
        x[at] = (weight); /* @1 */                                                                                             \
        publish;                                                                                                               \
    } while (0)

#define GROWING(look, publish, take)                                                                                           \
    do {                                                                                                                       \
        if (BID == 0)                                                                                                          \
            PUSH(4, publish);                                                                                                  \
        while (look(&flag[2]) < ITEMS) {                                                                                       \
            unsigned i = look(&flag[0]);                                                                                       \
            if (i >= look(&flag[1]) || atomicCAS(&flag[0], i, i + 1) != i)                                                     \
                continue;                                                                                                      \
            while (look(&READY(i)) == 0) {                                                                                     \
            }                                                                                                                  \
            take;                                                                                                              \
            int weight = x[i]; /* @2 */                                                                                        \
            if (weight > 1) {                                                                                                  \
                PUSH(weight / 2, publish);                                                                                     \
                PUSH(weight - weight / 2, publish);                                                                            \
            } else {                                                                                                           \
                atomicAdd(&y[0], 1);                                                                                           \
            }                                                                                                                  \
            atomicAdd(&flag[2], 1);                                                                                            \
        }                                                                                                                      \
    } while (0)

#define BY_ADD(p) atomicAdd(p, 0)
#define BY_OR(p) atomicOr(p, 0)
#define BY_AND(p) atomicAnd(p, ~0u)
#define BY_SWAP(p) atomicCAS(p, 0, 0)
#define BY_LOAD(p) (*(volatile unsigned *)(p))
#define RAISE                                                                                                                  \
    __threadfence();                                                                                                           \
    atomicExch(&READY(at), 1)

// case: looks_by_add grid=3 block=1 expect=silent
KERNEL(looks_by_add)
{
    GROWING(BY_ADD, RAISE, __threadfence());
}

// case: looks_by_or grid=3 block=1 expect=silent
KERNEL(looks_by_or)
{
    GROWING(BY_OR, RAISE, __threadfence());
}

// case: looks_by_and grid=3 block=1 expect=silent
KERNEL(looks_by_and)
{
    GROWING(BY_AND, RAISE, __threadfence());
}

// case: looks_by_swap grid=3 block=1 expect=silent
KERNEL(looks_by_swap)
{
    GROWING(BY_SWAP, RAISE, __threadfence());
}

// case: looks_by_load grid=3 block=1 expect=silent
KERNEL(looks_by_load)
{
    GROWING(BY_LOAD, RAISE, __threadfence());
}

// case: looks_unreleased grid=3 block=1 expect=missing-release also=data-race also=deadlock
KERNEL(looks_unreleased)
{
    GROWING(BY_ADD, atomicExch(&READY(at), 1), __threadfence());
}

// case: looks_unacquired grid=3 block=1 expect=missing-acquire also=deadlock
KERNEL(looks_unacquired)
{
    GROWING(BY_ADD, RAISE, );
}

// ---- The look is the answer: a stale one is more than a turn ----
#define TOLD(look)                                                                                                             \
    do {                                                                                                                       \
        if (BID == 0) {                                                                                                        \
            VOL_INT(x[0]) = 42;                                                                                                \
            VOL(flag[0]) = 1;                                                                                                  \
        } else {                                                                                                               \
            while (look(&flag[0]) == 0) {                                                                                      \
            }                                                                                                                  \
            y[0] = look((unsigned *)&x[0]) == 42 ? 1 : 2;                                                                      \
        }                                                                                                                      \
    } while (0)

// case: answer_by_add grid=2 block=1 expect=ordering
KERNEL(answer_by_add)
{
    TOLD(BY_ADD);
}

// case: answer_by_and grid=2 block=1 expect=ordering
KERNEL(answer_by_and)
{
    TOLD(BY_AND);
}

// Tries that are counted are more than looks.
// case: answer_after_tries grid=2 block=1 expect=ordering
KERNEL(answer_after_tries)
{
    if (BID == 0) {
        atomicExch(&x[0], 42);
        atomicExch(&flag[0], 1);
    } else {
        while (atomicAdd(&flag[0], 0) == 0) {
        }
        int tries = 0;
        while (tries < 1 && atomicAdd(&x[0], 0) == 0)
            tries++;
        y[0] = tries;
    }
}

// ---- A sum by compare-and-swap: what a look misses makes the swap fail, also where each turn has a place of its own ----
#define PLACE(k) (&flag[(GID + (k) * 3) % 4])

// case: place_by_place_looked grid=2 block=32 n=3 expect=silent
KERNEL(place_by_place_looked)
{
    for (int k = 0; k < n; k++) {
        unsigned *p = PLACE(k), was = BY_LOAD(p), expected;
        do {
            expected = was;
            was = atomicCAS(p, expected, expected + 1 + GID);
        } while (was != expected);
    }
}

// What one place held is expected of the next: that swap does not tell whether the look was stale.
// case: place_by_place_next grid=2 block=32 n=5 expect=ordering:any@1@2
KERNEL(place_by_place_next)
{
    unsigned was = 0, sum = 0;
    for (int k = 0;; k++) {
        unsigned *p = PLACE(k);
        if (k & 1) {
            sum += atomicCAS(p, was, was + 1); // @1
            if (k >= n)
                break;
        } else {
            was = BY_LOAD(p); // @2
        }
    }
    y[GID] = sum;
}

// The look names a generic address, the swap one in global memory: nvcc adds the index to each.
// case: place_by_place_generic grid=2 block=32 n=3 expect=silent
KERNEL(place_by_place_generic)
{
    for (int k = 0; k < n; k++) {
        unsigned *p = PLACE(k), was = LD("relaxed.gpu", p), expected;
        do {
            expected = was;
            was = atomicCAS(p, expected, expected + 1 + GID);
        } while (was != expected);
    }
}
// The swap is of the place before the one that was looked at.
// case: place_by_place_behind grid=2 block=32 n=5 expect=ordering:any@1@2
KERNEL(place_by_place_behind)
{
    unsigned sum = 0;
    for (int k = 0; k < n; k++) {
        unsigned was = LD("relaxed.gpu", PLACE(k + 1)); // @2
        sum += atomicCAS(PLACE(k), was, was + 1);       // @1
    }
    y[GID] = sum;
}

// A thread looks twice and releases in between: whoever has heard of that must see what the first look has seen, and need not see what the second has.
#define LOOKED_TWICE(name, first_look, release)                                                    \
    KERNEL(name)                                                                                   \
    {                                                                                              \
        if (BID == 0) {                                                                            \
            VOL(x[0]) = 1;                                                                         \
            VOL(x[0]) = 2;                                                                         \
            VOL(flag[0]) = 1;                                                                      \
            while (!VOL(flag[192]))                                                                \
                ;                                                                                  \
            VOL(x[0]) = 3;                                                                         \
        } else if (BID == 1) {                                                                     \
            first_look;                                                                            \
            release;                                                                               \
            VOL(flag[192]) = 1;                                                                    \
            while (VOL(x[0]) < 3)                                                                  \
                ;                                                                                  \
            VOL(flag[128]) = 1;                                                                    \
        } else {                                                                                   \
            while (!LD("acquire.gpu", &flag[64]))                                                  \
                ;                                                                                  \
            while (!VOL(flag[128]) || !VOL(flag[0]))                                               \
                ;                                                                                  \
            if (VOL(x[0]) < 2)                                                                     \
                y[0] = 1;                                                                          \
            for (int i = 0; i < 300; i++) /* too long to be asked as a whole */                    \
                VOL(flag[300 + i]) = i;                                                            \
        }                                                                                          \
    }
#define LOOK while (VOL(x[0]) < 2);
#define TELL ST("release.gpu", &flag[64], 1)
// case: looked_before_it_told grid=3 block=1 expect=silent
LOOKED_TWICE(looked_before_it_told, LOOK, TELL)
// case: looked_after_it_told grid=3 block=1 expect=ordering
LOOKED_TWICE(looked_after_it_told, TELL, LOOK)

#define LOOK_BY_ADDING(p) atomicAdd(p, 0u)

// A look by adding 0 that spares a maximum: the maximum is no other look. It is told how often.
// case: looks_by_adding_counts grid=4 block=2 schedules=10 expect=ordering:any
KERNEL(looks_by_adding_counts)
{
    unsigned first = BID & 1, mine = 1000 - BID * 100 + TID;
    if (LOOK_BY_ADDING(&flag[first]) < mine) {
        atomicMax(&flag[first], mine);
        atomicAdd((unsigned *)&y[0], 1u);
    }
    if (LOOK_BY_ADDING(&flag[!first]) < mine) {
        atomicMax(&flag[!first], mine);
        atomicAdd((unsigned *)&y[0], 1u);
    }
}

// case: looks_by_adding_counts_in_turns grid=4 block=2 schedules=10 expect=ordering:any
KERNEL(looks_by_adding_counts_in_turns)
{
    unsigned own = 1000 - BID * 100 + TID, first = BID & 1;
    for (unsigned turn = 0; turn < 2; turn++)
        if (LOOK_BY_ADDING(&flag[first ^ turn]) < own) {
            atomicMax(&flag[first ^ turn], own);
            atomicAdd(&x[0], 1);
        }
}

// What the maximum has found is kept.
// case: looks_by_adding_keeps grid=4 block=2 schedules=10 expect=ordering:any
KERNEL(looks_by_adding_keeps)
{
    unsigned first = BID & 1, mine = 1000 - BID * 100 + TID, found = 0;
    if (LOOK_BY_ADDING(&flag[first]) < mine)
        atomicMax(&flag[first], mine);
    if (LOOK_BY_ADDING(&flag[!first]) < mine)
        found = atomicMax(&flag[!first], mine);
    y[GID] = found > 0;
}

// case: looks_by_adding_spares grid=4 block=2 schedules=10 expect=silent
KERNEL(looks_by_adding_spares)
{
    unsigned own = 1000 - BID * 100 + TID, first = BID & 1;
    for (unsigned turn = 0; turn < 2; turn++)
        if (LOOK_BY_ADDING(&flag[first ^ turn]) < own)
            atomicMax(&flag[first ^ turn], own);
}

// Another look of the same kind is one: the first turns of a poll that is unrolled.
// case: looks_by_adding_polls grid=2 block=2 expect=silent
KERNEL(looks_by_adding_polls)
{
    if (BID == 0) {
        if (TID == 0) {
            x[0] = 1;
            __threadfence();
            atomicExch(&flag[0], 1u);
        }
        return;
    }
    if (LOOK_BY_ADDING(&flag[0]) == 0)
        while (LOOK_BY_ADDING(&flag[0]) == 0)
            ;
    __threadfence();
    y[TID] = x[0];
}
