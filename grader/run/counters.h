/**
 * @file counters.h
 * softgpu's counters of a run, for the report and the spec's properties.
 */
#ifndef GRADER_RUN_COUNTERS_H
#define GRADER_RUN_COUNTERS_H

#include "run/cases.h"

/** Fills in the case's counters (of all its runs the largest; not of a hidden case), and the values of
 *  the properties that look at it. Of all runs the first that breaks a bound counts, else the one
 *  with the largest value, so that a bound holds for every one. A counter that no file has leaves no
 *  value. */
void counters_read(const struct spec *s, struct record *r, const struct run_pair *pair);

#endif
