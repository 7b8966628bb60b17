/**
 * @file stamps.h
 * The common case of plain words in shared memory, as plain_words.h has it: everything in sight plainly ordered. Then twelve bytes say
 * of a word who wrote it last and who has read it since: numbers of accesses by a warp, in the order of their times, so that what lies before the
 * block's last barrier is told by one comparison, sixteen words at once. An access that reads words together takes over from its words'
 * stamps which warps have read them so, so that its number tells of all. Of other words that several threads read between two barriers, as a stencil's neighbours do, the
 * last reader's access keeps what the stamp was before, and so on back: nobody asks who they were until somebody writes there. Atomics that go on with their word's, of which no thread hears, have numbers, too: the
 * last one's stands for all (chained_atomics.h), but for the first since the barrier, which is kept where readers are. So have strong accesses (`volatile`) of words that nobody else has written since the
 * barrier: what they would pass on waits until somebody else comes. Accesses to rows of words that since the barrier nobody else has come to
 * are put down with what they went through alone (check/rows); their stamps are written when somebody wants to look at any (stamps_write()). Whatever looks closer opens a word: from then on its shadow word
 * tells of it, beginning with what the stamps said, up to a barrier of the whole block behind which a stamp can say as much.
 */
#ifndef SOFTGPU_CHECK_RACE_STAMPS_H
#define SOFTGPU_CHECK_RACE_STAMPS_H

#include "check/race/race.h"

struct plain_access;

/** A warp's access to words at one time: a lane each, or read by several. */
struct stamped {
    uint32_t time, site;
    uint32_t warps;                /**< together: all that have read the words so, this one included */
    uint32_t earlier;              /**< its number in stamps.earlier: some of its words had been read by others; 0: none */
    uint16_t warp;
    uint8_t together;              /**< enum plain_shape: _PAIRS, _HALVES, _ONE; else 0 */
    uint8_t strong;                /**< epoch flags of an atomic, or of a strong access; else 0 */
    bool copied;                   /**< by cp.async: `time` is the block's copies' (copied_words.h) */
    bool wide;                     /**< each lane's word is half of an element of eight bytes */
    uint8_t unwritten;             /**< enum unwritten: the stamps of these lanes of a row are not written yet; */
    union {
        int32_t row;               /**< … where it begins, in words (lane 0's, whether it runs or not), */
        uint32_t warp_uniform;     /**< a strong store: its warp's then */
    };
    uint32_t lanes;                /**< … and which lanes */
};

enum unwritten {
    UNWRITTEN_NOT,
    UNWRITTEN_LOAD,
    UNWRITTEN_STORE
};

#define STAMP_LANES 5              /* a stamp: which access, and in its low bits which lane */
#define STAMP_OPENED UINT32_MAX    /* the shadow word tells */

/** What the stamps of a read's words were before it, by lane; 0: nothing that is not ordered before it. */
struct earlier_reads {
    uint32_t stamp[WARP_LANES];
};

/** Of a word that several strong stores since `before` have written, each ordered behind the one before: the writes before stamps.past, as that; the last first. */
struct strong_pasts {
    uint8_t count, was_read;       /**< was_read: bit 0 of stamps.past, then of these: by strong reads, while it was the last */
    uint32_t stamp[MAX_PAST], value[MAX_PAST];
};

struct stamps {
    uint32_t *write, *read;        /**< a stamp each word; 0: nobody. Before and behind the words is room for a row each. `read` may be an atomic's, and older than
                                        `write`: whoever comes plainly after the write comes plainly after that */
    uint32_t *old;                 /**< what it held before the last write's time */
    uint32_t *past, *value;        /**< where a strong store since `before` is the last write: the stamp of the one before it, whose value `old` is; and what it stores */
    struct strong_pasts *pasts;    /**< a word each; NULL: none has been written twice so */
    LIST(struct stamped) accesses; /**< [0] is nobody's */
    LIST(struct earlier_reads) earlier; /**< of accesses since `before`; [0] is nobody's */
    int room;                      /**< so many of them before they are thinned out; */
    uint32_t full;                 /**< … `before` when that has left too many: no more of them until the next barrier */
    uint32_t before;               /**< stamps below it: up to the time `uniform`, which is the block's last full barrier's */
    uint32_t uniform;
    LIST(uint32_t) opened;         /**< words that stamps_settle() looks at */
    bool stays_open;               /**< it has left one open */
    uint32_t copies;               /**< the agent of the block's cp.async; 0: none of its words has been here */
    int written;                   /**< accesses below it have their stamps written */
    bool unwritten;                /**< of some behind it they are not */
    uint32_t looked;               /**< `before` when somebody looked at a stamp last: until the next barrier all are written at once */
    uint32_t touching;             /**< `before` when `touched` was begun last: */
    uint8_t *touched;              /**< … a bit for each word that accesses without stamps have come to since; behind TOUCHED_BEFORE bytes of room */
};

#define TOUCHED_BEFORE 8           /* rows of which lanes are missing begin before the words */
#define TOUCHED_BEHIND 16          /* … and end behind them */

/** Room for what is remembered of the block's shared memory; and no more. */
void stamps_begin(struct block_state *bs);
void stamps_end(struct block_state *bs);
/** What a block has left to the next is not needed. */
void stamps_free(struct stamps *st);

/** A barrier of the whole block has come: stamps tell again of opened words of which nothing is known but a plain write before it, or a copy that has
 *  been waited for. Their readers came before it, too. */
void stamps_settle(struct block_state *bs);

/** Somebody is about to look at the stamps: writes those that are not written yet. */
void stamps_write(struct stamps *st);

/** Nothing is known of words since the barrier: from now on `touched` says so. */
void stamps_begin_touching(struct block_state *bs);

/** Gives the accesses to which stamps refer the first numbers, in their order. */
void stamps_renumber(struct block_state *bs);

/** Room for what a read's words were read by before. @return its number, which the access has now; 0: there are too many, look
 *  closer. What is kept of others may have new numbers */
uint32_t stamps_keep_earlier(struct stamps *st, uint32_t number);

/** See shared_word(). */
struct shadow_word *stamps_open(struct block_state *bs, uint64_t word);

/** The shadow word of a word of the block's shared memory. */
static inline struct shadow_word *shared_word(struct block_state *bs, uint64_t word)
{
    if (bs->stamps && bs->stamps->write[word] != STAMP_OPENED)
        return stamps_open(bs, word);
    return &bs->shared[word];
}

/** Takes all lanes of the access, a load or a store of shared memory, where one look at each of their stamps does, by vectors. @return false: look
 *  closer, as follows; nothing has changed then */
bool stamps_take_load(struct race *race, const struct warp *w, const struct plain_access *p);
bool stamps_take_store(struct race *race, const struct warp *w, const struct plain_access *p);

/** Has an atomic made the stamp? */
static inline bool is_of_atomic(const struct stamped *s)
{
    return s->strong & EPOCH_RMW;
}

/** Takes what lanes of an atomic in shared memory it can. @return the others: look closer */
uint32_t stamps_atomic(struct race *race, const struct warp *w, const struct plain_access *p);

/** Words that a lane loads or stores, of vectors and of elements of eight bytes. */
static inline uint32_t words_a_lane(const struct mem_desc *d)
{
    return (uint32_t)(d->count * d->bytes) / 4;
}

/** Takes what lanes of the access, a load of several words a lane in shared memory, it can. @return the lanes that are left: look closer, at
 *  each of their words */
uint32_t stamps_load_words(const struct actor *me, const struct mem_access *a);
/** Takes the access, a store of several words a lane in shared memory, lane by lane as far as it can. @return the lanes that
 *  are left */
uint32_t stamps_store_words(const struct actor *me, const struct mem_access *a);
/** The same of strong accesses of a word a lane, by threads that pass nothing on but that they were here. */
uint32_t stamps_load_strong(const struct actor *me, const struct mem_access *a);
uint32_t stamps_store_strong(const struct actor *me, const struct mem_access *a);

/** Takes what lanes of an access to shared memory it can. @return the others: look closer, at each word's shadow word */
uint32_t stamps_load(const struct actor *me, const struct plain_access *p);
uint32_t stamps_store(const struct actor *me, const struct plain_access *p);
/** The same of a load whose lanes read words together, as plain_join() has it. @return false: look closer; nothing has changed then */
bool stamps_join(const struct actor *me, const struct plain_access *p);

#endif
