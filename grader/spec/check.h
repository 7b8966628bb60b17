/**
 * @file check.h
 * What the schema cannot say: params, ranges, sums and references between keys.
 */
#ifndef GRADER_SPEC_CHECK_H
#define GRADER_SPEC_CHECK_H

#include "spec/document.h"

/** Reads every case's `params` from the tree into the spec. */
bool spec_read_params(struct spec *s, struct spec_document *d, struct trouble *t);
/** Puts in the defaults, then checks ranges, uniqueness, references and the sum of points. */
bool spec_check(struct spec *s, struct spec_document *d, struct trouble *t);

#endif
