/**
 * @file shadow_rows.h
 * The shadow words (shadow_word.h) of an allocation, row by row: a row of words that are accessed alike has one state.
 */
#ifndef SOFTGPU_CHECK_RACE_SHADOW_SHADOW_ROWS_H
#define SOFTGPU_CHECK_RACE_SHADOW_SHADOW_ROWS_H

#include "check/race/shadow/shadow_word.h"
#include "memory/memory.h"

#define ROW_WORDS 16           /* half a warp's: so are the rows of most tiles */
#define CHUNK_ROWS 64
#define ROW_ASKED_MOST 8
#define ROW_BYTES (4 * ROW_WORDS)
#define CHUNK_BYTES (CHUNK_ROWS * ROW_BYTES)

/** Words that lie together. As long as they are read and written as a whole, by threads that follow one another, at one time
 *  and by one instruction, one epoch stands for all (check/race/whole_rows.h); else there is a shadow word for each. */
struct shadow_row {
    struct shadow_word *words;  /**< NULL: what follows tells of them, as it does with `under` */
    union {
        struct {
            struct epoch write, read; /**< plain; of word i: shadow_row_epoch() */
        };
        struct row_atomics *atomics;  /**< with `owes`: what the words have still to be told (row_atomics.h) */
        struct row_parts *parts;      /**< with `parted`: they tell of the words (row_parts.h) */
    };
    bool has_old;               /**< shadow_row_old() are the values before the last write's epoch */
    uint8_t owes : 1;           /**< `words` is there, and not all of it; */
    uint8_t parted : 1;         /**< `words` is NULL, and what an access of parts has left is not in it: shadow_row_settled() */
    uint8_t asked : 6;          /**< grows where that is soon, to ROW_ASKED_MOST: no more of it then */
    uint16_t old_at;            /**< where they are: so many times 16 bytes from here. Apart, for who only reads does not want them in its cache */
    uint32_t under;             /**< not 0: shadow_close_row(). `words` keeps writes by agents up to this one; what has been read since stands here, and no write.
                                     With `parted`: no agent that has come by is later */
};

/** What an epoch of a row says of word `i`. Each thread has one word, or 2, 4 or 8 side by side: their log2 is the low half of the row's `unit`. */
static inline struct epoch shadow_row_epoch(const struct epoch *of_row, unsigned i)
{
    struct epoch e = *of_row;
    e.thread = (uint16_t)(of_row->thread + (i >> (of_row->unit & 0xf)));
    e.unit = (uint8_t)((of_row->unit & 0xf0) | (4 * i & ((1u << (of_row->unit >> 4)) - 1)));
    return e;
}

/** A row that is in no chunk. Its row begins all zero but for `old_at`, ROW_ALONE. */
struct lone_row {
    struct shadow_row row;
    uint32_t old[ROW_WORDS];
};
#define ROW_ALONE (sizeof(struct shadow_row) / 16)

static inline uint32_t *shadow_row_old(const struct shadow_row *row)
{
    return (uint32_t *)((uintptr_t)row + 16u * row->old_at);
}

/** The same of row `i` of a chunk, which is not looked at. */
static inline uint8_t *shadow_chunk_old(struct shadow_row *chunk, uint64_t i)
{
    return (uint8_t *)(chunk + CHUNK_ROWS) + i * ROW_BYTES;
}

/** Shadow words of one allocation, made in chunks of rows as they are touched. */
struct shadow {
    uint64_t chunks;
    uint32_t writer;           /**< the newest agent that has written to any of them */
    struct read_log *log;      /**< read_log.h; NULL: nothing logged so far */
    struct read_ranges *ranges;/**< read_ranges.h; NULL: nothing there so far */
    struct row_reads *row_reads; /**< row_reads.h; NULL: nothing there so far */
    struct shadow_row *chunk[];
};
struct shadow *shadow_new(uint64_t bytes);
void shadow_free(struct shadow *s);
/** An allocation's, made where it has none yet. Its words are counted from the allocation's base, rounded down. */
static inline struct shadow *shadow_of(struct allocation *al)
{
    if (!al->shadow)
        al->shadow = shadow_new(al->bytes + 8);
    return al->shadow;
}
/** A chunk that is not there, with what is kept of its rows (row_reads.h); and all zero. */
struct shadow_row *shadow_add_chunk(struct shadow *s, uint64_t chunk);
struct shadow_row *shadow_make_chunk(struct shadow *s, uint64_t chunk);
/** A shadow word for each of the row's words. */
struct shadow_word *shadow_open_row(struct shadow_row *row);
/** The row's shadow words are to be one state again, for whoever reads or writes all of them next, and will ask of nothing below agent `floor`: writes
 *  from `settled` on are kept beside it. @return false: some remember more, and stay */
bool shadow_close_row(struct shadow_row *row, uint32_t floor, uint32_t settled);
/** They are all written by one that need not know what was there: nothing is kept beside it. */
void shadow_row_drop_under(struct shadow_row *row);
/** The words are told what they have still to be told. */
void shadow_row_told(struct shadow_row *row);
static inline struct shadow_row *shadow_row_settled(struct shadow_row *row)
{
    if (row->owes | row->parted)
        shadow_row_told(row);
    return row;
}
/** NULL: none of them tells of its word. */
static inline struct shadow_word *shadow_row_words(struct shadow_row *row)
{
    return shadow_row_settled(row)->under ? NULL : row->words;
}
/** Forgets everything about its words. (`old_at` stays.) */
void shadow_row_clear(struct shadow_row *row);

/** The row at byte `offset`. */
static inline struct shadow_row *shadow_row_at(struct shadow *s, uint64_t offset)
{
    struct shadow_row *chunk = s->chunk[offset / CHUNK_BYTES];
    if (!chunk)
        chunk = shadow_add_chunk(s, offset / CHUNK_BYTES);
    return &chunk[offset / ROW_BYTES % CHUNK_ROWS];
}

/** The shadow word at byte `offset`. */
static inline struct shadow_word *shadow_at(struct shadow *s, uint64_t offset)
{
    struct shadow_row *row = shadow_row_at(s, offset);
    struct shadow_word *words = shadow_row_words(row);
    return &(words ? words : shadow_open_row(row))[offset / 4 % ROW_WORDS];
}

/** The same if any of it has been touched, else NULL. */
struct shadow_word *shadow_peek(struct shadow *s, uint64_t offset);
/** Of the row, as it is. */
const struct shadow_row *shadow_peek_row(struct shadow *s, uint64_t offset);

/** `agent` has written to one of them. */
static inline void shadow_wrote(struct shadow *s, uint32_t agent)
{
    if (s->writer < agent)
        s->writer = agent;
}

/** Has nobody from agent `floor` on written to any of them? */
static inline bool shadow_is_older(const struct shadow *s, uint32_t floor)
{
    return !s || s->writer < floor;
}

/** words_each_set() of all that have been opened. */
uint64_t shadow_each_set(struct shadow *s, uint32_t floor, uint32_t (*fn)(void *self, uint32_t set), void *self);

#endif
