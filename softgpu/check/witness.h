/**
 * @file witness.h
 * The interleaving of a finding: a second run of the same schedule, in which the two threads of each
 * new finding are watched and what they do is written down.
 *
 * A schedule replays from its seed, so nothing needs to be recorded while nothing is wrong.
 */
#ifndef SOFTGPU_CHECK_WITNESS_H
#define SOFTGPU_CHECK_WITNESS_H

#include <stdbool.h>
#include <stdint.h>

struct machine;
struct witness;

/** Begins to watch the findings that launch `op` has made since this was last called.
 *  @return NULL if there are none */
struct witness *witness_begin(struct machine *m, uint64_t op);
/** Whether one of them is an `ordering` finding whose read returned an older value. */
bool witness_doubts_order(const struct witness *w);
/** After the run: adds the interleavings to the findings. */
void witness_tell(struct witness *w);
/** `changed`: without the older values of the `ordering` findings the launch left other results. */
void witness_end(struct witness *w, bool changed);

#endif
