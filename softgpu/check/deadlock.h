/**
 * @file deadlock.h
 * What others may tell the checker of deadlocks without one of its hooks.
 */
#ifndef SOFTGPU_CHECK_DEADLOCK_H
#define SOFTGPU_CHECK_DEADLOCK_H

#include <stdbool.h>

/** There is progress: some lane stores a new value, threads meet, or the like. `self`: the checker's. @return true: whoever does nothing else after that is done by a jump */
bool deadlock_goes_on(void *self);

#endif
