/**
 * @file older.h
 * What the race checker knows about a read before it is made: may it return an older write than the
 * newest one? The checker answers; whether the read does is the chooser's to decide (rerun/adversary.c).
 */
#ifndef SOFTGPU_CHECK_RACE_OLDER_H
#define SOFTGPU_CHECK_RACE_OLDER_H

#include <stdbool.h>
#include <stdint.h>

struct mem_access;
struct plain_access;
struct race;
struct warp;

struct older {
    uint64_t value;       /**< of the older write; may be the same as the newest */
    bool strong;          /**< strong accesses on both sides: no race */
    bool relied_on;       /**< and the reader has seen a later signal of the newest write's thread, so
                               that the program relies on an order which nothing gives */
    bool short_fence;     /**< it comes behind a fence of the reader's that orders itself with none of other blocks; or it could not be read if each fence
                               did, as fence.sc of scope gpu. Not where the thread only looks again */
};

/** Of some lanes of an access, those for which race_older() may say yes: a quick look. */
uint32_t race_unsettled(struct race *race, const struct warp *w, const struct mem_access *a, uint32_t lanes);
/** The same of a plain load: is there none among its lanes? Nothing is opened for that. */
bool race_plain_settled(struct race *race, const struct warp *w, const struct plain_access *p);
/** Does the memory model let one lane's element of a load return an older write? Asked before the load's
 *  hook; forgets nothing and remembers nothing. @return false: only the newest */
bool race_older(struct race *race, const struct warp *w, const struct mem_access *a, int lane,
                int element, struct older *out);

/** May a read-modify-write read an older value, or come before writes that have been made, and that matter? Not where the launch, alone, uses nothing that
 *  its atomics read. */
bool race_atomics_matter(const struct race *race);

/** Has some read of launch `op` relied on an order that does not exist, but nothing hung on that? Nobody is told. What the launch
 *  does otherwise may hang on its schedule, as if it were told. */
bool race_passed_over(const struct race *race, uint64_t op);
/** From now on: is an older value shown wherever an order is relied on? Only then is it asked what weaker fences (run_order_weaker_fence()) would order. */
void race_shows_relied_on(struct race *race, bool shows);

#endif
