/**
 * @file map.h
 * What needs what: the labs as a tree, by the `needs` of their specs. docs/draw/course.c draws the same.
 */
#ifndef GRADER_COURSE_MAP_H
#define GRADER_COURSE_MAP_H

#include "spec/spec.h"

/** A lab, and its spec; NULL where that cannot be read. */
struct map_lab {
    const char *name; /**< "lab03" */
    const struct spec *spec;
};

/**
 * Writes a line a lab, below the first lab that it needs and further in; others that it needs stand behind its title.
 * A lab that is not there, or that comes no earlier, is as if it were not named. Nothing where no lab needs another.
 */
void map_write(const struct map_lab *labs, int count, struct text *out);

#endif
