/**
 * @file met.h
 * Which executions the search has met. Private to model/.
 */
#ifndef SOFTGPU_MODEL_MET_H
#define SOFTGPU_MODEL_MET_H

#include "base/byte_set.h"
#include "model/candidate.h"

/** What an execution consists of, in one word; the order in which its events were added does not matter. `hanging`: threads that wait. */
uint64_t execution_hash(const struct execution *x, uint32_t hanging);
/** Adds an execution. @return false if it, and not one that only hashes alike, was met before */
bool execution_is_new(struct byte_set *met, const struct execution *x, uint32_t hanging);

#endif
