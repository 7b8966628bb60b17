/**
 * @file doubted.h
 * Reads that have returned an older value where the program relies on an order which nothing makes, one by one as they are made.
 */
#ifndef SOFTGPU_CHECK_RACE_DOUBTED_H
#define SOFTGPU_CHECK_RACE_DOUBTED_H

#include <stdint.h>

struct race;
struct warp;

/** A lane's read of `got` at an address, and the write that it has missed, by their sites. */
struct doubted_read {
    const struct warp *warp;
    int lane;
    uint32_t site, missed;
    uint64_t address, got;
    uint32_t reg;   /**< that gets it; of a vector, the first */
};
typedef void doubted_fn(void *self, const struct doubted_read *read);

/** From now on `tell` hears of each such read, however often the pair of lines has been reported. NULL: nobody does. */
void race_tell_doubts(struct race *race, doubted_fn *tell, void *self);

#endif
