/**
 * @file go_on.c
 * Warps that go on in compiled code: at a kernel's beginning, and behind a barrier at which the whole warp left the code with its
 * registers in their frame. Checkers are told of the barrier, and the code is not called for a warp that they look at closely. Nothing has to be chosen, merged or settled then, so that what is left of warp_run(),
 * the interpreter's loop and op_bar_sync() is this.
 *
 * Where nobody watches and all warps of a block do so, they go round: each in its turn, in block_run()'s order, up to the barrier at which all meet, or
 * to the kernel's end. Where groups stand and who has arrived is written down only when some warp does anything else: most never do.
 */
#include <string.h>

#include "execute/bind.h"
#include "execute/engine.h"
#include "execute/grid_run.h"
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

bool block_may_go_round(const struct block *b, int i)
{
    const struct machine *m = b->warps[0].worker->machine;
    const struct insn *at = b->warps[i].kept;
    /* The one before it is looked at first: in a round that has begun otherwise it has arrived. */
    if (!at || b->warp_count == 1 || !stands_whole(&b->warps[i ? i - 1 : b->warp_count - 1], at) || m->schedule != SCHEDULE_NATURAL ||
        m->observers.count || b->live_threads != b->grid->threads_per_block || b->grid->config.lone)
        return false;
    for (int j = 0; j < b->warp_count; j++)
        if (!stands_whole(&b->warps[j], at))
            return false;
    return true;
}

/** A round: all warps stood at `from`; `met` of them, from `first` on, stand at `barrier` now, or `ended` of them have ended. */
struct round {
    const struct insn *from, *barrier;
    struct barrier_state *state;  /**< of `barrier` */
    int first, met, ended;
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

/** Which of the block's barriers `in` names. */
static struct barrier_state *barrier_for(struct block *b, const struct insn *in)
{
    uint32_t number;
    memcpy(&number, b->warps[0].constants + (in->src[0] & ~CONST_BIT), sizeof number);
    return &b->barriers[number];
}

/** Like the others in the round, the warp stands at its barrier. @return false if not, or if arriving there is more than that: some
 *  have ended, or somebody has been counted there who is not of the round */
static inline bool meets(struct block *b, struct round *r, uintptr_t left)
{
    if (!(left & MACHINE_CODE_WAITS) || r->ended)
        return false;
    if (!r->met) {
        r->barrier = barrier_of(left);
        r->state = barrier_for(b, r->barrier);
    }
    if (r->barrier != barrier_of(left) || r->state->arrived | r->state->expected)
        return false;
    r->met++;
    return true;
}

/** All of the warp's threads end, and none of the block waits for them. */
static inline bool ends(struct warp *w, struct round *r, uintptr_t left)
{
    if (left & MACHINE_CODE_WAITS || r->met || !exit_whole(w, (const struct insn *)left))
        return false;
    r->ended++;
    return true;
}

/** What the block's warps have issued, beside what they had `before`, is the worker's. */
static void count_issued(struct worker *k, const struct block *b, uint64_t before[2])
{
    uint64_t now[2] = {0, 0};
    for (int i = 0; i < b->warp_count; i++) {
        now[0] += b->warps[i].instructions;
        now[1] += b->warps[i].lane_instructions;
    }
    k->instructions += now[0] - before[0];
    k->lane_instructions += now[1] - before[1];
    before[0] = now[0];
    before[1] = now[1];
}

/** The first turn of each warp begins, but for its fuel. */
static void begin_rounds(struct block *b, int64_t fuel)
{
    for (int i = 0; i < b->warp_count; i++) {
        warp_begin_turn(&b->warps[i], fuel);
        b->warps[i].kept = NULL;
        b->warps[i].limit = (const struct insn *)UINTPTR_MAX;
        b->warps[i].current = 0;
    }
}

enum warp_result block_go_round(struct block *b, int *warp, int64_t fuel, uint64_t end)
{
    struct worker *k = b->warps[0].worker;
    struct round r = {.from = b->warps[*warp].kept, .first = *warp};
    const struct machine_code *code = code_at(b, r.from);
    uint64_t before[2] = {0, 0}, begin[2] = {k->instructions, k->lane_instructions};
    enum warp_result result = WARP_BLOCKED;
    count_issued(k, b, before);
    k->instructions = begin[0];
    k->lane_instructions = begin[1];
    begin_rounds(b, fuel);
    for (bool in_turn = false;;) {
        struct warp *w = &b->warps[*warp];
        w->fuel = in_turn ? w->fuel + w->reserve : fuel - w->polled_away;
        w->reserve = 0;
        w->run_start = r.from;
        uintptr_t left = code ? (uintptr_t)code->run(w, code->entry | 1) : (uintptr_t)r.from;
        in_turn = false;
        if (!meets(b, &r, left) && !ends(w, &r, left)) {
            write_down(b, &r, *warp);
            result = finish_turn(w, r.from, left);
            break;
        }
        if (r.met + r.ended < b->warp_count) {
            if (*warp == b->warp_count - 1) {
                count_issued(k, b, before);
                if (k->instructions > end) {
                    write_down(b, &r, -1);
                    break;
                }
            }
            *warp = next_warp(b, *warp);
            continue;
        }
        result = WARP_DONE;
        if (r.ended)
            break;
        r.state->generation++;
        r = (struct round){.from = r.barrier + 1, .first = *warp};
        code = code_at(b, r.from);
        in_turn = true; /* who comes last goes on at once */
        if (w->fuel + w->reserve <= 0) {
            write_down(b, &r, -1);
            w->polled_away = 0;
            result = WARP_YIELDED;
            break;
        }
    }
    count_issued(k, b, before);
    return result;
}
