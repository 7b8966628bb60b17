/**
 * @file gradebook_page.c
 * The page of a class; see class.h. It holds no times: the same grades give the same bytes.
 */
#include <stdlib.h>
#include <string.h>

#include "class/class.h"
#include "report/page.h"

#define BUCKETS 10

static bool has_score(const struct submission *s)
{
    return s->record && !s->record->kit_fault;
}

static int percent(const struct submission *s)
{
    const struct record *r = s->record;
    return r->points > 0 ? 100 * r->earned / r->points : 0;
}

static void count_row(struct text *out, const char *label, int count, int largest)
{
    page_element(out, "<tr><td style=\"width:9rem\">", label, "</td><td>");
    page_bar(out, count, largest);
    text_printf(out, "</td><td class=num style=\"width:4rem\">%d</td></tr>\n", count);
}

/** How many have which share of the points, in tenths; full marks apart. */
static void spread(struct text *out, const struct class *c)
{
    int counts[BUCKETS + 1] = {0}, judged = 0, largest = 1;
    for (int i = 0; i < c->count; i++)
        if (has_score(&c->list[i])) {
            counts[percent(&c->list[i]) / (100 / BUCKETS)]++;
            judged++;
        }
    for (int b = 0; b <= BUCKETS; b++)
        largest = counts[b] > largest ? counts[b] : largest;
    text_puts(out, "<h2>Points</h2>\n<table>");
    count_row(out, "all", counts[BUCKETS], largest);
    for (int b = BUCKETS - 1; b >= 0; b--) {
        char *label = text_format("%d–%d %%", b * 10, b * 10 + 9);
        count_row(out, label, counts[b], largest);
        free(label);
    }
    if (judged < c->count)
        count_row(out, "no score", c->count - judged, largest);
    text_puts(out, "</table>\n");
}

static void name_and_link(struct text *out, const struct submission *s)
{
    if (!s->record) {
        page_escape(out, s->name);
        return;
    }
    text_puts(out, "<a href=\"pages/");
    page_url(out, s->name);
    page_element(out, ".html\">", s->name, "</a>");
}

/** A sentence of what was found first; "" if nothing was. */
static const char *word_on(const struct submission *s)
{
    const struct record_case *f = s->record ? record_first_failure(s->record) : NULL;
    return s->why                    ? s->why
           : !f                      ? ""
           : f->findings_count       ? f->findings[0].message
           : f->message              ? f->message
                                     : "";
}

static void cluster(struct text *out, const struct class *c, const struct cluster *k)
{
    text_printf(out, "<details><summary>%d of %d: ", k->count, c->count);
    page_element(out, "", k->name, "</summary>\n<ul>\n");
    for (int i = 0; i < c->count; i++) {
        const struct submission *s = &c->list[i];
        if (strcmp(gradebook_cluster_of(s), k->name))
            continue;
        text_puts(out, "<li>");
        name_and_link(out, s);
        page_element(out, " <span class=\"dim small\">", word_on(s), "</span></li>\n");
    }
    text_puts(out, "</ul></details>\n");
}

/** " − 2 days late: 19.2" */
static void late(struct text *out, const struct class *c, const struct submission *s)
{
    int hundredths;
    if (!s->days_late || !gradebook_counted(c, s, &hundredths))
        return;
    char *points = course_points(hundredths);
    text_printf(out, " <span class=dim>%d day%s late:</span> %s", s->days_late, s->days_late > 1 ? "s" : "", points);
    free(points);
}

static void everybody(struct text *out, const struct class *c)
{
    text_puts(out, "<h2>Everybody</h2>\n<table><tr><th>Submission</th><th>What failed first</th>"
                   "<th class=num>Points</th></tr>\n");
    for (int i = 0; i < c->count; i++) {
        const struct submission *s = &c->list[i];
        text_puts(out, "<tr><td>");
        name_and_link(out, s);
        page_element(out, "</td><td>", gradebook_cluster_of(s), "</td><td class=num>");
        if (has_score(s))
            text_printf(out, "%d/%d", s->record->earned, s->record->points);
        late(out, c, s);
        text_puts(out, has_score(s) ? "</td></tr>\n" : "–</td></tr>\n");
    }
    text_puts(out, "</table>\n");
}

void gradebook_page(struct text *out, const struct class *c, const char *title)
{
    struct cluster list[MAX_CLUSTERS];
    int n = gradebook_clusters(c, list);
    page_begin(out, title);
    page_element(out, "<h1>", title, "</h1>\n");
    text_printf(out, "<p class=dim>%d submissions, seed <code>%08x</code></p>\n", c->count, c->seed);
    spread(out, c);
    text_puts(out, "<h2>What failed first</h2>\n");
    for (int k = 0; k < n; k++)
        cluster(out, c, &list[k]);
    everybody(out, c);
    page_end(out);
}
