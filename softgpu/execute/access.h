/**
 * @file access.h
 * Private to execute/: from a lane's address to the bytes behind it, with the checks a GPU makes.
 *
 * Generic addresses fall into a window of shared or local memory or are global (PTX ISA 5.1.8);
 * the lanes of one instruction may lie in different spaces.
 */
#ifndef SOFTGPU_EXECUTE_ACCESS_H
#define SOFTGPU_EXECUTE_ACCESS_H

#include "base/mix.h"
#include "execute/grid.h"
#include "execute/lane_values.h"
#include "execute/warp_run.h"
#include "execute/worker.h"
#include "memory/memory.h"

/** Addresses below it are null, with an index. */
#define NULL_BYTES 4096

/** Where one lane's access goes. */
struct place {
    enum ptx_space space;           /**< never GENERIC */
    uint64_t address;               /**< device address, or the offset in its area */
    uint8_t *host;
    struct allocation *allocation;  /**< global and const, else NULL */
    struct block *owner;            /**< shared: the block whose shared memory it is; else the lane's own */
};

/** May kernels of the device use the memory? */
static inline bool device_reaches(int device, const struct allocation *a)
{
    return a->reach >> device & 1;
}
/** What an access is told apart by: the state spaces, and the shared memory of each other block of the cluster. */
#define AREA_PEER SPACE_COUNT

/** By that number. */
static inline uint8_t area_of(const struct warp *w, const struct place *p)
{
    return (uint8_t)(p->owner == w->block ? (unsigned)p->space : AREA_PEER + p->owner->rank);
}

/** Where an access of the block's shared memory may begin: at `first`, or up to `span` bytes behind it. */
struct shared_room {
    uint32_t first, span;
};

/** In checked mode: within the variable that the address is made of, where that is known. @return false if there is no room for so many bytes */
static inline bool shared_room(const struct block *b, const struct insn *in, unsigned bytes, struct shared_room *out)
{
    uint32_t size = in->mem.object_bytes ? in->mem.object_bytes : b->shared_bytes;
    *out = (struct shared_room){in->mem.object_bytes ? in->object : 0, size - bytes};
    return size >= bytes && b->shared_bytes >= bytes;
}

/** The address that lane `lane` gives, as a 64-bit number. */
static inline uint64_t lane_address(const struct warp *w, const struct insn *in, int lane)
{
    return insn_address(in, warp_reg(w, in->src[0]), lane);
}

/**
 * Finds the place of `bytes` bytes at `address` in `in->mem.space`, or faults.
 * @param write  stores and atomics: parameters are read-only, and of one in constant memory a finding tells
 * @return false after a fault
 */
bool access_place(struct warp *w, const struct insn *in, int lane, uint64_t address,
                  unsigned bytes, bool write, struct place *out);

/** Host bytes of a global access through the worker's cache; NULL where the slow way must look.
 *  Cached allocations are live and writable. */
static inline uint8_t *global_host(struct worker *k, uint64_t address, uint64_t bytes)
{
    uint64_t offset = address - k->cache_base;
    if (__builtin_expect(offset < k->cache_bytes && bytes <= k->cache_bytes - offset, 1))
        return k->cache_host + offset;
    return NULL;
}

/** As global_host(), of constant memory, too, after looking the address up and caching what else is found. */
uint8_t *global_host_slow(struct worker *k, uint64_t address, uint64_t bytes);

/** What stands at an address of the space, which is no generic one, for who looks unseen: of global and constant memory and the block's shared memory. NULL: nothing is there, or
 *  it is another space. */
const uint8_t *access_peek(const struct warp *w, enum ptx_space space, uint64_t address, uint64_t bytes);

/** As global_host(), of another allocation than the last one, too; NULL also for what is never cached. */
static inline uint8_t *global_host_any(struct worker *k, uint64_t address, uint64_t bytes)
{
    uint8_t *host = global_host(k, address, bytes);
    if (__builtin_expect(!host, 0) && global_host_slow(k, address, bytes))
        host = global_host(k, address, bytes);
    return host;
}

/**
 * Called after a strong load or an atomic: a loop that gets the same value from the same place again
 * waits for somebody, and burns its fuel faster. The first lane stands for all.
 */
static inline void note_poll(struct warp *w, const struct insn *in)
{
    uint32_t reg = element_target(in, 0);
    int lane = __builtin_ctz(w->mask);
    w->look = (struct warp_look){.last = in, .at = warp_count_before(w, in)};
    if (reg == REG_NONE)
        return;
    uint64_t address = lane_address(w, in, lane);
    uint64_t value = reg_read(w, reg, in->mem.reg_bytes, lane);
    uint64_t place = (address + ((uint64_t)in->site << 48)) * MIX_STEP;
    w->polled |= polled_again(w->polls[place >> (64 - POLLED_BITS)], place, value, w->look.at);
    w->has_polled = true;
    bool again = w->awaits.address == address && w->awaits.value == value && lane_address(w, in, 31 - __builtin_clz(w->mask)) == address;
    w->awaits.times = again ? w->awaits.times + 1 : 0;
    w->awaits.address = address;
    w->awaits.value = value;
    w->awaits.bytes = in->mem.bytes;
}

/* load_store.c, observed.c, atomic.c */

/** Resolves a lane into the worker's access. @return its area as a bit, 0 after a fault */
uint32_t access_observe_lane(struct warp *w, const struct insn *in, int lane, uint64_t address, unsigned bytes, bool write,
                             uint8_t areas[WARP_LANES]);
/** Resolves all lanes into the worker's access. @return the areas seen as bits, 0 after a fault */
uint32_t access_observe_places(struct warp *w, const struct insn *in, bool write,
                               uint8_t areas[WARP_LANES]);
/** Makes the worker's access that of the running lanes in one area, the first in *left, which loses it; `seen`: all.
 *  @return false if none is left */
bool access_next_area(const struct warp *w, uint32_t *left, uint32_t seen, const uint8_t areas[WARP_LANES]);
/** One element of `in->mem` (count 1) of each lane in `mask`, at addresses that are given: checked, counted, and in
 *  checked mode chosen and observed, as the load or store `in`. What was accessed stays in the worker's access until the
 *  next. 16 bytes are two values. @return false after a fault (observed.c) */
bool access_load_at(struct warp *w, const struct insn *in, uint32_t mask, const uint64_t address[WARP_LANES],
                    uint64_t value[2][WARP_LANES]);
bool access_store_at(struct warp *w, const struct insn *in, uint32_t mask, const uint64_t address[WARP_LANES],
                     uint64_t value[2][WARP_LANES]);
/** The same for a full warp at offsets from `first`, all of it checked. */
bool access_load_within(struct warp *w, const struct insn *in, const struct place *first, const uint64_t at[WARP_LANES], uint64_t value[2][WARP_LANES]);
bool access_store_within(struct warp *w, const struct insn *in, const struct place *first, const uint64_t at[WARP_LANES], uint64_t value[2][WARP_LANES]);
/** Handlers for every space, type and vector. */
const struct insn *load_plain(struct warp *w, const struct insn *in);
const struct insn *store_plain(struct warp *w, const struct insn *in);
const struct insn *load_observed(struct warp *w, const struct insn *in);
const struct insn *store_observed(struct warp *w, const struct insn *in);
/** The same of what plain_fits(). (observed_plain.c) */
const struct insn *load_word_observed(struct warp *w, const struct insn *in);
const struct insn *store_word_observed(struct warp *w, const struct insn *in);
/** An atomic of any kind; and one that plain_fits_atomic(). (atomic.c, observed_plain.c) */
const struct insn *atomic_observed(struct warp *w, const struct insn *in);
const struct insn *atomic_word_observed(struct warp *w, const struct insn *in);
/** May others than this thread change the bytes meanwhile? `a`: NULL: of a space that is the block's or the thread's own. */
static inline bool has_rivals(const struct warp *w, const struct allocation *a)
{
    return a && (w->worker->parallel || a->mapped || a->in_file || alloc_kind_is_shared(a->kind));
}

#endif
