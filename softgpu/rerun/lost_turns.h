/**
 * @file lost_turns.h
 * Older values that only cost a turn: the thread has looked, and comes back to where it was with everything as it was.
 *
 * A turn is what a thread does from a strong look (a load, or an atomic that changes nothing) to when it comes to the same one
 * again. If every register that may be read from there on holds what it held the first time, or what the thread has now, as then, just looked up in one
 * location (retries.h), and the thread has done nothing in between but compute, look, fence, and fail to swap, then the run is one of the program's without
 * that turn, and with it goes whatever has been read in it. So does what the thread has read where it comes, with only looks since, to a compare-and-swap of that
 * very place which expects it: that confirms it, or fails and forgets it.
 *
 * Watches launches of one kernel that calls no functions and stores nothing in local memory; in others nothing is ever lost.
 */
#ifndef SOFTGPU_RERUN_LOST_TURNS_H
#define SOFTGPU_RERUN_LOST_TURNS_H

#include <stdbool.h>

#include "rerun/replay.h"

struct finding;
struct lost_turns;

/** From now on each run of the launch is watched; `natural` is its grid in the run that counts. The caller releases it with
 *  lost_turns_end(). NULL: it cannot be watched. */
struct lost_turns *lost_turns_begin(const struct replay *replay, const struct grid *natural);
/** The last run is over. `t` may be NULL, here and below. */
void lost_turns_stop(struct lost_turns *t);
/** Is the finding one about such a value, was that read in the runs, and each time in a turn that was lost? After lost_turns_stop(). */
bool lost_turns_only(const void *t, const struct finding *f);
void lost_turns_end(struct lost_turns *t);

#endif
