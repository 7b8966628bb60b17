/**
 * @file launches.h
 * Kernels that launch kernels: what the launching thread knows, and has done so far, comes before all that the new grid does
 * (CUDA C++ Programming Guide, dynamic parallelism, "Coherence and Consistency"); what it does from then on does not. Hooks of
 * struct observer.
 */
#ifndef SOFTGPU_CHECK_RACE_LAUNCHES_H
#define SOFTGPU_CHECK_RACE_LAUNCHES_H

#include "check/race/race.h"

void *race_launches(void *self, const struct warp *w, int lane);
void race_launch_after(void *self, void **kept, void *earlier);
void race_launch_forgotten(void *self, void *kept);

#endif
