/**
 * @file progress_line.h
 * "lab03  7 of 15 cases" on one line of a terminal's stderr, erased at the end; nothing when piped.
 */
#ifndef GRADER_REPORT_PROGRESS_LINE_H
#define GRADER_REPORT_PROGRESS_LINE_H

#include <stdbool.h>

struct progress_line {
    const char *name;
};

void progress_line_start(struct progress_line *p, const char *name);
/** Has the type of case_runner.progress; `ctx` is not used: there is one line a process. */
void progress_line_show(void *ctx, int decided, int all);
void progress_line_end(struct progress_line *p);
/** Turns the line off, for modes that grade many files. */
void progress_line_silence(void);

#endif
