/**
 * @file fine_times.h
 * Times of single threads and warps of one agent, as a sorted array that is shared and copied on change; NULL is empty.
 */
#ifndef SOFTGPU_CHECK_RACE_CLOCK_FINE_TIMES_H
#define SOFTGPU_CHECK_RACE_CLOCK_FINE_TIMES_H

#include <stdbool.h>
#include <stdint.h>

#include "check/race/clock/lineage.h"

/** Times of single threads and warps of one agent, sorted by key. */
struct fine {
    uint32_t refs, count, cap;
    struct lineage lineage;
    struct {
        uint32_t key, time;
    } at[];
};

void fine_drop(struct fine *f);
/** 0 if it has none. */
uint32_t fine_time(const struct fine *f, uint32_t key);
/** Is there one of a key from `first` to `last`? */
bool fine_has_between(const struct fine *f, uint32_t first, uint32_t last);
/** Raises a key's time; *dst is the caller's reference. */
void fine_add(struct fine **dst, uint32_t key, uint32_t time);
/** The time up to which each of the first `threads` threads is known by its own key; 0 if one is not. */
uint32_t fine_all(const struct fine *f, uint32_t threads);
/** Leaves out what is no later; *dst is the caller's reference. */
void fine_leave_later(struct fine **dst, uint32_t time);
/** Has `big` all times of `small`, or later ones? */
bool fine_covers(struct fine *big, const struct fine *small);
/** *dst := *dst ∪ src; *dst is the caller's reference. */
void fine_join(struct fine **dst, struct fine *src);

/** Are most entries of the smaller of two arrays, which has `small`, in both? Then they are gone through side by side. */
static inline bool side_by_side(uint32_t big, uint32_t small)
{
    return small >= big / 8;
}

#endif
