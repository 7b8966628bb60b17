/**
 * @file hint.h
 * The hints for what fails first, opened one at a time.
 */
#ifndef GRADER_COURSE_HINT_H
#define GRADER_COURSE_HINT_H

#include "base/kit.h"
#include "record/record.h"

/** How many hints for the record's first failure are not opened yet. */
int hint_left(const struct kit *k, const struct record *r);
/** Opens the next hint and writes it; says so where there is none.
 *  @param only  the case that it is about, by name or id; NULL: the first failure */
bool hint_open(const struct kit *k, const struct record *r, const char *only, bool all, struct text *out,
               struct trouble *t);

#endif
