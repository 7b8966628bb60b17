/**
 * @file score.h
 * From a spec to an empty record, which parts may be tried, and the sums.
 */
#ifndef GRADER_SCORE_SCORE_H
#define GRADER_SCORE_SCORE_H

#include "record/record.h"
#include "spec/spec.h"

/** A record with the spec's parts, cases and properties, nothing tried yet. */
struct record *score_start(const struct spec *s, const char *lab);
/**
 * Collects the cases of all parts that are neither tried, kept nor skipped and are wanted, whatever they need.
 * @param only   a case's name or id or a part's id; NULL: all
 * @param specs,records  room for 26·64 entries
 * @return how many
 */
int score_wanted(const struct spec *s, const struct record *r, const char *only, const struct spec_case **specs,
                 struct record_case **records);
/** The id of the first needed part without full marks, NULL if all have them. */
const char *score_missing_part(const struct spec_part *p, const struct record *r);
/**
 * Those of them whose needs have full marks; with `only`, the needs do not matter.
 * @return how many; 0: done
 */
int score_ready(const struct spec *s, struct record *r, const char *only, struct record_case **records);
/** Sums up parts after a wave of cases. */
void score_parts(struct record *r);
/** Gives each failed case (and a compile error) the spec's hints for it: those of its kind, then of
 *  its case, then of its part. */
void score_hints(const struct spec *s, struct record *r);
/** The one thing to do next, into r->next: the spec's word to a beginner while its first TODO stands there.
 *  @param source  the student's text */
void score_next(const struct spec *s, struct record *r, const char *source);
/** The final sums and state. */
void score_total(struct record *r);

#endif
