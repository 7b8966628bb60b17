/**
 * @file dev_check.h
 * `./grade dev check`: proves that skeleton, solution, alternatives, wrong variants and spec fit. A wrong
 * variant is graded until it has its verdict, the others whole. With --quick those stand for all that show something
 * new (course/sample.h), with --file that file is judged alone.
 */
#ifndef GRADER_COURSE_DEV_CHECK_H
#define GRADER_COURSE_DEV_CHECK_H

#include "base/kit.h"
#include "options.h"

/** Checks the named labs, or all; prints a line for each file. Exit status 0, 1 something does not
 *  hold, 2 something could not be judged. */
int dev_check(const struct kit *k, const struct options *o, struct trouble *t);

#endif
