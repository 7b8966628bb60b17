/**
 * @file progress.h
 * What lasts between calls: the last record of each lab and how many hints were opened, as files
 * under build/progress: a record as JSON, its pictures in a file beside it. Losing them costs nothing but the overview, and that the next grade is a whole one.
 */
#ifndef GRADER_COURSE_PROGRESS_H
#define GRADER_COURSE_PROGRESS_H

#include "base/kit.h"
#include "record/record.h"

/** Keeps a record as the lab's last one. */
bool progress_save(const struct kit *k, const struct record *r, struct trouble *t);
/** The lab's last record, released with record_free(); NULL if there is none. */
struct record *progress_load(const struct kit *k, const char *lab);
/** How many hints of `key` ("two_blocks missing-acquire") were opened. */
int progress_hints(const struct kit *k, const char *lab, const char *key);
bool progress_set_hints(const struct kit *k, const char *lab, const char *key, int opened,
                        struct trouble *t);

#endif
