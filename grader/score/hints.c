/**
 * @file hints.c
 * Which of the spec's hints a failure gets; see score.h.
 */
#include <stdlib.h>
#include <string.h>

#include "score/score.h"

struct list {
    char **steps;
    int count;
};

static void add(struct list *l, const struct spec_hint *h)
{
    l->steps = realloc(l->steps, (size_t)(l->count + (int)h->steps_count) * sizeof *l->steps);
    if (!l->steps)
        abort();
    for (unsigned i = 0; i < h->steps_count; i++)
        l->steps[l->count++] = text_dup(h->steps[i]);
}

static bool is(const char *key, const char *value)
{
    return key && value && !strcmp(key, value);
}

/** The most specific first: what went wrong says more than where. */
static struct list collect(const struct spec *s, const char *kind, const char *name,
                           const char *part)
{
    struct list l = {0};
    for (unsigned i = 0; i < s->hints_count; i++)
        if (is(s->hints[i].finding, kind))
            add(&l, &s->hints[i]);
    for (unsigned i = 0; i < s->hints_count; i++)
        if (is(s->hints[i].case_name, name))
            add(&l, &s->hints[i]);
    for (unsigned i = 0; i < s->hints_count; i++)
        if (is(s->hints[i].part, part))
            add(&l, &s->hints[i]);
    return l;
}

static const char *part_of(const struct record *r, const char *name)
{
    for (int p = 0; p < r->parts_count; p++)
        for (int i = 0; i < r->parts[p].cases_count; i++)
            if (!strcmp(r->parts[p].cases[i].name, name))
                return r->parts[p].id;
    return NULL;
}

void score_hints(const struct spec *s, struct record *r)
{
    const struct record_property *property = record_first_property(r);
    struct list all = {0};
    if (r->verdict)
        all = collect(s, verdict_name(r->verdict), NULL, NULL);
    else if (property)
        all = collect(s, verdict_name(VERDICT_PROPERTY), property->case_name,
                      part_of(r, property->case_name));
    r->hints = all.steps;
    r->hints_count = all.count;
    for (int p = 0; p < r->parts_count; p++)
        for (int i = 0; i < r->parts[p].cases_count; i++) {
            struct record_case *c = &r->parts[p].cases[i];
            if (c->state != STATE_FAIL)
                continue;
            struct list l = collect(s, verdict_name(c->verdict), c->name, r->parts[p].id);
            c->hints = l.steps;
            c->hints_count = l.count;
        }
}
