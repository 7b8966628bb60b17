/**
 * @file random_findings.h
 * Findings about random.cu, a text of kernels of as many lines each, which random_races and random_orders make.
 */
#ifndef TESTS_RANDOM_FINDINGS_H
#define TESTS_RANDOM_FINDINGS_H

#include <jansson.h>
#include <string.h>

/** The kernel that a finding is about, by the lines of its accesses: each has `lines` of them, and there are `count`; -1: none. */
static inline int kernel_found(const json_t *finding, int lines, int count)
{
    size_t i;
    const json_t *access;
    json_array_foreach(json_object_get(finding, "accesses"), i, access) {
        int kernel = (int)json_integer_value(json_object_get(access, "line")) / lines;
        const char *file = json_string_value(json_object_get(access, "file"));
        if (file && !strcmp(file, "random.cu") && kernel < count)
            return kernel;
    }
    return -1;
}

#endif
