/**
 * @file go_on.c
 * Warps that go on in compiled code: at a kernel's beginning, and behind a barrier at which the whole warp left the code with its
 * registers in their frame. Checkers are told of the barrier, and the code is not called for a warp that they look at closely. Nothing has to be chosen, merged or settled then, so that what is left of warp_run(),
 * the interpreter's loop and op_bar_sync() is this.
 *
 * Where nobody watches and all warps of a block do so, they go round: each in its turn, in block_run()'s order, up to the barrier at which all meet, or
 * to the kernel's end. Where groups stand and who has arrived is written down only when some warp does anything else: most never do.
 *
 * Under the checks they go round, too. There it is written down for each warp, for checkers may look at it when another one accesses memory; but they hear of a
 * barrier once, when the last warp has come to it (barrier_met).
 */
#include <string.h>

#include "execute/bind.h"
#include "execute/engine.h"
#include "execute/grid_run.h"
#include "execute/observer_asks.h"
#include "execute/schedule.h"
#include "execute/warp_run.h"
#include "execute/worker.h"

static const struct machine_code *code_at(const struct block *b, const struct insn *in)
{
    return image_machine_code(b->grid->config.kernel->image, in);
}

/** Runs the warp from `in` on. @return what the code gives: where it has left, or MACHINE_CODE_WAITS and a barrier; without code, `in` */
static inline uintptr_t run_code(struct warp *w, const struct machine_code *code, const struct insn *in)
{
    w->kept = NULL;
    w->limit = (const struct insn *)UINTPTR_MAX;
    w->fuel = w->reserve;
    w->reserve = 0;
    w->current = 0;
    w->run_start = in;
    return code ? (uintptr_t)code->run(w, code->entry | 1) : (uintptr_t)in;
}

/** Does nobody want to see, or count, single instructions? Checkers are called from the code, but for a warp that they look at closely. */
static bool is_unwatched(const struct machine *m)
{
    return !m->observers.each_issue && !m->options.trace && !m->options.counters && !m->chooser.how;
}

bool may_go_on(const struct warp *w)
{
    const struct machine *m = w->worker->machine;
    return w->kept && m->schedule == SCHEDULE_NATURAL && w->group_count == 1 && (!m->observers.count || (is_unwatched(m) && !*w->closely));
}

bool begin_unwatched(const struct grid *g)
{
    return g->machine->schedule == SCHEDULE_NATURAL && is_unwatched(g->machine) && !g->config.lone;
}

static inline const struct insn *barrier_of(uintptr_t left)
{
    return (const struct insn *)(left & ~(uintptr_t)MACHINE_CODE_WAITS);
}

/** The rest of the turn, once run_code() from `in` on has given `left`. */
static enum warp_result finish_turn(struct warp *w, const struct insn *in, uintptr_t left)
{
    bool observed = w->worker->machine->observers.count;
    while (left & MACHINE_CODE_WAITS) {
        const struct insn *barrier = barrier_of(left);
        w->kept = in = barrier + 1;
        bool completed = barrier_meet(w, barrier);
        w->reserve += w->fuel;
        w->fuel = 0;
        if (observed && !grid_running(w->block->grid))
            return WARP_ABORTED;
        if (!completed)
            return WARP_BLOCKED;
        if (w->reserve <= 0) {
            w->polled_away = 0;
            return WARP_YIELDED;
        }
        left = run_code(w, code_at(w->block, in), in);
    }
    const struct insn *next = (const struct insn *)left;
    return warp_run_from(w, next == in && !observed ? bind_handler(in)(w, in) : next);
}

enum warp_result warp_go_on(struct warp *w, int64_t fuel)
{
    const struct insn *in = w->kept;
    warp_begin_turn(w, fuel);
    w->unwatched = true;
    return finish_turn(w, in, run_code(w, code_at(w->block, in), in));
}

static int next_warp(const struct block *b, int i)
{
    return i + 1 < b->warp_count ? i + 1 : 0;
}

static bool stands_whole(const struct warp *w, const struct insn *at)
{
    return w->kept == at && w->group_count == 1 && w->groups[0].state == GROUP_READY && w->groups[0].mask == w->full;
}

bool block_may_go_round(struct block *b, int i)
{
    const struct machine *m = b->warps[0].worker->machine;
    const struct insn *at = b->warps[i].kept;
    bool fresh = b->fresh;
    b->fresh = false;
    if (!at || b->warp_count == 1 || m->schedule != SCHEDULE_NATURAL || (m->observers.count && !(m->observers.hear_meetings && is_unwatched(m))))
        return false;
    if (fresh)
        return true;
    /* The one before it is looked at first: in a round that has begun otherwise it has arrived. */
    if (!stands_whole(&b->warps[i ? i - 1 : b->warp_count - 1], at) || b->live_threads != b->grid->threads_per_block || b->grid->config.lone)
        return false;
    for (int j = 0; j < b->warp_count; j++)
        if (!stands_whole(&b->warps[j], at))
            return false;
    return true;
}

/** A round: all warps stood at `from`; `met` of them, from `first` on, stand at `barrier` now, or `ended` of them have ended. */
struct round {
    const struct insn *from, *barrier;
    struct barrier_state *state;  /**< of `barrier`, the block's `number`th */
    uintptr_t left;               /**< what the code has given for the last of them */
    int first, met, ended, number;
    int64_t fuel;                 /**< that the first turn begins with */
    uint64_t instructions, lane_instructions; /**< issued in it, and not yet handed over */
};

/** Writes down where the groups stand, and who has arrived; `runs`: the warp that has done something else meanwhile, or -1. */
static void write_down(struct block *b, const struct round *r, int runs)
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

/** The round is to end at the barrier that the code has left at. */
static void begin_barrier(struct block *b, struct round *r, uintptr_t left)
{
    uint32_t number;
    r->barrier = barrier_of(left);
    memcpy(&number, b->warps[0].constants + (r->barrier->src[0] & ~CONST_BIT), sizeof number);
    r->number = (int)number;
    r->state = &b->barriers[number];
}

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
static inline bool goes_round(struct warp *w, struct round *r, uintptr_t left)
{
    if (left != r->left && !may_end_round(w->block, r, left))
        return false;
    if (left & MACHINE_CODE_WAITS) {
        if (r->state->arrived | r->state->expected)
            return false;
        r->met++;
    } else {
        if (!exit_whole(w, (const struct insn *)left))
            return false;
        r->ended++;
    }
    return true;
}

/** The first turn of each warp begins, but for its fuel. */
static void begin_rounds(struct block *b, int64_t fuel)
{
    for (struct warp *w = b->warps, *behind = w + b->warp_count; w < behind; w++) {
        warp_begin_turn(w, fuel);
        w->kept = NULL;
        w->limit = (const struct insn *)UINTPTR_MAX;
        w->current = 0;
    }
}

/** What has been issued in the round is the worker's. */
static void hand_over(struct worker *k, struct round *r)
{
    k->instructions += r->instructions;
    k->lane_instructions += r->lane_instructions;
    r->instructions = r->lane_instructions = 0;
}

/** In the place of machine code where there is none. */
static const struct insn *stands_still(struct warp *w, __attribute__((unused)) uint32_t entry)
{
    return w->run_start;
}

enum round_end {
    ROUND_GONE,   /**< all have had their turn, and go round */
    ROUND_BROKEN, /**< the last turn's warp does anything else */
    ROUND_STOPS   /**< it is some other block's turn */
};

/** The turns of a round, the first warp's with a fuel of its own; what is issued is counted in registers of the processor: a turn may be some hundred of its instructions.
 *  @param end when the worker has issued so many instructions, it ends behind the block's last warp  @param last whose turn was the last, and `left` so */
static enum round_end take_turns(struct block *b, struct round *r, int64_t fuel, uint64_t end, struct warp **last, uintptr_t *left)
{
    const struct insn *from = r->from;
    const struct machine_code *code = code_at(b, from);
    machine_code_fn *run = code ? code->run : stands_still;
    uint32_t entry = code ? code->entry | 1 : 0;
    struct warp *const warps = b->warps, *const behind = warps + b->warp_count, *const first = warps + r->first, *w = first;
    enum round_end how = ROUND_GONE;
    uint64_t instructions = 0, lane_instructions = 0;
    int64_t turn = r->fuel;
    do {
        instructions -= w->instructions;
        lane_instructions -= w->lane_instructions;
        w->fuel = turn - w->polled_away;
        w->reserve = 0;
        w->run_start = from;
        turn = fuel;
        *left = (uintptr_t)run(w, entry);
        if (!goes_round(w, r, *left))
            how = ROUND_BROKEN;
        instructions += w->instructions;
        lane_instructions += w->lane_instructions;
        *last = w;
        if (++w == behind && how == ROUND_GONE) {
            w = warps;
            if (w != first && first->worker->instructions + instructions > end)
                how = ROUND_STOPS;
        }
    } while (how == ROUND_GONE && w != first);
    r->instructions += instructions;
    r->lane_instructions += lane_instructions;
    return how;
}

/** All have met. Who has come last goes on at once, and the next round begins with it. @return whether it may go on */
static bool begin_next(struct block *b, struct round *r, int first)
{
    struct warp *w = &b->warps[first];
    r->state->generation++;
    *r = (struct round){.from = r->barrier + 1, .left = MACHINE_CODE_WAITS, .first = first, .fuel = w->fuel + w->reserve + w->polled_away};
    if (w->fuel + w->reserve > 0)
        return true;
    write_down(b, r, -1);
    w->polled_away = 0;
    return false;
}

/** The warp does anything else. */
static enum warp_result leave_round(struct block *b, struct round *r, struct warp *w, uintptr_t left)
{
    write_down(b, r, w->index);
    r->instructions -= w->instructions;
    r->lane_instructions -= w->lane_instructions;
    enum warp_result result = finish_turn(w, r->from, left);
    r->instructions += w->instructions;
    r->lane_instructions += w->lane_instructions;
    hand_over(w->worker, r);
    return result;
}

/* ---- Under the checks ---- */

/** Does the warp arrive at a barrier as a whole, where all that are counted are of this round, or end, if that is how the round goes? Then that is written down. */
static bool goes_round_watched(struct warp *w, struct round *r, uintptr_t left)
{
    struct block *b = w->block;
    struct group *g = w->groups;
    if (!grid_running(b->grid) || g->parted || (r->met + r->ended && left != r->left) ||
        (left & MACHINE_CODE_WAITS ? r->ended != 0 : r->met || !exits_whole((const struct insn *)left)))
        return false;
    r->left = left;
    if (!(left & MACHINE_CODE_WAITS)) {
        if (!may_exit_whole(w))
            return false;
        OBSERVE_THOSE(&w->worker->machine->observers, at_exits, exit, w, w->mask);
        r->ended++;
        return exit_whole(w, (const struct insn *)left);
    }
    if (!r->met) {
        begin_barrier(b, r, left);
        if (r->state->arrived | r->state->expected)
            return false;
    }
    g->barrier = (uint8_t)r->number;
    w->kept = r->barrier + 1;
    w->arrived_lanes |= w->mask;
    r->state->arrived += w->active;
    r->state->arrived_rounded += WARP_LANES;
    b->arrived_at |= 1u << g->barrier;
    warp_stop(w, r->barrier, w->kept, GROUP_AT_BARRIER);
    r->met++;
    return true;
}

/** All have met: the next round begins. */
static void meet_watched(struct block *b, struct round *r, int last)
{
    b->grid->counters[COUNT_BARRIERS] += (uint64_t)r->met;
    barrier_met(b, r->barrier, r->number);
    *r = (struct round){.from = r->barrier + 1, .first = last};
}

/** The warp does anything else: who waits is told of first. */
static enum warp_result leave_watched(struct block *b, struct round *r, struct warp *w, uintptr_t left)
{
    struct observer_set *set = &w->worker->machine->observers;
    for (int n = 0, i = r->first; n < r->met; n++, i = next_warp(b, i)) {
        b->grid->counters[COUNT_BARRIERS]++;
        OBSERVE(set, barrier_arrive, &b->warps[i], r->barrier, r->number, BARRIER_SYNC);
    }
    return finish_turn(w, r->from, left);
}

/** block_go_round() */
static enum warp_result go_round_watched(struct block *b, int *warp, int64_t fuel, uint64_t end)
{
    struct worker *k = b->warps[0].worker;
    struct round r = {.from = b->warps[*warp].kept, .first = *warp};
    const struct machine_code *code = code_at(b, r.from); /* asked once a round, as nothing takes code away */
    enum warp_result result = WARP_BLOCKED;
    bool goes = true;
    for (int i = *warp; goes && result == WARP_BLOCKED && r.ended < b->warp_count; i++) {
        if (i == b->warp_count && k->instructions > end)
            break;
        struct warp *w = &b->warps[i = i < b->warp_count ? i : 0];
        uint64_t issued = w->instructions, lanes = w->lane_instructions;
        *warp = i;
        warp_begin_turn(w, fuel);
        w->unwatched = true;
        do {
            uintptr_t left = run_code(w, *w->closely ? NULL : code, r.from);
            goes = goes_round_watched(w, &r, left);
            if (!goes) {
                result = leave_watched(b, &r, w, left);
                break;
            }
            w->reserve += w->fuel;
            w->fuel = 0;
            if (r.met < b->warp_count)
                break;
            meet_watched(b, &r, i);
            code = code_at(b, r.from);
            if (!grid_running(b->grid)) {
                result = WARP_ABORTED;
            } else if (w->reserve <= 0) {
                w->polled_away = 0;
                result = WARP_YIELDED;
            }
        } while (result == WARP_BLOCKED);
        k->instructions += w->instructions - issued;
        k->lane_instructions += w->lane_instructions - lanes;
    }
    return r.ended == b->warp_count ? WARP_DONE : result;
}

enum warp_result block_go_round(struct block *b, int *warp, int64_t fuel, uint64_t end)
{
    struct worker *k = b->warps[0].worker;
    if (k->machine->observers.count)
        return go_round_watched(b, warp, fuel, end);
    struct round r = {.from = b->warps[*warp].kept, .left = MACHINE_CODE_WAITS, .first = *warp, .fuel = fuel};
    begin_rounds(b, fuel);
    do {
        struct warp *last;
        uintptr_t left;
        enum round_end how = take_turns(b, &r, fuel, end, &last, &left);
        *warp = last->index;
        if (how == ROUND_BROKEN)
            return leave_round(b, &r, last, left);
        hand_over(k, &r);
        if (how == ROUND_STOPS) {
            write_down(b, &r, -1);
            return WARP_BLOCKED;
        }
        if (r.ended)
            return WARP_DONE;
    } while (begin_next(b, &r, *warp));
    return WARP_YIELDED;
}
