/**
 * @file constant_reads.h
 * Constant memory: kernels only read it, so all that can race with them is a copy that no stream orders.
 */
#ifndef SOFTGPU_CHECK_RACE_CONSTANT_READS_H
#define SOFTGPU_CHECK_RACE_CONSTANT_READS_H

#include "check/race/race.h"

/** Remembers a warp's load of constant memory; any other access passes by. */
void constants_load(struct race *race, const struct warp *w, const struct mem_access *a);
/** The reads of constant memory at byte `at` of `a` that a launch remembers, launch by launch.
 *  @param[in,out] i  where to go on; 0 at first
 *  @return one reader of the next launch that read it; one with agent 0 when there is no more */
struct epoch constants_reader(const struct race *race, const struct allocation *a, uint64_t at, int *i);
/** What launches below race->explained have read is ordered before the launch that begins; of each launch it takes as much room as constant memory, so that it is not kept any longer. */
void constants_forget(struct race *race);
void constants_free(struct race *race);

#endif
