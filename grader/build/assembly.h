/**
 * @file assembly.h
 * What is written as PTX in a student's file, which nvcc -ptx hands on unread: whether the toolkit's assembler takes it.
 */
#ifndef GRADER_BUILD_ASSEMBLY_H
#define GRADER_BUILD_ASSEMBLY_H

#include "build/compile.h"

/** Does a file have a word like `asm`, so that it may hold PTX of its own? */
bool assembly_is_in(const char *source);

/**
 * Asked only of such files, and where the toolkit has an assembler.
 * @param arch    as in lab.yaml: "compute_75"
 * @param ptx     a file in `folder`, by its name there
 * @param source  the student's text, whose lines are told; `shown` is its name
 * @return its errors as compile_errors() tells nvcc's, malloced; NULL: none, or nobody asked
 */
char *assembly_errors(const struct kit *k, const char *arch, const char *ptx, const char *source, const char *shown, const char *folder,
                      struct trouble *t);

#endif
