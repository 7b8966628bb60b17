// Check, then act: between two strong accesses of one thread another may come. Each is whole by itself, and nothing races.
#include "judge.cuh"

// case: late_bounded_count grid=4 block=32 expect=ordering@1@2
KERNEL(late_bounded_count)
{
    if (atomicAdd(&flag[0], 0u) < 20) // @1
        atomicAdd(&flag[0], 1u); // @2
}

// One thread a block: seen where all check before one acts.
// case: late_bounded_count_blocks grid=8 block=1 expect=ordering@1@2
KERNEL(late_bounded_count_blocks)
{
    if (atomicAdd(&flag[0], 0u) < 3) // @1
        atomicAdd(&flag[0], 1u); // @2
}

// The bound is never reached: what was checked holds.
// case: late_never_reached grid=4 block=32 expect=silent
KERNEL(late_never_reached)
{
    if (atomicAdd(&flag[0], 0u) < 1000)
        atomicAdd(&flag[0], 1u);
}

// A first look saves atomics; what counts is what the second one returns.
// case: late_checked_again grid=4 block=32 expect=silent
KERNEL(late_checked_again)
{
    if (atomicAdd(&flag[0], 0u) < 20) {
        unsigned mine = atomicAdd(&flag[0], 1u);
        if (mine < 20)
            y[mine] = 1;
    }
}

// Taken first, given back if there was none.
// case: late_given_back grid=4 block=32 expect=silent
KERNEL(late_given_back)
{
    if (atomicAdd(&flag[0], 1u) >= 20)
        atomicSub(&flag[0], 1u);
    else
        atomicAdd(&flag[1], 1u);
}

// case: late_swap_ignored grid=4 block=32 expect=ordering@1@2
KERNEL(late_swap_ignored)
{
    unsigned old = VOL(flag[0]); // @1
    atomicCAS(&flag[0], old, old + 1); // @2
}

// The value itself, or another: what is stored rests on it, whichever it was.
// case: late_arm_stored grid=4 block=8 expect=ordering:error@1@2
KERNEL(late_arm_stored)
{
    int old = VOL_INT(x[0]); // @1
    int next = VOL_INT(y[0]);
    next = next ? next - 1 : old;
    VOL_INT(x[0]) = next + 1; // @2
}

// The branch lets only those through whom the arm of the value has fallen to.
// case: late_arm_kept grid=4 block=8 expect=ordering:error@1@2
KERNEL(late_arm_kept)
{
    int old = VOL_INT(x[0]); // @1
    int next = VOL_INT(y[0]);
    next = next ? next - 1 : old;
    if (next == old)
        VOL_INT(x[0]) = next + 1; // @2
}

// And here only the others: nothing that was read is stored.
// case: late_arm_left grid=4 block=8 expect=silent
KERNEL(late_arm_left)
{
    int old = VOL_INT(x[0]);
    int next = VOL_INT(y[0]);
    next = next ? next - 1 : old;
    if (next != old)
        VOL_INT(x[0]) = next + 1;
}

// A list's next elements lie in another array: what is taken off it is taken twice.
// case: late_pop_ignored grid=4 block=8 then=late_pop_ignored_pops expect=ordering:error@1@2
KERNEL(late_pop_ignored)
{
    y[GID] = (int)GID + 1;
}

KERNEL(late_pop_ignored_pops)
{
    int top = VOL_INT(x[0]); // @1
    int next = VOL_INT(y[top]);
    atomicCAS(&x[0], top, next); // @2
}

// Neither way's value is looked at where the two meet.
// case: late_swap_ignored_behind_join grid=4 block=32 expect=ordering@1@2
KERNEL(late_swap_ignored_behind_join)
{
    unsigned old = VOL(flag[0]), now; // @1
    if (x[GID] == -1)
        now = LD("relaxed.gpu", &flag[0]);
    else
        now = ATOM_CAS("relaxed.gpu", &flag[0], old, old + 1); // @2
    y[GID] = now;
}

// The swap's way leads on past the other's, which gets something else: what is looked at there is the swap's, too.
// case: late_swap_again_behind_join grid=4 block=32 expect=silent
KERNEL(late_swap_again_behind_join)
{
    unsigned old = LD("relaxed.gpu", &flag[0]), expected;
    do {
        expected = old;
        if (expected % 4 == 3 && GID % 2)
            old = LD("relaxed.gpu", &flag[0]);
        else
            old = ATOM_CAS("relaxed.gpu", &flag[0], expected, expected + 1);
    } while (old != expected);
}

// case: late_swap_again grid=4 block=32 expect=silent
KERNEL(late_swap_again)
{
    unsigned old = VOL(flag[0]), expected;
    do {
        expected = old;
        old = atomicCAS(&flag[0], expected, expected + 1);
    } while (old != expected);
}

// Whoever comes first sets it; the others need not.
// case: late_set_once grid=4 block=32 expect=silent
KERNEL(late_set_once)
{
    if (VOL(flag[0]) == 0)
        atomicCAS(&flag[0], 0u, GID + 1);
}

// case: late_volatile_increment grid=4 block=32 expect=ordering@1@1
KERNEL(late_volatile_increment)
{
    VOL(flag[0]) += 1; // @1
}

// case: late_volatile_own grid=4 block=32 expect=silent
KERNEL(late_volatile_own)
{
    VOL(flag[GID]) += 1;
    VOL(flag[GID]) += 1;
}

// case: late_volatile_locked grid=4 block=1 expect=silent
KERNEL(late_volatile_locked)
{
    while (atomicCAS(&flag[1], 0u, 1u) != 0)
        ;
    __threadfence();
    VOL(flag[0]) += 1;
    __threadfence();
    atomicExch(&flag[1], 0u);
}

// case: late_exchange grid=4 block=1 expect=ordering@1@2
KERNEL(late_exchange)
{
    unsigned seen = atomicAdd(&flag[0], 0u); // @1
    atomicExch(&flag[0], seen * 2 + 1); // @2
}

// case: late_maximum grid=4 block=32 expect=ordering@1@2
KERNEL(late_maximum)
{
    unsigned mine = GID * 37u % 101u;
    if (atomicAdd(&flag[0], 0u) < mine) // @1
        atomicExch(&flag[0], mine); // @2
}

// case: late_maximum_right grid=4 block=32 expect=silent
KERNEL(late_maximum_right)
{
    unsigned mine = GID * 37u % 101u;
    if (atomicAdd(&flag[0], 0u) < mine)
        atomicMax(&flag[0], mine);
}

// Any of those that find no leader may lead: which one, they ask behind the barrier.
// case: late_leader grid=1 block=64 expect=silent
KERNEL(late_leader)
{
    if (atomicAdd(&flag[0], 0u) == 0)
        atomicExch(&flag[0], TID + 1);
    __syncthreads();
    if (VOL(flag[0]) == TID + 1)
        y[0] = TID;
}

// The last block resets the counter that all have added to.
// case: late_reset grid=4 block=32 expect=silent
KERNEL(late_reset)
{
    if (TID == 0 && atomicAdd(&flag[0], 1u) == GRID - 1)
        atomicExch(&flag[0], 0u);
}

// A slot of a pool: taken if the look says there is one.
// case: late_pool grid=8 block=1 expect=ordering@1@2
KERNEL(late_pool)
{
    if (atomicAdd(&flag[0], 0u) < 4) { // @1
        unsigned slot = atomicAdd(&flag[0], 1u); // @2
        atomicAdd(&y[slot], 1);
    }
}

// The same in functions that are called.
// case: late_in_function grid=4 block=32 expect=ordering@1@2
__device__ __noinline__ bool take_below(unsigned *count, unsigned bound)
{
    if (atomicAdd(count, 0u) >= bound) // @1
        return false;
    atomicAdd(count, 1u); // @2
    return true;
}

KERNEL(late_in_function)
{
    y[GID] = take_below(&flag[0], 20);
}

// case: late_in_function_checked_again grid=4 block=32 expect=silent
__device__ __noinline__ bool take_and_look(unsigned *count, unsigned bound)
{
    if (atomicAdd(count, 0u) >= bound)
        return false;
    return atomicAdd(count, 1u) < bound;
}

KERNEL(late_in_function_checked_again)
{
    if (take_and_look(&flag[0], 20))
        atomicAdd(&flag[1], 1u);
}

// Only an unlucky order shows it: the one that gives comes before three that look, and they before any that takes.
// case: budget_checked grid=4 block=1 expect=ordering@1@2
KERNEL(budget_checked)
{
    if (BID == 3) {
        atomicAdd(&x[0], 2);
    } else if (VOL(x[0]) > 0) { // @1
        atomicSub(&x[0], 1);    // @2
        y[BID] = 1;
    }
}

// case: budget_swapped grid=4 block=1 expect=silent
KERNEL(budget_swapped)
{
    if (BID == 3) {
        atomicAdd(&x[0], 2);
    } else {
        unsigned seen = VOL(x[0]);
        while (seen > 0 && (int)seen > 0) {
            unsigned was = atomicCAS(&x[0], seen, seen - 1);
            if (was == seen) {
                y[BID] = 1;
                break;
            }
            seen = was;
        }
    }
}

// As many as come may take: no check fails.
// case: budget_enough grid=3 block=1 expect=silent
KERNEL(budget_enough)
{
    if (BID == 2)
        atomicAdd(&x[0], 2);
    else if (VOL(x[0]) > 0)
        atomicSub(&x[0], 1);
}

// A claim by hand: two that have found it free each hold it.
// case: late_claim grid=8 block=1 expect=ordering:warning@1@2
KERNEL(late_claim)
{
    if (VOL(flag[0]) == 0) { // @1
        VOL(flag[0]) = BID + 1; // @2
        VOL(y[BID]) = 1;
    }
}

// Nothing says whether any of them would do.
// case: late_claim_any grid=8 block=1 expect=ordering:warning@1@2
KERNEL(late_claim_any)
{
    if (VOL(flag[0]) == 0) // @1
        VOL(flag[0]) = BID + 1; // @2
}

// case: late_claim_swapped grid=8 block=1 expect=silent
KERNEL(late_claim_swapped)
{
    if (VOL(flag[0]) == 0 && atomicCAS(&flag[0], 0u, BID + 1) == 0)
        VOL(y[BID]) = 1;
}

// Union-find: two threads find one root and hook it, each to another. The code of one that hooks is that of a search which notes a parent, of which any
// will do; here the first hook is lost.
#define FIND(u) while (unsigned p_ = VOL(flag[u])) u = p_ - 1 /* a root has 0, others their parent and one */
#define HOOK(update)                                                                               \
    unsigned a = 3, b = 1 + BID;                                                                   \
    while (1) {                                                                                    \
        FIND(a);                                                                                   \
        FIND(b);                                                                                   \
        if (a == b)                                                                                \
            break;                                                                                 \
        unsigned high = a > b ? a : b, low = a > b ? b : a;                                        \
        update                                                                                     \
    }

// case: late_hook grid=2 block=1 expect=ordering:warning
KERNEL(late_hook)
{
    HOOK(if (VOL(flag[high]) == 0) {
        VOL(flag[high]) = low + 1;
        break;
    })
}

// It is looked for again until both have one root.
// case: late_hook_again grid=2 block=1 expect=silent
KERNEL(late_hook_again)
{
    HOOK(if (VOL(flag[high]) == 0) VOL(flag[high]) = low + 1;)
}

// … but who counts what it has hooked counts what was lost, too.
// case: late_hook_counted grid=2 block=1 expect=ordering:warning
KERNEL(late_hook_counted)
{
    unsigned hooked = 0;
    HOOK(if (VOL(flag[high]) == 0) {
        VOL(flag[high]) = low + 1;
        hooked++;
    })
    y[BID] = (int)hooked;
}

// case: late_hook_by_swap grid=2 block=1 expect=silent
KERNEL(late_hook_by_swap)
{
    HOOK(if (atomicCAS(&flag[high], 0, low + 1) == 0) break;)
}

// All agree behind the barrier who it is.
// case: late_claim_agreed grid=1 block=64 expect=silent
KERNEL(late_claim_agreed)
{
    if (VOL(flag[0]) == 0)
        VOL(flag[0]) = TID + 1;
    __syncthreads();
    if (VOL(flag[0]) == TID + 1)
        y[0] = 1;
}

// A mark that all leave alike.
// case: late_mark grid=8 block=32 expect=silent
KERNEL(late_mark)
{
    if (VOL(flag[BID % 3]) == 0)
        VOL(flag[BID % 3]) = 1;
}

// … with data that all leave alike.
// case: late_mark_level grid=8 block=1 expect=silent
KERNEL(late_mark_level)
{
    if (VOL(flag[0]) == 0) {
        VOL(flag[0]) = 1;
        VOL(flag[1]) = 7;
    }
}

// One of them counts, it is meant.
// case: late_mark_counted grid=8 block=1 expect=ordering:warning@1@2
KERNEL(late_mark_counted)
{
    if (VOL(flag[0]) == 0) { // @1
        VOL(flag[0]) = 1; // @2
        atomicAdd(&flag[1], 1u);
    }
}

// case: late_mark_counted_swapped grid=8 block=1 expect=silent
KERNEL(late_mark_counted_swapped)
{
    if (VOL(flag[0]) == 0 && atomicExch(&flag[0], 1u) == 0)
        atomicAdd(&flag[1], 1u);
}

// A lock by hand: what it guards is volatile, so nothing races.
// case: late_lock grid=4 block=1 expect=ordering@1@2
KERNEL(late_lock)
{
    while (VOL(flag[0]) != 0) // @1
        ;
    VOL(flag[0]) = 1; // @2
    __threadfence();
    atomicAdd(&flag[1], 5u);
    atomicAdd(&flag[2], 5u);
    __threadfence();
    VOL(flag[0]) = 0;
}

// case: late_lock_swapped grid=4 block=1 expect=silent
KERNEL(late_lock_swapped)
{
    while (atomicCAS(&flag[0], 0u, 1u) != 0)
        ;
    __threadfence();
    atomicAdd(&flag[1], 5u);
    atomicAdd(&flag[2], 5u);
    __threadfence();
    VOL(flag[0]) = 0;
}

// Only one at a time comes by: taken in turn.
// case: late_claim_turns grid=4 block=1 expect=silent
KERNEL(late_claim_turns)
{
    while (VOL(flag[1]) != BID)
        ;
    __threadfence();
    if (VOL(flag[0]) == 0)
        VOL(flag[0]) = BID + 1;
    __threadfence();
    VOL(flag[1]) = BID + 1;
}
