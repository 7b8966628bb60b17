/**
 * @file results.h
 * What a class's report folder keeps of it, REPORT/class.json, and what is made of several such folders:
 * `./grade class REPORT…`, the course's total, and `./grade stats REPORT…`, what it says without names.
 */
#ifndef GRADER_CLASS_RESULTS_H
#define GRADER_CLASS_RESULTS_H

#include "class/class.h"

struct result {
    const char *student, *verdict; /**< who; what failed first */
    bool counts;                   /**< false: the kit is at fault, there is no score */
    int earned, counted;           /**< points, and what course.yaml left of them, in hundredths */
    int64_t handed_in;
    const json_t *hints;           /**< NULL if none were handed in */
    struct record *record;         /**< results_records() reads it; NULL for who was rejected */
};

struct results {
    const char *lab, *folder; /**< "lab03"; the report folder, not owned */
    int points, count;
    struct result *list;
    json_t *json; /**< owns the texts */
};

/** Writes REPORT/class.json of a class that was graded. */
bool results_write(const struct class *c, const struct record *now, struct trouble *t);
/** Reads REPORT/class.json; released with results_free() either way. */
bool results_read(struct results *r, const char *folder, struct trouble *t);
/** Reads each student's record, too. */
void results_records(struct results *r);
void results_free(struct results *r);

/** ./grade class REPORT… [--csv FILE] [--gradebook KIND]. The exit status. */
int totals(const struct kit *k, const struct options *o, struct trouble *t);
/** ./grade stats REPORT… [--csv FILE] [--salt FILE]. The exit status. */
int stats(const struct options *o, struct trouble *t);
/** Of REPORT, the options' report: how often each of the lab's hints was opened, and by whom of those with full marks. */
bool hint_use(const struct kit *k, const struct options *o, struct trouble *t);

/** A fresh key of 16 random bytes; with `file` the one that is kept there, made where there is none. */
bool pseudonym_key(unsigned char key[16], const char *file, struct trouble *t);
/** SipHash-2-4 of a name under the key: the same name has the same number, which tells it to nobody without the key. */
uint64_t pseudonym(const unsigned char key[16], const void *name, size_t len);

#endif
