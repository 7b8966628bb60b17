/**
 * @file batch.h
 * References of several cases by one process of the kit's (common/batch.h): it loads its libraries once, and the device is in the program's own process, for no
 * code of a student's runs there. A run that does not end well in it is made again by itself, as if it had not been.
 */
#ifndef GRADER_RUN_BATCH_H
#define GRADER_RUN_BATCH_H

#include "run/plan.h"

/** Begins references that wait, `first` before all. @return NULL: that one is to run by itself */
struct child *batch_start(struct cases *q, struct run *first);
/** Takes what has ended well since; true if something has. */
bool batches_look(struct cases *q);
/** None begins another run. */
void batches_stop(struct cases *q);
/** None is wanted any more. */
void batches_end(struct cases *q);
/** If the child is one: it has ended. What it has not done waits again. */
bool batch_done(struct cases *q, const struct child *c);

#endif
