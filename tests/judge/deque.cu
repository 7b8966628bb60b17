// A work-stealing deque (Chase and Lev; Lê, Pop, Cohen and Zappa Nardelli, PPoPP 2013): its owner pushes and takes at the bottom, a thief steals at the
// top. flag[0] is the top, flag[32] the bottom, flag[64 ...] the tasks, y[...] how often each was done. Between the owner's store of the bottom and its look
// at the top, and between the thief's looks at both, stands a fence.sc.
#include <cuda/atomic>
#include "judge.cuh"

typedef cuda::atomic_ref<unsigned, cuda::thread_scope_device> device_ref;
#define ORDER(o) cuda::memory_order_##o
#define TOP device_ref(flag[0])
#define BOTTOM device_ref(flag[32])
#define TASK(i) device_ref(flag[64 + (i) % 8])
#define AT_FENCE(o) cuda::atomic_thread_fence(ORDER(o), cuda::thread_scope_device)
#define NO_FENCE (void)0

#define DEQUE(pushes, takes, steals, fence)                                                        \
    if (BID == 0) {                                                                                \
        for (unsigned i = 0; (int)i < pushes; i++) {                                                    \
            unsigned b = BOTTOM.load(ORDER(relaxed));                                              \
            TASK(b).store(i, ORDER(relaxed));                                                      \
            AT_FENCE(release);                                                                     \
            BOTTOM.store(b + 1, ORDER(relaxed));                                                   \
        }                                                                                          \
        for (unsigned i = 0; (int)i < takes; i++) {                                                     \
            unsigned b = BOTTOM.load(ORDER(relaxed)) - 1;                                          \
            BOTTOM.store(b, ORDER(relaxed));                                                       \
            fence;                                                                                 \
            unsigned t = TOP.load(ORDER(relaxed));                                                 \
            if ((int)t <= (int)b) {                                                                \
                unsigned task = TASK(b).load(ORDER(relaxed));                                      \
                bool mine = true;                                                                  \
                if (t == b) {                                                                      \
                    mine = TOP.compare_exchange_strong(t, t + 1, ORDER(seq_cst), ORDER(relaxed));  \
                    BOTTOM.store(b + 1, ORDER(relaxed));                                           \
                }                                                                                  \
                if (mine)                                                                          \
                    atomicAdd(&y[task], 1);                                                        \
            } else {                                                                               \
                BOTTOM.store(b + 1, ORDER(relaxed));                                               \
            }                                                                                      \
        }                                                                                          \
    } else {                                                                                       \
        for (unsigned i = 0; (int)i < steals; i++) {                                                    \
            unsigned t = TOP.load(ORDER(acquire));                                                 \
            fence;                                                                                 \
            unsigned b = BOTTOM.load(ORDER(acquire));                                              \
            if ((int)t >= (int)b)                                                                  \
                continue;                                                                          \
            unsigned task = TASK(t).load(ORDER(relaxed));                                          \
            if (TOP.compare_exchange_strong(t, t + 1, ORDER(seq_cst), ORDER(relaxed)))             \
                atomicAdd(&y[task], 1);                                                            \
        }                                                                                          \
    }

// case: deque_small_right grid=2 block=1 expect=silent
KERNEL(deque_small_right)
{
    DEQUE(2, 2, 2, AT_FENCE(seq_cst))
}

// case: deque_right grid=2 block=1 expect=silent
KERNEL(deque_right)
{
    DEQUE(4, 4, 3, AT_FENCE(seq_cst))
}

// case: deque_acq_rel grid=2 block=1 expect=ordering
KERNEL(deque_acq_rel)
{
    DEQUE(4, 4, 3, AT_FENCE(acq_rel))
}

// case: deque_no_fence grid=2 block=1 expect=ordering
KERNEL(deque_no_fence)
{
    DEQUE(4, 4, 3, NO_FENCE)
}

// case: deque_long_right grid=2 block=1 expect=silent
KERNEL(deque_long_right)
{
    DEQUE(6, 6, 4, AT_FENCE(seq_cst))
}

// case: deque_long_acq_rel grid=2 block=1 expect=ordering
KERNEL(deque_long_acq_rel)
{
    DEQUE(6, 6, 4, AT_FENCE(acq_rel))
}

// case: deque_longest_right grid=2 block=1 expect=silent
KERNEL(deque_longest_right)
{
    DEQUE(8, 8, 8, AT_FENCE(seq_cst))
}

// case: deque_longest_acq_rel grid=2 block=1 expect=ordering
KERNEL(deque_longest_acq_rel)
{
    DEQUE(8, 8, 8, AT_FENCE(acq_rel))
}

// The fence that stands there reaches the own block only.
// case: deque_block_fence grid=2 block=1 expect=ordering
KERNEL(deque_block_fence)
{
    DEQUE(6, 6, 4, __threadfence_block())
}

// The owner is a thread of a block in which all others only meet it at a barrier, after each task pushed.
// case: deque_barrier_acq_rel grid=2 block=64 expect=ordering
KERNEL(deque_barrier_acq_rel)
{
    if (TID == 0) {
        DEQUE(3, 0, 0, NO_FENCE)
    }
    __syncthreads();
    if (TID == 0) {
        DEQUE(0, 3, 3, AT_FENCE(acq_rel))
    }
}

// case: deque_barrier_right grid=2 block=64 expect=silent
KERNEL(deque_barrier_right)
{
    if (TID == 0) {
        DEQUE(3, 0, 0, NO_FENCE)
    }
    __syncthreads();
    if (TID == 0) {
        DEQUE(0, 3, 3, AT_FENCE(seq_cst))
    }
}

// Two thieves. The owner alone has no fence.sc: it takes the last task but one without a swap, and two thieves that have not seen its bottom steal both.
#define OWNER_ONLY(fence) if (BID == 0) { fence; } else { AT_FENCE(seq_cst); }

// case: deque_thieves_right grid=3 block=1 expect=silent
KERNEL(deque_thieves_right)
{
    DEQUE(4, 4, 3, AT_FENCE(seq_cst))
}

// case: deque_thieves_owner_bare grid=3 block=1 expect=ordering
KERNEL(deque_thieves_owner_bare)
{
    DEQUE(3, 3, 3, OWNER_ONLY(NO_FENCE))
}

// case: deque_thieves_owner_acq_rel grid=3 block=1 expect=ordering
KERNEL(deque_thieves_owner_acq_rel)
{
    DEQUE(4, 4, 3, OWNER_ONLY(AT_FENCE(acq_rel)))
}

// The top taken by atomicCAS(). A stale look at it makes that fail, or is one try less.
#define CAS_DEQUE(pushes, takes, steals, fence)                                                    \
    if (BID == 0) {                                                                                \
        for (unsigned i = 0; (int)i < pushes; i++) {                                               \
            unsigned b = BOTTOM.load(ORDER(relaxed));                                              \
            TASK(b).store(i, ORDER(relaxed));                                                      \
            AT_FENCE(release);                                                                     \
            BOTTOM.store(b + 1, ORDER(relaxed));                                                   \
        }                                                                                          \
        for (unsigned i = 0; (int)i < takes; i++) {                                                \
            unsigned b = BOTTOM.load(ORDER(relaxed)) - 1;                                          \
            BOTTOM.store(b, ORDER(relaxed));                                                       \
            fence;                                                                                 \
            unsigned t = TOP.load(ORDER(relaxed));                                                 \
            if ((int)t <= (int)b) {                                                                \
                unsigned task = TASK(b).load(ORDER(relaxed));                                      \
                bool mine = t != b || atomicCAS(&flag[0], t, t + 1) == t;                          \
                if (t == b)                                                                        \
                    BOTTOM.store(b + 1, ORDER(relaxed));                                           \
                if (mine)                                                                          \
                    atomicAdd(&y[task], 1);                                                        \
            } else {                                                                               \
                BOTTOM.store(b + 1, ORDER(relaxed));                                               \
            }                                                                                      \
        }                                                                                          \
    } else {                                                                                       \
        for (unsigned i = 0; (int)i < steals; i++) {                                               \
            unsigned t = TOP.load(ORDER(acquire));                                                 \
            fence;                                                                                 \
            unsigned b = BOTTOM.load(ORDER(acquire));                                              \
            if ((int)t >= (int)b)                                                                  \
                continue;                                                                          \
            unsigned task = TASK(t).load(ORDER(relaxed));                                          \
            if (atomicCAS(&flag[0], t, t + 1) == t)                                                \
                atomicAdd(&y[task], 1);                                                            \
        }                                                                                          \
    }

// case: deque_cas_right grid=2 block=1 expect=silent
KERNEL(deque_cas_right)
{
    CAS_DEQUE(4, 4, 3, AT_FENCE(seq_cst))
}

// case: deque_cas_acq_rel grid=2 block=1 expect=ordering
KERNEL(deque_cas_acq_rel)
{
    CAS_DEQUE(4, 4, 3, AT_FENCE(acq_rel))
}

// case: deque_long_cas_right grid=2 block=1 expect=silent
KERNEL(deque_long_cas_right)
{
    CAS_DEQUE(8, 8, 8, AT_FENCE(seq_cst))
}

// case: deque_long_cas_acq_rel grid=2 block=1 expect=ordering
KERNEL(deque_long_cas_acq_rel)
{
    CAS_DEQUE(8, 8, 8, AT_FENCE(acq_rel))
}

// case: deque_rolled_right grid=2 block=1 expect=silent
KERNEL(deque_rolled_right)
{
    int rounds = n ? n : 9;
    CAS_DEQUE(rounds, rounds, rounds, AT_FENCE(seq_cst))
}

// The thief stores the top that it has looked at, plus one: what the owner has swapped in between is lost.
// case: deque_top_stored grid=2 block=1 expect=ordering
KERNEL(deque_top_stored)
{
    if (BID == 0) {
        DEQUE(4, 4, 0, AT_FENCE(seq_cst))
    } else {
        for (int i = 0; i < 3; i++) {
            unsigned t = TOP.load(ORDER(acquire));
            AT_FENCE(seq_cst);
            unsigned b = BOTTOM.load(ORDER(acquire));
            if ((int)t >= (int)b)
                continue;
            unsigned task = TASK(t).load(ORDER(relaxed));
            TOP.store(t + 1, ORDER(seq_cst));
            atomicAdd(&y[task], 1);
        }
    }
}

// A stale look that gives up a try matters: who has seen the signal is to find what it signals, and nobody tries again.
#define OFFERS(rounds, wait)                                                                       \
    if (BID == 0) {                                                                                \
        for (int i = 0; i < rounds; i++) {                                                         \
            device_ref(flag[64 + 32 * i]).store(1, ORDER(relaxed));                                \
            AT_FENCE(acq_rel);                                                                     \
            device_ref(flag[80 + 32 * i]).store(1, ORDER(relaxed));                                \
        }                                                                                          \
    } else {                                                                                       \
        for (int i = 0; i < rounds; i++) {                                                         \
            while (device_ref(flag[80 + 32 * i]).load(ORDER(relaxed)) == 0) {                      \
            }                                                                                      \
            wait;                                                                                  \
        }                                                                                          \
        for (int i = 0; i < rounds; i++) {                                                         \
            unsigned offer = device_ref(flag[64 + 32 * i]).load(ORDER(relaxed));                   \
            if (offer == 1 && atomicCAS(&flag[64 + 32 * i], offer, 2) == offer)                    \
                atomicAdd(&y[i], 1);                                                               \
        }                                                                                          \
    }

// case: offer_given_up grid=2 block=1 expect=ordering
KERNEL(offer_given_up)
{
    OFFERS(1, NO_FENCE)
}

// case: offer_taken grid=2 block=1 expect=silent
KERNEL(offer_taken)
{
    OFFERS(1, AT_FENCE(acq_rel))
}

// case: offers_given_up grid=2 block=1 expect=ordering
KERNEL(offers_given_up)
{
    int rounds = n ? n : 40;
    OFFERS(rounds, NO_FENCE)
}

// case: offers_taken grid=2 block=1 expect=silent
KERNEL(offers_taken)
{
    int rounds = n ? n : 40;
    OFFERS(rounds, AT_FENCE(acq_rel))
}

// The owner, too, stores the top where the last task is left, and the thief swaps it: one that has swapped it in between has had that task, too.
#define TAKE_LAST_BY(last)                                                                         \
    if (BID == 0) {                                                                                \
        TASK(0).store(0, ORDER(relaxed));                                                          \
        AT_FENCE(release);                                                                         \
        BOTTOM.store(1, ORDER(relaxed));                                                           \
        BOTTOM.store(0, ORDER(relaxed));                                                           \
        AT_FENCE(seq_cst);                                                                         \
        unsigned t = TOP.load(ORDER(relaxed));                                                     \
        if (t == 0) {                                                                              \
            bool mine = true;                                                                      \
            last;                                                                                  \
            BOTTOM.store(1, ORDER(relaxed));                                                       \
            if (mine)                                                                              \
                atomicAdd(&y[0], 1);                                                               \
        }                                                                                          \
    } else {                                                                                       \
        unsigned t = TOP.load(ORDER(acquire));                                                     \
        AT_FENCE(seq_cst);                                                                         \
        unsigned b = BOTTOM.load(ORDER(acquire));                                                  \
        if ((int)t < (int)b && atomicCAS(&flag[0], t, t + 1) == t)                                 \
            atomicAdd(&y[TASK(t).load(ORDER(relaxed))], 1);                                        \
    }

// case: deque_last_stored grid=2 block=1 expect=ordering
KERNEL(deque_last_stored)
{
    TAKE_LAST_BY(TOP.store(t + 1, ORDER(relaxed)))
}

// case: deque_last_swapped grid=2 block=1 expect=silent
KERNEL(deque_last_swapped)
{
    TAKE_LAST_BY(mine = atomicCAS(&flag[0], t, t + 1) == t)
}
