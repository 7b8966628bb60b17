/**
 * @file formats.c
 * The record for other graders and CI: Gradescope, GitHub Classroom, JUnit XML, TAP 14.
 *
 * A hidden case is a test like any other, with neither title nor reason: Gradescope's own "hidden"
 * would hide the student's total as well.
 */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/report.h"
#include "report/words.h"

/** One row of any of these formats: a case or a property. */
struct row {
    char *number, *name;
    char *output; /**< why it did not pass; "" if it did */
    int points, earned;
    enum record_state state;
    double seconds;
};

struct rows {
    struct row *list;
    int count;
};

/** A failure in words: the sentence, both lines, what to try, how to repeat it. */
static char *explain(const struct record *r, const struct record_case *c)
{
    struct text t = {0};
    if (c->state == STATE_OK || c->state == STATE_NOT_TRIED)
        return text_dup(c->state == STATE_OK ? "" : "not tried");
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
        if (f->suggestion)
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

static void add_property(struct row *row, const struct record_property *p, int number)
{
    *row = (struct row){.number = text_format("P%d", number), .name = text_dup(p->title),
                        .points = p->points, .earned = p->earned, .state = p->state};
    row->output = p->state == STATE_OK          ? text_dup("")
                  : p->state == STATE_NOT_TRIED ? text_dup("not tried")
                  : p->has_value ? text_format("%s is %g", p->counter, p->value)
                                 : text_format("softgpu counted no %s", p->counter);
}

/** All cases and properties; where nothing compiled, every case failed for that reason. */
static struct rows collect(const struct record *r)
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
                .state = compile ? STATE_FAIL : c->state, .seconds = c->seconds};
        }
    }
    for (int i = 0, n = 0; i < r->properties_count; i++)
        if (!r->properties[i].required) /* its case tells of it */
            add_property(&rows.list[rows.count++], &r->properties[i], ++n);
    return rows;
}

static void release(struct rows *rows)
{
    for (int i = 0; i < rows->count; i++) {
        free(rows->list[i].number);
        free(rows->list[i].name);
        free(rows->list[i].output);
    }
    free(rows->list);
}

/** A JSON string of text that may not be UTF-8. */
static json_t *string(const char *s)
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

static void put_json(struct text *out, json_t *j)
{
    char *s = json_dumps(j, JSON_INDENT(1));
    json_decref(j);
    if (!s)
        abort();
    text_puts(out, s);
    free(s);
}

void report_gradescope(struct text *out, const struct record *r, const struct report_style *s)
{
    (void)s;
    struct rows rows = collect(r);
    json_t *tests = json_array(), *top = json_object(), *extra = json_object();
    for (int i = 0; i < rows.count; i++) {
        const struct row *row = &rows.list[i];
        json_t *t = json_object();
        json_object_set_new(t, "number", string(row->number));
        json_object_set_new(t, "name", string(row->name));
        json_object_set_new(t, "score", json_integer(row->earned));
        json_object_set_new(t, "max_score", json_integer(row->points));
        json_object_set_new(t, "status", json_string(row->state == STATE_OK ? "passed" : "failed"));
        json_object_set_new(t, "output", string(row->output));
        json_object_set_new(t, "output_format", json_string("text"));
        json_object_set_new(t, "visibility", json_string("visible"));
        json_array_append_new(tests, t);
    }
    char *seed = text_format("%08x", r->seed);
    json_object_set_new(extra, "seed", json_string(seed));
    json_object_set_new(extra, "device", string(r->device));
    json_object_set_new(extra, "sandbox", string(r->sandbox));
    json_object_set_new(extra, "state", json_string(record_state_name(r->state)));
    json_object_set_new(top, "score", json_integer(r->earned));
    json_object_set_new(top, "execution_time", json_real(r->seconds));
    json_object_set_new(top, "stdout_visibility", json_string("hidden"));
    if (r->state == STATE_UNJUDGED)
        json_object_set_new(top, "output",
                            json_string("Some of it could not be judged: the score is not final."));
    json_object_set_new(top, "tests", tests);
    json_object_set_new(top, "extra_data", extra);
    put_json(out, top);
    text_puts(out, "\n");
    free(seed);
    release(&rows);
}

/** The runner's result: base64 of JSON. Its table uses max_score times the fraction passed, its
 *  notice the sum of the tests' scores; with one test a case both agree only for all-or-nothing
 *  points, so there is one test that carries the whole score. */
void report_classroom(struct text *out, const struct record *r, const struct report_style *s)
{
    (void)s;
    struct rows rows = collect(r);
    struct text message = {0}, json = {0};
    for (int i = 0; i < rows.count; i++)
        if (rows.list[i].state != STATE_OK)
            text_printf(&message, "%s (%d/%d)\n%s\n", rows.list[i].name, rows.list[i].earned,
                        rows.list[i].points, rows.list[i].output);
    json_t *test = json_object(), *tests = json_array(), *top = json_object();
    const char *status = r->state == STATE_UNJUDGED     ? "error"
                         : r->earned == r->points ? "pass" : "fail";
    json_object_set_new(test, "name", string(r->title));
    json_object_set_new(test, "status", json_string(status));
    json_object_set_new(test, "message", string(text_str(&message)));
    json_object_set_new(test, "line_no", json_integer(0));
    json_object_set_new(test, "execution_time", json_real(r->seconds));
    json_object_set_new(test, "score", json_integer(r->earned));
    json_array_append_new(tests, test);
    json_object_set_new(top, "version", json_integer(1));
    json_object_set_new(top, "status", json_string(status));
    json_object_set_new(top, "max_score", json_integer(r->points));
    json_object_set_new(top, "tests", tests);
    put_json(&json, top);
    text_base64(out, text_str(&json), json.len);
    text_puts(out, "\n");
    text_free(&message);
    text_free(&json);
    release(&rows);
}

/** Text for XML: markup escaped, and no character that XML 1.0 forbids. */
static void xml(struct text *out, const char *s)
{
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;
        switch (c) {
        case '&':
            text_puts(out, "&amp;");
            break;
        case '<':
            text_puts(out, "&lt;");
            break;
        case '>':
            text_puts(out, "&gt;");
            break;
        case '"':
            text_puts(out, "&quot;");
            break;
        default:
            text_add(out, c < 0x20 && c != '\n' && c != '\t' ? "?" : s, 1);
        }
    }
}

/** XML must be UTF-8: a text that is not becomes ASCII. */
static char *utf8(const char *s)
{
    json_t *j = string(s);
    char *copy = text_dup(json_string_value(j));
    json_decref(j);
    return copy;
}

void report_junit(struct text *out, const struct record *r, const struct report_style *s)
{
    (void)s;
    struct rows rows = collect(r);
    int failures = 0, errors = 0, skipped = 0;
    for (int i = 0; i < rows.count; i++) {
        failures += rows.list[i].state == STATE_FAIL;
        errors += rows.list[i].state == STATE_UNJUDGED;
        skipped += rows.list[i].state == STATE_NOT_TRIED;
    }
    text_puts(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    text_printf(out, "<testsuite name=\"%s\" tests=\"%d\" failures=\"%d\" errors=\"%d\" "
                     "skipped=\"%d\" time=\"%.3f\">\n",
                r->lab, rows.count, failures, errors, skipped, r->seconds);
    for (int i = 0; i < rows.count; i++) {
        const struct row *row = &rows.list[i];
        char *name = utf8(row->name), *output = utf8(row->output);
        const char *tag = row->state == STATE_FAIL       ? "failure"
                          : row->state == STATE_UNJUDGED ? "error" : "skipped";
        text_printf(out, " <testcase classname=\"%s\" name=\"", r->lab);
        xml(out, name);
        text_printf(out, "\" time=\"%.3f\"", row->seconds);
        if (row->state == STATE_OK) {
            text_puts(out, "/>\n");
        } else {
            text_printf(out, ">\n  <%s type=\"%s\" message=\"", tag, record_state_name(row->state));
            char *first = text_format("%.*s", (int)strcspn(output, "\n"), output);
            xml(out, first);
            free(first);
            text_puts(out, "\">");
            xml(out, output);
            text_printf(out, "</%s>\n </testcase>\n", tag);
        }
        free(name);
        free(output);
    }
    text_puts(out, "</testsuite>\n");
    release(&rows);
}

void report_tap(struct text *out, const struct record *r, const struct report_style *s)
{
    (void)s;
    struct rows rows = collect(r);
    text_printf(out, "TAP version 14\n1..%d\n", rows.count);
    for (int i = 0; i < rows.count; i++) {
        const struct row *row = &rows.list[i];
        char *name = utf8(row->name), *output = utf8(row->output);
        for (char *p = name; *p; p++)
            *p = *p == '#' || *p == '\n' ? ' ' : *p; /* "#" would start a directive */
        bool skip = row->state == STATE_NOT_TRIED;
        text_printf(out, "%s %d - %s%s\n", row->state == STATE_OK || skip ? "ok" : "not ok", i + 1,
                    name, skip ? " # SKIP needs an earlier part" : "");
        if (row->state == STATE_FAIL || row->state == STATE_UNJUDGED) {
            text_printf(out, "  ---\n  points: %d\n  of: %d\n  message: |\n", row->earned,
                        row->points);
            words_indent(out, output, 4);
            text_puts(out, "  ...\n");
        }
        free(name);
        free(output);
    }
    release(&rows);
}
