/**
 * @file retrace.h
 * Can an interleaving of the threads, in which every read returns the newest value, leave what a run with older values has left?
 */
#ifndef SOFTGPU_RERUN_RETRACE_H
#define SOFTGPU_RERUN_RETRACE_H

#include "rerun/replay.h"

/**
 * Makes the run that `replay` describes again and arranges what its threads did as an interleaving (course.h); the launch is
 * run in that order, and its memory compared. Where some older values fit into none, several arrangements without them
 * are tried: what a thread does with the newest value is not known before.
 * @param misled  memory_digest() of what that run leaves
 * @return true: an interleaving leaves it, and has just done so; false: none was found
 */
bool retrace_leaves(struct replay *replay, uint64_t misled);

#endif
