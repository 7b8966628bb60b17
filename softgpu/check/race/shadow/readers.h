/**
 * @file readers.h
 * Sets of accesses to one location (readers since the last write, strong writes that are not ordered
 * with each other), interned: equal sets are the same set, so that a thousand words that the same warps read
 * cost one set between them (hash-consing).
 *
 * A set is a number; 0 is empty. It is a tree over warps (a Patricia tree: its shape does not depend on the order
 * in which they came) whose leaves are lists of one warp's elements, newest first. An element stands for some
 * lanes of a warp at one time. Sets are immutable: adding gives another set; a small cache knows what was added
 * to what, since the words of an array are read alike. What nobody refers to any more is collected now and then.
 *
 * An addition is put off until somebody looks at what it makes (put_off.c), which few ever do: a number may stand for a set
 * and what is to be added to it. Only then are equal sets one number.
 *
 * What a thread's later read makes superfluous is left out (PRUNE), so that a set grows with the threads that
 * differ, not with how often they read: whoever is ordered after a later read is ordered after the earlier one.
 * Of strong reads of one write the first stays as well: whoever is ordered after it has observed that write.
 */
#ifndef SOFTGPU_CHECK_RACE_SHADOW_READERS_H
#define SOFTGPU_CHECK_RACE_SHADOW_READERS_H

#include <stdbool.h>
#include <stdint.h>

#include "check/race/shadow/shadow_word.h"

struct reader {
    uint32_t rest;       /**< the warp's elements without this one */
    uint32_t agent, time, site;
    uint32_t mask;       /**< lanes of `warp` */
    uint32_t seq;        /**< strong reads: number of the strong write that was read */
    uint16_t warp;
    uint8_t flags, unit; /**< as in struct epoch */
};

struct readers;

struct readers *readers_new(void);
void readers_free(struct readers *rs);

/** Agents below it matter to nobody any more, now or later: at first all. */
void readers_settle(struct readers *rs, uint32_t agent);
uint32_t readers_settled(const struct readers *rs);

/** How much of what a thread's newer read replaces may go. */
enum readers_prune {
    PRUNE_NONE,      /**< they are no reads, or all of them count */
    PRUNE_SAME,      /**< reads of the same write */
    PRUNE_OLDER,     /**< also reads of older writes: nobody asks who has observed those. Of plain reads, which all have `seq` 0, and where no write
                          but the last may be missed, nor is one that it does not supersede */
    PRUNE_BETWEEN    /**< also of some of them: readers_add_read() */
};
/** Adds an element, merged with one of the same warp, time and kind where there is one. */
uint32_t readers_add(struct readers *rs, uint32_t set, struct reader element, enum readers_prune prune);
/** The same of a read: of reads of older writes, those of writes up to number `upto` and from `from` on stay, about which somebody may ask. */
uint32_t readers_add_read(struct readers *rs, uint32_t set, struct reader element, uint32_t upto, uint32_t from);
/** The highest `seq` in a set, 0 if it is empty; its elements were added in that order. */
uint32_t readers_newest(struct readers *rs, uint32_t set);
/** readers_add() of these lanes of several warps of one block, `element.warp` aside; at least one. */
uint32_t readers_add_warps(struct readers *rs, uint32_t set, struct reader element, uint32_t warps, enum readers_prune prune);
/** The elements of agents from `floor` on that are not strong. */
uint32_t readers_weak(struct readers *rs, uint32_t set, uint32_t floor);
/** True once elements had to be dropped because the store is full. */
bool readers_overflowed(const struct readers *rs);

/** Is it time to collect what nobody refers to? */
bool readers_want_collection(const struct readers *rs);
/** Between these two each set that is still referred to is exchanged for its new number. */
void readers_collect_begin(struct readers *rs);
uint32_t readers_keep(struct readers *rs, uint32_t set);
/** `words`: how many places were looked at, so that the next time comes late enough. */
void readers_collect_end(struct readers *rs, uint64_t words);

#define EVERY_WARP UINT32_MAX

/** A walk through a set: warps from the highest to the lowest, the newest element of each first. */
struct readers_walk {
    const struct readers *rs;
    uint32_t floor, ceiling; /**< agents below or above are left out */
    uint32_t seq;            /**< elements that read an older write may be left out */
    uint16_t skip;           /**< elements of these kinds may be left out: readers_skip() */
    /** NULL: else elements of which this says no are left out: those of agents from `first` to `last`, or of one agent's warp, else EVERY_WARP */
    bool (*wanted)(const void *who, uint32_t first, uint32_t last, uint32_t warp);
    const void *who;
    uint32_t list;
    int depth;
    uint32_t pending[66];
};
void readers_walk(struct readers_walk *w, struct readers *rs, uint32_t set);
/** Only one warp's elements. */
void readers_walk_warp(struct readers_walk *w, struct readers *rs, uint32_t set, uint32_t agent, uint32_t warp);
/** Has the thread read the write `seq`, the location's last one, strongly? Asked so, what has been put off stays so: who polls asks at every look. */
bool readers_have_read(const struct readers *rs, uint32_t set, uint32_t agent, uint32_t thread, uint32_t seq);
/** @return NULL at the end */
const struct reader *readers_next(struct readers_walk *w);
/** From here on elements with the flags and the unit of `r` may be left out, beside those that were named before: branches that have
 *  nothing else are passed by, whatever the order in which kinds stand. */
void readers_skip(struct readers_walk *w, const struct reader *r);
/** The same of all that are not strong. */
void readers_skip_weak(struct readers_walk *w);

/** Some thread of the element. */
static inline uint32_t reader_thread(const struct reader *r)
{
    return r->warp * 32u + (uint32_t)__builtin_ctz(r->mask);
}

/** Does the element stand for this thread of its agent? */
static inline bool reader_has(const struct reader *r, uint32_t thread)
{
    return r->warp == thread / 32 && (r->mask >> thread % 32 & 1);
}

#endif
