/**
 * @file test_tried.c
 * Advice that a student followed in vain is not given again: how the grader sees that it was followed.
 */
#include <stdlib.h>
#include <string.h>

#include "course/tried.h"
#include "record_sample.h"
#include "report/report.h"
#include "run/advised.h"
#include "score/wider.h"
#include "unit.h"

/** A race on lines 2 and 3 of k.cu, by thread 0 of one block or of two. */
static struct record_finding race(int second_block, const char *suggestion)
{
    struct record_finding f = {.kind = VERDICT_DATA_RACE,
                               .level = RECORD_ERROR,
                               .accesses_count = 2,
                               .suggestion = text_dup(suggestion),
                               .advised = 1};
    for (int i = 0; i < 2; i++)
        f.accesses[i] = (struct record_access){.file = text_dup("k.cu"),
                                               .line = 2 + i,
                                               .has_thread = true,
                                               .block = {i ? second_block : 0}};
    return f;
}

/** What a case with one block is told is not what helps the case that has the same race between blocks. */
static void test_wider(void)
{
    static const char *const inside = "__syncthreads() between line 2 and line 3",
                             *const outside = "a barrier of the whole grid";
    struct record *r = sample();
    struct record_case *c = r->parts[0].cases;
    c[0].findings = text_zalloc(2, sizeof *c[0].findings);
    c[0].findings_count = 2;
    c[0].findings[0] = race(0, inside);
    c[0].findings[1] = race(0, inside);
    c[0].findings[1].accesses[1].line = 4;
    score_widen_advice(r);
    CU_ASSERT_STRING_EQUAL(c[0].findings[0].suggestion, inside);
    record_finding_free(&c[1].findings[0]);
    c[1].findings[0] = race(1, outside);
    score_widen_advice(r);
    CU_ASSERT_STRING_EQUAL(c[0].findings[0].suggestion, outside);
    CU_ASSERT_STRING_EQUAL(c[0].findings[1].suggestion, inside); /* other lines */
    CU_ASSERT_STRING_EQUAL(c[1].findings[0].suggestion, outside);
    record_free(r);
}

/** Advice that was followed in vain is not given again; after an edit elsewhere it is. */
static void test_tried(void)
{
    struct record *last = sample(), *now = sample();
    struct record_finding *old = &last->parts[0].cases[1].findings[0],
                          *f = &now->parts[0].cases[1].findings[0];
    struct report_style style = {0};
    struct text out = {0};
    old->suggestion = text_dup("a fence between line 2 and line 3");
    f->suggestion = text_dup("a fence between line 12 and line 13");
    old->advised = f->advised = -1;
    f->accesses[0].line += 10;
    f->accesses[1].line += 10;
    tried_mark(now, last);
    CU_ASSERT_FALSE(f->tried); /* all of it moved */
    f->accesses[1].line++;
    tried_mark(now, last);
    CU_ASSERT_TRUE(f->tried);
    report_text(&out, now, &style);
    CU_ASSERT_PTR_NULL(strstr(text_str(&out), "Try:"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text_str(&out), "did not help"));
    text_free(&out);
    old->tried = true; /* it stays so */
    f->accesses[1].line--;
    tried_mark(now, last);
    CU_ASSERT_TRUE(f->tried);
    for (int i = 0; i < 2; i++) { /* the same advice about other lines */
        free(old->accesses[i].source);
        free(f->accesses[i].source);
        old->accesses[i].source = text_dup(i ? "x = 1;" : "y = x;");
        f->accesses[i].source = text_dup(i ? "z = 1;" : "y = z;");
    }
    tried_mark(now, last);
    CU_ASSERT_FALSE(f->tried);
    free(f->accesses[0].source);
    f->accesses[0].source = text_dup("y = x;"); /* one line of it was changed */
    tried_mark(now, last);
    CU_ASSERT_TRUE(f->tried);
    free(f->suggestion);
    f->suggestion = text_dup("cuda::atomic_ref in line 2");
    tried_mark(now, last);
    CU_ASSERT_FALSE(f->tried); /* other advice */
    tried_mark(now, NULL);
    report_text(&out, now, &style);
    CU_ASSERT_PTR_NOT_NULL(strstr(text_str(&out), "Try: cuda::atomic_ref"));
    text_free(&out);
    record_free(last);
    record_free(now);
}

/** Advice that names a call: it was followed where the program has one more of them, or where one was moved. */
static void test_tried_calls(void)
{
    static const struct {
        int before, now, moved;
        bool tried;
    } rows[] = {{0, 0, 0, false}, {0, 0, 1, false}, {0, 1, 0, true}, {2, 3, 1, true},
                {1, 1, 0, false}, {1, 1, 2, true},  {2, 1, 0, false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct record *last = sample(), *now = sample();
        struct record_finding *old = &last->parts[0].cases[1].findings[0],
                              *f = &now->parts[0].cases[1].findings[0];
        old->suggestion = text_dup("__threadfence() before the signal on line 2");
        f->suggestion = text_dup("__threadfence() before the signal on line 2");
        old->advised = rows[i].before;
        f->advised = rows[i].now;
        f->accesses[1].line += rows[i].moved;
        free(f->accesses[0].source);
        f->accesses[0].source = text_dup("another text"); /* an edit that is not what was advised */
        tried_mark(now, last);
        CU_ASSERT_EQUAL(f->tried, rows[i].tried);
        record_free(last);
        record_free(now);
    }
}

static void test_advised(void)
{
    static const struct {
        const char *advice, *source;
        int calls;
    } rows[] = {{"a fence", "__threadfence();", -1},
                {"", "f();", -1},
                {"let one thread do it (or two)", "or();", -1},
                {"__syncthreads() between line 1 and line 2", "", 0},
                {"__syncthreads() between line 1 and line 2",
                 "__syncthreads();\nif (x) __syncthreads ( );", 2},
                {"__syncthreads()", "// __syncthreads();\n/* __syncthreads(); */ f();", 0},
                {"__syncthreads()", "my__syncthreads(); __syncthreads_and(1); __syncthreads;", 0},
                {"a barrier, __syncthreads(), or __syncwarp()", "__syncwarp();", 0},
                {"f()", "/* open f();", 0},
                {"f()", "f", 0},
                {"f()", "a / f() // f()", 1}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        CU_ASSERT_EQUAL(advised_calls(rows[i].advice, rows[i].source), rows[i].calls);
}

UNIT_MAIN("tried", {"advice in vain", test_tried},
          {"advice that another case shows to be too narrow", test_wider},
          {"advised calls in vain", test_tried_calls}, {"calls that advice names", test_advised})
