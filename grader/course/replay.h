/**
 * @file replay.h
 * `./grade --replay FILE`: a record's grade once more, with its seed and file; it must come out the
 * same.
 */
#ifndef GRADER_COURSE_REPLAY_H
#define GRADER_COURSE_REPLAY_H

#include "base/kit.h"
#include "options.h"

/** Exit status: the new grade's (0, 1, 2), or 2 with `t` where the grade cannot be repeated because
 *  its source is gone or changed. Prints whether the verdicts are the same. */
int replay_record(const struct kit *k, const struct options *o, struct trouble *t);

#endif
