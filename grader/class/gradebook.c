/**
 * @file gradebook.c
 * A class's results: CSV, clusters, a summary; see class.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "class/class.h"

/* A spreadsheet must not take a student's name for a formula. */
void gradebook_field(struct text *out, const char *s, bool last)
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

bool gradebook_counted(const struct class *c, const struct submission *s, int *hundredths)
{
    bool judged = s->record && !s->record->kit_fault;
    int earned = judged ? s->record->earned : 0;
    *hundredths = c->due ? course_counted(c->course, c->due, earned, s->days_late) : 100 * earned;
    return judged || s->state == SUBMISSION_REJECTED;
}

static void put_counted(struct text *out, const struct class *c, const struct submission *s, const char *after)
{
    int hundredths;
    char *points = gradebook_counted(c, s, &hundredths) ? course_points(hundredths) : text_dup("");
    text_printf(out, "%s%s", points, after);
    free(points);
}

static void late_columns(struct text *out, const struct class *c, const struct submission *s)
{
    text_printf(out, "%d,", s->days_late);
    put_counted(out, c, s, "\r\n");
}

void gradebook_csv(struct text *out, const struct class *c, const char *lab, int points)
{
    bool gpu = false, late = c->due && c->due->due;
    for (int i = 0; i < c->count; i++)
        gpu |= c->list[i].record && c->list[i].record->gpu;
    text_printf(out, "student,lab,score,points,state,verdict,case,seed,sandbox%s%s\r\n",
                gpu ? ",speed,gpu" : "", late ? ",days_late,counted" : "");
    for (int i = 0; i < c->count; i++) {
        const struct submission *s = &c->list[i];
        const struct record *r = s->record;
        const struct record_case *first = r ? record_first_failure(r) : NULL;
        gradebook_field(out, s->name, false);
        gradebook_field(out, lab, false);
        /* No score where the kit is at fault: an empty field is not a zero. What else could not be
         * judged is for a person to look at, and counts as not reached until then. */
        bool judged = r && r->state != STATE_UNJUDGED;
        if (r && !r->kit_fault)
            text_printf(out, "%d,%d,", r->earned, r->points);
        else if (s->state == SUBMISSION_REJECTED)
            text_printf(out, "0,%d,", points);
        else
            text_puts(out, ",,");
        gradebook_field(out, s->why ? s->why : judged ? record_state_name(r->state) : "unjudged", false);
        gradebook_field(out, gradebook_cluster_of(s), false);
        gradebook_field(out, first ? first->id : "", false);
        text_printf(out, "%08x,", c->seed);
        gradebook_field(out, r ? r->sandbox : "", !gpu && !late);
        if (gpu)
            text_printf(out, "%d,", r ? r->bonus : 0);
        if (gpu)
            gradebook_field(out, on_gpu(r), !late);
        if (late)
            late_columns(out, c, s);
    }
}

void gradebook_moodle(struct text *out, const struct class *c, const char *lab)
{
    int counted;
    text_puts(out, "username,");
    gradebook_field(out, lab, true);
    for (int i = 0; i < c->count; i++)
        if (gradebook_counted(c, &c->list[i], &counted)) {
            gradebook_field(out, c->list[i].name, false);
            put_counted(out, c, &c->list[i], "\r\n");
        }
}

void gradebook_canvas(struct text *out, const struct class *c, const char *lab, int points)
{
    int counted;
    text_puts(out, "Student,ID,SIS User ID,SIS Login ID,Section,");
    gradebook_field(out, lab, true);
    text_printf(out, "Points Possible,,,,,%d\r\n", points);
    for (int i = 0; i < c->count; i++)
        if (gradebook_counted(c, &c->list[i], &counted)) {
            gradebook_field(out, c->list[i].name, false);
            text_puts(out, ",,");
            gradebook_field(out, c->list[i].name, false);
            text_puts(out, ",");
            put_counted(out, c, &c->list[i], "\r\n");
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
