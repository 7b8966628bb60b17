/**
 * @file interleaving.h
 * The interleaving of a finding: a second run of the same schedule, in which the two threads of each
 * new finding are watched and what they do is written down.
 *
 * A schedule replays from its seed, so nothing needs to be recorded while nothing is wrong.
 */
#ifndef SOFTGPU_RERUN_INTERLEAVING_H
#define SOFTGPU_RERUN_INTERLEAVING_H

#include <stdbool.h>
#include <stdint.h>

struct machine;
struct interleaving;

/** Begins to watch the findings that launch `op` has made since this was last called.
 *  @return NULL if there are none */
struct interleaving *interleaving_begin(struct machine *m, uint64_t op);
/** Whether one of them is an `ordering` finding whose read returned an older value. */
bool interleaving_doubts_order(const struct interleaving *w);
/** After the run: adds the interleavings to the findings. */
void interleaving_tell(struct interleaving *w);
/** `changed`: without the older values of the `ordering` findings the launch left other results. */
void interleaving_end(struct interleaving *w, bool changed);

#endif
