/**
 * @file grade.h
 * One grade: the stages spec → build → run → compare → score, in order.
 */
#ifndef GRADER_GRADE_H
#define GRADER_GRADE_H

#include "base/kit.h"
#include "options.h"
#include "record/record.h"
#include "spec/spec.h"

/**
 * Grades one lab.
 * @param lab  a folder name from kit_find_lab()
 * @return the record, released with record_free(); NULL with `t` filled where nothing could be
 *         judged
 */
struct record *grade_lab(const struct kit *k, const struct options *o, const char *lab,
                         struct trouble *t);

/** grade_lab(), where parts that an edit has not reached since keep what `last` says of them (score/unchanged.h).
 *  @param last  the lab's last record, from which that is moved */
struct record *grade_lab_after(const struct kit *k, const struct options *o, const char *lab, struct record *last,
                               struct trouble *t);

/** When a grade may end before all its cases are tried. */
struct grade_end {
    /** Asked after every judged run; true: no other run begins. What is not tried by then earns nothing. */
    bool (*is_enough)(void *ctx, const struct record *r);
    void *ctx;
};
/** grade_lab(), until `end` has enough. Properties are counted at the end: none of them is known before. */
struct record *grade_lab_until(const struct kit *k, const struct options *o, const char *lab,
                               const struct grade_end *end, struct trouble *t);

/** The lab's spec. Whether the skeleton has its kernels is dev check's to say: kernel.cu is what the
 *  student edits. */
struct spec *grade_spec(const struct kit *k, const char *lab, struct trouble *t);

#endif
