/**
 * @file launch_start.h
 * What a launch that is run again begins with: what launches beside it have left in the shadow words, as it was before its
 * first run. Memory is put back likewise, by whoever runs it.
 */
#ifndef SOFTGPU_CHECK_RACE_LAUNCH_START_H
#define SOFTGPU_CHECK_RACE_LAUNCH_START_H

#include "check/race/race.h"

/** A run of the launch begins, alone on the machine: the first, of which the start is kept, or another. */
void launch_start(struct race *race, const struct launch *launch);
/** As words_each_set(), of what is kept. */
uint64_t launch_start_each_set(struct race *race, uint32_t (*fn)(void *self, uint32_t set), void *self);
void launch_start_forget(struct race *race);

#endif
