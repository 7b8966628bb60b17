// Message passing: data, then a flag; the reader polls the flag, then reads the data. At each scope,
// with each way to write a release and an acquire, right and too weak.
#include "judge.cuh"

// ---- Volatile flag and fences, between blocks ----

// case: mp_right grid=2 block=1 expect=silent
KERNEL(mp_right)
{
    if (BID == 0) {
        x[0] = 42;
        __threadfence();
        VOL(flag[0]) = 1;
    } else {
        while (VOL(flag[0]) == 0)
            ;
        __threadfence();
        y[0] = x[0];
    }
}

// case: mp_no_fences grid=2 block=1 expect=missing-release@1@2
KERNEL(mp_no_fences)
{
    if (BID == 0) {
        x[0] = 42; // @1
        VOL(flag[0]) = 1;
    } else {
        while (VOL(flag[0]) == 0)
            ;
        y[0] = x[0]; // @2
    }
}

// case: mp_no_release grid=2 block=1 expect=missing-release@1@2
KERNEL(mp_no_release)
{
    if (BID == 0) {
        x[0] = 42; // @1
        VOL(flag[0]) = 1;
    } else {
        while (VOL(flag[0]) == 0)
            ;
        __threadfence();
        y[0] = x[0]; // @2
    }
}

// case: mp_no_acquire grid=2 block=1 expect=missing-acquire@1@2
KERNEL(mp_no_acquire)
{
    if (BID == 0) {
        x[0] = 42; // @1
        __threadfence();
        VOL(flag[0]) = 1;
    } else {
        while (VOL(flag[0]) == 0)
            ;
        y[0] = x[0]; // @2
    }
}

// The fence stands behind the flag's store.
// case: mp_fence_after_flag grid=2 block=1 expect=missing-release@1@2
KERNEL(mp_fence_after_flag)
{
    if (BID == 0) {
        x[0] = 42; // @1
        VOL(flag[0]) = 1;
        __threadfence();
    } else {
        while (VOL(flag[0]) == 0)
            ;
        __threadfence();
        y[0] = x[0]; // @2
    }
}

// The fence stands before the polling.
// case: mp_fence_before_poll grid=2 block=1 expect=missing-acquire@1@2
KERNEL(mp_fence_before_poll)
{
    if (BID == 0) {
        x[0] = 42; // @1
        __threadfence();
        VOL(flag[0]) = 1;
    } else {
        __threadfence();
        while (VOL(flag[0]) == 0)
            ;
        y[0] = x[0]; // @2
    }
}

// A fence inside the loop, before the read that sees the flag.
// case: mp_fence_inside_poll_before_read grid=2 block=1 expect=missing-acquire@1@2
KERNEL(mp_fence_inside_poll_before_read)
{
    if (BID == 0) {
        x[0] = 42; // @1
        __threadfence();
        VOL(flag[0]) = 1;
    } else {
        unsigned seen;
        do {
            __threadfence();
            seen = VOL(flag[0]);
        } while (seen == 0);
        y[0] = x[0]; // @2
    }
}

// The fence inside the loop comes after each read: the last one acquires.
// case: mp_fence_inside_poll_after_read grid=2 block=1 expect=silent
KERNEL(mp_fence_inside_poll_after_read)
{
    if (BID == 0) {
        x[0] = 42;
        __threadfence();
        VOL(flag[0]) = 1;
    } else {
        unsigned seen;
        do {
            seen = VOL(flag[0]);
            __threadfence();
        } while (seen == 0);
        y[0] = x[0];
    }
}

// ---- Scopes ----

// case: mp_block_fence_writer grid=2 block=1 expect=missing-release@1@2
KERNEL(mp_block_fence_writer)
{
    if (BID == 0) {
        x[0] = 42; // @1
        __threadfence_block();
        VOL(flag[0]) = 1;
    } else {
        while (VOL(flag[0]) == 0)
            ;
        __threadfence();
        y[0] = x[0]; // @2
    }
}

// case: mp_block_fence_reader grid=2 block=1 expect=missing-acquire@1@2
KERNEL(mp_block_fence_reader)
{
    if (BID == 0) {
        x[0] = 42; // @1
        __threadfence();
        VOL(flag[0]) = 1;
    } else {
        while (VOL(flag[0]) == 0)
            ;
        __threadfence_block();
        y[0] = x[0]; // @2
    }
}

// case: mp_system_fences grid=2 block=1 expect=silent
KERNEL(mp_system_fences)
{
    if (BID == 0) {
        x[0] = 42;
        __threadfence_system();
        VOL(flag[0]) = 1;
    } else {
        while (VOL(flag[0]) == 0)
            ;
        __threadfence_system();
        y[0] = x[0];
    }
}

// case: mp_mixed_wide_scopes grid=2 block=1 expect=silent
KERNEL(mp_mixed_wide_scopes)
{
    if (BID == 0) {
        x[0] = 42;
        __threadfence_system();
        VOL(flag[0]) = 1;
    } else {
        while (VOL(flag[0]) == 0)
            ;
        __threadfence();
        y[0] = x[0];
    }
}

// Two warps of one block: block scope is enough.
// case: mp_block_scope_right grid=1 block=64 expect=silent
KERNEL(mp_block_scope_right)
{
    if (TID == 0) {
        x[0] = 42;
        __threadfence_block();
        VOL(flag[0]) = 1;
    } else if (TID == 32) {
        while (VOL(flag[0]) == 0)
            ;
        __threadfence_block();
        y[0] = x[0];
    }
}

// case: mp_block_scope_no_release grid=1 block=64 expect=missing-release@1@2
KERNEL(mp_block_scope_no_release)
{
    if (TID == 0) {
        x[0] = 42; // @1
        VOL(flag[0]) = 1;
    } else if (TID == 32) {
        while (VOL(flag[0]) == 0)
            ;
        __threadfence_block();
        y[0] = x[0]; // @2
    }
}

// case: mp_block_scope_no_acquire grid=1 block=64 expect=missing-acquire@1@2
KERNEL(mp_block_scope_no_acquire)
{
    if (TID == 0) {
        x[0] = 42; // @1
        __threadfence_block();
        VOL(flag[0]) = 1;
    } else if (TID == 32) {
        while (VOL(flag[0]) == 0)
            ;
        y[0] = x[0]; // @2
    }
}

// ---- fence.acq_rel ----

// case: mp_acq_rel_fences grid=2 block=1 expect=silent
KERNEL(mp_acq_rel_fences)
{
    if (BID == 0) {
        x[0] = 42;
        FENCE("acq_rel.gpu");
        VOL(flag[0]) = 1;
    } else {
        while (VOL(flag[0]) == 0)
            ;
        FENCE("acq_rel.gpu");
        y[0] = x[0];
    }
}

// case: mp_acq_rel_block_fences grid=2 block=1 expect=missing-release@1@2
KERNEL(mp_acq_rel_block_fences)
{
    if (BID == 0) {
        x[0] = 42; // @1
        FENCE("acq_rel.cta");
        VOL(flag[0]) = 1;
    } else {
        while (VOL(flag[0]) == 0)
            ;
        FENCE("acq_rel.cta");
        y[0] = x[0]; // @2
    }
}

// ---- ld.acquire and st.release ----

// case: mp_release_acquire grid=2 block=1 expect=silent
KERNEL(mp_release_acquire)
{
    if (BID == 0) {
        x[0] = 42;
        ST("release.gpu", flag, 1);
    } else {
        while (LD("acquire.gpu", flag) == 0)
            ;
        y[0] = x[0];
    }
}

// case: mp_relaxed_acquire grid=2 block=1 expect=missing-release@1@2
KERNEL(mp_relaxed_acquire)
{
    if (BID == 0) {
        x[0] = 42; // @1
        ST("relaxed.gpu", flag, 1);
    } else {
        while (LD("acquire.gpu", flag) == 0)
            ;
        y[0] = x[0]; // @2
    }
}

// case: mp_release_relaxed grid=2 block=1 expect=missing-acquire@1@2
KERNEL(mp_release_relaxed)
{
    if (BID == 0) {
        x[0] = 42; // @1
        ST("release.gpu", flag, 1);
    } else {
        while (LD("relaxed.gpu", flag) == 0)
            ;
        y[0] = x[0]; // @2
    }
}

// case: mp_fence_and_acquire grid=2 block=1 expect=silent
KERNEL(mp_fence_and_acquire)
{
    if (BID == 0) {
        x[0] = 42;
        __threadfence();
        ST("relaxed.gpu", flag, 1);
    } else {
        while (LD("acquire.gpu", flag) == 0)
            ;
        y[0] = x[0];
    }
}

// case: mp_release_system grid=2 block=1 expect=silent
KERNEL(mp_release_system)
{
    if (BID == 0) {
        x[0] = 42;
        ST("release.sys", flag, 1);
    } else {
        while (LD("acquire.gpu", flag) == 0)
            ;
        y[0] = x[0];
    }
}

// Block scope between blocks: the flag itself is a race, and nothing is released.
// case: mp_release_block_scope grid=2 block=1 expect=data-race@3@4 expect=data-race|missing-release@1@2
KERNEL(mp_release_block_scope)
{
    if (BID == 0) {
        x[0] = 42; // @1
        ST("release.cta", flag, 1); // @3
    } else {
        while (LD("acquire.gpu", flag) == 0) // @4
            ;
        y[0] = x[0]; // @2
    }
}

// case: mp_acquire_block_scope grid=2 block=1 expect=data-race@3@4 expect=data-race|missing-acquire@1@2 also=missing-acquire@3@4
KERNEL(mp_acquire_block_scope)
{
    if (BID == 0) {
        x[0] = 42; // @1
        ST("release.gpu", flag, 1); // @3
    } else {
        while (LD("acquire.cta", flag) == 0) // @4
            ;
        y[0] = x[0]; // @2
    }
}

// case: mp_release_acquire_in_block grid=1 block=64 expect=silent
KERNEL(mp_release_acquire_in_block)
{
    if (TID == 0) {
        x[0] = 42;
        ST("release.cta", flag, 1);
    } else if (TID == 32) {
        while (LD("acquire.cta", flag) == 0)
            ;
        y[0] = x[0];
    }
}

// ---- Atomics as the flag ----

// case: mp_atomics_right grid=2 block=1 expect=silent
KERNEL(mp_atomics_right)
{
    if (BID == 0) {
        x[0] = 42;
        __threadfence();
        atomicExch(flag, 1);
    } else {
        while (atomicAdd(flag, 0) == 0)
            ;
        __threadfence();
        y[0] = x[0];
    }
}

// Atomics order nothing by themselves.
// case: mp_atomics_bare grid=2 block=1 expect=missing-release@1@2
KERNEL(mp_atomics_bare)
{
    if (BID == 0) {
        x[0] = 42; // @1
        atomicExch(flag, 1);
    } else {
        while (atomicAdd(flag, 0) == 0)
            ;
        y[0] = x[0]; // @2
    }
}

// A red releases as any write does.
// case: mp_red_release grid=2 block=1 expect=silent
KERNEL(mp_red_release)
{
    if (BID == 0) {
        x[0] = 42;
        RED_ADD("release.gpu", flag, 1);
    } else {
        while (LD("acquire.gpu", flag) == 0)
            ;
        y[0] = x[0];
    }
}

// case: mp_red_relaxed grid=2 block=1 expect=missing-release@1@2
KERNEL(mp_red_relaxed)
{
    if (BID == 0) {
        x[0] = 42; // @1
        RED_ADD("relaxed.gpu", flag, 1);
    } else {
        while (LD("acquire.gpu", flag) == 0)
            ;
        y[0] = x[0]; // @2
    }
}

// ---- The flag itself ----

// case: mp_plain_flag_store grid=2 block=1 expect=data-race@3@4 also=data-race@1@2 also=missing-release@1@2 also=missing-acquire@1@2
KERNEL(mp_plain_flag_store)
{
    if (BID == 0) {
        x[0] = 42; // @1
        __threadfence();
        flag[0] = 1; // @3
    } else {
        while (VOL(flag[0]) == 0) // @4
            ;
        __threadfence();
        y[0] = x[0]; // @2
    }
}

// Another word: the flag that is polled is not the flag that was released.
// case: mp_other_flag grid=2 block=1 expect=missing-release@1@2
KERNEL(mp_other_flag)
{
    if (BID == 0) {
        VOL(flag[1]) = 1;
        x[0] = 42; // @1
        VOL(flag[0]) = 1;
        __threadfence();
        VOL(flag[2]) = 1;
    } else {
        while (VOL(flag[0]) == 0)
            ;
        __threadfence();
        y[0] = x[0]; // @2
    }
}

// The next message overwrites data that may still be read.
// case: mp_overwrite_unacknowledged grid=2 block=1 expect=data-race@1@2
KERNEL(mp_overwrite_unacknowledged)
{
    if (BID == 0) {
        x[0] = 42;
        __threadfence();
        VOL(flag[0]) = 1;
        x[0] = 43; // @1
    } else {
        while (VOL(flag[0]) == 0)
            ;
        __threadfence();
        y[0] = x[0]; // @2
    }
}

// case: mp_overwrite_acknowledged grid=2 block=1 expect=silent
KERNEL(mp_overwrite_acknowledged)
{
    if (BID == 0) {
        x[0] = 42;
        __threadfence();
        VOL(flag[0]) = 1;
        while (VOL(flag[1]) == 0)
            ;
        __threadfence();
        x[0] = 43;
    } else {
        while (VOL(flag[0]) == 0)
            ;
        __threadfence();
        y[0] = x[0];
        __threadfence();
        VOL(flag[1]) = 1;
    }
}

// An acknowledgement without a release: the overwrite may come before the read.
// case: mp_acknowledged_without_release grid=2 block=1 expect=missing-release@1@2
KERNEL(mp_acknowledged_without_release)
{
    if (BID == 0) {
        x[0] = 42;
        __threadfence();
        VOL(flag[0]) = 1;
        while (VOL(flag[1]) == 0)
            ;
        __threadfence();
        x[0] = 43; // @1
    } else {
        while (VOL(flag[0]) == 0)
            ;
        __threadfence();
        y[0] = x[0]; // @2
        VOL(flag[1]) = 1;
    }
}

// ---- Whole blocks, one thread at the flag ----

// case: mp_blocks_right grid=2 block=64 expect=silent
KERNEL(mp_blocks_right)
{
    if (BID == 0) {
        x[TID] = TID;
        __syncthreads();
        if (TID == 0) {
            __threadfence();
            VOL(flag[0]) = 1;
        }
    } else {
        if (TID == 0) {
            while (VOL(flag[0]) == 0)
                ;
            __threadfence();
        }
        __syncthreads();
        y[TID] = x[63 - TID];
    }
}

// case: mp_blocks_writers_do_not_meet grid=2 block=64 expect=data-race@1@2
KERNEL(mp_blocks_writers_do_not_meet)
{
    if (BID == 0) {
        x[TID] = TID; // @1
        if (TID == 0) {
            __threadfence();
            VOL(flag[0]) = 1;
        }
    } else {
        if (TID == 0) {
            while (VOL(flag[0]) == 0)
                ;
            __threadfence();
        }
        __syncthreads();
        y[TID] = x[63 - TID]; // @2
    }
}

// case: mp_blocks_readers_do_not_meet grid=2 block=64 expect=data-race@1@2
KERNEL(mp_blocks_readers_do_not_meet)
{
    if (BID == 0) {
        x[TID] = TID; // @1
        __syncthreads();
        if (TID == 0) {
            __threadfence();
            VOL(flag[0]) = 1;
        }
    } else {
        if (TID == 0) {
            while (VOL(flag[0]) == 0)
                ;
            __threadfence();
        }
        y[TID] = x[63 - TID]; // @2
    }
}

// Every reader fences with fence.sc behind the barrier instead of thread 0 before it.
// case: mp_blocks_sc_after_barrier grid=2 block=64 expect=silent
KERNEL(mp_blocks_sc_after_barrier)
{
    if (BID == 0) {
        x[TID] = TID;
        __syncthreads();
        if (TID == 0) {
            __threadfence();
            VOL(flag[0]) = 1;
        }
    } else {
        if (TID == 0)
            while (VOL(flag[0]) == 0)
                ;
        __syncthreads();
        __threadfence();
        y[TID] = x[63 - TID];
    }
}

// The same with fence.acq_rel acquires nothing for threads that did not read the flag.
// case: mp_blocks_acq_rel_after_barrier grid=2 block=64 expect=missing-acquire@1@2
KERNEL(mp_blocks_acq_rel_after_barrier)
{
    if (BID == 0) {
        x[TID] = TID; // @1
        __syncthreads();
        if (TID == 0) {
            FENCE("acq_rel.gpu");
            VOL(flag[0]) = 1;
        }
    } else {
        if (TID == 0)
            while (VOL(flag[0]) == 0)
                ;
        __syncthreads();
        FENCE("acq_rel.gpu");
        y[TID] = x[63 - TID]; // @2
    }
}

// Threads of one block fence each for itself before the barrier: release, carried by the barrier.
// case: mp_blocks_each_fences_before_barrier grid=2 block=64 expect=silent
KERNEL(mp_blocks_each_fences_before_barrier)
{
    if (BID == 0) {
        x[TID] = TID;
        __threadfence();
        __syncthreads();
        if (TID == 0)
            ST("release.gpu", flag, 1);
    } else {
        if (TID == 0)
            while (LD("acquire.gpu", flag) == 0)
                ;
        __syncthreads();
        y[TID] = x[63 - TID];
    }
}

// ---- Kernel boundaries ----

// case: kernels_in_order grid=2 block=64 then=consume expect=silent
KERNEL(kernels_in_order)
{
    x[GID] = GID;
}
extern "C" __global__ void consume(int *x, int *y, unsigned *flag, int n)
{
    y[GID] = x[n - 1 - GID];
}

// case: kernels_fused grid=2 block=64 expect=data-race@1@2
KERNEL(kernels_fused)
{
    x[GID] = GID; // @1
    y[GID] = x[n - 1 - GID]; // @2
}

// ---- Heard of through many ----

// case: heard_far grid=9 block=1 expect=ordering:any@1@2 also=ordering:any
KERNEL(heard_far)
{
    if (BID == 0) {
        VOL_INT(x[0]) = 1; // @1
        VOL(flag[0]) = 1;
    } else {
        while (VOL(flag[BID - 1]) == 0)
            ;
        if (BID < GRID - 1)
            VOL(flag[BID]) = 1;
        else
            y[0] = VOL_INT(x[0]); // @2
    }
}

// case: heard_far_fenced grid=9 block=1 expect=silent
KERNEL(heard_far_fenced)
{
    if (BID == 0) {
        VOL_INT(x[0]) = 1;
        __threadfence();
        VOL(flag[0]) = 1;
    } else {
        while (VOL(flag[BID - 1]) == 0)
            ;
        __threadfence();
        if (BID < GRID - 1)
            VOL(flag[BID]) = 1;
        else
            y[0] = VOL_INT(x[0]);
    }
}

// The data are plain: a race, whose cause is as far away.
// case: heard_far_plain grid=9 block=1 expect=missing-release@1@2
KERNEL(heard_far_plain)
{
    if (BID == 0) {
        x[0] = 1; // @1
        VOL(flag[0]) = 1;
    } else {
        while (VOL(flag[BID - 1]) == 0)
            ;
        if (BID < GRID - 1)
            VOL(flag[BID]) = 1;
        else
            y[0] = x[0]; // @2
    }
}

// Nobody looks at what the atomic finds: nothing rests on it.
// case: fetched_for_nobody grid=2 block=1 expect=silent
KERNEL(fetched_for_nobody)
{
    if (BID == 0) {
        VOL_INT(x[0]) = 7;
        VOL(*flag) = 1;
    } else {
        while (VOL(*flag) == 0)
            ;
        atomicAdd(&x[0], 0);
    }
}

// case: fetched_for_the_result grid=2 block=1 expect=ordering
KERNEL(fetched_for_the_result)
{
    if (BID == 0) {
        VOL_INT(x[0]) = 7;
        VOL(*flag) = 1;
    } else {
        while (VOL(*flag) == 0)
            ;
        y[0] = atomicAdd(&x[0], 0);
    }
}

// Both store the same, and the second has seen a signal of the first's: what each leaves needs no order, and a fence is not what is missing.
// case: same_store_behind_signal grid=2 block=1 expect=data-race:warning@1@2
KERNEL(same_store_behind_signal)
{
    if (BID == 0) {
        y[0] = 1; // @1
        VOL(flag[0]) = 1;
    } else {
        while (VOL(flag[0]) == 0)
            ;
        y[0] = 1; // @2
    }
}

// case: same_store_behind_release grid=2 block=1 expect=data-race:warning@1@2
KERNEL(same_store_behind_release)
{
    if (BID == 0) {
        y[0] = 1; // @1
        ST("release.gpu", &flag[0], 1);
    } else {
        while (LD("relaxed.gpu", &flag[0]) == 0)
            ;
        y[0] = 1; // @2
    }
}

// Another value, and an order is meant.
// case: other_store_behind_signal grid=2 block=1 expect=missing-release@1@2
KERNEL(other_store_behind_signal)
{
    if (BID == 0) {
        y[0] = 1; // @1
        VOL(flag[0]) = 1;
    } else {
        while (VOL(flag[0]) == 0)
            ;
        y[0] = 2; // @2
    }
}

// What each stores it has read there: that both have made the same is luck, and the missing half is what is to be told.
// case: same_sum_behind_signal grid=2 block=1 expect=missing-release@1
KERNEL(same_sum_behind_signal)
{
    while (atomicExch(&flag[0], 1))
        ;
    y[0] += 1; // @1
    VOL(flag[0]) = 0;
}

// ---- What is left of two writes ----

// case: left_after_signal grid=2 block=1 expect=ordering@1@2
KERNEL(left_after_signal)
{
    if (BID == 0) {
        VOL(x[0]) = 2; // @1
        VOL(flag[0]) = 1;
    } else {
        while (VOL(flag[0]) == 0)
            ;
        VOL(x[0]) = 1; // @2
    }
}

// case: left_after_fences grid=2 block=1 expect=silent
KERNEL(left_after_fences)
{
    if (BID == 0) {
        VOL(x[0]) = 2;
        __threadfence();
        VOL(flag[0]) = 1;
    } else {
        while (VOL(flag[0]) == 0)
            ;
        __threadfence();
        VOL(x[0]) = 1;
    }
}

// case: left_crosswise grid=2 block=1 expect=ordering@1@2
KERNEL(left_crosswise)
{
    if (BID == 0) {
        VOL(x[0]) = 1; // @1
        VOL(x[32]) = 2;
    } else {
        VOL(x[32]) = 1;
        VOL(x[0]) = 2; // @2
    }
}

// case: left_crosswise_fenced grid=2 block=1 expect=silent
KERNEL(left_crosswise_fenced)
{
    if (BID == 0) {
        VOL(x[0]) = 1;
        __threadfence();
        VOL(x[32]) = 2;
    } else {
        VOL(x[32]) = 1;
        __threadfence();
        VOL(x[0]) = 2;
    }
}
