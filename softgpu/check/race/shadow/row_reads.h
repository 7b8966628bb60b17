/**
 * @file row_reads.h
 * Whole warps' reads of two rows each, where a chunk of shadow rows would have nothing else to tell: most of what a launch only reads. They are kept one behind
 * the other, those that a loop makes by one step as one entry, until somebody wants the chunk (shadow_add_chunk()): its rows are then what they would have
 * been. A row that is read a second time while its reader matters wants its chunk.
 */
#ifndef SOFTGPU_CHECK_RACE_SHADOW_ROW_READS_H
#define SOFTGPU_CHECK_RACE_SHADOW_ROW_READS_H

#include "check/race/shadow/shadow_rows.h"

/** Reads by a warp at one time, as many as there are steps: of a row by its first half, of another by the second. */
struct row_read {
    uint32_t row;          /**< the first half's, the first time */
    int32_t apart;         /**< the second half's is so many rows behind it; not 0 */
    int32_t stride;        /**< so many rows from one time to the next, */
    uint32_t count;        /**< and so many times */
    uint32_t agent, time, site;
    uint16_t warp;
};

/** What is kept of a chunk's rows. */
struct rows_kept {
    uint64_t rows;         /**< a bit each: read by an agent of which `floor` holds */
    uint32_t newest;       /**< agent that has read one; 0: nothing is kept of them */
    uint32_t floor;        /**< whoever lies below it mattered to none of these */
};
_Static_assert(CHUNK_ROWS == 64, "a bit each");

#define ROW_READS_RECENT 16 /* instructions of a loop */

struct row_reads {
    struct row_read *at;
    uint32_t count, room, most;
    uint32_t recent[ROW_READS_RECENT]; /**< the latest entry by an instruction of that number, or any other */
    uint32_t wanted;       /**< chunks that have been wanted since it was empty */
    uint32_t not_for;      /**< of launches with that floor nothing is kept: they want too many chunks */
    struct rows_kept chunk[];
};

/** Keeps a read, of one time. `floor`: whoever lies below it does not matter to it. @return false: the rows are to remember it */
bool row_reads_add(struct shadow *s, const struct row_read *read, uint32_t floor);
/** The chunk has been made, all zero: gives its rows their readers. */
void row_reads_give(struct shadow *s, uint64_t chunk);
void row_reads_free(struct shadow *s);

/** Is something kept of that chunk's rows? */
static inline bool row_reads_has(const struct shadow *s, uint64_t chunk)
{
    return s->row_reads && s->row_reads->chunk[chunk].newest;
}

#endif
