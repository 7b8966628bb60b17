/**
 * @file statistics.h
 * The median of some measurements, and how sure it is.
 */
#ifndef GRADER_GPU_STATISTICS_H
#define GRADER_GPU_STATISTICS_H

struct estimate {
    double median, low, high; /**< of an interval that holds the true median 19 times in 20 */
};

/** Fewer measurements than these give no such interval: low and high are then 0 and infinite. */
#define STATISTICS_LEAST 6

/**
 * Estimates a median. The interval's ends are two of the measurements themselves (order statistics:
 * Conover, "Practical Nonparametric Statistics", 3.2), so nothing is assumed of how they spread.
 * @param values  sorted in place
 */
struct estimate statistics_median(double *values, int count);

#endif
