/**
 * @file expect.h
 * The verdict that a wrong variant says it must get, in its first lines (docs/lab_yaml.md).
 */
#ifndef GRADER_COURSE_EXPECT_H
#define GRADER_COURSE_EXPECT_H

#include "record/record.h"

/**
 * Whether a record gives a wrong variant what its `// verdict:` lines ask for.
 * @return NULL if so, else what is missing; the caller frees
 */
char *expect_check(const char *source, const struct record *r);

/** The one case that all `// verdict:` lines name ("in CASE"); NULL if there is none, or not only one.
 *  The caller frees. */
char *expect_only_case(const char *source);

/** A key of the kinds of verdict (and counters) that its lines name first: the same for two variants that differ in
 *  places, cases, order and what else would do. The caller frees. */
char *expect_kinds(const char *source);

#endif
