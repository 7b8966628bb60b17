// Bounded queues of several producers and consumers, and stacks: looks that a compare-and-swap confirms, or that lead to another try.
#include "judge.cuh"

#define SLOTS 8u
#define ITEMS 4u
#define TAIL flag[64]
#define HEAD flag[65]
#define SEQ(at) flag[(at) % SLOTS] /* less the slot's number */

/** Takes a place at `end`, where slots stand at `turn`; `look`, `seen`, `swap`: orders. */
#define TAKE(end, turn, at, look, seen)                                                             \
    unsigned at = LD(look, &end);                                                                  \
    for (;;) {                                                                                     \
        int ahead = (int)(LD(seen, &SEQ(at)) + at % SLOTS - (at + turn));                          \
        if (ahead == 0) {                                                                          \
            unsigned was = ATOM_CAS("relaxed.gpu", &end, at, at + 1);                              \
            if (was == at)                                                                         \
                break;                                                                             \
            at = was;                                                                              \
        } else {                                                                                   \
            at = LD(look, &end);                                                                   \
        }                                                                                          \
    }

// case: vyukov_right grid=16 block=1 expect=silent
KERNEL(vyukov_right)
{
    for (unsigned i = 0; i < ITEMS; i++) {
        if (BID < 8) {
            TAKE(TAIL, 0, at, "relaxed.gpu", "acquire.gpu");
            x[at % SLOTS] = 100 * BID + i;
            ST("release.gpu", &SEQ(at), at + 1 - at % SLOTS);
        } else {
            TAKE(HEAD, 1, at, "relaxed.gpu", "acquire.gpu");
            y[at] = x[at % SLOTS];
            ST("release.gpu", &SEQ(at), at + SLOTS - at % SLOTS);
        }
    }
}

// A relaxed look at the number, and a fence behind the swap that takes the place.
// case: vyukov_fence_behind grid=16 block=1 expect=silent
KERNEL(vyukov_fence_behind)
{
    for (unsigned i = 0; i < ITEMS; i++) {
        if (BID < 8) {
            TAKE(TAIL, 0, at, "relaxed.gpu", "relaxed.gpu");
            __threadfence();
            x[at % SLOTS] = 100 * BID + i;
            __threadfence();
            VOL(SEQ(at)) = at + 1 - at % SLOTS;
        } else {
            TAKE(HEAD, 1, at, "relaxed.gpu", "relaxed.gpu");
            __threadfence();
            y[at] = x[at % SLOTS];
            __threadfence();
            VOL(SEQ(at)) = at + SLOTS - at % SLOTS;
        }
    }
}

// Places by atomicAdd: each waits for its own.
// case: ticket_right grid=16 block=1 expect=silent
KERNEL(ticket_right)
{
    for (unsigned i = 0; i < ITEMS; i++) {
        unsigned turn = BID < 8 ? 0 : 1, at = atomicAdd(turn ? &HEAD : &TAIL, 1);
        while (LD("acquire.gpu", &SEQ(at)) + at % SLOTS != at + turn)
            ;
        if (turn)
            y[at] = x[at % SLOTS];
        else
            x[at % SLOTS] = 100 * BID + i;
        ST("release.gpu", &SEQ(at), at + (turn ? SLOTS : 1) - at % SLOTS);
    }
}

// Try-variants: full or empty costs a turn of the caller's loop.
static __device__ __forceinline__ bool try_put(unsigned *flag, int *x, int v)
{
    unsigned at = VOL(TAIL);
    for (;;) {
        unsigned seq = LD("acquire.gpu", &SEQ(at)) + at % SLOTS;
        int ahead = (int)(seq - at);
        if (ahead == 0) {
            if (atomicCAS(&TAIL, at, at + 1) == at)
                break;
            at = VOL(TAIL);
        } else if (ahead < 0) {
            return false;
        } else {
            at = VOL(TAIL);
        }
    }
    x[at % SLOTS] = v;
    ST("release.gpu", &SEQ(at), at + 1 - at % SLOTS);
    return true;
}

static __device__ __forceinline__ bool try_get(unsigned *flag, int *x, int *v, unsigned *where)
{
    unsigned at = VOL(HEAD);
    for (;;) {
        unsigned seq = LD("acquire.gpu", &SEQ(at)) + at % SLOTS;
        int ahead = (int)(seq - (at + 1));
        if (ahead == 0) {
            if (atomicCAS(&HEAD, at, at + 1) == at)
                break;
            at = VOL(HEAD);
        } else if (ahead < 0) {
            return false;
        } else {
            at = VOL(HEAD);
        }
    }
    *v = x[at % SLOTS];
    *where = at;
    ST("release.gpu", &SEQ(at), at + SLOTS - at % SLOTS);
    return true;
}

// case: vyukov_try_right grid=16 block=1 expect=silent
KERNEL(vyukov_try_right)
{
    for (unsigned i = 0; i < ITEMS; i++) {
        if (BID < 8) {
            while (!try_put(flag, x, 100 * BID + i))
                ;
        } else {
            int v;
            unsigned at;
            while (!try_get(flag, x, &v, &at))
                ;
            y[at] = v;
        }
    }
}

// Who takes counts, and all leave when everything has been taken: an old count, like an old turn of a slot, costs a turn in
// which nothing is taken.
#define TAKEN flag[70]
#define COUNTED 4
// case: vyukov_counted_right grid=4 block=1 expect=silent
KERNEL(vyukov_counted_right)
{
    for (unsigned i = 0; i < COUNTED && BID < 2; i++)
        while (!try_put(flag, x, 100 * BID + i))
            ;
    while (BID >= 2 && VOL(TAKEN) < 2 * COUNTED) {
        int v;
        unsigned at;
        if (try_get(flag, x, &v, &at)) {
            y[at] = v;
            atomicAdd(&TAKEN, 1);
        }
    }
}

// The same, but turns in which nothing is found are counted, too, and told.
// case: vyukov_counted_in_vain grid=6 block=1 expect=ordering:any
KERNEL(vyukov_counted_in_vain)
{
    int vain = 0;
    for (unsigned i = 0; i < COUNTED && BID < 2; i++)
        while (!try_put(flag, x, 100 * BID + i))
            ;
    while (BID >= 2 && VOL(TAKEN) < 2 * COUNTED) {
        int v;
        unsigned at;
        if (try_get(flag, x, &v, &at)) {
            y[at] = v;
            atomicAdd(&TAKEN, 1);
        } else {
            vain++;
        }
    }
    y[64 + BID] = vain;
}

// The same in a launch that is too long to be asked as the small ones are: by many, with a fence behind the look at the count.
#define COUNTED_BY_MANY(name, vain_begins, found, vain, told)                                      \
    KERNEL(name)                                                                                   \
    {                                                                                              \
        vain_begins;                                                                               \
        for (unsigned i = 0; i < 2 * COUNTED && BID < 6; i++)                                      \
            while (!try_put(flag, x, 100 * BID + i))                                               \
                ;                                                                                  \
        while (BID >= 6) {                                                                         \
            unsigned taken = VOL(TAKEN);                                                           \
            __threadfence();                                                                       \
            if (taken >= 12 * COUNTED)                                                             \
                break;                                                                             \
            int v;                                                                                 \
            unsigned at;                                                                           \
            if (try_get(flag, x, &v, &at)) {                                                       \
                found;                                                                             \
                __threadfence();                                                                   \
                atomicAdd(&TAKEN, 1);                                                              \
            } else {                                                                               \
                vain;                                                                              \
            }                                                                                      \
        }                                                                                          \
        told;                                                                                      \
    }

// case: vyukov_counted_by_many_right grid=12 block=1 expect=silent
COUNTED_BY_MANY(vyukov_counted_by_many_right, , y[at] = v, , )

// case: vyukov_counted_by_many_in_vain grid=12 block=1 expect=ordering:any
COUNTED_BY_MANY(vyukov_counted_by_many_in_vain, int tries = 0, y[at] = v, tries++, y[64 + BID] = tries)

// The place that a swap in vain has found is the next one that is tried.
// case: vyukov_counted_found_right grid=4 block=1 expect=silent
KERNEL(vyukov_counted_found_right)
{
    for (unsigned i = 0; i < COUNTED && BID < 2; i++)
        while (!try_put(flag, x, 100 * BID + i))
            ;
    while (BID >= 2 && VOL(TAKEN) < 2 * COUNTED) {
        unsigned at = VOL(HEAD), was;
        int ahead;
        while ((ahead = (int)(LD("acquire.gpu", &SEQ(at)) + at % SLOTS - (at + 1))) == 0 && (was = atomicCAS(&HEAD, at, at + 1)) != at)
            at = was;
        if (ahead == 0) {
            y[at] = x[at % SLOTS];
            ST("release.gpu", &SEQ(at), at + SLOTS - at % SLOTS);
            atomicAdd(&TAKEN, 1);
        }
    }
}

// A stack whose head carries a count: number << 8 | node. The first look is stale at worst.
// case: tagged_stack_right grid=16 block=1 expect=silent
KERNEL(tagged_stack_right)
{
    for (unsigned i = 0; i < ITEMS; i++) {
        unsigned node = BID * ITEMS + i + 1, head = VOL(TAIL);
        x[node] = node * 10;
        for (;;) {
            VOL(flag[128 + node]) = head & 255;
            __threadfence();
            unsigned was = atomicCAS(&TAIL, head, ((head >> 8) + 1) << 8 | node);
            if (was == head)
                break;
            head = was;
        }
    }
    for (unsigned i = 0; i < ITEMS; i++) {
        unsigned head = VOL(TAIL);
        while (true) {
            __threadfence();
            unsigned next = VOL(flag[128 + (head & 255)]);
            unsigned was = atomicCAS(&TAIL, head, ((head >> 8) + 1) << 8 | next);
            if (was == head)
                break;
            head = was;
        }
        __threadfence();
        atomicAdd(&y[0], x[head & 255]);
    }
}

// A lock bit in the head; who sees it set, or loses the swap, looks again.
// case: locked_head_right grid=16 block=1 expect=silent
KERNEL(locked_head_right)
{
    for (unsigned i = 0; i < ITEMS; i++) {
        unsigned head, node = BID * ITEMS + i + 1;
        for (;;) {
            head = VOL(TAIL);
            if (head & 0x10000u)
                continue;
            if (atomicCAS(&TAIL, head, head | 0x10000u) == head)
                break;
        }
        __threadfence();
        x[node] = head & 255;
        y[0]++;
        __threadfence();
        VOL(TAIL) = node;
    }
}

// ---- The same looks where something hangs on them: block 0 acts and signals, relaxed, and block 1 has seen the signal

#define TOLD flag[70]
#define AFTER_SIGNAL while (VOL(TOLD) == 0)

// "Empty" is the end.
// case: queue_gives_up grid=2 block=1 expect=ordering:any
KERNEL(queue_gives_up)
{
    int v = 0;
    unsigned at = 0;
    if (BID == 0) {
        try_put(flag, x, 7);
        VOL(TOLD) = 1;
    } else {
        AFTER_SIGNAL
            ;
        y[0] = try_get(flag, x, &v, &at);
    }
}

// case: queue_tries_again grid=2 block=1 expect=silent
KERNEL(queue_tries_again)
{
    int v = 0;
    unsigned at = 0;
    if (BID == 0) {
        try_put(flag, x, 7);
        VOL(TOLD) = 1;
    } else {
        AFTER_SIGNAL
            ;
        while (!try_get(flag, x, &v, &at))
            ;
        y[0] = v;
    }
}

// Tries are counted, and told.
// case: queue_counts_tries grid=2 block=1 expect=ordering:any
KERNEL(queue_counts_tries)
{
    int v = 0, tries = 0;
    unsigned at = 0;
    if (BID == 0) {
        try_put(flag, x, 7);
        VOL(TOLD) = 1;
    } else {
        AFTER_SIGNAL
            ;
        while (!try_get(flag, x, &v, &at))
            tries++;
        y[0] = tries;
    }
}

// The place is read anew from elsewhere.
// case: queue_looks_elsewhere grid=2 block=1 expect=ordering:any
KERNEL(queue_looks_elsewhere)
{
    if (BID == 0) {
        VOL(SEQ(0)) = 1;
        VOL(TOLD) = 1;
    } else {
        AFTER_SIGNAL
            ;
        unsigned at = VOL(HEAD);
        while (LD("acquire.gpu", &SEQ(at)) + at % SLOTS != at + 1)
            at = VOL(flag[32]);
        y[0] = at;
        VOL(flag[32]) = 1;
    }
}

/** Block 0 pushes node 1; block 1 looks at the head, behind the signal. */
#define HEAD_SEEN(name, ordered, ...)                                                              \
    KERNEL(name)                                                                                   \
    {                                                                                              \
        if (BID == 0) {                                                                            \
            VOL(TAIL) = 1;                                                                         \
            ordered;                                                                               \
            VOL(TOLD) = 1;                                                                         \
        } else {                                                                                   \
            AFTER_SIGNAL                                                                           \
                ;                                                                                  \
            ordered;                                                                               \
            unsigned head = VOL(TAIL);                                                             \
            __VA_ARGS__;                                                                           \
        }                                                                                          \
    }

#define POP(expected)                                                                              \
    for (;;) {                                                                                     \
        unsigned was = atomicCAS(&TAIL, expected, head + 16);                                      \
        if (was == head)                                                                           \
            break;                                                                                 \
        head = was;                                                                                \
    }

// case: head_swapped_elsewhere grid=2 block=1 expect=ordering:any
HEAD_SEEN(head_swapped_elsewhere, , y[0] = atomicCAS(&HEAD, head, head + 16))

// case: head_not_what_is_expected grid=2 block=1 expect=ordering:any
HEAD_SEEN(head_not_what_is_expected, , y[0] = atomicCAS(&TAIL, 1, head + 16))

// A node is written to, on the strength of the look alone.
// case: head_leads_to_a_store grid=2 block=1 expect=ordering:any
HEAD_SEEN(head_leads_to_a_store, , VOL(flag[128 + head]) = 5; POP(head))

// "Empty", by a look that no swap confirms.
// case: head_empty_unconfirmed grid=2 block=1 expect=ordering:any
HEAD_SEEN(head_empty_unconfirmed, , if (!head) y[0] = 1; else POP(head))

// case: head_empty_unconfirmed_by_many grid=300 block=1 expect=ordering:any
HEAD_SEEN(head_empty_unconfirmed_by_many, , if (!head) y[0] = 1; else POP(head))

// case: head_leads_many_to_a_store grid=300 block=1 expect=ordering:any
HEAD_SEEN(head_leads_many_to_a_store, , VOL(flag[128 + head]) = 5; POP(head))

// case: head_empty_ordered grid=2 block=1 expect=silent
HEAD_SEEN(head_empty_ordered, __threadfence(), if (!head) y[0] = 1; else POP(head))

// ---- A count that begins anew, by two atomics ----

// Who adds between the two is lost.
// case: count_begins_anew grid=3 block=1 expect=ordering@1@2
KERNEL(count_begins_anew)
{
    if (atomicAdd(&flag[0], 1u) == 1) // @1
        atomicExch(&flag[0], 0u); // @2
    y[BID] = 1;
}

// case: count_begins_anew_volatile grid=1 block=64 expect=ordering@1@2
KERNEL(count_begins_anew_volatile)
{
    unsigned at = atomicAdd(&flag[0], 1u); // @1
    if (at == 9)
        VOL(flag[0]) = 0; // @2
}

// case: count_begins_anew_at_once grid=3 block=1 expect=silent
KERNEL(count_begins_anew_at_once)
{
    atomicInc(&flag[0], 1u);
    y[BID] = 1;
}

// All have come: nobody can add any more.
// case: count_of_all grid=3 block=1 expect=silent
KERNEL(count_of_all)
{
    if (atomicAdd(&flag[0], 1u) == GRID - 1)
        atomicExch(&flag[0], 0u);
}

// case: count_of_all_twice grid=3 block=1 expect=silent
KERNEL(count_of_all_twice)
{
    unsigned turn = LD("acquire.gpu", &flag[1]);
    if (ATOM_ADD("acq_rel.gpu", &flag[0], 1u) == GRID - 1) {
        ST("relaxed.gpu", &flag[0], 0u);
        ST("release.gpu", &flag[1], turn + 1);
    } else {
        while (LD("acquire.gpu", &flag[1]) == turn)
            ;
    }
    if (ATOM_ADD("acq_rel.gpu", &flag[0], 1u) == GRID - 1)
        ST("relaxed.gpu", &flag[0], 0u);
}

// A lock that is tried once: whoever has added in between has not got it.
// case: count_is_lock grid=3 block=1 expect=silent
KERNEL(count_is_lock)
{
    if (atomicAdd(&flag[0], 1u) == 0) {
        __threadfence();
        x[0] += 1;
        __threadfence();
        atomicExch(&flag[0], 0u);
    }
}

// A buffer that is emptied when it is full: who finds it full comes again.
// case: count_fills_buffer grid=3 block=1 expect=silent
KERNEL(count_fills_buffer)
{
    for (;;) {
        unsigned at = ATOM_ADD("acquire.gpu", &flag[0], 1u);
        if (at < 2) {
            atomicAdd(&y[0], 1);
            if (at == 1)
                ST("release.gpu", &flag[0], 0u);
            break;
        }
    }
}

// Beside stores of one value that race, an update that is lost is told, too.
// case: count_by_hand grid=4 block=1 expect=ordering@1@2 also=data-race:warning
KERNEL(count_by_hand)
{
    unsigned at = VOL(flag[0]); // @1
    VOL(flag[0]) = at + 1; // @2
    y[at] = 1;
}
