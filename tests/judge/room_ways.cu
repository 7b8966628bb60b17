// Check, then act, on what is computed from what was read (room.cu): in loops that wait, by other forms of sums, and what only looks like it.
#include "judge.cuh"

#include <cuda/atomic>

// A semaphore that is taken right: looked, taken, looked at what the taking returns, given back.
// case: room_sem_right grid=4 block=1 n=2 expect=silent
KERNEL(room_sem_right)
{
    if (BID == 0) {
        atomicAdd(&x[0], 2);
        return;
    }
    for (int i = 0; i < 50; i++) {
        if (VOL_INT(x[0]) <= 0)
            continue;
        if (atomicSub(&x[0], 1) > 0) {
            y[BID] = 1;
            return;
        }
        atomicAdd(&x[0], 1);
    }
}

// A count of arrivals that is followed up to the end; then each counts on.
// case: room_phase_count grid=3 block=1 expect=silent
KERNEL(room_phase_count)
{
    atomicAdd(&flag[0], 1u);
    while (VOL(flag[0]) < GRID)
        ;
    atomicAdd(&flag[0], 1u);
}

// A turnstile: only one has that number.
// case: room_turnstile grid=4 block=1 expect=silent
KERNEL(room_turnstile)
{
    while (atomicAdd(&flag[0], 0u) != BID)
        ;
    __threadfence();
    VOL(x[0]) = VOL(x[0]) + 1;
    __threadfence();
    atomicAdd(&flag[0], 1u);
}

// Backpressure: a producer that waits for room, and is the only one.
// case: room_ring grid=2 block=1 expect=silent
KERNEL(room_ring)
{
    if (BID == 0) {
        for (unsigned i = 0; i < 8; i++) {
            while (i - LD("acquire.gpu", &flag[1]) >= 2)
                ;
            x[i % 2] = i;
            ST("release.gpu", &flag[0], i + 1);
        }
    } else {
        unsigned sum = 0;
        for (unsigned i = 0; i < 8; i++) {
            while (LD("acquire.gpu", &flag[0]) <= i)
                ;
            sum += x[i % 2];
            ST("release.gpu", &flag[1], i + 1);
        }
        y[0] = sum;
    }
}

// Two producers that wait for room: both may find the last place.
// case: room_ring_two grid=3 block=1 expect=ordering also=data-race
KERNEL(room_ring_two)
{
    if (BID > 0) {
        for (unsigned i = 0; i < 4; i++) {
            while (VOL(flag[0]) - VOL(flag[1]) >= 2)
                ;
            unsigned at = atomicAdd(&flag[0], 1u);
            VOL(x[at % 2]) = i;
        }
    } else {
        for (unsigned i = 0; i < 8; i++) {
            while (VOL(flag[0]) - VOL(flag[1]) == 0)
                ;
            atomicAdd(&flag[1], 1u);
        }
    }
}

// A budget by cuda::atomic_ref.
// case: room_ref_budget grid=8 block=1 n=7 expect=ordering
KERNEL(room_ref_budget)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> used(x[0]);
    int size = BID % 3 + 1;
    if (used.load(cuda::memory_order_relaxed) + size <= n)
        used.fetch_add(size, cuda::memory_order_relaxed);
}

// case: room_ref_budget_sc grid=8 block=1 n=7 expect=ordering
KERNEL(room_ref_budget_sc)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> used(x[0]);
    int size = BID % 3 + 1;
    if (n - used.load() >= size)
        used += size;
}

// case: room_ref_swapped grid=8 block=1 n=7 expect=silent
KERNEL(room_ref_swapped)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> used(x[0]);
    int size = BID % 3 + 1, old = used.load();
    while (old + size <= n && !used.compare_exchange_weak(old, old + size))
        ;
}

// A bump allocator that gives back what does not fit.
// case: room_bump_right grid=8 block=1 n=7 expect=silent
KERNEL(room_bump_right)
{
    int size = BID % 3 + 1, at = atomicAdd(&x[0], size);
    if (at + size <= n)
        for (int i = 0; i < size; i++)
            y[at + i] = BID;
}

// The same in the block's shared memory: each thread checks for itself.
// case: room_shared_room grid=1 block=64 n=20 expect=ordering@1@2
KERNEL(room_shared_room)
{
    __shared__ unsigned used;
    if (TID == 0)
        used = 0;
    __syncthreads();
    unsigned size = TID % 3 + 1;
    if (atomicAdd(&used, 0u) + size <= (unsigned)n) // @1
        atomicAdd(&used, size); // @2
    __syncthreads();
    if (TID == 0)
        y[0] = used;
}

// A barrier between: all look, then one acts.
// case: room_shared_one grid=1 block=64 n=20 expect=silent
KERNEL(room_shared_one)
{
    __shared__ unsigned used;
    if (TID == 0)
        used = 0;
    __syncthreads();
    atomicAdd(&used, 1u);
    __syncthreads();
    if (TID == 0 && atomicAdd(&used, 0u) + 5 <= (unsigned)n + 64)
        atomicAdd(&used, 5u);
}

// A threshold that is only ever passed upwards, and whoever is past it does no harm.
// case: room_monotone grid=8 block=1 n=3 expect=silent
KERNEL(room_monotone)
{
    unsigned seen = atomicAdd(&flag[0], 0u);
    if (seen + 1 > 0)
        atomicAdd(&flag[0], 1u);
}

// Enough seen: the check is of at least so many, which more do not change.
// case: room_at_least grid=4 block=1 expect=silent
KERNEL(room_at_least)
{
    if (BID < 3) {
        atomicAdd(&flag[0], 2u);
    } else {
        while (atomicAdd(&flag[0], 0u) * 2 < 4)
            ;
        atomicAdd(&flag[0], 10u);
    }
}

// A statistic that is put down: nothing hangs on it.
// case: room_statistic grid=8 block=1 expect=silent
KERNEL(room_statistic)
{
    unsigned seen = VOL(flag[0]);
    y[BID] = 0 * seen;
    atomicAdd(&flag[0], 1u);
}

// An even count that is made odd by one.
// case: room_even grid=4 block=1 expect=ordering@1@2
KERNEL(room_even)
{
    if (atomicAdd(&flag[0], 0u) % 2 == 0) // @1
        atomicAdd(&flag[0], 1u); // @2
}

// case: room_masked grid=6 block=1 expect=ordering@1@2
KERNEL(room_masked)
{
    if ((VOL(flag[0]) & 0xff) < 3) // @1
        atomicAdd(&flag[0], 1u); // @2
}

// case: room_shifted grid=8 block=1 expect=ordering@1@2
KERNEL(room_shifted)
{
    if ((VOL(flag[0]) >> 1) + BID % 2 < 2) // @1
        atomicAdd(&flag[0], 1u); // @2
}

// case: room_difference grid=8 block=1 n=3 expect=ordering@1@2
KERNEL(room_difference)
{
    if (abs(VOL_INT(x[0]) - n) > 1) // @1
        atomicAdd(&x[0], 1); // @2
}

// Into an else.
// case: room_else grid=8 block=1 n=3 expect=ordering@1@2
KERNEL(room_else)
{
    if (VOL_INT(x[0]) + 1 > n) // @1
        atomicAdd(&y[0], 1);
    else
        atomicAdd(&x[0], 1); // @2
}
