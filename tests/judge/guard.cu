// The last-block guard, row by row: each block stores a partial result and takes a ticket; the block
// with the last ticket reads them all. The thirteen rows of the worked table, in its order.
#include "judge.cuh"

// case: guard_no_fence grid=4 block=64 expect=missing-release@1@2
KERNEL(guard_no_fence)
{
    bool last = false;
    if (TID == 0) {
        x[BID] = BID + 1; // @1
        last = atomicAdd(flag, 1) == GRID - 1;
    }
    if (__syncthreads_or(last)) {
        int sum = 0;
        for (unsigned i = 0; i < GRID; i++)
            sum += x[i]; // @2
        y[TID] = sum;
    }
}

// case: guard_publisher_fence grid=4 block=64 expect=missing-acquire@1@2
KERNEL(guard_publisher_fence)
{
    bool last = false;
    if (TID == 0) {
        x[BID] = BID + 1; // @1
        __threadfence();
        last = atomicAdd(flag, 1) == GRID - 1;
    }
    if (__syncthreads_or(last)) {
        int sum = 0;
        for (unsigned i = 0; i < GRID; i++)
            sum += x[i]; // @2
        y[TID] = sum;
    }
}

// case: guard_all_fence_before grid=4 block=64 expect=missing-acquire@1@2
KERNEL(guard_all_fence_before)
{
    bool last = false;
    if (TID == 0)
        x[BID] = BID + 1; // @1
    __threadfence();
    if (TID == 0)
        last = atomicAdd(flag, 1) == GRID - 1;
    if (__syncthreads_or(last)) {
        int sum = 0;
        for (unsigned i = 0; i < GRID; i++)
            sum += x[i]; // @2
        y[TID] = sum;
    }
}

// case: guard_block_fence grid=4 block=64 expect=missing-release@1@2
KERNEL(guard_block_fence)
{
    bool last = false;
    if (TID == 0) {
        x[BID] = BID + 1; // @1
        __threadfence_block();
        last = atomicAdd(flag, 1) == GRID - 1;
        __threadfence();
    }
    if (__syncthreads_or(last)) {
        int sum = 0;
        for (unsigned i = 0; i < GRID; i++)
            sum += x[i]; // @2
        y[TID] = sum;
    }
}

// case: guard_fence_both_sides grid=4 block=64 expect=silent
KERNEL(guard_fence_both_sides)
{
    bool last = false;
    if (TID == 0) {
        x[BID] = BID + 1;
        __threadfence();
        last = atomicAdd(flag, 1) == GRID - 1;
        __threadfence();
    }
    if (__syncthreads_or(last)) {
        int sum = 0;
        for (unsigned i = 0; i < GRID; i++)
            sum += x[i];
        y[TID] = sum;
    }
}

// Both fences are fence.sc, and their order follows from the ticket and the barrier between them.
// case: guard_readers_membar grid=4 block=64 expect=silent
KERNEL(guard_readers_membar)
{
    bool last = false;
    if (TID == 0) {
        x[BID] = BID + 1;
        __threadfence();
        last = atomicAdd(flag, 1) == GRID - 1;
    }
    if (__syncthreads_or(last)) {
        __threadfence();
        int sum = 0;
        for (unsigned i = 0; i < GRID; i++)
            sum += x[i];
        y[TID] = sum;
    }
}

// A fence.acq_rel acquires only what its own thread has read: not thread 0's ticket.
// case: guard_readers_acq_rel grid=4 block=64 expect=missing-acquire@1@2
KERNEL(guard_readers_acq_rel)
{
    bool last = false;
    if (TID == 0) {
        x[BID] = BID + 1; // @1
        FENCE("acq_rel.gpu");
        last = atomicAdd(flag, 1) == GRID - 1;
    }
    if (__syncthreads_or(last)) {
        FENCE("acq_rel.gpu");
        int sum = 0;
        for (unsigned i = 0; i < GRID; i++)
            sum += x[i]; // @2
        y[TID] = sum;
    }
}

// case: guard_ticket_acq_rel grid=4 block=64 expect=silent
KERNEL(guard_ticket_acq_rel)
{
    bool last = false;
    if (TID == 0) {
        x[BID] = BID + 1;
        last = ATOM_ADD("acq_rel.gpu", flag, 1) == GRID - 1;
    }
    if (__syncthreads_or(last)) {
        int sum = 0;
        for (unsigned i = 0; i < GRID; i++)
            sum += x[i];
        y[TID] = sum;
    }
}

// Cumulativity: thread 0's fence carries what the barrier before it ordered, the whole block's stores.
// case: guard_barrier_then_thread0 grid=4 block=64 expect=silent
KERNEL(guard_barrier_then_thread0)
{
    bool last = false;
    x[GID] = GID;
    __syncthreads();
    if (TID == 0) {
        __threadfence();
        last = atomicAdd(flag, 1) == GRID - 1;
        __threadfence();
    }
    if (__syncthreads_or(last)) {
        int sum = 0;
        for (unsigned i = TID; i < GRID * BLOCK; i += BLOCK)
            sum += x[i];
        y[TID] = sum;
    }
}

// case: guard_all_membar_barrier grid=4 block=64 expect=silent
KERNEL(guard_all_membar_barrier)
{
    bool last = false;
    x[GID] = GID;
    __threadfence();
    __syncthreads();
    if (TID == 0) {
        last = atomicAdd(flag, 1) == GRID - 1;
        __threadfence();
    }
    if (__syncthreads_or(last)) {
        int sum = 0;
        for (unsigned i = TID; i < GRID * BLOCK; i += BLOCK)
            sum += x[i];
        y[TID] = sum;
    }
}

// case: guard_volatile_both grid=4 block=64 expect=ordering@1@2
KERNEL(guard_volatile_both)
{
    bool last = false;
    if (TID == 0) {
        VOL(x[BID]) = BID + 1; // @1
        __threadfence();
        last = atomicAdd(flag, 1) == GRID - 1;
    }
    if (__syncthreads_or(last)) {
        int sum = 0;
        for (unsigned i = 0; i < GRID; i++)
            sum += VOL(x[i]); // @2
        y[TID] = sum;
    }
}

// case: guard_volatile_store_plain_load grid=4 block=64 expect=missing-acquire@1@2
KERNEL(guard_volatile_store_plain_load)
{
    bool last = false;
    if (TID == 0) {
        VOL(x[BID]) = BID + 1; // @1
        __threadfence();
        last = atomicAdd(flag, 1) == GRID - 1;
    }
    if (__syncthreads_or(last)) {
        int sum = 0;
        for (unsigned i = 0; i < GRID; i++)
            sum += x[i]; // @2
        y[TID] = sum;
    }
}

// The reset is ordered behind every ticket by observation: the last ticket read the chain of them.
// case: guard_plain_reset grid=4 block=64 twice expect=silent
KERNEL(guard_plain_reset)
{
    bool last = false;
    if (TID == 0) {
        x[BID] = BID + 1;
        __threadfence();
        last = atomicAdd(flag, 1) == GRID - 1;
        __threadfence();
    }
    if (__syncthreads_or(last)) {
        int sum = 0;
        for (unsigned i = 0; i < GRID; i++)
            sum += x[i];
        y[TID] = sum;
        if (TID == 0)
            *flag = 0;
    }
}

// ---- Beyond the table ----

// The reset without any fence is still ordered; the partial results are not there to race.
// case: guard_reset_without_fence grid=4 block=64 twice expect=silent
KERNEL(guard_reset_without_fence)
{
    if (TID == 0 && atomicAdd(flag, 1) == GRID - 1)
        *flag = 0;
}

// The first block resets while others take tickets.
// case: guard_early_reset grid=4 block=64 expect=data-race@1@2
KERNEL(guard_early_reset)
{
    if (TID == 0) {
        if (BID == 0)
            *flag = 0; // @1
        y[BID] = atomicAdd(flag, 1); // @2
    }
}

// atomicInc wraps by itself.
// case: guard_atomic_inc_wraps grid=4 block=64 twice expect=silent
KERNEL(guard_atomic_inc_wraps)
{
    bool last = false;
    if (TID == 0) {
        x[BID] = BID + 1;
        __threadfence();
        last = atomicInc(flag, GRID - 1) == GRID - 1;
        __threadfence();
    }
    if (__syncthreads_or(last)) {
        int sum = 0;
        for (unsigned i = 0; i < GRID; i++)
            sum += x[i];
        y[TID] = sum;
    }
}

// Thread 0 fences, but nothing says that the other threads have stored.
// case: guard_no_barrier_before_ticket grid=4 block=64 expect=data-race@1@2
KERNEL(guard_no_barrier_before_ticket)
{
    bool last = false;
    x[GID] = GID; // @1
    if (TID == 0) {
        __threadfence();
        last = atomicAdd(flag, 1) == GRID - 1;
        __threadfence();
    }
    if (__syncthreads_or(last)) {
        int sum = 0;
        for (unsigned i = TID; i < GRID * BLOCK; i += BLOCK)
            sum += x[i]; // @2
        y[TID] = sum;
    }
}

// case: guard_barrier_no_release grid=4 block=64 expect=missing-release@1@2
KERNEL(guard_barrier_no_release)
{
    bool last = false;
    x[GID] = GID; // @1
    __syncthreads();
    if (TID == 0) {
        last = atomicAdd(flag, 1) == GRID - 1;
        __threadfence();
    }
    if (__syncthreads_or(last)) {
        int sum = 0;
        for (unsigned i = TID; i < GRID * BLOCK; i += BLOCK)
            sum += x[i]; // @2
        y[TID] = sum;
    }
}

// The shared word that tells the block it is last is read before the barrier.
// case: guard_shared_word_no_barrier grid=4 block=64 expect=data-race@1@2 also=uninitialized-read
KERNEL(guard_shared_word_no_barrier)
{
    __shared__ bool last;
    if (TID == 0) {
        __threadfence();
        last = atomicAdd(flag, 1) == GRID - 1; // @1
        __threadfence();
    }
    y[GID] = last; // @2
}

// case: guard_shared_word_barrier grid=4 block=64 expect=silent
KERNEL(guard_shared_word_barrier)
{
    __shared__ bool last;
    if (TID == 0) {
        __threadfence();
        last = atomicAdd(flag, 1) == GRID - 1;
        __threadfence();
    }
    __syncthreads();
    y[GID] = last;
}

// The ticket has block scope, so blocks race on it.
// case: guard_ticket_block_scope grid=4 block=64 expect=data-race@1@1
KERNEL(guard_ticket_block_scope)
{
    if (TID == 0)
        y[BID] = atomicAdd_block(flag, 1); // @1
}

// case: guard_ticket_device_scope grid=4 block=64 expect=silent
KERNEL(guard_ticket_device_scope)
{
    if (TID == 0)
        y[BID] = atomicAdd(flag, 1);
}

// ---- Readers that come late: the first warp has summed up in volatile shared memory, and so seen many words of its own block's
//      since the ticket, before the next one reads its elements ----

static __device__ __forceinline__ int block_sum(volatile int *sums, int mine)
{
    sums[TID] = mine;
    __syncwarp();
    for (unsigned d = 16; d; d /= 2) {
        int other = TID % 32 < d ? sums[TID + d] : 0;
        mine += other;
        if (TID % 32 < d)
            sums[TID] = mine;
        __syncwarp();
    }
    __syncthreads();
    int sum = 0;
    for (unsigned i = 0; i < BLOCK; i += 32)
        sum += sums[i];
    __syncthreads();
    return sum;
}

// case: guard_late_readers grid=64 block=128 twice expect=missing-acquire@1@2 also=missing-acquire
KERNEL(guard_late_readers)
{
    __shared__ volatile int sums[128];
    __shared__ bool last;
    int sum = block_sum(sums, TID);
    if (TID == 0)
        x[BID] = sum; // @1
    __threadfence();
    if (TID == 0)
        last = atomicInc(flag, GRID - 1) == GRID - 1;
    __syncthreads();
    if (last)
        y[TID] = block_sum(sums, TID < GRID ? x[TID] : 0); // @2
}

// case: guard_late_readers_fence grid=64 block=128 twice expect=silent
KERNEL(guard_late_readers_fence)
{
    __shared__ volatile int sums[128];
    __shared__ bool last;
    int sum = block_sum(sums, TID);
    if (TID == 0)
        x[BID] = sum;
    __threadfence();
    if (TID == 0) {
        last = atomicInc(flag, GRID - 1) == GRID - 1;
        __threadfence();
    }
    __syncthreads();
    if (last)
        y[TID] = block_sum(sums, TID < GRID ? x[TID] : 0);
}

// case: guard_late_readers_no_release grid=64 block=128 twice expect=missing-release@1@2 also=missing-release
KERNEL(guard_late_readers_no_release)
{
    __shared__ volatile int sums[128];
    __shared__ bool last;
    int sum = block_sum(sums, TID);
    if (TID == 0) {
        x[BID] = sum; // @1
        last = atomicInc(flag, GRID - 1) == GRID - 1;
    }
    __threadfence();
    __syncthreads();
    if (last)
        y[TID] = block_sum(sums, TID < GRID ? x[TID] : 0); // @2
}
