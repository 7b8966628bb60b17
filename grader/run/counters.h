/**
 * @file counters.h
 * softgpu's counters of a run, for the spec's properties.
 */
#ifndef GRADER_RUN_COUNTERS_H
#define GRADER_RUN_COUNTERS_H

#include "run/cases.h"

/** Whether a run of the student's, or of the reference, has to count. */
bool counters_wanted(const struct spec *s, bool reference);

/** Fills in the values of the properties that look at this pair's case. Of all its runs the first
 *  that breaks a bound counts, else the one with the largest value, so that a bound holds for every
 *  one. A counter that no file has leaves no value. */
void counters_read(const struct spec *s, struct record *r, const struct run_pair *pair);

#endif
