/**
 * @file reach.h
 * Which kernels a case launches: what a kernel's mutant changes, no other case can show.
 */
#ifndef GRADER_MUTANTS_REACH_H
#define GRADER_MUTANTS_REACH_H

#include <stdbool.h>

/** One case's kernels, by their names in PTX. */
struct reach_case {
    bool known;
    char **kernels;
    int count;
};

struct reach {
    struct reach_case *cases; /**< in the spec's order */
    int count;
};

/** Room for so many cases; of none anything is known yet. reach_free() is due. */
void reach_start(struct reach *r, int cases);
/** Notes what a run of the unchanged program launched, from softgpu's counters; a file that cannot be read changes
 *  nothing. */
void reach_note(struct reach *r, int number, const char *counters);
/** Whether a case may show a change in this function of the PTX: it launches it; or what it launches is not known, or
 *  no case launches the function, which may be called by any. */
bool reach_shows(const struct reach *r, int number, const char *function);
void reach_free(struct reach *r);

#endif
