/**
 * @file compile.h
 * One step of a compile in the sandbox, shared by compile.c (PTX) and program.c (host code).
 */
#ifndef GRADER_BUILD_COMPILE_H
#define GRADER_BUILD_COMPILE_H

#include "build/build.h"
#include "sandbox/sandbox.h"

/** Writes the source to FOLDER/kernel.cu, making the folder. */
bool compile_source(const char *text, const char *folder, struct trouble *t);

/**
 * Runs one tool in the sandbox that takes but a moment, so that nothing is begun beside it: it sees the toolkit, the system's programs, its folder and `inputs`.
 * @param c       set up here; child_clear() is due
 * @param inputs  absolute paths that it may read, NULL-terminated; or NULL
 * @return whether it ended with 0; `t` is filled only where it could not be started
 */
bool compile_step(struct child *c, const struct kit *k, char *const *argv, const char *folder,
                  const char *const *inputs, struct trouble *t);

/** One such step that makes `product` of FOLDER/kernel.cu, which holds `text`; or what is kept of it (kept.h). */
bool compile_with_nvcc(struct child *c, const struct kit *k, char *const *argv, const char *text, const char *folder,
                       const char *product, struct trouble *t);

/** Why a step failed, with the student's lines; the caller frees. */
char *compile_failure(const struct child *c, const char *text, const char *shown);

/** symbols.c: makes FOLDER/kernel.o's symbols local but for the lab's functions, and looks at what it
 *  calls. False with `errors` or `t` filled if that is not allowed. */
bool compile_confine_object(const struct kit *k, const struct spec *s, const char *folder,
                            const char *shown, char **errors, struct trouble *t);

#endif
