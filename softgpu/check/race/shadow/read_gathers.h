/**
 * @file read_gathers.h
 * What read_ranges.h keeps of reads whose lanes lie anyhow: one entry an access, one behind the other, with the place of each lane.
 * Nothing is looked up, and a read takes some five bytes, where a set (readers.h) of those who read a word takes hundreds. An entry
 * is never taken in by another, so that an allocation has only so many; the words themselves are to remember what comes then.
 */
#ifndef SOFTGPU_CHECK_RACE_SHADOW_READ_GATHERS_H
#define SOFTGPU_CHECK_RACE_SHADOW_READ_GATHERS_H

#include <stdbool.h>
#include <stdint.h>

/** A weak read by lanes of a warp, all at one time. */
struct gather_read {
    uint32_t agent, time, site;
    uint32_t mask;                        /**< lanes */
    uint32_t uniform;                     /**< what the block's threads did up to that time is ordered before it */
    uint16_t warp;
    uint8_t flags;                        /**< as in struct epoch */
    uint8_t log2_bytes : 3, log2_elements : 2;  /**< of an element; of how many there are a lane */
};

struct read_gathers {
    uint32_t newest;       /**< agent in it */
    uint64_t lanes;        /**< of all entries */
    uint64_t past;         /**< words of `at` up to which a later read of a place may take an earlier one's; each is ordered behind those before it, or by its launch */
    uint64_t count, room;  /**< in words of 4 bytes: each entry, then as many offsets in the allocation, in bytes, as it has lanes */
    uint32_t *at;
};

/** Is there room for one more, of an allocation of so many bytes? Else some is made where that can be done. */
bool read_gathers_room(struct read_gathers *g, uint64_t bytes);
/** Whoever reads from here on comes after all that have read so far. */
void read_gathers_pass(struct read_gathers *g);
/** Appends a read; `offset` holds that of each of its lanes. */
void read_gathers_add(struct read_gathers *g, const struct gather_read *read, const uint32_t offset[]);
/** Shows to `fn` what is to be remembered of each place: of a block's reads those that no later one of the block is ordered behind, of a
 *  thread's the last. Forgets all. */
void read_gathers_take(struct read_gathers *g, void (*fn)(void *self, const struct gather_read *read, uint32_t lane, uint32_t offset), void *self);
/** Is one of the reads by an agent for which `is` holds? */
bool read_gathers_any(const struct read_gathers *g, bool (*is)(const void *self, uint32_t agent), const void *self);
/** Forgets all. */
void read_gathers_empty(struct read_gathers *g);

#endif
