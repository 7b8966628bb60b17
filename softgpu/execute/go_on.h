/**
 * @file go_on.h
 * Private to execute/: warps that go on in compiled code, each by itself (go_on.c) or all of a block (rounds.c).
 */
#ifndef SOFTGPU_EXECUTE_GO_ON_H
#define SOFTGPU_EXECUTE_GO_ON_H

#include "execute/grid_run.h"
#include "execute/warp_run.h"

/** The code that is entered at `in`; NULL: there is none. */
static inline const struct machine_code *go_on_code(const struct block *b, const struct insn *in)
{
    return image_machine_code(b->grid->config.kernel->image, in);
}

/** The barrier in what code gives back with MACHINE_CODE_WAITS. */
static inline const struct insn *go_on_barrier(uintptr_t left)
{
    return (const struct insn *)(left & ~(uintptr_t)MACHINE_CODE_WAITS);
}

/** The warp is about to run in compiled code, as its only group. */
static inline void go_on_whole(struct warp *w)
{
    w->kept = NULL;
    w->limit = (const struct insn *)UINTPTR_MAX;
    w->current = 0;
}

/** Does nobody want to see, or count, single instructions? Checkers are called from the code, but for a warp that they look at closely. */
bool go_on_unwatched(const struct machine *m);
/** The rest of a turn whose code was called at `in` and gave `left`: where it has left, or MACHINE_CODE_WAITS and a barrier; without code, `in`. */
enum warp_result go_on_finish(struct warp *w, const struct insn *in, uintptr_t left);

#endif
