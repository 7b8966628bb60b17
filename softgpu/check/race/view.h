/**
 * @file view.h
 * Views: what one point of an execution knows of all others.
 *
 * An agent is one block of one launch; its threads tick local clocks. A view maps each agent to the
 * times up to which its threads' operations are ordered before this point: one time for the whole
 * block (after a barrier all its threads share it), better times for single warps or threads. Most
 * threads of a block know the same, so views are shared: reference-counted, and copied only when a
 * shared one must change. NULL is the empty view. One host thread only.
 */
#ifndef SOFTGPU_CHECK_RACE_VIEW_H
#define SOFTGPU_CHECK_RACE_VIEW_H

#include <stdbool.h>
#include <stdint.h>

struct view;

/** Keys of times finer than a block's. */
static inline uint32_t view_thread_key(uint32_t thread)
{
    return thread;
}
static inline uint32_t view_warp_key(uint32_t warp)
{
    return 0x10000u | warp;
}

struct view *view_ref(struct view *v);
void view_drop(struct view *v);
/** The latest time of `thread` of `agent` that `v` knows; 0 if none. `*uniform` receives the part
 *  that comes from the whole block's time (see race.h on threads that left early). */
uint32_t view_time(const struct view *v, uint32_t agent, uint32_t thread, uint32_t *uniform);
/** *dst := *dst ∪ src; *dst is the caller's reference, src is only read. */
void view_join(struct view **dst, struct view *src);
/** All threads of `agent` up to `time`. */
void view_add(struct view **dst, uint32_t agent, uint32_t time);
/** One warp or thread (by key) of `agent` up to `time`. */
void view_add_key(struct view **dst, uint32_t agent, uint32_t key, uint32_t time);

#endif
