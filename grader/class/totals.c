/**
 * @file totals.c
 * ./grade class: each student's labs, weighed by course.yaml; see results.h.
 *
 * Of several folders of one lab a student's best counts. Who handed in nothing has 0 there; where the kit was at
 * fault there is neither a score nor a total.
 */
#include <stdlib.h>
#include <string.h>

#include "class/results.h"
#include "report/report.h"

/** A student's share of one lab. */
struct share {
    bool handed_in, unjudged;
    double best; /**< 0 to 1 */
};
struct total {
    const char *student;
    struct share *labs;
};
struct sheet {
    struct results *folders;
    int folders_count;
    const char *labs[MAX_LABS]; /**< by name */
    double weights[MAX_LABS];
    int labs_count;
    struct total *list; /**< by name */
    int count;
};

static int by_word(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int by_student(const void *a, const void *b)
{
    return strcmp(((const struct total *)a)->student, ((const struct total *)b)->student);
}

static int lab_number(const struct sheet *s, const char *lab)
{
    for (int i = 0; i < s->labs_count; i++)
        if (!strcmp(s->labs[i], lab))
            return i;
    return -1;
}

static bool read_folders(struct sheet *s, const struct options *o, const struct course *c, struct trouble *t)
{
    s->folders = text_zalloc((size_t)o->labs_count, sizeof *s->folders);
    for (int i = 0; i < o->labs_count; i++) {
        struct results *r = &s->folders[s->folders_count++];
        if (!results_read(r, o->labs[i], t))
            return false;
        if (c && !course_find(c, r->lab))
            return trouble_set(t, "%s is about %s, which course.yaml does not list", r->folder, r->lab);
        if (lab_number(s, r->lab) < 0)
            s->labs[s->labs_count++] = r->lab;
    }
    qsort(s->labs, (size_t)s->labs_count, sizeof *s->labs, by_word);
    double sum = 0;
    for (int i = 0; i < s->labs_count; i++)
        sum += s->weights[i] = c ? course_find(c, s->labs[i])->weight : 1;
    return sum > 0 || trouble_set(t, "these labs have no weight at all in course.yaml");
}

static void list_students(struct sheet *s)
{
    int all = 0;
    for (int f = 0; f < s->folders_count; f++)
        all += s->folders[f].count;
    s->list = text_zalloc((size_t)all + 1, sizeof *s->list);
    for (int f = 0; f < s->folders_count; f++)
        for (int i = 0; i < s->folders[f].count; i++)
            s->list[s->count++].student = s->folders[f].list[i].student;
    qsort(s->list, (size_t)s->count, sizeof *s->list, by_student);
    int kept = 0;
    for (int i = 0; i < s->count; i++)
        if (!kept || strcmp(s->list[kept - 1].student, s->list[i].student))
            s->list[kept++] = s->list[i];
    s->count = kept;
    for (int i = 0; i < s->count; i++)
        s->list[i].labs = text_zalloc((size_t)s->labs_count, sizeof *s->list[i].labs);
}

static void take_shares(struct sheet *s)
{
    for (int f = 0; f < s->folders_count; f++) {
        const struct results *r = &s->folders[f];
        for (int i = 0; i < r->count; i++) {
            struct total key = {.student = r->list[i].student};
            struct total *who = bsearch(&key, s->list, (size_t)s->count, sizeof *s->list, by_student);
            struct share *share = &who->labs[lab_number(s, r->lab)];
            double part = r->list[i].counted / (100.0 * r->points);
            share->unjudged |= !r->list[i].counts;
            share->handed_in = true;
            share->best = part > share->best ? part : share->best;
        }
    }
}

/** In percent; false where a lab that weighs something has no score. */
static bool percent_of(const struct sheet *s, const struct total *w, double *percent)
{
    double sum = 0, weights = 0;
    for (int i = 0; i < s->labs_count; i++) {
        if (w->labs[i].unjudged && s->weights[i] > 0)
            return false;
        sum += s->weights[i] * w->labs[i].best;
        weights += s->weights[i];
    }
    *percent = 100 * sum / weights;
    return true;
}

static void plain(const struct sheet *s, struct text *out)
{
    double percent;
    text_puts(out, "student,");
    for (int i = 0; i < s->labs_count; i++)
        text_printf(out, "%s,", s->labs[i]);
    text_puts(out, "total\r\n");
    for (int n = 0; n < s->count; n++) {
        const struct total *w = &s->list[n];
        gradebook_field(out, w->student, false);
        for (int i = 0; i < s->labs_count; i++)
            if (w->labs[i].unjudged || !w->labs[i].handed_in)
                text_puts(out, ",");
            else
                text_printf(out, "%.2f,", 100 * w->labs[i].best);
        if (percent_of(s, w, &percent))
            text_printf(out, "%.2f", percent);
        text_puts(out, "\r\n");
    }
}

/** One column, named as the course, of 100 points. */
static void import(const struct sheet *s, const char *title, bool canvas, struct text *out)
{
    double percent;
    text_puts(out, canvas ? "Student,ID,SIS User ID,SIS Login ID,Section," : "username,");
    gradebook_field(out, title, true);
    text_puts(out, canvas ? "Points Possible,,,,,100\r\n" : "");
    for (int n = 0; n < s->count; n++) {
        if (!percent_of(s, &s->list[n], &percent))
            continue;
        gradebook_field(out, s->list[n].student, false);
        if (canvas) {
            text_puts(out, ",,");
            gradebook_field(out, s->list[n].student, false);
            text_puts(out, ",");
        }
        text_printf(out, "%.2f\r\n", percent);
    }
}

static void release(struct sheet *s)
{
    for (int i = 0; i < s->count; i++)
        free(s->list[i].labs);
    for (int f = 0; f < s->folders_count; f++)
        results_free(&s->folders[f]);
    free(s->list);
    free(s->folders);
}

int totals(const struct kit *k, const struct options *o, struct trouble *t)
{
    struct sheet s = {0};
    struct course *c;
    struct text out = {0};
    bool ok = course_load(k, o->course, &c, t) && read_folders(&s, o, c, t);
    if (ok) {
        list_students(&s);
        take_shares(&s);
        const char *title = c && c->title ? c->title : "course";
        if (o->gradebook == GRADEBOOK_PLAIN)
            plain(&s, &out);
        else
            import(&s, title, o->gradebook == GRADEBOOK_CANVAS, &out);
        ok = report_emit(&out, o->csv, t);
    }
    text_free(&out);
    release(&s);
    course_free(c);
    return ok ? 0 : 2;
}
