/**
 * @file warp_taints.h
 * What is known of a block's warps as it begins; its room is kept from one block to the next.
 */
#ifndef SOFTGPU_CHECK_UNINIT_WARP_TAINTS_H
#define SOFTGPU_CHECK_UNINIT_WARP_TAINTS_H

#include "check/uninit/uninit.h"

/** Nothing is known of the block's warps, and they are not looked at closely; and it is no longer needed. */
void taints_begin(struct uninit *u, struct block *b);
void taints_end(struct uninit *u, const struct block *b);

#endif
