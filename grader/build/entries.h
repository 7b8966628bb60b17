/**
 * @file entries.h
 * The kernels that a lab's harness launches, looked up in a student's PTX.
 */
#ifndef GRADER_BUILD_ENTRIES_H
#define GRADER_BUILD_ENTRIES_H

#include "spec/spec.h"

/**
 * Whether each kernel of the spec is in `ptx`, with parameters of the sizes and kinds that it has in
 * `reference` (both NUL-terminated PTX; where `reference` is NULL or lacks a kernel only its name counts).
 * @param shown  how messages name the student's file
 * @return NULL, or what is wrong and how the kernel must be declared; the caller frees
 */
char *entries_check(const struct spec *s, const char *ptx, const char *reference, const char *shown);

#endif
