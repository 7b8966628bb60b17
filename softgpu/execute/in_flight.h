/**
 * @file in_flight.h
 * Private to execute/: bytes that asynchronous copies are bringing into shared memory. With --counters only.
 *
 * A copy is under way from where it is issued until it has been waited for: by the thread that issued it, through
 * groups or at the mbarrier that it tells. Others' waits do not count: how far threads are apart is the schedule's. Copies out
 * of shared memory are not counted.
 */
#ifndef SOFTGPU_EXECUTE_IN_FLIGHT_H
#define SOFTGPU_EXECUTE_IN_FLIGHT_H

#include <stdbool.h>
#include <stdint.h>

struct block;
struct insn;
struct warp;

/** The lane has issued a copy of so many bytes, which belongs to its next group. */
void flight_copy(struct warp *w, const struct insn *in, int lane, uint32_t bytes);
/** The lane's copies since the last commit become a group. */
void flight_commit(struct warp *w, int lane);
/** The lane waits until at most `left` of its groups are under way; COPY_WAIT_ALL: none of its copies. */
void flight_wait(struct warp *w, const struct insn *in, int lane, uint64_t left);
/** The lane's copies that are under way tell the barrier in its phase number `phase`. */
void flight_give(struct warp *w, const struct insn *in, int lane, uint32_t barrier, uint64_t phase);
/** The lane has issued a bulk copy that tells the barrier in its phase number `phase`. */
void flight_bulk(struct warp *w, const struct insn *in, int lane, uint32_t barrier, uint64_t phase, uint32_t bytes);
/** The lane has found all phases of the barrier before number `phases` complete. */
void flight_land(struct warp *w, const struct insn *in, int lane, uint32_t barrier, uint64_t phases);

/** The block has ended: bytes under way on average, for COUNT_BYTES_IN_FLIGHT. */
uint64_t flight_end(struct block *b);
/** Frees what is kept for the block, if anything. */
void flight_drop(struct block *b);

#endif
