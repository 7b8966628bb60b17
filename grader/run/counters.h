/**
 * @file counters.h
 * softgpu's counters of a run, for the spec's properties.
 */
#ifndef GRADER_RUN_COUNTERS_H
#define GRADER_RUN_COUNTERS_H

#include "run/cases.h"

/** Fills in the values of the properties that look at this pair's case; the largest of all its
 *  runs counts, so that a bound holds for every one. A file without the counter leaves no value. */
void counters_read(struct record *r, const struct run_pair *pair);

#endif
