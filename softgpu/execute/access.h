/**
 * @file access.h
 * Private to execute/: from a lane's address to the bytes behind it, with the checks a GPU makes.
 *
 * Generic addresses fall into a window of shared or local memory or are global (PTX ISA 5.1.8);
 * the lanes of one instruction may lie in different spaces.
 */
#ifndef SOFTGPU_EXECUTE_ACCESS_H
#define SOFTGPU_EXECUTE_ACCESS_H

#include <string.h>

#include "base/mix.h"
#include "execute/engine.h"

/** Where one lane's access goes. */
struct place {
    enum ptx_space space;           /**< never GENERIC */
    uint64_t address;               /**< device address, or the offset in its area */
    uint8_t *host;
    struct allocation *allocation;  /**< global and const, else NULL */
};

/** The address that lane `lane` gives, as a 64-bit number. */
static inline uint64_t lane_address(const struct warp *w, const struct insn *in, int lane)
{
    return insn_address(in, warp_reg(w, in->src[0]), lane);
}

/**
 * Finds the place of `bytes` bytes at `address` in `in->mem.space`, or faults.
 * @param write  stores and atomics: constant memory and parameters are read-only
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

/** As global_host(), after looking the address up and caching what is found. */
uint8_t *global_host_slow(struct worker *k, uint64_t address, uint64_t bytes);

static inline uint64_t read_bytes(const uint8_t *host, unsigned bytes)
{
    uint64_t v = 0;
    memcpy(&v, host, bytes);
    return v;
}

/** Value of lane `lane` of a register of `bytes` bytes (2, 4, 8), zero-extended. */
static inline uint64_t reg_read(const struct warp *w, uint32_t reg, unsigned bytes, int lane)
{
    const void *r = warp_reg(w, reg);
    switch (bytes) {
    case 1:
    case 2:
        return ((const uint16_t *)r)[lane];
    case 4:
        return ((const uint32_t *)r)[lane];
    default:
        return ((const uint64_t *)r)[lane];
    }
}

/**
 * Called after a strong load or an atomic: a loop that gets the same value from the same place again
 * waits for somebody, and burns its fuel faster. The first lane stands for all.
 */
static inline void note_poll(struct warp *w, const struct insn *in)
{
    uint32_t reg = element_target(in, 0);
    int lane = __builtin_ctz(w->mask);
    if (reg == REG_NONE)
        return;
    uint64_t address = lane_address(w, in, lane);
    uint64_t value = reg_read(w, reg, in->mem.reg_bytes, lane);
    uint64_t place = (address + in->site) * MIX_STEP;
    uint64_t key = (place ^ value) * MIX_FACTOR + in->site;
    uint64_t *last = &w->polls[place >> (64 - POLLED_BITS)];
    w->polled |= *last == key;
    *last = key;
}

static inline void reg_write(const struct warp *w, uint32_t reg, unsigned bytes, int lane,
                             uint64_t value)
{
    void *r = warp_reg(w, reg);
    switch (bytes) {
    case 1:
    case 2:
        ((uint16_t *)r)[lane] = (uint16_t)value;
        break;
    case 4:
        ((uint32_t *)r)[lane] = (uint32_t)value;
        break;
    default:
        ((uint64_t *)r)[lane] = value;
        break;
    }
}

/** Second half of a 128-bit register. */
static inline uint64_t *reg_high(const struct warp *w, uint32_t reg)
{
    return (uint64_t *)warp_reg(w, reg) + WARP_LANES;
}

/** A loaded value as the register receives it. */
static inline uint64_t extend(const struct mem_desc *d, uint64_t v)
{
    if (!d->sign_extend || d->bytes >= 8)
        return v;
    unsigned shift = 64 - 8u * d->bytes;
    return (uint64_t)((int64_t)(v << shift) >> shift);
}

/** One element into its register. A 16-byte element's high half goes to the second row. */
static inline void put_element(struct warp *w, const struct mem_desc *d, uint32_t reg, int lane,
                        const uint64_t value[2])
{
    if (reg == REG_NONE)
        return;
    if (d->bytes == 16 || d->reg_bytes == 16) {
        ((uint64_t *)warp_reg(w, reg))[lane] = value[0];
        reg_high(w, reg)[lane] = d->bytes == 16 ? value[1] : 0;
    } else {
        reg_write(w, reg, d->reg_bytes, lane, extend(d, value[0]));
    }
}

static inline void get_element(const struct warp *w, const struct mem_desc *d, uint32_t reg, int lane,
                        uint64_t value[2])
{
    value[0] = value[1] = 0;
    if (reg == REG_NONE)
        return;
    value[0] = reg_read(w, reg, d->reg_bytes, lane);
    if (d->reg_bytes == 16)
        value[1] = reg_high(w, reg)[lane];
    if (d->bytes < 8)
        value[0] &= (1ull << 8 * d->bytes) - 1;
}

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

/* load_store.c, observed.c, atomic.c */

/** Resolves all lanes into the worker's access. @return the spaces seen as bits, 0 after a fault */
uint32_t access_observe_places(struct warp *w, const struct insn *in, bool write,
                               uint8_t spaces[WARP_LANES]);
/** The running lanes whose place lies in `space`, one of those in `seen`. */
uint32_t access_lanes_of_space(const struct warp *w, uint32_t seen,
                               const uint8_t spaces[WARP_LANES], int space);
/** Handlers for every space, type and vector. */
const struct insn *load_plain(struct warp *w, const struct insn *in);
const struct insn *store_plain(struct warp *w, const struct insn *in);
const struct insn *load_observed(struct warp *w, const struct insn *in);
const struct insn *store_observed(struct warp *w, const struct insn *in);

/* counters.c */

/** Counts one request of `a`'s lanes: sectors for global memory, wavefronts for shared. */
void count_access(struct warp *w, const struct mem_access *a, bool load, bool store);

/* object_use.c, with --counters only */

/** Counts what a request does to each object of global memory. */
void count_object_use(struct warp *w, const struct mem_access *a, bool load, bool store);
/** Counts, at its end, who of a block did how much. */
void count_block(const struct block *b);

#define FOR_LANES(lane, mask)                                                                      \
    for (uint32_t left_ = (mask), lane = 0; left_ && (lane = (uint32_t)__builtin_ctz(left_), 1);   \
         left_ &= left_ - 1)

#endif
