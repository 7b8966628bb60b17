/**
 * @file advice.h
 * What to try against a data race.
 */
#ifndef SOFTGPU_CHECK_RACE_ADVICE_H
#define SOFTGPU_CHECK_RACE_ADVICE_H

#include "check/race/explain.h"
#include "check/race/order.h"
#include "check/race/race.h"
#include "report/finding.h"

/** Fills in the advice of a race between two threads, whose cause and other facts are known. `how` the first one has
 *  become known to the second without being ordered before it. */
void race_advise(struct finding *f, const struct actor *me, const struct conflict_info *info, const struct hearsay *how);

#endif
