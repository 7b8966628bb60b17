/**
 * @file row_atomics.h
 * Atomics that go on with their words' chains, a half warp's at once: as the counts of many blocks are added to those in global memory.
 *
 * Where each word of a row has been left by such an atomic, and nothing else is remembered there, one more of the whole row is put down once for all,
 * and told to the words when somebody asks for any of them. In a histogram nobody does.
 */
#ifndef SOFTGPU_CHECK_RACE_SHADOW_ROW_ATOMICS_H
#define SOFTGPU_CHECK_RACE_SHADOW_ROW_ATOMICS_H

#include "base/list.h"
#include "check/race/shadow/shadow_rows.h"

/** Of lanes side by side, each with one word of a row. */
struct row_atomic {
    struct contribution by;    /**< the first lane's; the thread of word i is i further */
    uint64_t moment;           /**< race->moment before the first */
    uint32_t before[ROW_WORDS];/**< what the words held */
    uint16_t unseen;           /**< words that it left as they were, a bit each */
    uint8_t flags;             /**< of the write, with EPOCH_READ if it adds to what it finds */
};

struct row_atomics {
    uint32_t last;             /**< the agent that has made the words' last writes */
    uint8_t flags;             /**< their kind: without EPOCH_READ and EPOCH_KEPT */
    LIST(struct row_atomic) of;
};

/** Keeps the write that is being replaced: a read may still return it. */
void push_past(struct shadow_word *c, uint64_t value);
/** The word's last write is an atomic, of the kind of this one, which goes on with its chain. `moment`: this one's; `before`: what it has found. */
void word_goes_on(struct shadow_word *w, const struct contribution *by, uint8_t flags, uint64_t moment, uint64_t before);

/** All words of the row have just been left by such atomics of one block: the next may be put down once for all, if nothing else is remembered there. */
void row_atomics_begin(struct shadow_row *row);
/** One more; the caller fills it in. `row->owes` is set, and its kind and its words' are the same. */
struct row_atomic *row_atomics_add(struct shadow_row *row);
/** Who asks of the row asks of nothing below agent `floor`: what its words have still to be told is forgotten, but for the last write. @return false: some is not
 *  below, and stays */
bool row_atomics_over(struct shadow_row *row, uint32_t floor);
/** shadow_row_settled() of such a row. */
void row_atomics_told(struct shadow_row *row);
/** The row is forgotten. */
void row_atomics_free(struct shadow_row *row);

#endif
