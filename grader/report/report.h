/**
 * @file report.h
 * Reports from a result record. A format is a row of the table in report.c and a file here.
 */
#ifndef GRADER_REPORT_REPORT_H
#define GRADER_REPORT_REPORT_H

#include "options.h"
#include "record/record.h"

/** How a report is written. */
struct report_style {
    bool color, verbose;
    int hints_left; /**< hints not opened yet for what fails; text ends with how to open one */
    int columns;    /**< of the terminal; 0: not one, or not known */
};

typedef void report_writer(struct text *out, const struct record *r, const struct report_style *s);

report_writer report_text, report_json, report_html;
report_writer report_junit, report_tap;                                                    /* formats.c */
report_writer report_gradescope, report_classroom50, report_prairielearn, report_autolab; /* platforms.c */
report_writer report_sarif, report_github;                                                 /* annotations.c */

/** The writer of a format; NULL with `t` listing the formats. */
report_writer *report_find(const char *format, struct trouble *t);

/** Writes to a file, or stdout where `path` is NULL. */
bool report_emit(const struct text *t, const char *path, struct trouble *trouble);
/** Whether colours go to stdout. */
bool report_color(enum color_choice choice, const char *path);
/** Columns of the terminal that a report goes to; 0 where it goes elsewhere. */
int report_columns(const char *path);

#endif
