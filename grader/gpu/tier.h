/**
 * @file tier.h
 * The second tier: on a real GPU the same cases, for their results alone, and then speed.
 *
 * softgpu judges; what a GPU shows never takes a point away. A case that comes out otherwise there is
 * noted in the record (record_case's gpu members), and every report says so. Speed is points on top.
 */
#ifndef GRADER_GPU_TIER_H
#define GRADER_GPU_TIER_H

#include "run/device.h"
#include "run/cases.h"

/**
 * Runs every case that softgpu tried, then measures what the spec's `performance` asks
 * for, into `record`. Holds BUILD/gpu.lock meanwhile: one grade on the GPU at a time.
 * @param runner  its judge and progress are replaced
 */
void gpu_tier(const struct case_runner *runner, const struct kit *k, struct record *record);

#endif
