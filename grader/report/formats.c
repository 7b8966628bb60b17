/**
 * @file formats.c
 * The record for CI: JUnit XML, TAP 14.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/report.h"
#include "report/test_rows.h"
#include "report/words.h"

/** Text for XML: markup escaped, and no character that XML 1.0 forbids. */
static void xml(struct text *out, const char *s)
{
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;
        switch (c) {
        case '&':
            text_puts(out, "&amp;");
            break;
        case '<':
            text_puts(out, "&lt;");
            break;
        case '>':
            text_puts(out, "&gt;");
            break;
        case '"':
            text_puts(out, "&quot;");
            break;
        default:
            text_add(out, c < 0x20 && c != '\n' && c != '\t' ? "?" : s, 1);
        }
    }
}

/** XML must be UTF-8: a text that is not becomes ASCII. */
static char *utf8(const char *s)
{
    json_t *j = test_rows_string(s);
    char *copy = text_dup(json_string_value(j));
    json_decref(j);
    return copy;
}

void report_junit(struct text *out, const struct record *r, const struct report_style *s)
{
    (void)s;
    struct rows rows = test_rows_collect(r);
    int failures = 0, errors = 0, skipped = 0;
    for (int i = 0; i < rows.count; i++) {
        failures += rows.list[i].state == STATE_FAIL;
        errors += rows.list[i].state == STATE_UNJUDGED;
        skipped += rows.list[i].state == STATE_NOT_TRIED;
    }
    text_puts(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    text_printf(out, "<testsuite name=\"%s\" tests=\"%d\" failures=\"%d\" errors=\"%d\" "
                     "skipped=\"%d\" time=\"%.3f\">\n",
                r->lab, rows.count, failures, errors, skipped, r->seconds);
    for (int i = 0; i < rows.count; i++) {
        const struct row *row = &rows.list[i];
        char *name = utf8(row->name), *output = utf8(row->output);
        const char *tag = row->state == STATE_FAIL       ? "failure"
                          : row->state == STATE_UNJUDGED ? "error" : "skipped";
        text_printf(out, " <testcase classname=\"%s\" name=\"", r->lab);
        xml(out, name);
        text_printf(out, "\" time=\"%.3f\"", row->seconds);
        if (row->state == STATE_OK) {
            text_puts(out, "/>\n");
        } else {
            text_printf(out, ">\n  <%s type=\"%s\" message=\"", tag, record_state_name(row->state));
            char *first = text_format("%.*s", (int)strcspn(output, "\n"), output);
            xml(out, first);
            free(first);
            text_puts(out, "\">");
            xml(out, output);
            text_printf(out, "</%s>\n </testcase>\n", tag);
        }
        free(name);
        free(output);
    }
    text_puts(out, "</testsuite>\n");
    test_rows_free(&rows);
}

void report_tap(struct text *out, const struct record *r, const struct report_style *s)
{
    (void)s;
    struct rows rows = test_rows_collect(r);
    text_printf(out, "TAP version 14\n1..%d\n", rows.count);
    for (int i = 0; i < rows.count; i++) {
        const struct row *row = &rows.list[i];
        char *name = utf8(row->name), *output = utf8(row->output);
        for (char *p = name; *p; p++)
            *p = *p == '#' || *p == '\n' ? ' ' : *p; /* "#" would start a directive */
        bool skip = row->state == STATE_NOT_TRIED;
        text_printf(out, "%s %d - %s%s%s\n", row->state == STATE_OK || skip ? "ok" : "not ok", i + 1,
                    name, skip ? " # SKIP " : "", !skip ? "" : row->skipped ? output : "needs an earlier part");
        if (row->state == STATE_FAIL || row->state == STATE_UNJUDGED) {
            text_printf(out, "  ---\n  points: %d\n  of: %d\n  message: |\n", row->earned,
                        row->points);
            words_indent(out, output, 4);
            text_puts(out, "  ...\n");
        }
        free(name);
        free(output);
    }
    test_rows_free(&rows);
}
