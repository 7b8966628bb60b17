/**
 * @file delayed.h
 * Interleavings in which a thread's writes may reach memory later than what it does behind them: store buffering, and writes that change places.
 *
 * Each thread has a buffer. Its own reads look there first; of one location, and across a fence or to a release, writes leave it in program order,
 * else in any; fence.sc, barriers and the end wait until it is empty, a read-modify-write until no write of its location, and none before a fence, is left in it.
 * A fence or a release whose scope has no other thread in it is none; so is a barrier where a thread meets only others that use no memory. That is
 * less than the axioms allow, and with few states more than the interleavings; what a run with one older value shows of it hangs on luck.
 */
#ifndef SOFTGPU_MODEL_DELAYED_H
#define SOFTGPU_MODEL_DELAYED_H

#include "model/enumerate.h"

struct delayed_walk {
    uint64_t points;         /**< states that are tried at most */
    const bool *enough;      /**< set by `found`: no more is asked for */
    bool (*waits)(void *self, int thread, const struct model_event *read); /**< does what an older value leads to come back to the read, until there is a newer one? */
    bool mirrored;           /**< filled in: two threads have each written one location and then read the other's, neither of them waiting, and nothing orders the two in one of them */
};

/**
 * Calls `found` for ways in which all threads may end, with an execution and no relations; NULL instead where it has too many events.
 * @return false if not all were tried: there are more, or there are barriers that count fewer warps than the block has, or at which threads only arrive
 */
bool model_delayed(const struct model_program *p, struct delayed_walk *how, void (*found)(void *self, const struct model_outcome *o), void *self);

#endif
