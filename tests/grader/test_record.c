/**
 * @file test_record.c
 * The record survives JSON and back, word for word; what is no record is refused.
 */
#include <stdlib.h>
#include <string.h>

#include "course/expect.h"
#include "report/report.h"
#include "score/record.h"
#include "unit.h"

static struct record *sample(void)
{
    struct record *r = text_zalloc(1, sizeof *r);
    *r = (struct record){
        .lab = text_dup("lab03"), .folder = text_dup("lab03_x"), .title = text_dup("guard"),
        .file = text_dup("k.cu"), .device = text_dup("softgpu"), .sandbox = text_dup("D"),
        .version = text_dup("1"), .nvcc = text_dup("13"), .command = text_dup("./grade lab03"),
        .seed = 0x5f3a91c2, .spec_hash = 0xfedcba9876543210u, .points = 20, .earned = 10,
        .state = STATE_FAIL, .seconds = 0.25, .parts_count = 1, .properties_count = 1,
    };
    r->parts = text_zalloc(1, sizeof *r->parts);
    r->properties = text_zalloc(1, sizeof *r->properties);
    r->properties[0] = (struct record_property){.title = text_dup("one launch"),
                                                .counter = text_dup("launches"),
                                                .case_name = text_dup("two"), .has_max = true,
                                                .max = 1, .has_value = true, .value = 2,
                                                .state = STATE_FAIL};
    r->parts[0] = (struct record_part){.id = text_dup("B"), .title = text_dup("the guard"),
                                       .points = 20, .earned = 10, .state = STATE_FAIL,
                                       .cases_count = 2};
    struct record_case *c = r->parts[0].cases = text_zalloc(2, sizeof *c);
    c[0] = (struct record_case){.id = text_dup("B1"), .name = text_dup("one"),
                                .title = text_dup("n = 1 … \"quoted\""), .points = 10, .earned = 10};
    c[1] = (struct record_case){.id = text_dup("B2"), .name = text_dup("two"),
                                .title = text_dup("n = 2"), .points = 10, .state = STATE_FAIL,
                                .verdict = VERDICT_MISSING_ACQUIRE, .findings_count = 1};
    c[1].findings = text_zalloc(1, sizeof *c[1].findings);
    c[1].findings[0] = (struct record_finding){
        .kind = VERDICT_MISSING_ACQUIRE, .level = RECORD_ERROR, .message = text_dup("a \x01 b"),
        .offset = 4, .count = 3, .seed = UINT64_MAX, .accesses_count = 2,
        .accesses = {{.op = text_dup("store"), .file = text_dup("k.cu"), .line = 2,
                      .has_thread = true, .block = {3, 0, 0}, .value = text_dup("97")},
                     {.op = text_dup("load"), .line = 3, .missed = text_dup("97")}},
    };
    return r;
}

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
    struct text a = {0}, b = {0};
    struct report_style style = {false, true, 1};
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
            struct report_style style = {true, true, 0};
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

UNIT_MAIN("record", {"JSON and back", test_round_trip}, {"damaged", test_damaged},
          {"no record", test_no_record}, {"exit status", test_exit}, {"verdict lines", test_expect})
