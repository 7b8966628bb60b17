/**
 * @file case.h
 * What a part of a lab runs: its cases, how results are compared, what a run may use (docs/lab_yaml.md).
 */
#ifndef GRADER_SPEC_CASE_H
#define GRADER_SPEC_CASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum spec_rule { RULE_NONE, RULE_EXACT, RULE_PERMUTATION, RULE_TOLERANCE };
/** Whose runs are made under softgpu --exhaustive. */
enum spec_exhaustive { SPEC_NONE, SPEC_REFERENCE, SPEC_BOTH };
enum spec_visibility { SPEC_VISIBLE, SPEC_HIDDEN };

struct spec_param {
    char *name;
    int64_t value;
};

struct spec_array_rule {
    char *name;
    enum spec_rule rule;
    double absolute, relative;
};

struct spec_compare {
    enum spec_rule rule;
    double absolute, relative;
    struct spec_array_rule *arrays;
    unsigned arrays_count;
};

struct spec_limits {
    unsigned seconds;
    unsigned bytes;  /**< MiB */
    unsigned output; /**< KiB */
    unsigned result; /**< KiB */
    uint64_t steps;
};

struct spec_case {
    char *name, *title;
    int points;
    enum spec_visibility visibility;
    struct spec_param *params; /**< filled from the document: libcyaml has no free-key mappings */
    unsigned params_count;
    char *distribution; /**< NULL: not passed */
    char *counts_with;  /**< the case without which this one's points do not count; NULL: none */
    char *after;        /**< the case that has to pass before this one is tried; NULL: none */
    char *places;       /**< the student says which lines of the lab's original.cu are found: the name of
                             this answer. The original runs, not the student's code; NULL: as usual */
    unsigned seeds, schedules;
    enum spec_exhaustive exhaustive;
    struct spec_compare *compare; /**< NULL: the lab's */
    struct spec_limits *limits;   /**< NULL: the lab's */
    size_t line, params_line, distribution_line; /**< where they stand in the file; 0: nowhere */
};

struct spec_part {
    char *id, *title;
    char **needs;
    unsigned needs_count;
    char **calls; /**< the functions or kernels that the harness calls in its cases; none: not said */
    unsigned calls_count;
    struct spec_case *cases;
    unsigned cases_count;
};

#endif
