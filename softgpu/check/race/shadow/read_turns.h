/**
 * @file read_turns.h
 * What a loop reads: the same lanes of one warp, at one time and by one instruction, each time all of them as far behind where they were the time
 * before. Such reads are one entry of read_ranges.h, however they lie beside each other. Nothing is kept of a read until it has been made twice.
 */
#ifndef SOFTGPU_CHECK_RACE_SHADOW_READ_TURNS_H
#define SOFTGPU_CHECK_RACE_SHADOW_READ_TURNS_H

#include <stdbool.h>
#include <stdint.h>

struct range_read;
struct read_ranges;

#define READ_LANES 32
#define TURNS_OPEN 16        /* instructions of a loop */
#define READ_FORMS_MOST 1024u

/** How the lanes of reads lie: each so many bytes behind the first of them, modulo 2^32; of lanes that take no part: 0. */
struct read_form {
    uint32_t mask, behind[READ_LANES];
};

/** The latest read by an instruction. */
struct open_turns {
    uint32_t agent, time, site, mask;
    uint16_t warp;
    uint8_t flags, size;       /**< log2_bytes and log2_elements */
    uint8_t shape;             /**< enum plain_shape, by which fewer lanes need to be looked at */
    uint32_t form;             /**< in read_turns' `form` */
    uint32_t count;            /**< of the entry; 0: the read at `at` is remembered elsewhere */
    uint32_t moved, apart;     /**< the lanes are so many bytes behind `at` now; from one time to the next */
    uint32_t at[READ_LANES];   /**< the first time, in the allocation, in bytes */
};

struct read_turns {
    uint32_t pending;          /**< `open` that have an entry to come */
    uint32_t forms;
    struct read_form *form;    /**< room for READ_FORMS_MOST */
    uint16_t *slot;            /**< 1 + the number of a form; twice as many */
    struct open_turns open[TURNS_OPEN];
};

/** A weak read of memory that nobody from the ranges' floor on has written to: `read` says who, and of what size; `at` where each lane is.
 *  `shape`: enum plain_shape, PLAIN_ANY where it is not known. @return true: it is remembered, or is so already; false: it is the caller's */
bool read_turns_add(struct read_ranges *r, const struct range_read *read, const uint32_t at[READ_LANES], unsigned shape);
/** An entry for each that is to come. */
void read_turns_close(struct read_ranges *r);
/** Those that are to come, as entries, into room for TURNS_OPEN. @return how many */
uint32_t read_turns_pending(const struct read_ranges *r, struct range_read *to);
/** Forgets all. */
void read_turns_empty(struct read_ranges *r);

#endif
