/**
 * @file batch.h
 * Runs of several cases by one process, which loads its libraries once and forks for each: references (common/batch.h), with the device in the program's own process, for no
 * code of a student's runs there; or in a host-code lab short runs of the student's program, beside a process that forks their devices (softgpu/remote/runs.h).
 * A run that does not end well in it is made again by itself, as if it had not been.
 */
#ifndef GRADER_RUN_BATCH_H
#define GRADER_RUN_BATCH_H

#include "run/plan.h"

/** Begins `first`, and others of its sort that wait. @return NULL: that one is to run by itself */
struct child *batch_start(struct cases *q, struct run *first);
/** Takes which references have ended well since; true if one has. */
bool batches_look(struct cases *q);
/** None begins another run. */
void batches_stop(struct cases *q);
/** None is wanted any more. */
void batches_end(struct cases *q);
/** If the child is one: it has ended. What it has not done waits again. */
bool batch_done(struct cases *q, const struct child *c);

#endif
