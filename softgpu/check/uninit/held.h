/**
 * @file held.h
 * Findings of a launch to whose memory others of its time may still write.
 *
 * A launch finds memory empty that an operation of another stream is to write, and nothing lets it wait for that. Which of the two came
 * first was luck, and that they are unordered is the finding (check/race/host.c), not that nothing has written there. So findings of
 * a launch that something may be unordered with are held until all that may be has run.
 */
#ifndef SOFTGPU_CHECK_UNINIT_HELD_H
#define SOFTGPU_CHECK_UNINIT_HELD_H

#include <stdint.h>

struct grid;
struct host_op;
struct mem_access;
struct pending;
struct uninit;
struct warp;

/** A load of lane `lane` has found nothing in `bytes` bytes of device memory. */
void held_note(struct uninit *u, const struct warp *w, const struct mem_access *a, int lane);
/** Tells a finding of a launch that has ended, or keeps it until what may have been to write there has run. */
void held_tell(struct uninit *u, const struct grid *g, struct pending *p);
/** Operations below `settled` come before all that is still to begin: tells what is held of them. */
void held_settle(struct uninit *u, uint64_t settled);
/** An operation writes: findings of launches that it is unordered with are none there, but its race's. */
void held_written(struct uninit *u, const struct host_op *op);
/** Tells what is left, and frees all. */
void held_end(struct uninit *u);

#endif
