/**
 * @file counters.c
 * Reading a counters file: one JSON object of numbers; see counters.h.
 */
#include "run/counters.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define MAX_BYTES (1u << 20)

void counters_read(struct record *r, const struct run_pair *pair)
{
    bool wanted = false;
    for (int i = 0; i < r->properties_count; i++)
        wanted |= !strcmp(r->properties[i].case_name, pair->record->name);
    if (!wanted)
        return;
    const char *why;
    size_t len;
    char *text = text_read_file(pair->student_files->counters, MAX_BYTES, &len, &why);
    json_t *j = text ? json_loadb(text, len, 0, NULL) : NULL;
    for (int i = 0; i < r->properties_count; i++) {
        struct record_property *p = &r->properties[i];
        const json_t *v = json_object_get(j, p->counter);
        if (strcmp(p->case_name, pair->record->name) || !json_is_number(v))
            continue;
        double value = json_number_value(v);
        p->value = !p->has_value || value > p->value ? value : p->value;
        p->has_value = true;
    }
    json_decref(j);
    free(text);
}
