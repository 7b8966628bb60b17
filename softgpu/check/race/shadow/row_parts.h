/**
 * @file row_parts.h
 * A row of words that lanes of a warp, or several, have read and written in parts, each lane one word beside the next lane's: stores by some lanes of a half
 * warp, and rows that half warps meet in the middle of. A few accesses, at one time each, tell of all words; where they are more, the words
 * tell for themselves (shadow_row_settled()).
 */
#ifndef SOFTGPU_CHECK_RACE_SHADOW_ROW_PARTS_H
#define SOFTGPU_CHECK_RACE_SHADOW_ROW_PARTS_H

#include "check/race/shadow/shadow_rows.h"

#define PARTS 3

/** An access of some words of a row. The epoch's thread, and what is added for word i, are modulo 2^16. */
struct row_part {
    struct epoch by;       /**< by the thread of word 0, be there one or not */
    uint16_t of;           /**< words, a bit each, that this was the last read, or write, of */
    uint16_t kept;         /**< reads: words whose last write keeps it (EPOCH_KEPT) */
    uint16_t warp;
};

struct row_parts {
    struct row_part read[PARTS], write[PARTS];
    uint16_t old;          /**< words of which shadow_row_old() is known (WORD_OLD) */
    uint16_t before_of;    /**< words whose last write is an earlier launch's, in `before` */
    bool closed;           /**< as a row of words would be (shadow_close_row()): half a warp that has read all of it was the first in its launch, and nothing else came since */
    uint32_t before_newest;/**< no agent in `before` is later */
    struct epoch *before;  /**< of ROW_WORDS; NULL: there were none */
};

/** The row, which one state tells of, is told by parts from now on. */
struct row_parts *row_parts_open(struct shadow_row *row);
/** Puts a write of an earlier launch's among those before. */
void row_parts_put_before(struct row_parts *p, struct row_part *write);
void row_parts_forget(struct shadow_row *row);
/** Have only agents below `floor` come by, of which nobody asks? Then nothing is remembered of the row any more. */
static inline bool row_parts_over(struct shadow_row *row, uint32_t floor)
{
    if (row->under >= floor)
        return false;
    row_parts_forget(row);
    return true;
}
/** Is anything told of the row by an agent for which `is` holds, of reads only if `reads`? */
bool row_parts_any(const struct row_parts *p, bool reads, bool (*is)(const void *self, uint32_t agent), const void *self);
/** shadow_row_settled() of such a row. */
void row_parts_told(struct shadow_row *row);
void row_parts_free(struct shadow_row *row);

#endif
