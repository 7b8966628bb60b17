// A node is put into the middle of a list: the thread walks to its place, lets the node lead to what it has found there, and the one before it to the
// node. Who does the last by a store loses what another one has put there in between. y[i] is the key of node i + 1, x[i] leads on from node i; node 0 is the head.
#include "judge.cuh"

#define ME ((int)GID + 1)
#define FOLLOW(place)                                                                              \
    ({                                                                                             \
        int led_ = VOL_INT(place);                                                                 \
        __threadfence();                                                                           \
        led_;                                                                                      \
    })
#define KEY(node) (((node)*37) % 101)

#define WALK(prev, next, head)                                                                     \
    int prev = head, next;                                                                         \
    while ((next = FOLLOW(x[prev])) != 0 && KEY(next) < KEY(ME))                                  \
        prev = next;

// case: inserted_by_store grid=8 block=1 expect=ordering
KERNEL(inserted_by_store)
{
    WALK(prev, next, 0)
    VOL_INT(x[ME]) = next;
    __threadfence();
    VOL_INT(x[prev]) = ME;
}

// case: inserted_by_exchange grid=8 block=1 expect=ordering
KERNEL(inserted_by_exchange)
{
    WALK(prev, next, 0)
    VOL_INT(x[ME]) = next;
    __threadfence();
    atomicExch(&x[prev], ME);
}

// case: inserted_in_warp grid=1 block=32 expect=ordering
KERNEL(inserted_in_warp)
{
    WALK(prev, next, 0)
    VOL_INT(x[ME]) = next;
    __threadfence();
    VOL_INT(x[prev]) = ME;
}

// case: inserted_by_swap grid=8 block=1 expect=silent
KERNEL(inserted_by_swap)
{
    for (;;) {
        WALK(prev, next, 0)
        VOL_INT(x[ME]) = next;
        __threadfence();
        if (atomicCAS(&x[prev], next, ME) == next)
            break;
    }
}

#define LOCK(l)                                                                                    \
    while (atomicCAS(l, 0, 1) != 0) {                                                              \
    }                                                                                              \
    __threadfence()
#define UNLOCK(l)                                                                                  \
    __threadfence();                                                                               \
    atomicExch(l, 0)

// case: inserted_under_lock grid=8 block=1 expect=silent
KERNEL(inserted_under_lock)
{
    LOCK(&flag[0]);
    WALK(prev, next, 0)
    VOL_INT(x[ME]) = next;
    VOL_INT(x[prev]) = ME;
    UNLOCK(&flag[0]);
}

// The walk is outside of the lock: what it has found may be another's place by then.
// case: walked_outside_lock grid=8 block=1 expect=ordering
KERNEL(walked_outside_lock)
{
    WALK(prev, next, 0)
    VOL_INT(x[ME]) = next;
    LOCK(&flag[0]);
    VOL_INT(x[prev]) = ME;
    UNLOCK(&flag[0]);
}

// ... and is looked at again inside.
// case: looked_again_under_lock grid=8 block=1 expect=silent
KERNEL(looked_again_under_lock)
{
    for (bool done = false; !done;) {
        WALK(prev, next, 0)
        VOL_INT(x[ME]) = next;
        LOCK(&flag[0]);
        if (VOL_INT(x[prev]) == next) {
            VOL_INT(x[prev]) = ME;
            done = true;
        }
        UNLOCK(&flag[0]);
    }
}

// Hand over hand: each node has a lock.
// case: hand_over_hand grid=6 block=1 expect=silent
KERNEL(hand_over_hand)
{
    int prev = 0, next;
    LOCK(&flag[0]);
    while ((next = FOLLOW(x[prev])) != 0 && KEY(next) < KEY(ME)) {
        LOCK(&flag[next]);
        UNLOCK(&flag[prev]);
        prev = next;
    }
    VOL_INT(x[ME]) = next;
    VOL_INT(x[prev]) = ME;
    UNLOCK(&flag[prev]);
}

// One thread puts all of them; others only walk.
// case: one_inserts grid=4 block=1 expect=silent
KERNEL(one_inserts)
{
    if (BID == 0) {
        for (int me = 1; me < 8; me++) {
            int prev = 0, next;
            while ((next = FOLLOW(x[prev])) != 0 && KEY(next) < KEY(me))
                prev = next;
            VOL_INT(x[me]) = next;
            __threadfence();
            VOL_INT(x[prev]) = me;
        }
    } else {
        int walked = 0;
        for (int at = FOLLOW(x[0]); at != 0; at = FOLLOW(x[at]))
            walked++;
        y[GID] = walked >= 0;
    }
}

// Each thread has a list of its own.
// case: own_lists grid=8 block=1 expect=silent
KERNEL(own_lists)
{
    for (int i = 1; i < 4; i++) {
        int me = 1024 + (int)GID * 8 + i, prev = (int)GID, next;
        while ((next = FOLLOW(x[prev])) != 0 && KEY(next) < KEY(me))
            prev = next;
        VOL_INT(x[me]) = next;
        VOL_INT(x[prev]) = me;
    }
}

// One after another, with a barrier between.
// case: inserted_in_turn grid=1 block=8 expect=silent
KERNEL(inserted_in_turn)
{
    for (int turn = 0; turn < 8; turn++) {
        if (turn == (int)TID) {
            WALK(prev, next, 0)
            VOL_INT(x[ME]) = next;
            VOL_INT(x[prev]) = ME;
        }
        __syncthreads();
    }
}

// Nodes that are named by address, and put behind the last one of a chain that is searched first.
struct node {
    int key;
    node *volatile next;
};

// case: appended_by_store grid=8 block=1 expect=ordering
KERNEL(appended_by_store)
{
    node *pool = (node *)x, *me = &pool[ME], *at = &pool[0], *next;
    while ((next = at->next) != 0)
        at = next;
    __threadfence();
    at->next = me;
}

// case: appended_by_swap grid=8 block=1 expect=silent
KERNEL(appended_by_swap)
{
    node *pool = (node *)x, *me = &pool[ME], *at = &pool[0];
    for (;;) {
        unsigned long long next = atomicCAS((unsigned long long *)&at->next, 0ull, (unsigned long long)me);
        if (next == 0)
            break;
        at = (node *)next;
    }
}

// case: node_inserted_by_store grid=8 block=1 expect=ordering
KERNEL(node_inserted_by_store)
{
    node *pool = (node *)x, *me = &pool[ME], *at = &pool[0], *next;
    while ((next = at->next) != 0 && next - pool < ((int)GID * 5) % 8)
        at = next;
    me->next = next;
    __threadfence();
    at->next = me;
}

// A chain of a hash table: searched, then the node is put in front.
// case: chain_searched_then_pushed grid=8 block=1 expect=ordering
KERNEL(chain_searched_then_pushed)
{
    int bucket = ME % 2, first = FOLLOW(x[bucket]), me = ME + 8;
    for (int at = first; at != 0; at = FOLLOW(x[at]))
        if (KEY(at) == KEY(me))
            return;
    VOL_INT(x[me]) = first;
    __threadfence();
    VOL_INT(x[bucket]) = me;
}

// case: chain_searched_then_swapped grid=8 block=1 expect=silent
KERNEL(chain_searched_then_swapped)
{
    int bucket = ME % 2, me = ME + 8;
    for (;;) {
        int first = FOLLOW(x[bucket]);
        for (int at = first; at != 0; at = FOLLOW(x[at]))
            if (KEY(at) == KEY(me))
                return;
        VOL_INT(x[me]) = first;
        __threadfence();
        if (atomicCAS(&x[bucket], first, me) == first)
            return;
    }
}
