/**
 * @file test_rows.c
 * A record as a list of tests; see test_rows.h.
 */
#include "report/test_rows.h"

#include <stdlib.h>
#include <string.h>

#include "report/words.h"

/** A failure in words: the sentence, both lines, what to try, how to repeat it. */
static char *explain(const struct record *r, const struct record_case *c)
{
    struct text t = {0};
    if (c->state == STATE_OK || c->state == STATE_NOT_TRIED)
        return text_dup(c->state == STATE_OK ? "" : record_is_skipped(c) ? c->message : "not tried");
    if (c->hidden)
        return text_dup(verdict_name(c->verdict));
    for (int i = 0; i < c->findings_count && i < 3; i++) {
        const struct record_finding *f = &c->findings[i];
        text_printf(&t, "%s: %s\n", verdict_name(f->kind), f->message);
        for (int a = 0; a < f->accesses_count; a++) {
            text_puts(&t, "  ");
            words_place(&t, &f->accesses[a]);
            text_printf(&t, "  %s  ", f->accesses[a].source ? f->accesses[a].source : "");
            words_thread(&t, &f->accesses[a]);
            text_puts(&t, " ");
            words_value(&t, &f->accesses[a]);
            text_puts(&t, "\n");
        }
        if (f->suggestion && !f->tried)
            text_printf(&t, "  Try: %s\n", f->suggestion);
    }
    if (c->message)
        text_printf(&t, "%s%s\n", c->state == STATE_UNJUDGED ? "could not judge: " : "",
                    c->message);
    char *again = record_replay(r, c);
    text_printf(&t, "Again: %s\n", again);
    free(again);
    return t.data;
}

static void add_property(struct row *row, const struct record_property *p, int number, const char *part)
{
    *row = (struct row){.number = text_format("P%d", number),
                        .name = part ? text_format("Part %s: %s", part, p->title) : text_dup(p->title),
                        .points = p->points, .earned = p->earned, .state = p->state};
    row->output = p->state == STATE_OK          ? text_dup("")
                  : p->state == STATE_NOT_TRIED ? text_dup("not tried")
                  : p->has_value ? text_format("%s is %g", p->counter, p->value)
                                 : text_format("softgpu counted no %s", p->counter);
}

struct rows test_rows_collect(const struct record *r)
{
    struct rows rows = {0};
    int count = r->properties_count, part_number = 0;
    for (int p = 0; p < r->parts_count; p++)
        count += r->parts[p].cases_count;
    rows.list = text_zalloc((size_t)count, sizeof *rows.list);
    for (int p = 0; p < r->parts_count; p++) {
        part_number++;
        for (int i = 0; i < r->parts[p].cases_count; i++) {
            const struct record_case *c = &r->parts[p].cases[i];
            bool compile = r->verdict == VERDICT_COMPILE_ERROR;
            rows.list[rows.count++] = (struct row){
                .number = text_format("%d.%d", part_number, i + 1),
                .name = text_format("Part %s: %s", r->parts[p].id,
                                    c->hidden ? "a hidden case" : c->title),
                .output = compile ? text_dup(r->message ? r->message : "does not compile")
                                  : explain(r, c),
                .points = c->points, .earned = c->earned,
                .state = compile ? STATE_FAIL : c->state, .seconds = c->seconds, .skipped = record_is_skipped(c)};
        }
    }
    for (int i = 0, n = 0; i < r->properties_count; i++) {
        const struct record_part *part = record_part_of(r, &r->properties[i]);
        if (!r->properties[i].required) /* its case tells of it */
            add_property(&rows.list[rows.count++], &r->properties[i], ++n, part ? part->id : NULL);
    }
    return rows;
}

void test_rows_free(struct rows *rows)
{
    for (int i = 0; i < rows->count; i++) {
        free(rows->list[i].number);
        free(rows->list[i].name);
        free(rows->list[i].output);
    }
    free(rows->list);
}

json_t *test_rows_string(const char *s)
{
    json_t *j = json_string(s);
    if (j)
        return j;
    char *ascii = text_dup(s);
    for (char *p = ascii; *p; p++)
        *p = (unsigned char)*p < 0x80 ? *p : '?';
    j = json_string(ascii);
    free(ascii);
    return j;
}

void test_rows_put_json(struct text *out, json_t *j, size_t flags)
{
    char *s = json_dumps(j, flags);
    json_decref(j);
    if (!s)
        abort();
    text_puts(out, s);
    free(s);
}
