/**
 * @file plain_code.h
 * A source's code and its directives apart, each at the place where it stood.
 */
#ifndef GRADER_BUILD_PLAIN_CODE_H
#define GRADER_BUILD_PLAIN_CODE_H

#include <stdbool.h>

#include "base/text.h"

/** Zero-initialise. */
struct plain_code {
    char *code;       /**< as long as the source: comments and directives (but pragmas) are blanks, lines stay */
    char *directives; /**< as long: the directives alone, without comments */
};

/** @return false if a comment or a literal does not end */
bool plain_code_read(struct plain_code *p, const char *source);
void plain_code_free(struct plain_code *p);

#endif
