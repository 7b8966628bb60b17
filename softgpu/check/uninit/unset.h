/**
 * @file unset.h
 * Registers that a thread reads before it has written them: variables that nobody sets.
 */
#ifndef SOFTGPU_CHECK_UNINIT_UNSET_H
#define SOFTGPU_CHECK_UNINIT_UNSET_H

#include "check/uninit/uninit.h"

/** The `site` of what the thread has not written at all: a variable that nobody has set. */
#define UNSET 0x7fffffffu

/** Lanes whose value, if undefined, stays so in shared and local memory. What comes from variables that nobody has set does where it was
 *  computed; copies do not: threads exchange all their items by shared memory, and pass over those that there are not. */
static inline uint32_t unset_kept(const struct taint *t)
{
    return t->site == UNSET ? t->derived : UINT32_MAX;
}
/** Lanes in which an instruction takes from each other two values that hang on variables that nobody has set: what a sum had of one may be
 *  gone then, as where a scan makes the exclusive sum of the inclusive one. */
uint32_t unset_cancelled(const struct uninit *u, const struct warp *w, const struct warp_taint *t, const struct insn *in);

/** What is known of the block's warps as it begins: nothing but what nobody sets, and they are not looked at closely; and it is no longer needed: its room is kept for the next block. */
void taints_begin(struct uninit *u, struct block *b);
void taints_end(struct uninit *u, const struct block *b);

#endif
