/**
 * @file places.h
 * What a student says of the lab's original program, against what softgpu finds in it: the case's key
 * `places` (docs/lab_yaml.md).
 */
#ifndef GRADER_SCORE_PLACES_H
#define GRADER_SCORE_PLACES_H

#include "score/judge.h"

/** Two letters in order; one line twice is one letter twice. */
struct places {
    char letter[2];
};

/** The letter at the end of a line of a program, "… // (a)"; 0 if it has none. */
char places_label(const char *source, int line);

/**
 * What stands in a student's file: the last "places NAME: x y". One letter alone stands for both.
 * @return false where nothing is said, or not two letters
 */
bool places_said(const char *source, const char *name, struct places *said);

/**
 * Judges a run of the original, made under all checks, into its case's record. Each of its error findings whose
 * lines have letters is a right answer. The findings themselves do not go into the record.
 * @return whether the case is still open, i.e. the answer is right for this run
 */
bool places_judge(const struct judge *j, const struct run_pair *p);

#endif
