/**
 * @file random_signals.c
 * Kernels whose threads are ordered by more than whole barriers (random_kernel.h): exchanges one after another, each through a part of memory of
 * its own, where some store, something orders, and others load; right, but for what is left out, weakened, or said in the wrong turn. None waits
 * for what comes later in its text, so each ends.
 */
#include "making.h"

#include "base/mix.h"

#define MOST_STEPS 30 /* of one exchange */

static struct step *meet_in_cluster(struct making *m)
{
    struct step *s = add(m, ACT_CLUSTER_BARRIER);
    s->strength = ORDERED;
    return s;
}

/** Whole blocks, or warps. */
static void exchange_all(struct making *m)
{
    bool warps = one_in(m, 3);
    if (!take_part(m, one_in(m, 2)))
        return;
    access_part(m, ACT_STORE, FORM_OWN, 0);
    if (one_in(m, 4))
        add(m, ACT_SHUFFLE);
    order(m, warps ? ACT_WARP_BARRIER : ACT_BARRIER);
    access_part(m, ACT_LOAD, FORM_XOR, warps || m->k->threads == 32 ? 1u << random_below(&m->r, 5) : 32);
}

/** Lanes of a mask, and those that are not in it. */
static void exchange_lanes(struct making *m)
{
    static const struct { uint32_t mask, partner; } ways[] = {{0xffff, 8}, {0xffff, 1}, {0x55555555, 2}, {0x55555555, 16}, {0xff, 4}, {0xff00ff00, 16}, {0x33333333, 1}};
    uint32_t n = random_below(&m->r, sizeof ways / sizeof ways[0]), mask = ways[n].mask, partner = faulty(m) ? 1u << random_below(&m->r, 5) : ways[n].partner;
    if (!take_part(m, one_in(m, 2)))
        return;
    access_part(m, ACT_STORE, FORM_OWN, 0);
    order(m, ACT_SOME_LANES)->mask = mask;
    order(m, ACT_SOME_LANES)->mask = ~mask;
    access_part(m, ACT_LOAD, FORM_XOR, partner);
}

/** Some warps of a block at a barrier of their own. */
static void exchange_warps(struct making *m)
{
    if (m->k->threads < 64 || !take_part(m, one_in(m, 2)))
        return;
    enum guard guard = one_in(m, 2) ? GUARD_BELOW : GUARD_FROM;
    uint32_t warps = m->k->threads / 32, bound = 32 * (1 + random_below(&m->r, warps - 1)), taken = guard == GUARD_BELOW ? bound : m->k->threads - bound;
    guarded(access_part(m, ACT_STORE, FORM_OWN, 0), guard, bound);
    guarded(order(m, ACT_SOME_WARPS), guard, bound);
    guarded(access_part(m, ACT_LOAD, FORM_XOR, taken % 64 || bound % 64 ? 1 : 32), guard, faulty(m) ? m->k->threads / 2 : bound);
}

/** Some warps arrive, and the others wait for what they have stored. */
static void hand_over(struct making *m)
{
    if (m->k->threads < 64 || !take_part(m, one_in(m, 2)))
        return;
    bool back = slips(m, 4);
    uint32_t half = m->k->threads / 2, base = m->part.shared ? 0 : m->k->threads;
    enum guard first = back ? GUARD_FROM : GUARD_BELOW, second = back ? GUARD_BELOW : GUARD_FROM;
    guarded(access_part(m, ACT_STORE, FORM_OWN, 0), first, half);
    guarded(order(m, ACT_HAND_OVER), GUARD_BELOW, half);
    guarded(access_part(m, ACT_LOAD, FORM_AFFINE, back ? half : 0u - half), second, half)->b = base;
}

/** By a copy that goes on by itself. */
static void copy_over(struct making *m)
{
    if (!take_part(m, true))
        return;
    bool own = one_in(m, 3);
    struct step *copy = access_part(m, ACT_COPY, FORM_OWN, 0);
    copy->source = (int)random_below(&m->r, GLOBAL_ARRAYS);
    if (one_in(m, 3))
        random_access(&m->r, m->k, m->r, 100)->shared = false;
    order(m, ACT_COPIES_WAIT);
    if (!own)
        order(m, ACT_BARRIER);
    access_part(m, one_in(m, 4) ? ACT_STORE : ACT_LOAD, own ? FORM_OWN : FORM_XOR, own ? 0 : 1);
}

/** Two stages, each a group; the first is read while the second may still be on its way. */
static void copy_in_groups(struct making *m)
{
    if (!take_part(m, true))
        return;
    struct part first = m->part;
    bool both = one_in(m, 2), own = one_in(m, 3);
    for (int i = 0; i < 2; i++) {
        if (i && !take_part(m, true))
            return;
        struct step *copy = access_part(m, ACT_COPY, FORM_OWN, 0);
        copy->source = (int)random_below(&m->r, GLOBAL_ARRAYS);
        order(m, ACT_COMMIT);
    }
    struct part second = m->part;
    for (int i = 0; i < 1 + both; i++) {
        order(m, ACT_COPIES_WAIT)->until = i ? 1 : 2 + slips(m, 4);
        if (!own)
            order(m, ACT_BARRIER);
        m->part = i ? second : first;
        access_part(m, one_in(m, 4) ? ACT_STORE : ACT_LOAD, own ? FORM_OWN : FORM_XOR, own ? 0 : 1);
    }
    if (!both)
        add(m, ACT_COPIES_WAIT);
}

/* ---- By flags ---- */

/** From block to block, at times over a third, or from all to all; or from one to others of its own block. */
static void exchange_by_flags(struct making *m)
{
    if (m->flags + 2 > MAX_FLAGS || !take_part(m, false))
        return;
    uint32_t blocks = m->k->blocks, threads = m->k->threads;
    bool all = one_in(m, 3), over = !all && blocks > 2 && one_in(m, 2), fenced = one_in(m, 2);
    struct message msg = {all ? ANY_BLOCK : random_below(&m->r, blocks), ANY_BLOCK, (uint32_t)m->flags++, RELAXED, fenced, blocks > 1};
    msg.strength = !fenced ? ORDERED : !all && one_in(m, 2) ? VOLATILE : RELAXED;
    access_part(m, ACT_STORE, FORM_OWN, 0)->block = msg.from;
    if (over) {
        struct message on = msg;
        on.to = msg.from = (msg.from + 1) % blocks;
        send(m, &on);
        receive(m, &on);
        msg.flag = (uint32_t)m->flags++;
    }
    send(m, &msg);
    for (uint32_t n = random_below(&m->r, 3); n; n--)
        random_access(&m->r, m->k, m->r, 100)->shared = false;
    receive(m, &msg);
    if (all)
        access_part(m, ACT_LOAD, FORM_REVERSED, 0);
    else /* what the first of them stored */
        access_part(m, ACT_LOAD, FORM_AFFINE, (over ? (msg.from + blocks - 1) % blocks : msg.from) * threads)->a = PICK(&m->r, 0, 1);
}

/** One of a block's threads hands something to another, without a barrier. */
static void exchange_in_block(struct making *m)
{
    if (m->flags + 1 > MAX_FLAGS || !take_part(m, one_in(m, 2)))
        return;
    bool fenced = one_in(m, 2), wide = one_in(m, 3);
    uint32_t base = m->part.shared ? 0 : m->k->threads, block = random_below(&m->r, m->k->blocks), flag = (uint32_t)m->flags++;
    enum strength strength = fenced ? PICK(&m->r, RELAXED, VOLATILE) : ORDERED;
    struct step *s = guarded(access_part(m, ACT_STORE, FORM_OWN, 0), GUARD_BELOW, 1);
    s->block = block;
    if (fenced)
        add_fence(m, wide);
    s = guarded(add(m, ACT_SIGNAL), GUARD_BELOW, 1);
    s->flag = flag, s->block = block, s->strength = strength, s->wide = wide || strength == VOLATILE;
    s = guarded(add(m, ACT_WAIT), GUARD_EVERY, PICK(&m->r, 16, 32));
    s->flag = flag, s->block = block, s->strength = strength, s->wide = one_in(m, 2) || strength == VOLATILE, s->until = 1;
    if (fenced)
        add_fence(m, one_in(m, 2));
    s = guarded(access_part(m, ACT_LOAD, FORM_AFFINE, 0), GUARD_EVERY, faulty(m) ? 8 : s->bound);
    s->a = 0, s->b = base, s->block = block;
}

/** What a turn of a loop has stored may be stored anew only when all have read it. @param all_blocks  not those of the block alone */
static void end_turn(struct making *m, bool all_blocks)
{
    if (slips(m, 3))
        return;
    if (!all_blocks || m->flags + 1 > MAX_FLAGS) {
        order(m, ACT_BARRIER);
        return;
    }
    struct message msg = to_all(m);
    send(m, &msg);
    receive(m, &msg);
}

/** One after another in each turn of a loop. */
static void exchange_in_turns(struct making *m)
{
    void (*const ways[])(struct making *) = {exchange_all, exchange_lanes, exchange_warps, hand_over, copy_over, copy_in_groups, exchange_by_flags, exchange_by_flags, exchange_in_block, exchange_by_mbarrier};
    uint32_t n = random_below(&m->r, sizeof ways / sizeof ways[0]);
    if (m->flags + 3 > MAX_FLAGS)
        return;
    add(m, ACT_LOOP)->turns = 2 + random_below(&m->r, 2);
    ways[n](m);
    if (ways[n] == exchange_by_mbarrier || ways[n] == hand_over)
        add(m, ACT_BARRIER); /* nobody may arrive twice before the others have come */
    else
        end_turn(m, ways[n] == exchange_by_flags);
    add(m, ACT_LOOP_END);
}

/** Blocks of a cluster store, meet, and load what the next one has stored, or store in its shared memory. */
static void exchange_in_cluster(struct making *m)
{
    bool relaxed = one_in(m, 3), far = one_in(m, 2), shared = one_in(m, 3) ? false : true;
    if (m->k->count + MOST_STEPS > MAX_STEPS || !take_part(m, shared))
        return;
    access_part(m, one_in(m, 4) ? ACT_ADD : ACT_STORE, FORM_OWN, 0)->remote = shared && far;
    if (relaxed)
        add_fence(m, !slips(m, 4));
    if (relaxed || !faulty(m))
        meet_in_cluster(m)->strength = relaxed ? RELAXED : ORDERED;
    else
        add(m, ACT_BARRIER);
    struct step *s = access_part(m, one_in(m, 4) ? ACT_STORE : ACT_LOAD, shared ? FORM_XOR : FORM_REVERSED, shared ? 1u << random_below(&m->r, 5) : 0);
    s->remote = shared && !far;
}

static void add_exchange(struct making *m)
{
    void (*const ways[])(struct making *) = {exchange_all,       exchange_lanes,    exchange_warps,    hand_over,         copy_over, copy_in_groups,
                                             exchange_by_flags,  exchange_in_block, exchange_by_ticket, exchange_by_ticket, exchange_by_lock,
                                             exchange_by_lock,   exchange_claimed,  exchange_by_mbarrier, exchange_in_turns, exchange_in_turns, exchange_in_turns};
    uint32_t n = random_below(&m->r, sizeof ways / sizeof ways[0]);
    if (m->k->count + MOST_STEPS <= MAX_STEPS)
        ways[n](m);
}

void random_signals(struct random_kernel *k, int number, uint64_t seed)
{
    struct making m = {.r = mix64(seed * MIX_STEP + (uint64_t)number), .k = k};
    *k = (struct random_kernel){.number = number};
    k->blocks = PICK(&m.r, 1, 1, 2, 3);
    k->threads = PICK(&m.r, 32, 64, 64, 128);
    m.faults = PICK(&m.r, 0, 2, 6);
    k->clustered = k->blocks > 1 && one_in(&m, 2);
    if (k->clustered)
        meet_in_cluster(&m); /* all blocks are there */
    for (int n = 2 + (int)random_below(&m.r, 5); n; n--)
        if (k->clustered && one_in(&m, 2))
            exchange_in_cluster(&m);
        else
            add_exchange(&m);
    for (uint32_t n = k->clustered ? (uint32_t)(mix64(m.r) % 3) : 0; n && k->count + MOST_STEPS <= MAX_STEPS; n--)
        exchange_by_far_mbarrier(&m);
    if (k->clustered)
        meet_in_cluster(&m); /* none leaves before the others are done */
}
