/**
 * @file readers.h
 * Sets of accesses to one location (readers since the last write, strong writes that are not ordered
 * with each other), as interned lists: equal lists are the same list, so that a thousand words that
 * the same warps read in the same order cost one list between them (hash-consing).
 *
 * A list is a number; 0 is empty. An element stands for one lane set of one warp, or for whole warps
 * of one block, at one time. Lists are immutable: adding gives another list.
 */
#ifndef SOFTGPU_CHECK_RACE_SHADOW_READERS_H
#define SOFTGPU_CHECK_RACE_SHADOW_READERS_H

#include <stdbool.h>
#include <stdint.h>

#include "check/race/shadow/shadow_word.h"

#define WHOLE_WARPS 0xffff

struct reader {
    uint32_t rest;       /**< the list without this element */
    uint32_t agent, time, site;
    uint32_t mask;       /**< lanes of `warp`; warps where warp == WHOLE_WARPS */
    uint32_t seq;        /**< strong reads: number of the strong write that was read */
    uint16_t warp;
    uint8_t flags, unit; /**< as in struct epoch */
    uint32_t length;
};

struct readers;

struct readers *readers_new(void);
void readers_free(struct readers *rs);
const struct reader *readers_at(const struct readers *rs, uint32_t list);
/** Adds an element, merged with one of the same block, time and kind where there is one near the
 *  front. `full` is the lane mask of a full warp there. */
uint32_t readers_add(struct readers *rs, uint32_t list, struct reader element, uint32_t full);
/** True once elements had to be dropped because the store is full. */
bool readers_overflowed(const struct readers *rs);
/** Some thread of the element (all of them have the same standing in a block's own eyes). */
static inline uint32_t reader_thread(const struct reader *r)
{
    uint32_t bit = (uint32_t)__builtin_ctz(r->mask);
    return r->warp == WHOLE_WARPS ? bit * 32 : r->warp * 32u + bit;
}

#endif
