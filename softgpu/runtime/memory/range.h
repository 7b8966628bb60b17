/**
 * @file range.h
 * What has been said of ranges of managed memory, for who asks (cudaMemRangeGetAttribute). It changes nothing else.
 */
#ifndef SOFTGPU_RUNTIME_RANGE_H
#define SOFTGPU_RUNTIME_RANGE_H

#include "runtime/state/runtime.h"

/** The range has been checked: managed memory, in one allocation; so has the location where the advice needs one. */
void range_advise(uint64_t from, uint64_t bytes, enum cudaMemoryAdvise advice, struct cudaMemLocation where);
void range_prefetched(uint64_t from, uint64_t bytes, struct cudaMemLocation where);

#endif
