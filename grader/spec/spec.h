/**
 * @file spec.h
 * A lab's spec as lab.yaml gives it (docs/lab_yaml.md says what each key means).
 *
 * spec_load() returns a spec that is complete and consistent, or a trouble that names file, line
 * and key. Optional numbers that were left out are already their defaults, except in a case's
 * `limits`, where 0 means the lab's value.
 */
#ifndef GRADER_SPEC_SPEC_H
#define GRADER_SPEC_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "base/verdict.h"

enum spec_rule { RULE_NONE, RULE_EXACT, RULE_PERMUTATION, RULE_TOLERANCE };
enum spec_level { SPEC_LEVEL_AS_REPORTED, SPEC_LEVEL_IGNORE, SPEC_LEVEL_WARNING, SPEC_LEVEL_ERROR };
/** Whose runs are made under softgpu --exhaustive. */
enum spec_exhaustive { SPEC_NONE, SPEC_REFERENCE, SPEC_BOTH };
enum spec_visibility { SPEC_VISIBLE, SPEC_HIDDEN };
/** What a student hands in: device code that a harness launches, or host code that it calls. */
enum spec_code { SPEC_DEVICE, SPEC_HOST };

/** An entry point of kernel.cu: a kernel, or in a host-code lab a C function. */
struct spec_kernel {
    char *name, *signature;
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

struct spec_param {
    char *name;
    int64_t value;
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
    struct spec_case *cases;
    unsigned cases_count;
};

struct spec_property {
    char *title, *counter, *case_name;
    char *part;            /**< where its points are told; NULL: with its case's part */
    char *kernel, *object; /**< whose counter it is; both NULL: the run's */
    char *unit;            /**< what the counter counts, in the handout's words; NULL: its name */
    bool required;         /**< where it is not met the part earns nothing */
    double *max, *min; /**< NULL: no bound */
    double *at_most_reference, *at_least_reference; /**< times the reference's value; NULL: no bound */
    int points;
};

struct spec_band {
    double ratio;
    int credit;
};

struct spec_performance {
    char *title, *case_name;
    int points;
    struct spec_band *bands;
    unsigned bands_count;
    struct spec_param *params; /**< instead of the case's of the same name */
    unsigned params_count;
    char *elements;            /**< the parameter that says how many elements there are */
    double bytes_per_element;  /**< that any right kernel moves to or from memory */
    unsigned rounds;
};

struct spec_hint {
    char *finding, *case_name, *part; /**< exactly one is set */
    char **steps;
    unsigned steps_count;
};

/** Indexed by enum verdict. */
struct spec_checks {
    enum spec_level level[VERDICT_FINDING_COUNT];
};
struct spec_credit {
    int percent[VERDICT_FINDING_COUNT];
};

struct spec {
    char *title, *summary, *arch, *next;
    char *shown; /**< how messages name the file */
    char **topics;
    unsigned topics_count;
    char **needs; /**< the labs that come before this one: "lab03" */
    unsigned needs_count;
    int points;
    int devices; /**< that the harness finds */
    enum spec_code code;
    struct spec_kernel *kernels;
    unsigned kernels_count;
    struct spec_kernel *functions; /**< of a host-code lab */
    unsigned functions_count;
    struct spec_part *parts;
    unsigned parts_count;
    struct spec_compare compare;
    struct spec_checks checks;
    struct spec_credit credit;
    struct spec_property *properties;
    unsigned properties_count;
    struct spec_performance *performance;
    unsigned performance_count;
    struct spec_limits limits;
    struct spec_hint *hints;
    unsigned hints_count;
    uint64_t hash; /**< of the file's bytes */
};

/**
 * Reads and checks a spec.
 * @param path      the file
 * @param shown     how messages name it, e.g. "labs/lab03_last_block/lab.yaml"
 * @param skeleton  path of the skeleton kernel.cu that must define the kernels and functions; NULL:
 *                  not checked
 * @return the spec, released with spec_free(); NULL with `t` filled
 */
struct spec *spec_load(const char *path, const char *shown, const char *skeleton,
                       struct trouble *t);
void spec_free(struct spec *s);

/** The limits that hold for a case: its own, else the lab's. */
struct spec_limits spec_case_limits(const struct spec *s, const struct spec_case *c);
/** The value of a parameter in what a performance entry times; `found` may be NULL. */
int64_t spec_performance_param(const struct spec *s, const struct spec_performance *p,
                               const char *name, bool *found);
/** Has the lab a case about its original.cu? */
bool spec_has_places(const struct spec *s);
/** A case by name, NULL if there is none. */
const struct spec_case *spec_find_case(const struct spec *s, const char *name);
/** The rule for one array of a case's result. */
struct spec_array_rule spec_array_rule(const struct spec *s, const struct spec_case *c,
                                       const char *array);
/** The kernel that `source` does not define as a __global__ function, or NULL. Comments and
 *  strings do not count as code. */
const struct spec_kernel *spec_missing_kernel(const struct spec *s, const char *source);
/** Likewise a C function of a host-code lab: its name and a parenthesis must stand in the code. */
const struct spec_kernel *spec_missing_function(const struct spec *s, const char *source);

#endif
