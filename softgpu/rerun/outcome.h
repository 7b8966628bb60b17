/**
 * @file outcome.h
 * Whether an older value that an `ordering` finding shows has made a result that the program has not else.
 */
#ifndef SOFTGPU_RERUN_OUTCOME_H
#define SOFTGPU_RERUN_OUTCOME_H

#include "rerun/replay.h"

/**
 * Did the last run leave something in memory that the launch leaves only where reads that it relies on for
 * order return older values? For that the launch is run several times, in the same and in other schedules, with the
 * newest values there. No, if one of these runs leaves the same; and no, if they go on to leave ever new
 * results: then one more proves nothing. Memory and the grid stay as they are.
 */
bool outcome_needs_older_values(struct replay *replay);

/** Does the same run, with the newest values, leave something else? Memory and the grid stay as they are. */
bool outcome_differs_with_newest(struct replay *replay);

#endif
