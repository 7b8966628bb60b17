/**
 * @file record.c
 * Owning and asking a result record; see record.h.
 */
#include "record/record.h"

#include <stdlib.h>
#include <string.h>

static void free_access(struct record_access *a)
{
    char *strings[] = {a->op, a->file, a->source, a->value, a->missed, a->object, a->old,
                       a->order, a->called_from, a->within};
    for (size_t i = 0; i < sizeof strings / sizeof strings[0]; i++)
        free(strings[i]);
}

void record_finding_lines(struct text *out, const struct record_finding *f)
{
    const struct record_access *a = f->accesses;
    if (f->accesses_count == 2 && a[0].line != a[1].line)
        text_printf(out, ", lines %d and %d", a[0].line, a[1].line);
    else if (f->accesses_count)
        text_printf(out, ", line %d", a[0].line);
}

void record_finding_free(struct record_finding *f)
{
    for (int i = 0; i < f->accesses_count; i++)
        free_access(&f->accesses[i]);
    for (int i = 0; i < f->interleaving_count; i++)
        free_access(&f->interleaving[i]);
    free(f->interleaving);
    free(f->kernel);
    free(f->space);
    free(f->object);
    free(f->message);
    free(f->rule);
    free(f->suggestion);
    free(f->allocated);
    free(f->part);
}

static void free_strings(char **list, int count)
{
    for (int i = 0; i < count; i++)
        free(list[i]);
    free(list);
}

static void free_case(struct record_case *c)
{
    free_strings(c->hints, c->hints_count);
    for (int i = 0; i < c->findings_count; i++)
        record_finding_free(&c->findings[i]);
    for (int i = 0; i < c->counters_count; i++)
        free(c->counters[i].name);
    free(c->counters);
    free(c->timeline);
    free(c->reference_timeline);
    free(c->findings);
    free(c->id);
    free(c->name);
    free(c->title);
    free(c->counts_with);
    free(c->uncounted);
    free(c->message);
    free(c->detail);
    free(c->gpu_message);
}

static void free_part(struct record_part *p)
{
    for (int i = 0; i < p->cases_count; i++)
        free_case(&p->cases[i]);
    free(p->cases);
    free(p->id);
    free(p->title);
    free(p->missing);
}

void record_free(struct record *r)
{
    if (!r)
        return;
    for (int i = 0; i < r->parts_count; i++)
        free_part(&r->parts[i]);
    for (int i = 0; i < r->properties_count; i++) {
        free(r->properties[i].title);
        free(r->properties[i].counter);
        free(r->properties[i].unit);
        free(r->properties[i].case_name);
        free(r->properties[i].part);
    }
    for (int i = 0; i < r->performance_count; i++) {
        free(r->performance[i].title);
        free(r->performance[i].case_name);
        free(r->performance[i].message);
    }
    free(r->performance);
    free_strings(r->hints, r->hints_count);
    free(r->parts);
    free(r->properties);
    char *strings[] = {r->lab,     r->folder, r->title,   r->file,    r->device, r->sandbox,
                       r->version, r->nvcc,   r->command, r->message, r->next, r->compare,
                       r->gpu,     r->gpu_message};
    for (size_t i = 0; i < sizeof strings / sizeof strings[0]; i++)
        free(strings[i]);
    free(r);
}

struct record_case *record_find(const struct record *r, const char *name)
{
    for (int p = 0; p < r->parts_count; p++)
        for (int i = 0; i < r->parts[p].cases_count; i++) {
            struct record_case *c = &r->parts[p].cases[i];
            if (!strcmp(c->id, name) || !strcmp(c->name, name))
                return c;
        }
    return NULL;
}

struct record_part *record_part_of(const struct record *r, const struct record_property *p)
{
    for (int i = 0; p->part && i < r->parts_count; i++)
        if (!strcmp(r->parts[i].id, p->part))
            return &r->parts[i];
    return NULL;
}

bool record_means(const struct record_part *p, const struct record_case *c, const char *only)
{
    return !strcmp(c->id, only) || !strcmp(c->name, only) || !strcmp(p->id, only);
}

bool record_is_skipped(const struct record_case *c)
{
    return c->state == STATE_NOT_TRIED && c->message;
}

bool record_is_open(const struct record_case *c)
{
    return c->state == STATE_NOT_TRIED && !c->message;
}

bool record_means_any(const struct record *r, const char *only)
{
    for (int p = 0; p < r->parts_count; p++)
        for (int i = 0; i < r->parts[p].cases_count; i++)
            if (record_means(&r->parts[p], &r->parts[p].cases[i], only))
                return true;
    return false;
}

struct record_case *record_first_failure(const struct record *r)
{
    for (int p = 0; p < r->parts_count; p++)
        for (int i = 0; i < r->parts[p].cases_count; i++) {
            struct record_case *c = &r->parts[p].cases[i];
            if (c->state == STATE_FAIL || c->state == STATE_UNJUDGED)
                return c;
        }
    return NULL;
}

bool record_property_met(const struct record_property *p)
{
    return p->has_value && (!p->has_max || p->value <= p->max) && (!p->has_min || p->value >= p->min);
}

const struct record_property *record_first_property(const struct record *r)
{
    for (int i = 0; i < r->properties_count && !record_first_failure(r); i++)
        if (r->properties[i].state == STATE_FAIL)
            return &r->properties[i];
    return NULL;
}

bool record_disagrees(const struct record_case *c)
{
    return (c->gpu == STATE_OK && c->state == STATE_FAIL) ||
           (c->gpu == STATE_FAIL && c->state == STATE_OK);
}

const char *record_state_name(enum record_state s)
{
    static const char *const names[] = {[STATE_OK] = "ok",
                                        [STATE_FAIL] = "fail",
                                        [STATE_UNJUDGED] = "unjudged",
                                        [STATE_NOT_TRIED] = "not-tried"};
    return names[s];
}

char *record_replay(const struct record *r, const struct record_case *c)
{
    struct text t = {0};
    text_printf(&t, "%s --case %s --seed %08x", r->command, c->name, r->seed);
    if (r->schedules)
        text_printf(&t, " --schedules %d", r->schedules);
    return t.data;
}

int record_exit(const struct record *r)
{
    if (r->state == STATE_UNJUDGED)
        return 2;
    if (r->verdict == VERDICT_COMPILE_ERROR)
        return 1;
    if (!r->partial)
        return r->earned == r->points ? 0 : 1;
    return record_first_failure(r) ? 1 : 0;
}
