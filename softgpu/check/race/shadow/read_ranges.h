/**
 * @file read_ranges.h
 * Who has read an allocation that nobody has written to since its launch began, kept beside the shadow words: a warp's whole
 * access is one entry, and the same access by one block after another is one, too. Nobody asks for the readers of such memory
 * until somebody writes there, and mostly nobody does; then the next launch forgets them, unless something that does not come after them is still to come
 * (readers_settle()). Whoever writes to the allocation, or looks at readers, and does not come after all of them, settles first: the words are then what they
 * would have been.
 */
#ifndef SOFTGPU_CHECK_RACE_SHADOW_READ_RANGES_H
#define SOFTGPU_CHECK_RACE_SHADOW_READ_RANGES_H

#include "check/race/shadow/read_gathers.h"
#include "check/race/shadow/read_turns.h"
#include "check/race/shadow/shadow_rows.h"

struct readers;

/** How the lanes of an access lie in memory. */
enum range_kind {
    RANGE_ONE,     /**< all at one place */
    RANGE_APART,   /**< each `step` behind the one before it, from the first lane on */
    RANGE_PAIRS,   /**< lanes i and i + 16 at one place, these as above; all 32 lanes */
    RANGE_FORM     /**< as the ranges' form number `step` says */
};

/** A weak read by lanes of a warp, all at one time. */
struct range_read {
    uint32_t offset;       /**< of the first lane's, in the allocation, in bytes */
    uint32_t mask;         /**< lanes */
    uint32_t step;         /**< bytes from one lane's place to the next one's, at least what a lane reads; RANGE_ONE: 0 */
    uint32_t turns;        /**< RANGE_FORM: so many times, */
    uint32_t apart;        /**< each so many bytes behind the time before, modulo 2^32 */
    uint32_t agent;        /**< the last of those that did the same: */
    uint32_t stride;       /**< so far lies each of them behind the one before it, */
    uint32_t count;        /**< and so many they are */
    uint32_t time, site;
    uint16_t warp;
    uint8_t flags;         /**< as in struct epoch */
    uint8_t kind : 2, log2_bytes : 3, log2_elements : 2;  /**< enum range_kind; of an element; of how many there are a lane */
    uint8_t copies;        /**< 1: of a block's cp.async: of two by a thread the earlier need not be complete, and both are kept */
};

struct read_ranges {
    uint32_t floor;        /**< agents below it mattered to none of its reads */
    uint32_t newest;       /**< agent in it */
    uint32_t past;         /**< agents up to it come before whoever `floor` holds for: a read by these at the same place takes theirs' place */
    uint32_t asked;        /**< read_ranges_any() since it was empty */
    uint32_t count, room;
    struct range_read *at;
    uint32_t next;         /**< the entry behind the last that was asked for: blocks that do the same go through them alike */
    struct read_gathers gathers;   /**< reads that lie anyhow */
    struct read_turns turns;       /**< of loops */
    uint32_t slots;        /**< a power of two, at least twice `room` */
    uint32_t *slot;        /**< 1 + the number of the latest entry of its place, lanes and warp; 0: none */
};

/** Remembers a read of memory that nobody from `floor` on has written to (shadow_is_older()). `read` has one agent. */
void read_ranges_add(struct shadow *s, struct range_read read, uint32_t floor, struct readers *rs);
/** Appends an entry, or has one that is there take it in. For read_turns.h. */
void read_ranges_keep(struct read_ranges *r, struct range_read read);
/** A read that a loop may make: `at` where its lanes are, `shape` as in read_turns_add(). @return false: it is still the caller's */
bool read_ranges_turn(struct shadow *s, const struct range_read *read, const uint32_t at[READ_LANES], unsigned shape, uint32_t floor, struct readers *rs);
/** The same of lanes that lie anyhow, each at its `offset`. @return false: the words are to remember it */
bool read_ranges_gather(struct shadow *s, const struct gather_read *read, const uint32_t offset[], uint64_t bytes, uint32_t floor,
                        struct readers *rs);
/** Gives the words their readers. Where all lie below `floor` they are forgotten, or stay, if others may ask for them (readers_settle()). */
void read_ranges_settle(struct shadow *s, uint32_t floor, struct readers *rs);
/** Is one of the reads that may lie between the bytes `from` and `to` by an agent for which `is` holds? True, too, where it has been asked so often of
 *  some there that the words are cheaper. */
bool read_ranges_any(const struct shadow *s, uint64_t from, uint64_t to, bool (*is)(const void *self, uint32_t agent), const void *self);
void read_ranges_free(struct read_ranges *r);

/** This and read_log_settle(), for somebody who is about to look at readers. */
void shadow_settle(struct shadow *s, uint32_t floor, struct readers *rs);

#endif
