/**
 * @file compare.h
 * The student's arrays against the reference's, by the spec's rule.
 */
#ifndef GRADER_COMPARE_COMPARE_H
#define GRADER_COMPARE_COMPARE_H

#include "compare/result_file.h"
#include "spec/spec.h"

/**
 * Compares two results.
 * @return NULL if they match, else what differs, malloced: "element 17 of sum: expected 4950, got
 *         4811 (3 of 64 elements differ)"
 */
char *compare_results(const struct spec *s, const struct spec_case *c,
                      const struct result_file *expected, const struct result_file *got);

#endif
