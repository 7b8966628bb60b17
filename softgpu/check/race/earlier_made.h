/**
 * @file earlier_made.h
 * Private to the race checker: read-modify-writes that come before writes which have been made already (earlier.c).
 */
#ifndef SOFTGPU_CHECK_RACE_EARLIER_MADE_H
#define SOFTGPU_CHECK_RACE_EARLIER_MADE_H

#include "check/race/element.h"

/** The operand of the actor's atomic. @return false where that is not one number, or no longer known */
bool earlier_operand(const struct actor *me, const struct mem_access *a, uint64_t *operand);
/** The atomic of the lane has been one: what is remembered of the location, and the finding. */
void earlier_made(struct actor *me, const struct mem_access *a, const struct unit *units, int n);

#endif
