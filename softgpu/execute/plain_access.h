/**
 * @file plain_access.h
 * The common access in checked mode, in few cache lines: one weak 4-byte word a lane (a load may be `ld.global.nc`), to or from a 32-bit register, all of them
 * aligned and in one allocation, or in the block's own shared memory; or a relaxed atomic there. An observer that knows such accesses has hooks for
 * them (plain_load, plain_store, plain_atomic); the others, and whoever wants to look closer, have plain_full() make a struct mem_access of it.
 */
#ifndef SOFTGPU_EXECUTE_PLAIN_ACCESS_H
#define SOFTGPU_EXECUTE_PLAIN_ACCESS_H

#include "execute/run_events.h"

/** How the lanes of the mask go through memory. */
enum plain_shape {
    PLAIN_ANY,
    PLAIN_ROW,     /**< lane after lane, one word after another, as if all lanes were there */
    PLAIN_ROWS,    /**< the whole warp, each half so */
    PLAIN_PAIRS,   /**< the whole warp: its first half so, and the second half goes where the first does */
    PLAIN_HALVES,  /**< the whole warp: each half to one word, not the same */
    PLAIN_ONE,     /**< several lanes, all to one word */
};

/** Beyond this many bytes of an allocation accesses are no plain ones. */
#define PLAIN_BYTES (1ull << 31)

struct plain_access {
    const struct insn *insn;
    uint32_t mask;
    uint8_t space;                     /**< SPACE_GLOBAL or SPACE_SHARED */
    uint8_t shape;                     /**< enum plain_shape */
    bool full;                         /**< plain_full() has been called */
    uint8_t more;                      /**< words that each lane reads behind its first. Then all read the same, the shape is PLAIN_ONE, and value[i]
                                            is the i-th of all lanes */
    uint8_t *host;                     /**< where byte 0 of the allocation, or of the shared memory, is */
    uint64_t base;                     /**< its address: a multiple of 4; shared: 0 */
    struct allocation *allocation;     /**< global only */
    int64_t ahead;                     /**< so far from here the warp may well read soon, going through memory as it has; or other warps store, to more of a tile; 0: not known */
    /* vectors take whole cache lines of them */
    uint32_t at[WARP_LANES] __attribute__((aligned(64))); /**< each lane's byte, from there; of lanes that are not in the mask: anything */
    uint32_t value[WARP_LANES];        /**< load: read; store: to be written; atomic: written; elsewhere: anything */
    uint32_t old[WARP_LANES];          /**< atomic: what there was before; elsewhere: anything */
};

/** The first lane's place, had it been lane 0's of a row. It may have wrapped below 0. */
static inline uint32_t plain_row_at(const struct plain_access *p)
{
    unsigned first = (unsigned)__builtin_ctz(p->mask);
    return p->at[first] - 4 * first;
}

/** Of an array with a word for each of the allocation's, `p->host` itself or stamps: the place of what belongs to a row's first lane. It may
 *  lie before the array, where lanes are missing. */
static inline void *plain_row_in(const struct plain_access *p, const void *array)
{
    return (void *)((uintptr_t)array + (uint64_t)(int64_t)(int32_t)plain_row_at(p));
}

/** Do all lanes of a warp go through one row? */
static inline bool plain_is_row(const struct plain_access *p)
{
    return p->shape == PLAIN_ROW && p->mask == UINT32_MAX;
}

/** May `in`, a load or a store, ever be a plain access? */
bool plain_fits(const struct insn *in);
/** The same of one at an address of shared memory that stands in the text, as `sum[0]`; only compiled code makes a plain access of it. */
bool plain_fits_absolute(const struct insn *in);
/** The same of a load of two or four words side by side from shared memory, where all lanes read the same: that is one, with `more`. */
bool plain_fits_broadcast(const struct insn *in);
/** May `in`, an atomic, be one? */
bool plain_fits_atomic(const struct insn *in);
/** Finds the places of the running lanes of `in`, which fits: `offset` behind the addresses that stand in `reg`, of as many bits as
 *  its space has. @return false where they make no plain access */
bool plain_place(const struct warp *w, const struct insn *in, const void *reg, uint64_t offset, struct plain_access *p);
/** Looks how the lanes lie; and the same on any processor. */
enum plain_shape plain_shape_of(const struct plain_access *p);
enum plain_shape plain_shape_by_lanes(const struct plain_access *p);
/** How often the lanes, one after another, come to another sector of memory than the one before; and the same on any processor. */
unsigned plain_sectors(const struct plain_access *p);
unsigned plain_sectors_by_lanes(const struct plain_access *p);
/** What memory holds, into `value`. */
void plain_fetch(struct plain_access *p);
/** `value` to memory. Of lanes that go to one word the last stays. */
void plain_write(const struct plain_access *p);
/** Between `value` and a register, for the lanes of the mask. */
void plain_to_register(const struct plain_access *p, uint32_t *reg);
void plain_from_register(struct plain_access *p, const uint32_t *reg);
/** The same as the worker's access, made once. Hooks may ask for it. */
const struct mem_access *plain_full(const struct warp *w, struct plain_access *p);

#endif
