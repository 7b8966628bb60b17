/**
 * @file same_finding.h
 * Private to report/: which findings are one, which are doubts.
 */
#ifndef SOFTGPU_REPORT_SAME_FINDING_H
#define SOFTGPU_REPORT_SAME_FINDING_H

#include "report/finding.h"

bool same_kernel(const struct finding *a, const struct finding *b);
/** The same pair of lines in either order is the same finding; but that a thread has acted late, or that a write may land on a
 *  later one, is none of the doubts about an order that may come to nothing. */
bool same_finding(const struct finding *a, const struct finding *b);
/** The very same accesses. */
bool same_trail(const struct finding_trail *a, const struct finding_trail *b);
/** Of the same finding: a race between blocks of one launch where the first was within a block. What a block does by itself mends that one
 *  only. */
bool finding_is_wider(const struct finding *f, const struct finding *first);
/** A warning about an order, of those. */
bool finding_is_one_of(const struct finding *f, enum doubts which);
/** A warning, of this cause, that launch `op` relies on an order which does not exist. */
bool finding_is_doubt(const struct finding *f, uint64_t op, enum finding_cause cause);

#endif
