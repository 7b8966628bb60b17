/**
 * @file stats.c
 * ./grade stats: how a class did, lab by lab and week by week, without names; see results.h.
 *
 * A week is the ISO week, in UTC, in which something was handed in. Of a student's submissions of one week the last
 * counts. A group of fewer than FEW is not shown, since everybody would know who it is.
 */
#include <stdlib.h>
#include <string.h>

#include "class/results.h"
#include "report/report.h"
#include "report/words.h"

#define FEW 5
#define TENTHS 11 /**< 0–9 %, …, 90–99 %, all */
#define BAR 30
#define MAX_KEYS 512

/** One submission. */
struct entry {
    const char *lab, *student;
    char week[16];
    int percent;
    int attempt; /**< which of the student's different versions of this lab; 1: the first */
    bool last;   /**< of the student's in this week */
    const struct result *result;
};
struct entries {
    struct results *folders;
    int folders_count;
    struct entry *list; /**< by lab, student and time of handing in */
    int count;
};

static int in_order(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    int order = strcmp(x->lab, y->lab);
    order = order ? order : strcmp(x->student, y->student);
    int64_t later = x->result->handed_in - y->result->handed_in;
    return order ? order : later < 0 ? -1 : later > 0;
}

static bool same(const struct entry *a, const struct entry *b)
{
    return !strcmp(a->lab, b->lab) && !strcmp(a->student, b->student);
}

static void number_attempts(struct entries *e)
{
    for (int i = 0; i < e->count; i++) {
        struct entry *now = &e->list[i], *before = i && same(&now[-1], now) ? &now[-1] : NULL;
        bool changed = before && before->result->record->source_hash != now->result->record->source_hash;
        now->attempt = before ? before->attempt + changed : 1;
        now->last = true;
        if (before && !strcmp(before->week, now->week))
            before->last = false;
    }
}

/** Who was rejected, or not judged by the kit's fault, is in no statistics. */
static bool read_entries(struct entries *e, const struct options *o, struct trouble *t)
{
    int all = 0;
    e->folders = text_zalloc((size_t)o->labs_count, sizeof *e->folders);
    for (int f = 0; f < o->labs_count; f++) {
        struct results *r = &e->folders[e->folders_count++];
        if (!results_read(r, o->labs[f], t))
            return false;
        results_records(r);
        all += r->count;
    }
    e->list = text_zalloc((size_t)all + 1, sizeof *e->list);
    for (int f = 0; f < e->folders_count; f++)
        for (int i = 0; i < e->folders[f].count; i++) {
            const struct result *r = &e->folders[f].list[i];
            if (!r->record || !r->counts)
                continue;
            struct entry *n = &e->list[e->count++];
            *n = (struct entry){.lab = e->folders[f].lab, .student = r->student, .result = r};
            n->percent = r->record->points > 0 ? 100 * r->record->earned / r->record->points : 0;
            course_week(r->handed_in, n->week);
        }
    qsort(e->list, (size_t)e->count, sizeof *e->list, in_order);
    number_attempts(e);
    return true;
}

/** "3 word", by how many. */
struct tally {
    const char *key;
    int count, sum;
};

static void tally(struct tally *list, int *n, const char *key, int sum)
{
    int i = 0;
    while (i < *n && strcmp(list[i].key, key))
        i++;
    if (i == MAX_KEYS)
        return;
    if (i == *n)
        list[(*n)++] = (struct tally){.key = key};
    list[i].count++;
    list[i].sum += sum;
}

static int by_count(const void *a, const void *b)
{
    const struct tally *x = a, *y = b;
    return x->count != y->count ? y->count - x->count : strcmp(x->key, y->key);
}

static void put_spread(const struct entry *const *group, int n, struct text *out)
{
    int tenths[TENTHS] = {0}, largest = 1;
    for (int i = 0; i < n; i++)
        tenths[group[i]->percent / 10]++;
    for (int b = 0; b < TENTHS; b++)
        largest = tenths[b] > largest ? tenths[b] : largest;
    for (int b = TENTHS - 1; b >= 0; b--) {
        if (b == TENTHS - 1)
            text_puts(out, "         all  ");
        else
            text_printf(out, "    %2d–%2d %%  ", 10 * b, 10 * b + 9);
        for (int i = 0; i < (tenths[b] * BAR + largest - 1) / largest; i++)
            text_puts(out, "#");
        text_printf(out, "%s%d\n", tenths[b] ? " " : "", tenths[b]);
    }
}

static void put_parts(const struct entry *const *group, int n, struct text *out)
{
    const struct record *first = group[0]->result->record;
    struct text line = {0};
    text_puts(&line, "parts, on average:");
    for (int p = 0; p < first->parts_count; p++) {
        double sum = 0;
        for (int i = 0; i < n; i++) {
            const struct record *r = group[i]->result->record;
            if (p < r->parts_count && r->parts[p].points > 0)
                sum += 100.0 * r->parts[p].earned / r->parts[p].points;
        }
        text_printf(&line, "%s %s %.0f %%", p ? "," : "", first->parts[p].id, sum / n);
    }
    words_wrap(out, text_str(&line), 4);
    text_free(&line);
}

/** Marks the kinds of the errors that a submission has. */
static void kinds_of(const struct record *r, bool has[VERDICT_COUNT])
{
    memset(has, 0, VERDICT_COUNT * sizeof *has);
    has[r->verdict] = true;
    for (int p = 0; p < r->parts_count; p++)
        for (int i = 0; i < r->parts[p].cases_count; i++) {
            const struct record_case *c = &r->parts[p].cases[i];
            has[c->verdict] = true;
            for (int f = 0; f < c->findings_count; f++)
                has[c->findings[f].kind] |= c->findings[f].level == RECORD_ERROR;
        }
    has[VERDICT_NONE] = false;
}

static void put_tallies(const char *before, struct tally *list, int n, struct text *out)
{
    struct text line = {0};
    qsort(list, (size_t)n, sizeof *list, by_count);
    text_printf(&line, "%s:", before);
    for (int i = 0; i < n; i++)
        text_printf(&line, "%s %s %d", i ? "," : "", list[i].key, list[i].count);
    if (n)
        words_wrap(out, text_str(&line), 4);
    text_free(&line);
}

static void put_kinds(const struct entry *const *group, int n, struct text *out)
{
    struct tally list[VERDICT_COUNT];
    int count = 0;
    for (int i = 0; i < n; i++) {
        bool has[VERDICT_COUNT];
        kinds_of(group[i]->result->record, has);
        for (int v = 0; v < VERDICT_COUNT; v++)
            if (has[v])
                tally(list, &count, verdict_name((enum verdict)v), 0);
    }
    put_tallies("students with", list, count, out);
}

static int steps_of(const json_t *hints)
{
    const char *key;
    json_t *value;
    int steps = 0;
    json_object_foreach((json_t *)hints, key, value)
        steps += (int)json_integer_value(value);
    return steps;
}

static void put_hints(const struct entry *const *group, int n, struct text *out)
{
    static struct tally list[MAX_KEYS];
    int count = 0, told = 0, steps = 0;
    for (int i = 0; i < n; i++) {
        const char *key;
        json_t *value, *hints = (json_t *)group[i]->result->hints;
        told += hints != NULL;
        steps += steps_of(hints);
        json_object_foreach(hints, key, value)
            tally(list, &count, key, (int)json_integer_value(value));
    }
    if (told < FEW)
        return;
    text_printf(out, "    hints: %d handed in which, %.1f steps opened on average\n", told, (double)steps / told);
    qsort(list, (size_t)count, sizeof *list, by_count);
    for (int i = 0; i < count; i++)
        text_printf(out, "      %-44s %d students, %.1f steps\n", list[i].key, list[i].count,
                    (double)list[i].sum / list[i].count);
}

static int by_percent(const void *a, const void *b)
{
    return (*(const struct entry *const *)a)->percent - (*(const struct entry *const *)b)->percent;
}

static void put_week(const struct entry **group, int n, const char *week, struct text *out)
{
    double sum = 0;
    int attempts[4] = {0};
    for (int i = 0; i < n; i++) {
        sum += group[i]->percent;
        attempts[group[i]->attempt < 4 ? group[i]->attempt - 1 : 3]++;
    }
    if (n < FEW) {
        text_printf(out, "  %s: fewer than %d students, not shown\n", week, FEW);
        return;
    }
    qsort(group, (size_t)n, sizeof *group, by_percent);
    double median = (group[(n - 1) / 2]->percent + group[n / 2]->percent) / 2.0;
    text_printf(out, "  %s: %d students, %.0f %% on average, median %.0f %%\n", week, n, sum / n, median);
    put_spread(group, n, out);
    put_parts(group, n, out);
    put_kinds(group, n, out);
    text_printf(out, "    attempts: %d with one, %d two, %d three, %d more\n", attempts[0], attempts[1], attempts[2], attempts[3]);
    put_hints(group, n, out);
}

/** The lab's entries from `first` on, week by week. */
static int put_lab(const struct entries *e, int first, struct text *out)
{
    const struct entry **group = text_zalloc((size_t)e->count + 1, sizeof *group);
    const char *lab = e->list[first].lab, *done = "";
    int end = first;
    while (end < e->count && !strcmp(e->list[end].lab, lab))
        end++;
    text_printf(out, "%s\n", lab);
    for (;;) {
        const char *week = NULL;
        int n = 0;
        for (int i = first; i < end; i++)
            if (strcmp(e->list[i].week, done) > 0 && (!week || strcmp(e->list[i].week, week) < 0))
                week = e->list[i].week;
        for (int i = first; week && i < end; i++)
            if (e->list[i].last && !strcmp(e->list[i].week, week))
                group[n++] = &e->list[i];
        if (!week)
            break;
        put_week(group, n, week, out);
        done = week;
    }
    free(group);
    return end;
}

static int by_line(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/** A line a submission, in the order of the pseudonyms: the files' order would tell who is who. */
static bool put_csv(const struct entries *e, const struct options *o, struct trouble *t)
{
    unsigned char key[16];
    struct text out = {0};
    if (!pseudonym_key(key, o->salt, t))
        return false;
    char **lines = text_zalloc((size_t)e->count + 1, sizeof *lines);
    for (int i = 0; i < e->count; i++) {
        const struct entry *n = &e->list[i];
        struct text kinds = {0};
        bool has[VERDICT_COUNT];
        kinds_of(n->result->record, has);
        for (int v = 0; v < VERDICT_COUNT; v++)
            if (has[v])
                text_printf(&kinds, "%s%s", kinds.len ? " " : "", verdict_name((enum verdict)v));
        char *steps = n->result->hints ? text_format("%d", steps_of(n->result->hints)) : text_dup("");
        lines[i] = text_format("%016llx,%s,%s,%d,%d,%s,%s", (unsigned long long)pseudonym(key, n->student, strlen(n->student)), n->lab, n->week,
                               n->attempt, n->percent, text_str(&kinds), steps);
        free(steps);
        text_free(&kinds);
    }
    qsort(lines, (size_t)e->count, sizeof *lines, by_line);
    text_puts(&out, "student,lab,week,attempt,percent,errors,hint_steps\r\n");
    for (int i = 0; i < e->count; i++) {
        text_printf(&out, "%s\r\n", lines[i]);
        free(lines[i]);
    }
    free(lines);
    bool ok = report_emit(&out, o->csv, t);
    text_free(&out);
    return ok;
}

int stats(const struct options *o, struct trouble *t)
{
    struct entries e = {0};
    struct text out = {0};
    bool ok = read_entries(&e, o, t) && (!o->csv || put_csv(&e, o, t));
    for (int i = 0; ok && i < e.count;)
        i = put_lab(&e, i, &out);
    if (ok && !e.count)
        text_puts(&out, "Nothing was judged in these folders.\n");
    ok = ok && report_emit(&out, o->output, t);
    text_free(&out);
    for (int f = 0; f < e.folders_count; f++)
        results_free(&e.folders[f]);
    free(e.folders);
    free(e.list);
    return ok ? 0 : 2;
}
