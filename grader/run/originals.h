/**
 * @file originals.h
 * What softgpu found in a lab's original.cu, kept for the next grade: such a run has nothing of the student's in it, and its
 * inputs are always the same, so that of one kit it is one run.
 */
#ifndef GRADER_RUN_ORIGINALS_H
#define GRADER_RUN_ORIGINALS_H

#include "run/cases.h"
#include "run/command.h"

/** Puts the findings of the same run by the same kit where this one's would be, and releases what only a run needs.
 *  @return false: there are none, run it */
bool originals_take(const struct case_runner *r, struct command *c);

/** Keeps the findings of a run that has ended by itself, if they are whole. Where it cannot, nothing is lost. */
void originals_give(const struct case_runner *r, const struct command *c, const struct child *ended);

#endif
