/**
 * @file buffered.h
 * Of an execution that the model allows: do buffers of writes explain it?
 */
#ifndef TESTS_MODEL_BUFFERED_H
#define TESTS_MODEL_BUFFERED_H

#include "model/candidate.h"

/**
 * Is there an order of all accesses in which each read returns the last write, or its own thread's latest one that is still to come, and that leaves
 * `final`? It keeps program order, but for a write before what follows it elsewhere: a read comes after it only across a fence.sc, a write only across
 * a fence, or if that releases. The two halves of a read-modify-write are one. A fence, or a release, whose scope has no other thread in it is none.
 * A barrier is passed when all that stands before it has reached memory.
 */
bool execution_is_buffered(const struct execution *x, const uint64_t *final);

#endif
