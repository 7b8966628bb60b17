/**
 * @file late.h
 * Check, then act: a thread reads a location and updates it by what it has read, and another thread has changed it in
 * between. Each access is strong, so nothing races, and yet an update is lost or rests on what does not hold any more.
 *
 * Only what is certain is told: the pairs are analyse/acts.h's, the change in between is seen, or could have come there (late_looks.h), and for an
 * update that hangs on a comparison the comparison would come out otherwise now.
 */
#ifndef SOFTGPU_CHECK_RACE_LATE_H
#define SOFTGPU_CHECK_RACE_LATE_H

#include "analyse/acts.h"
#include "check/race/race.h"
#include "execute/run_events.h"

/** As the observer's hooks of these names; late_load() before the load is remembered. */
void late_load(struct race *race, const struct warp *w, const struct mem_access *a);
void late_store(struct race *race, const struct warp *w, const struct mem_access *a);
/** Before stores are remembered, or atomics: who has changed what they are about to. Of atomics that add 0, whatever they find, too. */
void late_store_ahead(struct race *race, const struct warp *w, const struct mem_access *a);
void late_atomic_ahead(struct race *race, const struct warp *w, const struct mem_access *a);
void late_atomic(struct race *race, const struct warp *w, const struct mem_access *a);

/** Has late_atomic() anything to do at `in`, an atomic? */
bool late_concerns(const struct warp *w, const struct insn *in);

/** What such an update is worth that comes too late. */
enum late_act act_is_late_as(const struct act *act);
/** Is it an error that it comes too late, for all that the text shows? */
bool act_is_error(const struct act *act);

void late_free(struct checked *c);

#endif
