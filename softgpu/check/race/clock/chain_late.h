/**
 * @file chain_late.h
 * Private to release_chain.c: readers that come late, having been shown an older value. What the first so many writes of a chain pass on is
 * kept for some of them: most are not far behind, and what one has found another one begins with.
 */
#ifndef SOFTGPU_CHECK_RACE_CLOCK_CHAIN_LATE_H
#define SOFTGPU_CHECK_RACE_CLOCK_CHAIN_LATE_H

#include "check/race/clock/chain_passed.h"

/** Joins what a contribution releases to all of its device. */
static inline void chain_give_device(const struct release_chain *m, const struct passing *p, struct knowledge **to)
{
    const struct passed *given = chain_given(m, p);
    if (given->device && chain_giver(m, p)->reach >= REACH_DEVICE)
        snapshot_give(to, given->device, SAME_DEVICE);
}
/** … and tells of fences there. */
static inline void chain_give_sc(const struct release_chain *m, const struct passing *p, struct vector_clock **to)
{
    if (chain_giver(m, p)->reach >= REACH_DEVICE)
        clock_join(to, chain_given(m, p)->sc);
}
/** All of this by those up to `upto`, after which others have been joined already. */
void chain_acquire_late(struct release_chain *m, int upto, struct knowledge **dst);
void chain_sc_late(struct release_chain *m, int upto, struct vector_clock **dst);
void chain_late_drop(struct chain_late *l);

#endif
