/**
 * @file late_claims.h
 * Private to late.c: claims that another could have come into. A thread has looked, and claimed the place by a store or an exchange that nobody looks at (ACT_CLAIMS);
 * another one now comes there by an atomic that takes (a compare-and-swap, or an exchange, whose result it looks at), by another write, or by a look which,
 * had it come before the claim, would lead to such a write, and has heard nothing of the claim but by this. So it could as well have come between the look and the store, and have found what the look has found: that is so whatever this run's
 * schedule was.
 */
#ifndef SOFTGPU_CHECK_RACE_LATE_CLAIMS_H
#define SOFTGPU_CHECK_RACE_LATE_CLAIMS_H

#include "analyse/acts.h"
#include "check/race/race.h"
#include "execute/run_events.h"

/** A lane has claimed a place by the pair: it has `seen` there what equals `other`. `late`: others have done so since. */
void claim_note(struct race *race, const struct warp *w, const struct mem_access *a, const struct act *act, int lane, uint64_t seen, uint64_t other, bool late);
/** These lanes of a store or an atomic are about to be remembered. */
void claim_write_ahead(struct race *race, const struct warp *w, const struct mem_access *a);
/** A strong load, before it is remembered: had it come before the claim, would its thread go on, looking at nothing else, to a compare-and-swap of what the claim has found,
 *  or, looking at nothing else that may have been different then, to a store of something else? */
void claim_looked(struct race *race, const struct warp *w, const struct mem_access *a);
/** Does the instruction take what it finds, so that its thread goes by it? By an exchange; else by a compare-and-swap. */
bool insn_takes(const struct warp *w, const struct insn *in, bool *by_exchange);

void claims_free(struct race *race);

#endif
