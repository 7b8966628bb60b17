/**
 * @file outcome.h
 * Whether an older value that an `ordering` finding shows has made a result that the program has not else.
 */
#ifndef SOFTGPU_RERUN_OUTCOME_H
#define SOFTGPU_RERUN_OUTCOME_H

#include "rerun/lockstep.h"
#include "rerun/replay.h"

/**
 * Did the last run leave something in memory that the launch leaves only where reads that it relies on for
 * order return older values? For that the launch is run several times, in the same and in other schedules, with the
 * newest values there. No, if one of these runs leaves the same; and no, if they go on to leave ever new
 * results: then one more proves nothing. Memory and the grid stay as they are.
 */
bool outcome_needs_older_values(struct replay *replay);

/**
 * Did the last run leave something else than runs with the newest values in which warps go in step, and do those agree, whatever
 * the order of blocks and warps? Where they do not, the program takes its result from that order anyway, as chaotic
 * iterations and union-find do. Memory and the grid stay as they are.
 * @param across_warps  warps of a block rely on each other's steps: few orders are asked
 */
bool outcome_needs_step(struct replay *replay, bool across_warps);

/**
 * Does the launch, its threads going in step (STEP_BY_COUNT or STEP_BY_PLACE), leave the same from the first to the last and the other way about, and
 * something else where a lane or a warp comes first by itself? Then its result hangs on nobody being ahead. Memory and the grid stay as they are.
 */
bool outcome_needs_turns(struct replay *replay, enum step_order order);

#endif
