/**
 * @file rounds.c
 * All warps of a block go round in compiled code (go_on.h): each in its turn, in block_run()'s order, up to the barrier at which all meet, or to the
 * kernel's end.
 *
 * Where nobody watches, where groups stand and who has arrived is written down only when some warp does anything else: most never do. Under the checks
 * it is written down for each warp where it stands, for checkers may look at it when another one accesses memory; but they hear of a barrier once, when
 * the last warp has come to it (barrier_met), unless they have heard of some one by one.
 */
#include <string.h>

#include "execute/engine.h"
#include "execute/go_on.h"
#include "execute/observer_asks.h"
#include "execute/schedule.h"
#include "execute/worker.h"

/** A round: all warps stood at `from`; `met` of them, from `first` on, stand at `barrier` now, or `ended` of them have ended. */
struct round {
    const struct insn *from, *barrier;
    struct barrier_state *state;  /**< of `barrier`, the block's `number`th */
    uintptr_t left;               /**< what the code has given for the last of them */
    int first, met, ended, number;
    int told;                     /**< so many of `met`, from `first` on, the checkers know of */
    int now;                      /**< whose turn is next, or was the last */
    int64_t fuel;                 /**< that the next turn begins with */
    uint64_t instructions, lane_instructions; /**< issued in it, and not yet handed over */
};

static int next_warp(const struct block *b, int i)
{
    return i + 1 < b->warp_count ? i + 1 : 0;
}

static int warp_before(const struct block *b, int i)
{
    return i ? i - 1 : b->warp_count - 1;
}

/* ---- A round begins ---- */

/** The round is to end at the barrier that the code has left at. */
static void begin_barrier(struct block *b, struct round *r, uintptr_t left)
{
    uint32_t number;
    r->left = left;
    r->barrier = go_on_barrier(left);
    memcpy(&number, b->warps[0].constants + (r->barrier->src[0] & ~CONST_BIT), sizeof number);
    r->number = (int)number;
    r->state = &b->barriers[number];
}

static bool stands_whole(const struct warp *w, const struct insn *at, enum group_state state)
{
    const struct group *g = w->groups;
    return w->kept == at && w->group_count == 1 && g->state == state && g->pc == at && g->mask == w->full;
}

/** The warps before `i` that have arrived at a barrier from compiled code: r->met and r->first. @return false if others have, or one of them has not been counted */
static bool find_arrived(struct block *b, int i, struct round *r)
{
    uint32_t arrived = 0;
    for (int j = warp_before(b, i); j != i; j = warp_before(b, j)) {
        const struct warp *w = &b->warps[j];
        if (w->groups[0].state != GROUP_AT_BARRIER)
            break;
        if (!r->met && w->kept)
            begin_barrier(b, r, (uintptr_t)(w->kept - 1) | MACHINE_CODE_WAITS);
        if (!w->kept || !stands_whole(w, r->barrier + 1, GROUP_AT_BARRIER) || w->full & ~w->arrived_lanes)
            return false;
        arrived += w->active;
        r->met++;
        r->first = j;
    }
    r->told = r->met;
    return !r->met || (r->state->arrived == arrived && !r->state->expected);
}

/** Their arrival is the round's, and not written down any more. @param watched it is where they stand */
static void take_arrived(struct block *b, struct round *r, bool watched)
{
    r->state->arrived = r->state->arrived_rounded = 0;
    b->arrived_at &= ~(1u << r->number);
    for (int n = 0, i = r->first; n < r->met && !watched; n++, i = next_warp(b, i)) {
        b->warps[i].groups[0].state = GROUP_READY;
        b->warps[i].arrived_lanes = 0;
    }
}

/** What block_go_round() says: may warp `i` begin, or go on with, a round? @return false if not: nothing has changed */
static bool find_round(struct block *b, int i, struct round *r)
{
    const struct machine *m = b->warps[0].worker->machine;
    const struct insn *at = b->warps[i].kept;
    bool fresh = b->fresh, watched = m->observers.count;
    b->fresh = false;
    if (!at || b->warp_count == 1 || m->schedule != SCHEDULE_NATURAL || (watched && !(m->observers.hear_meetings && go_on_unwatched(m))))
        return false;
    *r = (struct round){.from = at, .left = MACHINE_CODE_WAITS, .first = i, .now = i};
    if (fresh)
        return true;
    if (b->live_threads != b->grid->threads_per_block || b->grid->config.lone || !find_arrived(b, i, r))
        return false;
    for (int j = i, n = r->met; n < b->warp_count; n++, j = next_warp(b, j))
        if (!stands_whole(&b->warps[j], at, GROUP_READY))
            return false;
    if (r->met)
        take_arrived(b, r, watched);
    return true;
}

/** The first turn of each warp begins, but for its fuel. */
static void begin_turns(struct block *b, bool watched)
{
    for (struct warp *w = b->warps, *behind = w + b->warp_count; w < behind; w++) {
        warp_forget_turn(w);
        w->unwatched = true;
        if (!watched)
            go_on_whole(w);
    }
}

/* ---- What is written down ---- */

/** The warp waits at the round's barrier, as checkers may see. */
static inline void stand_at_barrier(struct warp *w, const struct round *r)
{
    struct group *g = w->groups;
    g->pc = w->kept = r->barrier + 1;
    g->frame = w->frame_offset;
    g->barrier = (uint8_t)r->number;
    g->state = GROUP_AT_BARRIER;
    w->arrived_lanes = w->mask;
    w->current = -1;
}

/** The checkers hear of those who have arrived, one by one. */
static void tell_arrived(struct block *b, struct round *r)
{
    for (int n = 0, i = r->first; n < r->met; n++, i = next_warp(b, i))
        if (n >= r->told) {
            b->grid->counters[COUNT_BARRIERS]++;
            OBSERVE_THOSE(&b->warps[i].worker->machine->observers, at_arrivals, barrier_arrive, &b->warps[i], r->barrier, r->number, BARRIER_SYNC);
        }
    r->told = r->met;
}

/** Where the groups stand, and who has arrived; `runs`: the warp that has done something else meanwhile, or -1. */
static void write_down_unwatched(struct block *b, const struct round *r, int runs)
{
    for (int i = 0; i < b->warp_count; i++)
        if (i != runs) {
            b->warps[i].kept = r->from;
            b->warps[i].groups[0].pc = r->from;
            b->warps[i].groups[0].frame = b->warps[i].frame_offset;
            b->warps[i].current = -1;
        }
    for (int n = 0, i = r->first; n < r->met; n++, i = next_warp(b, i)) {
        b->warps[i].current = 0;
        b->warps[i].kept = r->barrier + 1;
        barrier_meet(&b->warps[i], r->barrier);
    }
}

/** The same under the checks, where the groups stand as they are written down. */
static void write_down_watched(struct block *b, struct round *r)
{
    if (!r->met)
        return;
    tell_arrived(b, r);
    for (int n = 0, i = r->first; n < r->met; n++, i = next_warp(b, i)) {
        r->state->arrived += b->warps[i].active;
        r->state->arrived_rounded += WARP_LANES;
    }
    b->arrived_at |= 1u << r->number;
}

static void write_down(struct block *b, struct round *r, int runs, bool watched)
{
    if (watched)
        write_down_watched(b, r);
    else
        write_down_unwatched(b, r, runs);
}

/* ---- Turns ---- */

/** Does the first warp of the round, or one that has left elsewhere than the one before it, leave as a round may end? */
static bool may_end_round(struct block *b, struct round *r, uintptr_t left)
{
    if (!(left & MACHINE_CODE_WAITS) ? r->met || !exits_whole((const struct insn *)left) : r->met || r->ended)
        return false;
    r->left = left;
    if (left & MACHINE_CODE_WAITS)
        begin_barrier(b, r, left);
    return true;
}

/** The warp stands at the round's barrier like the others, or all of its threads end and none of the block waits for them. @return false if not, or if
 *  arriving there is more than that: some have ended, or somebody has been counted there who is not of the round */
static inline __attribute__((always_inline)) bool goes_round(struct warp *w, struct round *r, uintptr_t left, const bool watched)
{
    if (watched && (!grid_running(w->block->grid) || w->groups[0].parted))
        return false;
    if (left != r->left && !may_end_round(w->block, r, left))
        return false;
    if (left & MACHINE_CODE_WAITS) {
        if (r->state->arrived | r->state->expected)
            return false;
        if (watched)
            stand_at_barrier(w, r);
        r->met++;
        return true;
    }
    if (watched) {
        if (!may_exit_whole(w))
            return false;
        OBSERVE_THOSE(&w->worker->machine->observers, at_exits, exit, w, w->mask);
    }
    if (!exit_whole(w, (const struct insn *)left))
        return false;
    r->ended++;
    return true;
}

/** What has been issued in the round is the worker's. */
static void hand_over(struct worker *k, struct round *r)
{
    k->instructions += r->instructions;
    k->lane_instructions += r->lane_instructions;
    r->instructions = r->lane_instructions = 0;
}

/** In the place of machine code where there is none, or where a warp is looked at closely. */
static const struct insn *stands_still(struct warp *w, __attribute__((unused)) uint32_t entry)
{
    return w->run_start;
}

enum round_end {
    ROUND_GONE,   /**< all have had their turn, and go round */
    ROUND_BROKEN, /**< the last turn's warp does anything else */
    ROUND_STOPS   /**< it is some other block's turn */
};

/** The turns of a round from r->now on; what is issued is counted in registers of the processor: a turn may be some hundred of its instructions.
 *  @param fuel of each turn but the next one  @param end when the worker has issued so many instructions, it ends behind the block's last warp
 *  @param left what the code has given in the last turn */
static inline __attribute__((always_inline)) enum round_end take_turns(struct block *b, struct round *r, int64_t fuel, uint64_t end, uintptr_t *left, const bool watched)
{
    const struct insn *from = r->from;
    const struct machine_code *code = go_on_code(b, from);
    machine_code_fn *run = code ? code->run : stands_still;
    uint32_t entry = code ? code->entry | 1 : 0;
    struct warp *const warps = b->warps, *const behind = warps + b->warp_count, *const first = warps + r->first, *w = warps + r->now, *last;
    enum round_end how = ROUND_GONE;
    uint64_t instructions = 0, lane_instructions = 0;
    int64_t turn = r->fuel;
    do {
        instructions -= w->instructions;
        lane_instructions -= w->lane_instructions;
        w->fuel = turn - w->polled_away;
        w->reserve = 0;
        w->run_start = from;
        if (watched)
            go_on_whole(w);
        turn = fuel;
        *left = (uintptr_t)(watched && *w->closely ? stands_still : run)(w, entry);
        if (!goes_round(w, r, *left, watched))
            how = ROUND_BROKEN;
        instructions += w->instructions;
        lane_instructions += w->lane_instructions;
        last = w;
        if (++w == behind && how == ROUND_GONE) {
            w = warps;
            if (w != first && first->worker->instructions + instructions > end)
                how = ROUND_STOPS;
        }
        if (watched && how == ROUND_GONE && w != first)
            warp_forget_turn(w);
    } while (how == ROUND_GONE && w != first);
    r->instructions += instructions;
    r->lane_instructions += lane_instructions;
    r->now = last->index;
    return how;
}

/** All have met. Who has come last goes on at once, and the next round begins with it. @return whether it may go on */
static bool begin_next(struct block *b, struct round *r, bool watched)
{
    struct warp *w = &b->warps[r->now];
    if (!watched) {
        r->state->generation++;
    } else if (r->told) {
        tell_arrived(b, r);
        barrier_complete(b, r->number);
    } else {
        b->grid->counters[COUNT_BARRIERS] += (uint64_t)r->met;
        barrier_met(b, r->barrier, r->number);
    }
    *r = (struct round){.from = r->barrier + 1, .left = MACHINE_CODE_WAITS, .first = r->now, .now = r->now, .fuel = w->fuel + w->reserve + w->polled_away};
    if (w->fuel + w->reserve > 0)
        return true;
    write_down(b, r, -1, watched);
    w->polled_away = 0;
    return false;
}

/** The warp whose turn was the last does anything else. */
static enum warp_result leave_round(struct block *b, struct round *r, uintptr_t left, bool watched)
{
    struct warp *w = &b->warps[r->now];
    write_down(b, r, w->index, watched);
    r->instructions -= w->instructions;
    r->lane_instructions -= w->lane_instructions;
    enum warp_result result = go_on_finish(w, r->from, left);
    r->instructions += w->instructions;
    r->lane_instructions += w->lane_instructions;
    hand_over(w->worker, r);
    return result;
}

static inline __attribute__((always_inline)) enum warp_result go_round(struct block *b, struct round *r, int64_t fuel, uint64_t end, const bool watched)
{
    begin_turns(b, watched);
    r->fuel = fuel;
    do {
        uintptr_t left;
        enum round_end how = take_turns(b, r, fuel, end, &left, watched);
        if (how == ROUND_BROKEN)
            return leave_round(b, r, left, watched);
        hand_over(b->warps[0].worker, r);
        if (how == ROUND_STOPS) {
            write_down(b, r, -1, watched);
            return WARP_BLOCKED;
        }
        if (r->ended)
            return WARP_DONE;
    } while (begin_next(b, r, watched) && (!watched || grid_running(b->grid)));
    return watched && !grid_running(b->grid) ? WARP_ABORTED : WARP_YIELDED;
}

/* Each by itself, for the sake of the processor's registers. */
static __attribute__((noinline)) enum warp_result go_round_unwatched(struct block *b, struct round *r, int64_t fuel, uint64_t end)
{
    return go_round(b, r, fuel, end, false);
}

static __attribute__((noinline)) enum warp_result go_round_watched(struct block *b, struct round *r, int64_t fuel, uint64_t end)
{
    return go_round(b, r, fuel, end, true);
}

bool block_go_round(struct block *b, int *warp, int64_t fuel, uint64_t end, enum warp_result *result)
{
    struct round r;
    if (!find_round(b, *warp, &r))
        return false;
    *result = b->warps[0].worker->machine->observers.count ? go_round_watched(b, &r, fuel, end) : go_round_unwatched(b, &r, fuel, end);
    *warp = r.now;
    return true;
}
