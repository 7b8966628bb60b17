/**
 * @file mutants.h
 * `./grade dev mutants`: how much of what keeps a solution right the lab's cases would miss.
 */
#ifndef GRADER_MUTANTS_MUTANTS_H
#define GRADER_MUTANTS_MUTANTS_H

#include "base/kit.h"
#include "options.h"

/**
 * Mutates the solutions (or --file) of the named labs, or of all, and prints for each how many
 * mutants the cases caught, which are equivalent and which survived. --slice I/N runs only every
 * N-th; --case NAME only that case; -v lists all.
 * @return 0 all caught or equivalent; 1 some survived, or equivalent.txt does not hold; 2 could not
 *         judge
 */
int mutants(const struct kit *k, const struct options *o, struct trouble *t);

#endif
