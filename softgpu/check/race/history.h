/**
 * @file history.h
 * For the debugger: every write of a run to memory that threads share, in the order in which they were made, and the
 * strong reads of them. The shadow words keep what judging needs, which is one older write or a few; a learner asks
 * for all.
 *
 * An event's place is its first byte, in global memory or in one block's shared memory. Events that overlap without
 * being alike are not told apart by byte: whoever asks learns that there were some.
 */
#ifndef SOFTGPU_CHECK_RACE_HISTORY_H
#define SOFTGPU_CHECK_RACE_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

#include "check/race/shadow/shadow_word.h"

struct mem_access;
struct race;
struct warp;

/** Events that are kept; at the next one all are forgotten. */
#define HISTORY_MOST (1 << 20)

struct history_event {
    uint64_t owner;           /**< 1 + the agent of the block whose shared memory it is; 0: global */
    uint64_t address;
    uint64_t value, before;   /**< of a write: what it wrote, and what it found */
    struct epoch by;
    uint32_t older;           /**< 1 + the one before it near this place */
    uint32_t read;            /**< of a read: 1 + the write that it returned, 0: one that is not kept */
    uint8_t bytes;
    bool write;
};

struct history;
struct history *history_new(void);
void history_free(struct history *h);
/** A run begins: nothing has been written yet. */
void history_forget(struct history *h);

/** From the observer's hooks of these names, behind the race checker's. */
void history_load(struct history *h, struct race *race, const struct warp *w, const struct mem_access *a);
void history_store(struct history *h, struct race *race, const struct warp *w, const struct mem_access *a);
void history_atomic(struct history *h, struct race *race, const struct warp *w, const struct mem_access *a);

/** The newest event near the lane's first element, as its number; 0: none. */
uint32_t history_newest(const struct history *h, struct race *race, const struct warp *w, const struct mem_access *a, int lane);
const struct history_event *history_at(const struct history *h, uint32_t number);
/** How an event lies to the lane's first element. */
enum history_place { HISTORY_APART, HISTORY_SAME, HISTORY_OVERLAPS };
enum history_place history_place(const struct history_event *e, struct race *race, const struct warp *w, const struct mem_access *a,
                                 int lane);
/** Have events of this run been forgotten? */
bool history_has_gaps(const struct history *h);

#endif
