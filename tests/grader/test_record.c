/**
 * @file test_record.c
 * The record survives JSON and back, word for word; what is no record is refused.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "class/class.h"
#include "course/expect.h"
#include "record/record_json.h"
#include "record_sample.h"
#include "report/report.h"
#include "run/findings.h"
#include "score/score.h"
#include "spec/spec.h"
#include "unit.h"

static void test_round_trip(void)
{
    struct trouble t = {0};
    struct record *r = sample();
    char *json = record_to_json(r);
    struct record *back = record_from_json(json, strlen(json), &t);
    CU_ASSERT_PTR_NOT_NULL_FATAL(back);
    char *again = record_to_json(back);
    CU_ASSERT_STRING_EQUAL(json, again);
    CU_ASSERT_EQUAL(back->spec_hash, 0xfedcba9876543210u);
    CU_ASSERT_EQUAL(back->parts[0].cases[1].findings[0].accesses[0].block[0], 3);
    CU_ASSERT_EQUAL(record_exit(back), 1);
    CU_ASSERT(back->parts[0].code == 0xfedcba9876543211u && back->parts[0].seed == 0x77 && !back->parts[0].kept);
    const struct record_access *step = &back->parts[0].cases[1].findings[0].interleaving[1];
    CU_ASSERT_EQUAL(step->offset, 12);
    CU_ASSERT_STRING_EQUAL(step->old, "6");
    CU_ASSERT_EQUAL(back->parts[0].cases[1].counters[0].value, 2.5);
    CU_ASSERT_EQUAL(back->parts[0].cases[1].gpu, STATE_FAIL);
    CU_ASSERT_EQUAL(back->performance[0].low, 1.25);
    CU_ASSERT_FALSE(record_disagrees(&back->parts[0].cases[1])); /* both say that it is wrong */
    struct text a = {0}, b = {0};
    struct report_style style = {.verbose = true, .hints_left = 1};
    report_text(&a, r, &style);
    report_text(&b, back, &style);
    CU_ASSERT_STRING_EQUAL(text_str(&a), text_str(&b));
    text_free(&a);
    text_free(&b);
    record_free(r);
    record_free(back);
    free(json);
    free(again);
}

/** Any byte of a record's file changed: read or refused, and reported without a crash. */
static void test_damaged(void)
{
    struct record *r = sample();
    char *json = record_to_json(r);
    size_t len = strlen(json);
    for (size_t i = 0; i < len; i++) {
        struct trouble t = {0};
        char saved = json[i];
        json[i] = "0\"{]x-,"[i % 7];
        struct record *back = record_from_json(json, len, &t);
        if (back) {
            struct text out = {0};
            struct report_style style = {.color = true, .verbose = true};
            report_text(&out, back, &style);
            text_free(&out);
        }
        CU_ASSERT_TRUE(back || t.what[0]);
        record_free(back);
        json[i] = saved;
    }
    free(json);
    record_free(r);
}

static void test_no_record(void)
{
    const char *texts[] = {"", "[]", "{}", "{\"schema\":2}", "{\"schema\":1}",
                           "{\"schema\":1,\"parts\":3}", "{\"schema\":1,\"seed\":\"xyz\"}"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct trouble t = {0};
        CU_ASSERT_PTR_NULL(record_from_json(texts[i], strlen(texts[i]), &t));
        CU_ASSERT_TRUE(t.what[0] != 0);
    }
}

/** Reads one line of a findings file about a kernel of two lines. */
static void read_line(struct findings *f, const char *line)
{
    char path[] = "/tmp/findings.XXXXXX";
    close(mkstemp(path));
    struct spec s = {0};
    struct trouble t = {0};
    CU_ASSERT_TRUE_FATAL(text_write_file(path, line, strlen(line)));
    CU_ASSERT_TRUE(findings_read(f, path, &s, "a = 1;\n  b = 2;\n", "mine.cu", &t));
    remove(path);
}

static void test_interleaving(void)
{
    struct findings f;
    read_line(&f, "{\"kind\":\"data-race\",\"level\":\"error\",\"message\":\"m\",\"interleaving\":["
                  "{\"op\":\"store\",\"file\":\"/x/kernel.cu\",\"line\":2,\"block\":[3,0,0],"
                  "\"thread\":[1,0,0],\"object\":\"alloc0\",\"offset\":12,\"value\":97},"
                  "{\"op\":\"fence\",\"order\":\"acq_rel.cta\",\"times\":3},{\"op\":\"atomic\",\"value\":7,\"old\":6}]}\n");
    CU_ASSERT_EQUAL_FATAL(f.count, 1);
    CU_ASSERT_EQUAL_FATAL(f.list[0].interleaving_count, 3);
    const struct record_access *run = f.list[0].interleaving;
    CU_ASSERT_STRING_EQUAL(run[0].file, "mine.cu");
    CU_ASSERT_STRING_EQUAL(run[0].source, "b = 2;");
    CU_ASSERT_STRING_EQUAL(run[0].object, "alloc0");
    CU_ASSERT_EQUAL(run[0].offset, 12);
    CU_ASSERT_TRUE(run[0].has_thread && run[0].block[0] == 3);
    CU_ASSERT_FALSE(run[1].has_thread);
    CU_ASSERT_PTR_NULL(run[1].value);
    CU_ASSERT_STRING_EQUAL(run[1].order, "acq_rel.cta");
    CU_ASSERT_EQUAL(run[1].times, 3);
    CU_ASSERT_STRING_EQUAL(run[2].old, "6");
    record_finding_free(&f.list[0]);
    findings_free(&f);
    read_line(&f, "{\"kind\":\"data-race\",\"level\":\"error\"}\n");
    CU_ASSERT_EQUAL_FATAL(f.count, 1);
    CU_ASSERT_EQUAL(f.list[0].interleaving_count, 0);
    record_finding_free(&f.list[0]);
    findings_free(&f);
}

static void test_order(void)
{
#define LINE(kind, level) "{\"kind\":\"" kind "\",\"level\":\"" level "\"}\n"
    struct findings f;
    read_line(&f, LINE("leak", "warning") LINE("uninitialized-read", "error") LINE("data-race", "error"));
    CU_ASSERT_EQUAL_FATAL(f.count, 3);
    CU_ASSERT_EQUAL(f.list[0].kind, VERDICT_UNINITIALIZED_READ);
    CU_ASSERT_EQUAL(f.list[2].kind, VERDICT_LEAK);
    for (int i = 0; i < f.count; i++)
        record_finding_free(&f.list[i]);
    findings_free(&f);
    read_line(&f, LINE("uninitialized-read", "error") LINE("out-of-bounds", "error") LINE("stream-race", "error"));
    CU_ASSERT_EQUAL_FATAL(f.count, 3);
    CU_ASSERT_EQUAL(f.list[0].kind, VERDICT_OUT_OF_BOUNDS);
    CU_ASSERT_EQUAL(f.list[1].kind, VERDICT_STREAM_RACE);
    CU_ASSERT_EQUAL(f.list[2].kind, VERDICT_UNINITIALIZED_READ);
    for (int i = 0; i < f.count; i++)
        record_finding_free(&f.list[i]);
    findings_free(&f);
    read_line(&f, LINE("stream-race", "error") LINE("barrier-divergence", "error") LINE("step-limit", "error")
                  LINE("missing-release", "error"));
    CU_ASSERT_EQUAL_FATAL(f.count, 4);
    CU_ASSERT_EQUAL(f.list[0].kind, VERDICT_STEP_LIMIT);
    CU_ASSERT_EQUAL(f.list[1].kind, VERDICT_MISSING_RELEASE);
    for (int i = 0; i < f.count; i++)
        record_finding_free(&f.list[i]);
    findings_free(&f);
#undef LINE
}

static void test_exit(void)
{
    struct record *r = sample();
    r->earned = r->points;
    r->state = STATE_OK;
    CU_ASSERT_EQUAL(record_exit(r), 0);
    r->earned--;
    CU_ASSERT_EQUAL(record_exit(r), 1);
    r->state = STATE_UNJUDGED;
    CU_ASSERT_EQUAL(record_exit(r), 2);
    r->state = STATE_FAIL;
    r->partial = true;
    CU_ASSERT_EQUAL(record_exit(r), 1);
    r->parts[0].cases[1].state = STATE_OK;
    CU_ASSERT_EQUAL(record_exit(r), 0);
    record_free(r);
}

static void test_expect(void)
{
    struct record *r = sample();
    const struct {
        const char *source, *says; /* NULL: holds */
    } rows[] = {
        {"// verdict: missing-acquire\n", NULL},
        {"// verdict: missing-acquire 2 3\n", NULL},
        {"// verdict: missing-acquire 3 2\n", NULL},
        {"// verdict: missing-acquire 2 2\n", "did not get missing-acquire 2 2"},
        {"// verdict: missing-acquire @1 @2\nx; // @1\ny; // @2\n", NULL},
        {"// verdict: missing-acquire @1\n//\nx;\ny; // @1\n", "did not get missing-acquire @1"},
        {"// verdict: missing-acquire @1\n", "names a marker that no line has"},
        {"// verdict: data-race | missing-acquire 3\n", NULL},
        {"// verdict: data-race\n", "did not get data-race"},
        {"// a word before\n// verdict: missing-acquire\n// verdict: leak\n", "did not get leak"},
        {"// verdict: datarace\n", "names no kind of verdict"},
        {"int x;\n// verdict: missing-acquire\n", "has no \"// verdict:\" line"},
        {"// verdict: warning missing-acquire\n", "did not get warning missing-acquire"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *why = expect_check(rows[i].source, r);
        bool as_told = rows[i].says ? why && strstr(why, rows[i].says) : !why;
        if (!as_told)
            printf("\n  %s: %s", rows[i].source, why ? why : "holds");
        CU_ASSERT_TRUE(as_told);
        free(why);
    }
    r->earned = r->points;
    char *why = expect_check("// verdict: missing-acquire\n", r);
    CU_ASSERT_STRING_EQUAL(why, "got full marks");
    free(why);
    record_free(r);
}

/** Who has no score has no line for an import, which would set it to nothing; a rejected file is a 0. */
static void test_import(void)
{
    struct record good = {.points = 20, .earned = 15, .state = STATE_FAIL};
    struct record broken = {.points = 20, .earned = 5, .state = STATE_UNJUDGED, .kit_fault = true};
    struct submission list[] = {{.name = "ada", .record = &good},
                                {.name = "bob", .record = &broken},
                                {.name = "cyd"},
                                {.name = "a \"b\"", .state = SUBMISSION_REJECTED}};
    struct class c = {.list = list, .count = 4};
    struct text moodle = {0}, canvas = {0};
    gradebook_moodle(&moodle, &c, "lab03");
    CU_ASSERT_STRING_EQUAL(text_str(&moodle), "username,\"lab03\"\r\n\"ada\",15\r\n\"a \"\"b\"\"\",0\r\n");
    gradebook_canvas(&canvas, &c, "lab03", 20);
    CU_ASSERT_STRING_EQUAL(text_str(&canvas),
                           "Student,ID,SIS User ID,SIS Login ID,Section,\"lab03\"\r\n"
                           "Points Possible,,,,,20\r\n\"ada\",,,\"ada\",,15\r\n"
                           "\"a \"\"b\"\"\",,,\"a \"\"b\"\"\",,0\r\n");
    text_free(&moodle);
    text_free(&canvas);
}

/** The report of the sample with this source line, for a terminal of so many columns. */
static char *shown(const char *source, int columns)
{
    struct record *r = sample();
    struct text out = {0};
    struct report_style style = {.columns = columns};
    r->parts[0].cases[1].findings[0].accesses[0].source = text_dup(source);
    report_text(&out, r, &style);
    record_free(r);
    return out.data;
}

/** Source is never cut: beside its thread where there is room, else whole on lines of its own. */
static void test_source_is_whole(void)
{
    const char *long_line = "partial[blockIdx.x] = block_sum(in, n) + 1234567 * threadIdx.x; // the end";
    const char *longer = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen";
    char *narrow = shown(long_line, 0), *wide = shown(long_line, 120), *two = shown(longer, 80);
    CU_ASSERT_PTR_NOT_NULL(strstr(wide, "the end  block 3 thread 0  wrote 97\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(narrow, "threadIdx.x; //\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(narrow, "\n               the end\n             block 3 thread 0  wrote 97\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(two, " fifteen\n"));
    free(narrow);
    free(wide);
    free(two);
    struct record *r = sample();
    struct text out = {0};
    struct report_style style = {0};
    free(r->parts[0].cases[1].findings[0].accesses[0].file);
    r->parts[0].cases[1].findings[0].accesses[0].file = text_dup("a_folder/with_a_very_long_name_of_a_file.cu");
    free(r->parts[0].cases[0].title);
    r->parts[0].cases[0].title = text_dup("a title that has more letters than its column is wide, by far");
    report_text(&out, r, &style);
    CU_ASSERT_PTR_NOT_NULL(strstr(text_str(&out), "    …very_long_name_of_a_file.cu:2 "));
    CU_ASSERT_PTR_NOT_NULL(strstr(text_str(&out), " column is w…"));
    text_free(&out);
    record_free(r);
}

/** What a property counted beside what it may be, in the words that the spec has for it. */
static void test_property(void)
{
    static const struct {
        struct record_property p;
        const char *words;
    } rows[] = {
        {{.counter = "block_barriers", .unit = "barriers in the last block", .has_value = true, .value = 3272, .has_max = true,
          .max = 1000}, "3,272 barriers in the last block, allowed: at most 1,000"},
        {{.counter = "launches", .has_value = true, .value = 0, .has_min = true, .min = 4}, "0 launches, needed: at least 4"},
        {{.counter = "x", .has_value = true, .value = 1.352, .has_max = true, .max = 1.3}, "1.35 x, allowed: at most 1.3"},
        {{.counter = "x", .has_value = true, .value = 2, .has_max = true, .max = 1.3}, "2 x, allowed: at most 1.3"},
        {{.counter = "x", .has_value = true, .value = 140, .has_max = true, .max = 135.3, .has_reference = true,
          .reference = 123}, "140 x, allowed: at most 135; the reference has 123"},
        {{.counter = "x", .has_value = true, .value = 1, .has_min = true, .min = 1.5, .has_reference = true, .reference = 3},
         "1 x, needed: at least 2; the reference has 3"},
        {{.counter = "x", .has_max = true, .max = 2.2, .has_reference = true, .reference = 1.1},
         "no x, allowed: at most 2.2; the reference has 1.1"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *words = record_property_words(&rows[i].p);
        CU_ASSERT_STRING_EQUAL(words, rows[i].words);
        free(words);
    }
}

/** Before anything is tried; the sanitizer's build sees whether all of it is given back. */
static void test_started(void)
{
    struct trouble t = {0};
    struct spec *s = spec_load("tests/grader/specs/ok.yaml", "ok.yaml", NULL, &t);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    struct record *r = score_start(s, "lab42_rows");
    CU_ASSERT_FATAL(r->properties_count > 0 && r->properties[0].part);
    CU_ASSERT_STRING_EQUAL(r->properties[0].case_name, "odd");
    CU_ASSERT_PTR_EQUAL(record_part_of(r, &r->properties[0]), &r->parts[0]);
    record_free(r);
    spec_free(s);
}

UNIT_MAIN("record", {"JSON and back", test_round_trip}, {"damaged", test_damaged},
          {"no record", test_no_record}, {"interleaving", test_interleaving}, {"order of findings", test_order}, {"exit status", test_exit},
          {"verdict lines", test_expect}, {"grades for import", test_import},
          {"source is whole", test_source_is_whole},
          {"what a property counted", test_property}, {"a record in which nothing is tried yet", test_started})
