/**
 * @file lone_run.h
 * Private to lone.c: one run of one thread.
 */
#ifndef SOFTGPU_RERUN_EXPLORE_LONE_RUN_H
#define SOFTGPU_RERUN_EXPLORE_LONE_RUN_H

#include "rerun/explore/lone.h"

/** Runs the thread until it needs one value more than it is given, or ends; fills the node. */
void lone_run(struct lone *l, uint64_t thread, const uint64_t *values, int count, struct lone_node *n);

#endif
