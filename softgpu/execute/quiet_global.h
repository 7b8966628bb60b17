/**
 * @file quiet_global.h
 * Private to execute/: quiet reads. Memory that nobody writes while a grid runs, that holds something everywhere and that nobody writes later without
 * coming after the grid, has no part in any finding: observers need not be told of loads from there, but of how many there are (plain_untold).
 *
 * Whether it is so each observer says that hears of loads (its hook `quiet`), when the grid begins; the rest is found here.
 *
 * That a grid writes elsewhere only is a guess (analyse/written.h). Where it does not hold the grid ends, before the write, as GRID_AGAIN: whoever has
 * let it read quietly (machine_let_quiet()) takes back what it has told so far, and runs it again.
 */
#ifndef SOFTGPU_EXECUTE_QUIET_GLOBAL_H
#define SOFTGPU_EXECUTE_QUIET_GLOBAL_H

#include "execute/engine.h"
#include "execute/run_events.h"

/** A grid begins, and observers have heard of it: which allocations are quiet? */
void quiet_global_begin(struct machine *m, struct grid *g);
/** It has ended: none is. */
void quiet_global_end(struct machine *m);
/** The grid writes to quiet memory. @return NULL, for the handler */
const struct insn *quiet_broken(struct warp *w);

/** Would lanes of `a`, which has been resolved, write there? */
static inline bool quiet_is_written(const struct machine *m, const struct mem_access *a)
{
    bool any = false;
    for (uint32_t left = m->quiet_count && a->space == SPACE_GLOBAL ? a->mask : 0; left; left &= left - 1)
        any |= a->allocation[__builtin_ctz(left)]->quiet;
    return any;
}

#endif
