/**
 * @file read_log.h
 * Who has read a word so far, put by while the word itself holds the block that reads it now. Words that several blocks read
 * differ in who reads them; a set (readers.h) for each costs a hundred times as much as the read, and nobody asks for it until
 * somebody writes there; most never are. Whoever looks at a word's readers settles the log first: then it is what it would have
 * been without one.
 */
#ifndef SOFTGPU_CHECK_RACE_SHADOW_READ_LOG_H
#define SOFTGPU_CHECK_RACE_SHADOW_READ_LOG_H

#include "check/race/shadow/shadow_rows.h"

struct readers;

/** What a word held of its readers, once. */
struct put_by {
    uint32_t number;       /**< of the word */
    struct epoch read;     /**< one reader, a group or a set, as in struct shadow_word */
    uint64_t group;        /**< if it is a group: its lanes and warps, or its agents */
};

/** Of one allocation. */
struct read_log {
    uint32_t floor;        /**< agents below it mattered to none of its reads */
    uint32_t newest;       /**< agent in it */
    uint32_t count, room;
    bool alone;            /**< all who put something by were of launches after everything before them: of one launch, then */
    struct put_by *at;     /**< of each word the oldest first; of words that are not logged any more (WORD_LOGGED) they say nothing */
};

/** A word of `s` that is logged (WORD_LOGGED) stays so for a read whose launch has the log's floor; else the log is settled. */
void read_log_go_on(struct shadow *s, uint32_t floor, struct readers *rs);
/** Puts by the readers of word `number`, which has no `sync`, no `lanes`, and is not split; it has none then. `alone`: the launch that
 *  asks comes after all that began before it.
 *  @return false: it cannot be logged */
bool read_log_put_by(struct shadow *s, uint64_t number, struct shadow_word *c, uint32_t floor, bool alone, struct readers *rs);
/** Is it one launch's, and that one before all reads for which `floor` holds? Such a read of a word takes the place of what is logged there. */
bool read_log_is_before(const struct shadow *s, uint32_t floor);
/** Gives all words their readers; those that are all below `floor` are forgotten. */
void read_log_settle(struct shadow *s, uint32_t floor, struct readers *rs);
void read_log_free(struct read_log *log);

/** The same for one word that somebody is about to look at. */
static inline void word_settle(struct shadow *s, const struct shadow_word *c, uint32_t floor, struct readers *rs)
{
    if (c->flags & WORD_LOGGED)
        read_log_settle(s, floor, rs);
}

#endif
