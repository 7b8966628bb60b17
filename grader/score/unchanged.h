/**
 * @file unchanged.h
 * Parts that an edit does not reach: they keep what the lab's last grade said of them.
 *
 * A part is kept where it had full marks, no finding, and all that decides about it is as it was: the code that its calls can come to run (build/meant.h), what the
 * student says of the original's lines, the lab's spec, harness and reference, the compiler and softgpu. A file that is the same to the byte is judged anew: whoever
 * grades that asks for other inputs.
 */
#ifndef GRADER_SCORE_UNCHANGED_H
#define GRADER_SCORE_UNCHANGED_H

#include "build/build.h"
#include "record/record.h"
#include "spec/spec.h"

/** Fills each part's `code`, and `kept` and `seed` where `last` still holds. @param last  the lab's last record; NULL: none */
void unchanged_mark(const struct spec *s, const struct build *b, struct record *r, const struct record *last);

/** Moves what `last` says of the kept parts whose needs are met into `r`. @return whether any came */
bool unchanged_take(const struct spec *s, struct record *r, struct record *last);

#endif
