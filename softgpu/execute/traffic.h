/**
 * @file traffic.h
 * Private to execute/: what requests to memory cost, for the device model's time and for the counters.
 */
#ifndef SOFTGPU_EXECUTE_TRAFFIC_H
#define SOFTGPU_EXECUTE_TRAFFIC_H
#include "analyse/flow.h"
#include "execute/grid.h"
#include "execute/observer.h"
#include "execute/worker.h"

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

/** The same of aligned elements, which lie in one sector each, at offsets from `host`. */
static inline __attribute__((always_inline)) void note_elements(struct warp *w, const uint8_t *host,
                                                                const uint64_t at[WARP_LANES], bool load)
{
    uint64_t first = (uint64_t)(uintptr_t)host, last = 0, sectors = 0;
    if (w->mask == UINT32_MAX) {
        sectors = 1;
        for (int i = 1; i < WARP_LANES; i++)
            sectors += (first + at[i]) >> SECTOR_BITS != (first + at[i - 1]) >> SECTOR_BITS;
    } else {
        for (uint32_t left = w->mask; left; left &= left - 1) {
            uint64_t here = (first + at[__builtin_ctz(left)]) >> SECTOR_BITS;
            sectors += here != last;
            last = here;
        }
    }
    w->worker->loads += load;
    w->worker->moved += sectors << SECTOR_BITS;
}

/** The same of eight lines of four lanes, `step` bytes from line to line: a line lies in one sector. */
static inline void note_lines(struct warp *w, const uint8_t *first, uint64_t step, bool load)
{
    uint64_t at = (uint64_t)(uintptr_t)first;
    unsigned sectors = 1;
    for (int i = 1; i < WARP_LANES / 4; i++, at += step)
        sectors += at >> SECTOR_BITS != (at + step) >> SECTOR_BITS;
    w->worker->loads += load;
    w->worker->moved += sectors << SECTOR_BITS;
}

/** The same for a full warp whose lanes lie one after another. */
static inline void note_consecutive(struct warp *w, const uint8_t *host, unsigned bytes, bool load)
{
    uintptr_t from = (uintptr_t)host >> SECTOR_BITS, to = ((uintptr_t)host + bytes - 1) >> SECTOR_BITS;
    w->worker->loads += load;
    w->worker->moved += (to - from + 1) << SECTOR_BITS;
}

/** Observers are told of an access: the warp's last, if that is in the kernel itself. */
static inline void note_access(struct warp *w, const struct insn *in)
{
    if (flow_holds(w->block->grid->config.kernel, in))
        w->accessed = in;
}

/** They are told of one that keeps by which name it goes to the block's dynamic shared memory. */
static inline void observe_named(const struct observer_set *set, const struct warp *w, const struct mem_access *a)
{
    if (insn_is_named(a->insn) && a->space == SPACE_SHARED && a->owner == w->block)
        OBSERVE(set, named, w, a);
}

/* counters.c */

/** Counts one request of `a`'s lanes: sectors for global memory, wavefronts for shared. */
void count_access(struct warp *w, const struct mem_access *a, bool load, bool store);

/** The same of a plain access with --counters, what note_plain() counts apart. */
void count_plain(struct warp *w, struct plain_access *p, bool load, bool store);

/* object_use.c, with --counters only */

/** Counts what a request does to each object of global memory. */
void count_object_use(struct warp *w, const struct mem_access *a, bool load, bool store);
/** Counts loads or stores of `lanes`, `bytes` in all, from or to one object. */
void count_object_lanes(struct warp *w, const struct allocation *object, uint32_t lanes, uint64_t bytes, bool load);
/** Counts, at its end, who of a block did how much. */
void count_block(struct block *b);

#endif
