/**
 * @file worker.h
 * Private to execute/: one host thread that runs blocks; engine.h.
 */
#ifndef SOFTGPU_EXECUTE_WORKER_H
#define SOFTGPU_EXECUTE_WORKER_H

#include "base/list.h"
#include "execute/plain_access.h"
#include "execute/plain_list.h"
#include "execute/run_events.h"
#include "execute/warp.h"

#define RECENT_RANGES 64

#define PARTINGS 12

/** How lanes of a warp have parted and met in compiled code that checkers watch, since it was one group: its groups (struct group) are made so once somebody looks (parting_end()). Mostly all have met
 *  before, and nobody has. */
struct partings {
    uint32_t count;
    struct parting {
        const struct insn *at;         /**< the branch at which they have parted; or where they stand */
        uint32_t running, waiting;     /**< lanes. `waiting` 0: the running ones stand there, */
        bool meets;                    /**< and go on with all that wait there, if there are any; else others do */
    } of[PARTINGS];
};

/** One host thread's caches. */
struct worker {
    struct machine *machine;
    int device;                        /**< whose kernel runs: what is cached, it may use */
    uint64_t cache_base, cache_bytes;  /**< the allocation last used by a fast memory operation */
    uint8_t *cache_host;
    struct recent_range { uint64_t base, bytes; uint8_t *host; } recent[RECENT_RANGES]; /**< the same for each of
                                          several loads and stores of compiled code, in its order */
    uint64_t *untold;                  /**< quiet loads (quiet_global.h) that compiled code may make before it tells of one, which count it down; NULL: there is
                                          no quiet memory, else `recent` of loads are that */
    struct allocation *cache_allocation; /**< the same one; valid while cache_bytes is not 0 */
    bool parallel;                     /**< other workers run: atomics must be the host's */
    struct mem_access access;          /**< scratch of the checked operations, */
    struct plain_access plain;         /**< and of the common ones */
    struct plain_rows_ready ready;     /**< plain_list.h */
    struct partings partings;          /**< of the warp that runs compiled code */
    uint64_t places[WARP_LANES] __attribute__((aligned(64))); /**< addresses that compiled code puts down, of 8 or 4 bytes each */
    uint64_t *untold_shared, never_told; /**< counted down by reads of which nobody is told (quiet_shared.h), as plain_list.h's; at 0 somebody is. never_told: for it where there is none */
    struct insn texel;                 /**< scratch of texture and surface accesses */
    LIST(struct block *) slots;        /**< free block slots */
    uint64_t instructions;             /**< of the present step, not yet added to the grid */
    uint64_t loads;                    /**< likewise: global loads by warps */
    uint64_t lane_instructions;        /**< likewise; not beside `instructions`, see struct warp */
    uint64_t moved;                    /**< likewise: bytes of the sectors touched */
    uint64_t read_bytes;               /**< likewise: that quiet loads have read */
    uint64_t turn_clock;               /**< machine clock when the present turn began */
};

/** Allocations may come and go: nothing is cached any more. */
static inline void worker_forget(struct worker *k)
{
    k->cache_bytes = 0;
    for (int i = 0; i < RECENT_RANGES; i++)
        k->recent[i].bytes = 0;
}

/** The worker's access, of `in`: who fills it begins here. */
static inline struct mem_access *worker_access(struct worker *k, const struct insn *in)
{
    k->access.insn = in;
    k->access.row = k->access.even = false;
    k->access.thrown_away = 0;
    k->access.again = false;
    return &k->access;
}

static inline struct machine *warp_machine(const struct warp *w)
{
    return w->worker->machine;
}

#endif
