// Queues, rings, stacks and work distribution.
#include "judge.cuh"

#define SLOTS 4

// ---- One producer, one consumer, a ring of four: flag[0] counts puts, flag[1] takes ----

// case: ring_right grid=2 block=1 expect=silent
KERNEL(ring_right)
{
    if (BID == 0) {
        for (unsigned i = 0; i < 10; i++) {
            while (i - VOL(flag[1]) >= SLOTS)
                ;
            __threadfence();
            x[i % SLOTS] = i;
            __threadfence();
            VOL(flag[0]) = i + 1;
        }
    } else {
        for (unsigned i = 0; i < 10; i++) {
            while (VOL(flag[0]) <= i)
                ;
            __threadfence();
            y[i] = x[i % SLOTS];
            __threadfence();
            VOL(flag[1]) = i + 1;
        }
    }
}

// case: ring_release_acquire grid=2 block=1 expect=silent
KERNEL(ring_release_acquire)
{
    if (BID == 0) {
        for (unsigned i = 0; i < 10; i++) {
            while (i - LD("acquire.gpu", &flag[1]) >= SLOTS)
                ;
            x[i % SLOTS] = i;
            ST("release.gpu", &flag[0], i + 1);
        }
    } else {
        for (unsigned i = 0; i < 10; i++) {
            while (LD("acquire.gpu", &flag[0]) <= i)
                ;
            y[i] = x[i % SLOTS];
            ST("release.gpu", &flag[1], i + 1);
        }
    }
}

// case: ring_put_without_release grid=2 block=1 expect=missing-release@1@2
KERNEL(ring_put_without_release)
{
    if (BID == 0) {
        for (unsigned i = 0; i < 10; i++) {
            while (i - LD("acquire.gpu", &flag[1]) >= SLOTS)
                ;
            x[i % SLOTS] = i; // @1
            ST("relaxed.gpu", &flag[0], i + 1);
        }
    } else {
        for (unsigned i = 0; i < 10; i++) {
            while (LD("acquire.gpu", &flag[0]) <= i)
                ;
            y[i] = x[i % SLOTS]; // @2
            ST("release.gpu", &flag[1], i + 1);
        }
    }
}

// case: ring_take_without_acquire grid=2 block=1 expect=missing-acquire@1@2
KERNEL(ring_take_without_acquire)
{
    if (BID == 0) {
        for (unsigned i = 0; i < 10; i++) {
            while (i - LD("acquire.gpu", &flag[1]) >= SLOTS)
                ;
            x[i % SLOTS] = i; // @1
            ST("release.gpu", &flag[0], i + 1);
        }
    } else {
        for (unsigned i = 0; i < 10; i++) {
            while (LD("relaxed.gpu", &flag[0]) <= i)
                ;
            y[i] = x[i % SLOTS]; // @2
            ST("release.gpu", &flag[1], i + 1);
        }
    }
}

// The slot is given back by a relaxed store: the next put may overtake the read.
// case: ring_slot_freed_without_release grid=2 block=1 expect=missing-release@1@2
KERNEL(ring_slot_freed_without_release)
{
    if (BID == 0) {
        for (unsigned i = 0; i < 10; i++) {
            while (i - LD("acquire.gpu", &flag[1]) >= SLOTS)
                ;
            x[i % SLOTS] = i; // @1
            ST("release.gpu", &flag[0], i + 1);
        }
    } else {
        for (unsigned i = 0; i < 10; i++) {
            while (LD("acquire.gpu", &flag[0]) <= i)
                ;
            y[i] = x[i % SLOTS]; // @2
            ST("relaxed.gpu", &flag[1], i + 1);
        }
    }
}

// The producer reads how far the consumer is without an acquire.
// case: ring_slot_reused_without_acquire grid=2 block=1 expect=missing-acquire@1@2
KERNEL(ring_slot_reused_without_acquire)
{
    if (BID == 0) {
        for (unsigned i = 0; i < 10; i++) {
            while (i - LD("relaxed.gpu", &flag[1]) >= SLOTS)
                ;
            x[i % SLOTS] = i; // @1
            ST("release.gpu", &flag[0], i + 1);
        }
    } else {
        for (unsigned i = 0; i < 10; i++) {
            while (LD("acquire.gpu", &flag[0]) <= i)
                ;
            y[i] = x[i % SLOTS]; // @2
            ST("release.gpu", &flag[1], i + 1);
        }
    }
}

// Off by one: a full ring is taken for one with room.
// case: ring_one_slot_too_many grid=2 block=1 schedules=12 expect=data-race|missing-release|missing-acquire@1@2 also=data-race@1@2
KERNEL(ring_one_slot_too_many)
{
    if (BID == 0) {
        for (unsigned i = 0; i < 10; i++) {
            while (i - LD("acquire.gpu", &flag[1]) > SLOTS)
                ;
            x[i % SLOTS] = i; // @1
            ST("release.gpu", &flag[0], i + 1);
        }
    } else {
        for (unsigned i = 0; i < 10; i++) {
            while (LD("acquire.gpu", &flag[0]) <= i)
                ;
            y[i] = x[i % SLOTS]; // @2
            ST("release.gpu", &flag[1], i + 1);
        }
    }
}

// ---- Several producers: a slot by atomicAdd, ready flags from flag[16] on ----

// case: slots_right grid=4 block=1 expect=silent
KERNEL(slots_right)
{
    if (BID > 0) {
        unsigned slot = atomicAdd(flag, 1);
        x[slot] = BID;
        __threadfence();
        VOL(flag[16 + slot]) = 1;
    } else {
        for (unsigned i = 0; i < GRID - 1; i++) {
            while (VOL(flag[16 + i]) == 0)
                ;
            __threadfence();
            y[i] = x[i];
        }
    }
}

// The consumer trusts the count, which says that slots are taken, not that they are filled.
// case: slots_count_is_not_ready grid=4 block=1 expect=data-race@1@2 also=missing-release@1@2
KERNEL(slots_count_is_not_ready)
{
    if (BID > 0) {
        unsigned slot = atomicAdd(flag, 1);
        x[slot] = BID; // @1
    } else {
        while (atomicAdd(flag, 0) < GRID - 1)
            ;
        __threadfence();
        for (unsigned i = 0; i < GRID - 1; i++)
            y[i] = x[i]; // @2
    }
}

// case: slots_ready_without_release grid=4 block=1 expect=missing-release@1@2
KERNEL(slots_ready_without_release)
{
    if (BID > 0) {
        unsigned slot = atomicAdd(flag, 1);
        x[slot] = BID; // @1
        VOL(flag[16 + slot]) = 1;
    } else {
        for (unsigned i = 0; i < GRID - 1; i++) {
            while (VOL(flag[16 + i]) == 0)
                ;
            __threadfence();
            y[i] = x[i]; // @2
        }
    }
}

// ---- A work queue: each thread takes items until none is left ----

// case: work_right grid=3 block=32 expect=silent
KERNEL(work_right)
{
    unsigned item;
    while ((item = atomicAdd(flag, 1)) < 200)
        x[item] += item;
}

// case: work_counter_not_atomic grid=3 block=1 expect=data-race@1@1 also=*
KERNEL(work_counter_not_atomic)
{
    for (unsigned k = 0; k < 4; k++) {
        unsigned item = flag[0]++; // @1
        y[64 * BID + k] = item;
    }
}

// A block takes items together; the fetch writes a shared word that all threads read.
// case: work_block_right grid=2 block=64 expect=silent
KERNEL(work_block_right)
{
    __shared__ unsigned item;
    for (;;) {
        if (TID == 0)
            item = atomicAdd(flag, 1);
        __syncthreads();
        unsigned mine = item;
        __syncthreads();
        if (mine >= 6)
            return;
        x[mine * 64 + TID] = mine;
    }
}

// The next fetch overwrites the item that slower threads still read.
// case: work_block_fetch_overwrites grid=2 block=64 expect=data-race@1@2 also=barrier-divergence|deadlock also=uninitialized-read
KERNEL(work_block_fetch_overwrites)
{
    __shared__ unsigned item;
    for (;;) {
        if (TID == 0)
            item = atomicAdd(flag, 1); // @1
        __syncthreads();
        unsigned mine = item; // @2
        if (mine >= 6)
            return;
        x[mine * 64 + TID] = mine;
    }
}

// ---- A stack by atomicCAS on its head: flag[0] is the head, x[i] the value, y[i] the next ----

// case: stack_right grid=4 block=1 expect=silent
KERNEL(stack_right)
{
    unsigned node = BID + 1;
    if (BID > 0) {
        x[node] = node * 10;
        unsigned head = VOL(flag[0]);
        for (;;) {
            y[node] = head;
            __threadfence();
            unsigned was = atomicCAS(flag, head, node);
            if (was == head)
                break;
            head = was;
        }
    } else {
        unsigned head;
        while ((head = VOL(flag[0])) == 0)
            ;
        __threadfence();
        int sum = 0;
        for (; head; head = y[head])
            sum += x[head];
        y[100] = sum;
    }
}

// An address dependency is no acquire.
// case: stack_dependency_only grid=4 block=1 expect=missing-acquire@1@2 also=missing-acquire
KERNEL(stack_dependency_only)
{
    unsigned node = BID + 1;
    if (BID > 0) {
        x[node] = node * 10; // @1
        unsigned head = VOL(flag[0]);
        for (;;) {
            y[node] = head;
            __threadfence();
            unsigned was = atomicCAS(flag, head, node);
            if (was == head)
                break;
            head = was;
        }
    } else {
        unsigned head;
        while ((head = VOL(flag[0])) == 0)
            ;
        int sum = 0;
        for (; head; head = y[head])
            sum += x[head]; // @2
        y[100] = sum;
    }
}

// case: stack_push_without_release grid=4 block=1 expect=missing-release@1@2 also=missing-release
KERNEL(stack_push_without_release)
{
    unsigned node = BID + 1;
    if (BID > 0) {
        x[node] = node * 10; // @1
        unsigned head = VOL(flag[0]);
        for (;;) {
            y[node] = head;
            unsigned was = atomicCAS(flag, head, node);
            if (was == head)
                break;
            head = was;
        }
    } else {
        unsigned head;
        while ((head = VOL(flag[0])) == 0)
            ;
        __threadfence();
        int sum = 0;
        for (; head; head = y[head])
            sum += x[head]; // @2
        y[100] = sum;
    }
}

// ---- Within a block, a warp produces and a warp consumes, through named barriers ----

// case: named_right grid=1 block=64 expect=silent
KERNEL(named_right)
{
    __shared__ int s[32];
    if (TID < 32) {
        s[TID] = x[TID];
        BAR_ARRIVE(1, 64);
    } else {
        BAR_SYNC(1, 64);
        y[TID] = s[63 - TID];
    }
}

// Who only arrives has waited for nobody.
// case: named_arrive_acquires_nothing grid=1 block=64 expect=data-race@1@2 also=uninitialized-read
KERNEL(named_arrive_acquires_nothing)
{
    __shared__ int s[32];
    if (TID < 32) {
        s[TID] = x[TID]; // @1
        BAR_SYNC(1, 64);
    } else {
        BAR_ARRIVE(1, 64);
        y[TID] = s[63 - TID]; // @2
    }
}

// What is stored after the arrival is not covered by it.
// case: named_store_after_arrive grid=1 block=64 expect=data-race@1@2 also=uninitialized-read
KERNEL(named_store_after_arrive)
{
    __shared__ int s[32];
    if (TID < 32) {
        BAR_ARRIVE(1, 64);
        s[TID] = x[TID]; // @1
    } else {
        BAR_SYNC(1, 64);
        y[TID] = s[63 - TID]; // @2
    }
}

// Full and empty barriers around one buffer.
// case: named_full_empty_right grid=1 block=64 expect=silent
KERNEL(named_full_empty_right)
{
    __shared__ int s[32];
    for (int k = 0; k < 4; k++) {
        if (TID < 32) {
            if (k > 0)
                BAR_SYNC(2, 64);
            s[TID] = x[k * 32 + TID];
            BAR_ARRIVE(1, 64);
        } else {
            BAR_SYNC(1, 64);
            y[k * 32 + TID] = s[63 - TID];
            if (k < 3)
                BAR_ARRIVE(2, 64);
        }
    }
}

// Without "empty" the producer overwrites what is still read. (The producer waits at "full" itself.)
// case: named_no_empty grid=1 block=64 expect=data-race@1@2 also=uninitialized-read
KERNEL(named_no_empty)
{
    __shared__ int s[32];
    for (int k = 0; k < 4; k++) {
        if (TID < 32) {
            s[TID] = x[k * 32 + TID]; // @1
            BAR_SYNC(1, 64);
        } else {
            BAR_SYNC(1, 64);
            y[k * 32 + TID] = s[63 - TID]; // @2
        }
    }
}

// A barrier for one warp of two orders that warp alone.
// case: named_one_warp_right grid=1 block=64 expect=silent
KERNEL(named_one_warp_right)
{
    __shared__ int s[64];
    s[TID] = x[TID];
    if (TID < 32)
        BAR_SYNC(1, 32);
    else
        BAR_SYNC(2, 32);
    y[TID] = s[TID ^ 1];
}

// case: named_one_warp_across grid=1 block=64 expect=data-race@1@2 also=uninitialized-read
KERNEL(named_one_warp_across)
{
    __shared__ int s[64];
    s[TID] = x[TID]; // @1
    if (TID < 32)
        BAR_SYNC(1, 32);
    else
        BAR_SYNC(2, 32);
    y[TID] = s[TID ^ 32]; // @2
}

// Two of three warps meet; the third reads what they wrote.
// case: named_two_of_three_right grid=1 block=96 expect=silent
KERNEL(named_two_of_three_right)
{
    __shared__ int s[96];
    s[TID] = x[TID];
    if (TID < 64) {
        BAR_SYNC(1, 64);
        y[TID] = s[63 - TID];
    }
}

// case: named_two_of_three_outsider grid=1 block=96 expect=data-race@1@2 also=uninitialized-read
KERNEL(named_two_of_three_outsider)
{
    __shared__ int s[96];
    s[TID] = x[TID]; // @1
    if (TID < 64)
        BAR_SYNC(1, 64);
    y[TID] = s[95 - TID]; // @2
}

// ---- A work-stealing deque (Chase and Lev, SPAA 2005): block 0 pushes and takes at the bottom, block 1 steals at the top ----

#define TOP flag[0]
#define BOTTOM flag[1]
#define ITEMS 4u

/** `fence` stands where the algorithm needs store, load or store-load order; y[v] counts who got item v. */
#define DEQUE(name, fence)                                                                         \
    KERNEL(name)                                                                                   \
    {                                                                                              \
        for (unsigned i = 0; BID == 0 && i < ITEMS; i++) {                                         \
            unsigned b = VOL(BOTTOM);                                                              \
            VOL_INT(x[b]) = (int)i + 1;                                                            \
            fence;                                                                                 \
            VOL(BOTTOM) = b + 1;                                                                   \
        }                                                                                          \
        for (unsigned i = 0; BID == 0 && i < ITEMS; i++) {                                         \
            unsigned b = VOL(BOTTOM) - 1;                                                          \
            VOL(BOTTOM) = b;                                                                       \
            fence;                                                                                 \
            unsigned t = VOL(TOP);                                                                 \
            bool got = (int)t <= (int)b, last = t == b;                                            \
            int v = got ? VOL_INT(x[b]) : 0;                                                       \
            if (got && last)                                                                       \
                got = atomicCAS(&TOP, t, t + 1) == t;                                              \
            if (!got || last)                                                                      \
                VOL(BOTTOM) = b + 1;                                                               \
            if (got)                                                                               \
                atomicAdd(&y[v], 1);                                                               \
        }                                                                                          \
        for (unsigned i = 0; BID == 1 && i < ITEMS; i++) {                                         \
            unsigned t = VOL(TOP);                                                                 \
            fence;                                                                                 \
            unsigned b = VOL(BOTTOM);                                                              \
            fence;                                                                                 \
            int v = (int)t < (int)b ? VOL_INT(x[t]) : 0;                                           \
            if ((int)t < (int)b && atomicCAS(&TOP, t, t + 1) == t)                                 \
                atomicAdd(&y[v], 1);                                                               \
        }                                                                                          \
    }

// case: deque_fences grid=2 block=1 expect=silent
DEQUE(deque_fences, __threadfence())

// case: deque_no_fences grid=2 block=1 expect=ordering@1@1
DEQUE(deque_no_fences, ) // @1

// ---- Two producers, two consumers, a turn at each slot: flag[slot], less the slot's number, says whose it is ----

static __device__ __forceinline__ unsigned take_turn(unsigned *flag, int counter, unsigned turn)
{
    unsigned *count = &flag[counter], at = LD("relaxed.gpu", count);
    for (;;) {
        int ahead = (int)(LD("acquire.gpu", &flag[at % SLOTS]) + at % SLOTS - (at + turn));
        unsigned now = ahead ? LD("relaxed.gpu", count) : ATOM_CAS("relaxed.gpu", count, at, at + 1);
        if (!ahead && now == at)
            return at;
        at = now;
    }
}

// A stale turn costs a look. Which items are left in the slots differs from run to run, in more ways than a few runs show.
// case: turns_right grid=4 block=1 expect=silent
KERNEL(turns_right)
{
    for (unsigned k = 0; k < 3; k++) {
        unsigned at = take_turn(flag, BID < 2 ? 8 : 9, BID < 2 ? 0 : 1);
        if (BID < 2)
            x[at % SLOTS] = BID * 10 + k;
        else
            atomicAdd(&y[0], x[at % SLOTS]);
        ST("release.gpu", &flag[at % SLOTS], at + (BID < 2 ? 1 : SLOTS) - at % SLOTS);
    }
}

// case: turns_published_unreleased grid=4 block=1 expect=missing-release|data-race@1@2 also=*
KERNEL(turns_published_unreleased)
{
    for (unsigned k = 0; k < 3; k++) {
        unsigned at = take_turn(flag, BID < 2 ? 8 : 9, BID < 2 ? 0 : 1);
        if (BID < 2)
            x[at % SLOTS] = BID * 10 + k; // @1
        else
            atomicAdd(&y[0], x[at % SLOTS]); // @2
        ST("relaxed.gpu", &flag[at % SLOTS], at + (BID < 2 ? 1 : SLOTS) - at % SLOTS);
    }
}

// A bounded queue whose cells have numbers (Vyukov): an older number than that which the place was seen with costs another try, also where a fence stands between
// the look and what it decides.
#define CELL(at) VOL(flag[64 + (at) % 4])
// case: numbered_cells grid=4 block=1 expect=silent
KERNEL(numbered_cells)
{
    for (int k = 0; k < 3; k++) {
        unsigned at, number, *end = BID < 2 ? &flag[0] : &flag[32], later = BID < 2 ? 0 : 1;
        for (;;) {
            at = VOL(*end);
            number = CELL(at) + at % 4;
            __threadfence();
            if (number == at + later && atomicCAS(end, at, at + 1) == at)
                break;
        }
        if (BID < 2)
            x[at % 4] = (int)BID * 10 + k;
        else
            y[at] = x[at % 4];
        __threadfence();
        CELL(at) = at + (BID < 2 ? 1 : 4) - at % 4;
    }
}

// Who gives up where it finds an older number has not taken what it was told of.
// case: numbered_cell_given_up grid=2 block=1 expect=ordering
KERNEL(numbered_cell_given_up)
{
    if (BID == 0) {
        CELL(0) = 1;
        FENCE("acq_rel.gpu");
        VOL(flag[0]) = 1;
    } else {
        while (VOL(flag[0]) == 0) {
        }
        unsigned number = CELL(0);
        __threadfence();
        if (number == 1 && atomicCAS(&flag[32], 0, 1) == 0)
            atomicAdd(&y[0], 1);
    }
}
