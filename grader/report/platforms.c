/**
 * @file platforms.c
 * The record for course platforms: Gradescope, Classroom 50, PrairieLearn, Autolab. Each is written as the
 * platform's own documentation has it; docs/class.md says how their bundles are made.
 *
 * A hidden case is a test like any other, with neither title nor reason: Gradescope's own "hidden"
 * would hide the student's total as well.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "report/report.h"
#include "report/test_rows.h"

static const char not_final[] = "Some of it could not be judged: the score is not final.";
static const char not_yours[] = "Could not judge, which is not your fault; tell your instructor.";

void report_gradescope(struct text *out, const struct record *r, const struct report_style *s)
{
    (void)s;
    struct rows rows = test_rows_collect(r);
    json_t *tests = json_array(), *top = json_object(), *extra = json_object();
    for (int i = 0; i < rows.count; i++) {
        const struct row *row = &rows.list[i];
        json_t *t = json_object();
        json_object_set_new(t, "number", test_rows_string(row->number));
        json_object_set_new(t, "name", test_rows_string(row->name));
        json_object_set_new(t, "score", json_integer(row->earned));
        json_object_set_new(t, "max_score", json_integer(row->points));
        json_object_set_new(t, "status", json_string(row->state == STATE_OK ? "passed" : "failed"));
        json_object_set_new(t, "output", test_rows_string(row->output));
        json_object_set_new(t, "output_format", json_string("text"));
        json_object_set_new(t, "visibility", json_string("visible"));
        json_array_append_new(tests, t);
    }
    char *seed = text_format("%08x", r->seed);
    json_object_set_new(extra, "seed", json_string(seed));
    json_object_set_new(extra, "device", test_rows_string(r->device));
    json_object_set_new(extra, "sandbox", test_rows_string(r->sandbox));
    json_object_set_new(extra, "state", json_string(record_state_name(r->state)));
    json_object_set_new(top, "score", json_integer(r->earned));
    json_object_set_new(top, "execution_time", json_real(r->seconds));
    json_object_set_new(top, "stdout_visibility", json_string("hidden"));
    if (r->state == STATE_UNJUDGED)
        json_object_set_new(top, "output", json_string(not_final));
    json_object_set_new(top, "tests", tests);
    json_object_set_new(top, "extra_data", extra);
    test_rows_put_json(out, top, JSON_INDENT(1));
    text_puts(out, "\n");
    free(seed);
    test_rows_free(&rows);
}

/** Classroom 50's runner says whose submission it is in the environment. What it does not say is left
 *  out: the runner stamps `owner`, `assignment_type` and `datetime` itself. */
static void identity(json_t *top)
{
    static const char *const from[][2] = {
        {"classroom", "CLASSROOM"},       {"assignment", "ASSIGNMENT"},
        {"assignment_type", "ASSIGNMENT_TYPE"}, {"owner", "OWNER"},
        {"submission", "SUBMISSION_TAG"}, {"commit", "COMMIT_URL"},
        {"release", "RELEASE_URL"},       {"review", "REVIEW_URL"},
    };
    for (size_t i = 0; i < sizeof from / sizeof from[0]; i++) {
        const char *value = getenv(from[i][1]);
        if (value && *value)
            json_object_set_new(top, from[i][0], test_rows_string(value));
    }
    if (!json_object_get(top, "review") && json_object_get(top, "commit"))
        json_object_set(top, "review", json_object_get(top, "commit"));
}

/** classroom50/result/v1: the sum of the tests' points is the score. After a fault of the kit it is no such
 *  result, which the runner tells as an error, rather than a zero. */
void report_classroom50(struct text *out, const struct record *r, const struct report_style *s)
{
    (void)s;
    if (r->kit_fault) {
        text_printf(out, "{\"error\": \"%s\"}\n", not_yours);
        return;
    }
    struct rows rows = test_rows_collect(r);
    json_t *tests = json_array(), *top = json_object();
    for (int i = 0; i < rows.count; i++) {
        const struct row *row = &rows.list[i];
        char *name = text_format("%s %s", row->number, row->name);
        json_t *t = json_object();
        json_object_set_new(t, "test-name", test_rows_string(name));
        json_object_set_new(t, "passed", json_boolean(row->state == STATE_OK));
        json_object_set_new(t, "score", json_integer(row->earned));
        json_object_set_new(t, "max-score", json_integer(row->points));
        if (*row->output)
            json_object_set_new(t, "output", test_rows_string(row->output));
        json_array_append_new(tests, t);
        free(name);
    }
    char when[32];
    time_t start = (time_t)r->time;
    struct tm utc;
    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&start, &utc));
    json_object_set_new(top, "schema", json_string("classroom50/result/v1"));
    identity(top);
    json_object_set_new(top, "datetime", json_string(when));
    json_object_set_new(top, "score", json_integer(r->earned));
    json_object_set_new(top, "max-score", json_integer(r->points));
    json_object_set_new(top, "tests", tests);
    test_rows_put_json(out, top, JSON_INDENT(1));
    text_puts(out, "\n");
    test_rows_free(&rows);
}

/** What no attempt is charged for: a file that does not compile, and a fault of the kit. */
static json_t *not_gradable(const struct record *r)
{
    json_t *top = json_object();
    json_object_set_new(top, "gradable", json_false());
    json_object_set_new(top, "format_errors",
                        r->verdict == VERDICT_COMPILE_ERROR && r->message ? test_rows_string(r->message)
                                                                          : json_string(not_yours));
    return top;
}

void report_prairielearn(struct text *out, const struct record *r, const struct report_style *s)
{
    (void)s;
    if (r->kit_fault || r->verdict == VERDICT_COMPILE_ERROR) {
        test_rows_put_json(out, not_gradable(r), JSON_INDENT(1));
        text_puts(out, "\n");
        return;
    }
    struct rows rows = test_rows_collect(r);
    json_t *tests = json_array(), *top = json_object();
    for (int i = 0; i < rows.count; i++) {
        const struct row *row = &rows.list[i];
        json_t *t = json_object();
        json_object_set_new(t, "name", test_rows_string(row->name));
        json_object_set_new(t, "points", json_integer(row->earned));
        json_object_set_new(t, "max_points", json_integer(row->points));
        json_object_set_new(t, "output", test_rows_string(row->output));
        json_array_append_new(tests, t);
    }
    json_object_set_new(top, "gradable", json_true());
    json_object_set_new(top, "score", json_real(r->points ? (double)r->earned / r->points : 0));
    if (r->state == STATE_UNJUDGED)
        json_object_set_new(top, "message", json_string(not_final));
    else if (r->next)
        json_object_set_new(top, "message", test_rows_string(r->next));
    json_object_set_new(top, "tests", tests);
    test_rows_put_json(out, top, JSON_INDENT(1));
    text_puts(out, "\n");
    test_rows_free(&rows);
}

/** The report that students read, then one line of JSON with a score for each problem: the parts, and
 *  "Properties" where they have points. After a fault of the kit there is no score, rather than a zero. */
void report_autolab(struct text *out, const struct record *r, const struct report_style *s)
{
    struct report_style plain = {.color = false, .verbose = s->verbose};
    json_t *scores = json_object(), *top = json_object();
    int points = 0, earned = 0;
    report_text(out, r, &plain);
    for (int p = 0; p < r->parts_count && !r->kit_fault; p++) {
        char *name = text_format("Part %s", r->parts[p].id);
        json_object_set_new(scores, name, json_integer(r->parts[p].earned));
        points += r->parts[p].points;
        earned += r->parts[p].earned;
        free(name);
    }
    if (r->points > points && !r->kit_fault)
        json_object_set_new(scores, "Properties", json_integer(r->earned - earned));
    if (r->kit_fault)
        text_printf(out, "\n%s\n", not_yours);
    json_object_set_new(top, "scores", scores);
    text_puts(out, "\n");
    test_rows_put_json(out, top, 0);
    text_puts(out, "\n");
}
