/**
 * @file random_signals.c
 * Kernels whose threads are ordered by more than whole barriers (random_kernel.h): exchanges one after another, each through a part of memory of
 * its own, where some store, something orders, and others load; right, but for what is left out, weakened, or said in the wrong turn. None waits
 * for what comes later in its text, so each ends.
 */
#include "random_kernel.h"

#include "base/mix.h"

/** What is being made. */
struct making {
    uint64_t r;
    struct random_kernel *k;
    uint32_t faults;               /**< of a hundred steps that order, so many are left out */
    int shared_parts, global_parts, flags;
    struct part {
        bool shared;
        int array;
        uint32_t base;
    } part;                        /**< of the exchange that is made */
};

#define FIRST_GLOBAL 1200u         /* words; before it lie the elements of accesses to none but the own */

static bool one_in(struct making *m, uint32_t n)
{
    return random_below(&m->r, n) == 0;
}

static bool faulty(struct making *m)
{
    return random_below(&m->r, 100) < m->faults;
}

/** One of n, in kernels with faults. */
static bool slips(struct making *m, uint32_t n)
{
    return m->faults && one_in(m, n);
}

static struct step *add(struct making *m, enum act act)
{
    struct step *s = &m->k->step[m->k->count++];
    *s = (struct step){.act = act, .block = ANY_BLOCK};
    return s;
}

/** A step that orders, or not. */
static struct step *order(struct making *m, enum act act)
{
    static struct step none;
    return faulty(m) ? &none : add(m, act);
}

/** An access to the element that FORM_OWN, or another form with `d`, says. */
static struct step *access_part(struct making *m, enum act act, enum form form, uint32_t d)
{
    struct step *s = add(m, act);
    s->shared = m->part.shared, s->array = m->part.array, s->base = m->part.base;
    s->unit = 4, s->count = 1;
    s->form = form, s->a = 1, s->d = d;
    s->predicated = one_in(m, 2);
    m->k->has_shared |= s->shared;
    return s;
}

static struct step *guarded(struct step *s, enum guard guard, uint32_t bound)
{
    s->guard = guard, s->bound = bound;
    return s;
}

/** Room of its own for one exchange. @return false: there is none left */
static bool take_part(struct making *m, bool shared)
{
    uint32_t words = shared ? m->k->threads : m->k->threads * m->k->blocks, arrays = shared ? SHARED_ARRAYS : GLOBAL_ARRAYS;
    uint32_t first = shared ? 0 : FIRST_GLOBAL, all = (shared ? SHARED_BYTES : GLOBAL_BYTES) / 4, n = (uint32_t)(shared ? m->shared_parts++ : m->global_parts++);
    m->part = (struct part){shared, (int)(n % arrays), first + n / arrays * words};
    return m->part.base + words <= all;
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

/* ---- By flags ---- */

/** How a message is sent. */
struct message {
    uint32_t from, to;             /**< blocks; ANY_BLOCK: from all, or to all */
    uint32_t flag;
    enum strength strength;
    bool fenced, wide;
};

static void add_fence(struct making *m, bool wide)
{
    order(m, ACT_FENCE)->wide = wide;
}

/** The block's threads, then one of them, say that all before is done. */
static void send(struct making *m, const struct message *msg)
{
    bool turned = msg->fenced && slips(m, 6);
    if (turned)
        add_fence(m, msg->wide); /* before the barrier: of what its thread did alone */
    order(m, ACT_BARRIER);
    if (msg->fenced && !turned)
        add_fence(m, msg->wide && !slips(m, 8));
    struct step *s = guarded(add(m, ACT_SIGNAL), GUARD_BELOW, 1);
    s->flag = msg->flag, s->block = msg->from, s->strength = msg->strength;
    s->wide = (msg->wide && !slips(m, 8)) || msg->strength == VOLATILE;
}

/** One waits, or some or all; a barrier lets the others know. */
static void receive(struct making *m, const struct message *msg)
{
    struct step *s = guarded(add(m, ACT_WAIT), GUARD_BELOW, PICK(&m->r, 1, 1, 1, 32, m->k->threads));
    s->flag = msg->flag, s->block = msg->to, s->strength = msg->strength;
    s->until = msg->from == ANY_BLOCK ? m->k->blocks : 1;
    s->wide = (msg->wide && !slips(m, 8)) || msg->strength == VOLATILE;
    bool turned = msg->fenced && slips(m, 6), all = s->bound == m->k->threads && one_in(m, 2);
    if (turned && !all)
        order(m, ACT_BARRIER);
    if (msg->fenced)
        add_fence(m, msg->wide);
    if (!turned && !all)
        order(m, ACT_BARRIER);
}

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

static void add_exchange(struct making *m)
{
    void (*const ways[])(struct making *) = {exchange_all,  exchange_lanes,    exchange_warps,    hand_over,        copy_over,
                                             exchange_lanes, exchange_by_flags, exchange_by_flags, exchange_in_block};
    uint32_t n = random_below(&m->r, sizeof ways / sizeof ways[0]);
    ways[n](m);
}

void random_signals(struct random_kernel *k, int number, uint64_t seed)
{
    struct making m = {.r = mix64(seed * MIX_STEP + (uint64_t)number), .k = k};
    *k = (struct random_kernel){.number = number};
    k->blocks = PICK(&m.r, 1, 1, 2, 3);
    k->threads = PICK(&m.r, 32, 64, 64, 128);
    m.faults = PICK(&m.r, 0, 2, 6);
    for (int n = 2 + (int)random_below(&m.r, 5); n; n--)
        add_exchange(&m);
}
