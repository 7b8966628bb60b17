/**
 * @file host_state.h
 * Private to the race checker: what the program on the host did: ranges of its operations, its own loads and stores.
 */
#ifndef SOFTGPU_CHECK_RACE_HOST_STATE_H
#define SOFTGPU_CHECK_RACE_HOST_STATE_H

#include "base/list.h"
#include "base/op_set.h"
#include "check/race/clock/knowledge.h"
#include "check/race/observed_chains.h"
#include "execute/grid.h"

/** A range that a host operation read or wrote. */
struct host_range {
    uint64_t op, base, bytes;
    bool writes;
    const char *name;         /**< the call */
    struct issuer by;
    bool value;               /**< a stream's wait for a value, or a write of one */
    struct op_set known;      /**< of such a write: what whoever sees it comes after */
};

/** Memory around an access of a grid's, `from` to before `to`, in which no range lies that the grid is not ordered after. */
struct clear_memory {
    const struct grid *grid;  /**< NULL: not known */
    uint64_t from, to;
};

/** A host instruction that touched shared memory. */
struct host_site {
    uint64_t pc;
    bool write;
    struct issuer by; /**< of the host function that it is in, if it is in one */
};
/** Marks the `site` of an event as an index into race->host.sites. */
#define SITE_HOST 0x80000000u

/** struct epoch's `unit` of what the host reads and stores, and of its stores to memory of its own (is_host_memory()): no access of the device has so
 *  many bytes. A kernel's read-modify-writes are not atomic together with the latter. libcu++ "Thread Scopes", Atomicity: without
 *  hostNativeAtomicSupported, which PCIe does not have; an H200 loses updates (tests/gpu/host_atomics_h200.txt). */
#define HOST_UNIT 0x80
#define HOST_UNIT_PINNED 0x90
static inline bool unit_is_pinned(uint8_t unit)
{
    return (unit & 0xf0) == HOST_UNIT_PINNED; /* in a word that is split each byte has its offset there */
}

/** The program's own loads and stores, as one more thread: the processor's loads acquire and its stores
 *  release, at system scope. */
struct host_thread_state {
    uint32_t agent;                  /**< 0: none since the last launch began */
    uint32_t latest;                 /**< the last that there was; 0: none */
    uint32_t time;
    struct knowledge *knowledge;
    struct observed_list observed;
    LIST(struct host_site) sites;
    LIST(uint64_t) looked;           /**< words that it has read since the last launch began: up to MAX_LOOKED */
};

#endif
