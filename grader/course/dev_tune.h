/**
 * @file dev_tune.h
 * `./grade dev tune`: what each case of a lab costs, and what would be missed without it.
 */
#ifndef GRADER_COURSE_DEV_TUNE_H
#define GRADER_COURSE_DEV_TUNE_H

#include "base/kit.h"
#include "options.h"

/**
 * Prints for each named lab, or for all, a line a case: its points, the time of the solution's longest run, how many wrong
 * variants and how many mutants fail it, and how many fail no other one; then which variants those are, the cases
 * that nothing needs, and what the untouched skeleton earns. With --quick without mutants, which take most of the time.
 * @return 0 as it should be; 1 the skeleton earns something or the solution is not full; 2 something could not be judged
 */
int dev_tune(const struct kit *k, const struct options *o, struct trouble *t);

#endif
