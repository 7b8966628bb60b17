/**
 * @file jumps.h
 * Pointer jumping: an element that leads to another one of the same array is made to lead where that one leads.
 */
#ifndef SOFTGPU_ANALYSE_JUMPS_H
#define SOFTGPU_ANALYSE_JUMPS_H

#include "code/image.h"

/** Does the compare-and-swap put there what stands where the value leads that `check` has read: another element of its array? */
bool swap_jumps(const struct function *f, const struct insn *check, const struct insn *swap);

#endif
