/**
 * @file read_log.h
 * Plain reads of words that differ in who reads them, written down as they come. A set (readers.h) for each such word costs a
 * hundred times as much as the read, and nobody asks for it until somebody writes there; most never are. Whoever looks at a
 * word's readers settles the log first: then it is what it would have been without one.
 */
#ifndef SOFTGPU_CHECK_RACE_SHADOW_READ_LOG_H
#define SOFTGPU_CHECK_RACE_SHADOW_READ_LOG_H

#include "check/race/shadow/readers.h"

/** Of one allocation. */
struct read_log {
    uint32_t floor;        /**< agents below it mattered to none of its reads */
    uint32_t newest;       /**< agent in it, and in the words when they came into it */
    uint32_t count, room;
    struct reader *at;     /**< `rest`: the number of the word */
};

/** Does a word of `s` that is logged (WORD_LOGGED) stay so for a read whose launch has this floor? Else the log is settled. */
bool read_log_goes_on(struct shadow *s, uint32_t floor, struct readers *rs);
/** Adds a read of word `number`, which has no `sync`, is not split, and whose readers are neither one nor form a group with
 *  this one. @return false: it cannot be logged */
bool read_log_add(struct shadow *s, uint64_t number, struct shadow_word *c, struct reader element, uint32_t floor,
                  struct readers *rs);
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
