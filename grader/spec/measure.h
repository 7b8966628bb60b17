/**
 * @file measure.h
 * What a lab measures and gives points for, beside its cases: counters of softgpu, times on a GPU (docs/lab_yaml.md).
 */
#ifndef GRADER_SPEC_MEASURE_H
#define GRADER_SPEC_MEASURE_H

#include <stdbool.h>

#include "spec/case.h"

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

#endif
