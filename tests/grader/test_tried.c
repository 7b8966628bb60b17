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
#include "unit.h"

/** Advice that was followed in vain is not given again; after an edit elsewhere it is. */
static void test_tried(void)
{
    struct record *last = sample(), *now = sample();
    struct record_finding *old = &last->parts[0].cases[1].findings[0], *f = &now->parts[0].cases[1].findings[0];
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
    } rows[] = {{0, 0, 0, false}, {0, 0, 1, false}, {0, 1, 0, true}, {2, 3, 1, true}, {1, 1, 0, false}, {1, 1, 2, true},
                {2, 1, 0, false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct record *last = sample(), *now = sample();
        struct record_finding *old = &last->parts[0].cases[1].findings[0], *f = &now->parts[0].cases[1].findings[0];
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
    } rows[] = {{"a fence", "__threadfence();", -1}, {"", "f();", -1}, {"let one thread do it (or two)", "or();", -1},
                {"__syncthreads() between line 1 and line 2", "", 0},
                {"__syncthreads() between line 1 and line 2", "__syncthreads();\nif (x) __syncthreads ( );", 2},
                {"__syncthreads()", "// __syncthreads();\n/* __syncthreads(); */ f();", 0},
                {"__syncthreads()", "my__syncthreads(); __syncthreads_and(1); __syncthreads;", 0},
                {"a barrier, __syncthreads(), or __syncwarp()", "__syncwarp();", 0},
                {"f()", "/* open f();", 0}, {"f()", "f", 0}, {"f()", "a / f() // f()", 1}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        CU_ASSERT_EQUAL(advised_calls(rows[i].advice, rows[i].source), rows[i].calls);
}

UNIT_MAIN("tried", {"advice in vain", test_tried}, {"advised calls in vain", test_tried_calls},
          {"calls that advice names", test_advised})
