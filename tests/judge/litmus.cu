// Chains, cumulativity and litmus tests. Where a test is about outcomes and not about plain data, the
// kernel traps in the outcome that the model forbids: silence then says that no run showed it.
#include "judge.cuh"

// ---- Three blocks, A to B to C ----

// case: chain_right grid=3 block=1 expect=silent
KERNEL(chain_right)
{
    if (BID == 0) {
        x[0] = 42;
        __threadfence();
        VOL(flag[0]) = 1;
    } else if (BID == 1) {
        while (VOL(flag[0]) == 0)
            ;
        __threadfence();
        VOL(flag[1]) = 1;
    } else {
        while (VOL(flag[1]) == 0)
            ;
        __threadfence();
        y[0] = x[0];
    }
}

// case: chain_no_fence_in_a grid=3 block=1 expect=missing-release@1@2
KERNEL(chain_no_fence_in_a)
{
    if (BID == 0) {
        x[0] = 42; // @1
        VOL(flag[0]) = 1;
    } else if (BID == 1) {
        while (VOL(flag[0]) == 0)
            ;
        __threadfence();
        VOL(flag[1]) = 1;
    } else {
        while (VOL(flag[1]) == 0)
            ;
        __threadfence();
        y[0] = x[0]; // @2
    }
}

// B passes the word on without having acquired it: which half is missing is a matter of taste.
// case: chain_no_fence_in_b grid=3 block=1 expect=missing-release|missing-acquire|data-race@1@2
KERNEL(chain_no_fence_in_b)
{
    if (BID == 0) {
        x[0] = 42; // @1
        __threadfence();
        VOL(flag[0]) = 1;
    } else if (BID == 1) {
        while (VOL(flag[0]) == 0)
            ;
        VOL(flag[1]) = 1;
    } else {
        while (VOL(flag[1]) == 0)
            ;
        __threadfence();
        y[0] = x[0]; // @2
    }
}

// case: chain_no_fence_in_c grid=3 block=1 expect=missing-acquire@1@2
KERNEL(chain_no_fence_in_c)
{
    if (BID == 0) {
        x[0] = 42; // @1
        __threadfence();
        VOL(flag[0]) = 1;
    } else if (BID == 1) {
        while (VOL(flag[0]) == 0)
            ;
        __threadfence();
        VOL(flag[1]) = 1;
    } else {
        while (VOL(flag[1]) == 0)
            ;
        y[0] = x[0]; // @2
    }
}

// case: chain_block_fence_in_b grid=3 block=1 expect=missing-release|missing-acquire|data-race@1@2
KERNEL(chain_block_fence_in_b)
{
    if (BID == 0) {
        x[0] = 42; // @1
        __threadfence();
        VOL(flag[0]) = 1;
    } else if (BID == 1) {
        while (VOL(flag[0]) == 0)
            ;
        __threadfence_block();
        VOL(flag[1]) = 1;
    } else {
        while (VOL(flag[1]) == 0)
            ;
        __threadfence();
        y[0] = x[0]; // @2
    }
}

// case: chain_acquire_release grid=3 block=1 expect=silent
KERNEL(chain_acquire_release)
{
    if (BID == 0) {
        x[0] = 42;
        ST("release.gpu", &flag[0], 1);
    } else if (BID == 1) {
        while (LD("acquire.gpu", &flag[0]) == 0)
            ;
        ST("release.gpu", &flag[1], 1);
    } else {
        while (LD("acquire.gpu", &flag[1]) == 0)
            ;
        y[0] = x[0];
    }
}

// B is a block: one thread acquires, another releases, a barrier lies between.
// case: chain_through_barrier grid=3 block=64 expect=silent
KERNEL(chain_through_barrier)
{
    if (BID == 0 && TID == 0) {
        x[0] = 42;
        ST("release.gpu", &flag[0], 1);
    } else if (BID == 1) {
        if (TID == 0)
            while (LD("acquire.gpu", &flag[0]) == 0)
                ;
        __syncthreads();
        if (TID == 32)
            ST("release.gpu", &flag[1], 1);
    } else if (BID == 2 && TID == 0) {
        while (LD("acquire.gpu", &flag[1]) == 0)
            ;
        y[0] = x[0];
    }
}

// case: chain_through_barrier_relaxed grid=3 block=64 expect=missing-release|missing-acquire|data-race@1@2
KERNEL(chain_through_barrier_relaxed)
{
    if (BID == 0 && TID == 0) {
        x[0] = 42; // @1
        ST("release.gpu", &flag[0], 1);
    } else if (BID == 1) {
        if (TID == 0)
            while (LD("acquire.gpu", &flag[0]) == 0)
                ;
        __syncthreads();
        if (TID == 32)
            ST("relaxed.gpu", &flag[1], 1);
    } else if (BID == 2 && TID == 0) {
        while (LD("acquire.gpu", &flag[1]) == 0)
            ;
        y[0] = x[0]; // @2
    }
}

// The one fence of B stands behind the barrier, in the releasing thread: enough for fence.sc.
// case: chain_sc_behind_barrier grid=3 block=64 expect=silent
KERNEL(chain_sc_behind_barrier)
{
    if (BID == 0 && TID == 0) {
        x[0] = 42;
        __threadfence();
        VOL(flag[0]) = 1;
    } else if (BID == 1) {
        if (TID == 0)
            while (VOL(flag[0]) == 0)
                ;
        __syncthreads();
        if (TID == 32) {
            __threadfence();
            VOL(flag[1]) = 1;
        }
    } else if (BID == 2 && TID == 0) {
        while (VOL(flag[1]) == 0)
            ;
        __threadfence();
        y[0] = x[0];
    }
}

// Not enough for fence.acq_rel: the thread has read nothing itself.
// case: chain_acq_rel_behind_barrier grid=3 block=64 expect=missing-release|missing-acquire|data-race@1@2
KERNEL(chain_acq_rel_behind_barrier)
{
    if (BID == 0 && TID == 0) {
        x[0] = 42; // @1
        FENCE("acq_rel.gpu");
        VOL(flag[0]) = 1;
    } else if (BID == 1) {
        if (TID == 0)
            while (VOL(flag[0]) == 0)
                ;
        __syncthreads();
        if (TID == 32) {
            FENCE("acq_rel.gpu");
            VOL(flag[1]) = 1;
        }
    } else if (BID == 2 && TID == 0) {
        while (VOL(flag[1]) == 0)
            ;
        FENCE("acq_rel.gpu");
        y[0] = x[0]; // @2
    }
}

// ---- Observation through read-modify-writes ----

// B adds to the flag without any order of its own; C still sees A's release along the chain.
// case: rmw_chain_right grid=3 block=1 expect=silent
KERNEL(rmw_chain_right)
{
    if (BID == 0) {
        x[0] = 42;
        ST("release.gpu", flag, 1);
    } else if (BID == 1) {
        while (ATOM_CAS("relaxed.gpu", flag, 1, 2) != 1)
            ;
    } else {
        while (LD("acquire.gpu", flag) != 2)
            ;
        y[0] = x[0];
    }
}

// B stores instead: C reads from B, who released nothing.
// case: rmw_chain_broken_by_store grid=3 block=1 expect=missing-release|missing-acquire|data-race@1@2
KERNEL(rmw_chain_broken_by_store)
{
    if (BID == 0) {
        x[0] = 42; // @1
        ST("release.gpu", flag, 1);
    } else if (BID == 1) {
        while (LD("relaxed.gpu", flag) != 1)
            ;
        ST("relaxed.gpu", flag, 2);
    } else {
        while (LD("acquire.gpu", flag) != 2)
            ;
        y[0] = x[0]; // @2
    }
}

// A plain store breaks it too, and races with C's polling.
// case: rmw_chain_broken_by_plain_store grid=3 block=1 expect=data-race@3@4 also=*
KERNEL(rmw_chain_broken_by_plain_store)
{
    if (BID == 0) {
        x[0] = 42;
        ST("release.gpu", flag, 1);
    } else if (BID == 1) {
        while (LD("acquire.gpu", flag) != 1)
            ;
        flag[0] = 2; // @3
    } else {
        while (LD("acquire.gpu", flag) != 2) // @4
            ;
        y[0] = x[0];
    }
}

// Several relaxed links.
// case: rmw_chain_long grid=6 block=1 expect=silent
KERNEL(rmw_chain_long)
{
    if (BID == 0) {
        x[0] = 42;
        __threadfence();
        atomicExch(flag, 1);
    } else if (BID < GRID - 1) {
        while (atomicCAS(flag, BID, BID + 1) != BID)
            ;
    } else {
        while (VOL(flag[0]) != GRID - 1)
            ;
        __threadfence();
        y[0] = x[0];
    }
}

// A link of block scope is not part of the chain.
// case: rmw_chain_narrow_link grid=3 block=1 expect=data-race@3@4 also=*
KERNEL(rmw_chain_narrow_link)
{
    if (BID == 0) {
        x[0] = 42;
        __threadfence();
        atomicExch(flag, 1); // @3
    } else if (BID == 1) {
        while (atomicCAS_block(flag, 1, 2) != 1) // @4
            ;
    } else {
        while (VOL(flag[0]) != 2)
            ;
        __threadfence();
        y[0] = x[0];
    }
}

// A release and, behind it, a relaxed write of the same word by the same thread: together a release
// pattern (PTX ISA 8.8, second form), so reading the second acquires as well.
// case: release_then_relaxed_same_word grid=2 block=1 expect=silent
KERNEL(release_then_relaxed_same_word)
{
    if (BID == 0) {
        x[0] = 42;
        ST("release.gpu", flag, 1);
        ST("relaxed.gpu", flag, 2);
    } else {
        while (LD("acquire.gpu", flag) != 2)
            ;
        y[0] = x[0];
    }
}

// Another word is another matter.
// case: release_then_relaxed_other_word grid=2 block=1 expect=missing-release@1@2
KERNEL(release_then_relaxed_other_word)
{
    if (BID == 0) {
        x[0] = 42; // @1
        ST("release.gpu", &flag[0], 1);
        ST("relaxed.gpu", &flag[1], 1);
    } else {
        while (LD("acquire.gpu", &flag[1]) == 0)
            ;
        y[0] = x[0]; // @2
    }
}

// A relaxed read and, behind it, an acquiring read of the same word: an acquire pattern.
// case: relaxed_then_acquire_same_word grid=2 block=1 expect=silent
KERNEL(relaxed_then_acquire_same_word)
{
    if (BID == 0) {
        x[0] = 42;
        ST("release.gpu", flag, 1);
    } else {
        while (LD("relaxed.gpu", flag) == 0)
            ;
        y[1] = LD("acquire.gpu", flag);
        y[0] = x[0];
    }
}

// case: relaxed_then_acquire_other_word grid=2 block=1 expect=missing-acquire@1@2
KERNEL(relaxed_then_acquire_other_word)
{
    if (BID == 0) {
        x[0] = 42; // @1
        ST("release.gpu", flag, 1);
    } else {
        while (LD("relaxed.gpu", flag) == 0)
            ;
        y[1] = LD("acquire.gpu", &flag[1]);
        y[0] = x[0]; // @2
    }
}

// ---- Store buffering: each announces itself and enters if the other has not ----

// case: dekker_sc grid=2 block=1 schedules=12 expect=silent
KERNEL(dekker_sc)
{
    VOL(flag[BID]) = 1;
    __threadfence();
    if (VOL(flag[1 - BID]) == 0)
        x[0] = BID;
}

// Without fence.sc both may enter.
// case: dekker_no_fence grid=2 block=1 schedules=32 expect=data-race@1@1
KERNEL(dekker_no_fence)
{
    VOL(flag[BID]) = 1;
    if (VOL(flag[1 - BID]) == 0)
        x[0] = BID; // @1
}

// case: dekker_acq_rel grid=2 block=1 schedules=32 expect=data-race@1@1
KERNEL(dekker_acq_rel)
{
    VOL(flag[BID]) = 1;
    FENCE("acq_rel.gpu");
    if (VOL(flag[1 - BID]) == 0)
        x[0] = BID; // @1
}

// fence.sc of block scope between blocks.
// case: dekker_sc_block_scope grid=2 block=1 schedules=32 expect=data-race@1@1
KERNEL(dekker_sc_block_scope)
{
    VOL(flag[BID]) = 1;
    __threadfence_block();
    if (VOL(flag[1 - BID]) == 0)
        x[0] = BID; // @1
}

// case: dekker_sc_one_side grid=2 block=1 schedules=32 expect=data-race@1@1
KERNEL(dekker_sc_one_side)
{
    VOL(flag[BID]) = 1;
    if (BID == 0)
        __threadfence();
    if (VOL(flag[1 - BID]) == 0)
        x[0] = BID; // @1
}

// In one block, fence.sc of block scope.
// case: dekker_sc_in_block grid=1 block=64 schedules=12 expect=silent
KERNEL(dekker_sc_in_block)
{
    if (TID % 32 == 0) {
        VOL(flag[TID]) = 1;
        __threadfence_block();
        if (VOL(flag[32 - TID]) == 0)
            x[0] = TID;
    }
}

// Read-modify-writes of different words buffer as stores do.
// case: dekker_atomics_only grid=2 block=1 schedules=32 expect=data-race@1@1
KERNEL(dekker_atomics_only)
{
    atomicExch(&flag[BID], 1);
    if (VOL(flag[1 - BID]) == 0)
        x[0] = BID; // @1
}

// Both on one word: the second to come sees the first.
// case: first_come_by_atomic grid=2 block=1 schedules=12 expect=silent
KERNEL(first_come_by_atomic)
{
    if (atomicAdd(flag, 1) == 0)
        x[0] = BID;
}

// ---- Independent reads of independent writes ----

// Two readers may not disagree about the order of the writes, given fence.sc.
// case: iriw_sc grid=4 block=1 schedules=24 expect=silent
KERNEL(iriw_sc)
{
    if (BID < 2) {
        VOL(flag[BID]) = 1;
    } else {
        unsigned mine = BID - 2;
        while (VOL(flag[mine]) == 0)
            ;
        __threadfence();
        if (VOL(flag[1 - mine]) == 0)
            x[0] = BID;
    }
}

// In few instructions, by four threads of many that leave at once.
#define IRIW_OF_FEW(name, between)                                                                 \
    KERNEL(name)                                                                                   \
    {                                                                                              \
        if (TID != 0)                                                                              \
            return;                                                                                \
        if (BID < 2) {                                                                             \
            VOL(flag[BID]) = 1;                                                                    \
        } else {                                                                                   \
            unsigned seen = VOL(flag[BID - 2]);                                                    \
            between;                                                                               \
            x[BID] = seen * 2 + VOL(flag[3 - BID]);                                                \
        }                                                                                          \
    }
// case: iriw_of_few grid=4 block=128 schedules=6 expect=ordering:error
IRIW_OF_FEW(iriw_of_few, )
// case: iriw_of_few_sc grid=4 block=128 schedules=6 expect=silent
IRIW_OF_FEW(iriw_of_few_sc, __threadfence())

// A message that a block in the middle hands on. What the fences on both sides were told of goes one step (PTX ISA 8.9.6): who only hands on, with a fence
// whose scope has neither of the others in it, has acquired nothing and releases nothing.
// In launches too large to be asked as a whole, too.
#define HANDED_ON(name, ...)                                                                       \
    KERNEL(name)                                                                                   \
    {                                                                                              \
        if (BID == 1) {                                                                            \
            x[0] = 5;                                                                              \
            FENCE("sc.gpu");                                                                       \
            VOL(flag[0]) = 1;                                                                      \
        } else if (BID == 2) {                                                                     \
            while (VOL(flag[0]) == 0)                                                              \
                ;                                                                                  \
            FENCE(__VA_ARGS__);                                                                    \
            VOL(flag[1]) = 1;                                                                      \
        } else if (BID == 0) {                                                                     \
            while (VOL(flag[1]) == 0)                                                              \
                ;                                                                                  \
            FENCE("sc.gpu");                                                                       \
            y[0] = x[0];                                                                           \
        }                                                                                          \
    }

// case: fence_sc_handed_on grid=3 block=1 expect=missing-release@1@1
HANDED_ON(fence_sc_handed_on, "sc.cta") // @1

// case: fence_sc_handed_on_right grid=3 block=1 expect=silent
HANDED_ON(fence_sc_handed_on_right, "acq_rel.gpu")

// case: fence_sc_handed_on_in_many grid=300 block=1 expect=missing-release@1@1
HANDED_ON(fence_sc_handed_on_in_many, "sc.cta") // @1

// case: fence_sc_handed_on_in_many_right grid=300 block=1 expect=silent
HANDED_ON(fence_sc_handed_on_in_many_right, "acq_rel.gpu")

// The same place for all signals: its last reader sees the first one's write, too, through the middle one's atomic.
// case: fence_sc_chain grid=3 block=1 expect=silent
KERNEL(fence_sc_chain)
{
    if (BID == 1) {
        x[0] = 5;
        FENCE("sc.gpu");
        VOL(flag[0]) = 1;
    } else if (BID == 2) {
        while (atomicCAS(&flag[0], 1, 2) != 1)
            ;
    } else {
        while (VOL(flag[0]) < 2)
            ;
        FENCE("sc.gpu");
        y[0] = x[0];
    }
}

// case: iriw_acq_rel grid=4 block=1 schedules=96 expect=data-race@1@1
KERNEL(iriw_acq_rel)
{
    if (BID < 2) {
        VOL(flag[BID]) = 1;
    } else {
        unsigned mine = BID - 2;
        while (VOL(flag[mine]) == 0)
            ;
        FENCE("acq_rel.gpu");
        if (VOL(flag[1 - mine]) == 0)
            x[0] = BID; // @1
    }
}

// ---- Coherence: one word never runs backwards ----

// case: corr_one_thread grid=2 block=1 schedules=24 expect=silent
KERNEL(corr_one_thread)
{
    if (BID == 0) {
        for (unsigned i = 1; i <= 4; i++)
            VOL(flag[0]) = i;
    } else {
        unsigned last = 0;
        for (int i = 0; i < 12; i++) {
            unsigned now = VOL(flag[0]);
            if (now < last)
                TRAP();
            last = now;
        }
    }
}

// One thread reads, the barrier passes it on, another reads: not backwards either.
// case: corr_through_barrier grid=2 block=64 schedules=24 expect=silent
KERNEL(corr_through_barrier)
{
    __shared__ unsigned first;
    if (BID == 0) {
        if (TID == 0)
            for (unsigned i = 1; i <= 4; i++)
                VOL(flag[0]) = i;
    } else {
        if (TID == 0)
            first = VOL(flag[0]);
        __syncthreads();
        if (TID == 32 && VOL(flag[0]) < first)
            TRAP();
    }
}

// A thread reads its own store or something newer.
// case: own_store_read_back grid=3 block=1 schedules=24 expect=silent
KERNEL(own_store_read_back)
{
    VOL(flag[0]) = BID + 1;
    if (VOL(flag[0]) == 0)
        TRAP();
    atomicAdd(&flag[1], 1);
    if (VOL(flag[1]) == 0)
        TRAP();
}

// Atomics always read the newest: the sum of all is exact.
// case: atomics_are_exact grid=4 block=32 schedules=12 expect=silent
KERNEL(atomics_are_exact)
{
    if (atomicAdd(flag, 1) >= GRID * BLOCK)
        TRAP();
}

// ---- Message passing with volatile data: no race, so the outcome is what counts ----

// case: mp_volatile_fenced grid=2 block=1 schedules=24 expect=silent
KERNEL(mp_volatile_fenced)
{
    if (BID == 0) {
        VOL(x[0]) = 42;
        __threadfence();
        VOL(flag[0]) = 1;
    } else {
        while (VOL(flag[0]) == 0)
            ;
        __threadfence();
        if (VOL(x[0]) != 42)
            TRAP();
    }
}

// case: mp_volatile_no_fences grid=2 block=1 expect=ordering:any@1@2
KERNEL(mp_volatile_no_fences)
{
    if (BID == 0) {
        VOL(x[0]) = 42; // @1
        VOL(flag[0]) = 1;
    } else {
        while (VOL(flag[0]) == 0)
            ;
        y[0] = VOL(x[0]); // @2
    }
}

// case: mp_volatile_no_acquire grid=2 block=1 expect=ordering:any@1@2
KERNEL(mp_volatile_no_acquire)
{
    if (BID == 0) {
        VOL(x[0]) = 42; // @1
        __threadfence();
        VOL(flag[0]) = 1;
    } else {
        while (VOL(flag[0]) == 0)
            ;
        y[0] = VOL(x[0]); // @2
    }
}

// The weak outcome is shown: in some schedule the kernel traps.
// case: mp_volatile_weak_outcome grid=2 block=1 schedules=32 expect=trap@3 also=ordering
KERNEL(mp_volatile_weak_outcome)
{
    if (BID == 0) {
        VOL(x[0]) = 42;
        VOL(flag[0]) = 1;
    } else {
        while (VOL(flag[0]) == 0)
            ;
        if (VOL(x[0]) != 42)
            TRAP(); // @3
    }
}

// A plain read that is not ordered shows the older value too.
// case: mp_plain_weak_outcome grid=2 block=1 schedules=32 expect=missing-acquire@1@2 expect=trap@3
KERNEL(mp_plain_weak_outcome)
{
    if (BID == 0) {
        x[0] = 42; // @1
        __threadfence();
        VOL(flag[0]) = 1;
    } else {
        while (VOL(flag[0]) == 0)
            ;
        if (x[0] != 42) // @2
            TRAP(); // @3
    }
}

// Write to read causality: what B has read before its fence, C cannot miss.
// case: wrc_fenced grid=3 block=1 schedules=24 expect=silent
KERNEL(wrc_fenced)
{
    if (BID == 0) {
        VOL(x[0]) = 1;
    } else if (BID == 1) {
        while (VOL(x[0]) == 0)
            ;
        __threadfence();
        VOL(flag[0]) = 1;
    } else {
        while (VOL(flag[0]) == 0)
            ;
        __threadfence();
        if (VOL(x[0]) == 0)
            TRAP();
    }
}

// case: wrc_no_fence_in_b grid=3 block=1 schedules=48 expect=trap@3 also=ordering
KERNEL(wrc_no_fence_in_b)
{
    if (BID == 0) {
        VOL(x[0]) = 1;
    } else if (BID == 1) {
        while (VOL(x[0]) == 0)
            ;
        VOL(flag[0]) = 1;
    } else {
        while (VOL(flag[0]) == 0)
            ;
        __threadfence();
        if (VOL(x[0]) == 0)
            TRAP(); // @3
    }
}

// Plain data that B has seen by a strong read of the same word is ordered by observation.
// case: observed_then_plain_read grid=2 block=1 expect=silent
KERNEL(observed_then_plain_read)
{
    if (BID == 0) {
        VOL(x[0]) = 42;
    } else {
        while (VOL(x[0]) == 0)
            ;
        y[0] = x[0];
    }
}

// case: plain_read_unobserved grid=2 block=1 expect=data-race@1@2
KERNEL(plain_read_unobserved)
{
    if (BID == 0)
        VOL(x[0]) = 42; // @1
    else
        y[0] = x[0]; // @2
}

// ---- Load buffering: only an execution that is no run of the threads lets both of them store ----

// case: buffered_loads_one_value grid=2 block=1 expect=data-race:warning@1
KERNEL(buffered_loads_one_value)
{
    unsigned told = VOL(flag[!BID]);
    VOL(flag[BID]) = 1;
    if (told)
        x[0] = 1; // @1
}

// case: buffered_loads_two_values grid=2 block=1 expect=data-race@1
KERNEL(buffered_loads_two_values)
{
    unsigned told = VOL(flag[!BID]);
    VOL(flag[BID]) = 1;
    if (told)
        x[0] = BID + 1; // @1
}

// Where at most one of them can store, there is no race.
// case: buffered_loads_fenced grid=2 block=1 expect=silent
KERNEL(buffered_loads_fenced)
{
    unsigned told = VOL(flag[!BID]);
    __threadfence();
    VOL(flag[BID]) = 1;
    if (told)
        x[0] = 1;
}

// A barrier lets a read before it see what rests on a store behind it, another thread's: no run has both stores.
// case: buffered_load_before_barrier grid=2 block=2 expect=data-race@1@2
KERNEL(buffered_load_before_barrier)
{
    unsigned seen = 0;
    if (BID == 0) {
        if (TID == 0)
            seen = VOL(flag[1]);
        __syncthreads();
        if (TID == 1)
            VOL(flag[0]) = 1;
        if (seen)
            x[0] = 1; // @1
    } else if (TID == 0) {
        seen = VOL(flag[0]);
        VOL(flag[1]) = seen;
        if (seen)
            x[0] = 2; // @2
    }
}

// case: buffered_load_before_barrier_fenced grid=2 block=2 expect=silent
KERNEL(buffered_load_before_barrier_fenced)
{
    unsigned seen = 0;
    if (BID == 0) {
        if (TID == 0)
            seen = VOL(flag[1]);
        __syncthreads();
        __threadfence();
        if (TID == 1)
            VOL(flag[0]) = 1;
        if (seen)
            x[0] = 1;
    } else if (TID == 0) {
        seen = VOL(flag[0]);
        __threadfence();
        VOL(flag[1]) = seen;
        if (seen)
            x[0] = 2;
    }
}
