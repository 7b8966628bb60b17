/**
 * @file alone.h
 * Whether a part's `calls` are all that its cases call: they pass with the solution though all else in it stores to address 4.
 */
#ifndef GRADER_COURSE_ALONE_H
#define GRADER_COURSE_ALONE_H

#include "base/kit.h"
#include "options.h"
#include "spec/spec.h"

/**
 * @param n  of the spec's parts
 * @return NULL: it holds; else what does not, malloced; or `t` filled where nothing could be judged
 */
char *alone_check(const struct kit *k, const struct options *o, const char *lab, const struct spec *s, unsigned n, struct trouble *t);

#endif
