/**
 * @file reader_group.h
 * The readers of a word as one group, in the word itself: lanes of warps of one block, which all read it by one
 * instruction between two barriers. So are most words that several threads read, and a set (readers.h) for each
 * would cost a hundred times as much. Mostly it is the same lanes of each warp, which takes no room; else a mask
 * for each warp. Or one thread each of several blocks, all the same but for the block. A group becomes a set where
 * it cannot stay one.
 */
#ifndef SOFTGPU_CHECK_RACE_SHADOW_READER_GROUP_H
#define SOFTGPU_CHECK_RACE_SHADOW_READER_GROUP_H

#include "check/race/shadow/readers.h"

/** Adds a reader. `room`: the word may take up a mask for each warp.
 *  @return false where the word's readers do not form a group with it; nothing has changed then */
bool word_group_add(struct shadow_word *c, const struct reader *e, bool room);
/** The readers as a set, if they are a group. */
void word_open_group(struct readers *rs, struct shadow_word *c);
/** Remembers a read, in a set. */
void word_remember_read(struct readers *rs, struct shadow_word *c, struct reader r, enum readers_prune prune);
/** The same, as by readers_add_read(). */
void word_remember_strong_read(struct readers *rs, struct shadow_word *c, struct reader r, uint32_t upto, uint32_t from);
/** Adds what another word, or this one before, held as its readers: one, a group without a mask for each warp, or a set, which only
 *  a word without readers takes up. `group`: of a group the lanes and warps, or the agents. */
void word_take_up(struct readers *rs, struct shadow_word *c, const struct epoch *read, uint64_t group);
/** One of a group, the one that readers_walk() would come to first. */
struct epoch word_group_newest(const struct shadow_word *c);
/** A write will make nobody of the readers, which have nothing to say any more: one of a group, or of those of this agent that are a set, stands for all. */
static inline void word_keep_one(struct shadow_word *c)
{
    if (word_has_group(c))
        c->read = word_group_newest(c);
}
void word_keep_one_of_set(struct readers *rs, struct shadow_word *c, uint32_t agent);

#endif
