/**
 * @file counters.c
 * Reading counters files, each one JSON object of numbers; see counters.h.
 */
#include "run/counters.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define MAX_BYTES (1u << 20)

static bool has_ratio(const struct spec_property *p)
{
    return p->at_most_reference || p->at_least_reference;
}

bool counters_wanted(const struct spec *s, bool reference)
{
    bool wanted = s->code == SPEC_HOST && s->properties_count;
    for (unsigned i = 0; i < s->properties_count; i++)
        wanted |= !reference || has_ratio(&s->properties[i]);
    return wanted;
}

static json_t *load(const char *path)
{
    const char *why;
    size_t len;
    char *text = text_read_file(path, MAX_BYTES, &len, &why);
    json_t *j = text ? json_loadb(text, len, 0, NULL) : NULL;
    free(text);
    return j;
}

/** A property as one pair of runs shows it; false where it cannot be measured. A counter that the
 *  student's run lacks and the reference's has is a missed bound: a ratio of nothing to nothing. */
static bool measure(struct record_property *p, const struct spec_property *rule,
                    const json_t *student, const json_t *reference)
{
    const json_t *v = json_object_get(student, p->counter), *r = json_object_get(reference, p->counter);
    bool lacks = student && !json_is_number(v) && json_is_number(r);
    if ((!json_is_number(v) && !lacks) || (has_ratio(rule) && !json_is_number(r)))
        return false;
    p->has_value = !lacks;
    p->value = json_number_value(v);
    p->has_reference = lacks || has_ratio(rule);
    p->reference = json_number_value(r);
    if (!has_ratio(rule))
        return true;
    if (rule->at_most_reference) {
        p->has_max = true;
        p->max = *rule->at_most_reference * p->reference;
    }
    if (rule->at_least_reference) {
        p->has_min = true;
        p->min = *rule->at_least_reference * p->reference;
    }
    return true;
}

static bool breaks(const struct record_property *p)
{
    return !p->has_value || (p->has_max && p->value > p->max) || (p->has_min && p->value < p->min);
}

void counters_read(const struct spec *s, struct record *r, const struct run_pair *pair)
{
    bool wanted = false;
    for (int i = 0; i < r->properties_count; i++)
        wanted |= !strcmp(r->properties[i].case_name, pair->record->name);
    if (!wanted)
        return;
    json_t *student = load(pair->student_files->counters);
    json_t *reference = load(pair->reference_files->counters);
    for (int i = 0; i < r->properties_count; i++) {
        struct record_property *p = &r->properties[i], now = *p;
        if (strcmp(p->case_name, pair->record->name) ||
            !measure(&now, &s->properties[i], student, reference))
            continue;
        bool first = !p->has_value && !p->has_reference;
        if (first || (!breaks(p) && (breaks(&now) || now.value > p->value)))
            *p = now;
    }
    json_decref(student);
    json_decref(reference);
}
