/**
 * @file gradebook.c
 * A class's results: CSV, clusters, a summary; see class.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "class/class.h"

/** A CSV field by RFC 4180. A spreadsheet must not take a student's name for a formula. */
static void field(struct text *out, const char *s, bool last)
{
    bool formula = strchr("=+-@\t\r", *s) && *s;
    text_puts(out, formula ? "\"'" : "\"");
    for (; *s; s++) {
        if (*s == '"')
            text_puts(out, "\"");
        text_add(out, s, 1);
    }
    text_puts(out, last ? "\"\r\n" : "\",");
}

const char *gradebook_cluster_of(const struct submission *s)
{
    const struct record_case *c = s->record ? record_first_failure(s->record) : NULL;
    if (s->state == SUBMISSION_REJECTED)
        return "rejected";
    if (!s->record || s->record->state == STATE_UNJUDGED)
        return "could not judge";
    if (s->record->verdict == VERDICT_COMPILE_ERROR)
        return verdict_name(VERDICT_COMPILE_ERROR);
    if (s->record->earned == s->record->points)
        return "full marks";
    return c ? verdict_name(c->verdict) : "a property";
}

/** What a real GPU showed, in a word. */
static const char *on_gpu(const struct record *r)
{
    if (!r || !r->gpu)
        return "";
    for (int p = 0; p < r->parts_count; p++)
        for (int i = 0; i < r->parts[p].cases_count; i++)
            if (record_disagrees(&r->parts[p].cases[i]))
                return "disagrees";
    return "agrees";
}

void gradebook_csv(struct text *out, const struct class *c, const char *lab, int points)
{
    bool gpu = false;
    for (int i = 0; i < c->count; i++)
        gpu |= c->list[i].record && c->list[i].record->gpu;
    text_printf(out, "student,lab,score,points,state,verdict,case,seed,sandbox%s\r\n",
                gpu ? ",speed,gpu" : "");
    for (int i = 0; i < c->count; i++) {
        const struct submission *s = &c->list[i];
        const struct record *r = s->record;
        const struct record_case *first = r ? record_first_failure(r) : NULL;
        field(out, s->name, false);
        field(out, lab, false);
        /* No score where the kit is at fault: an empty field is not a zero. What else could not be
         * judged is for a person to look at, and counts as not reached until then. */
        bool judged = r && r->state != STATE_UNJUDGED;
        if (r && !r->kit_fault)
            text_printf(out, "%d,%d,", r->earned, r->points);
        else if (s->state == SUBMISSION_REJECTED)
            text_printf(out, "0,%d,", points);
        else
            text_puts(out, ",,");
        field(out, s->why ? s->why : judged ? record_state_name(r->state) : "unjudged", false);
        field(out, gradebook_cluster_of(s), false);
        field(out, first ? first->id : "", false);
        text_printf(out, "%08x,", c->seed);
        field(out, r ? r->sandbox : "", !gpu);
        if (gpu)
            text_printf(out, "%d,", r ? r->bonus : 0);
        if (gpu)
            field(out, on_gpu(r), true);
    }
}

/** False where an import must leave a student's grade as it is. */
static bool scored(const struct submission *s, int *score)
{
    bool judged = s->record && !s->record->kit_fault;
    *score = judged ? s->record->earned : 0;
    return judged || s->state == SUBMISSION_REJECTED;
}

void gradebook_moodle(struct text *out, const struct class *c, const char *lab)
{
    int score;
    text_puts(out, "username,");
    field(out, lab, true);
    for (int i = 0; i < c->count; i++)
        if (scored(&c->list[i], &score)) {
            field(out, c->list[i].name, false);
            text_printf(out, "%d\r\n", score);
        }
}

void gradebook_canvas(struct text *out, const struct class *c, const char *lab, int points)
{
    int score;
    text_puts(out, "Student,ID,SIS User ID,SIS Login ID,Section,");
    field(out, lab, true);
    text_printf(out, "Points Possible,,,,,%d\r\n", points);
    for (int i = 0; i < c->count; i++)
        if (scored(&c->list[i], &score)) {
            field(out, c->list[i].name, false);
            text_puts(out, ",,");
            field(out, c->list[i].name, false);
            text_printf(out, ",%d\r\n", score);
        }
}

static int larger(const void *a, const void *b)
{
    const struct cluster *x = a, *y = b;
    return x->count != y->count ? y->count - x->count : strcmp(x->name, y->name);
}

int gradebook_clusters(const struct class *c, struct cluster list[MAX_CLUSTERS])
{
    int n = 0;
    for (int i = 0; i < c->count; i++) {
        const char *name = gradebook_cluster_of(&c->list[i]);
        int k = 0;
        while (k < n && strcmp(list[k].name, name))
            k++;
        if (k == n)
            list[n++] = (struct cluster){name, 0};
        list[k].count++;
    }
    qsort(list, (size_t)n, sizeof *list, larger);
    return n;
}

void gradebook_summary(struct text *out, const struct class *c)
{
    struct cluster list[MAX_CLUSTERS];
    int n = gradebook_clusters(c, list);
    for (int k = 0; k < n; k++)
        text_printf(out, "%5d of %d: %s\n", list[k].count, c->count, list[k].name);
}
