/**
 * @file jumps.h
 * Writes of which it is no loss that one fails, or overwrites another. Pointer jumping: an element that leads to another one of the same array is made to lead where that one leads. And
 * loops that go on until what is looked at says so.
 */
#ifndef SOFTGPU_ANALYSE_JUMPS_H
#define SOFTGPU_ANALYSE_JUMPS_H

#include "code/image.h"

/** Is it what stands where the value leads that `check` has read, another element of its array, that the write puts there: the register `stored`? */
bool write_jumps(const struct function *f, const struct insn *check, const struct insn *write, uint32_t stored);

/** Does whoever has swapped, or failed, look there anew on every way, by the check or a look whose value the next swap expects, and swap again until that look lets the thread go on, and leave nothing else in a turn? */
bool swap_is_checked_again(const struct function *f, const struct insn *check, const struct insn *swap);

/** Is the store in a loop with the check that decides about it, does a turn leave nothing else, and does whoever has stored look at that array again before the loop ends? */
bool store_is_looked_at_again(const struct function *f, const struct insn *check, const struct insn *store);

#endif
