/**
 * @file compare.c
 * Comparing arrays; see compare.h.
 *
 * NaN matches only where the reference has one, under every rule (attacks.md, case 24): otherwise
 * a kernel that writes NaN everywhere would match a tolerance that compares with `<`.
 */
#include "compare/compare.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t bits_at(const struct result_file_array *a, uint64_t i)
{
    size_t size = array_type_size(a->type);
    uint64_t v = 0;
    for (size_t b = 0; b < size; b++)
        v |= (uint64_t)a->data[i * size + b] << (8 * b);
    return v;
}

static bool is_float(enum array_type t)
{
    return t == ARRAY_F32 || t == ARRAY_F64;
}

static double as_double(enum array_type type, uint64_t bits)
{
    if (type == ARRAY_F32) {
        uint32_t b = (uint32_t)bits;
        float f;
        memcpy(&f, &b, sizeof f);
        return (double)f;
    }
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

/** The value as a report shows it; floats with the digits that tell neighbours apart. */
static void show(char *out, size_t size, enum array_type type, uint64_t bits)
{
    if (is_float(type) && isnan(as_double(type, bits))) {
        snprintf(out, size, "nan");
        return;
    }
    switch (type) {
    case ARRAY_I32:
        snprintf(out, size, "%" PRId32, (int32_t)bits);
        break;
    case ARRAY_I64:
        snprintf(out, size, "%" PRId64, (int64_t)bits);
        break;
    case ARRAY_F32:
        snprintf(out, size, "%.9g", as_double(type, bits));
        break;
    case ARRAY_F64:
        snprintf(out, size, "%.17g", as_double(type, bits));
        break;
    default:
        snprintf(out, size, "%" PRIu64, bits);
    }
}

static bool element_matches(const struct spec_array_rule *rule, enum array_type type,
                            uint64_t expected, uint64_t got)
{
    if (expected == got)
        return true;
    if (!is_float(type))
        return false;
    double e = as_double(type, expected), g = as_double(type, got);
    if (isnan(e) || isnan(g))
        return isnan(e) && isnan(g);
    if (rule->rule != RULE_TOLERANCE)
        return false;
    if (isinf(e) || isinf(g))
        return e == g;
    return fabs(g - e) <= rule->absolute + rule->relative * fabs(e);
}

/** What softgpu fills fresh memory with, and harnesses their results: nothing has been written there. */
static const char *if_fresh(enum array_type type, uint64_t bits)
{
    uint64_t all = array_type_size(type) == 8 ? UINT64_MAX : UINT32_MAX;
    bool fresh = bits == (0xc5c5c5c5c5c5c5c5u & all) || bits == (0x5a5a5a5a5a5a5a5au & all);
    return array_type_size(type) >= 4 && fresh ? ", as in memory that nothing has written" : "";
}

/** What a number in an array of this name means, with a space before it. "returned error", as lab05 calls them, are of type
 *  cudaError_t. */
static const char *meaning(const char *array, uint64_t bits)
{
    if (strncmp(array, "returned error", strlen("returned error")) != 0)
        return "";
    switch (bits) {
#define ERROR(number, name, text)                                                                  \
    case number:                                                                                   \
        return " (" #name ": " text ")";
#include "runtime/forms/errors.def"
#undef ERROR
    }
    return "";
}

static char *compare_in_order(const struct spec_array_rule *rule,
                              const struct result_file_array *e,
                              const struct result_file_array *g)
{
    uint64_t wrong = 0, first = 0;
    for (uint64_t i = 0; i < e->count; i++)
        if (!element_matches(rule, e->type, bits_at(e, i), bits_at(g, i)) && !wrong++)
            first = i;
    if (!wrong)
        return NULL;
    char want[40], have[40];
    show(want, sizeof want, e->type, bits_at(e, first));
    show(have, sizeof have, g->type, bits_at(g, first));
    const char *fresh = if_fresh(g->type, bits_at(g, first));
    if (e->count == 1)
        return text_format("%s: expected %s%s, got %s%s%s", e->name, want, meaning(e->name, bits_at(e, first)), have,
                           meaning(e->name, bits_at(g, first)), fresh);
    return text_format("element %" PRIu64 " of %s: expected %s, got %s%s (%" PRIu64 " of %" PRIu64
                       " differ)",
                       first, e->name, want, have, fresh, wrong, e->count);
}

static int by_bits(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/** Sorted copies by bits, with one NaN and one zero, so that equal values are equal bits. */
static uint64_t *sorted(const struct result_file_array *a)
{
    uint64_t *v = text_zalloc(a->count, sizeof *v);
    for (uint64_t i = 0; i < a->count; i++) {
        v[i] = bits_at(a, i);
        if (is_float(a->type) && isnan(as_double(a->type, v[i])))
            v[i] = UINT64_MAX;
        else if (is_float(a->type) && as_double(a->type, v[i]) == 0.0)
            v[i] = 0;
    }
    qsort(v, a->count, sizeof *v, by_bits);
    return v;
}

static uint64_t count_of(const uint64_t *v, uint64_t n, uint64_t x)
{
    uint64_t c = 0;
    for (uint64_t i = 0; i < n; i++)
        c += v[i] == x;
    return c;
}

static char *compare_any_order(const struct result_file_array *e,
                               const struct result_file_array *g)
{
    uint64_t *a = sorted(e), *b = sorted(g), i = 0;
    char *why = NULL;
    while (i < e->count && a[i] == b[i])
        i++;
    if (i < e->count) {
        uint64_t x = a[i] < b[i] ? a[i] : b[i]; /* the smaller one is missing on the other side */
        char value[40];
        show(value, sizeof value, e->type, x);
        if (x == UINT64_MAX && is_float(e->type))
            snprintf(value, sizeof value, "nan");
        why = text_format("%s, in any order: expected %s %" PRIu64 " times, got it %" PRIu64
                          " times",
                          e->name, value, count_of(a, e->count, x), count_of(b, g->count, x));
    }
    free(a);
    free(b);
    return why;
}

static char *compare_array(const struct spec_array_rule *rule, const struct result_file_array *e,
                           const struct result_file_array *g)
{
    if (e->type != g->type)
        return text_format("%s has another type than expected", e->name);
    if (e->count != g->count)
        return text_format("%s: expected %" PRIu64 " elements, got %" PRIu64, e->name, e->count,
                           g->count);
    return rule->rule == RULE_PERMUTATION ? compare_any_order(e, g)
                                          : compare_in_order(rule, e, g);
}

static const struct result_file_array *find(const struct result_file *r, const char *name)
{
    for (int i = 0; i < r->count; i++)
        if (!strcmp(r->arrays[i].name, name))
            return &r->arrays[i];
    return NULL;
}

char *compare_results(const struct spec *s, const struct spec_case *c,
                      const struct result_file *expected, const struct result_file *got)
{
    for (int i = 0; i < expected->count; i++) {
        const struct result_file_array *e = &expected->arrays[i], *g = find(got, e->name);
        if (!g)
            return text_format("the result lacks %s", e->name);
        struct spec_array_rule rule = spec_array_rule(s, c, e->name);
        char *why = compare_array(&rule, e, g);
        if (why)
            return why;
    }
    if (got->count != expected->count)
        return text_format("the result has %d arrays, expected %d", got->count, expected->count);
    return NULL;
}
