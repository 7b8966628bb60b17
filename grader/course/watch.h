/**
 * @file watch.h
 * `./grade [LAB] --watch`: grades again at each save, and takes keys.
 */
#ifndef GRADER_COURSE_WATCH_H
#define GRADER_COURSE_WATCH_H

#include "base/kit.h"
#include "options.h"

/** Runs until q, end of input or a signal. Keys: n next lab, r run again, h hint, l list, q quit.
 *  Returns the last grade's exit status. */
int watch(const struct kit *k, const struct options *o, struct trouble *t);

#endif
