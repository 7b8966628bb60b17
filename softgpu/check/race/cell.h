/**
 * @file cell.h
 * Shadow state: for each 4-byte word of memory the last write, the readers since, and one older
 * value; for words that are accessed by bytes, the same for each byte.
 *
 * Words come alone: an access of 8 bytes touches two cells. An epoch remembers where its cell lies
 * in the access it came from, so that "overlap completely" can be decided (PTX ISA 8.7.1).
 */
#ifndef SOFTGPU_CHECK_RACE_CELL_H
#define SOFTGPU_CHECK_RACE_CELL_H

#include <stdbool.h>
#include <stdint.h>

#include "check/race/message.h"

enum epoch_flags {
    EPOCH_STRONG = 1,
    EPOCH_RMW = 2,        /**< the write of an atomic */
    EPOCH_LIST = 4,       /**< readers only: `time` is a list of readers, `agent` its newest agent */
    EPOCH_NC = 8,         /**< ld.global.nc */
    EPOCH_SCOPE_SHIFT = 4 /**< enum mem_scope above it */
};

/** Who did what, when. Agent 0 = nobody. */
struct epoch {
    uint32_t agent, time, site;
    uint16_t thread;
    uint8_t flags;
    uint8_t unit;         /**< low half: offset in the access; high half: log2 of its size */
};

/** An older write of a location with strong accesses, which a read may still return. */
struct past {
    struct epoch write;
    uint64_t value;
    struct message *message;
    int upto;
    uint32_t seq;
};
#define MAX_PAST 4

/** State of a location that has been written strongly. */
struct sync {
    struct message *message;   /**< of the last write; NULL where that was weak */
    int upto;
    uint32_t seq;              /**< number of the last strong write here */
    uint32_t tips;             /**< list (readers.h) of other strong writes, unordered with the last */
    struct view *read_sc;      /**< KNOW_SC of the strong reads here */
    struct past past[MAX_PAST];
    int pasts;
};

enum cell_flags {
    CELL_SPLIT = 1,   /**< `bytes` holds four cells, one a byte; the rest is unused */
    CELL_SYNC = 2,    /**< `sync` */
    CELL_OLD = 4      /**< `old` is the value before the last write's epoch */
};

struct cell {
    struct epoch write, read;
    uint32_t old;
    uint32_t flags;
    union {
        struct cell *bytes;
        struct sync *sync;
    };
};

#define CHUNK_WORDS 1024

/** Cells of one allocation, made in chunks as they are touched. */
struct shadow {
    uint64_t chunks;
    uint32_t writer;           /**< the newest agent that has written to any of them */
    struct cell *chunk[];
};
struct shadow *shadow_new(uint64_t bytes);
void shadow_free(struct shadow *s);
struct cell *shadow_add_chunk(struct shadow *s, uint64_t chunk);

/** The cell of the word at byte `offset`. */
static inline struct cell *shadow_cell(struct shadow *s, uint64_t offset)
{
    struct cell *chunk = s->chunk[offset / (4 * CHUNK_WORDS)];
    if (!chunk)
        chunk = shadow_add_chunk(s, offset / (4 * CHUNK_WORDS));
    return &chunk[offset / 4 % CHUNK_WORDS];
}

/** The same if it has been touched, else NULL. */
static inline struct cell *shadow_peek(const struct shadow *s, uint64_t offset)
{
    struct cell *chunk = s->chunk[offset / (4 * CHUNK_WORDS)];
    return chunk ? &chunk[offset / 4 % CHUNK_WORDS] : NULL;
}

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

/** Forgets everything about a cell, and frees what hangs off it. */
void cell_clear(struct cell *c);
/** Four byte cells with the word's state. */
void cell_split(struct cell *c);
struct sync *cell_sync(struct cell *c);
void cell_drop_sync(struct cell *c);

#endif
