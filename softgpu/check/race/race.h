/**
 * @file race.h
 * The race checker: happens-before under the PTX memory model, with the rules of docs/judge.md.
 *
 *   clock/      what a thread knows of the others: vector clocks, release chains
 *   shadow/     what a word of memory remembers
 *   race.c      observer hooks: launches, blocks, lanes leaving
 *   sync.c, run_order.c   fences, what strong reads and writes pass on; the order of fence.sc in one run
 *   observed_chains.c  what a thread has read from others
 *   barriers.c  barriers of blocks and warps
 *   clusters.c  clusters: their barrier, and how long a block's shared memory is there for the others
 *   accesses.c  each access, lane by lane; plain words
 *   whole_rows.c, part_rows.c half a warp's plain words that fill a row; those of a warp that are part of one
 *   plain_words.c plain words elsewhere with everything in sight ordered
 *   stamps.c    the same in shared memory, as numbers; stamped_strong.c: strong accesses
 *   copied_words.c words of shared memory that cp.async brings
 *   joining.c   warps that read what other warps of their block read
 *   chained_atomics.c, stamped_atomics.c atomics that go on with their word's chain, as in a histogram; in shared memory where no thread hears of them, as numbers
 *   element.c, conflict.c, hidden_atomics.c, read.c, write.c   an element against the shadow words that speak for it
 *   looked.h    polls
 *   older.c     which reads may return an older value
 *   earlier.c   which read-modify-writes may come before writes that have been made already
 *   order.c, hearing.c, missing.c   is this ordered before me, and if not, what is missing, or signals it
 *   async.c     asynchronous copies
 *   readable.c, history.c, later.c   for the debugger: all that a read may return
 *   launches.c  kernels that launch kernels
 *   collect.c, launch_start.c  readers that nothing refers to any more; what a launch that is run again begins with
 *   constant_reads.c, map_proxy.c, block_phases.c   constant memory, tensor maps, barriers in shared memory
 *   explain.c   the finding
 *
 * Clocks. An agent is one block of one launch. Each of its threads has a time, which moves on at
 * every fence, strong write and barrier; an access carries the time at which it was made. A block
 * barrier brings all threads to one new time, so that "everything in this block before the barrier"
 * is one number: `uniform`. Threads that left the kernel before that barrier took no part in it:
 * `left` remembers up to where they did.
 */
#ifndef SOFTGPU_CHECK_RACE_RACE_H
#define SOFTGPU_CHECK_RACE_RACE_H

#include "base/list.h"
#include "check/race/agents.h"
#include "check/race/block_state.h"
#include "check/race/clock/release_chain.h"
#include "check/race/host_state.h"
#include "check/race/race_kept.h"
#include "options/options.h"
#include "report/facts.h"

struct finding;

/** A finding that is told if nothing else is wrong with the access at `site`. */
struct pending_finding {
    struct finding *finding;
    const struct image *image;
    uint32_t site, exit_site;
};

/** One pair of lines that has been reported. */
struct seen_pair {
    uint64_t key;
    uint32_t count, now;  /**< now: of these in run `run` (race.runs) */
    uint64_t run;
};

struct race {
    struct machine *machine;
    int slot;
    LIST(struct agent) agents;       /**< [0] is nobody */
    LIST(struct launch *) launches;
    struct readers *readers;
    bool several, asks_signals;      /**< devices; somebody has asked for signals (block_signals.h) */
    bool copies;                     /**< some agent is one of asynchronous copies; it may be younger than those of a launch behind its own */
    uint64_t moment;                 /**< counts strong writes, from 1 on: 0 is before all */
    struct vector_clock *sc_run[MAX_DEVICES]; /**< order of a device's fence.sc in this run, */
    struct vector_clock *sc_run_sys;         /**< and of those of scope sys on any. Only with several devices */
    struct fence_log *fence_log;             /**< a device's as a log, with one device only; NULL: none */
    struct { struct fence_log *log; struct vector_clock *known; bool full; } sc_wide; /**< run_order.c: the order if each fence.sc were of scope gpu */
    LIST(struct past_order) sc_past;         /**< of what every launch since has been ordered after */
    struct { struct op_set ops; int count, settled; } first_ops; /**< of so many launches, from the first on, the operations: known to one before; come before all still to come */
    uint32_t floor, explained;       /**< agents below come before all that is still to come; before the launch that began last: what explains them is gone */
    bool older_shown, atomics_older, relied_on; /**< somebody chooses what reads see: it need not be the newest; that of atomics matters, too; what order is relied on is asked (older.h) */
    struct seen_pair *seen;
    uint32_t seen_mask, seen_count;
    bool told_overflow, told_forgotten, told_unheard;
    struct hearing_room *hearing_room; /**< hearing.c */
    struct { doubted_fn *tell; void *self; } doubted; /**< doubted.h */
    uint64_t passed_over;            /**< the latest launch (its set) in which an immaterial older value could be read */
    int running; uint64_t runs;      /**< grids; times that one began where none ran */
    LIST(struct host_range) ranges;  /**< of host operations, oldest first; */
    bool any_unordered_range; struct clear_memory clear; /**< one of them is not ordered before a running grid, but not here */
    LIST(struct order_note) notes;   /**< how the host orders streams, oldest first */
    struct host_thread_state host;
    LIST(struct constant_reads *) constants; /**< constant_reads.c: what launches have read of constant memory */
    uint32_t object_use, objects;    /**< mbarrier_phases.c: lanes of the instruction whose look at the object has been remembered already; objects begun and ended */
    LIST(struct known_map) maps;     /**< map_proxy.c */
    LIST(struct pending_finding) pending; /**< of clusters.c, until the launch ends */
    struct look looked;              /**< looked.h: the last strong load */
    struct asked_earlier earlier[WARP_LANES]; /**< earlier.c: of the atomic that is being executed */
    struct known_use uses[64]; struct known_phase phases[64]; /**< earlier.c, block_phases.c: by instruction */
    struct { uint64_t set; LIST(struct kept_row) rows; } start; /**< launch_start.c: of the launch that began last */
    struct spare_state spare; struct counted_kept *counted; struct claims_kept *claims; struct belongs_kept *belongs; /**< counted_told.c, late_claims.c, belongs_told.c; NULL: nothing yet */
};

/** The thread that acts, gathered once a lane. */
struct actor {
    struct race *race;
    struct block_state *bs;
    struct warp_state *ws;
    const struct warp *warp;
    const struct insn *insn;
    int lane;
    uint32_t agent, thread, time;
    struct block_state *home; /**< whose shared memory is accessed, if it is shared memory */
    uint32_t as_agent, as_time;   /**< what its accesses are remembered as; 0: its own */
    struct reads_together *together; /**< (element.h) NULL: each lane's read is remembered at once */
};

static inline struct lane_state *actor_lane(const struct actor *me)
{
    return me->ws->lanes ? &me->ws->lanes[me->lane] : NULL;
}
/** The lane's own state, made if missing. */
struct lane_state *lane_open(struct warp_state *ws, int lane);
static inline bool scope_is_wide(uint8_t scope)
{
    return scope == SCOPE_GPU || scope == SCOPE_SYS;
}
static inline enum reach reach_of(uint8_t scope)
{
    return scope == SCOPE_SYS       ? REACH_SYSTEM
           : scope_is_wide(scope)   ? REACH_DEVICE
           : scope == SCOPE_CLUSTER ? REACH_CLUSTER
                                    : REACH_BLOCK;
}
/** Are both of one cluster of several blocks? */
static inline bool same_cluster(const struct race *race, uint32_t a, uint32_t b)
{
    return race->agents.data[a].cluster && race->agents.data[a].cluster == race->agents.data[b].cluster;
}
/** Are both agents' blocks on one device? Not asked of the host. */
static inline bool same_device(const struct race *race, uint32_t agent, uint32_t other)
{
    return !race->several || race->agents.data[agent].launch->grid.config.device ==
                                 race->agents.data[other].launch->grid.config.device;
}
static inline uint8_t device_of(const struct race *race, uint32_t agent)
{
    return (uint8_t)race->agents.data[agent].launch->grid.config.device;
}
/** Of a launch that runs again, alone or with others, is `a` of another run than `b`? All but the last never happened. */
static inline bool launch_of_other_run(const struct launch *a, const struct launch *b)
{
    return a->set == b->set && a->run != b->run;
}
static inline bool agent_is_host(const struct race *race, uint32_t agent)
{
    return agent && !race->agents.data[agent].launch;
}

#endif
