/**
 * @file go_on.c
 * Warps that go on in compiled code: at a kernel's beginning, and behind a barrier at which the whole warp left the code with its
 * registers in their frame. Nothing has to be chosen, merged or settled then, so that what is left of warp_run(),
 * the interpreter's loop and op_bar_sync() is this.
 */
#include "execute/bind.h"
#include "execute/grid_run.h"
#include "execute/warp_run.h"
#include "execute/worker.h"

enum warp_result warp_go_on(struct warp *w, int64_t fuel)
{
    const struct image *im = w->block->grid->config.kernel->image;
    warp_begin_turn(w, fuel);
    for (;;) {
        const struct insn *in = w->kept;
        const struct machine_code *code = image_machine_code(im, in);
        w->kept = NULL;
        w->limit = (const struct insn *)UINTPTR_MAX;
        w->fuel = w->reserve;
        w->reserve = 0;
        w->current = 0;
        w->run_start = in;
        if (!code)
            return warp_run_from(w, in);
        const struct insn *next = code->run(w, code->entry | 1);
        if (!((uintptr_t)next & MACHINE_CODE_WAITS))
            return warp_run_from(w, next == in ? bind_handler(in)(w, in) : next);
        next = (const struct insn *)((uintptr_t)next & ~(uintptr_t)MACHINE_CODE_WAITS);
        w->kept = next + 1;
        bool completed = barrier_meet(w, next);
        w->reserve += w->fuel;
        w->fuel = 0;
        if (!completed)
            return WARP_BLOCKED;
        if (w->reserve <= 0) {
            w->polled_away = 0;
            return WARP_YIELDED;
        }
    }
}
