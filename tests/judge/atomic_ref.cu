// The same messages in CUDA C++: cuda::atomic_ref and cuda::atomic_thread_fence by memory order.
#include <cuda/atomic>

#include "judge.cuh"

using device_word = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;
using block_word = cuda::atomic_ref<unsigned, cuda::thread_scope_block>;
using system_word = cuda::atomic_ref<unsigned, cuda::thread_scope_system>;

// case: ref_release_acquire grid=2 block=1 expect=silent
KERNEL(ref_release_acquire)
{
    device_word ready(*flag);
    if (BID == 0) {
        x[0] = 42;
        ready.store(1, cuda::memory_order_release);
    } else {
        while (ready.load(cuda::memory_order_acquire) == 0)
            ;
        y[0] = x[0];
    }
}

// case: ref_relaxed_acquire grid=2 block=1 expect=missing-release@1@2
KERNEL(ref_relaxed_acquire)
{
    device_word ready(*flag);
    if (BID == 0) {
        x[0] = 42; // @1
        ready.store(1, cuda::memory_order_relaxed);
    } else {
        while (ready.load(cuda::memory_order_acquire) == 0)
            ;
        y[0] = x[0]; // @2
    }
}

// case: ref_release_relaxed grid=2 block=1 expect=missing-acquire@1@2
KERNEL(ref_release_relaxed)
{
    device_word ready(*flag);
    if (BID == 0) {
        x[0] = 42; // @1
        ready.store(1, cuda::memory_order_release);
    } else {
        while (ready.load(cuda::memory_order_relaxed) == 0)
            ;
        y[0] = x[0]; // @2
    }
}

// case: ref_relaxed_relaxed grid=2 block=1 expect=missing-release@1@2
KERNEL(ref_relaxed_relaxed)
{
    device_word ready(*flag);
    if (BID == 0) {
        x[0] = 42; // @1
        ready.store(1, cuda::memory_order_relaxed);
    } else {
        while (ready.load(cuda::memory_order_relaxed) == 0)
            ;
        y[0] = x[0]; // @2
    }
}

// case: ref_seq_cst grid=2 block=1 expect=silent
KERNEL(ref_seq_cst)
{
    device_word ready(*flag);
    if (BID == 0) {
        x[0] = 42;
        ready.store(1);
    } else {
        while (ready.load() == 0)
            ;
        y[0] = x[0];
    }
}

// case: ref_system_scope grid=2 block=1 expect=silent
KERNEL(ref_system_scope)
{
    system_word ready(*flag);
    if (BID == 0) {
        x[0] = 42;
        ready.store(1, cuda::memory_order_release);
    } else {
        while (ready.load(cuda::memory_order_acquire) == 0)
            ;
        y[0] = x[0];
    }
}

// Block scope between blocks: a race on the flag and on the data.
// case: ref_block_scope_across_blocks grid=2 block=1 expect=data-race|missing-release|missing-acquire@1@2 expect=data-race@3@4 also=missing-release
KERNEL(ref_block_scope_across_blocks)
{
    block_word ready(*flag);
    if (BID == 0) {
        x[0] = 42; // @1
        ready.store(1, cuda::memory_order_release); // @3
    } else {
        while (ready.load(cuda::memory_order_acquire) == 0) // @4
            ;
        y[0] = x[0]; // @2
    }
}

// case: ref_block_scope_in_block grid=1 block=64 expect=silent
KERNEL(ref_block_scope_in_block)
{
    block_word ready(*flag);
    if (TID == 0) {
        x[0] = 42;
        ready.store(1, cuda::memory_order_release);
    } else if (TID == 32) {
        while (ready.load(cuda::memory_order_acquire) == 0)
            ;
        y[0] = x[0];
    }
}

// case: ref_thread_fences grid=2 block=1 expect=silent
KERNEL(ref_thread_fences)
{
    device_word ready(*flag);
    if (BID == 0) {
        x[0] = 42;
        cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
        ready.store(1, cuda::memory_order_relaxed);
    } else {
        while (ready.load(cuda::memory_order_relaxed) == 0)
            ;
        cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
        y[0] = x[0];
    }
}

// case: ref_thread_fences_block_scope grid=2 block=1 expect=missing-release@1@2
KERNEL(ref_thread_fences_block_scope)
{
    device_word ready(*flag);
    if (BID == 0) {
        x[0] = 42; // @1
        cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_block);
        ready.store(1, cuda::memory_order_relaxed);
    } else {
        while (ready.load(cuda::memory_order_relaxed) == 0)
            ;
        cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
        y[0] = x[0]; // @2
    }
}

// A ticket that releases and acquires in one: every later ticket holder sees the earlier ones' data.
// case: ref_ticket_acq_rel grid=4 block=1 expect=silent
KERNEL(ref_ticket_acq_rel)
{
    device_word tickets(*flag);
    x[BID] = BID;
    if (tickets.fetch_add(1, cuda::memory_order_acq_rel) == GRID - 1)
        for (unsigned i = 0; i < GRID; i++)
            y[i] = x[i];
}

// case: ref_ticket_release_only grid=4 block=1 expect=missing-acquire@1@2
KERNEL(ref_ticket_release_only)
{
    device_word tickets(*flag);
    x[BID] = BID; // @1
    if (tickets.fetch_add(1, cuda::memory_order_release) == GRID - 1)
        for (unsigned i = 0; i < GRID; i++)
            y[i] = x[i]; // @2
}

// case: ref_ticket_acquire_only grid=4 block=1 expect=missing-release@1@2
KERNEL(ref_ticket_acquire_only)
{
    device_word tickets(*flag);
    x[BID] = BID; // @1
    if (tickets.fetch_add(1, cuda::memory_order_acquire) == GRID - 1)
        for (unsigned i = 0; i < GRID; i++)
            y[i] = x[i]; // @2
}

// case: ref_ticket_relaxed grid=4 block=1 expect=missing-release@1@2
KERNEL(ref_ticket_relaxed)
{
    device_word tickets(*flag);
    x[BID] = BID; // @1
    if (tickets.fetch_add(1, cuda::memory_order_relaxed) == GRID - 1)
        for (unsigned i = 0; i < GRID; i++)
            y[i] = x[i]; // @2
}

// case: ref_ticket_seq_cst grid=4 block=1 expect=silent
KERNEL(ref_ticket_seq_cst)
{
    device_word tickets(*flag);
    x[BID] = BID;
    if (tickets.fetch_add(1) == GRID - 1)
        for (unsigned i = 0; i < GRID; i++)
            y[i] = x[i];
}

// Whoever finds room takes some, but another may have come in between. What the number is compared with is in a register that nvcc needs again at once.
// case: ref_checked_then_added grid=4 block=32 n=100 expect=ordering@1@2
KERNEL(ref_checked_then_added)
{
    device_word used(*flag);
    if (used.load(cuda::memory_order_relaxed) < (unsigned)n) // @1
        used.fetch_add(1, cuda::memory_order_relaxed); // @2
}

// case: ref_checked_by_swap grid=4 block=32 n=100 expect=silent
KERNEL(ref_checked_by_swap)
{
    device_word used(*flag);
    unsigned old = used.load(cuda::memory_order_relaxed);
    while (old < (unsigned)n && !used.compare_exchange_weak(old, old + 1, cuda::memory_order_relaxed))
        ;
}

// A look that only spares a maximum, at one place after another: silent, unless it is counted how often.
// case: ref_look_spares_in_turns grid=4 block=2 schedules=10 expect=silent
KERNEL(ref_look_spares_in_turns)
{
    unsigned own = 1000 - BID * 100 + TID, first = BID & 1;
    for (unsigned turn = 0; turn < 2; turn++) {
        device_word best(flag[first ^ turn]);
        if (best.load(cuda::memory_order_relaxed) < own)
            best.fetch_max(own, cuda::memory_order_relaxed);
    }
}

// case: ref_look_counts_in_turns grid=4 block=2 schedules=10 expect=ordering:any
KERNEL(ref_look_counts_in_turns)
{
    unsigned own = 1000 - BID * 100 + TID, first = BID & 1;
    device_word updates(flag[64]);
    for (unsigned turn = 0; turn < 2; turn++) {
        device_word best(flag[first ^ turn]);
        if (best.load(cuda::memory_order_relaxed) < own) {
            best.fetch_max(own, cuda::memory_order_relaxed);
            updates.fetch_add(1, cuda::memory_order_relaxed);
        }
    }
}
