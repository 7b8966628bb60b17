/**
 * @file counted_told.h
 * Counted, and then looked (analyse/counted_looks.h). A thread has counted, and looked; another one counts and looks after that, and nothing orders it behind
 * the first one's look, of which it has heard nothing, either. So the first could as well have looked now: what the other sees it would have seen, too. Then two
 * have found what they look for, or, if it is gone by now, none has. That is so whatever this run's schedule was.
 */
#ifndef SOFTGPU_CHECK_RACE_COUNTED_TOLD_H
#define SOFTGPU_CHECK_RACE_COUNTED_TOLD_H

#include "check/race/race.h"
#include "execute/run_events.h"

struct counted_looks;

/** Those of the code that the warp is in; NULL: there are none. */
const struct counted_looks *counted_around(const struct warp *w, const struct insn *in);
/** A strong look, before it is remembered: a load, or an atomic that leaves `looks` of its lanes' values as they were. */
void counted_look(struct race *race, const struct warp *w, const struct mem_access *a, uint32_t looks, bool atomic);
/** A strong store or an atomic, when it is done. */
void counted_write(struct race *race, const struct warp *w, const struct mem_access *a);

/** What waited to see whether a count goes past what has been found is told. */
void counted_grid_end(struct race *race);

void counted_free(struct race *race);

#endif
