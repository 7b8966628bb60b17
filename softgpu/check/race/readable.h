/**
 * @file readable.h
 * For the debugger: what a read may return at this point of the run, who wrote it, and what order is missing where
 * an older value is among it. Asked of a read that is about to be made; remembers nothing.
 */
#ifndef SOFTGPU_CHECK_RACE_READABLE_H
#define SOFTGPU_CHECK_RACE_READABLE_H

#include <stdbool.h>
#include <stdint.h>

struct mem_access;
struct race;
struct warp;

#define READABLE_MOST 2

/** One value that the model allows. */
struct readable {
    uint64_t value;
    bool written;             /**< in this launch, by the thread below; else before it, or by several */
    uint64_t block;
    uint32_t thread, site;
};

/** Why an older value is allowed. */
enum readable_cause { READ_ORDERED, READ_NO_ACQUIRE, READ_NO_RELEASE, READ_UNORDERED };

/** Fills in the newest value, then the older one that the read may return besides, if there is one. `*cause` tells what
 *  orders the newest write before the read, or does not; `*via` and `*signal`: the sites of the read that saw the
 *  writer's signal, or behind which an acquire is missing, and of the signal, 0 if none. @return how many values */
int race_readable(struct race *race, const struct warp *w, const struct mem_access *a, int lane, struct readable *out,
                  enum readable_cause *cause, uint32_t *via, uint32_t *signal);

#endif
