/**
 * @file json.c
 * The record itself, and what each of its counters counts; docs/record.md is its schema.
 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "report/report.h"
#include "report/words.h"

/** Name → sentence, for every counter that a case has. */
static json_t *sentences(const struct record *r)
{
    json_t *all = json_object();
    for (int p = 0; p < r->parts_count; p++)
        for (int i = 0; i < r->parts[p].cases_count; i++) {
            const struct record_case *c = &r->parts[p].cases[i];
            for (int n = 0; n < c->counters_count; n++) {
                const char *sentence = sentence_of_counter(c->counters[n].name);
                if (sentence)
                    json_object_set_new(all, c->counters[n].name, json_string(sentence));
            }
        }
    return all;
}

void report_json(struct text *out, const struct record *r, const struct report_style *s)
{
    (void)s;
    char *json = record_to_json(r);
    json_t *j = json_loads(json, 0, NULL);
    json_object_set_new(j, "counter_sentences", sentences(r));
    free(json);
    json = json_dumps(j, JSON_INDENT(1));
    json_decref(j);
    if (!json)
        abort();
    text_puts(out, json);
    text_puts(out, "\n");
    free(json);
}
