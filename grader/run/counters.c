/**
 * @file counters.c
 * Reading counters files, each one JSON object of numbers; see counters.h.
 */
#include "run/counters.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define MAX_BYTES (1u << 20)
#define MAX_COUNTERS 64

static bool has_ratio(const struct spec_property *p)
{
    return p->at_most_reference || p->at_least_reference;
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

/** The counters that a property looks at: the run's, a kernel's or an object's. NULL: there are none. */
static const json_t *counters_of(const struct spec_property *rule, const json_t *run)
{
    const json_t *all = rule->object   ? json_object_get(run, "objects")
                        : rule->kernel ? json_object_get(run, "kernels")
                                       : NULL;
    return rule->object || rule->kernel
               ? json_object_get(all, rule->object ? rule->object : rule->kernel) : run;
}

/** A property as one pair of runs shows it; false where it cannot be measured. A counter that the
 *  student's run lacks and the reference's has is a missed bound: a ratio of nothing to nothing. */
static bool measure(struct record_property *p, const struct spec_property *rule,
                    const json_t *student, const json_t *reference)
{
    const json_t *v = json_object_get(counters_of(rule, student), rule->counter);
    const json_t *r = json_object_get(counters_of(rule, reference), rule->counter);
    /* A kernel that was not launched and an object that nobody used have nothing to count. */
    json_t *zero = rule->kernel || rule->object ? json_integer(0) : NULL;
    v = zero && student && !json_is_number(v) ? zero : v;
    r = zero && reference && !json_is_number(r) ? zero : r;
    bool lacks = student && !json_is_number(v) && json_is_number(r);
    bool counted = (json_is_number(v) || lacks) && (!has_ratio(rule) || json_is_number(r));
    p->has_value = counted ? !lacks : p->has_value;
    p->value = counted ? json_number_value(v) : p->value;
    json_decref(zero);
    if (!counted)
        return false;
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
    return !record_property_met(p);
}

static void fill_properties(const struct spec *s, struct record *r, const char *case_name,
                            const json_t *student, const json_t *reference)
{
    for (int i = 0; i < r->properties_count; i++) {
        struct record_property *p = &r->properties[i], now = *p;
        const struct spec_property *rule = &s->properties[i];
        /* In a kernel lab a kernel may do without what the reference uses. */
        const json_t *theirs = s->code == SPEC_HOST || has_ratio(rule) ? reference : NULL;
        if (strcmp(p->case_name, case_name) || !measure(&now, rule, student, theirs))
            continue;
        now.absent = (rule->object || rule->kernel) && !counters_of(rule, student) && !counters_of(rule, reference);
        bool first = !p->has_value && !p->has_reference;
        if (first || (!breaks(p) && (breaks(&now) || now.value > p->value)))
            *p = now;
    }
}

/** The counter's row in the record, a new one if there is none yet. */
static struct record_counter *row_of(struct record_case *c, const char *name)
{
    for (int i = 0; i < c->counters_count; i++)
        if (!strcmp(c->counters[i].name, name))
            return &c->counters[i];
    if (c->counters_count == MAX_COUNTERS)
        return NULL;
    if (!c->counters)
        c->counters = text_zalloc(MAX_COUNTERS, sizeof *c->counters);
    struct record_counter *row = &c->counters[c->counters_count++];
    row->name = text_dup(name);
    text_clean(row->name);
    return row;
}

static void fill_case(struct record_case *c, json_t *student, const json_t *reference)
{
    const char *name;
    json_t *v;
    json_object_foreach(student, name, v) {
        struct record_counter *row = json_is_number(v) ? row_of(c, name) : NULL;
        const json_t *other = json_object_get(reference, name);
        if (!row)
            continue;
        double value = json_number_value(v), theirs = json_number_value(other);
        row->value = value > row->value ? value : row->value;
        row->has_reference |= json_is_number(other);
        row->reference = theirs > row->reference ? theirs : row->reference;
    }
}

void counters_read(const struct spec *s, struct record *r, const struct run_pair *pair)
{
    json_t *student = load(pair->student_files->counters);
    json_t *reference = load(pair->reference_files->counters);
    fill_properties(s, r, pair->record->name, student, reference);
    if (!pair->record->hidden && json_is_object(student))
        fill_case(pair->record, student, reference);
    json_decref(student);
    json_decref(reference);
}
