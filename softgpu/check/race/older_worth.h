/**
 * @file older_worth.h
 * Private to older.c: what an older value would change for the thread that reads it, by its next branch.
 */
#ifndef SOFTGPU_CHECK_RACE_OLDER_WORTH_H
#define SOFTGPU_CHECK_RACE_OLDER_WORTH_H

#include "check/race/actor.h"

/** Would the thread do the same if it got the older value: go the same way, where it forgets what it got, or one on which it only looks
 *  again, or on which it only raises (lowers) the place to what stands there anyway? */
bool older_is_immaterial(const struct actor *me, const struct mem_access *a, int element, uint64_t older);
/** A poll looks again as long as what it gets keeps it in the loop: an older value that ends it (`if (v < 0) continue;` of 0) is used like any other, where it does not only decide. */
bool older_ends_wait(const struct actor *me, const struct function *f, uint64_t older);

#endif
