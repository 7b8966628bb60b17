/**
 * @file barrier.c
 * Block barriers: bar.sync, bar.arrive, bar.red and their unaligned forms (PTX ISA 9.7.13.1).
 *
 * A warp arrives as a whole: a thread that comes waits for all threads of its warp that have not exited, and then the warp is counted, as 32.
 * So a group that is not the whole warp waits uncounted (its lanes are not in warp->arrived_lanes) until the others stand at the same barrier,
 * as those that wait or as those that only arrive, or have exited. Where they stand at another one the kernel ends with an illegal instruction,
 * as on an H200 (tests/runtime/barrier_parts_facts.cu).
 *
 * An aligned barrier wants all lanes together: the checkers are told of a warp that has diverged for good, that is when none of its lanes can run.
 * Without a count a barrier completes when every thread that has not exited has arrived. There parts are counted at once, if it is not aligned,
 * and after the checkers have been told if it is: who waits for the warp waits for the block in any case.
 */
#include "execute/barrier_red.h"
#include "execute/engine.h"
#include "execute/fault.h"
#include "execute/observer_asks.h"
#include "execute/quiet_shared.h"
#include "execute/schedule.h"
#include "execute/warp_run.h"
#include "execute/worker.h"

#include <string.h>

#define ALIGNED 1u

/** The barrier instruction at which a waiting group stands: it resumes behind it. */
static const struct insn *waiting_at(const struct group *g)
{
    return g->pc - 1;
}

static bool is_arrive(const struct insn *in)
{
    return in->op->flags & OP_ARRIVES;
}

static bool is_complete(const struct block *b, const struct barrier_state *s)
{
    if (s->expected && !b->grid->config.lone)
        return s->arrived_rounded >= s->expected;
    return s->arrived > 0 && s->arrived >= b->live_threads;
}

/** It has completed: nobody has arrived there yet. */
static void begin_again(struct block *b, int barrier)
{
    b->barriers[barrier] = (struct barrier_state){.generation = b->barriers[barrier].generation + 1};
    b->arrived_at &= ~(1u << barrier);
}

void barrier_complete(struct block *b, int barrier)
{
    struct barrier_state *s = &b->barriers[barrier];
    const struct observer_set *observers = &b->warps[0].worker->machine->observers;
    const struct insn *behind = NULL;
    int whole = 0;
    OBSERVE_THOSE(observers, at_completions, barrier_complete, b, barrier);
    for (int i = 0; i < b->warp_count; i++) {
        struct warp *w = &b->warps[i];
        for (int j = 0; j < w->group_count; j++) {
            struct group *g = &w->groups[j];
            if (g->state != GROUP_AT_BARRIER || g->barrier != barrier ||
                (g->mask & ~w->arrived_lanes))
                continue;
            if (barrier_reduces(waiting_at(g)))
                barrier_red_deliver(w, g, waiting_at(g), s);
            g->state = GROUP_READY;
            w->arrived_lanes &= ~g->mask;
            w->diverged = false;
            whole += g->mask == w->full && (i == 0 || g->pc == behind);
            behind = g->pc;
        }
    }
    if (observers->count)
        quiet_shared_begin(b, whole == b->warp_count ? behind - 1 : NULL);
    begin_again(b, barrier);
}

void barrier_met(struct block *b, const struct insn *in, int barrier)
{
    OBSERVE_THOSE(&b->warps[0].worker->machine->observers, at_meetings, barrier_met, b, barrier);
    for (struct warp *w = b->warps, *behind = w + b->warp_count; w < behind; w++) {
        w->groups[0].state = GROUP_READY;
        w->arrived_lanes = 0;
    }
    quiet_shared_begin(b, in);
    begin_again(b, barrier);
}

void barrier_exited(struct warp *w)
{
    struct block *b = w->block;
    for (uint32_t rest = b->arrived_at; rest; rest &= rest - 1)
        if (is_complete(b, &b->barriers[__builtin_ctz(rest)]))
            barrier_complete(b, __builtin_ctz(rest));
}

/** Counts the lanes in w->mask at the barrier, and their warp as so many threads; w->frame is theirs. */
static void arrive(struct warp *w, const struct insn *in, int barrier, uint32_t count, uint32_t rounded)
{
    struct barrier_state *s = &w->block->barriers[barrier];
    enum barrier_kind kind = barrier_reduces(in) ? BARRIER_RED
                             : is_arrive(in)     ? BARRIER_ARRIVE
                                                 : BARRIER_SYNC;
    bool first = s->arrived == 0;
    uint32_t threads = (uint32_t)__builtin_popcount(w->mask);
    if (count)
        s->expected = count;
    w->block->arrived_at |= 1u << barrier;
    s->arrived += threads;
    s->arrived_rounded += rounded;
    if (kind == BARRIER_RED)
        barrier_red_add(w, in, s, first);
    if (kind != BARRIER_ARRIVE)
        w->arrived_lanes |= w->mask;
    if (warp_machine(w)->checked)
        w->block->grid->counters[COUNT_BARRIERS]++;
    OBSERVE_THOSE(&warp_machine(w)->observers, at_arrivals, barrier_arrive, w, in, barrier, kind);
    const struct machine *m = warp_machine(w);
    uint32_t result;
    if (!m->chooser.how || !m->chooser.how->barrier)
        return;
    if (!m->chooser.how->barrier(m->chooser.self, w, in, &(struct arrival){barrier, count, kind}, &result))
        grid_cut(w->block->grid);
    s->red_and = s->red_or = s->red_popc = result;
}

/** The lanes in w->mask for which a register holds something else than for the first of them. */
static uint32_t others_than_first(const struct warp *w, uint32_t reg)
{
    const uint32_t *value = (const uint32_t *)warp_reg(w, reg);
    uint32_t others = 0;
    for (uint32_t rest = w->mask; rest; rest &= rest - 1)
        if (value[__builtin_ctz(rest)] != value[__builtin_ctz(w->mask)])
            others |= rest & -rest;
    return others;
}

/** Lanes that name another barrier, or another count than the first, are at another barrier: they part, and come here again. */
static void part_by_operands(struct warp *w, const struct insn *in)
{
    uint32_t others = 0;
    for (int i = 0; i < 2; i++)
        if (in->src[i] != REG_NONE && !(in->src[i] & CONST_BIT))
            others |= others_than_first(w, in->src[i]);
    if (others)
        warp_split(w, in, others, in);
}

/** The barrier's number and count, which are the same for all lanes of a group; false = fault. */
static bool operands(struct warp *w, const struct insn *in, int *barrier, uint32_t *count)
{
    int lane = __builtin_ctz(w->mask);
    uint32_t number = ((const uint32_t *)warp_reg(w, in->src[0]))[lane];
    *count = in->src[1] == REG_NONE ? 0 : ((const uint32_t *)warp_reg(w, in->src[1]))[lane];
    *barrier = (int)number;
    if (number > 15) {
        fault_at(w, in, lane, &(struct fault){.cause = CAUSE_BARRIER_NUMBER, .facts.number = number});
        return false;
    }
    if (in->src[1] != REG_NONE && (*count == 0 || *count % WARP_LANES)) {
        fault_at(w, in, lane, &(struct fault){.cause = CAUSE_BARRIER_COUNT, .facts.number = *count});
        return false;
    }
    return true;
}

/** The count that a group named which waits at a barrier; 0 = none. */
static uint32_t count_named(const struct warp *w, const struct group *g)
{
    uint32_t reg = waiting_at(g)->src[1];
    if (reg == REG_NONE)
        return 0;
    const void *lanes = reg & CONST_BIT ? w->constants + (reg & ~CONST_BIT) : w->file + g->frame + reg;
    return ((const uint32_t *)lanes)[__builtin_ctz(g->mask)];
}

/** Others of the running group's warp wait at another barrier than it comes to: that ends the kernel. */
static bool warp_waits_elsewhere(struct warp *w, const struct insn *in, int barrier, uint32_t count)
{
    for (int i = 0; i < w->group_count && !is_arrive(in); i++) {
        const struct group *g = &w->groups[i];
        if (i == w->current || g->state != GROUP_AT_BARRIER || is_arrive(waiting_at(g)))
            continue;
        uint32_t theirs = count_named(w, g);
        if (g->barrier == barrier && (!count || !theirs || count == theirs))
            continue;
        struct parted_facts who = {.warp = w->index, .threads = {w->index * WARP_LANES + __builtin_ctz(g->mask), w->index * WARP_LANES + __builtin_ctz(w->mask)},
                                   .barriers = {g->barrier, barrier}, .counts = {theirs, count}};
        fault_two_barriers(w, in, waiting_at(g), &who);
        return true;
    }
    return false;
}

/** The running group has come to a barrier. @return true if it waits for the rest of its warp first */
static bool waits_for_warp(struct warp *w, const struct insn *in, int barrier, uint32_t count)
{
    struct group *g = &w->groups[w->current];
    g->barrier = (uint8_t)barrier;
    if ((in->imm & ALIGNED || in->src[1] == REG_NONE) && g->parted && warp_machine(w)->checked)
        OBSERVE(&warp_machine(w)->observers, parted_at_barrier, w, in);
    w->block->grid->came_apart |= w->mask != w->full;
    return (in->imm & ALIGNED || count) && w->mask != w->live;
}

/** As how many threads the lanes in w->mask count where whole warps count as 32. */
static uint32_t rounded(const struct warp *w)
{
    return w->mask == w->live ? WARP_LANES : (uint32_t)__builtin_popcount(w->mask);
}

/** The running group reaches a barrier that waits. */
static const struct insn *wait_at(struct warp *w, const struct insn *in)
{
    int barrier;
    uint32_t count;
    part_by_operands(w, in);
    if (!operands(w, in, &barrier, &count) || warp_waits_elsewhere(w, in, barrier, count))
        return NULL;
    if (waits_for_warp(w, in, barrier, count))
        return warp_stop(w, in, in + 1, GROUP_AT_BARRIER);
    arrive(w, in, barrier, count, rounded(w));
    warp_stop(w, in, in + 1, GROUP_AT_BARRIER);
    if (is_complete(w->block, &w->block->barriers[barrier])) {
        barrier_complete(w->block, barrier);
        schedule_barrier_open(w);
    }
    return NULL;
}

bool barrier_meet(struct warp *w, const struct insn *in)
{
    struct group *g = w->groups;
    memcpy(&g->barrier, w->constants + (in->src[0] & ~CONST_BIT), sizeof g->barrier);
    struct barrier_state *s = &w->block->barriers[g->barrier];
    if (warp_machine(w)->observers.count) {
        waits_for_warp(w, in, g->barrier, 0); /* it does not: it is whole */
        arrive(w, in, g->barrier, 0, WARP_LANES);
    } else {
        w->block->grid->came_apart |= w->mask != w->full;
        w->block->arrived_at |= 1u << g->barrier;
        s->arrived += w->active;
        s->arrived_rounded += WARP_LANES;
        w->arrived_lanes |= w->mask;
    }
    warp_stop(w, in, in + 1, GROUP_AT_BARRIER);
    if (!is_complete(w->block, s))
        return false;
    barrier_complete(w->block, g->barrier);
    schedule_barrier_open(w);
    return true;
}

const struct insn *op_bar_sync(struct warp *w, const struct insn *in)
{
    return wait_at(w, in);
}

const struct insn *op_bar_red(struct warp *w, const struct insn *in)
{
    return wait_at(w, in);
}

const struct insn *op_bar_arrive(struct warp *w, const struct insn *in)
{
    int barrier;
    uint32_t count;
    part_by_operands(w, in);
    if (!operands(w, in, &barrier, &count) || warp_waits_elsewhere(w, in, barrier, count))
        return NULL;
    if (waits_for_warp(w, in, barrier, count))
        return warp_stop(w, in, in + 1, GROUP_AT_BARRIER);
    arrive(w, in, barrier, count, rounded(w));
    if (is_complete(w->block, &w->block->barriers[barrier]))
        barrier_complete(w->block, barrier);
    return in + 1;
}

/** Groups that wait uncounted at the same instruction become one. */
static void gather_pending(struct warp *w)
{
    for (int i = 0; i < w->group_count; i++)
        for (int j = w->group_count - 1; j > i; j--) {
            struct group *a = &w->groups[i], *b = &w->groups[j];
            if (a->state != GROUP_AT_BARRIER || b->state != GROUP_AT_BARRIER ||
                a->pc != b->pc || a->frame != b->frame || a->barrier != b->barrier ||
                (a->mask & w->arrived_lanes) || (b->mask & w->arrived_lanes))
                continue;
            a->mask |= b->mask;
            *b = w->groups[--w->group_count];
        }
}

/** Does the group wait uncounted? */
static bool is_pending(const struct warp *w, const struct group *g)
{
    return g->state == GROUP_AT_BARRIER && (g->mask & ~w->arrived_lanes);
}

/** The lanes that wait uncounted; none where some wait and some only arrive, who never get together. */
static uint32_t pending_lanes(const struct warp *w)
{
    uint32_t lanes[2] = {0};
    for (int i = 0; i < w->group_count; i++)
        if (is_pending(w, &w->groups[i]))
            lanes[is_arrive(waiting_at(&w->groups[i]))] |= w->groups[i].mask;
    return lanes[0] && lanes[1] ? 0 : lanes[0] | lanes[1];
}

/** Counts a group that waits uncounted. @return false after a fault */
static bool settle_group(struct warp *w, int i, bool whole, bool first)
{
    struct group *g = &w->groups[i];
    const struct insn *in = waiting_at(g);
    int barrier;
    uint32_t count;
    warp_load_group(w, i);
    w->run_start = in + 1;
    if (!operands(w, in, &barrier, &count))
        return false;
    arrive(w, in, barrier, count, !whole ? rounded(w) : first ? WARP_LANES : 0);
    if (is_arrive(in)) { /* it goes on at once */
        g->state = GROUP_READY;
        w->diverged = false;
    }
    w->current = -1;
    return true;
}

bool barrier_settle(struct warp *w)
{
    for (int i = 0; i < w->group_count; i++)
        if (w->groups[i].state == GROUP_AT_GRID || w->groups[i].state == GROUP_AT_CLUSTER) /* it will come */
            return false;
    gather_pending(w);
    bool whole = pending_lanes(w) == w->live, first = true;
    uint32_t at = 0;
    for (int i = 0; i < w->group_count; i++) {
        struct group *g = &w->groups[i];
        if (!is_pending(w, g))
            continue;
        if (waiting_at(g)->imm & ALIGNED && g->mask != w->live && !w->diverged) {
            w->diverged = true;
            OBSERVE(&warp_machine(w)->observers, diverged, w);
        }
        if (count_named(w, g) && !whole)
            continue;
        at |= 1u << g->barrier;
        if (!settle_group(w, i, whole, first))
            return false;
        first = false;
    }
    for (; at; at &= at - 1)
        if (is_complete(w->block, &w->block->barriers[__builtin_ctz(at)]))
            barrier_complete(w->block, __builtin_ctz(at));
    return !first && warp_ready(w);
}
