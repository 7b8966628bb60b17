/**
 * @file swaps.h
 * Looks whose value a compare-and-swap of the same location confirms: a stale one makes it fail.
 */
#ifndef SOFTGPU_ANALYSE_SWAPS_H
#define SOFTGPU_ANALYSE_SWAPS_H

#include "analyse/carried.h"

/**
 * Does every way from `from` on come to a compare-and-swap of the load's location that expects what has been made of its value,
 * or back to the load, before anything else is done that others see? Loads, and stores to where the value does not lead,
 * may stand before it: a node that is to be pushed is prepared there.
 * @param value  what holds something made of the load's value at `from`
 */
bool leads_to_swap(const struct function *f, const struct insn *load, const struct insn *from, struct carried value);

/**
 * A branch has compared the value that the load has just returned, and leads to `from` or else to `other`. Does every way from `from` on come to a
 * compare-and-swap of the load's location that expects what has been made of the value, or the number that it was found equal to; or, without
 * going round, to where `other` leads, and what has been written on the way is read no more there? The thread only looks until then.
 */
bool leads_to_swap_or_back(const struct function *f, const struct insn *load, const struct insn *from, const struct insn *other, struct carried value);

/**
 * Does a stale value of the load lead to nothing but such a swap, another look at the location for which nothing that was made of this
 * one is kept, or the thread's end? Then the thread at worst gives up a try. That giving up may matter is not seen here.
 */
bool load_is_tried(const struct function *f, const struct insn *load);

#endif
