/**
 * @file fruitless_reads.h
 * Polls of many places: everything that runs goes round and round over the same reads.
 *
 * While memory does not change, a read at the same instruction of the same places with the same values,
 * with the same values in all that decides the loops around it, is one that the warp has made before. When
 * for a long time all warps have made only such reads, none of them will ever do anything else. This is
 * looked at only after many reads without a change: first for one warp, and for all when that one repeats
 * itself.
 */
#ifndef SOFTGPU_CHECK_FRUITLESS_READS_H
#define SOFTGPU_CHECK_FRUITLESS_READS_H

#include <stdbool.h>
#include <stdint.h>

#include "execute/observer.h"

struct warp;

/** What made a read. */
struct read_by {
    const struct insn *insn;
    uint32_t mask;
};

struct fruitless_reads;
struct fruitless_reads *fruitless_reads_new(void);
void fruitless_reads_free(struct fruitless_reads *p);
/** Memory has got a new value, threads have met or left, or a block has begun. */
void fruitless_reads_changed(struct fruitless_reads *p);
enum fruitless_verdict {
    READ_NEW,      /**< as far as is known */
    READ_KNOWN,    /**< the warp has made this read before */
    READ_ENOUGH    /**< and for long nobody has made another; the count begins again */
};
/** Lanes of `w` have read; `digest` tells places and values. The look begins after `patience` reads. */
enum fruitless_verdict fruitless_reads_read(struct fruitless_reads *p, const struct warp *w, const struct read_by *by, uint64_t digest,
                                            uint64_t patience);
/** The same of lanes that look at mbarriers, each by itself: they may come by in ever new company, of which there is no end. */
enum fruitless_verdict fruitless_waits_read(struct fruitless_reads *p, const struct warp *w, const struct mem_access *a, uint64_t patience);

#endif
