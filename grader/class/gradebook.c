/**
 * @file gradebook.c
 * A class's results: CSV, a page of clusters, a summary; see class.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "class/class.h"
#include "report/words.h"

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

/** What failed first: the cluster that a submission belongs to. */
static const char *cluster_of(const struct submission *s)
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

void gradebook_csv(struct text *out, const struct class *c, const char *lab)
{
    text_puts(out, "student,lab,score,points,state,verdict,case,seed,sandbox\r\n");
    for (int i = 0; i < c->count; i++) {
        const struct submission *s = &c->list[i];
        const struct record *r = s->record;
        const struct record_case *first = r ? record_first_failure(r) : NULL;
        field(out, s->name, false);
        field(out, lab, false);
        /* No score where there is no judgement: an empty field is not a zero. */
        bool judged = r && r->state != STATE_UNJUDGED;
        if (judged)
            text_printf(out, "%d,%d,", r->earned, r->points);
        else
            text_puts(out, ",,");
        field(out, s->why ? s->why : judged ? record_state_name(r->state) : "unjudged", false);
        field(out, cluster_of(s), false);
        field(out, first ? first->id : "", false);
        text_printf(out, "%08x,", c->seed);
        field(out, r ? r->sandbox : "", true);
    }
}

struct cluster {
    const char *name;
    int count;
};

static int larger(const void *a, const void *b)
{
    const struct cluster *x = a, *y = b;
    return x->count != y->count ? y->count - x->count : strcmp(x->name, y->name);
}

#define MAX_CLUSTERS (VERDICT_COUNT + 8)

static int clusters(const struct class *c, struct cluster list[MAX_CLUSTERS])
{
    int n = 0;
    for (int i = 0; i < c->count; i++) {
        const char *name = cluster_of(&c->list[i]);
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
    int n = clusters(c, list);
    for (int k = 0; k < n; k++)
        text_printf(out, "%5d of %d: %s\n", list[k].count, c->count, list[k].name);
}

static void escape(struct text *out, const char *s)
{
    for (; *s; s++)
        text_printf(out, *s == '&' || *s == '<' || *s == '>' || *s == '"' ? "&#%d;" : "%c",
                    (unsigned char)*s);
}

/** One cluster: who is in it, and for the first a sentence of what was found. */
static void cluster_section(struct text *out, const struct class *c, const struct cluster *k)
{
    text_printf(out, "<details%s><summary>%d of %d: ", k->count * 4 > c->count ? " open" : "",
                k->count, c->count);
    escape(out, k->name);
    text_puts(out, "</summary><ul>");
    for (int i = 0; i < c->count; i++) {
        const struct submission *s = &c->list[i];
        const struct record_case *f = s->record ? record_first_failure(s->record) : NULL;
        if (strcmp(cluster_of(s), k->name))
            continue;
        text_puts(out, "<li>");
        if (s->record) {
            text_puts(out, "<a href=\"pages/");
            escape(out, s->name);
            text_puts(out, ".html\">");
        }
        escape(out, s->name);
        text_puts(out, s->record ? "</a> " : " ");
        if (s->record && s->record->state != STATE_UNJUDGED)
            text_printf(out, "%d/%d ", s->record->earned, s->record->points);
        const char *say = s->why ? s->why
                          : f && f->findings_count ? f->findings[0].message
                          : f && f->message ? f->message : "";
        escape(out, say);
        text_puts(out, "</li>");
    }
    text_puts(out, "</ul></details>\n");
}

void gradebook_page(struct text *out, const struct class *c, const char *title)
{
    struct cluster list[MAX_CLUSTERS];
    int n = clusters(c, list);
    text_puts(out, "<!doctype html><html lang=en><meta charset=utf-8><style>body{font:16px/1.5 "
                   "system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}"
                   "summary{font-weight:600;cursor:pointer}li{overflow-wrap:anywhere}</style>"
                   "<title>");
    escape(out, title);
    text_puts(out, "</title><h1>");
    escape(out, title);
    text_printf(out, "</h1><p>%d submissions, seed <code>%08x</code>, by what failed first.</p>",
                c->count, c->seed);
    for (int k = 0; k < n; k++)
        cluster_section(out, c, &list[k]);
    text_puts(out, "</html>\n");
}
