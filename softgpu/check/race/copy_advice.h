/**
 * @file copy_advice.h
 * What to try against a race of which one side is an asynchronous copy.
 */
#ifndef SOFTGPU_CHECK_RACE_COPY_ADVICE_H
#define SOFTGPU_CHECK_RACE_COPY_ADVICE_H

#include "check/race/explain.h"
#include "check/race/race.h"
#include "report/finding.h"

/** Fills in the advice, where there is more to say than that nobody has waited for the copy: of a place that is filled again and again, which of the
 *  two has come too early. `piece` acts by the copy, or beside it. */
void race_advise_copy(struct finding *f, const struct actor *piece, const struct conflict_info *info);

#endif
