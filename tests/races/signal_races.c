/**
 * @file signal_races.c
 * Races of random_signals(), by definition (happens_before.h): its steps are played one after another by all threads, with vector clocks, and
 * each access is held against all others of the same byte; twice, for who comes first to a ticket or a lock is ordered before the others.
 *
 * Strong accesses are played as if no thread observed another's by them: what conflicts then may be ordered in a run in which one did, where two of
 * them are morally strong, unordered, and one writes (PTX ISA 8.9.4 and 8.9.6). What does not conflict never does.
 */
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "clocks.h"
#include "happens_before.h"

struct touch {
    struct moment at;
    uint32_t thread;
    enum act act;
    bool loads;
    struct atom atom;
    uint8_t value;
};

LIST_TYPE(touches, struct touch);

#define SHARED_ALL (SHARED_ARRAYS * SHARED_BYTES)

struct play {
    const struct random_kernel *k;
    uint32_t threads;              /**< of the grid */
    struct clocks *clocks;
    struct flag_clock *flags[MAX_FLAGS];
    struct flag_clock **met;       /**< those of mbarriers: MAX_FLAGS of each block */
    struct touches *bytes;         /**< those of global memory, then each block's shared */
    enum race_verdict worst;
    bool backward;                 /**< the last thread comes first to tickets and locks */
    bool strong, may_hear;         /**< some loads or stores are; two accesses by which one thread may come to know of another */
};

static void found(struct play *p, enum race_verdict v)
{
    if (v > p->worst)
        p->worst = v;
}

/** Two unordered accesses, of which the one may observe the other, or come to lie before it where fence.sc stand beside them. */
static void note_together(struct play *p, const struct touch *a, const struct touch *b)
{
    if (p->strong && !(a->loads && b->loads) && atoms_together(&a->atom, &b->atom))
        p->may_hear = true;
}

static enum race_verdict verdict_of(const struct touch *a, const struct touch *b)
{
    if ((a->loads && b->loads) || atoms_together(&a->atom, &b->atom))
        return RACE_NONE;
    if ((a->act == ACT_STORE && b->atom.may_agree) || (b->act == ACT_STORE && a->atom.may_agree))
        return RACE_EITHER;
    if (a->loads || b->loads || a->act == ACT_ADD || b->act == ACT_ADD)
        return RACE_ERROR;
    return a->act == ACT_COPY || b->act == ACT_COPY ? RACE_EITHER : a->value == b->value ? RACE_SAME_VALUE : RACE_ERROR;
}

static struct touches *bytes_at(struct play *p, const struct step *s, uint32_t block, uint32_t place)
{
    uint64_t base = s->shared ? (uint64_t)GLOBAL_ARRAYS * GLOBAL_BYTES + (uint64_t)block * SHARED_ALL + (uint64_t)s->array * SHARED_BYTES
                              : (uint64_t)s->array * GLOBAL_BYTES;
    return p->bytes + base + place;
}

/** The thread touches what step s says, as `t` says. */
static void touch(struct play *p, const struct step *s, uint32_t turn, struct touch t)
{
    uint32_t block = t.thread / p->k->threads, lane = t.thread % p->k->threads;
    uint32_t place = step_place(p->k, s, block, lane, turn);
    struct touches *at = bytes_at(p, s, step_owner(p->k, s, block), place);
    uint64_t value = step_value(p->k, s, block, lane);
    t.atom = atom_of(s, 0, block, place);
    for (unsigned i = 0; i < s->unit * s->count; i++) {
        t.atom.from = place + i - i % s->unit;
        t.value = (uint8_t)(value >> 8 * (i % s->unit));
        for (int j = 0; j < at[i].count && (p->worst < RACE_ERROR || (p->strong && !p->may_hear)); j++)
            if (!clocks_before(p->clocks, at[i].data[j].at, t.thread)) {
                found(p, verdict_of(&at[i].data[j], &t));
                note_together(p, &at[i].data[j], &t);
            }
        *LIST_PUSH(&at[i]) = t;
    }
}

static void play_access(struct play *p, const struct step *s, uint32_t thread, uint32_t turn)
{
    struct touch t = {clocks_now(p->clocks, thread), thread, s->act, s->act == ACT_LOAD, {0}, 0};
    if (s->act == ACT_COPY) {
        struct step source = copy_source(s);
        t.at = clocks_copy(p->clocks, thread);
        t.loads = true;
        touch(p, &source, turn, t);
        t.loads = false;
    }
    touch(p, s, turn, t);
}

/** Does the thread come to this meeting, of `block` and for lanes `warp`, and does it wait there? */
static bool comes(const struct random_kernel *k, const struct step *s, uint32_t block, uint32_t warp, uint32_t thread)
{
    uint32_t t = thread % k->threads;
    if (thread / k->threads != block)
        return false;
    switch (s->act) {
    case ACT_WARP_BARRIER: return t / 32 == warp;
    case ACT_SOME_LANES: return t / 32 == warp && s->mask >> t % 32 & 1;
    case ACT_SOME_WARPS: return step_taken(k, s, block, t);
    default: return true;
    }
}

static void play_meeting(struct play *p, const struct step *s)
{
    const struct random_kernel *k = p->k;
    bool come[1024], wait[1024], of_warps = s->act == ACT_WARP_BARRIER || s->act == ACT_SOME_LANES;
    for (uint32_t block = 0; block < k->blocks; block++)
        for (uint32_t warp = 0; warp < (of_warps ? k->threads / 32 : 1); warp++) {
            for (uint32_t t = 0; t < p->threads; t++) {
                come[t] = comes(k, s, block, warp, t);
                wait[t] = come[t] && !(s->act == ACT_HAND_OVER && step_taken(k, s, block, t % k->threads));
            }
            clocks_meet(p->clocks, come, wait);
        }
}

/** What a thread does by itself. */
static void play_alone(struct play *p, const struct step *s, uint32_t thread, uint32_t turn)
{
    bool fine = true;
    switch (s->act) {
    case ACT_LOAD:
    case ACT_STORE:
    case ACT_ADD:
    case ACT_COPY: play_access(p, s, thread, turn); break;
    case ACT_COMMIT: clocks_commit(p->clocks, thread); break;
    case ACT_COPIES_WAIT:
        if (s->until)
            clocks_groups_done(p->clocks, thread, s->until - 1);
        else
            clocks_copies_done(p->clocks, thread);
        break;
    case ACT_FENCE: clocks_fence(p->clocks, thread, s->wide, s->sc); break;
    case ACT_SIGNAL: fine = clocks_signal(p->clocks, p->flags[s->flag], thread, s); break;
    case ACT_WAIT:
    case ACT_LOCK: fine = clocks_wait(p->clocks, p->flags[s->flag], thread, s); break;
    case ACT_UNLOCK: fine = clocks_signal(p->clocks, p->flags[s->flag], thread, s); break;
    case ACT_TICKET: fine = clocks_wait(p->clocks, p->flags[s->flag], thread, s) && clocks_signal(p->clocks, p->flags[s->flag], thread, s); break;
    case ACT_ARRIVE: clocks_signal(p->clocks, p->met[step_owner(p->k, s, thread / p->k->threads) * MAX_FLAGS + s->flag], thread, s); break;
    case ACT_AWAIT: clocks_wait(p->clocks, p->met[thread / p->k->threads * MAX_FLAGS + s->flag], thread, s); break;
    default: break;
    }
    if (!fine)
        found(p, RACE_ERROR);
}

static bool is_meeting(enum act act)
{
    return act == ACT_BARRIER || act == ACT_WARP_BARRIER || act == ACT_SOME_LANES || act == ACT_SOME_WARPS || act == ACT_HAND_OVER;
}

static bool is_taken(const struct play *p, const struct step *s, uint32_t thread)
{
    const struct random_kernel *k = p->k;
    uint32_t block = thread / k->threads;
    return step_taken(k, s, s->guard == GUARD_LAST && p->backward ? k->blocks - 1 - block : block, thread % k->threads);
}

/** From a lock to where it is let go, one thread after another. @return the last step */
static int play_locked(struct play *p, int from, uint32_t turn)
{
    const struct random_kernel *k = p->k;
    int to = from;
    while (k->step[to].act != ACT_UNLOCK)
        to++;
    for (uint32_t n = 0; n < p->threads; n++) {
        uint32_t t = p->backward ? p->threads - 1 - n : n;
        if (step_taken(k, &k->step[from], t / k->threads, t % k->threads))
            for (int i = from; i <= to; i++)
                play_alone(p, &k->step[i], t, turn);
    }
    return to;
}

static void play_steps(struct play *p)
{
    const struct random_kernel *k = p->k;
    int loop = 0;
    uint32_t turn = 0;
    for (int i = 0; i < k->count; i++) {
        const struct step *s = &k->step[i];
        if (s->act == ACT_LOOP)
            loop = i;
        if (s->act == ACT_LOOP_END) {
            turn = turn + 1 < k->step[loop].turns ? turn + 1 : 0;
            if (turn)
                i = loop;
        }
        if (s->act == ACT_CLUSTER_BARRIER)
            clocks_meet_all(p->clocks, s->strength == RELAXED);
        if (is_meeting(s->act))
            play_meeting(p, s);
        if (s->act == ACT_LOCK) {
            i = play_locked(p, i, turn);
            continue;
        }
        for (uint32_t n = 0; n < p->threads; n++) {
            uint32_t t = p->backward ? p->threads - 1 - n : n;
            if (is_taken(p, s, t))
                play_alone(p, s, t, turn);
        }
    }
}

static enum race_verdict races_in_order(const struct random_kernel *k, bool backward)
{
    size_t bytes = (size_t)GLOBAL_ARRAYS * GLOBAL_BYTES + (size_t)k->blocks * SHARED_ALL;
    struct play p = {.k = k, .threads = k->blocks * k->threads, .clocks = clocks_new(k->blocks, k->threads), .bytes = calloc(bytes, sizeof *p.bytes), .backward = backward};
    if (!p.bytes)
        abort();
    for (int i = 0; i < MAX_FLAGS; i++)
        p.flags[i] = flag_clock_new(p.clocks);
    if (!(p.met = calloc((size_t)k->blocks * MAX_FLAGS, sizeof *p.met)))
        abort();
    for (uint32_t i = 0; i < k->blocks * MAX_FLAGS; i++)
        p.met[i] = flag_clock_new(p.clocks);
    for (int i = 0; i < k->count; i++)
        p.strong |= k->step[i].strong;
    play_steps(&p);
    if (p.worst && p.may_hear)
        p.worst = RACE_MAYBE;
    for (size_t i = 0; i < bytes; i++)
        LIST_FREE(&p.bytes[i]);
    for (int i = 0; i < MAX_FLAGS; i++)
        flag_clock_free(p.flags[i]);
    for (uint32_t i = 0; i < k->blocks * MAX_FLAGS; i++)
        flag_clock_free(p.met[i]);
    free(p.met);
    free(p.bytes);
    clocks_free(p.clocks);
    return p.worst;
}

enum race_verdict races_of_signals(const struct random_kernel *k)
{
    enum race_verdict forward = races_in_order(k, false), backward = races_in_order(k, true);
    if (forward == RACE_MAYBE || backward == RACE_MAYBE)
        return RACE_MAYBE;
    return forward > backward ? forward : backward;
}
