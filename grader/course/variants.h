/**
 * @file variants.h
 * The other answers beside a lab's solution: solutions/LAB/alternatives and solutions/LAB/wrong.
 */
#ifndef GRADER_COURSE_VARIANTS_H
#define GRADER_COURSE_VARIANTS_H

#include <dirent.h>

#include "base/kit.h"

/** The kernels in solutions/LAB/NAME, in order of name, as scandir() gives them: the caller frees each and the list.
 *  @return how many; 0 or less: none */
int variants_list(const struct kit *k, const char *lab, const char *name, struct dirent ***list);

#endif
