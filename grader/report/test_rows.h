/**
 * @file test_rows.h
 * A record as a list of tests, which is what other graders and CI understand: each case and each property is
 * a row. A hidden case is a row like any other, with neither title nor reason.
 */
#ifndef GRADER_REPORT_TEST_ROWS_H
#define GRADER_REPORT_TEST_ROWS_H

#include <jansson.h>

#include "record/record.h"

/** A case or a property. */
struct row {
    char *number, *name;
    char *output; /**< why it did not pass; "" if it did */
    int points, earned;
    enum record_state state;
    double seconds;
    bool skipped; /**< not run for a reason of its own, which is `output` */
};

struct rows {
    struct row *list;
    int count;
};

/** All cases and properties; where nothing compiled, every case failed for that reason. */
struct rows test_rows_collect(const struct record *r);
void test_rows_free(struct rows *rows);

/** A JSON string of text that may not be UTF-8: what is not becomes ASCII. */
json_t *test_rows_string(const char *s);
/** Adds `j` as text with Jansson's flags, and releases it. */
void test_rows_put_json(struct text *out, json_t *j, size_t flags);

#endif
