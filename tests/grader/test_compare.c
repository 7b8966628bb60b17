/**
 * @file test_compare.c
 * Result files as hostile bytes, and the rules of comparison: what must match beside what must not.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/compare.h"
#include "unit.h"

/** The name of the array in a result file. */
static const char *array_name = "a";

static char *file_of(int type, const void *data, uint64_t count, size_t *len)
{
    struct text t = {0};
    uint32_t head[] = {1, 1, (uint32_t)strlen(array_name)};
    uint32_t kind = (uint32_t)type, end = 0x21444e45;
    text_add(&t, "FPRESULT", 8);
    text_add(&t, (char *)head, sizeof head);
    text_add(&t, array_name, strlen(array_name));
    text_add(&t, (char *)&kind, 4);
    text_add(&t, (char *)&count, 8);
    text_add(&t, data, count * array_type_size(type));
    text_add(&t, (char *)&end, 4);
    *len = t.len;
    return t.data;
}

static char *compare(struct spec_compare rule, int type, const void *e, const void *g, uint64_t n)
{
    struct spec s = {.compare = rule};
    struct spec_case c = {0};
    struct result_file expected, got;
    size_t len;
    char *bytes = file_of(type, e, n, &len);
    CU_ASSERT_PTR_NULL(result_file_parse(&expected, bytes, len));
    bytes = file_of(type, g, n, &len);
    CU_ASSERT_PTR_NULL(result_file_parse(&got, bytes, len));
    char *why = compare_results(&s, &c, &expected, &got);
    result_file_close(&expected);
    result_file_close(&got);
    return why;
}

static const struct spec_compare exact = {.rule = RULE_EXACT};
static const struct spec_compare any_order = {.rule = RULE_PERMUTATION};
static const struct spec_compare near = {.rule = RULE_TOLERANCE, .absolute = 0.5, .relative = 0.01};

/** `expected` is NULL where the two must match. */
static void says(const char *expected, char *why)
{
    CU_ASSERT_STRING_EQUAL(why ? why : "matches", expected ? expected : "matches");
    free(why);
}
#define MATCHES NULL

static void test_integers(void)
{
    int e[] = {1, 4950, -3}, g[] = {1, 4811, -3}, p[] = {-3, 1, 4950}, q[] = {1, 1, 4950};
    says(MATCHES, compare(exact, ARRAY_I32, e, e, 3));
    says("element 1 of a: expected 4950, got 4811 (1 of 3 differ)",
         compare(exact, ARRAY_I32, e, g, 3));
    says("element 1 of a: expected 4950, got 4811 (1 of 3 differ)",
         compare(near, ARRAY_I32, e, g, 3));
    says("a: expected 1, got -3", compare(exact, ARRAY_I32, e, p, 1));
    says(MATCHES, compare(any_order, ARRAY_I32, e, p, 3));
    says("a, in any order: expected 1 1 times, got it 2 times",
         compare(any_order, ARRAY_I32, e, q, 3));
    says(MATCHES, compare(exact, ARRAY_I32, e, g, 0));
    uint64_t big[] = {UINT64_MAX}, less[] = {UINT64_MAX - 1};
    says("a: expected 18446744073709551615, got 18446744073709551614",
         compare(near, ARRAY_U64, big, less, 1));
    int fine = 0, failed = 1, no_error = -7;
    array_name = "returned error, call 1";
    says("returned error, call 1: expected 0 (cudaSuccess: no error), got 1 (cudaErrorInvalidValue: invalid argument)",
         compare(exact, ARRAY_I32, &fine, &failed, 1));
    says("returned error, call 1: expected 0 (cudaSuccess: no error), got -7", compare(exact, ARRAY_I32, &fine, &no_error, 1));
    array_name = "a";
    int fresh[] = {1, (int)0xc5c5c5c5, -3};
    says("element 1 of a: expected 4950, got -976894523, as in memory that nothing has written (1 of 3 differ)",
         compare(exact, ARRAY_I32, e, fresh, 3));
}

static void test_floats(void)
{
    float e[] = {100, 0, NAN, INFINITY}, n[] = {101.4f, 0.5f, NAN, INFINITY};
    float far[] = {101.6f, 0, NAN, INFINITY}, nans[] = {NAN, NAN, NAN, NAN};
    float no_nan[] = {100, 0, 7, INFINITY}, minus[] = {100, -0.0f, NAN, INFINITY};
    float other_inf[] = {100, 0, NAN, -INFINITY}, finite[] = {100, 0, NAN, 3e38f};
    says(MATCHES, compare(near, ARRAY_F32, e, n, 4));
    says("element 0 of a: expected 100, got 101.599998 (1 of 4 differ)",
         compare(near, ARRAY_F32, e, far, 4));
    says("element 0 of a: expected 100, got nan (3 of 4 differ)",
         compare(near, ARRAY_F32, e, nans, 4));
    says("element 2 of a: expected nan, got 7 (1 of 4 differ)",
         compare(near, ARRAY_F32, e, no_nan, 4));
    says(MATCHES, compare(near, ARRAY_F32, e, minus, 4));
    says("element 1 of a: expected 0, got -0 (1 of 4 differ)",
         compare(exact, ARRAY_F32, e, minus, 4));
    says(MATCHES, compare(any_order, ARRAY_F32, e, minus, 4));
    says("element 3 of a: expected inf, got -inf (1 of 4 differ)",
         compare(near, ARRAY_F32, e, other_inf, 4));
    says("element 3 of a: expected inf, got 3.00000001e+38 (1 of 4 differ)",
         compare(near, ARRAY_F32, e, finite, 4));
    double d[] = {1.0}, d2[] = {1.0 + 1e-15};
    says("a: expected 1, got 1.0000000000000011", compare(exact, ARRAY_F64, d, d2, 1));
}

static void test_shapes(void)
{
    struct spec s = {.compare = exact};
    struct spec_case c = {0};
    struct result_file a, b;
    int v[] = {1, 2};
    size_t len;
    char *bytes = file_of(ARRAY_I32, v, 2, &len);
    CU_ASSERT_PTR_NULL(result_file_parse(&a, bytes, len));
    bytes = file_of(ARRAY_I32, v, 1, &len);
    CU_ASSERT_PTR_NULL(result_file_parse(&b, bytes, len));
    says("a: expected 2 elements, got 1", compare_results(&s, &c, &a, &b));
    result_file_close(&b);
    bytes = file_of(ARRAY_U32, v, 2, &len);
    CU_ASSERT_PTR_NULL(result_file_parse(&b, bytes, len));
    says("a has another type than expected", compare_results(&s, &c, &a, &b));
    strcpy(b.arrays[0].name, "b");
    says("the result lacks a", compare_results(&s, &c, &a, &b));
    b.count = 0;
    says("the result has 1 arrays, expected 0", compare_results(&s, &c, &b, &a));
    result_file_close(&a);
    result_file_close(&b);
}

/** Every proper prefix of a good file is refused, and so is every file with a bit more. */
static void test_cut_short(void)
{
    double v[] = {1, 2, 3};
    size_t len;
    char *whole = file_of(ARRAY_F64, v, 3, &len);
    struct result_file r;
    for (size_t n = 0; n < len; n++) {
        char *part = text_zalloc(n, 1);
        memcpy(part, whole, n);
        CU_ASSERT_PTR_NOT_NULL(result_file_parse(&r, part, n));
        result_file_close(&r);
    }
    char *more = text_zalloc(len + 1, 1);
    memcpy(more, whole, len);
    CU_ASSERT_STRING_EQUAL(result_file_parse(&r, more, len + 1), "goes on after its end");
    result_file_close(&r);
    free(whole);
}

/** Any byte changed: parsed or refused, never a crash; lengths are never believed. */
static void test_damaged(void)
{
    int v[] = {1, 2, 3};
    size_t len;
    char *whole = file_of(ARRAY_I32, v, 3, &len);
    struct result_file r;
    for (size_t i = 0; i < len; i++)
        for (int x = 1; x < 256; x++) {
            char *copy = text_zalloc(len, 1);
            memcpy(copy, whole, len);
            copy[i] = (char)(copy[i] ^ x);
            if (!result_file_parse(&r, copy, len))
                CU_ASSERT_EQUAL(r.count, 1);
            result_file_close(&r);
        }
    free(whole);
}

UNIT_MAIN("compare", {"integers", test_integers}, {"floats", test_floats}, {"shapes", test_shapes},
          {"cut short", test_cut_short}, {"damaged", test_damaged})
