/**
 * @file readable.h
 * For the debugger: what a read may return at this point of the run, who wrote it, and what order is missing where
 * an older value is among it. Asked of a read that is about to be made; remembers nothing.
 */
#ifndef SOFTGPU_CHECK_RACE_READABLE_H
#define SOFTGPU_CHECK_RACE_READABLE_H

#include <stdbool.h>
#include <stdint.h>

struct history;
struct mem_access;
struct race;
struct warp;

#define READABLE_MOST 24

/** Why the value behind a write is allowed, too. */
enum readable_cause {
    READ_ORDERED,      /**< it is not: the write is ordered before the read */
    READ_SEEN,         /**< nor here: this thread, or one that is ordered before it, has read the write already */
    READ_NO_ACQUIRE,
    READ_NO_RELEASE,
    READ_UNORDERED
};

/** One value that the model allows. */
struct readable {
    uint64_t value;
    bool written;             /**< in this launch, by the thread below; else before it, or by several */
    uint64_t block;
    uint32_t thread, site;
    /** Why an older one than this may be read, or may not; the sites of the read that saw the writer's signal, or behind
     *  which an acquire is missing, and of the signal, 0 if none. */
    enum readable_cause cause;
    uint32_t via, signal;
};

struct readables {
    int count;
    struct readable at[READABLE_MOST]; /**< the newest first, the others in the order of their writes */
    bool more;                /**< allowed than there is room for */
    bool gaps;                /**< older writes have been forgotten, or were made by accesses of another size */
};

/** All that have been written so far. A value that a later write will leave is not among them. */
void race_readable(struct race *race, const struct history *h, const struct warp *w, const struct mem_access *a, int lane,
                   struct readables *out);

#endif
