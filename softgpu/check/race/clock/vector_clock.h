/**
 * @file vector_clock.h
 * Vector clocks: what one point of an execution knows of all others.
 *
 * An agent is one block of one launch; its threads tick local clocks. A vector clock maps each agent to the
 * times up to which its threads' operations are ordered before this point: one time for the whole
 * block (after a barrier all its threads share it), better times for single warps or threads. Most
 * threads of a block know the same, so vector clocks are shared: reference-counted, and copied only when a
 * shared one must change. NULL is the empty one. One host thread only.
 */
#ifndef SOFTGPU_CHECK_RACE_CLOCK_VECTOR_CLOCK_H
#define SOFTGPU_CHECK_RACE_CLOCK_VECTOR_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct vector_clock;

/** Keys of times finer than a block's. */
static inline uint32_t clock_thread_key(uint32_t thread)
{
    return thread;
}
static inline uint32_t clock_warp_key(uint32_t warp)
{
    return 0x10000u | warp;
}

struct vector_clock *clock_ref(struct vector_clock *v);
void clock_drop(struct vector_clock *v);
/** The latest time of `thread` of `agent` that `v` knows; 0 if none. `*uniform` receives the part
 *  that comes from the whole block's time (see race.h on threads that left early). */
uint32_t clock_time(const struct vector_clock *v, uint32_t agent, uint32_t thread, uint32_t *uniform);
/** Does `v` know of anything that the agent did? */
bool clock_has(const struct vector_clock *v, uint32_t agent);
/** … that one of the agents from `first` to `last` did? */
bool clock_has_between(const struct vector_clock *v, uint32_t first, uint32_t last);
/** … that the warp of the agent did, by a time of the whole block or by one of its own or its threads'? */
bool clock_has_warp(const struct vector_clock *v, uint32_t agent, uint32_t warp);
/** Stands for the whole block where a time is told by its key. */
#define CLOCK_EVERY_KEY UINT32_MAX
/** Tells, by `told`, all times that `v` has and `than` has not, or none as late; perhaps some that `than` has told as a block's. */
void clock_later(const struct vector_clock *v, struct vector_clock *than, void (*told)(void *self, uint32_t agent, uint32_t key, uint32_t time), void *self);
/** *dst := *dst ∪ src; *dst is the caller's reference, src is only read. */
void clock_join(struct vector_clock **dst, struct vector_clock *src);
/** Finds out whether `big` covers `small`, once for all copies that will be made of `big`. */
void clock_compare(struct vector_clock *big, const struct vector_clock *small);
/** All threads of `agent` up to `time`. */
void clock_add(struct vector_clock **dst, uint32_t agent, uint32_t time);
/** One warp or thread (by key) of `agent` up to `time`. */
void clock_add_key(struct vector_clock **dst, uint32_t agent, uint32_t key, uint32_t time);
/** Where each of the agent's `threads` threads is known, up to a time of its own, the earliest of these becomes the block's and says what all no
 *  later ones said. Only for a block of which nobody has left, and all have met since. */
void clock_settle(struct vector_clock **dst, uint32_t agent, uint32_t threads);

#endif
