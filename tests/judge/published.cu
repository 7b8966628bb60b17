// Structures as programs have them, each beside a twin that leaves one thing out.
#include <cuda/atomic>
#include "judge.cuh"

typedef cuda::atomic_ref<unsigned, cuda::thread_scope_device> device_ref;
typedef cuda::atomic_ref<unsigned, cuda::thread_scope_block> block_ref;

// ---- Publication of a version (RCU-like): flag[0] is the index of the current one ----

#define PUBLISH(order)                                                                                                         \
    do {                                                                                                                       \
        x[4] = 11;                                                                                                             \
        x[5] = 22;                                                                                                             \
        device_ref(flag[0]).store(4, order);                                                                                   \
    } while (0)

// case: version_right grid=3 block=1 expect=silent
KERNEL(version_right)
{
    if (BID == 0) {
        PUBLISH(cuda::memory_order_release);
        return;
    }
    unsigned at = device_ref(flag[0]).load(cuda::memory_order_acquire);
    y[BID] = at ? x[at] + x[at + 1] : 0;
}

// case: version_relaxed_store grid=3 block=1 expect=missing-release
KERNEL(version_relaxed_store)
{
    if (BID == 0) {
        PUBLISH(cuda::memory_order_relaxed);
        return;
    }
    unsigned at = device_ref(flag[0]).load(cuda::memory_order_acquire);
    y[BID] = at ? x[at] + x[at + 1] : 0;
}

// PTX knows no order by dependence.
// case: version_consumed grid=3 block=1 expect=missing-acquire
KERNEL(version_consumed)
{
    if (BID == 0) {
        PUBLISH(cuda::memory_order_release);
        return;
    }
    unsigned at = device_ref(flag[0]).load(cuda::memory_order_relaxed);
    y[BID] = at ? x[at] + x[at + 1] : 0;
}

// ---- Hazard pointers: a reader announces what it reads and looks again; who frees looks at what is announced ----

#define HAZARD(announce_fence, scan_fence)                                                                                     \
    if (BID == 0) {                                                                                                            \
        VOL(flag[0]) = 1;                                                                                                      \
        scan_fence;                                                                                                            \
        if (VOL(flag[1]) == 0)                                                                                                 \
            x[8] = -1;                                                                                                         \
    } else {                                                                                                                   \
        VOL(flag[1]) = 1;                                                                                                      \
        announce_fence;                                                                                                        \
        if (VOL(flag[0]) == 0)                                                                                                 \
            y[1] = x[8];                                                                                                       \
    }

// Either the reader sees that the node has been taken out, or the writer that it is announced.
// case: hazard_right grid=2 block=1 expect=silent
KERNEL(hazard_right)
{
    HAZARD(__threadfence(), __threadfence())
}

// case: hazard_no_fence_in_reader grid=2 block=1 expect=data-race
KERNEL(hazard_no_fence_in_reader)
{
    HAZARD((void)0, __threadfence())
}

// case: hazard_no_fence_in_writer grid=2 block=1 expect=data-race
KERNEL(hazard_no_fence_in_writer)
{
    HAZARD(__threadfence(), (void)0)
}

// A fence that is no sequentially consistent one does not do.
// case: hazard_acq_rel_fences grid=2 block=1 expect=data-race
KERNEL(hazard_acq_rel_fences)
{
    HAZARD(FENCE("acq_rel.gpu"), FENCE("acq_rel.gpu"))
}

// ---- A ticket lock: flag[0] gives tickets, flag[1] says whose turn it is ----

#define TICKET(wait, leave)                                                                                                    \
    do {                                                                                                                       \
        unsigned mine = device_ref(flag[0]).fetch_add(1, cuda::memory_order_relaxed);                                          \
        while (device_ref(flag[1]).load(wait) != mine)                                                                         \
            ;                                                                                                                  \
        x[0] += 1;                                                                                                             \
        device_ref(flag[1]).store(mine + 1, leave);                                                                            \
    } while (0)

// case: ticket_right grid=4 block=1 expect=silent
KERNEL(ticket_right)
{
    TICKET(cuda::memory_order_acquire, cuda::memory_order_release);
}

// case: ticket_relaxed_wait grid=4 block=1 expect=missing-acquire
KERNEL(ticket_relaxed_wait)
{
    TICKET(cuda::memory_order_relaxed, cuda::memory_order_release);
}

// case: ticket_relaxed_leave grid=4 block=1 expect=missing-release
KERNEL(ticket_relaxed_leave)
{
    TICKET(cuda::memory_order_acquire, cuda::memory_order_relaxed);
}

// ---- A tree from the leaves up: who comes second to a node goes on (flag[node] counts) ----

#define CLIMB(ref, order)                                                                                                      \
    do {                                                                                                                       \
        unsigned node = 4 + GID;                                                                                               \
        x[node] = (int)GID + 1;                                                                                                \
        while (node > 1) {                                                                                                     \
            node /= 2;                                                                                                         \
            if (ref(flag[node]).fetch_add(1, order) == 0)                                                                      \
                break;                                                                                                         \
            x[node] = x[2 * node] + x[2 * node + 1];                                                                           \
        }                                                                                                                      \
    } while (0)

// case: climb_right grid=4 block=1 expect=silent
KERNEL(climb_right)
{
    CLIMB(device_ref, cuda::memory_order_acq_rel);
}

// case: climb_release_only grid=4 block=1 expect=missing-acquire
KERNEL(climb_release_only)
{
    CLIMB(device_ref, cuda::memory_order_release);
}

// case: climb_acquire_only grid=4 block=1 expect=missing-release
KERNEL(climb_acquire_only)
{
    CLIMB(device_ref, cuda::memory_order_acquire);
}

// case: climb_in_block_right grid=1 block=4 expect=silent
KERNEL(climb_in_block_right)
{
    CLIMB(block_ref, cuda::memory_order_acq_rel);
}

// case: climb_block_scope_across_blocks grid=4 block=1 expect=data-race also=missing-release also=missing-acquire
KERNEL(climb_block_scope_across_blocks)
{
    CLIMB(block_ref, cuda::memory_order_acq_rel);
}

// ---- A deque: its owner takes from the end, a thief from the front; one item, one taker (Chase and Lev) ----

#define DEQUE(owner_fence)                                                                                                     \
    if (BID == 0) {                                                                                                            \
        device_ref top(flag[0]), bottom(flag[1]);                                                                              \
        x[0] = 7;                                                                                                              \
        bottom.store(1, cuda::memory_order_release);                                                                           \
        bottom.store(0, cuda::memory_order_relaxed);                                                                           \
        owner_fence;                                                                                                           \
        unsigned none = 0;                                                                                                     \
        if (top.load(cuda::memory_order_relaxed) == 0 && top.compare_exchange_strong(none, 1, cuda::memory_order_acq_rel))     \
            atomicAdd(&y[0], 1);                                                                                               \
        bottom.store(1, cuda::memory_order_relaxed);                                                                           \
    } else {                                                                                                                   \
        device_ref top(flag[0]), bottom(flag[1]);                                                                              \
        unsigned at = top.load(cuda::memory_order_acquire);                                                                    \
        __threadfence();                                                                                                       \
        if (at < bottom.load(cuda::memory_order_acquire)) {                                                                    \
            int item = x[at];                                                                                                  \
            if (top.compare_exchange_strong(at, at + 1, cuda::memory_order_acq_rel))                                           \
                atomicAdd(&y[0], item - 6);                                                                                    \
        }                                                                                                                      \
    }

// case: deque_right grid=2 block=1 expect=silent
KERNEL(deque_right)
{
    DEQUE(__threadfence())
}

// ---- A barrier by hand whose sense turns: flag[0] counts, flag[1] is the sense ----

#define SENSE(turn, arrive, leave, wait)                                                                                       \
    do {                                                                                                                       \
        if (device_ref(flag[0]).fetch_add(1, arrive) == GRID - 1) {                                                            \
            device_ref(flag[0]).store(0, cuda::memory_order_relaxed);                                                          \
            device_ref(flag[1]).store((turn) + 1, leave);                                                                      \
        } else {                                                                                                               \
            while (device_ref(flag[1]).load(wait) != (turn) + 1)                                                               \
                ;                                                                                                              \
        }                                                                                                                      \
    } while (0)
#define SENSES(arrive, leave, wait)                                                                                            \
    for (unsigned turn = 0; turn < 2; turn++) {                                                                                \
        x[turn * 8 + BID] = (int)BID + 1;                                                                                      \
        SENSE(turn, arrive, leave, wait);                                                                                      \
        y[turn * 8 + BID] = x[turn * 8 + (BID + 1) % GRID];                                                                    \
    }

// case: sense_right grid=3 block=1 expect=silent
KERNEL(sense_right)
{
    SENSES(cuda::memory_order_acq_rel, cuda::memory_order_release, cuda::memory_order_acquire)
}

// ---- The same, and what comes of the count goes through the thread's own memory, by a generic address ----

static __device__ unsigned kept(unsigned value)
{
    unsigned here, *at = &here;
    asm volatile("" : "+l"(at));
    *at = value;
    asm volatile("" ::: "memory");
    return *at;
}
#define SENSES_KEPT(arrive)                                                                                                    \
    _Pragma("unroll 1") for (unsigned turn = 0; turn < 2; turn++)                                                             \
    {                                                                                                                          \
        x[turn * 8 + BID] = (int)BID + 1;                                                                                      \
        if (kept(device_ref(flag[0]).fetch_add(1, arrive)) == GRID - 1) {                                                      \
            device_ref(flag[0]).store(0, cuda::memory_order_relaxed);                                                          \
            device_ref(flag[1]).store(turn + 1, cuda::memory_order_release);                                                   \
        } else {                                                                                                               \
            while (device_ref(flag[1]).load(cuda::memory_order_acquire) != turn + 1)                                           \
                ;                                                                                                              \
        }                                                                                                                      \
        y[turn * 8 + BID] = x[turn * 8 + (BID + 1) % GRID];                                                                    \
    }

// case: sense_kept grid=3 block=1 expect=silent
KERNEL(sense_kept)
{
    SENSES_KEPT(cuda::memory_order_acq_rel)
}

// case: sense_kept_releasing grid=3 block=1 expect=missing-acquire
KERNEL(sense_kept_releasing)
{
    SENSES_KEPT(cuda::memory_order_release)
}

// case: sense_arrives_releasing grid=3 block=1 expect=missing-acquire
KERNEL(sense_arrives_releasing)
{
    SENSES(cuda::memory_order_release, cuda::memory_order_release, cuda::memory_order_acquire)
}

// case: sense_arrives_acquiring grid=3 block=1 expect=missing-release also=data-race
KERNEL(sense_arrives_acquiring)
{
    SENSES(cuda::memory_order_acquire, cuda::memory_order_release, cuda::memory_order_acquire)
}

// An arrival may meet the old count, which is then set back: it is lost, and the next round never ends.
// case: sense_left_relaxed grid=3 block=1 expect=missing-release also=data-race also=deadlock
KERNEL(sense_left_relaxed)
{
    SENSES(cuda::memory_order_acq_rel, cuda::memory_order_relaxed, cuda::memory_order_acquire)
}

// case: sense_waits_relaxed grid=3 block=1 expect=missing-acquire also=deadlock
KERNEL(sense_waits_relaxed)
{
    SENSES(cuda::memory_order_acq_rel, cuda::memory_order_release, cuda::memory_order_relaxed)
}
