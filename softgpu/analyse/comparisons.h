/**
 * @file comparisons.h
 * Comparisons that give one predicate and nothing else, in all lanes.
 */
#ifndef SOFTGPU_ANALYSE_COMPARISONS_H
#define SOFTGPU_ANALYSE_COMPARISONS_H

#include "code/image.h"

/** Of two numbers, whether they are the same, or whether they are not. */
bool compares_for_equality(const struct insn *in);
/** Of two whole numbers, whether the one is less, or whether it is not. */
bool compares_for_order(const struct insn *in);

#endif
