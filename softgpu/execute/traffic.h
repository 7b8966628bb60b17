/**
 * @file traffic.h
 * Private to execute/: what requests to memory cost, for the device model's time and for the counters.
 */
#ifndef SOFTGPU_EXECUTE_TRAFFIC_H
#define SOFTGPU_EXECUTE_TRAFFIC_H

#include "execute/engine.h"

/* What the device model's time is made of: the same in fast and in checked mode, so by instruction,
 * and by neighbouring lanes, which is exact where lanes go through memory in order. */

#define SECTOR_BITS 5

static inline bool is_global_traffic(const struct mem_desc *d)
{
    return d->space == SPACE_GLOBAL || d->space == SPACE_GENERIC;
}

/** Notes one request of the running lanes. */
static inline void note_traffic(struct warp *w, const struct insn *in,
                                uint8_t *const host[WARP_LANES], bool load)
{
    uintptr_t last = 0, bytes = (uintptr_t)in->mem.bytes * in->mem.count;
    unsigned sectors = 0;
    if (!is_global_traffic(&in->mem))
        return;
    for (uint32_t left = w->mask; left; left &= left - 1) {
        uintptr_t from = (uintptr_t)host[__builtin_ctz(left)] >> SECTOR_BITS;
        uintptr_t to = ((uintptr_t)host[__builtin_ctz(left)] + bytes - 1) >> SECTOR_BITS;
        sectors += (unsigned)(to - from) + (from != last);
        last = to;
    }
    w->worker->loads += load;
    w->worker->moved += (uint64_t)sectors << SECTOR_BITS;
}

/** The same for a full warp whose lanes lie one after another. */
static inline void note_consecutive(struct warp *w, const uint8_t *host, unsigned bytes, bool load)
{
    uintptr_t from = (uintptr_t)host >> SECTOR_BITS, to = ((uintptr_t)host + bytes - 1) >> SECTOR_BITS;
    w->worker->loads += load;
    w->worker->moved += (to - from + 1) << SECTOR_BITS;
}

/* counters.c */

/** Counts one request of `a`'s lanes: sectors for global memory, wavefronts for shared. */
void count_access(struct warp *w, const struct mem_access *a, bool load, bool store);

/* object_use.c, with --counters only */

/** Counts what a request does to each object of global memory. */
void count_object_use(struct warp *w, const struct mem_access *a, bool load, bool store);
/** Counts, at its end, who of a block did how much. */
void count_block(const struct block *b);

#endif
