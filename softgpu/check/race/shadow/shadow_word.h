/**
 * @file shadow_word.h
 * Shadow state: for each 4-byte word of memory the last write, the readers since, and one older
 * value; for words that are accessed by bytes, the same for each byte. Rows of words that are accessed alike have one state (shadow_rows.h).
 *
 * Words come alone: an access of 8 bytes touches two shadow words. An epoch remembers where its word lies
 * in the access it came from, so that "overlap completely" can be decided (PTX ISA 8.7.1).
 */
#ifndef SOFTGPU_CHECK_RACE_SHADOW_SHADOW_WORD_H
#define SOFTGPU_CHECK_RACE_SHADOW_SHADOW_WORD_H

#include <stdbool.h>
#include <stdint.h>

#include "check/race/clock/release_chain.h"

enum epoch_flags {
    EPOCH_STRONG = 1,
    EPOCH_RMW = 2,        /**< the write of an atomic */
    EPOCH_LIST = 4,       /**< readers only: `time` is a set of readers, `agent` its highest agent,
                               from which `thread` leads down to the one that read last */
    EPOCH_READ = 4,       /**< writes only: its launch had read the word before, or it is an atomic that adds to what it finds */
    EPOCH_NC = 8,         /**< ld.global.nc */
    EPOCH_KEPT = 8,       /**< writes only: of a plain read by its agent that came before it `read` still tells, all but its agent, where that is 0 */
    EPOCH_TEXTURE = 32,   /**< with EPOCH_NC: a texture's or a surface's */
    EPOCH_SCOPE_SHIFT = 4, /**< with EPOCH_STRONG: enum mem_scope above it, 3 bits */
    EPOCH_WARPS = 128,    /**< readers only, weak: a group (reader_group.h), all at `time` by `site`; `thread` is
                               the warp that read last. The word is neither split nor has it `sync` */
    EPOCH_PASSED = 128,   /**< writes only: a copy in shared memory, behind which a barrier of the whole block has come (stamps_settle()) */
    EPOCH_BLOCKS = 16     /**< with EPOCH_WARPS: the same thread of several blocks. `agent` is the highest, `thread`
                               the thread and, above its 10 bits, how far below `agent` the one that read last is */
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
    struct release_chain *chain;
    int upto;
    uint32_t seq;
    uint64_t operand;     /**< with which it was made: of a store its value. Known while older values are shown, */
    bool has_operand;     /**< and the register still held it */
    bool was_read;        /**< perhaps: by a strong read, while it was the last */
};
#define MAX_PAST 4

/** State of a location that has been written strongly. */
struct sync {
    struct release_chain *chain;   /**< of the last write; NULL where that was weak. From here to `past` is one cache line */
    int upto;
    uint32_t seq;              /**< number of the last strong write here */
    uint64_t operand;          /**< its operand, and whether it is known, as in `past` */
    uint64_t written;          /**< race->moment of that write; 0: not known */
    uint32_t same_since;       /**< number of the strong write since which the value is what it is */
    uint32_t tips;             /**< set (readers.h) of other strong writes, unordered with the last */
    struct vector_clock *read_sc;      /**< KNOW_SC of the strong reads here, */
    struct vector_clock *read_sc_sys;  /**< KNOW_SC_SYS, */
    int pasts;
    uint8_t read_devices;              /**< and whose they are, a bit each; both with several devices only */
    bool has_operand;
    struct past past[MAX_PAST];
};

enum word_flags {
    WORD_SPLIT = 1,   /**< `bytes` holds four words, one a byte; the rest is unused */
    WORD_SYNC = 2,    /**< `sync` */
    WORD_OLD = 4,     /**< `old` is the value before the last write's epoch */
    WORD_LOGGED = 16, /**< the log of its allocation holds later reads (read_log.h) */
    WORD_BYTE = 32,   /**< one of the four of a word that is split */
    WORD_LANES = 8    /**< `lanes` is there, and what it holds counts while readers are a group; neither split
                           nor with `sync` */
};

struct shadow_word {
    struct epoch write, read;
    uint32_t old;
    uint32_t flags;
    union {
        struct shadow_word *bytes;
        struct sync *sync;
        struct { uint32_t lanes, warps; } group;  /**< EPOCH_WARPS: the same lanes of each warp */
        uint32_t *lanes;                          /**< the lanes of each warp, 32 of them */
        uint64_t agents;                          /**< EPOCH_BLOCKS: bit i stands for agent read.agent - i */
    };
};

static inline bool word_has_group(const struct shadow_word *c)
{
    return c->read.agent && (c->read.flags & EPOCH_WARPS);
}

/** For the flags of a write by `agent` that comes now: does its launch, as far as the last write and the readers still tell, know what was there? What
 *  lies before the launch has been forgotten (refresh()). And is there a read, of this agent's, that it makes nobody of? */
static inline uint8_t epochs_were_read(const struct epoch *write, const struct epoch *read, uint32_t agent)
{
    if (read->agent)
        return read->agent == agent && !read->flags ? EPOCH_READ | EPOCH_KEPT : EPOCH_READ;
    return write->agent ? write->flags & (write->agent == agent ? EPOCH_READ | EPOCH_KEPT : EPOCH_READ) : 0;
}

/** The read that came before the last write of a word, or of a row's first, and has been kept; agent 0: there is none, or what has been read since
 *  says more. */
static inline struct epoch epoch_kept(const struct epoch *write, const struct epoch *read)
{
    struct epoch e = *read;
    e.agent = !read->agent && (write->flags & EPOCH_KEPT) ? write->agent : 0;
    return e;
}

/** Calls `fn` for each set (readers.h) that the words refer to and puts what it returns in its place; readers below
 *  agent `floor` are forgotten. @return how many words were looked at */
uint64_t words_each_set(struct shadow_word *words, uint64_t count, uint32_t floor,
                        uint32_t (*fn)(void *self, uint32_t set), void *self);

/** Forgets everything about a word of memory, and frees what hangs off it. */
void word_clear(struct shadow_word *c);
/** Four shadow words of a byte each, with the whole word's state, which is not a group of readers. */
void word_split(struct shadow_word *c);
/** One word again, which remembers nothing, where none of its bytes remembers what an agent from `floor` on has done. */
void word_rejoin(struct shadow_word *c, uint32_t floor);
struct sync *word_sync(struct shadow_word *c);
void word_drop_sync(struct shadow_word *c);

#endif
