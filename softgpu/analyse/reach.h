/**
 * @file reach.h
 * path_find() for questions that are asked again and again with the same end: which of a function's blocks lead to which
 * is found out once, and kept with its flow graph.
 */
#ifndef SOFTGPU_ANALYSE_REACH_H
#define SOFTGPU_ANALYSE_REACH_H

#include "analyse/paths.h"

struct reached;

/** What path_find() tells. `*slot` is the flow graph's for this `ends` and what `context` points to, always the same. */
enum path reach_find(const struct function *f, struct reached **slot, const struct insn *from, const struct insn *to,
                     path_end_fn ends, const void *context);

#endif
