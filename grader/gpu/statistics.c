/**
 * @file statistics.c
 * See statistics.h.
 *
 * Each measurement lies below the true median with probability 1/2, so how many of n do is binomial:
 * the k-th smallest is above the median with the probability that fewer than k are below it.
 */
#include "gpu/statistics.h"

#include <math.h>
#include <stdlib.h>

#define MISSED 0.025 /* on each side */

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/** The largest k for which P(fewer than k of n are below the median) is at most MISSED; 0: none. */
static int rank(int n)
{
    double term = pow(0.5, n), below = term;
    int k = 0;
    while (below <= MISSED && k < n / 2) {
        k++;
        term *= (double)(n - k + 1) / k;
        below += term;
    }
    return k;
}

struct estimate statistics_median(double *values, int count)
{
    struct estimate e = {0, 0, INFINITY};
    if (count <= 0)
        return e;
    qsort(values, (size_t)count, sizeof *values, by_value);
    e.median = (values[(count - 1) / 2] + values[count / 2]) / 2;
    int k = rank(count);
    if (k > 0) {
        e.low = values[k - 1];
        e.high = values[count - k];
    }
    return e;
}
