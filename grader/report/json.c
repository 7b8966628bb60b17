/**
 * @file json.c
 * The record itself, and what each of its counters counts; docs/record.md is its schema.
 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "record/record_json.h"
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

/** A student reads this: of a hidden case only its id, points, state and verdict are in it. */
static void hide(json_t *c)
{
    static const char *const gone[] = {"message", "detail", "timeline", "reference_timeline", "gpu_message"};
    static const char *const empty[] = {"findings", "hints", "counters"};
    json_object_set(c, "name", json_object_get(c, "id"));
    json_object_set_new(c, "title", json_string("a hidden case"));
    for (size_t i = 0; i < sizeof gone / sizeof gone[0]; i++)
        json_object_set_new(c, gone[i], json_null());
    for (size_t i = 0; i < sizeof empty / sizeof empty[0]; i++)
        json_object_set_new(c, empty[i], json_array());
}

static void hide_cases(json_t *record)
{
    size_t p, i, q;
    json_t *part, *c, *property;
    json_array_foreach(json_object_get(record, "parts"), p, part)
        json_array_foreach(json_object_get(part, "cases"), i, c) {
            if (!json_is_true(json_object_get(c, "hidden")))
                continue;
            char *name = text_dup(json_string_value(json_object_get(c, "name")));
            hide(c);
            for (int list = 0; list < 2; list++)
                json_array_foreach(json_object_get(record, list ? "performance" : "properties"), q, property)
                    if (!strcmp(json_string_value(json_object_get(property, "case_name")), name))
                        json_object_set(property, "case_name", json_object_get(c, "id"));
            free(name);
        }
}

void report_json(struct text *out, const struct record *r, const struct report_style *s)
{
    (void)s;
    char *json = record_to_json(r);
    json_t *j = json_loads(json, 0, NULL);
    json_object_set_new(j, "counter_sentences", sentences(r));
    hide_cases(j);
    free(json);
    json = json_dumps(j, JSON_INDENT(1));
    json_decref(j);
    if (!json)
        abort();
    text_puts(out, json);
    text_puts(out, "\n");
    free(json);
}
