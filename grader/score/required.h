/**
 * @file required.h
 * Properties that are required: what a part is about must have been done, or the part earns nothing.
 * And cases that count only with another one.
 */
#ifndef GRADER_SCORE_REQUIRED_H
#define GRADER_SCORE_REQUIRED_H

#include "record/record.h"

/** Fails each case that passed and does not meet a required property of it; its message says which. */
void required_fail_cases(struct record *r);
/** Takes the points off the cases of a part that do not count, and says why in `uncounted`: the part has
 *  a case that is not as asked, or the case with which they count has not passed. */
void required_uncount(const struct record *r, struct record_part *part);

#endif
