/**
 * @file launches.h
 * Launches among each other: which come before which. Kernels that launch kernels: what the launching thread knows, and has done
 * so far, comes before all that the new grid does (CUDA C++ Programming Guide, dynamic parallelism, "Coherence and Consistency");
 * what it does from then on does not.
 */
#ifndef SOFTGPU_CHECK_RACE_LAUNCHES_H
#define SOFTGPU_CHECK_RACE_LAUNCHES_H

#include "check/race/race.h"

/** The first agent whose launch is not ordered before `mine`, which is to run `g`; everything below can be forgotten for its
 *  purposes. Earlier runs of the same launch never happened. */
uint32_t launches_floor(struct race *race, const struct launch *mine, const struct grid *g);
/** Of so many launches, from the first on, it is known that all are among those operations; more may be. */
int launches_known(const struct race *race, const struct op_set *before);
/** The first agent that something still to begin, or the host, may not come after; everything below can be forgotten for good. `mine` begins. */
uint32_t launches_settled(struct race *race, const struct launch *mine);
/** Puts the order of fences so far aside where all of it lies before the launch anyway, so that its fences do not carry that of
 *  the whole program along; takes it up again where some does not. */
void launches_part_fences(struct race *race, const struct launch *launch);
/** What is told, or dropped, at the end of a launch's run. */
void launches_grid_end(struct race *race, struct launch *launch);
void launches_free(struct race *race);

/* Hooks of struct observer. */
void *race_launches(void *self, const struct warp *w, int lane);
void race_launch_after(void *self, void **kept, void *earlier);
void race_launch_forgotten(void *self, void *kept);

#endif
