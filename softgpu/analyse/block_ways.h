/**
 * @file block_ways.h
 * Does a block's number, or its data, say whether threads come by what orders memory, once they have drawn a number by an atomic?
 *
 * Whoever draws the last number often acts for all, and goes where no other thread does. What such threads leave out depends on which block they are
 * in, and a run shows one.
 */
#ifndef SOFTGPU_ANALYSE_BLOCK_WAYS_H
#define SOFTGPU_ANALYSE_BLOCK_WAYS_H

#include "code/image.h"

/** Has the function a fence, a barrier or an access that acquires or releases which one way of such a branch passes by, behind an atomic whose result is
 *  used? Not of what its callees do. */
bool function_orders_by_block(const struct function *f);

#endif
