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
#include "spec/case.h"
#include "spec/measure.h"

enum spec_level { SPEC_LEVEL_AS_REPORTED, SPEC_LEVEL_IGNORE, SPEC_LEVEL_WARNING, SPEC_LEVEL_ERROR };
/** What a student hands in: device code that a harness launches, or host code that it calls. */
enum spec_code { SPEC_DEVICE, SPEC_HOST };

/** An entry point of kernel.cu: a kernel, or in a host-code lab a C function. */
struct spec_kernel {
    char *name, *signature;
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
/** Is this the name of a kernel or function that the lab asks for? */
bool spec_has_entry(const struct spec *s, const char *name);
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
