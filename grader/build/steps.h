/**
 * @file steps.h
 * nvcc's steps, those side by side that do not need each other: what a lab waits for after an edit is mostly nvcc, which runs them one
 * after the other. Inside the sandbox, as a process of its own: the grader's program started again.
 */
#ifndef GRADER_BUILD_STEPS_H
#define GRADER_BUILD_STEPS_H

#include "base/kit.h"

/** The word after the program's name with which it does this and nothing else. */
#define STEPS_WORD "--nvcc-steps"
#define STEPS_TELL "--tell"         /**< next: an empty line on stdout says that the passes have ended, and the host's compiler alone is left */
#define STEPS_HEADERS "--headers"   /**< next, with a folder: a kept head (headers.h) */
#define STEPS_MAKE "--make-headers" /**< or: kernel.cu is a head, whose files are to be made */

/** The running program, if it is the grader and this nvcc one whose steps are known; the caller frees. NULL: nvcc is to be run as it is. */
char *steps_program(const struct kit *k);

/**
 * What `argv` (nvcc and its arguments, NULL-terminated, behind the words above) does in the current folder, with the commands that `nvcc --dryrun` lists and
 * with their messages in nvcc's order. Where the list is not as expected, or a step ends by a signal, nvcc itself is run.
 * @return the exit status
 */
int steps_main(char *const *argv);

#endif
