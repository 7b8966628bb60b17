/**
 * @file belongs_told.h
 * What belongs to a minimum (analyse/belongs.h): two threads have each put a value there, and noted something of their own beside it. Nothing orders the one's note behind
 * the other's, so either may stay, whichever of the two values does. That is so whatever this run's schedule was.
 */
#ifndef SOFTGPU_CHECK_RACE_BELONGS_TOLD_H
#define SOFTGPU_CHECK_RACE_BELONGS_TOLD_H

#include "check/race/race.h"
#include "execute/run_events.h"

struct belongings;

/** Those of the code that the warp is in; NULL: there are none. */
const struct belongings *belongs_around(const struct warp *w, const struct insn *in);
/** A strong store or an atomic, when it is done. */
void belongs_write(struct race *race, const struct warp *w, const struct mem_access *a);

void belongs_free(struct race *race);

#endif
