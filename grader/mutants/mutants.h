/**
 * @file mutants.h
 * `./grade dev mutants`: how much of what keeps a solution right the lab's cases would miss.
 */
#ifndef GRADER_MUTANTS_MUTANTS_H
#define GRADER_MUTANTS_MUTANTS_H

#include "base/kit.h"
#include "mutants/run_mutants.h"
#include "options.h"

/**
 * Mutates the solutions (or --file) of the named labs, or of all, and prints for each how many
 * mutants the cases caught, which are equivalent and which survived. --slice I/N runs only every
 * N-th; --case NAME only that case; -v lists all.
 * @return 0 all caught or equivalent; 1 some survived, or equivalent.txt does not hold; 2 could not
 *         judge
 */
int mutants(const struct kit *k, const struct options *o, struct trouble *t);

/** Who catches what: by case, in the spec's order. */
struct mutant_cases {
    int mutants, unjudged;
    int caught[MUTANT_CASES]; /**< mutants that the case catches */
    int only[MUTANT_CASES];   /**< that no other case does */
};

/** Runs every mutant of the lab's solution (or --slice of them) through every case. A host-code lab has none.
 *  @return false with `t` filled where that cannot be done */
bool mutants_by_case(const struct kit *k, const struct options *o, const char *lab, struct mutant_cases *out, struct trouble *t);

#endif
