// Memory that is used again: nodes that nobody reads any more (epochs), slots of a ring, nodes of a queue lock. Locations are asked by
// read-modify-writes that change nothing, which may miss what was written last, as loads may.
#include "judge.cuh"

// Block 0 takes node 0 away and waits for readers that may have found it; they say so before they look.
#define RECLAIM(reader_fence)                                                                       \
    if (BID == 0) {                                                                                 \
        x[1] = 7;                                                                                   \
        __threadfence();                                                                            \
        atomicExch(&flag[0], 1);                                                                    \
        __threadfence();                                                                            \
        for (int b = 1; b < 3; b++)                                                                 \
            while (atomicAdd(&flag[b], 0) == 1)                                                     \
                ;                                                                                   \
        __threadfence();                                                                            \
    } else {                                                                                        \
        atomicExch(&flag[BID], 1);                                                                  \
        reader_fence;                                                                               \
        found = atomicAdd(&flag[0], 0);                                                             \
        __threadfence();                                                                            \
    }

// case: epoch_right grid=3 block=1 expect=silent
KERNEL(epoch_right)
{
    unsigned found = 0;
    RECLAIM(__threadfence())
    if (BID == 0) {
        x[0] = -1;
        return;
    }
    y[BID] = x[found];
    __threadfence();
    atomicExch(&flag[BID], 2);
}

// The reader's mark may come after its look: store buffering by read-modify-writes.
// case: epoch_unfenced_mark grid=3 block=1 expect=data-race@1@2
KERNEL(epoch_unfenced_mark)
{
    unsigned found = 0;
    RECLAIM()
    if (BID == 0) {
        x[0] = -1; // @1
        return;
    }
    y[BID] = x[found]; // @2
    __threadfence();
    atomicExch(&flag[BID], 2);
}

// case: ring_of_two_right grid=2 block=1 expect=silent
KERNEL(ring_of_two_right)
{
    for (unsigned i = 0; i < 6; i++)
        if (BID == 0) {
            while (i - LD("acquire.gpu", &flag[1]) >= 2)
                ;
            x[i % 2] = i + 1;
            ST("release.gpu", &flag[0], i + 1);
        } else {
            while (LD("acquire.gpu", &flag[0]) <= i)
                ;
            y[i] = x[i % 2];
            ST("release.gpu", &flag[1], i + 1);
        }
}

// Three wait in a ring of two; found under every seed and with the default number of schedules.
// case: ring_of_two_holds_three grid=2 block=1 schedules=1 expect=data-race|missing-acquire@1@2 also=data-race@1@2
KERNEL(ring_of_two_holds_three)
{
    for (unsigned i = 0; i < 6; i++)
        if (BID == 0) {
            while (i - LD("acquire.gpu", &flag[1]) > 2)
                ;
            x[i % 2] = i + 1; // @1
            ST("release.gpu", &flag[0], i + 1);
        } else {
            while (LD("acquire.gpu", &flag[0]) <= i)
                ;
            y[i] = x[i % 2]; // @2
            ST("release.gpu", &flag[1], i + 1);
        }
}

// A queue lock (MCS): y[2 * node] is 1 while its block waits, y[2 * node + 1] is the next one.
#define WAITS(node) y[2 * (node)]
#define NEXT(node) y[2 * (node) + 1]
#define TAKE_LOCK(before_link, after)                                                               \
    int me = BID + 1, previous;                                                                     \
    WAITS(me) = 1;                                                                                  \
    NEXT(me) = 0;                                                                                   \
    __threadfence();                                                                                \
    previous = atomicExch(&flag[0], me);                                                            \
    if (previous) {                                                                                 \
        before_link;                                                                                \
        atomicExch(&NEXT(previous), me);                                                            \
        while (atomicAdd(&WAITS(me), 0))                                                            \
            ;                                                                                       \
    }                                                                                               \
    after
#define GIVE_LOCK()                                                                                 \
    __threadfence();                                                                                \
    if (!atomicAdd(&NEXT(me), 0)) {                                                                 \
        if (atomicCAS(&flag[0], me, 0) == me)                                                       \
            return;                                                                                 \
        while (!atomicAdd(&NEXT(me), 0))                                                            \
            ;                                                                                       \
    }                                                                                               \
    __threadfence();                                                                                \
    atomicExch(&WAITS(atomicAdd(&NEXT(me), 0)), 0)

// case: queue_lock_right grid=4 block=1 expect=silent
KERNEL(queue_lock_right)
{
    TAKE_LOCK(__threadfence(), __threadfence());
    x[0] += 1;
    GIVE_LOCK();
}

// Whoever links itself in touches a node that another has filled by plain stores.
// case: queue_lock_unfenced_link grid=4 block=1 expect=missing-acquire@1@1 also=missing-acquire|data-race
KERNEL(queue_lock_unfenced_link)
{
    TAKE_LOCK(, __threadfence()); // @1
    x[0] += 1;
    GIVE_LOCK();
}

// case: queue_lock_unfenced_entry grid=4 block=1 expect=missing-acquire@1@1
KERNEL(queue_lock_unfenced_entry)
{
    TAKE_LOCK(__threadfence(), );
    x[0] += 1; // @1
    GIVE_LOCK();
}

// case: fetched_by_add_right grid=64 block=32 expect=silent
KERNEL(fetched_by_add_right)
{
    if (GID == 0) {
        VOL(flag[8]) = 7;
        __threadfence();
        VOL(flag[0]) = 1;
    } else if (TID == 0) {
        while (!VOL(flag[0]))
            ;
        __threadfence();
        y[BID] = (int)atomicAdd(&flag[8], 0);
    }
}

// Each adds what it has, which may be nothing, and does not look at the sum.
// case: adds_nothing grid=8 block=32 expect=silent
KERNEL(adds_nothing)
{
    if (TID == 0) {
        VOL(flag[8 + BID]) = 1;
        while (!VOL(flag[8 + (BID + 1) % GRID]))
            ;
        atomicAdd(&y[0], BID % 3 == 0 ? (int)BID : 0);
    }
}

// case: fetched_by_add_unfenced grid=64 block=32 expect=ordering@1@2
KERNEL(fetched_by_add_unfenced)
{
    if (GID == 0) {
        VOL(flag[8]) = 7; // @1
        VOL(flag[0]) = 1;
    } else if (TID == 0) {
        while (!VOL(flag[0]))
            ;
        y[BID] = (int)atomicAdd(&flag[8], 0); // @2
    }
}
