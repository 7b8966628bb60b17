/**
 * @file sequential.h
 * What the interleavings of a litmus test leave: one statement after another, each read returning the last write.
 */
#ifndef TESTS_MODEL_SEQUENTIAL_H
#define TESTS_MODEL_SEQUENTIAL_H

#include "litmus.h"

/** As litmus_outcomes() writes them. Statements that wait (`again`) are not known here. */
void sequential_outcomes(const struct litmus *l, char *out, size_t size);

#endif
