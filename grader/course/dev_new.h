/**
 * @file dev_new.h
 * `./grade dev new lab20_mine`: a lab that passes `dev check`, to start from.
 */
#ifndef GRADER_COURSE_DEV_NEW_H
#define GRADER_COURSE_DEV_NEW_H

#include "base/kit.h"

/** Makes labs/NAME and solutions/NAME from course/new_lab; refuses a name that is taken. */
bool dev_new(const struct kit *k, const char *name, struct trouble *t);

#endif
