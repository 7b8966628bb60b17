/**
 * @file test_object.c
 * Machine code on its way into the process: what LLVM makes can be called, what is damaged is refused.
 */
#include <CUnit/Basic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile/llvm.h"
#include "compile/object.h"
#include "unit.h"

typedef void *run_fn(void *at, int n);

static void *object_of(const char *text, size_t *bytes)
{
    char why[256] = "";
    void *object = llvm_available() ? llvm_object(text, strlen(text), bytes, why, sizeof why) : NULL;
    if (why[0])
        printf("%s\n", why);
    return object;
}

/** Constants beside the code, and a call that LLVM adds. */
static const char good[] = "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\n"
                           "@table = private constant [4 x i32] [i32 3, i32 5, i32 8, i32 13]\n"
                           "define ptr @run(ptr %w, i32 %n) {\n"
                           "  %b = zext i32 %n to i64\n"
                           "  call void @llvm.memset.p0.i64(ptr %w, i8 7, i64 %b, i1 false)\n"
                           "  %p = getelementptr i32, ptr @table, i32 %n\n  %v = load i32, ptr %p\n  store i32 %v, ptr %w\n"
                           "  ret ptr %w\n}\n";

static void test_called(void)
{
    char why[256] = "";
    size_t bytes;
    uint8_t area[16] = {0};
    void *object = object_of(good, &bytes);
    if (!object)
        return; /* no LLVM here */
    struct object_code *code = object_load(object, bytes, NULL, NULL, why, sizeof why);
    CU_ASSERT_PTR_NOT_NULL_FATAL(code);
    run_fn *run = (run_fn *)(uintptr_t)object_run(code);
    CU_ASSERT_PTR_EQUAL(run(area, 3), area);
    CU_ASSERT_EQUAL(area[0], 13);
    run(area, 2);
    CU_ASSERT_EQUAL(area[0], 8);
    object_free(code);
    free(object);
}

/** A cache, a pipe or a process may fail: none of it may bring the program down. */
static void test_damaged(void)
{
    char why[256];
    size_t bytes;
    uint8_t *object = object_of(good, &bytes);
    if (!object)
        return;
    for (size_t n = 0; n < bytes; n++) {
        uint8_t *part = malloc(n + 1);
        memcpy(part, object, n);
        CU_ASSERT_PTR_NULL(object_load(part, n, NULL, NULL, why, sizeof why));
        free(part);
    }
    for (size_t n = 0; n < bytes; n++)
        for (int bit = 0; bit < 8; bit += 7) {
            object[n] ^= (uint8_t)(1 << bit);
            why[0] = 0;
            struct object_code *code = object_load(object, bytes, NULL, NULL, why, sizeof why);
            CU_ASSERT(code || why[0]);
            object_free(code); /* it may be other code, which nobody calls */
            object[n] ^= (uint8_t)(1 << bit);
        }
    free(object);
}

static void test_refused(void)
{
    static const struct {
        const char *text, *why;
    } cases[] = {
        {"declare i32 @somewhere(i32)\ndefine ptr @run(ptr %w, i32 %n) {\n  %r = call i32 @somewhere(i32 %n)\n  ret ptr %w\n}\n", "somewhere"},
        {"@v = global i32 3\ndefine ptr @run(ptr %w, i32 %n) {\n  store i32 %n, ptr @v\n  ret ptr %w\n}\n", "variables"},
        {"define ptr @other(ptr %w, i32 %n) {\n  ret ptr %w\n}\n", "no beginning"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char why[256] = "";
        size_t bytes;
        void *object = object_of(cases[i].text, &bytes);
        if (!object)
            return;
        CU_ASSERT_PTR_NULL(object_load(object, bytes, NULL, NULL, why, sizeof why));
        CU_ASSERT_PTR_NOT_NULL(strstr(why, cases[i].why));
        free(object);
    }
}

UNIT_MAIN("object", {"what LLVM makes can be called", test_called}, {"what is damaged is refused", test_damaged},
          {"what refers elsewhere is refused", test_refused})
