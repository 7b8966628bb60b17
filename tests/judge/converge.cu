// Programs whose result may legally differ from run to run, or on the way to a result that does not. An older
// value that such a program takes in its stride is no error (docs/judge_order.md).
#include "judge.cuh"

/** A stack of nodes as a head of tag and node, 64 bits; node n's successor in x[n]. */
__device__ static unsigned long long first_look(const volatile unsigned long long *head)
{
    return *head;
}

// case: tagged_stack grid=4 block=1 schedules=10 expect=silent
KERNEL(tagged_stack)
{
    unsigned long long *head = (unsigned long long *)flag, old, seen;
    unsigned node = BID + 1, *pushed = flag + 8;
    for (old = first_look(head);; old = seen) {
        *(volatile int *)&x[node] = (int)(unsigned)old;
        __threadfence();
        seen = atomicCAS(head, old, ((old >> 32) + 1) << 32 | node);
        if (seen == old)
            break;
    }
    y[BID] = (int)atomicAdd(pushed, 1);
    for (old = first_look(head);; old = seen) {
        __threadfence();
        unsigned taken = (unsigned)old;
        int next = *(volatile int *)&x[taken];
        seen = atomicCAS(head, old, ((old >> 32) + 1) << 32 | (unsigned)next);
        if (seen == old)
            break;
    }
}

// case: lock_bit_stack grid=4 block=1 schedules=10 expect=silent
KERNEL(lock_bit_stack)
{
    unsigned *tries = flag + 8;
    y[BID] = (int)atomicAdd(tries, 1);
    unsigned old = *(volatile unsigned *)flag & ~1u, seen;
    while ((seen = atomicCAS(flag, old, old | 1)) != old)
        old = seen & ~1u;
    __threadfence();
    x[0] = (int)(old >> 1);
    __threadfence();
    atomicExch(flag, (BID + 1) << 1);
    atomicAdd(tries, 1);
}

// What the lock guards is looked at before the lock is taken, and believed. It is looked at behind the lock's word, which tells of it.
// case: lock_bit_stack_believes grid=4 block=1 schedules=10 expect=ordering:any@1@2 also=ordering:any
KERNEL(lock_bit_stack_believes)
{
    volatile unsigned *last = flag + 1;
    unsigned *tries = flag + 8;
    atomicAdd(tries, 1);
    unsigned old = LD("relaxed.sys", flag) & ~1u, seen, before = LD("relaxed.sys", flag + 1); // @2
    while ((seen = atomicCAS(flag, old, old | 1)) != old)
        old = seen & ~1u;
    atomicAdd(&y[before], 1);
    *last = BID + 1; // @1
    atomicExch(flag, (BID + 1) << 1);
    atomicAdd(tries, 1);
}

// Three rounds leave what the schedule makes of them; every round's result is right for some order.
// case: labels_some_rounds grid=6 block=1 schedules=10 also=ordering:warning
KERNEL(labels_some_rounds)
{
    int a = (int)BID * 2, b = a + 1;
    atomicExch(&y[a], (int)(BID * 5 % 7) + 1);
    atomicExch(&y[b], (int)(BID * 3 % 7) + 1);
    for (int round = 0; round < 3; round++) {
        int left = *(volatile int *)&y[(a + 11) % 12], right = *(volatile int *)&y[(b + 1) % 12];
        int far = *(volatile int *)&y[(b + 2) % 12];
        atomicMin(&y[a], left ? left : 9);
        atomicMin(&y[b], right ? right : 9);
        atomicMin(&y[b], far ? far : 9);
    }
}

// Here they go on until nothing changes any more.
// case: labels_converge grid=4 block=1 schedules=10 also=ordering:warning
KERNEL(labels_converge)
{
    atomicExch(&y[BID], -1 - (int)BID);
    for (int quiet = 0; quiet < 8; quiet++) {
        int label = *(volatile int *)&y[(BID + 1) % 4];
        if (atomicMin(&y[BID], label) > label)
            quiet = 0;
        if (*(volatile int *)&y[BID] != -4)
            quiet = 0;
    }
}

// One result in every run, and another one with the older value.
// case: message_relied_on grid=2 block=1 schedules=20 expect=ordering:error@1@2
KERNEL(message_relied_on)
{
    volatile int *value = x;
    volatile unsigned *ready = flag;
    if (BID == 0) {
        *value = 42; // @1
        *ready = 1;
    } else {
        while (*ready == 0)
            ;
        y[0] = *value; // @2
    }
}

// Two results in any order, and a third one that only the older value makes.
// case: message_two_results grid=2 block=1 schedules=40 expect=ordering:error@1@2
KERNEL(message_two_results)
{
    volatile int *value = x;
    volatile unsigned *ready = flag;
    if (BID == 0) {
        *value = 42; // @1
        *ready = 1;
    } else {
        y[0] = (int)*ready;
        y[1] = *value; // @2
    }
}

/** The root over the node, in a forest of parents; makes the way there shorter. */
__device__ static int root_of(volatile int *x, int node)
{
    int parent = x[node];
    for (int last = node, next; parent > (next = x[parent]); parent = next) {
        x[last] = next;
        last = parent;
    }
    return parent;
}

// Which node hangs where differs from order to order, and whoever finds an older parent goes up from there.
// case: union_find grid=1 block=41 schedules=2 also=ordering:warning
KERNEL(union_find)
{
    unsigned edge = TID;
    x[TID] = (int)TID;
    __syncthreads();
    for (int i = 0; i < 3; i++) {
        edge = edge * 1664525u + 1013904223u;
        int a = root_of(x, (int)TID), b = root_of(x, (int)(edge >> 8) % 41);
        while (a != b) {
            int low = min(a, b), high = max(a, b), old = atomicCAS(&x[high], high, low);
            if (old == high)
                break;
            a = old;
            b = low;
        }
    }
}

/** The root over the node; on the way each node is hung to the one above its parent. */
__device__ static int halved_root_of(volatile int *x, int node)
{
    for (int parent = x[node], next; parent != node; parent = x[node]) {
        if ((next = x[parent]) != parent)
            x[node] = next;
        node = parent;
    }
    return node;
}

// The same across blocks, in a ring with chords. That all nodes come to hang at the first one at once is what nearly all orders leave; a
// thread that comes late with what it had read leaves another forest, as right as that.
// case: union_find_ring grid=2 block=30 then=union_find_ring_joins also=ordering:warning
KERNEL(union_find_ring)
{
    x[GID] = (int)GID;
}

KERNEL(union_find_ring_joins)
{
    const int far[3] = {1, 3, 7};
    for (int i = 0; i < 6; i++) {
        int a = (int)GID, b = (a + (i % 2 ? 60 - far[i / 2] : far[i / 2])) % 60;
        for (;;) {
            a = halved_root_of(x, a);
            b = halved_root_of(x, b);
            if (a == b || atomicCAS(&x[max(a, b)], max(a, b), min(a, b)) == max(a, b))
                break;
        }
    }
}

// Sweeps in place: each takes of its neighbours what is there.
// case: sweeps_in_place grid=4 block=32 also=ordering:warning
KERNEL(sweeps_in_place)
{
    volatile int *u = x;
    for (int sweep = 0; sweep < 5; sweep++)
        u[GID + 1] = (u[GID] + u[GID + 2] + (int)GID * 8) / 2;
}

// A look that only spares an atomic. Where it is stale, the atomic leaves what stands there.
// case: look_spares_maximum grid=4 block=2 schedules=10 expect=silent
KERNEL(look_spares_maximum)
{
    unsigned first = BID & 1, mine = 1000 - BID * 100 + TID;
    if (VOL(flag[first]) < mine)
        atomicMax(&flag[first], mine);
    if (VOL(flag[!first]) < mine)
        atomicMax(&flag[!first], mine);
}

// case: look_spares_long_minimum grid=4 block=2 schedules=10 expect=silent
KERNEL(look_spares_long_minimum)
{
    volatile long long *least = (volatile long long *)flag;
    unsigned first = BID & 1;
    long long mine = (long long)BID * 100 - 1000 - TID;
    if (least[first] > mine)
        atomicMin((long long *)&least[first], mine);
    if (least[!first] > mine)
        atomicMin((long long *)&least[!first], mine);
}

// What it is held against is loaded behind the look.
// case: look_spares_by_later_load grid=4 block=2 schedules=10 expect=silent
KERNEL(look_spares_by_later_load)
{
    unsigned first = BID & 1;
    y[GID] = 1000 - BID * 100 + TID;
    unsigned there = LD("relaxed.gpu", &flag[first]), mine = LD("relaxed.gpu", &y[GID]);
    if (there < mine)
        atomicMax(&flag[first], mine);
    there = LD("relaxed.gpu", &flag[!first]), mine = LD("relaxed.gpu", &y[GID]);
    if (there < mine)
        atomicMax(&flag[!first], mine);
}

// case: look_counts_by_later_load grid=4 block=2 schedules=10 expect=ordering:any@1@2
KERNEL(look_counts_by_later_load)
{
    unsigned first = BID & 1;
    y[GID] = 1000 - BID * 100 + TID;
    unsigned there = LD("relaxed.gpu", &flag[first]), mine = LD("relaxed.gpu", &y[GID]);
    if (there < mine) {
        atomicMax(&flag[first], mine); // @1
        atomicAdd((unsigned *)&x[0], 1u);
    }
    there = LD("relaxed.gpu", &flag[!first]); // @2
    mine = LD("relaxed.gpu", &y[GID]);
    if (there < mine) {
        atomicMax(&flag[!first], mine);
        atomicAdd((unsigned *)&x[0], 1u);
    }
}

// The same held against what stands in constant memory, or in the thread's own.
extern "C" __constant__ unsigned look_bounds[8] = {1000, 1001, 900, 901, 800, 801, 700, 701};
static __device__ unsigned constant_bound(unsigned i)
{
    unsigned bound;
    asm volatile("{ .reg .u64 at; mov.u64 at, look_bounds; add.s64 at, at, %1; ld.const.u32 %0, [at]; }" : "=r"(bound) : "l"(4ull * i) : "memory");
    return bound;
}
static __device__ unsigned own_bound(const unsigned *own)
{
    unsigned bound;
    asm volatile("ld.u32 %0, [%1];" : "=r"(bound) : "l"(own) : "memory");
    return bound;
}
#define LOOKS_AT_BOUND(bound, counts)                                                                                          \
    do {                                                                                                                       \
        unsigned own = 1000 - BID * 100 + TID, first = BID & 1;                                                                \
        asm volatile("" : : "l"(&own) : "memory");                                                                             \
        for (unsigned turn = 0; turn < 2; turn++) {                                                                            \
            unsigned there = LD("relaxed.gpu", &flag[first ^ turn]), mine = bound;                                             \
            if (there < mine) {                                                                                                \
                atomicMax(&flag[first ^ turn], mine);                                                                          \
                counts;                                                                                                        \
            }                                                                                                                  \
        }                                                                                                                      \
    } while (0)

// case: look_spares_by_constant grid=4 block=2 schedules=10 expect=silent
KERNEL(look_spares_by_constant)
{
    LOOKS_AT_BOUND(constant_bound(GID), (void)0);
}

// case: look_spares_by_own grid=4 block=2 schedules=10 expect=silent
KERNEL(look_spares_by_own)
{
    LOOKS_AT_BOUND(own_bound(&own), (void)0);
}

// case: look_counts_by_own grid=4 block=2 schedules=10 expect=ordering:any
KERNEL(look_counts_by_own)
{
    LOOKS_AT_BOUND(own_bound(&own), atomicAdd((unsigned *)&x[0], 1u));
}

// In registers, and in the turns of a loop: who says so by a count says how often, and with a flag it is the same said twice.
#define LOOKS_IN_TURNS(said)                                                                                                   \
    do {                                                                                                                       \
        unsigned own = 1000 - BID * 100 + TID, first = BID & 1;                                                                \
        for (unsigned turn = 0; turn < 2; turn++)                                                                              \
            if (VOL(flag[first ^ turn]) < own) {                                                                               \
                atomicMax(&flag[first ^ turn], own);                                                                           \
                said;                                                                                                          \
            }                                                                                                                  \
    } while (0)

// case: look_in_turns_counts grid=4 block=2 schedules=10 expect=ordering:any
KERNEL(look_in_turns_counts)
{
    LOOKS_IN_TURNS(atomicAdd(&x[0], 1));
}

// case: look_in_turns_says grid=4 block=2 schedules=10 expect=silent
KERNEL(look_in_turns_says)
{
    LOOKS_IN_TURNS(VOL(x[0]) = 1);
}

// case: look_in_turns_turns_round grid=4 block=2 schedules=10 expect=ordering:any
KERNEL(look_in_turns_turns_round)
{
    LOOKS_IN_TURNS(atomicXor(&x[0], 1));
}

// case: look_in_turns_sets_bit grid=4 block=2 schedules=10 expect=silent
KERNEL(look_in_turns_sets_bit)
{
    LOOKS_IN_TURNS(atomicOr(&x[0], 1));
}

// Counted where nothing is to be done: with the older value it is counted less often.
// case: look_in_turns_counts_spared grid=4 block=2 schedules=10 expect=ordering:any
KERNEL(look_in_turns_counts_spared)
{
    unsigned own = 1000 - BID * 100 + TID, first = BID & 1;
    for (unsigned turn = 0; turn < 2; turn++)
        if (VOL(flag[first ^ turn]) < own)
            atomicMax(&flag[first ^ turn], own);
        else
            atomicAdd(&x[0], 1);
}

// The same instruction in every turn: what counts is how often a thread comes there.
// case: look_in_rolled_turns_counts grid=4 block=2 schedules=10 expect=ordering:any
KERNEL(look_in_rolled_turns_counts)
{
    unsigned own = 1000 - BID * 100 + TID, first = BID & 1;
#pragma unroll 1
    for (unsigned turn = 0; turn < 4; turn++)
        if (VOL(flag[(first ^ turn) & 3]) < own) {
            atomicMax(&flag[(first ^ turn) & 3], own);
            atomicAdd(&x[0], 1);
        }
}

// More than was looked for: a stale look raises what stands there.
// case: look_raises_more grid=4 block=2 schedules=10 expect=ordering:any@1@2
KERNEL(look_raises_more)
{
    unsigned first = BID & 1, mine = 1000 - BID * 100 + TID;
    if (VOL(flag[first]) < mine)
        atomicMax(&flag[first], mine + 500); // @1
    if (VOL(flag[!first]) < mine) // @2
        atomicMax(&flag[!first], mine + 500);
}

// It is told how often.
// case: look_spares_and_counts grid=4 block=2 schedules=10 expect=ordering:any@1@2
KERNEL(look_spares_and_counts)
{
    unsigned first = BID & 1, mine = 1000 - BID * 100 + TID;
    if (VOL(flag[first]) < mine) {
        atomicMax(&flag[first], mine); // @1
        atomicAdd((unsigned *)&y[0], 1u);
    }
    if (VOL(flag[!first]) < mine) { // @2
        atomicMax(&flag[!first], mine);
        atomicAdd((unsigned *)&y[0], 1u);
    }
}

// What it found there is kept.
// case: look_spares_and_keeps grid=4 block=2 schedules=10 expect=ordering:any@1@2
KERNEL(look_spares_and_keeps)
{
    unsigned first = BID & 1, mine = 1000 - BID * 100 + TID, found = 0;
    if (VOL(flag[first]) < mine)
        atomicMax(&flag[first], mine); // @1
    if (VOL(flag[!first]) < mine) // @2
        found = atomicMax(&flag[!first], mine);
    y[GID] = found > 0;
}

// The place that is raised is another than was looked at.
// case: look_elsewhere grid=4 block=2 schedules=10 expect=ordering:any@1@2
KERNEL(look_elsewhere)
{
    unsigned first = BID & 1, mine = 1000 - BID * 100 + TID;
    if (VOL(flag[first]) < mine)
        atomicMax(&flag[first], mine); // @1
    y[GID] = (int)atomicAdd(&flag[8], 1u);
    if (VOL(flag[!first]) < mine) // @2
        atomicMax(&flag[4], mine);
}

// What it was held against is not what it is raised to, in the other direction: a stale look lowers nothing, but leaves something out.
// case: look_leaves_out grid=4 block=2 schedules=10 expect=ordering:any@1@2
KERNEL(look_leaves_out)
{
    unsigned first = BID & 1, mine = 1000 - BID * 100 + TID;
    if (VOL(flag[first]) < mine)
        atomicMax(&flag[first], mine); // @1
    if (VOL(flag[!first]) > mine) // @2
        atomicMax(&flag[!first], mine + 2000);
}

// The same of marks: who sets one that is set already, because its look was stale, changes nothing.
// case: look_spares_mark grid=2 block=32 expect=silent
KERNEL(look_spares_mark)
{
    unsigned a = GID * 7 % 16, b = GID * 3 % 16;
    if (VOL(flag[a]) == 0)
        atomicExch(&flag[a], 1u);
    if (VOL(flag[b]) == 0)
        atomicExch(&flag[b], 1u);
}

// case: look_spares_store grid=2 block=32 expect=silent
KERNEL(look_spares_store)
{
    unsigned a = GID * 7 % 16, b = GID * 3 % 16;
    if (!VOL(flag[a]))
        VOL(flag[a]) = 1;
    if (!VOL(flag[b]))
        VOL(flag[b]) = 1;
}

// case: look_marks_otherwise grid=2 block=32 expect=ordering:any@1@2 also=ordering
KERNEL(look_marks_otherwise)
{
    unsigned a = GID * 7 % 16, b = GID * 3 % 16;
    if (VOL(flag[a]) == 0)
        atomicExch(&flag[a], GID + 1); // @1
    if (VOL(flag[b]) == 0) // @2
        atomicExch(&flag[b], GID + 1);
}

// … nor does one whose update says that it came too late.
// case: look_spares_claim grid=2 block=32 expect=silent
KERNEL(look_spares_claim)
{
#pragma unroll 1
    for (int k = 0; k < 4; k++) {
        unsigned v = (GID * 7 + k) % 16;
        if (VOL(flag[v]) == 0 && atomicExch(&flag[v], 1u) == 0)
            atomicAdd(&y[v], 1);
    }
}

// case: look_spares_bit grid=2 block=32 expect=silent
KERNEL(look_spares_bit)
{
#pragma unroll 1
    for (int k = 0; k < 4; k++) {
        unsigned v = (GID * 7 + k) % 16;
        if (!(VOL(flag[0]) >> v & 1) && !(atomicOr(&flag[0], 1u << v) >> v & 1))
            atomicAdd(&y[v], 1);
    }
}

// case: look_spares_push grid=2 block=32 expect=silent
KERNEL(look_spares_push)
{
    unsigned mine = 1 + GID * 13 % 50;
#pragma unroll 1
    for (int k = 0; k < 4; k++) {
        unsigned v = (GID * 7 + k) % 16;
        if (VOL(flag[v]) < mine && atomicMax(&flag[v], mine) < mine)
            atomicOr(&y[v], 1);
    }
}

// What the update might have changed is loaded anew behind it: the loop's bound, and what is held against the next place. It is as it was.
// case: look_spares_and_loads_anew grid=4 block=64 expect=silent
KERNEL(look_spares_and_loads_anew)
{
    y[GID] = 1 + GID * 37 % 101;
    x[GID] = 8;
#pragma unroll 1
    for (int k = 0; k < x[GID]; k++) {
        unsigned v = (GID + 1 + k * k) % 256;
        if (VOL(flag[v]) < y[GID])
            atomicMax(&flag[v], (unsigned)y[GID]);
    }
}

// case: look_spares_push_and_loads_anew grid=4 block=64 expect=silent
KERNEL(look_spares_push_and_loads_anew)
{
    y[GID] = 1 + GID * 37 % 101;
    x[GID] = 8;
#pragma unroll 1
    for (int k = 0; k < x[GID]; k++) {
        unsigned v = (GID + 1 + k * k) % 256;
        if (VOL(flag[v]) < y[GID] && atomicMax(&flag[v], (unsigned)y[GID]) < y[GID])
            atomicExch(&flag[1000], 1u);
    }
}

// It is not: whoever comes to the update has a turn less.
// case: look_spares_and_loads_less grid=4 block=64 expect=ordering:any@1@2
KERNEL(look_spares_and_loads_less)
{
    unsigned mine = 1 + GID * 37 % 101;
    int turns = 9;
    x[GID] = 8;
#pragma unroll 1
    for (int k = 0; k < turns; k++) {
        unsigned v = (GID + 1 + k * k) % 256;
        if (VOL(flag[v]) < mine) { // @2
            atomicMax(&flag[v], mine); // @1
            turns = x[GID];
        }
    }
}

// Who came too late does something.
// case: look_counts_late grid=2 block=32 expect=ordering:any@1@2 also=ordering
KERNEL(look_counts_late)
{
#pragma unroll 1
    for (int k = 0; k < 4; k++) {
        unsigned v = (GID * 7 + k) % 16;
        if (VOL(flag[v]) == 0 && // @2
            atomicExch(&flag[v], 1u) != 0) // @1
            atomicAdd(&y[v], 1);
    }
}

/** The node above, whose number and one is kept; 0: a root. */
__device__ static int node_above(volatile int *x, int node)
{
    int above = x[node];
    return above ? above - 1 : node;
}

__device__ static int counted_root_of(volatile int *x, int node)
{
    int parent;
    while ((parent = node_above(x, node)) != node) {
        int next = node_above(x, parent);
        if (next != parent)
            x[node] = next + 1;
        node = next;
    }
    return node;
}

// What is stored is never what was read and one, for then the branch goes round it; and lanes that follow links rely on no step.
// case: union_find_counted grid=2 block=30 also=ordering:warning
KERNEL(union_find_counted)
{
    const int far[3] = {1, 3, 7};
    for (int i = 0; i < 3; i++) {
        int a = (int)GID, b = (a + far[i]) % 60;
        for (;;) {
            a = counted_root_of(x, a);
            b = counted_root_of(x, b);
            if (a == b || atomicCAS(&x[max(a, b)], 0, min(a, b) + 1) == 0)
                break;
        }
    }
}

// Each lane's own element is made to lead where the one leads that it leads to: in step that doubles the way, and else it may go too far.
// case: links_doubled_in_step grid=1 block=32 then=links_doubled_in_step_go expect=ordering:error@1@1
KERNEL(links_doubled_in_step)
{
    x[TID] = min((int)TID + 1, 31);
}

KERNEL(links_doubled_in_step_go)
{
    for (int k = 0; k < 3; k++)
        VOL_INT(x[TID]) = VOL_INT(x[VOL_INT(x[TID])]); // @1
}

/** As halved_root_of(), where whoever comes late leaves it: nobody asks whether the swap came in time. */
__device__ static int swapped_root_of(volatile int *x, int node)
{
    int parent = x[node];
    while (parent != node) {
        int next = x[parent];
        if (next != parent)
            atomicCAS((int *)&x[node], parent, next);
        node = parent;
        parent = x[node];
    }
    return node;
}

// A way that a stale parent leaves longer than any order does, for the swap fails: so it may wherever others swap, too.
// case: union_find_swapped grid=2 block=30 then=union_find_swapped_joins also=ordering:warning
KERNEL(union_find_swapped)
{
    x[GID] = (int)GID;
}

KERNEL(union_find_swapped_joins)
{
    const int far[5] = {1, 3, 7, 19, 28};
    for (int i = 0; i < 10; i++) {
        int a = (int)GID, b = (a + (i % 2 ? 60 - far[i / 2] : far[i / 2])) % 60;
        for (;;) {
            a = swapped_root_of(x, a);
            b = swapped_root_of(x, b);
            if (a == b || atomicCAS(&x[max(a, b)], max(a, b), min(a, b)) == max(a, b))
                break;
        }
    }
}

// What is read behind the signal is what such swaps leave: one of them comes in time.
// case: message_swapped grid=3 block=1 schedules=20 expect=ordering:error@1@2
KERNEL(message_swapped)
{
    volatile int *value = x;
    volatile unsigned *ready = flag;
    if (BID == 1) {
        while (*ready == 0)
            ;
        y[0] = *value; // @2
    } else {
        atomicCAS(&x[0], 0, 42); // @1
        *ready = 1;
    }
}
