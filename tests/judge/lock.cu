// Locks: spin locks, ticket locks, try-locks; with both fences, with one, with none; unlocked by
// exchange, by a volatile store, by a plain store.
#include "judge.cuh"

// case: spin_right grid=4 block=1 expect=silent
KERNEL(spin_right)
{
    while (atomicCAS(flag, 0, 1) != 0)
        ;
    __threadfence();
    x[0] += 1;
    __threadfence();
    atomicExch(flag, 0);
}

// case: spin_no_acquire grid=4 block=1 expect=missing-acquire@1@1
KERNEL(spin_no_acquire)
{
    while (atomicCAS(flag, 0, 1) != 0)
        ;
    x[0] += 1; // @1
    __threadfence();
    atomicExch(flag, 0);
}

// case: spin_no_release grid=4 block=1 expect=missing-release@1@1
KERNEL(spin_no_release)
{
    while (atomicCAS(flag, 0, 1) != 0)
        ;
    __threadfence();
    x[0] += 1; // @1
    atomicExch(flag, 0);
}

// case: spin_no_fences grid=4 block=1 expect=missing-release@1@1
KERNEL(spin_no_fences)
{
    while (atomicCAS(flag, 0, 1) != 0)
        ;
    x[0] += 1; // @1
    atomicExch(flag, 0);
}

// case: spin_block_fences grid=4 block=1 expect=missing-release@1@1
KERNEL(spin_block_fences)
{
    while (atomicCAS(flag, 0, 1) != 0)
        ;
    __threadfence_block();
    x[0] += 1; // @1
    __threadfence_block();
    atomicExch(flag, 0);
}

// case: spin_acquire_release grid=4 block=1 expect=silent
KERNEL(spin_acquire_release)
{
    while (ATOM_CAS("acquire.gpu", flag, 0, 1) != 0)
        ;
    x[0] += 1;
    ATOM_EXCH("release.gpu", flag, 0);
}

// case: spin_relaxed_release grid=4 block=1 expect=missing-acquire@1@1
KERNEL(spin_relaxed_release)
{
    while (ATOM_CAS("relaxed.gpu", flag, 0, 1) != 0)
        ;
    x[0] += 1; // @1
    ATOM_EXCH("release.gpu", flag, 0);
}

// case: spin_acquire_relaxed grid=4 block=1 expect=missing-release@1@1
KERNEL(spin_acquire_relaxed)
{
    while (ATOM_CAS("acquire.gpu", flag, 0, 1) != 0)
        ;
    x[0] += 1; // @1
    ATOM_EXCH("relaxed.gpu", flag, 0);
}

// case: spin_store_release grid=4 block=1 expect=silent
KERNEL(spin_store_release)
{
    while (ATOM_CAS("acquire.gpu", flag, 0, 1) != 0)
        ;
    x[0] += 1;
    ST("release.gpu", flag, 0);
}

// case: spin_volatile_unlock grid=4 block=1 expect=silent
KERNEL(spin_volatile_unlock)
{
    while (atomicCAS(flag, 0, 1) != 0)
        ;
    __threadfence();
    x[0] += 1;
    __threadfence();
    VOL(flag[0]) = 0;
}

// case: spin_volatile_unlock_no_fence grid=4 block=1 expect=missing-release@1@1
KERNEL(spin_volatile_unlock_no_fence)
{
    while (atomicCAS(flag, 0, 1) != 0)
        ;
    __threadfence();
    x[0] += 1; // @1
    VOL(flag[0]) = 0;
}

// The plain store races with the others' atomicCAS.
// case: spin_plain_unlock grid=4 block=1 expect=data-race@2@3 also=*
KERNEL(spin_plain_unlock)
{
    while (atomicCAS(flag, 0, 1) != 0) // @2
        ;
    __threadfence();
    x[0] += 1;
    __threadfence();
    flag[0] = 0; // @3
}

// A lock of block scope taken from several blocks.
// case: spin_block_scope_across_blocks grid=4 block=1 expect=data-race@2@3 also=*
KERNEL(spin_block_scope_across_blocks)
{
    while (atomicCAS_block(flag, 0, 1) != 0) // @2
        ;
    __threadfence();
    x[0] += 1;
    __threadfence();
    atomicExch_block(flag, 0); // @3
}

// case: spin_block_scope_in_block grid=1 block=128 expect=silent
KERNEL(spin_block_scope_in_block)
{
    if (TID % 32 == 0) {
        while (atomicCAS_block(flag, 0, 1) != 0)
            ;
        __threadfence_block();
        x[0] += 1;
        __threadfence_block();
        atomicExch_block(flag, 0);
    }
}

// case: spin_block_scope_no_acquire grid=1 block=128 expect=missing-acquire@1@1
KERNEL(spin_block_scope_no_acquire)
{
    if (TID % 32 == 0) {
        while (atomicCAS_block(flag, 0, 1) != 0)
            ;
        x[0] += 1; // @1
        __threadfence_block();
        atomicExch_block(flag, 0);
    }
}

// A lock in shared memory.
// case: spin_shared_right grid=1 block=128 expect=silent
KERNEL(spin_shared_right)
{
    __shared__ unsigned lock;
    __shared__ int sum;
    if (TID == 0) {
        lock = 0;
        sum = 0;
    }
    __syncthreads();
    if (TID % 32 == 0) {
        while (atomicCAS(&lock, 0, 1) != 0)
            ;
        __threadfence_block();
        sum += TID;
        __threadfence_block();
        atomicExch(&lock, 0);
    }
    __syncthreads();
    y[TID] = sum;
}

// case: spin_shared_no_fences grid=1 block=128 expect=missing-release@1@1
KERNEL(spin_shared_no_fences)
{
    __shared__ unsigned lock;
    __shared__ int sum;
    if (TID == 0) {
        lock = 0;
        sum = 0;
    }
    __syncthreads();
    if (TID % 32 == 0) {
        while (atomicCAS(&lock, 0, 1) != 0)
            ;
        sum += TID; // @1
        atomicExch(&lock, 0);
    }
    __syncthreads();
    y[TID] = sum;
}

// All lanes of a warp want the lock, one at a time, by a done flag.
// case: spin_lanes_done_flag grid=2 block=32 expect=silent
KERNEL(spin_lanes_done_flag)
{
    bool done = false;
    while (!done) {
        if (atomicCAS(flag, 0, 1) == 0) {
            __threadfence();
            x[0] += 1;
            __threadfence();
            atomicExch(flag, 0);
            done = true;
        }
    }
}

// case: spin_lanes_done_flag_no_fences grid=2 block=32 expect=missing-release@1@1
KERNEL(spin_lanes_done_flag_no_fences)
{
    bool done = false;
    while (!done) {
        if (atomicCAS(flag, 0, 1) == 0) {
            x[0] += 1; // @1
            atomicExch(flag, 0);
            done = true;
        }
    }
}

// The same as a plain spin: a schedule that never runs the lane with the lock would hang.
// case: spin_lanes_plain_loop grid=1 block=32 expect=silent
KERNEL(spin_lanes_plain_loop)
{
    while (atomicCAS(flag, 0, 1) != 0)
        ;
    __threadfence();
    x[0] += 1;
    __threadfence();
    atomicExch(flag, 0);
}

// The lock guards one word, and another is written outside of it.
// case: spin_write_outside grid=4 block=1 expect=data-race@1@1 also=missing-release@1@1
KERNEL(spin_write_outside)
{
    while (atomicCAS(flag, 0, 1) != 0)
        ;
    __threadfence();
    x[0] += 1;
    __threadfence();
    atomicExch(flag, 0);
    x[1] = BID; // @1
}

// Two locks for two words; and one word under two locks.
// case: spin_two_locks_right grid=4 block=1 expect=silent
KERNEL(spin_two_locks_right)
{
    unsigned which = BID % 2;
    while (atomicCAS(&flag[which], 0, 1) != 0)
        ;
    __threadfence();
    x[which] += 1;
    __threadfence();
    atomicExch(&flag[which], 0);
}

// case: spin_two_locks_one_word grid=4 block=1 expect=data-race@1@1 also=missing-release@1@1 also=missing-acquire@1@1
KERNEL(spin_two_locks_one_word)
{
    unsigned which = BID % 2;
    while (atomicCAS(&flag[which], 0, 1) != 0)
        ;
    __threadfence();
    x[0] += 1; // @1
    __threadfence();
    atomicExch(&flag[which], 0);
}

// ---- A block holds the lock ----

// case: spin_block_wide_right grid=2 block=64 expect=silent
KERNEL(spin_block_wide_right)
{
    if (TID == 0) {
        while (atomicCAS(flag, 0, 1) != 0)
            ;
        __threadfence();
    }
    __syncthreads();
    x[TID] += BID;
    __syncthreads();
    if (TID == 0) {
        __threadfence();
        atomicExch(flag, 0);
    }
}

// case: spin_block_wide_unlocks_early grid=2 block=64 expect=data-race@1@1
KERNEL(spin_block_wide_unlocks_early)
{
    if (TID == 0) {
        while (atomicCAS(flag, 0, 1) != 0)
            ;
        __threadfence();
    }
    __syncthreads();
    x[TID] += BID; // @1
    if (TID == 0) {
        __threadfence();
        atomicExch(flag, 0);
    }
}

// case: spin_block_wide_enters_early grid=2 block=64 expect=data-race@1@1
KERNEL(spin_block_wide_enters_early)
{
    if (TID == 0) {
        while (atomicCAS(flag, 0, 1) != 0)
            ;
        __threadfence();
    }
    x[TID] += BID; // @1
    __syncthreads();
    if (TID == 0) {
        __threadfence();
        atomicExch(flag, 0);
    }
}

// ---- Ticket locks: flag[0] gives tickets, flag[1] is served ----

// case: ticket_right grid=4 block=1 expect=silent
KERNEL(ticket_right)
{
    unsigned mine = atomicAdd(&flag[0], 1);
    while (VOL(flag[1]) != mine)
        ;
    __threadfence();
    x[0] += 1;
    __threadfence();
    VOL(flag[1]) = mine + 1;
}

// case: ticket_no_acquire grid=4 block=1 expect=missing-acquire@1@1
KERNEL(ticket_no_acquire)
{
    unsigned mine = atomicAdd(&flag[0], 1);
    while (VOL(flag[1]) != mine)
        ;
    x[0] += 1; // @1
    __threadfence();
    VOL(flag[1]) = mine + 1;
}

// case: ticket_no_release grid=4 block=1 expect=missing-release@1@1
KERNEL(ticket_no_release)
{
    unsigned mine = atomicAdd(&flag[0], 1);
    while (VOL(flag[1]) != mine)
        ;
    __threadfence();
    x[0] += 1; // @1
    VOL(flag[1]) = mine + 1;
}

// The holder alone writes what is served: it may read the word plainly, ordered by observation.
// case: ticket_holder_reads_plainly grid=4 block=1 expect=silent
KERNEL(ticket_holder_reads_plainly)
{
    unsigned mine = atomicAdd(&flag[0], 1);
    while (VOL(flag[1]) != mine)
        ;
    __threadfence();
    x[0] += 1;
    unsigned served = flag[1];
    __threadfence();
    VOL(flag[1]) = served + 1;
}

// But not write it plainly: the others poll.
// case: ticket_holder_writes_plainly grid=4 block=1 expect=data-race@2@3 also=*
KERNEL(ticket_holder_writes_plainly)
{
    unsigned mine = atomicAdd(&flag[0], 1);
    while (VOL(flag[1]) != mine) // @2
        ;
    __threadfence();
    x[0] += 1;
    __threadfence();
    flag[1] = mine + 1; // @3
}

// Served by an atomic.
// case: ticket_served_by_atomic grid=4 block=1 expect=silent
KERNEL(ticket_served_by_atomic)
{
    unsigned mine = atomicAdd(&flag[0], 1);
    while (VOL(flag[1]) != mine)
        ;
    __threadfence();
    x[0] += 1;
    __threadfence();
    atomicAdd(&flag[1], 1);
}

// The ticket itself is taken without an atomic.
// case: ticket_taken_plainly grid=2 block=1 expect=data-race@1@1 also=*
KERNEL(ticket_taken_plainly)
{
    unsigned mine = flag[0]++; // @1
    x[2 + mine] = 1;
}

// ---- Try-locks ----

// Who does not get it goes away.
// case: try_right grid=4 block=1 expect=silent
KERNEL(try_right)
{
    if (atomicCAS(flag, 0, 1) == 0) {
        __threadfence();
        x[0] += 1;
        __threadfence();
        atomicExch(flag, 0);
    }
}

// Who does not get it does it all the same. Block 0 holds the lock until block 1 has tried.
// case: try_ignored grid=2 block=1 expect=data-race|missing-acquire|missing-release@1@2 also=data-race|missing-acquire|missing-release@1@2
KERNEL(try_ignored)
{
    if (BID == 0) {
        atomicExch(&flag[0], 1);
        atomicExch(&flag[1], 1);
        x[0] += 1; // @1
        __threadfence();
        atomicExch(&flag[0], 0);
    } else {
        while (atomicAdd(&flag[1], 0) == 0)
            ;
        atomicCAS(&flag[0], 0, 1);
        x[0] += 1; // @2
    }
}

// ---- Once: the winner makes it, the others wait ----

// case: once_right grid=4 block=1 expect=silent
KERNEL(once_right)
{
    if (atomicCAS(flag, 0, 1) == 0) {
        x[0] = 42;
        __threadfence();
        atomicExch(flag, 2);
    } else {
        while (VOL(flag[0]) != 2)
            ;
        __threadfence();
    }
    y[BID] = x[0];
}

// Double-checked without the acquire on the fast path.
// case: once_no_acquire grid=4 block=1 expect=missing-acquire@1@2
KERNEL(once_no_acquire)
{
    if (atomicCAS(flag, 0, 1) == 0) {
        x[0] = 42; // @1
        __threadfence();
        atomicExch(flag, 2);
    } else {
        while (VOL(flag[0]) != 2)
            ;
    }
    y[BID] = x[0]; // @2
}

// case: once_no_release grid=4 block=1 expect=missing-release@1@2
KERNEL(once_no_release)
{
    if (atomicCAS(flag, 0, 1) == 0) {
        x[0] = 42; // @1
        atomicExch(flag, 2);
    } else {
        while (VOL(flag[0]) != 2)
            ;
        __threadfence();
    }
    y[BID] = x[0]; // @2
}

// The losers do not wait.
// case: once_no_wait grid=4 block=1 expect=data-race@1@2 also=missing-release@1@2 also=missing-acquire@1@2
KERNEL(once_no_wait)
{
    if (atomicCAS(flag, 0, 1) == 0)
        x[0] = 42; // @1
    __threadfence();
    y[BID] = x[0]; // @2
}

// ---- A sequence lock: the writer makes the number odd while it writes ----

// case: sequence_right grid=2 block=1 expect=silent
KERNEL(sequence_right)
{
    if (BID == 0) {
        VOL(flag[0]) = 1;
        __threadfence();
        VOL(x[0]) = 7;
        VOL(x[1]) = 7;
        __threadfence();
        VOL(flag[0]) = 2;
    } else {
        unsigned before, after, a, b;
        do {
            before = VOL(flag[0]);
            __threadfence();
            a = VOL(x[0]);
            b = VOL(x[1]);
            __threadfence();
            after = VOL(flag[0]);
        } while (before != after || (before & 1));
        if (a != b)
            TRAP();
    }
}

// Optimistic reads of plain data are races, retried or not.
// case: sequence_plain_data grid=2 block=1 schedules=16 expect=data-race|missing-release|missing-acquire@1@2 also=data-race|missing-release|missing-acquire@1@2
KERNEL(sequence_plain_data)
{
    if (BID == 0) {
        VOL(flag[0]) = 1;
        __threadfence();
        x[0] = 7; // @1
        __threadfence();
        VOL(flag[0]) = 2;
    } else {
        unsigned before, after, a;
        do {
            before = VOL(flag[0]);
            __threadfence();
            a = x[0]; // @2
            __threadfence();
            after = VOL(flag[0]);
        } while (before != after || (before & 1));
        y[0] = a;
    }
}

// Readers leave without a release: the writer may come in while a read is still under way. Found in the
// schedules in which a reader comes before the writer's last turn.
// case: readers_leave_unreleased grid=4 block=1 expect=missing-release
KERNEL(readers_leave_unreleased)
{
    int *lock = (int *)flag;
    for (int k = 0; k < 3; k++) {
        if (BID == 0) {
            while (atomicCAS(lock, 0, -1) != 0)
                ;
            __threadfence();
            x[0]++;
            __threadfence();
            atomicExch(lock, 0);
        } else {
            int v;
            do
                v = VOL_INT(lock[0]);
            while (v < 0 || atomicCAS(lock, v, v + 1) != v);
            __threadfence();
            y[BID] += x[0];
            atomicSub(lock, 1);
        }
    }
}

// case: readers_leave_released grid=4 block=1 expect=silent
KERNEL(readers_leave_released)
{
    int *lock = (int *)flag;
    for (int k = 0; k < 3; k++) {
        if (BID == 0) {
            while (atomicCAS(lock, 0, -1) != 0)
                ;
            __threadfence();
            x[0]++;
            __threadfence();
            atomicExch(lock, 0);
        } else {
            int v;
            do
                v = VOL_INT(lock[0]);
            while (v < 0 || atomicCAS(lock, v, v + 1) != v);
            __threadfence();
            y[BID] += x[0];
            __threadfence();
            atomicSub(lock, 1);
        }
    }
}
