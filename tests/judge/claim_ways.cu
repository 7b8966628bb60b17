// A claim in two steps, a look and a store, into which another thread could have come whatever the schedule was: by a write of its own, or by a look that leads to
// one. Which of the two came first in a run is luck, and what is told must not hang on it.
#include "judge.cuh"

/** The launch is too long to be looked into as a whole: two of its blocks meet, the others have nothing to do with them. */
#define TWO_OF_MANY                                                                                \
    if (BID != 0 && BID != gridDim.x - 1) {                                                             \
        y[GID] = (int)GID;                                                                         \
        return;                                                                                    \
    }

// case: claim_blind grid=600 block=1 expect=ordering:warning@1@2
KERNEL(claim_blind)
{
    TWO_OF_MANY
    if (BID == 0) {
        if (VOL(flag[0]) == 0) // @1
            VOL(flag[0]) = 7; // @2
    } else {
        VOL(flag[0]) = 5;
    }
}

// case: claim_blind_back grid=600 block=1 expect=ordering:warning@1@2
KERNEL(claim_blind_back)
{
    TWO_OF_MANY
    if (BID != 0) {
        if (VOL(flag[0]) == 0) // @1
            VOL(flag[0]) = 7; // @2
    } else {
        VOL(flag[0]) = 5;
    }
}

// What the other leaves is what the claim leaves.
// case: claim_blind_same grid=600 block=1 expect=silent
KERNEL(claim_blind_same)
{
    TWO_OF_MANY
    if (BID == 0) {
        if (VOL(flag[0]) == 0)
            VOL(flag[0]) = 5;
    } else {
        VOL(flag[0]) = 5;
    }
}

// case: claim_blind_add grid=600 block=1 expect=ordering:warning@1@2
KERNEL(claim_blind_add)
{
    TWO_OF_MANY
    if (BID == 0) {
        if (VOL(flag[0]) == 0) // @1
            VOL(flag[0]) = 7; // @2
    } else {
        atomicAdd(&flag[0], 5);
    }
}

// The other comes after the claim.
// case: claim_blind_known grid=600 block=1 expect=silent
KERNEL(claim_blind_known)
{
    TWO_OF_MANY
    if (BID == 0) {
        if (VOL(flag[0]) == 0) // @1
            VOL(flag[0]) = 7; // @2
        __threadfence();
        VOL(flag[1]) = 1;
    } else {
        while (VOL(flag[1]) == 0) {
        }
        __threadfence();
        VOL(flag[0]) = 5;
    }
}

// The other leaves what the claim looks for.
// case: claim_gives_back grid=600 block=1 expect=silent
KERNEL(claim_gives_back)
{
    TWO_OF_MANY
    if (BID == 0) {
        if (VOL(flag[0]) == 0)
            VOL(flag[0]) = 7;
    } else {
        VOL(flag[0]) = 0;
    }
}

// A second place is looked at on the way, which nobody has written.
// case: claim_way_open grid=600 block=1 expect=ordering:warning
KERNEL(claim_way_open)
{
    TWO_OF_MANY
    if (BID == 0) {
        if (VOL(flag[0]) == 0)
            VOL(flag[0]) = 7;
    } else {
        unsigned v = VOL(flag[0]), u = VOL(flag[1]);
        if (v == 0 && u == 0)
            VOL(flag[0]) = 9;
    }
}

// What the second place holds was written behind the claim: before it, nobody went that way.
// case: claim_way_shut grid=600 block=1 expect=silent
KERNEL(claim_way_shut)
{
    TWO_OF_MANY
    if (BID == 0) {
        if (VOL(flag[0]) == 0)
            VOL(flag[0]) = 7;
        __threadfence();
        VOL(flag[1]) = 1;
    } else {
        unsigned v = VOL(flag[0]);
        __threadfence();
        unsigned u = VOL(flag[1]);
        if (v == 0 && u == 1)
            VOL(flag[0]) = 9;
    }
}

// Each waits for its turn; or looks in now and then.
// case: claim_ring grid=3 block=1 expect=silent
KERNEL(claim_ring)
{
    for (unsigned i = 0; i < 3; i++) {
        while (VOL(flag[0]) != BID) {
        }
        __threadfence();
        x[0]++;
        __threadfence();
        VOL(flag[0]) = (BID + 1) % 3;
    }
}

// case: claim_ring_tries grid=3 block=1 expect=silent
KERNEL(claim_ring_tries)
{
    for (unsigned i = 0; i < 3;) {
        if (VOL(flag[0]) == BID) {
            __threadfence();
            x[0]++;
            __threadfence();
            VOL(flag[0]) = (BID + 1) % 3;
            i++;
        }
    }
}

// One puts, one takes.
// case: claim_box grid=2 block=1 expect=silent
KERNEL(claim_box)
{
    for (unsigned i = 1; i < 4;) {
        if (BID == 0) {
            if (VOL(flag[0]) == 0) {
                __threadfence();
                x[0] = i;
                __threadfence();
                VOL(flag[0]) = 1;
                i++;
            }
        } else if (VOL(flag[0]) == 1) {
            __threadfence();
            y[i] = x[0];
            __threadfence();
            VOL(flag[0]) = 0;
            i++;
        }
    }
}

// Two blocks begin at one slot each.
// case: claim_slots grid=4 block=1 expect=ordering:warning
KERNEL(claim_slots)
{
    for (unsigned i = 0; i < 8; i++) {
        unsigned at = (BID / 2 + i) % 8;
        if (VOL(flag[at]) != 0)
            continue;
        VOL(flag[at]) = BID + 1;
        y[BID] = at;
        break;
    }
}

// Union-find whose roots name themselves: what a root is compared with is what it is found by, and the compiler may keep that no longer than the comparison.
#define HOOK_ROOT(update)                                                                          \
    unsigned a = 5, b = 1 + BID;                                                                   \
    while (1) {                                                                                    \
        for (unsigned p; (p = VOL(flag[a])) != a;)                                                 \
            a = p;                                                                                 \
        for (unsigned p; (p = VOL(flag[b])) != b;)                                                 \
            b = p;                                                                                 \
        if (a == b)                                                                                \
            break;                                                                                 \
        unsigned high = max(a, b), low = min(a, b);                                                \
        update                                                                                     \
    }

// case: claim_root_named_itself grid=2 block=1 then=claim_root_named_itself_hooks expect=ordering:warning
KERNEL(claim_root_named_itself)
{
    for (unsigned i = 0; i < 4; i++)
        flag[BID * 4 + i] = BID * 4 + i;
}

KERNEL(claim_root_named_itself_hooks)
{
    HOOK_ROOT(if (VOL(flag[high]) == high) {
        VOL(flag[high]) = low;
        break;
    })
}

// case: claim_root_named_itself_swap grid=2 block=1 then=claim_root_named_itself_swaps expect=silent
KERNEL(claim_root_named_itself_swap)
{
    for (unsigned i = 0; i < 4; i++)
        flag[BID * 4 + i] = BID * 4 + i;
}

KERNEL(claim_root_named_itself_swaps)
{
    HOOK_ROOT(if (atomicCAS(&flag[high], high, low) == high) break;)
}
