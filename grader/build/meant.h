/**
 * @file meant.h
 * What of a student's file a part of the lab can come to run: the functions that the harness calls there, and whatever these name, so that an edit elsewhere
 * need not have that part judged anew.
 *
 * This is no compiler. A function's definition is left out only where it has one plain name, no attributes that let others find it, and that name stands
 * nowhere in what is kept, be it in code, in a macro or in a string; all else that a file declares is always kept. Where a text has what hides names (`##`, files
 * of its own, conditions of the preprocessor) or asks for its own lines (`__LINE__`), nothing can be said of it.
 */
#ifndef GRADER_BUILD_MEANT_H
#define GRADER_BUILD_MEANT_H

#include <stdbool.h>
#include <stdint.h>

#include "spec/spec.h"

struct meant;

/** @param source  borrowed. @return NULL: nothing can be said of this text; else for meant_free() */
struct meant *meant_read(const char *source, const struct spec *s);
void meant_free(struct meant *m);

/** A hash of the code that functions of these names can come to run, without comments, blanks and line numbers. False: one of them is not defined. */
bool meant_hash(struct meant *m, char *const *calls, unsigned count, uint64_t *hash);

/** The text with a store to address 4 for a body in each function that those cannot come to run: what calls one anyway does not get away with it. The caller
 *  frees; NULL as above. */
char *meant_alone(struct meant *m, char *const *calls, unsigned count);

#endif
