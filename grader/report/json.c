/**
 * @file json.c
 * The record itself; docs/record.md is its schema.
 */
#include <stdlib.h>

#include "report/report.h"

void report_json(struct text *out, const struct record *r, const struct report_style *s)
{
    (void)s;
    char *json = record_to_json(r);
    text_puts(out, json);
    text_puts(out, "\n");
    free(json);
}
