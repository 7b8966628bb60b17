/**
 * @file barrier.c
 * Block barriers: bar.sync, bar.arrive, bar.red and their unaligned forms (PTX ISA 9.7.13.1).
 *
 * An aligned barrier wants all lanes of a warp together. A group that is not the whole warp waits
 * uncounted (its lanes are not in warp->arrived_lanes) until the other lanes stand at a barrier too
 * or cannot run; only then it is clear whether the warp has diverged for good. If it has, the
 * threads are counted one by one, as GPUs since Volta do, after the checkers have been told. A part that only arrives does likewise.
 * Without a count a barrier completes when every thread that has not exited has arrived.
 */
#include "execute/engine.h"
#include "execute/fault.h"
#include "execute/quiet_shared.h"
#include "execute/schedule.h"
#include "execute/warp_run.h"
#include "execute/worker.h"

#include <string.h>

#define ALIGNED 1u
#define RED_NEGATED 2u

enum red_op { RED_POPC, RED_AND, RED_OR };

/** The barrier instruction at which a waiting group stands: it resumes behind it. */
static const struct insn *waiting_at(const struct group *g)
{
    return g->pc - 1;
}

static bool is_red(const struct insn *in)
{
    return in->op->defines;
}

static bool is_arrive(const struct insn *in)
{
    return in->op->flags & OP_ARRIVES;
}

/** OBSERVE() of a hook of which it is noted who has it. */
#define OBSERVE_THOSE(set, who, hook, ...)                                                         \
    do {                                                                                           \
        for (uint32_t who_ = (set)->who; who_; who_ &= who_ - 1)                                   \
            (set)->hooks[__builtin_ctz(who_)]->hook((set)->self[__builtin_ctz(who_)], __VA_ARGS__); \
    } while (0)

static void write_predicate(uint32_t *p, uint32_t mask, bool value)
{
    *p = value ? *p | mask : *p & ~mask;
}

/** Gives a group at bar.red its result. */
static void deliver(struct warp *w, const struct group *g, const struct barrier_state *s)
{
    const struct insn *in = waiting_at(g);
    if (!is_red(in) || in->dst == REG_NONE)
        return;
    uint32_t *dst = (uint32_t *)(w->file + g->frame + in->dst);
    switch ((enum red_op)(in->imm >> 8)) {
    case RED_POPC:
        for (int i = 0; i < WARP_LANES; i++)
            if (g->mask >> i & 1)
                dst[i] = s->red_popc;
        break;
    case RED_AND:
        write_predicate(dst, g->mask, s->red_and != 0);
        break;
    case RED_OR:
        write_predicate(dst, g->mask, s->red_or != 0);
        break;
    }
}

static bool is_complete(const struct block *b, const struct barrier_state *s)
{
    if (s->expected && !b->grid->config.lone)
        return s->arrived_rounded >= s->expected || s->arrived >= s->expected;
    return s->arrived > 0 && s->arrived >= b->live_threads;
}

/** It has completed: nobody has arrived there yet. */
static void begin_again(struct block *b, int barrier)
{
    b->barriers[barrier] = (struct barrier_state){.generation = b->barriers[barrier].generation + 1};
    b->arrived_at &= ~(1u << barrier);
}

/** Releases everyone who waits at `barrier`. */
static void complete(struct block *b, int barrier)
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
            deliver(w, g, s);
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

/** Lanes of a warp that have been counted at the barrier and wait there. */
static uint32_t waiting_lanes(const struct warp *w, int barrier)
{
    uint32_t lanes = 0;
    for (int i = 0; i < w->group_count; i++)
        if (w->groups[i].state == GROUP_AT_BARRIER && w->groups[i].barrier == barrier)
            lanes |= w->groups[i].mask & w->arrived_lanes;
    return lanes;
}

/** A part of a warp has been counted at the barrier. */
static void count_part(struct warp *w, int barrier)
{
    struct block *b = w->block;
    struct barrier_state *s = &b->barriers[barrier];
    for (int i = 0; i < b->warp_count && !s->in_parts; i++)
        b->warps[i].parts_at[barrier] = 0;
    s->in_parts = true;
    w->parts_at[barrier] |= w->mask;
}

/** Those of the warp that have not exited have come to the barrier, in parts that have been counted one by one: now the warp has arrived. Who only
 *  arrived and has exited since has been counted. */
static void round_up(struct warp *w, int barrier)
{
    struct barrier_state *s = &w->block->barriers[barrier];
    if (!s->in_parts || !w->parts_at[barrier] || w->live & ~w->parts_at[barrier])
        return;
    s->arrived_rounded += WARP_LANES - (uint32_t)__builtin_popcount(w->parts_at[barrier]);
    w->parts_at[barrier] = 0;
}

void barrier_exited(struct warp *w)
{
    struct block *b = w->block;
    for (uint32_t rest = b->arrived_at; rest; rest &= rest - 1)
        if (waiting_lanes(w, __builtin_ctz(rest)))
            round_up(w, __builtin_ctz(rest));
    for (uint32_t rest = b->arrived_at; rest; rest &= rest - 1)
        if (is_complete(b, &b->barriers[__builtin_ctz(rest)]))
            complete(b, __builtin_ctz(rest));
}

/** Adds the bar.red operands of the lanes in w->mask to the barrier's result. */
static void reduce(struct warp *w, const struct insn *in, struct barrier_state *s, bool first)
{
    uint32_t p = *(const uint32_t *)warp_reg(w, in->src[2]);
    if (in->imm & RED_NEGATED)
        p = ~p;
    p &= w->mask;
    s->red_and = (first || s->red_and) && p == w->mask;
    s->red_or |= p != 0;
    s->red_popc += (uint32_t)__builtin_popcount(p);
}

/** Counts the lanes in w->mask at the barrier; w->frame is theirs. */
static void arrive(struct warp *w, const struct insn *in, int barrier, uint32_t count)
{
    struct barrier_state *s = &w->block->barriers[barrier];
    enum barrier_kind kind = is_red(in)      ? BARRIER_RED
                             : is_arrive(in) ? BARRIER_ARRIVE
                                             : BARRIER_SYNC;
    bool first = s->arrived == 0;
    uint32_t threads = (uint32_t)__builtin_popcount(w->mask);
    if (count)
        s->expected = count;
    w->block->arrived_at |= 1u << barrier;
    s->arrived += threads;
    bool whole = w->mask == w->live && !(s->in_parts && w->parts_at[barrier]);
    s->arrived_rounded += whole ? WARP_LANES : threads;
    if (!whole) {
        count_part(w, barrier);
        round_up(w, barrier);
    }
    if (kind == BARRIER_RED)
        reduce(w, in, s, first);
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

/** Lanes that name another barrier, or another count, are at another barrier: they part. @return true if some have */
static bool parts_by_operands(struct warp *w, const struct insn *in)
{
    uint32_t others = 0;
    for (int i = 0; i < 2; i++)
        if (in->src[i] != REG_NONE && !(in->src[i] & CONST_BIT))
            others |= others_than_first(w, in->src[i]);
    if (others)
        warp_split(w, in, others, in);
    return others != 0;
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

/** The running group has come to a barrier. @return true if it waits for the rest of its warp first */
static bool waits_for_warp(struct warp *w, const struct insn *in, int barrier)
{
    struct group *g = &w->groups[w->current];
    g->barrier = (uint8_t)barrier;
    if ((in->imm & ALIGNED || in->src[1] == REG_NONE) && g->parted && warp_machine(w)->checked)
        OBSERVE(&warp_machine(w)->observers, parted_at_barrier, w, in);
    w->block->grid->came_apart |= w->mask != w->full;
    return in->imm & ALIGNED && w->mask != w->live;
}

/** The running group reaches a barrier that waits. */
static const struct insn *wait_at(struct warp *w, const struct insn *in)
{
    int barrier;
    uint32_t count;
    if (parts_by_operands(w, in))
        return in; /* as the lanes that stay */
    if (!operands(w, in, &barrier, &count))
        return NULL;
    if (waits_for_warp(w, in, barrier))
        return warp_stop(w, in, in + 1, GROUP_AT_BARRIER);
    arrive(w, in, barrier, count);
    warp_stop(w, in, in + 1, GROUP_AT_BARRIER);
    if (is_complete(w->block, &w->block->barriers[barrier])) {
        complete(w->block, barrier);
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
        waits_for_warp(w, in, g->barrier); /* it does not: it is whole */
        arrive(w, in, g->barrier, 0);
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
    complete(w->block, g->barrier);
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
    if (parts_by_operands(w, in))
        return in;
    if (!operands(w, in, &barrier, &count))
        return NULL;
    if (waits_for_warp(w, in, barrier))
        return warp_stop(w, in, in + 1, GROUP_AT_BARRIER);
    arrive(w, in, barrier, count);
    if (is_complete(w->block, &w->block->barriers[barrier]))
        complete(w->block, barrier);
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

bool barrier_settle(struct warp *w)
{
    bool pending = false;
    for (int i = 0; i < w->group_count; i++)
        if (w->groups[i].state == GROUP_AT_GRID || w->groups[i].state == GROUP_AT_CLUSTER) /* it will come */
            return false;
    gather_pending(w);
    for (int i = 0; i < w->group_count && !pending; i++)
        pending = w->groups[i].state == GROUP_AT_BARRIER &&
                  (w->groups[i].mask & ~w->arrived_lanes);
    if (!pending)
        return false;
    for (int i = 0; i < w->group_count; i++) {
        struct group *g = &w->groups[i];
        if (g->state != GROUP_AT_BARRIER || !(g->mask & ~w->arrived_lanes))
            continue;
        const struct insn *in = waiting_at(g);
        if (g->mask != w->live && !w->diverged) {
            w->diverged = true;
            OBSERVE(&warp_machine(w)->observers, diverged, w);
        }
        int barrier;
        uint32_t count;
        warp_load_group(w, i);
        w->run_start = in + 1;
        if (!operands(w, in, &barrier, &count))
            return false;
        arrive(w, in, barrier, count);
        if (is_arrive(in)) { /* it goes on at once */
            g->state = GROUP_READY;
            w->diverged = false;
        }
        w->current = -1;
        if (is_complete(w->block, &w->block->barriers[barrier]))
            complete(w->block, barrier);
    }
    return warp_ready(w);
}
