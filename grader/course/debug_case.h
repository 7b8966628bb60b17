/**
 * @file debug_case.h
 * `./grade LAB --debug`: one case of a lab under softgpu's debugger, with the inputs, the schedules and the seed of
 * a grade.
 */
#ifndef GRADER_COURSE_DEBUG_CASE_H
#define GRADER_COURSE_DEBUG_CASE_H

#include "base/kit.h"
#include "options.h"

/**
 * The case is --case, else the first that failed in the last grade, else the first; its seed --seed, else the last
 * grade's. Where a person is at the terminal it is the debugger's front end there, also where FENCEPOST_COMMANDS names a file
 * with commands for it; else the Debug Adapter Protocol on
 * standard input and output. It runs outside of the sandbox: the file is the caller's own.
 * @return exit status: the debugger's, 2 with `t` where the case cannot be started
 */
int debug_case(const struct kit *k, const struct options *o, const char *word, struct trouble *t);

#endif
