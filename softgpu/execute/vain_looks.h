/**
 * @file vain_looks.h
 * Private to execute/: what a group that polls would do with a value that it has not read yet.
 */
#ifndef SOFTGPU_EXECUTE_VAIN_LOOKS_H
#define SOFTGPU_EXECUTE_VAIN_LOOKS_H

#include "execute/warp.h"

/** The load of a loop that ends with this branch and only looks at one place: one load, and what is computed from it. @return NULL where it is no such loop */
const struct insn *only_look(const struct insn *branch);
/**
 * Does the group stand in a loop that only looks at one place (one load, and what is computed from it, up to the branch back), and would
 * all its lanes come back to look again if they read `value` there? The turn is worked out in the warp's registers, which
 * are as they were afterwards: no lane has read anything. No group may be running. False where it cannot be told.
 */
bool looks_in_vain(struct warp *w, int group, uint64_t place, uint64_t value);

#endif
