/**
 * @file polls.h
 * Loads that poll: the same location is read turn by turn until what is read lets the loop end.
 */
#ifndef SOFTGPU_ANALYSE_POLLS_H
#define SOFTGPU_ANALYSE_POLLS_H

#include "code/image.h"

/**
 * Does the value that a load, or an atomic, gets decide about a branch in its loop of which one way comes back
 * to read the same location again, and the other does not? `while (*flag == 0);` does, and so does a look-back that
 * stays where it is while nothing is there. A value that only chooses what the loop does with it
 * (`if (v < 0) continue;`), or that ends a search from place to place, is no poll. False where it cannot be told.
 */
bool load_polls(const struct function *f, const struct insn *load);
/** … of one element of a vector. */
bool element_polls(const struct function *f, const struct insn *load, unsigned element);

#endif
