/**
 * @file polls.h
 * Polls of many places: everything that runs goes round and round over the same reads.
 *
 * While memory does not change, a read at the same instruction of the same places with the same values,
 * with the same values in all that decides the loops around it, is one that the warp has made before. When
 * for a long time all warps have made only such reads, none of them will ever do anything else. This is
 * looked at only after many reads without a change: first for one warp, and for all when that one repeats
 * itself.
 */
#ifndef SOFTGPU_CHECK_POLLS_H
#define SOFTGPU_CHECK_POLLS_H

#include <stdint.h>

struct warp;
struct mem_access;

struct polls;
struct polls *polls_new(void);
void polls_free(struct polls *p);
/** Memory has got a new value, threads have met or left, or a block has begun. */
void polls_changed(struct polls *p);
enum poll_verdict {
    POLL_NEW,      /**< as far as is known */
    POLL_KNOWN,    /**< the warp has made this read before */
    POLL_ENOUGH    /**< and for long nobody has made another; the count begins again */
};
/** `w` has read; `digest` tells places and values. The look begins after `patience` reads. */
enum poll_verdict polls_read(struct polls *p, const struct warp *w, const struct mem_access *a,
                             uint64_t digest, uint64_t patience);

#endif
