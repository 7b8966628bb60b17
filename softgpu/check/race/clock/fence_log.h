/**
 * @file fence_log.h
 * The order in which fence.sc came in one run, as a log: what is known at each fence, all of it so far, is one number of the log.
 *
 * A vector clock that grows with each fence, and that each fence takes along, would be copied for each of them. Here every time that
 * a fence adds is kept with the number of the fence, and what a thread took along is looked up at its number.
 * Reference-counted: whoever holds a number holds the log.
 */
#ifndef SOFTGPU_CHECK_RACE_CLOCK_FENCE_LOG_H
#define SOFTGPU_CHECK_RACE_CLOCK_FENCE_LOG_H

#include "check/race/clock/vector_clock.h"

/** So many times at most are logged: memory of some tens of MB. */
#define FENCE_LOG_MOST (1u << 20)

struct fence_log;

/** One without fences. Later ones have higher numbers. */
struct fence_log *fence_log_new(void);
struct fence_log *fence_log_ref(struct fence_log *o);
void fence_log_drop(struct fence_log *o);
uint64_t fence_log_number(const struct fence_log *o);
/** The last fence's number, from 1 on; 0: none has been. */
uint32_t fence_log_now(const struct fence_log *o);
/** A fence that adds `known`. `before`: all that is in the log, or more. @return false: the log has no room for any more fences */
bool fence_log_add(struct fence_log *o, struct vector_clock *before, const struct vector_clock *known);
/** clock_time() and clock_has() of what fences up to `upto` have added. */
uint32_t fence_log_time(const struct fence_log *o, uint32_t upto, uint32_t agent, uint32_t thread, uint32_t *uniform);
bool fence_log_has(const struct fence_log *o, uint32_t upto, uint32_t agent);
/** The same as a vector clock, which stays the log's. */
struct vector_clock *fence_log_clock(struct fence_log *o, uint32_t upto);

#endif
