/**
 * @file bands.h
 * From measured times to points: bands of the ratio to the reference, what noise leaves open, and
 * what is too fast to be true.
 */
#ifndef GRADER_GPU_BANDS_H
#define GRADER_GPU_BANDS_H

#include <stdbool.h>

#include "gpu/statistics.h"
#include "spec/measure.h"

enum speed_verdict {
    SPEED_JUDGED,
    SPEED_INCONCLUSIVE, /**< noise is larger than the distance to a band's end */
    SPEED_DISTURBED,    /**< the reference ran otherwise beside the student's kernel than alone */
    SPEED_BELOW_FLOOR,  /**< faster than the memory can move what must be moved */
    SPEED_REFERENCE_BELOW, /**< the reference too: the spec states too many bytes */
};

/** Times in microseconds. */
struct speed_measured {
    struct estimate ratio; /**< the student's time over the reference's of the same round */
    double student, reference,
        alone;    /**< medians; the last: the reference in a process of its own */
    double floor; /**< bytes that must move over peak bandwidth; 0: unknown */
};

struct speed_judgement {
    enum speed_verdict verdict;
    int credit;   /**< percent that is sure */
    int possible; /**< percent that a quieter machine might still show; = credit if judged */
};

struct speed_judgement speed_judge(const struct spec_performance *p,
                                   const struct speed_measured *m);

#endif
