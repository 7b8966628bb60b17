/**
 * @file glance.h
 * The course at a glance: every lab with its last score, what fails, what needs what and the next step.
 */
#ifndef GRADER_COURSE_GLANCE_H
#define GRADER_COURSE_GLANCE_H

#include "base/kit.h"

/** Writes the overview from what progress.h keeps. Exit status: 0 all full marks, 1 below, 2 a spec
 *  that cannot be read. */
int glance(const struct kit *k, bool color, struct text *out);

#endif
