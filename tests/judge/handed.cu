// Locks, queues and barriers by cuda::atomic_ref, each beside twins with one order too weak.
#include <cuda/atomic>
#include "judge.cuh"

typedef cuda::atomic_ref<unsigned, cuda::thread_scope_device> device_ref;

// ---- A bounded queue of several producers and consumers (Vyukov): flag[0] head, flag[1] tail, flag[8 + i] the cells' turns ----
#define CELLS 2
#define VYUKOV(take_order, give_order)                                                                             \
    if (BID < 2) {                                                                                                             \
        unsigned at = device_ref(flag[1]).load(cuda::memory_order_relaxed);                                                    \
        for (;;) {                                                                                                             \
            int seq = (int)device_ref(flag[8 + at % CELLS]).load(take_order) + (int)(at % CELLS);                              \
            if (seq == (int)at) {                                                                                              \
                if (device_ref(flag[1]).compare_exchange_strong(at, at + 1, cuda::memory_order_relaxed))                       \
                    break;                                                                                                     \
            } else {                                                                                                           \
                at = device_ref(flag[1]).load(cuda::memory_order_relaxed);                                                     \
            }                                                                                                                  \
        }                                                                                                                      \
        x[at % CELLS] = (int)BID + 5;                                                                                          \
        device_ref(flag[8 + at % CELLS]).store(at + 1 - at % CELLS, give_order);                                               \
    } else {                                                                                                                   \
        unsigned at = device_ref(flag[0]).load(cuda::memory_order_relaxed);                                                    \
        for (;;) {                                                                                                             \
            int seq = (int)device_ref(flag[8 + at % CELLS]).load(take_order) + (int)(at % CELLS);                              \
            if (seq == (int)(at + 1)) {                                                                                        \
                if (device_ref(flag[0]).compare_exchange_strong(at, at + 1, cuda::memory_order_relaxed))                       \
                    break;                                                                                                     \
            } else {                                                                                                           \
                at = device_ref(flag[0]).load(cuda::memory_order_relaxed);                                                     \
            }                                                                                                                  \
        }                                                                                                                      \
        atomicAdd(&y[0], x[at % CELLS]);                                                                                       \
        device_ref(flag[8 + at % CELLS]).store(at + CELLS - at % CELLS, give_order);                                           \
    }

// case: vyukov_right grid=4 block=1 expect=silent
KERNEL(vyukov_right)
{
    VYUKOV(cuda::memory_order_acquire, cuda::memory_order_release)
}

// case: vyukov_relaxed_take grid=4 block=1 expect=missing-acquire also=data-race
KERNEL(vyukov_relaxed_take)
{
    VYUKOV(cuda::memory_order_relaxed, cuda::memory_order_release)
}

// case: vyukov_relaxed_give grid=4 block=1 expect=missing-release also=data-race
KERNEL(vyukov_relaxed_give)
{
    VYUKOV(cuda::memory_order_acquire, cuda::memory_order_relaxed)
}

// ---- Peterson's lock ----
#define PETERSON(fence)                                                                                                        \
    do {                                                                                                                       \
        unsigned me = BID, other = 1 - BID;                                                                                    \
        device_ref(flag[me]).store(1, cuda::memory_order_relaxed);                                                             \
        device_ref(flag[2]).store(other, cuda::memory_order_relaxed);                                                          \
        fence;                                                                                                                 \
        while (device_ref(flag[other]).load(cuda::memory_order_acquire) && device_ref(flag[2]).load(cuda::memory_order_acquire) == other) \
            ;                                                                                                                  \
        x[0] += 1;                                                                                                             \
        device_ref(flag[me]).store(0, cuda::memory_order_release);                                                             \
    } while (0)
// case: peterson_weak grid=2 block=1 expect=data-race also=missing-acquire also=missing-release
KERNEL(peterson_weak)
{
    PETERSON((void)0);
}

// case: peterson_acq_rel grid=2 block=1 expect=data-race also=missing-acquire also=missing-release
KERNEL(peterson_acq_rel)
{
    PETERSON(FENCE("acq_rel.gpu"));
}
#define PETERSON_SC()                                                                                                          \
    do {                                                                                                                       \
        unsigned me = BID, other = 1 - BID;                                                                                    \
        device_ref(flag[me]).store(1, cuda::memory_order_seq_cst);                                                             \
        device_ref(flag[2]).store(other, cuda::memory_order_seq_cst);                                                          \
        while (device_ref(flag[other]).load(cuda::memory_order_seq_cst) && device_ref(flag[2]).load(cuda::memory_order_seq_cst) == other) \
            ;                                                                                                                  \
        x[0] += 1;                                                                                                             \
        device_ref(flag[me]).store(0, cuda::memory_order_seq_cst);                                                             \
    } while (0)
// case: peterson_right grid=2 block=1 expect=silent
KERNEL(peterson_right)
{
    PETERSON_SC();
}

// ---- Made once, by whoever comes first ----
#define ONCE(look, won, done)                                                                                                  \
    do {                                                                                                                       \
        if (device_ref(flag[0]).load(look) != 2) {                                                                             \
            unsigned none = 0;                                                                                                 \
            if (device_ref(flag[0]).compare_exchange_strong(none, 1, won)) {                                                   \
                x[0] = 42;                                                                                                     \
                device_ref(flag[0]).store(2, done);                                                                            \
            } else                                                                                                             \
                while (device_ref(flag[0]).load(look) != 2)                                                                    \
                    ;                                                                                                          \
        }                                                                                                                      \
        y[BID] = x[0];                                                                                                         \
    } while (0)
// case: once_right grid=3 block=1 expect=silent
KERNEL(once_right)
{
    ONCE(cuda::memory_order_acquire, cuda::memory_order_relaxed, cuda::memory_order_release);
}

// case: once_relaxed_look grid=3 block=1 expect=missing-acquire
KERNEL(once_relaxed_look)
{
    ONCE(cuda::memory_order_relaxed, cuda::memory_order_relaxed, cuda::memory_order_release);
}

// case: once_relaxed_done grid=3 block=1 expect=missing-release
KERNEL(once_relaxed_done)
{
    ONCE(cuda::memory_order_acquire, cuda::memory_order_relaxed, cuda::memory_order_relaxed);
}

// ---- A ring of one producer and one consumer, two cells ----
#define RING(tell, hear, ready)                                                                                                \
    if (BID == 0) {                                                                                                            \
        for (unsigned i = 0; i < 4; i++) {                                                                                     \
            while (i - device_ref(flag[1]).load(hear) >= (ready))                                                              \
                ;                                                                                                              \
            x[i % 2] = (int)i;                                                                                                 \
            device_ref(flag[0]).store(i + 1, tell);                                                                            \
        }                                                                                                                      \
    } else {                                                                                                                   \
        for (unsigned i = 0; i < 4; i++) {                                                                                     \
            while (device_ref(flag[0]).load(hear) == i)                                                                        \
                ;                                                                                                              \
            y[i] = x[i % 2];                                                                                                   \
            device_ref(flag[1]).store(i + 1, tell);                                                                            \
        }                                                                                                                      \
    }

// case: ring_right grid=2 block=1 expect=silent
KERNEL(ring_right)
{
    RING(cuda::memory_order_release, cuda::memory_order_acquire, 2u)
}

// case: ring_one_too_many grid=2 block=1 expect=data-race also=missing-acquire also=missing-release
KERNEL(ring_one_too_many)
{
    RING(cuda::memory_order_release, cuda::memory_order_acquire, 3u)
}

// case: ring_relaxed_tell grid=2 block=1 expect=missing-release
KERNEL(ring_relaxed_tell)
{
    RING(cuda::memory_order_relaxed, cuda::memory_order_acquire, 2u)
}

// case: ring_relaxed_hear grid=2 block=1 expect=missing-acquire
KERNEL(ring_relaxed_hear)
{
    RING(cuda::memory_order_release, cuda::memory_order_relaxed, 2u)
}

// ---- Barrier by rounds: in round r a block tells the one 2^r ahead ----
#define ROUNDS(tell, hear)                                                                                                     \
    do {                                                                                                                       \
        x[BID] = (int)BID + 1;                                                                                                 \
        for (unsigned r = 0; r < 2; r++) {                                                                                     \
            device_ref(flag[r * 4 + (BID + (1 << r)) % 4]).store(1, tell);                                                     \
            while (device_ref(flag[r * 4 + BID]).load(hear) == 0)                                                              \
                ;                                                                                                              \
        }                                                                                                                      \
        y[BID] = x[0] + x[1] + x[2] + x[3];                                                                                    \
    } while (0)
// case: rounds_right grid=4 block=1 expect=silent
KERNEL(rounds_right)
{
    ROUNDS(cuda::memory_order_release, cuda::memory_order_acquire);
}

// case: rounds_relaxed_tell grid=4 block=1 expect=missing-release also=data-race
KERNEL(rounds_relaxed_tell)
{
    ROUNDS(cuda::memory_order_relaxed, cuda::memory_order_acquire);
}

// case: rounds_relaxed_hear grid=4 block=1 expect=missing-acquire
KERNEL(rounds_relaxed_hear)
{
    ROUNDS(cuda::memory_order_release, cuda::memory_order_relaxed);
}

// ---- A subset of a warp hands over in shared memory ----
#define PARTS(mask)                                                                                                            \
    do {                                                                                                                       \
        __shared__ int s[32];                                                                                                  \
        s[TID] = (int)TID;                                                                                                     \
        if (TID < 16) {                                                                                                        \
            __syncwarp(mask);                                                                                                  \
            y[TID] = s[(TID + 1) % 16];                                                                                        \
        } else                                                                                                                 \
            y[TID] = s[TID];                                                                                                   \
    } while (0)
// case: half_warp_right grid=1 block=32 expect=silent
KERNEL(half_warp_right)
{
    PARTS(0xffff);
}

// case: half_warp_neighbours_only grid=1 block=32 expect=data-race
KERNEL(half_warp_neighbours_only)
{
    PARTS((3u << (TID & ~1u)));
}

// case: half_warp_voted grid=1 block=32 expect=data-race
KERNEL(half_warp_voted)
{
    __shared__ int s[32];
    s[TID] = (int)TID;
    y[TID] = __any_sync(~0u, TID == 4) ? s[(TID + 1) % 32] : 0;
}

// case: half_warp_voted_right grid=1 block=32 expect=silent
KERNEL(half_warp_voted_right)
{
    __shared__ int s[32];
    s[TID] = (int)TID;
    int any = __any_sync(~0u, TID == 4);
    __syncwarp();
    y[TID] = any ? s[(TID + 1) % 32] : 0;
}
