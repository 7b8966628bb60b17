/**
 * @file execution_events.h
 * An execution of the model, told in the program's own words.
 */
#ifndef SOFTGPU_RERUN_EXPLORE_EXECUTION_EVENTS_H
#define SOFTGPU_RERUN_EXPLORE_EXECUTION_EVENTS_H

#include <jansson.h>

#include "rerun/explore/lone.h"

/**
 * The events in the order of the search, which is one in which they may have happened where no read sees a later
 * write: `{op, order, line, file, block, thread, object, offset, value, from, passes}`; `from` is the index of the write that a read
 * takes its value from, -1 for what memory held before; a barrier is one event where a
 * thread arrives, and one that `passes` where it goes on.
 * @param threads  the launch's thread of each thread of the model
 * @return a new JSON array
 */
json_t *execution_events(const struct lone *l, const uint64_t *threads, const struct execution *x);
/** "load", "store", "atomic", "fence", "barrier" or "exchange" (of a warp's lanes). */
const char *execution_event_name(const struct model_event *e);
/** "acquire.gpu"; "" for weak accesses and barriers. */
void execution_event_order(const struct model_event *e, char *out, size_t size);

#endif
