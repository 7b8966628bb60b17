/**
 * @file advice.h
 * What to try against a data race.
 */
#ifndef SOFTGPU_CHECK_RACE_ADVICE_H
#define SOFTGPU_CHECK_RACE_ADVICE_H

#include "check/race/race.h"
#include "report/finding.h"

/** Fills in the suggestion of a race between two threads. */
void race_advise(struct finding *f, const struct actor *me, const struct conflict_info *info,
                 bool same_block, bool same_warp);
/** An atomic or volatile access on one side and a plain one on the other: says so. @return false if not */
bool race_advise_mixed(struct finding *f, const struct actor *me, const struct conflict_info *info);
/** Does the code lead from the one site to the other without going back? Also true where that cannot be told. */
bool race_comes_before(const struct actor *me, uint32_t first, uint32_t then);

#endif
