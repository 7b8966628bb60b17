/**
 * @file go_on.c
 * A warp that goes on in compiled code: at a kernel's beginning, and behind a barrier at which the whole warp left the code with its registers in their
 * frame. Checkers are told of the barrier, and the code is not called for a warp that they look at closely. Nothing has to be chosen, merged or settled
 * then, so that what is left of warp_run(), the interpreter's loop and op_bar_sync() is this. All warps of a block do so together in rounds.c.
 */
#include "execute/go_on.h"

#include "execute/bind.h"
#include "execute/engine.h"
#include "execute/schedule.h"
#include "execute/worker.h"

/** Runs the warp from `in` on. @return what the code gives: where it has left, or MACHINE_CODE_WAITS and a barrier; without code, `in` */
static inline uintptr_t run_code(struct warp *w, const struct machine_code *code, const struct insn *in)
{
    go_on_whole(w);
    w->fuel = w->reserve;
    w->reserve = 0;
    w->run_start = in;
    return code ? (uintptr_t)code->run(w, code->entry | 1) : (uintptr_t)in;
}

bool go_on_unwatched(const struct machine *m)
{
    return !m->observers.each_issue && !m->options.trace && !m->options.counters && !m->chooser.how;
}

bool may_go_on(const struct warp *w)
{
    const struct machine *m = w->worker->machine;
    return w->kept && m->schedule == SCHEDULE_NATURAL && w->group_count == 1 && (!m->observers.count || (go_on_unwatched(m) && !*w->closely));
}

bool begin_unwatched(const struct grid *g)
{
    return g->machine->schedule == SCHEDULE_NATURAL && go_on_unwatched(g->machine) && !g->config.lone;
}

enum warp_result go_on_finish(struct warp *w, const struct insn *in, uintptr_t left)
{
    bool observed = w->worker->machine->observers.count;
    while (left & MACHINE_CODE_WAITS) {
        const struct insn *barrier = go_on_barrier(left);
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
        left = run_code(w, *w->closely ? NULL : go_on_code(w->block, in), in);
    }
    const struct insn *next = (const struct insn *)left;
    return warp_run_from(w, next == in && !observed ? bind_handler(in)(w, in) : next);
}

enum warp_result warp_go_on(struct warp *w, int64_t fuel)
{
    const struct insn *in = w->kept;
    warp_begin_turn(w, fuel);
    w->unwatched = true;
    return go_on_finish(w, in, run_code(w, go_on_code(w->block, in), in));
}
