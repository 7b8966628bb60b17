/**
 * @file thread_number.h
 * A launch's threads by one number each, for what is kept of them from run to run.
 */
#ifndef SOFTGPU_RERUN_THREAD_NUMBER_H
#define SOFTGPU_RERUN_THREAD_NUMBER_H

#include "base/mix.h"
#include "execute/grid.h"

/** A lane in the order of the grid. */
static inline uint64_t thread_number(const struct warp *w, int lane)
{
    return w->block->index * w->block->grid->threads_per_block + (uint64_t)w->index * WARP_LANES + (uint64_t)lane;
}

/** The same among launches that run at once. */
static inline uint64_t thread_key(const struct warp *w, int lane)
{
    return mix_in(w->block->grid->config.op, thread_number(w, lane));
}

#endif
